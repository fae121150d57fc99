package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// shown is how many paragraphs of a locked article everybody may read.
const shown = 4

var marked = regexp.MustCompile(`TOKEN-[a-z-]+-(\d+)-(\d+)\.`)

// withheld lists the tokens in some bytes that a reader without the right must not get.
func withheld(body string) (found []string) {
	for _, m := range marked.FindAllStringSubmatch(body, -1) {
		var paragraph int
		_, _ = fmt.Sscan(m[2], &paragraph)
		if paragraph > shown {
			found = append(found, m[0])
		}
	}
	return found
}

// crawl asks for everything that an edition answers, following its links.
func crawl(t *testing.T, b *browser, section string, visit func(path string, r reply)) {
	t.Helper()
	queue := []string{
		"/", "/category/" + section, "/category/" + section + "?offset=1", "/404", "/robots.txt", "/no/such/page", "/search/TOKEN", "/feed", "/rss.xml",
		"/rss", "/rss/category/" + section, "/sitemap.xml", "/sitemap-news.xml", "/manifest.webmanifest", "/.well-known/security.txt",
		"/account", "/account/login", "/account/registration", "/account/profile", "/api/env-vars", "/user/me/",
		"/content/carousel/index", "/content/editors_picks", "/content/most_read_posts?limit=10&per_days=3", "/content/minute?per_page=10&offset=0",
		"/author/leak", "/author/7/leak", "/content/posts/latest", "/content/posts/by_author/leak", "/content/author/leak", "/content/posts/weekly_topic", "/content/posts/top_viewed",
		"/content/latest_list", "/content/videos?per_page=20&offset=0", "/content/videos/by_category/" + section + "/?per_page=15", "/content/videos/by_weekly?slug=leak&perPage=15",
		"/content/videos/by_author/leak", "/content/weekly_articles", "/content/weekly_articles?slug=leak", "/content/weekly_details?slug=leak", "/content/weeklies_details?per_page=20&offset=0",
		"/content/topic_of_the_week", "/content/tags", "/wp-json/standard/v1/standard-post-react/?id=1", "/tema", "/tema/leak", "/tema/aktualne-vydanie", "/topic", "/topic/leak",
		"/topic/current-edition", "/minuta", "/minutes",
		"/content/opinion", "/content/posts/by_category/index", "/content/posts/by_category/" + section + "?per_page=19&offset=0",
		"/fns/user-can-read-article", "/fns/stripe-products-offer?product_type=default", "/metrics", "/livez",
	}
	seen := map[string]bool{}
	links := regexp.MustCompile(`(?:href|src)="(/[^"#]*)"|"(?:url|post_url)":"(/[^"]*)"|<(?:loc|link)>` + regexp.QuoteMeta(b.origin) + `(/[^<]*)<`)
	for len(queue) > 0 && len(seen) < 400 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] || strings.HasPrefix(path, "/assets/") || strings.HasPrefix(path, "/img/") {
			continue
		}
		seen[path] = true
		r := b.get(path)
		visit(path, r)
		if to := r.Header.Get("Location"); strings.HasPrefix(to, "/") {
			queue = append(queue, to)
		}
		for _, m := range links.FindAllStringSubmatch(r.Body, -1) {
			for _, l := range m[1:] {
				if l != "" {
					queue = append(queue, strings.ReplaceAll(l, "&amp;", "&"))
				}
			}
		}
		if !strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/content/") && !strings.HasPrefix(path, "/fns/") {
			queue = append(queue, "/api/page?url="+url.QueryEscape(path))
		}
	}
	if len(seen) < 40 {
		t.Errorf("the crawl of %s saw %d addresses only", b.origin, len(seen))
	}
}

// No address of any edition gives a locked paragraph to who may not read it: in no page, no data of a
// page, no list, no header and to no method.
func TestNothingLockedLeaks(t *testing.T) {
	p := bootPaper(t)
	p.publish(6, true)
	for _, ed := range p.app.registry.All() {
		section := ed.Categories[0].Slug
		poor := p.browser(ed.ID)
		p.signIn(poor, "reader@example.org")
		spent := spendCredits(t, p, poor, ed.ID)
		for name, b := range map[string]*browser{"a visitor": p.browser(ed.ID), "a reader without credits": poor} {
			t.Run(ed.ID+" to "+name, func(t *testing.T) {
				previews := 0
				crawl(t, b, section, func(path string, r reply) {
					previews += len(marked.FindAllString(r.Body, -1))
					for _, tok := range withheld(r.Body + fmt.Sprint(r.Header)) {
						if name != "a visitor" && spent[postOf(tok)] {
							continue // paid for with a credit
						}
						t.Errorf("%s shows %s", path, tok)
						return
					}
				})
				if previews == 0 {
					t.Error("no preview was seen: the crawl did not reach an article")
				}
			})
		}
	}
}

