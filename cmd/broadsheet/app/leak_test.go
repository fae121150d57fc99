package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// previewParagraphs is how many paragraphs of a locked article everybody may read.
const previewParagraphs = 4

var tokenPattern = regexp.MustCompile(`TOKEN-[a-z-]+-(\d+)-(\d+)\.`)

// lockedTokens lists the tokens in some bytes that a reader without the right must not get.
func lockedTokens(body string) (found []string) {
	for _, m := range tokenPattern.FindAllStringSubmatch(body, -1) {
		var paragraph int
		_, _ = fmt.Sscan(m[2], &paragraph)
		if paragraph > previewParagraphs {
			found = append(found, m[0])
		}
	}
	return found
}

// routeValues holds what may stand for a parameter of a route, by its name. A route with a parameter that has none is a
// new one: it has to be told here what to ask for, or nobody sees what it shows.
func routeValues(section string) map[string][]string {
	words := []string{section, "leak", "locked-page"}
	return map[string][]string{
		"slug": words, "categorySlug": {section}, "tagSlug": {"leak"}, "authorSlug": {"leak"},
		"articleSlug": {"locked-page", "article-true-0"},
		"id":          {"0", "1"}, "articleId": {"1"}, "categoryId": {"1"}, "authorId": {"1"}, "invoiceId": {"1"},
		"discussionSlug": {"comment-1", "comment-1-at", "comment-1-ch"},
		"step":           {"sent", "confirm", "settings", "leave"}, "saleStep": {"coupon", "campaign", "gift", "withdrawal"},
		"term": {"TOKEN", "paragraph", "lea"}, "searchSlug": {"TOKEN", "paragraph"},
		"part": {"sections-1.xml", "articles-1.xml", "categories-1.xml", "authors-1.xml", "pages-1.xml"},
	}
}

// binaryRoutes are routes that answer with pictures, films and programs, and streams that do not end: none has a word
// of any article.
var binaryRoutes = regexp.MustCompile(`^/(assets/\*file|img/:id|media/:name|api/discussion/:articleId/live|.*\.(svg|` +
	`ico|` +
	`png))$`)

var routeParam = regexp.MustCompile(`:(\w+)`)

// expandRoute are addresses of a route, with all that may stand for its parameters.
func expandRoute(t *testing.T, pattern string, values map[string][]string) []string {
	t.Helper()
	at := routeParam.FindStringSubmatchIndex(pattern)
	if at == nil {
		return []string{pattern}
	}
	name := pattern[at[2]:at[3]]
	if values[name] == nil {
		t.Errorf("nobody knows what to ask of %s for :%s", pattern, name)
	}
	var all []string
	for _, v := range values[name] {
		all = append(all, expandRoute(t, pattern[:at[0]]+v+pattern[at[1]:], values)...)
	}
	return all
}

