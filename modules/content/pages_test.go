package content

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

var epoch = time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC)

// stock is enough for a front page: articles in all categories, opinions, videos, short news.
func stock(n int) (all []Draft) {
	slugs := []string{"slovensko", "europa", "usa", "trhy", "energetika", "sport", "veda", "internet", "politika"}
	for i := range n {
		all = append(all, draft(fmt.Sprintf("a%d", i), func(d *Draft) {
			d.Categories, d.Published = []string{slugs[i%len(slugs)]}, epoch.Add(time.Duration(i)*time.Minute)
			d.Featured = max(0, i-n+6)
			if i%10 == 0 {
				d.Pick = 1
			}
		}))
	}
	for i := range 10 {
		all = append(all, draft(fmt.Sprintf("o%d", i), func(d *Draft) {
			d.Type, d.Categories, d.Authors = post.TypeComment, []string{"esej"}, []string{[]string{"jana", "peter"}[i%2]}
			d.Published = epoch.Add(time.Duration(n+i) * time.Minute)
		}), draft(fmt.Sprintf("v%d", i), func(d *Draft) {
			d.Type, d.Video = post.TypeVideo, Video{URL: "https://youtu.be/abcdefghij" + fmt.Sprint(i), Seconds: 95}
		}), draft(fmt.Sprintf("m%d", i), func(d *Draft) {
			d.Type, d.Excerpt, d.Body = post.TypeMinute, "", "<p>Krátka správa <b>číslo</b> "+fmt.Sprint(i)+".</p>"
			d.Published = epoch.Add(time.Duration(i) * time.Minute)
		}))
	}
	return all
}

func TestShortNewsSaysItsTextOnce(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	for key, c := range map[string]struct{ given, want string }{
		"1": {"", ""}, // its text
		"2": {"Stručne.", "Stručne."},
	} {
		id := save(t, ctx, m, draft(key, func(d *Draft) {
			d.Type, d.Excerpt, d.Body = post.TypeMinute, c.given, "<p>Vlak o 7:30 <b>mešká</b>.</p><p>Cestujte autobusom.</p>"
		}))
		p := visit(t, ctx, m, fmt.Sprintf("/%d/clanok-%s", id, key), false)
		if got := p.Data.(*ArticleData).Card.Excerpt; got != c.want {
			t.Errorf("the excerpt %q: got %q, want %q", c.given, got, c.want)
		}
		if c.given == "" && p.Meta.Description != "Vlak o 7:30 mešká. Cestujte autobusom." {
			t.Errorf("the excerpt %q: the page is described as %q", c.given, p.Meta.Description)
		}
	}
}

