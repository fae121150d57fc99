package content

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// story is a draft with words of its own.
func told(source, title, excerpt, text string, change ...func(*Draft)) Draft {
	return draft(source, append([]func(*Draft){func(d *Draft) {
		d.Title, d.Excerpt, d.Body = title, excerpt, "<p>"+strings.ReplaceAll(text, "|", "</p><p>")+"</p>"
	}}, change...)...)
}

func on(day int) func(*Draft) {
	return func(d *Draft) { d.Published = time.Date(2026, 1, day, 8, 0, 0, 0, time.UTC) }
}

func searchFor(t testing.TB, ctx context.Context, m *Module,
	term string,
) (titles []string, data *search.PageData) {
	t.Helper()
	p := visit(t, ctx, m, paper(t, ctx).Href(edition.SearchTerm, term), false)
	d, ok := p.Data.(*search.PageData)
	if !ok {
		t.Fatalf("%q: %d %s %T", term, p.Status, p.Redirect, p.Data)
	}
	for _, c := range d.Cards {
		titles = append(titles, c.Title)
	}
	return titles, d
}

func TestSearchFindsForms(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	for _, d := range []Draft{
		told("1", "Vláda schválila rozpočet", "Deficit klesne.", "Ministri rokovali celú noc.", on(1)),
		told("2", "Starosta otvoril školu", "O rozpočte sa nehovorilo.",
			"Deti dostali nové učebnice & <b>zošity</b> zo Sed<i>mo</i>kráskova.", on(2)),
		told("3", "Počasie cez víkend", "Bude pršať.", "Rozpočtu obce dážď neuškodí.", on(3)),
		told("4", "Vláda odstúpila", "Krátko.", "Nič viac.", on(4)),
		told("5", "Koncept", "Rozpočet v zásuvke.", "Rozpočet.", func(d *Draft) { d.Status = post.StatusDraft }),
		told("6", "Zajtra", "Rozpočet zajtra.", "Rozpočet.", func(d *Draft) { d.Published = m.db.Now().Add(24 * time.Hour) }),
		told("7", "Stránka", "Rozpočet.", "Rozpočet.", func(d *Draft) { d.Type = post.TypePage }),
		told("8", "Minúta", "", "Krátka správa o hokeji.", func(d *Draft) { d.Type = post.TypeMinute }),
		told("9", "Beseda", "Rozhovor.", "Hostia diskutujú.", func(d *Draft) {
			d.Type = post.TypeVideo
			d.Authors = []string{"peter"}
		}),
	} {
		save(t, ctx, m, d)
	}
	for _, c := range []struct {
		term string
		want []string
	}{
		// Title, excerpt, text.
		{"rozpočet", []string{"Vláda schválila rozpočet", "Starosta otvoril školu", "Počasie cez víkend"}},
		{"ROZPOCTOM", []string{"Vláda schválila rozpočet", "Starosta otvoril školu", "Počasie cez víkend"}},
		{"vládami", []string{"Vláda odstúpila", "Vláda schválila rozpočet"}}, // of equals the newest first
		{"vláda rozpočet", []string{"Vláda schválila rozpočet"}},
		{"o vláde a rozpočte", []string{"Vláda schválila rozpočet"}}, // common words are not needed
		{`"schválila rozpočet"`, []string{"Vláda schválila rozpočet"}},
		{`"rozpočet schválila"`, nil},
		{`„otvoril školu“ učebnice`, []string{"Starosta otvoril školu"}},
		{`"rozpočet deficit"`, nil}, // no phrase goes from the title on to the excerpt
		{"sedmokraskov", []string{"Starosta otvoril školu"}},
		{"hokej", []string{"Minúta"}},
		{"pokusny", []string{"Beseda"}}, // the author's name
		{"a", nil},
		{"' & | ! <-> :* \\ ) (", nil},
		{"vláda' | 'x", nil},
		{"zelovoc", nil},
	} {
		got, d := searchFor(t, ctx, m, c.term)
		if !slices.Equal(got, c.want) || d.Total != len(c.want) {
			t.Errorf("%s: %q of %d, want %q", c.term, got, d.Total, c.want)
		}
		conforms(t, "SearchData", d)
		for _, h := range d.Cards {
			conforms(t, "SearchHit", h)
		}
	}
	if got, _ := searchFor(t, ctx, m, "slovensko"); len(got) != 6 {
		t.Errorf("by the category's name: %q", got)
	}
	_, d := searchFor(t, ctx, m, "ucebnica zosit")
	if want := "Deti dostali nové <mark>učebnice</mark> &amp; <mark>zošity</mark> zo Sedmokráskova."; len(d.Cards) != 1 ||
		d.Cards[0].Snippet != want || d.Cards[0].TitleMarked != "" {
		t.Errorf("%+v", d.Cards)
	}
	_, d = searchFor(t, ctx, m, "skola")
	if c := d.Cards[0]; c.TitleMarked != "Starosta otvoril <mark>školu</mark>" || c.Snippet != "" {
		t.Errorf("%q %q", c.TitleMarked, c.Snippet)
	}
}