// crawl asks for everything that an edition answers: every route of the edition's pages and of the calls and files, and
// where their links lead, and more. It returns the routes that nothing was heard of but refusals.
func crawl(t *testing.T, p *testApp, b *browser, ed *edition.Edition, visit func(path string, r response),
	more ...string,
) (silent []string) {
	t.Helper()
	section := ed.Categories[0].Slug
	values := routeValues(section)
	values["invoiceId"] = append(values["invoiceId"], b.invoices()...)
	of := map[string]string{} // the route of an address
	var queue []string
	follow := func(pattern, query string) {
		for _, path := range expandRoute(t, pattern, values) {
			of[path+query] = pattern
			queue = append(queue, path+query)
		}
	}
	for _, pattern := range ed.Routes.Paths() {
		if pattern != "" {
			follow(pattern, "")
		}
	}
	queries := map[string][]string{
		"/content/posts/by_category/:slug": {"?per_page=19&offset=0"},
		"/content/videos/by_weekly":        {"", "?slug=leak&perPage=15"}, "/content/weekly_articles": {"", "?slug=leak"},
		"/content/weekly_details": {"", "?slug=leak"}, "/wp-json/standard/v1/standard-post-react/": {"?id=1"},
		"/fns/stripe-products-offer": {"?product_type=default"},
		"/api/page":                  {"?url=/"}, "/user/exists": {"?email=reader@example.org"},
		"/fns/payment-status": {"?session_id=cs_unknown"},
	}
	for _, r := range p.app.engine.Routes() {
		if r.Method != http.MethodGet || binaryRoutes.MatchString(r.Path) {
			continue
		}
		if queries[r.Path] == nil {
			follow(r.Path, "")
		}
		for _, q := range queries[r.Path] {
			follow(r.Path, q)
		}
	}
	queue = append(queue, more...)
	queue = append(queue, "/category/"+section+"?offset=1", "/no/such/page", ed.Href(edition.Topic, "aktualne-vydanie"),
		ed.Href(edition.Topic, "current-edition"), "/metrics", "/livez")

	answered, seen := map[string]bool{}, map[string]bool{}
	links := regexp.MustCompile(`(?:href|src)="(/[^"#]*)"|"(?:url|post_url)":"(/[^"]*)"|<(?:loc|link)>` +
		regexp.QuoteMeta(b.origin) + `(/[^<]*)<`)
	for len(queue) > 0 && len(seen) < 700 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] || strings.HasPrefix(path, "/assets/") || strings.HasPrefix(path, "/img/") {
			continue
		}
		seen[path] = true
		r := b.get(path)
		visit(path, r)
		if r.Status < http.StatusBadRequest {
			answered[of[path]] = true
		}
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
	if len(seen) < 100 {
		t.Errorf("the crawl of %s saw %d addresses only", b.origin, len(seen))
	}
	for _, pattern := range of {
		if !answered[pattern] && !slices.Contains(silent, pattern) {
			silent = append(silent, pattern)
		}
	}
	return silent
}

// silentRoutes are routes that have nothing for whoever comes without the thing they are for, the page of what is not
// there, and the logout by GET, which answers our own pages alone.
var silentRoutes = regexp.MustCompile(`^(/404|/wp-json/standard/v1/remove-user-subscription-cookie/?|/account/` +
	`(profile|focus|` +
	`invoice/:invoiceId)|/fns/(payment-status|transfer-code))$`)

// ownRoutes are those at which an edition may have a page of its own.
var ownRoutes = []edition.Route{
	edition.Career, edition.Contacts, edition.History, edition.Principles,
	edition.Organisation, edition.Company, edition.Christmas,
}

// lockEverything writes one locked post of every kind but articles into every edition, marked as articles are; the
// videos' addresses are withheld too. It returns the numbers of posts that members may watch freely.
func (p *testApp) lockEverything() (free map[string]bool) {
	p.t.Helper()
	free = map[string]bool{}
	for _, ed := range p.app.registry.All() {
		var drafts []content.Draft
		add := func(kind post.Type, slug string, change func(*content.Draft)) {
			n := 100 + len(drafts)
			var body strings.Builder
			for par := range 8 {
				fmt.Fprintf(&body, "<p>%s Paragraph %d of %s.</p>", token(ed.ID, n, par+1), par+1, slug)
			}
			d := content.Draft{
				Source: "test", SourceID: slug, Type: kind, Status: post.StatusPublished, Slug: slug, Title: slug,
				Excerpt: "What it is about.", Body: body.String(), Locked: true,
				Categories: []string{ed.Categories[0].Slug}, Authors: []string{"leak"}, Tags: []string{"leak"},
				Published: time.Now().Add(-2 * time.Hour),
			}
			switch kind {
			case post.TypeVideo:
				free[fmt.Sprint(n)] = true
				fallthrough
			case post.TypeSalon:
				d.Video = content.Video{URL: "https://video.example/" + token(ed.ID, n, previewParagraphs+1) + "mp4", Seconds: 60}
			case post.TypePage:
				d.Authors, d.Tags, d.Categories = nil, nil, nil
				d.Page.Blocks = []staticpage.Block{{Kind: "text", HTML: "<p>" + token(ed.ID, n, previewParagraphs+1) + "</p>"}}
			}
			if change != nil {
				change(&d)
			}
			drafts = append(drafts, d)
		}
		for _, kind := range []post.Type{
			post.TypeMinute, post.TypeWeeklyTopic, post.TypeComment,
			post.TypeSalon, post.TypeVideo,
		} {
			add(kind, "locked-"+strings.ReplaceAll(string(kind), "_", "-"), nil)
		}
		add(post.TypePage, "locked-page", nil)
		for _, r := range ownRoutes {
			if ed.Href(r) == "" {
				continue
			}
			add(post.TypePage, "locked-"+strings.ToLower(string(r)), func(d *content.Draft) { d.Page.Route = r })
		}
		if _, err := p.app.content.SavePosts(edition.With(context.Background(), ed), drafts); err != nil {
			p.t.Fatal(err)
		}
	}
	return free
}