func TestTheFrontPageShowsEachArticleOnce(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	empty := visit(t, ctx, m, "/", false)
	conforms(t, "FrontData", empty.Data)
	if _, err := m.SavePosts(ctx, stock(120)); err != nil {
		t.Fatal(err)
	}
	p := visit(t, ctx, m, "/", false)
	conforms(t, "FrontData", p.Data)
	conforms(t, "Meta", p.Meta)
	d := p.Data.(*FrontData)
	seen := map[int64]string{}
	blocks := map[string][]post.Card{
		"lead": d.Lead, "second": d.Second, "special": d.Special, "featured": d.Featured,
		"picks": d.Picks, "versus": d.Opinion.Versus, "more": d.Opinion.More, "videos": d.Videos,
	}
	for _, s := range d.Sections {
		blocks[s.Section.Key] = s.Cards
	}
	for name, list := range blocks {
		for _, c := range list {
			if other := seen[c.ID]; other != "" {
				t.Errorf("%q stands in %s and %s", c.Title, other, name)
			}
			seen[c.ID] = name
		}
	}
	for name, list := range blocks {
		all := name == "featured" || name == "versus" // each of them is shown with its excerpt
		for i, c := range list {
			if got, want := c.Excerpt != "", all || i == 0; got != want {
				t.Errorf("card %d of %s has an excerpt: got %v, want %v", i, name, got, want)
			}
			if c.Picture == nil || c.Picture.Alt+c.Picture.Caption+c.Picture.Credit != "" {
				t.Errorf("card %d of %s: got picture %+v, want one without words", i, name, c.Picture)
			}
		}
	}
	for name, want := range map[string]int{
		"lead": 5, "second": 3, "special": 5, "featured": 3, "picks": 6, "versus": 2, "more": 6, "videos": 10, "politics": 7,
		"economics": 7, "society": 7, "technology": 7,
	} {
		if len(blocks[name]) != want {
			t.Errorf("%s has %d cards, want %d", name, len(blocks[name]), want)
		}
	}
	if d.Lead[0].Title != "Článok a115" || d.Lead[1].Title != "Článok a116" {
		t.Errorf("the lead is %q, then %q", d.Lead[0].Title, d.Lead[1].Title)
	}
	if len(d.Minutes) != 10 || d.Minutes[0].Text != "Krátka správa číslo 9." || len(d.MostRead) != 5 ||
		len(d.Special) != 5 {
		t.Errorf("%d minutes (%+v), %d most read, %d special", len(d.Minutes), d.Minutes[0], len(d.MostRead), len(d.Special))
	}
	if d.Opinion.Title != "Názory" || d.Opinion.Versus[0].Authors[0].Slug == d.Opinion.Versus[1].Authors[0].Slug {
		t.Errorf("opinion: %+v", d.Opinion)
	}
	pair := []Draft{draft("p1", func(d *Draft) {
		d.Type, d.Versus = post.TypeComment, "Má mať mesto električku?"
	}), draft("p2", func(d *Draft) { d.Type, d.Versus = post.TypeComment, "Má mať mesto električku?" })}
	if _, err := m.SavePosts(ctx, pair); err != nil {
		t.Fatal(err)
	}
	if d := visit(t, ctx, m, "/", false).Data.(*FrontData); d.Opinion.Title != "Má mať mesto električku?" ||
		d.Opinion.Versus[1].Title != "Článok p1" {
		t.Errorf("a pair: %+v", d.Opinion)
	}
	if p.Preload == nil || !strings.Contains(p.Preload.SrcSet, "/img/"+picture(0)+"?w=640&r=16x9 640w") ||
		!slices.Contains(p.Tags, post.FrontTag) {
		t.Errorf("preload %+v, tags %v", p.Preload, p.Tags)
	}
}

// What is offered below as worth reading is not what was read above: neither in the list of the most read nor anywhere
// else.
func TestTheFrontPageOffersWhatItDoesNotShowYet(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if _, err := m.SavePosts(ctx, stock(120)); err != nil {
		t.Fatal(err)
	}
	lead := visit(t, ctx, m, "/", false).Data.(*FrontData).Lead
	var ids []int64
	for _, c := range lead {
		ids = append(ids, c.ID)
	}
	old, err := m.Latest(ctx, post.Window{Limit: 4, Offset: 110})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range old.Posts {
		ids = append(ids, e.ID)
	}
	for place, id := range ids {
		for visitor := range 20 - place {
			m.views.Count(web.WithVisitor(ctx, uint64(visitor)+1), id)
		}
	}
	m.views.Flush(t.Context())
	if err := m.views.Rank(ctx); err != nil {
		t.Fatal(err)
	}
	d := visit(t, ctx, m, "/", false).Data.(*FrontData)
	if len(d.MostRead) != 5 || d.MostRead[0].ID != ids[0] {
		t.Fatalf("most read: %+v", d.MostRead)
	}
	for i, c := range d.Special[:4] {
		if c.ID != ids[5+i] {
			t.Errorf("place %d is %q, want %q", i, c.Title, old.Posts[i].Title)
		}
	}
}

