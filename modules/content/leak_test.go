package content

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

const token = "ZATAJENE"

// secrets saves one locked post of every type; whatever must be withheld of it holds the token.
func secrets(t testing.TB, ctx context.Context, m *Module) (ids []int64) {
	t.Helper()
	if _, err := m.SaveTag(ctx,
		topic.Tag{Slug: "tajna-tema", Name: "Tajná téma", Published: epoch, Covers: []string{picture(1)}}); err != nil {
		t.Fatal(err)
	}
	for i, kind := range []post.Type{
		post.TypeArticle, post.TypeMinute, post.TypeWeeklyTopic, post.TypeComment,
		post.TypeSalon, post.TypeVideo, post.TypePage,
	} {
		ids = append(ids, save(t, ctx, m, draft("secret-"+string(kind), func(d *Draft) {
			d.Type, d.Locked, d.Featured, d.Pick = kind, true, i+1, i+1
			d.Body = body(4, "Ukážka") + body(5, token)
			d.Versus, d.Tags = "Áno, či nie?", []string{"tajna-tema"}
			d.Video = Video{URL: "https://video.example/" + token, Seconds: 60}
		})))
	}
	return ids
}

func addresses(t testing.TB, ctx context.Context,
	ids []int64,
) (pages, calls []string) {
	t.Helper()
	ed := paper(t, ctx)
	pages = []string{
		"/", "/category/politika", "/category/slovensko", "/404", "/nic/tu/nie",
		ed.Href("static", "clanok-secret-page"),
	}
	calls = []string{
		"/content/posts/by_category/index", "/content/posts/by_category/slovensko?per_page=50", "/content/carousel/index",
		"/content/editors_picks",
		"/content/most_read_posts?limit=50&per_days=30", "/content/minute", "/content/minute/0?per_page=50",
		"/content/opinion",
	}
	for i, kind := range []post.Type{
		post.TypeArticle, post.TypeMinute, post.TypeWeeklyTopic, post.TypeComment,
		post.TypeSalon, post.TypeVideo,
	} {
		pages = append(pages,
			ed.Href("article", fmt.Sprint(ids[i]), "clanok-secret-"+strings.ReplaceAll(string(kind), "_", "-")))
	}
	for _, id := range ids {
		calls = append(calls, fmt.Sprintf("/content/post/%d", id))
	}
	return pages, append(calls, fmt.Sprintf("/content/minute/%d", ids[1]))
}

// listAddresses are those of what gathers posts.
func listAddresses(t testing.TB, ctx context.Context,
	ids []int64,
) (pages, calls []string) {
	t.Helper()
	ed := paper(t, ctx)
	pages = []string{
		"/tema", "/tema/tajna-tema", "/tema/aktualne-vydanie", "/minuta", "/author/jana",
		ed.Href("article", fmt.Sprint(ids[1]), "clanok-secret-minute-article") + "?article_type=minuta",
	}
	calls = []string{
		"/content/posts/by_author/jana", "/content/posts/latest", "/content/posts/weekly_topic", "/content/posts/top_viewed",
		"/content/latest_list", "/content/videos",
		"/content/videos/by_category/slovensko/", "/content/videos/by_weekly?slug=tajna-tema&perPage=50",
		"/content/videos/by_author/jana", "/content/weekly_articles?slug=tajna-tema",
		"/content/weekly_details", "/content/weeklies_details", "/content/topic_of_the_week", "/content/tags",
		"/content/author/jana",
		fmt.Sprintf("/wp-json/standard/v1/standard-post-react/?id=%d", ids[0]),
	}
	return pages, calls
}