// subscriberOf is who has paid in one edition.
type subscriberOf struct {
	*browser
	address  string
	cookies  string
	handle   string
	invoices []string
}

func (p *testApp) subscriber(t *testing.T, ed *edition.Edition) *subscriberOf {
	t.Helper()
	s := &subscriberOf{browser: p.browser(ed.ID), address: "subscriber-of-" + strings.ReplaceAll(ed.ID, "_", "-") +
		"@example.org"}
	p.signIn(s.browser, s.address)
	buy(t, s.browser)
	wait.Until(t, "the subscription has begun", func() bool { return subscribed(s.browser) })
	wait.Until(t, "the payment has its invoice", func() bool {
		s.invoices = s.browser.invoices()
		return len(s.invoices) > 0
	})
	var pairs []string
	for _, c := range cookies(s.browser) {
		pairs = append(pairs, c.Name+"="+c.Value)
		if c.Name == "logged_user" {
			s.handle = c.Value
		}
	}
	if s.cookies = strings.Join(pairs, "; "); s.handle == "" {
		t.Fatal("no handle in " + s.cookies)
	}
	return s
}

// in is a browser that shows an edition what another one has given to its subscriber.
func (s *subscriberOf) in(p *testApp, ed *edition.Edition) *browser {
	b := p.browser(ed.ID)
	b.header.Set("Cookie", s.cookies)
	return b
}

// replayed are addresses that name what belongs to the subscriber.
func (s *subscriberOf) replayed() (list []string) {
	for _, path := range []string{"/user/me/", "/user/me/extended/", "/fns/user-data"} {
		list = append(list, path+"?user_hash="+s.handle)
	}
	for _, id := range s.invoices {
		list = append(list, "/account/invoice/"+id, "/user/invoice/"+id+"/", "/user/invoice/"+id+"/?user_hash="+s.handle)
	}
	return list
}

// No address of any edition gives a locked paragraph to whoever may not read it: in no page, no data of a
// page, no list, no header and to no method; also not to whoever has paid in another edition and shows cookies, handle
// and numbers of there.
func TestNothingLockedLeaks(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(6, true)
	watched := p.lockEverything()
	all := p.app.registry.All()
	subscribers := map[string]*subscriberOf{}
	for _, ed := range all {
		subscribers[ed.ID] = p.subscriber(t, ed)
	}
	for i, ed := range all {
		stranger := subscribers[all[(i+1)%len(all)].ID]
		poor := p.browser(ed.ID)
		p.signIn(poor, "reader@example.org")
		buy(t, poor)
		wait.Until(t, "the payment has its invoice", func() bool { return len(poor.invoices()) > 0 })
		withdraw(t, poor, "reader@example.org")
		wait.Until(t, "the subscription is over", func() bool { return !subscribed(poor) })
		spent := spendCredits(t, p, poor, ed.ID)
		refused := map[string]int{}
		for name, b := range map[string]*browser{
			"a visitor": p.browser(ed.ID), "a reader without credits": poor,
			"a subscriber of another edition": stranger.in(p, ed),
		} {
			t.Run(ed.ID+" to "+name, func(t *testing.T) {
				previews := 0
				silent := crawl(t, p, b, ed, func(path string, r response) {
					previews += len(tokenPattern.FindAllString(r.Body, -1))
					for _, tok := range lockedTokens(r.Body + fmt.Sprint(r.Header)) {
						if name == "a reader without credits" && (spent[postOfToken(tok)] || watched[postOfToken(tok)]) {
							continue // paid for with a credit, or free for members
						}
						t.Errorf("%s shows %s", path, tok)
						return
					}
					if strings.Contains(r.Body, stranger.address) {
						t.Errorf("%s names a reader of another edition", path)
					}
				}, stranger.replayed()...)
				for _, pattern := range silent {
					refused[pattern]++
				}
				if previews == 0 {
					t.Error("no preview was seen: the crawl did not reach an article")
				}
			})
		}
		for pattern, times := range refused {
			if times == 3 && !silentRoutes.MatchString(pattern) {
				t.Errorf("%s: no address of %s was answered: nobody knows what it shows", ed.ID, pattern)
			}
		}
	}
}