// The page of videos has all of them in parts, by their addresses too, and belongs to the map of the site.
func TestVideosHaveAPage(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if d := visit(t, ctx, m, "/videa", false).Data.(*VideosData); len(d.Cards) != 0 || d.Next != "" {
		t.Errorf("without any: %+v", d)
	}
	for _, a := range locations(addressesIn(t, ctx, m, "/sitemap/sections-1.xml")) {
		if a == "/videa" {
			t.Error("the map names a page with nothing on it")
		}
	}
	var drafts []Draft
	for i := range 30 {
		drafts = append(drafts, draft(fmt.Sprintf("v%d", i), func(d *Draft) {
			d.Type, d.Video, d.Locked = post.TypeVideo, Video{
				URL:     "https://youtu.be/abcdefghi" + fmt.Sprintf("%02d", i),
				Seconds: 95,
			}, i == 29
			d.Published = epoch.Add(time.Duration(i) * time.Minute)
		}))
	}
	drafts = append(drafts, draft("article", func(*Draft) {}))
	if _, err := m.SavePosts(ctx, drafts); err != nil {
		t.Fatal(err)
	}
	p := visit(t, ctx, m, "/videa", false)
	d := p.Data.(*VideosData)
	conforms(t, "VideosData", d)
	conforms(t, "Meta", p.Meta)
	if len(d.Cards) != 21 || d.Cards[0].Title != "Článok v29" || d.Cards[0].Video != nil || d.Cards[1].Video == nil {
		t.Errorf("%d cards, first %+v", len(d.Cards), d.Cards[0])
	}
	if !strings.HasPrefix(p.Meta.Title, "Videá – ") || p.Meta.Canonical != "https://sk.test/videa" || p.Preload == nil ||
		!slices.Contains(p.Tags, post.FrontTag) {
		t.Errorf("%+v, %v", p.Meta, p.Tags)
	}
	if d = visit(t, ctx, m, d.Next, false).Data.(*VideosData); len(d.Cards) != 9 ||
		d.Cards[0].Title != "Článok v8" || d.Next != "" {
		t.Errorf("the second part has %d cards, and %q after it", len(d.Cards), d.Next)
	}
	if !slices.Contains(locations(addressesIn(t, ctx, m, "/sitemap/sections-1.xml")), "/videa") {
		t.Error("the map does not name the page")
	}
}