// No search finds by what is withheld, neither for who may not read it nor for who may: not by a word, a token or a phrase,
// and no word is suggested that stands in withheld text alone.
func TestNothingLockedIsFound(t *testing.T) {
	p := bootPaper(t)
	p.publish(10, true) // the last is of a number that stands in none but itself
	for _, ed := range p.app.registry.All() {
		member, subscriber := p.browser(ed.ID), p.browser(ed.ID)
		p.signIn(member, "reader@example.org")
		p.signIn(subscriber, "payer@example.org")
		buy(t, subscriber)
		eventually(t, "the subscription counts", func() bool { return subscribed(subscriber) })
		for name, b := range map[string]*browser{"a visitor": p.browser(ed.ID), "a member": member, "a subscriber": subscriber} {
			t.Run(ed.ID+" by "+name, func(t *testing.T) {
				b.search(t, "artixle", 0, "article") // there are suggestions, and below there are finds
				for _, post := range []int{0, 9} {
					b.search(t, word(ed.ID, post, shown), 1, "")
					b.search(t, fmt.Sprintf(`"Paragraph %d of article %d"`, shown, post), 1, "")
					for paragraph := shown + 1; paragraph <= 8; paragraph++ {
						w := word(ed.ID, post, paragraph)
						b.search(t, w, 0, "")
						b.search(t, w[:5]+"x"+w[6:], 0, "") // not even meant
						b.search(t, strings.TrimSuffix(token(ed.ID, post, paragraph), "."), 0, "")
						b.search(t, fmt.Sprintf(`"Paragraph %d of article %d"`, paragraph, post), 0, "")
						b.search(t, fmt.Sprintf(`"article %d: %s"`, post, w), 0, "")
					}
				}
			})
		}
	}
}

// search holds that the call, the page and the data of the page find so many posts, and what they suggest.
func (b *browser) search(t *testing.T, term string, total int, suggestion string) {
	t.Helper()
	at := url.PathEscape(term)
	var list []json.RawMessage
	r := b.get("/content/search/" + at)
	r.json(t, &list)
	if r.Status != http.StatusOK || len(list) != total || r.Header.Get("X-Total-Count") != fmt.Sprint(total) || r.Header.Get("X-Suggestion") != suggestion {
		t.Errorf("the call for %s: %d, %d of %s, suggesting %q", term, r.Status, len(list), r.Header.Get("X-Total-Count"), r.Header.Get("X-Suggestion"))
	}
	var page struct {
		Data struct {
			Cards      []json.RawMessage `json:"cards"`
			Total      int               `json:"total"`
			Suggestion string            `json:"suggestion"`
		} `json:"data"`
	}
	data := b.get("/api/page?url=" + url.QueryEscape("/search/"+at))
	data.json(t, &page)
	if len(page.Data.Cards) != total || page.Data.Total != total || page.Data.Suggestion != suggestion {
		t.Errorf("the data for %s: %d of %d, suggesting %q", term, len(page.Data.Cards), page.Data.Total, page.Data.Suggestion)
	}
	html := b.get("/search/" + at)
	if html.Status != http.StatusOK || strings.Contains(html.Body, "/article-true-") != (total > 0) {
		t.Errorf("the page for %s: %d, want %d posts in it", term, html.Status, total)
	}
	for _, answer := range []reply{r, data, html} {
		for _, tok := range withheld(answer.Body + fmt.Sprint(answer.Header)) {
			t.Errorf("the search for %s shows %s", term, tok)
		}
	}
}

func postOf(tok string) string { return marked.FindStringSubmatch(tok)[1] }

// spendCredits opens locked articles until the meter says no, and returns the numbers of those that were opened.
func spendCredits(t *testing.T, p *paper, b *browser, id string) map[string]bool {
	t.Helper()
	ed, _ := p.app.registry.Get(id)
	var list []struct {
		URL string `json:"post_url"`
	}
	b.get("/content/posts/by_category/"+ed.Categories[0].Slug+"?per_page=19").json(t, &list)
	opened := map[string]bool{}
	for _, post := range list {
		u, err := url.Parse(post.URL)
		if err != nil {
			t.Fatal(err)
		}
		for _, tok := range withheld(b.get(u.Path).Body) {
			opened[postOf(tok)] = true
		}
	}
	if len(opened) != ed.Meter.Limit {
		t.Fatalf("%s: %d of %d locked articles opened, the meter says %d", id, len(opened), len(list), ed.Meter.Limit)
	}
	return opened
}