// No search finds by what is withheld, neither for whoever may not read it nor for whoever may: not by a word, a token
// or a phrase, and no word is suggested that stands in withheld text alone.
func TestNothingLockedIsFound(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(10, true) // the last is of a number that stands in none but itself
	for _, ed := range p.app.registry.All() {
		member, subscriber := p.browser(ed.ID), p.browser(ed.ID)
		p.signIn(member, "reader@example.org")
		p.signIn(subscriber, "payer@example.org")
		buy(t, subscriber)
		wait.Until(t, "the subscription counts", func() bool { return subscribed(subscriber) })
		for name, b := range map[string]*browser{
			"a visitor": p.browser(ed.ID), "a member": member,
			"a subscriber": subscriber,
		} {
			t.Run(ed.ID+" by "+name, func(t *testing.T) {
				b.search(t, "artixle", 0, "article") // there are suggestions, and below there are finds
				for _, post := range []int{0, 9} {
					b.search(t, word(ed.ID, post, previewParagraphs), 1, "")
					b.search(t, fmt.Sprintf(`"Paragraph %d of article %d"`, previewParagraphs, post), 1, "")
					for paragraph := previewParagraphs + 1; paragraph <= 8; paragraph++ {
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

var articleLink = regexp.MustCompile(`href="/[^"]*/article-true-[^"]*"`)

// search holds that the call, the page and the data of the page find so many posts, and what they suggest.
func (b *browser) search(t *testing.T, term string, total int, suggestion string) {
	t.Helper()
	at := url.PathEscape(term)
	var list []json.RawMessage
	r := b.get("/content/search/" + at)
	r.json(t, &list)
	if r.Status != http.StatusOK || len(list) != total || r.Header.Get("X-Total-Count") != fmt.Sprint(total) ||
		r.Header.Get("X-Suggestion") != suggestion {
		t.Errorf("the call for %s: %d, %d of %s, suggesting %q", term, r.Status, len(list), r.Header.Get("X-Total-Count"),
			r.Header.Get("X-Suggestion"))
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
		t.Errorf("the data for %s: %d of %d, suggesting %q", term, len(page.Data.Cards), page.Data.Total,
			page.Data.Suggestion)
	}
	html := b.get("/search/" + at)
	// Whoever finds nothing is offered articles, the same ones whatever was asked for.
	offered := articleLink.FindAllString(b.get("/search/qqxqqxqq").Body, -1)
	linked := articleLink.FindAllString(html.Body, -1)
	if html.Status != http.StatusOK || (total == 0 && !slices.Equal(linked, offered)) || (total > 0 && len(linked) == 0) {
		t.Errorf("the page for %s: %d, want %d posts in it: %v", term, html.Status, total, linked)
	}
	for _, answer := range []response{r, data, html} {
		for _, tok := range lockedTokens(answer.Body + fmt.Sprint(answer.Header)) {
			t.Errorf("the search for %s shows %s", term, tok)
		}
	}
}

func postOfToken(tok string) string { return tokenPattern.FindStringSubmatch(tok)[1] }

// spendCredits opens locked articles until the meter says no, and returns the numbers of those that were opened.
func spendCredits(t *testing.T, p *testApp, b *browser, id string) map[string]bool {
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
		for _, tok := range lockedTokens(b.get(u.Path).Body) {
			opened[postOfToken(tok)] = true
		}
	}
	if len(opened) != ed.Meter.Limit {
		t.Fatalf("%s: %d of %d locked articles opened, the meter says %d", id, len(opened), len(list), ed.Meter.Limit)
	}
	return opened
}