func TestCategoriesArePaged(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if _, err := m.SavePosts(ctx, stock(120)); err != nil {
		t.Fatal(err)
	}
	var ids []int64
	path, offset := "/category/politika", 0
	for n := 1; ; n++ {
		d := visit(t, ctx, m, path, false).Data.(*CategoryData)
		conforms(t, "CategoryData", d)
		want := 8
		if n == 1 {
			want = 19
			if len(d.Videos) != 10 || len(d.Children) != 3 || d.Section.Key != "politics" {
				t.Errorf("first page: %d videos, %d children, %+v", len(d.Videos), len(d.Children), d.Section)
			}
		}
		for _, c := range d.Cards {
			if slices.Contains(ids, c.ID) {
				t.Errorf("page %d repeats %q", n, c.Title)
			}
			ids = append(ids, c.ID)
		}
		if d.Offset != offset {
			t.Errorf("page %d says offset %d", n, d.Offset)
		}
		if d.NextOffset == 0 {
			break
		}
		if len(d.Cards) != want {
			t.Errorf("page %d has %d cards, want %d", n, len(d.Cards), want)
		}
		offset = d.NextOffset
		path = fmt.Sprintf("/category/politika?offset=%d", offset)
	}
	if len(ids) != 55 || !slices.IsSortedFunc(ids, func(a, b int64) int { return int(b - a) }) {
		t.Errorf("%d articles, newest first: %v", len(ids), ids)
	}
	sub := visit(t, ctx, m, "/category/usa", false)
	if d := sub.Data.(*CategoryData); len(d.Cards) != 14 || d.Parent.Key != "politics" ||
		sub.Meta.Title != "usa – Politika – "+paper(t, ctx).Name {
		t.Errorf("usa: %d cards, %+v", len(d.Cards), sub.Meta)
	}
	for path, want := range map[string]int{
		"/category/nic": 404, "/category/politika?offset=5000": 404, "/category/politika?offset=-1": 404,
		"/category/politika?offset=x":                     404,
		"/category/politika?offset=999999999999999999999": 404, "/category/7/nic": 404, "/category/7/politika": 301,
	} {
		if p := visit(t, ctx, m, path, false); p.Status != want {
			t.Errorf("%s: %d, want %d", path, p.Status, want)
		}
	}
	ed := paper(t, ctx)
	for path, want := range map[string]string{
		"/category/7/politika": "/category/politika", "/category/" + post.MinutesSlug(ed): ed.Href(edition.Minutes),
		"/category/7/" + post.MinutesSlug(ed): ed.Href(edition.Minutes),
	} {
		if p := visit(t, ctx, m, path, false); p.Status != 301 || p.Redirect != want {
			t.Errorf("%s led to %s, want %s", path, p.Redirect, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	one := save(t, ctx, m, draft("1", func(d *Draft) { d.Redirects = []string{"/383999", "/2019/05/Stary-Clanok/"} }))
	two := save(t, ctx, m, draft("2", func(d *Draft) { d.Redirects = []string{fmt.Sprintf("/%d/stare-slova", one)} }))
	info := draft("3", func(d *Draft) { d.Type, d.Categories, d.Title = post.TypePage, nil, "Kódex" })
	page3 := save(t, ctx, m, info)
	later := save(t, ctx, m, draft("4", func(d *Draft) { d.Published = m.db.Now().Add(time.Hour) }))
	save(t, ctx, m, draft("5", func(d *Draft) { d.Status = post.StatusDraft }))
	info.Slug = "kodex-diskusii"
	save(t, ctx, m, info)
	here := func(id int64, slug string) string { return fmt.Sprintf("/%d/%s", id, slug) }
	for path, want := range map[string]string{
		here(one, "clanok-1"):                "",
		fmt.Sprintf("/%d", one):              here(one, "clanok-1"),
		here(one, "celkom-ine"):              here(one, "clanok-1"),
		here(one, "stare-slova"):             here(two, "clanok-2"), // an old site's article of the same number
		"/383999":                            here(one, "clanok-1"),
		"/383999/hocico":                     here(one, "clanok-1"),
		"/2019/05/stary-clanok":              here(one, "clanok-1"),
		"/2019/05/STARY-clanok":              here(one, "clanok-1"),
		"/static/kodex-diskusii":             "",
		"/static/kodex":                      "/static/kodex-diskusii",
		fmt.Sprintf("/%d", page3):            "/static/kodex-diskusii",
		fmt.Sprintf("/%d/clanok-4", later):   "404",
		"/static/nic":                        "404",
		"/999999999999999999/x":              "404",
		"/123456":                            "404",
		fmt.Sprintf("/%d/clanok-5", later+1): "404",
	} {
		p := visit(t, ctx, m, path, false)
		switch {
		case want == "404" && p.Status != 404, want == "" && (p.Status != 200 || p.Redirect != ""),
			strings.HasPrefix(want, "/") && (p.Status != 301 || p.Redirect != want):
			t.Errorf("%s: %d %s, want %q", path, p.Status, p.Redirect, want)
		}
	}
	conforms(t, "StaticData", visit(t, ctx, m, "/static/kodex-diskusii", false).Data)
	lost := visit(t, ctx, m, "/123456", false)
	conforms(t, "NotFoundData", lost.Data)
	if !slices.Contains(lost.Tags, "post:123456") || lost.Meta.Robots != "noindex" ||
		strings.Contains(lost.Meta.Title, "content.") {
		t.Errorf("not found: %v %+v", lost.Tags, lost.Meta)
	}
	testkit.Clock(m.db).Advance(2 * time.Hour)
	m.Changed(paper(t, ctx).ID)
	if p := visit(t, ctx, m, here(later, "clanok-4"), false); p.Status != 200 {
		t.Errorf("its time has come: %d", p.Status)
	}
}

func TestArticleSaysWhatItsTierMayKnow(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	locked := save(t, ctx, m, draft("1", func(d *Draft) {
		d.Locked, d.Type, d.Categories, d.Modified = true, post.TypeComment, []string{"usa", "trhy"}, epoch.Add(time.Hour)
	}))
	save(t, ctx, m, draft("2", func(d *Draft) { d.Body = body(6, "Krátky") }))
	save(t, ctx, m, draft("3", func(d *Draft) {
		d.Type, d.Video, d.Locked = post.TypeVideo, Video{URL: "https://www.youtube.com/watch?v=abcdefghijk", Seconds: 10},
			true
	}))
	at := func(n int64, reader int64) (*page.Page, *ArticleData) {
		t.Helper()
		p := visit(t, as(ctx, reader), m, fmt.Sprintf("/%d/clanok-%d", locked+n, n+1), false)
		conforms(t, "ArticleData", p.Data)
		conforms(t, "Meta", p.Meta)
		return p, p.Data.(*ArticleData)
	}
	for _, c := range []struct {
		post, reader             int64
		tier                     page.Tier
		access, reason           string
		paragraphs, withheld, in int
	}{
		{0, visitor, page.Anonymous, "locked", "login", 8, 4, 4},
		{0, poor, page.Member, "locked", "limit", 8, 4, 4},
		{0, frugal, page.Entitled, "open", "subscription", 8, 0, 8},
		{0, subscriber, page.Entitled, "open", "subscription", 8, 0, 8},
		{1, visitor, page.Anonymous, "open", "free", 6, 0, 6},
		{1, subscriber, page.Member, "open", "free", 6, 0, 6},
		{2, poor, page.Entitled, "open", "video", 8, 0, 8},
		{2, visitor, page.Anonymous, "locked", "login", 8, 4, 4},
	} {
		p, d := at(c.post, c.reader)
		got := []any{p.Tier, d.Access, d.Reason, d.Paragraphs, d.Withheld, strings.Count(d.Body, "<p>")}
		if want := []any{c.tier, c.access, c.reason, c.paragraphs, c.withheld, c.in}; !slices.Equal(got, want) {
			t.Errorf("post %d for reader %d: %v, want %v", c.post, c.reader, got, want)
		}
	}
	if _, d := at(0, poor); d.FreeFrom == nil || d.Minutes != 1 {
		t.Errorf("at the limit: the next free articles come at %v, reading takes %d minutes", d.FreeFrom, d.Minutes)
	}
	if _, d := at(1, visitor); slices.ContainsFunc(d.MostRead, func(c post.Card) bool {
		return c.ID == d.Card.ID
	}) || len(d.MostRead) == 0 {
		t.Errorf("the article that is read stands among those that are read most: %+v", d.MostRead)
	}
	p, d := at(0, visitor)
	if d.FreeFrom != nil {
		t.Error("a visitor has used up nothing")
	}
	if len(d.Sections) != 2 || d.Sections[0].Key != "politics" || d.Sections[1].Key != "politics.usa" ||
		d.Card.Section.Key != "politics.usa" ||
		d.Card.Authors[0].Bio != "Píše." || d.Modified == nil || len(d.Related) != 1 {
		t.Errorf("data: %+v", d)
	}
	b, err := json.Marshal(p.Meta.JSONLD)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"@type":"OpinionNewsArticle"`, `"isAccessibleForFree":false`, `"cssSelector":".paywalled"`,
		`"@type":"WebPageElement"`, `"@type":"BreadcrumbList"`,
		`"name":"Jana Skúšobná"`, `"@type":"NewsMediaOrganization"`, `"datePublished":"2026-01-01T08:00:00Z"`,
		`"https://sk.test/img/` + picture(0) + `?w=1280\u0026r=16x9"`,
		`"item":"https://sk.test/category/usa"`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("structured data lacks %s: %s", want, b)
		}
	}
	if pic := p.Data.(*ArticleData).Card.Picture; pic == nil || pic.Credit != "Jana Skúšobná" || pic.Caption != "Popis." {
		t.Errorf("the picture: %+v", pic)
	}
	if m := p.Meta; m.Title != "Článok 1" || m.Description != "Krátko o 1." ||
		m.Canonical != fmt.Sprintf("https://sk.test/%d/clanok-1", locked) || m.Type != "article" || m.Image == nil {
		t.Errorf("meta: %+v", m)
	}
	open, _ := at(1, visitor)
	if b, err := json.Marshal(open.Meta.JSONLD); err != nil || !strings.Contains(string(b), `"@type":"NewsArticle"`) ||
		strings.Contains(string(b), "paywalled") {
		t.Errorf("an open article: %s %v", b, err)
	}
	if _, d := at(2, subscriber); d.Card.Video == nil || d.Card.Video.Src != "abcdefghijk" ||
		!strings.HasPrefix(d.Body, "<p>") {
		t.Errorf("the video %v over %s", d.Card.Video, d.Body)
	}
	if w := wire(t, func() *page.Page { p, _ := at(2, visitor); return p }()); strings.Contains(w, "abcdefghijk") {
		t.Error("the address of a locked video was shown")
	}
}

func TestEditionsAreApart(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	m := New(Deps{DB: d, Paywall: &meter{}})
	var ids [2]int64
	for i, ctx := range ctxs {
		furnish(t, ctx, m)
		ids[i] = save(t, ctx, m, draft("1", func(d *Draft) {
			d.Title, d.Slug, d.Body = fmt.Sprintf("Noviny %d", i), "rovnaky", body(3, fmt.Sprintf("Noviny%d", i))
		}))
		m.views.Count(ctx, ids[i])
	}
	m.views.Flush(t.Context())
	if ids[0] != ids[1] {
		t.Fatalf("the ids differ: %v", ids)
	}
	for i, ctx := range ctxs {
		other := fmt.Sprintf("%d", 1-i)
		for _, path := range []string{"/", fmt.Sprintf("/%d/rovnaky", ids[i]), "/category/slovensko", "/404"} {
			if text := wire(t, visit(t, ctx, m, path, false)); strings.Contains(text, "Noviny "+other) ||
				strings.Contains(text, "Noviny"+other) {
				t.Errorf("%s of edition %d shows the other's", path, i)
			}
		}
		if n := count(t, ctx, d, "SELECT sum(views) FROM content_views"); n != 1+1 {
			// one counted above, one by the visit that has been flushed meanwhile
			m.views.Flush(t.Context())
			if n = count(t, ctx, d, "SELECT sum(views) FROM content_views"); n != 2 {
				t.Errorf("edition %d counts %d views", i, n)
			}
		}
	}
	if _, err := edition.From(t.Context()); err == nil {
		t.Fatal("there is an edition without one")
	}
	if err := m.SyncCategories(t.Context()); err == nil {
		t.Error("categories were synced for nobody")
	}
}

func TestTheNextFreeArticles(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Bratislava")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ period, now, want string }{
		{"month", "2026-11-22T12:00:00Z", "2026-12-01T00:00:00+01:00"},
		{"month", "2026-12-31T23:30:00Z", "2027-02-01T00:00:00+01:00"}, // January there
		{"week", "2026-11-22T12:00:00Z", "2026-11-23T00:00:00+01:00"},  // a Sunday
		{"week", "2026-11-22T23:30:00Z", "2026-11-30T00:00:00+01:00"},  // Monday there
		{"week", "2026-03-23T12:00:00Z", "2026-03-30T00:00:00+02:00"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		ed := &edition.Edition{Location: zone, Document: edition.Document{Meter: edition.Meter{Period: c.period}}}
		if got := nextPeriod(ed, now).Format(time.RFC3339); got != c.want {
			t.Errorf("by the %s after %s: %s, want %s", c.period, c.now, got, c.want)
		}
	}
}

func TestReadingMinutes(t *testing.T) {
	t.Parallel()
	for words, want := range map[int]int{0: 0, 1: 1, 200: 1, 201: 2} {
		if got := markup.ReadingMinutes("<p class=\"a b c\">" + strings.Repeat("slovo </p>\n<p>", words) +
			"</p>"); got != want {
			t.Errorf("%d words take %d minutes, want %d", words, got, want)
		}
	}
}