func TestWithheldTextNeverLeaves(t *testing.T) {
	t.Parallel()
	pay := &meter{}
	ctx, _, m := house(t, pay)
	ids := secrets(t, ctx, m)
	pages, calls := addresses(t, ctx, ids)
	videoPage, videoCall := pages[len(pages)-1], fmt.Sprintf("/content/post/%d", ids[5])
	morePages, moreCalls := listAddresses(t, ctx, ids)
	for _, reader := range []int64{visitor, poor} {
		ctx := as(ctx, reader)
		for _, path := range append(pages, morePages...) {
			p := visit(t, ctx, m, path, false)
			if p.Redirect != "" {
				t.Errorf("%s leads to %s", path, p.Redirect)
			}
			if reader == poor && path == videoPage {
				continue // signed-in readers watch freely
			}
			if text := wire(t, p); strings.Contains(text, token) {
				t.Errorf("reader %d: page %s shows %s", reader, path, excerpt(text))
			}
		}
		for _, path := range append(calls, moreCalls...) {
			w := call(t, ctx, m, path)
			if w.Code != 200 {
				t.Errorf("%s: %d", path, w.Code)
			}
			if reader == poor && path == videoCall {
				continue
			}
			if strings.Contains(w.Body.String(), token) {
				t.Errorf("reader %d: %s shows %s", reader, path, excerpt(w.Body.String()))
			}
		}
	}
	shown := map[string]bool{}
	for _, path := range []string{
		"/rss", "/rss/category/slovensko", "/rss/category/politika", "/rss/author/jana", "/sitemap.xml", "/sitemap-news.xml",
		"/sitemap/sections-1.xml",
		"/sitemap/articles-1.xml", "/sitemap/categories-1.xml", "/sitemap/authors-1.xml", "/sitemap/pages-1.xml",
	} {
		// A file is one for all: not even a subscriber's holds more.
		for _, reader := range []int64{visitor, poor, subscriber} {
			text := string(file(t, as(ctx, reader), m, path).Body)
			if strings.Contains(text, token) {
				t.Errorf("reader %d: %s shows %s", reader, path, excerpt(text))
			}
			shown[path] = strings.Contains(text, "secret-article")
		}
	}
	for _, path := range []string{"/rss", "/rss/author/jana", "/sitemap/articles-1.xml"} {
		if !shown[path] {
			t.Errorf("%s does not name the locked article at all", path)
		}
	}
	for _, path := range []string{pages[6], pages[9], videoPage} {
		if p := visit(t, as(ctx, subscriber), m, path, false); !strings.Contains(wire(t, p), token) ||
			p.Tier != page.Entitled {
			t.Errorf("the subscriber does not get the text of %s", path)
		}
	}
	if w := call(t, as(ctx, subscriber), m, calls[8]); !strings.Contains(w.Body.String(), token) ||
		w.Header().Get("Cache-Control") != "private, no-store" {
		t.Errorf("the subscriber's call: %s %s", w.Header().Get("Cache-Control"), w.Body.String())
	}
}

func excerpt(s string) string {
	i := strings.Index(s, token)
	return s[max(0, i-80):min(len(s), i+40)]
}

func TestACreditIsSpentByReadingAlone(t *testing.T) {
	t.Parallel()
	pay := &meter{}
	ctx, _, m := house(t, pay)
	ids := secrets(t, ctx, m)
	pages, _ := addresses(t, ctx, ids)
	reader := as(ctx, frugal)
	post := fmt.Sprintf("/content/post/%d", ids[0])
	looks := map[string]func() string{
		"page prefetched": func() string { return wire(t, visit(t, reader, m, pages[6], true)) },
		"post prefetched": func() string {
			return call(t, reader, m, post, "Sec-Purpose", "prefetch;prerender").Body.String()
		},
		"front page": func() string { return wire(t, visit(t, reader, m, "/", false)) },
	}
	for name, look := range looks {
		if text := look(); strings.Contains(text, token) || pay.spent != 0 {
			t.Errorf("%s: spent %d, %s", name, pay.spent, excerpt(text))
		}
	}
	for range 2 {
		if p := visit(t, reader, m, pages[6], false); !strings.Contains(wire(t, p), token) || pay.spent != 1 {
			t.Errorf("reading: spent %d, tier %s", pay.spent, p.Tier)
		}
	}
	if w := call(t, reader, m, post); !strings.Contains(w.Body.String(), token) || pay.spent != 1 {
		t.Errorf("reading the same as JSON: spent %d", pay.spent)
	}
	if p := visit(t, reader, m, pages[8], false); strings.Contains(wire(t, p), token) || p.Tier != page.Member {
		t.Errorf("a second article was opened on one credit")
	}
}