func TestSearchFollowsEveryChange(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, &meter{})
	finds := func(term string, want int) {
		t.Helper()
		if got, _ := searchFor(t, ctx, m, term); len(got) != want {
			t.Errorf("%s: %q, want %d", term, got, want)
		}
	}
	one := told("1", "Kôň", "Zviera.", "Pasie sa na lúke.")
	save(t, ctx, m, one)
	finds("luka", 1)
	one.Body = "<p>Stojí v stajni.</p>"
	save(t, ctx, m, one)
	finds("luka", 0)
	finds("stajna", 1)
	if _, err := m.SaveAuthor(ctx, catalog.Author{Slug: "jana", Name: "Jana Premenovaná"}); err != nil {
		t.Fatal(err)
	}
	finds("premenovana", 0)
	if err := m.search.Fill(ctx); err != nil {
		t.Fatal(err)
	}
	finds("premenovana", 1)
	finds("skusobna", 0)
	// What another version of the program has changed is not found by what it was.
	exec(t, ctx, d, "UPDATE content_posts SET hash = 'other'")
	exec(t, ctx, d, "UPDATE content_bodies SET html = '<p>Kôň uteká.</p>'")
	finds("stajna", 0)
	if err := m.search.Fill(ctx); err != nil {
		t.Fatal(err)
	}
	finds("stajna", 0)
	finds("uteka", 1)
	if n, err := m.Withdraw(ctx, "test", []string{"1"}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	finds("uteka", 0)
	for _, table := range []string{"content_search", "content_search_posts", "content_search_words"} {
		if n := count(t, ctx, d, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}

func TestTheIndexIsFilledInBatches(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, &meter{})
	if _, err := m.SavePosts(ctx, stock(2*batchSize)); err != nil {
		t.Fatal(err)
	}
	want := count(t, ctx, d, "SELECT count(*) FROM content_search")
	words := count(t, ctx, d, "SELECT sum(posts) FROM content_search_words")
	exec(t, ctx, d, "DELETE FROM content_search")
	exec(t, ctx, d, "DELETE FROM content_search_posts")
	exec(t, ctx, d, "DELETE FROM content_search_words")
	if n, err := m.search.FillBatch(ctx); n != batchSize || err != nil {
		t.Fatal(n, err)
	}
	if n := count(t, ctx, d, "SELECT count(*) FROM content_search"); n != batchSize {
		t.Errorf("after a batch %d", n)
	}
	for range 2 {
		if err := m.search.Fill(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, ctx, d, "SELECT count(*) FROM content_search"); n != want {
		t.Errorf("%d posts, want %d", n, want)
	}
	if n := count(t, ctx, d, "SELECT sum(posts) FROM content_search_words"); n != words {
		t.Errorf("%d words, want %d", n, words)
	}
}

func TestPagesOfASearch(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	var drafts []Draft
	for i := range 11*search.PageSize + 6 {
		drafts = append(drafts, told(fmt.Sprint(i), fmt.Sprintf("Článok %d", i), "Krátko.", "Mlieko a chlieb.", on(1+i%20)))
	}
	if _, err := m.SavePosts(ctx, drafts); err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	path := paper(t, ctx).Href(edition.SearchTerm, "mlieko")
	for offset := 0; offset < len(drafts); offset += search.PageSize {
		before := m.db.Now()
		p := visit(t, ctx, m, fmt.Sprintf("%s?offset=%d", path, offset), false)
		d := p.Data.(*search.PageData)
		want, next := search.PageSize, offset+search.PageSize
		if next > len(drafts) {
			want, next = 6, 0
		}
		if len(d.Cards) != want || d.Total != len(drafts) || d.NextOffset != next || d.Offset != offset ||
			p.Meta.Robots != "noindex" {
			t.Errorf("offset %d: %d cards of %d, next %d, %+v", offset, len(d.Cards), d.Total, d.NextOffset, p.Meta)
		}
		rare := offset > 10*search.PageSize
		if p.NoStore != rare || p.Until.Before(before.Add(search.Kept)) || p.Until.After(m.db.Now().Add(search.Kept)) {
			t.Errorf("offset %d: got NoStore %v, until %v, want %v and %s from now", offset, p.NoStore, p.Until, rare,
				search.Kept)
		}
		conforms(t, "SearchData", d)
		for _, c := range d.Cards {
			if seen[c.ID] {
				t.Errorf("post %d stands on two pages", c.ID)
			}
			if c.Snippet == "" || c.Excerpt != "" {
				t.Errorf("post %d has the snippet %q and the excerpt %q, want the snippet alone", c.ID, c.Snippet, c.Excerpt)
			}
			seen[c.ID] = true
		}
	}
	for _, offset := range []string{"-1", "x", "1001", "256"} {
		if p := visit(t, ctx, m, path+"?offset="+offset, false); p.Status != 404 {
			t.Errorf("offset %s: %d", offset, p.Status)
		}
	}
}

func TestSearchSuggests(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	save(t, ctx, m, told("1", "Vláda schválila rozpočet", "Krátko.", "Text o veľrybách."))
	save(t, ctx, m, told("2", "Nemocnica v Žiline", "Krátko.", "Text.", on(2)))
	save(t, ctx, m, told("3", "Tajomstvo zajtrajška", "Krátko.", "Text.", func(d *Draft) {
		d.Published = m.db.Now().Add(24 * time.Hour)
	}))
	save(t, ctx, m, told("4", "Zásuvka konceptov", "Krátko.", "Text.", func(d *Draft) { d.Status = post.StatusDraft }))
	for term, want := range map[string]string{
		"rozpočte":             "", // is found
		"rozpoecet":            "rozpočet",
		"rozpčoet":             "rozpočet",
		"nemocnca v žiline":    "nemocnica žiline",
		"nemocnica v ziilne":   "nemocnica žiline",
		"xyzxyz":               "",
		"rozpčoet nemocncia":   "", // no post has both
		"tajomstov":            "", // nobody can read that yet
		"zasuvak":              "",
		"velryab":              "", // words of texts are not suggested
		"sk":                   "",
		"skusbona":             "skúšobná",
		"xx rozpčoet":          "",
		"\"schvlaila rozpoč\"": "schválila rozpočet",
	} {
		_, d := searchFor(t, ctx, m, term)
		if d.Suggestion != want {
			t.Errorf("%s: %q, want %q (%d found)", term, d.Suggestion, want, d.Total)
		}
	}
}

func TestSearchCalls(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	for i := range 60 {
		save(t, ctx, m, told(fmt.Sprint(i), fmt.Sprintf("Vláda %d", i), "Krátko.", "Rokovala o rozpočte.", on(1+i%20)))
	}
	for path, want := range map[string]int{
		"/content/search/vl%C3%A1da": 52, "/content/search/VLADY?per_page=10&offset=55": 5,
		"/content/search/vlada?offset=52": 8, "/content/search/nic": 0, "/content/search/%20?vlada%3F": 0,
		"/content/search/vlada%3F%20": 52, "/content/search/vlada?offset=1000": 0,
	} {
		w := call(t, ctx, m, path)
		if path == "/content/search/%20?vlada%3F" {
			if w.Code != 400 {
				t.Errorf("%s: %d", path, w.Code)
			}
			continue
		}
		var list []map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != 200 || len(list) != want {
			t.Errorf("%s: %d, %d posts, want %d, %v", path, w.Code, len(list), want, err)
		}
		for _, e := range list {
			conforms(t, "FoundPost", e)
			if e["title_marked"] == nil || e["post_content"] != nil {
				t.Errorf("%s: %v", path, e)
			}
		}
	}
	if w := call(t, ctx, m, "/content/search/vlada"); w.Header().Get("X-Total-Count") != "60" ||
		w.Header().Get("X-Suggestion") != "" {
		t.Errorf("%v", w.Header())
	}
	if w := call(t, ctx, m, "/content/search/vldaa"); w.Header().Get("X-Total-Count") != "0" ||
		w.Header().Get("X-Suggestion") != "vl%C3%A1da" {
		t.Errorf("%v", w.Header())
	}
	for path, want := range map[string]int{
		// Has written nothing.
		"/content/search/authors/skusobna": 1, "/content/search/authors/JAN": 1, "/content/search/authors/jany": 1,
		"/content/search/authors/pokusny":       0,
		"/content/search/authors/jana?offset=1": 0, "/content/search/authors/jana%20x": 0,
		"/content/search/most_read_authors": 1,
	} {
		w := call(t, ctx, m, path)
		var list []map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != 200 || len(list) != want {
			t.Errorf("%s: %d, %d authors, want %d, %v", path, w.Code, len(list), want, err)
		}
		for _, a := range list {
			conforms(t, "PostAuthor", a)
		}
	}
	long := url.PathEscape(strings.Repeat("ž", 201))
	for _, path := range []string{
		"/content/search/%20", "/content/search/%3F%3F", "/content/search/a?per_page=53", "/content/search/a?per_page=0",
		"/content/search/a?offset=-1",
		"/content/search/a?offset=x", "/content/search/a?offset=1001", "/content/search/authors/%20",
		"/content/search/authors/a?per_page=x",
	} {
		if w := call(t, ctx, m, path); w.Code != 400 || !strings.Contains(w.Body.String(), `"error":"INVALID_ARGS"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	w := call(t, ctx, m, "/content/search/"+long)
	if w.Code != 400 || !strings.Contains(w.Body.String(), `"error":"SEARCH_TOO_LONG"`) ||
		!strings.Contains(w.Body.String(), `"max":200`) {
		t.Errorf("a term of 201 characters: %d %s", w.Code, w.Body)
	}
}

func TestTheSearchForm(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	save(t, ctx, m, draft("1"))
	source := m.Pages()[edition.Search]
	for q, want := range map[string]string{"  Vláda a/b? ": "/search/vl%C3%A1da%20a%2Fb", "": "", " ?? ": ""} {
		p, err := source.Load(ctx, &page.Request{
			Edition: paper(t, ctx), Route: edition.Search, Path: "/search", Query: url.Values{"q": {q}},
		})
		if err != nil || p.Redirect != want || want != "" && (p.Status != 302 || !p.NoStore) {
			t.Errorf("%q: %+v, %v", q, p, err)
		}
		if want == "" {
			conforms(t, "SearchData", p.Data)
			if d := p.Data.(*search.PageData); len(d.MostReadAuthors) != 1 || d.MostReadAuthors[0].Name != "Jana Skúšobná" ||
				p.NoStore || p.Meta.Robots != "" {
				t.Errorf("%+v", d)
			}
		}
	}
	long := strings.Repeat("a", search.MaxTerm+1)
	for path, want := range map[string]string{
		"/search/%3F": "/search", "/search/%20": "/search", "/search/" + long: "/search?status=SEARCH_TOO_LONG",
		"/search?q=" + long: "/search?status=SEARCH_TOO_LONG",
	} {
		if p := visit(t, ctx, m, path, false); p.Status != 302 || p.Redirect != want || !p.NoStore {
			t.Errorf("%.20s: %d %s, want %s", path, p.Status, p.Redirect, want)
		}
	}
	if words, known := i18n.Status(paper(t, ctx), search.ErrTermTooLong.Code); !known ||
		!strings.Contains(words, strconv.Itoa(search.MaxTerm)) {
		t.Errorf("the words do not name the limit: %q", words)
	}
}

// shownFrom is the number of networks that searched for a term before others are shown it.
const shownFrom = 5

func TestMostSearched(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, &meter{})
	save(t, ctx, m, told("1", "Vláda schválila rozpočet", "jana@posta.example 0905123456", "Krátko. Text. Hokej."))
	from := func(visitor uint64, term string, speculative bool) {
		t.Helper()
		visit(t, web.WithVisitor(ctx, visitor), m, paper(t, ctx).Href(edition.SearchTerm, term), speculative)
	}
	for range 5 {
		from(1, "hokej", false) // one visitor is nobody's taste
		from(0, "text", false)  // a machine
		from(1, "schválila", true)
		from(2, "schválila", true)
	}
	for v := range uint64(shownFrom - 1) {
		from(v+1, "schválila", false) // one network too few
	}
	for v := range uint64(shownFrom + 1) {
		from(v+1, "rozpočet", false)
		from(v+1, "vláda", v == 0)
		from(v+1, "vlada", v == 0) // the same word
		from(v+1, "nenajdene", false)
		from(v+1, "jana@posta.example", false)
		from(v+1, "0905123456", false)
		visit(t, web.WithVisitor(ctx, v+1), m, paper(t, ctx).Href(edition.SearchTerm, "rozpočet")+"?offset=0", false)
	}
	call(t, web.WithVisitor(ctx, 1+64), m, "/content/search/schv%C3%A1lila") // the same bit as the first
	call(t, web.WithVisitor(ctx, 9), m, "/content/search/text", "Sec-Purpose", "prefetch")
	m.search.Flush(t.Context())
	list, err := m.search.MostSearched(ctx)
	if want := []string{"rozpočet", "vlada"}; err != nil || !slices.Equal(list, want) {
		t.Errorf("%q, want %q, %v", list, want, err)
	}
	if n := count(t, ctx, d, "SELECT count(*) FROM content_searches WHERE term LIKE '%@%' OR term LIKE '0%' OR term IN "+
		"('nenajdene', 'text')"); n != 0 {
		t.Errorf("%d terms were written that should not", n)
	}
	if n := count(t, ctx, d, "SELECT times FROM content_searches WHERE term = 'rozpočet'"); n != shownFrom+1 {
		t.Errorf("%d networks count as %d", shownFrom+1, n)
	}
	if w := call(t, ctx, m, "/content/search/most_searched"); w.Body.String() != `["rozpočet","vlada"]` {
		t.Errorf("%s", w.Body)
	}
	from(1, "hokej", false)
	m.search.Flush(t.Context())
	if n := count(t, ctx, d, "SELECT times FROM content_searches WHERE term = 'hokej'"); n != 1 {
		t.Errorf("one visitor counts as %d", n)
	}
	testkit.Clock(d).Advance(31 * 24 * time.Hour)
	m.search.Forget(paper(t, ctx).ID)
	if list, err := m.search.MostSearched(ctx); err != nil || len(list) != 0 {
		t.Errorf("a month later %q, %v", list, err)
	}
	if testkit.Retain(ctx, t, d, m.Retentions()); count(t, ctx, d, "SELECT count(*) FROM content_searches") != 0 {
		t.Error("searches are kept")
	}
}

func exec(t testing.TB, ctx context.Context, d *db.DB, query string) {
	t.Helper()
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(query).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