func TestABodyGivesNothingOut(t *testing.T) {
	t.Parallel()
	m := New(Deps{Paywall: &meter{}})
	b := Body{post: 1, html: body(8, token), video: token, locked: true, paragraphs: 8}
	j, err := json.Marshal(map[string]any{"b": b, "p": &b, "s": story{body: b}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		string(j), fmt.Sprint(b), fmt.Sprintf("%v %+v %#v %s %q %d", b, b, b, b, b, b),
		fmt.Sprintf("%+v", &b), fmt.Errorf("%v", b).Error(),
	} {
		if strings.Contains(text, token) {
			t.Errorf("printed: %s", text)
		}
	}
	for name, a := range map[string]Access{
		"nothing": {}, "another post's": {post: 2, level: accessOpen, reason: reasonSubscription},
		"locked":                          {post: 1, level: accessLocked, reason: reasonLimit},
		"free, said before it was locked": {post: 1, level: accessOpen, reason: reasonFree},
		"a word nobody knows":             {post: 1, level: "yes", reason: reasonSubscription},
	} {
		if text := m.reveal(b, a); text.Open || text.Video != "" || strings.Count(text.HTML, token) != 4 ||
			text.Withheld != 4 {
			t.Errorf("access %s: %+v", name, text)
		}
	}
	if text := m.reveal(b, Access{post: 1, level: accessCredit, reason: "credit"}); !text.Open ||
		strings.Count(text.HTML, token) != 8 || text.Withheld != 0 {
		t.Errorf("with access: %+v", text)
	}
	if text := New(Deps{}).reveal(b, Access{}); text.HTML != "" || text.Withheld != 8 {
		t.Errorf("without a paywall: %+v", text)
	}
}

// A page that was cached open must not be what a locked post's reader gets from a gate that is late.
func TestALateGateShowsNoMore(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	d := draft("1", func(d *Draft) { d.Body = body(4, "Ukážka") + body(4, token) })
	id := save(t, ctx, m, d)
	path := paper(t, ctx).Href("article", fmt.Sprint(id), "clanok-1")
	reader := as(ctx, poor)
	if p := visit(t, reader, m, path, false); p.Tier != page.Member || !strings.Contains(wire(t, p), token) {
		t.Fatalf("open: tier %s", p.Tier)
	}
	other := New(Deps{DB: m.db, Paywall: &meter{}}) // another process locks it
	d.Locked = true
	save(t, ctx, other, d)
	if p := visit(t, reader, m, path, false); strings.Contains(wire(t, p), token) {
		t.Error("the locked text was shown")
	}
	m.Changed(paper(t, ctx).ID, "purge:post:"+fmt.Sprint(id))
	if p := visit(t, as(ctx, subscriber), m, path, false); p.Tier != page.Entitled {
		t.Errorf("after the notice the subscriber's tier is %s", p.Tier)
	}
	d.Status = post.StatusWithdrawn
	save(t, ctx, m, d)
	if p := visit(t, as(ctx, subscriber), m, path, false); p.Status != 404 || strings.Contains(wire(t, p), token) {
		t.Errorf("withdrawn: %d", p.Status)
	}
	if _, err := m.Post(ctx, id, true); err == nil || err.Error() != web.ErrNotFound.Error() {
		t.Errorf("withdrawn: %v", err)
	}
}
