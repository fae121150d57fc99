package content

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// What the sitemaps promise.
const (
	mapSize    = 2000 // posts in a part
	newsAge    = 48 * time.Hour
	newsLength = 1000
)

// siteAddress is an entry of any of the maps.
type siteAddress struct {
	Location string `xml:"loc"`
	Modified string `xml:"lastmod"`
	News     *struct {
		Name      string `xml:"publication>name"`
		Language  string `xml:"publication>language"`
		Published string `xml:"publication_date"`
		Title     string `xml:"title"`
	} `xml:"http://www.google.com/schemas/sitemap-news/0.9 news"`
}

func addressesIn(t testing.TB, ctx context.Context, m *Module,
	path string,
) []siteAddress {
	t.Helper()
	var doc struct {
		XMLName xml.Name
		Parts   []siteAddress `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemap"`
		URLs    []siteAddress `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	}
	f := file(t, ctx, m, path)
	if err := xml.Unmarshal(f.Body, &doc); err != nil ||
		doc.XMLName.Space != "http://www.sitemaps.org/schemas/sitemap/0.9" {
		t.Fatalf("%s: %v, %v", path, doc.XMLName, err)
	}
	all := slices.Concat(doc.Parts, doc.URLs)
	for _, a := range all {
		if _, err := time.Parse(time.RFC3339, a.Modified); a.Modified != "" && err != nil ||
			!strings.HasPrefix(a.Location, "https://sk.test/") {
			t.Errorf("%s: %+v", path, a)
		}
	}
	return all
}

func locations(all []siteAddress) (out []string) {
	for _, a := range all {
		out = append(out, strings.TrimPrefix(a.Location, "https://sk.test"))
	}
	return out
}

// The map names every page that is out, once, with the address that it is read at.
func TestTheSiteMapNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, nil)
	if got := locations(addressesIn(t, ctx, m, "/sitemap.xml")); !slices.Equal(got, []string{"/sitemap/sections-1.xml"}) {
		t.Errorf("of an empty paper: %v", got)
	}
	if _, err := m.SaveTag(ctx, topic.Tag{Slug: "voda", Name: "Voda", Published: epoch}); err != nil {
		t.Fatal(err)
	}
	one := save(t, ctx, m, draft("1", func(d *Draft) { d.Modified = epoch.Add(time.Hour) }))
	brief := save(t, ctx, m, draft("2", func(d *Draft) { d.Type, d.Authors = post.TypeMinute, []string{"peter"} }))
	save(t, ctx, m, draft("3", func(d *Draft) {
		d.Type, d.Slug, d.Authors, d.Categories = post.TypePage, "podmienky", nil, nil
	}))
	save(t, ctx, m, draft("4", func(d *Draft) {
		d.Type, d.Slug, d.Authors, d.Categories, d.Page = post.TypePage, "historia", nil, nil,
			staticpage.Form{Route: "history"}
	}))
	save(t, ctx, m, draft("5", func(d *Draft) { d.Published = m.db.Now().Add(time.Hour) }))
	save(t, ctx, m, draft("6", func(d *Draft) { d.Status = post.StatusDraft }))
	want := map[string][]string{
		"sections":   {"/", "/minuta", "/tema"},
		"categories": {"/category/politika", "/category/slovensko"},
		"topics":     {"/tema/voda"},
		"authors":    {"/author/jana"},
		"pages":      {"/static/podmienky", "/historia"},
		"articles":   {fmt.Sprintf("/%d/clanok-1", one), fmt.Sprintf("/%d/clanok-2", brief)},
	}
	parts := locations(addressesIn(t, ctx, m, "/sitemap.xml"))
	if len(parts) != len(want) {
		t.Errorf("parts: %v", parts)
	}
	for _, part := range parts {
		kind, _, _ := strings.Cut(strings.TrimPrefix(part, "/sitemap/"), "-")
		got := locations(addressesIn(t, ctx, m, part))
		slices.Sort(got)
		slices.Sort(want[kind])
		if !slices.Equal(got, want[kind]) {
			t.Errorf("%s: %v, want %v", part, got, want[kind])
		}
		for _, path := range got {
			if p := visit(t, ctx, m, path, false); p.Status != 200 || p.Redirect != "" ||
				p.Meta.Canonical != "https://sk.test"+path {
				t.Errorf("%s names %s: %d, canonical %s", part, path, p.Status, p.Meta.Canonical)
			}
		}
	}
	if all := addressesIn(t, ctx, m, "/sitemap/articles-1.xml"); all[0].Modified != "2026-01-01T09:00:00Z" {
		t.Errorf("last changed: %+v", all[0])
	}
	for _, name := range []string{
		"articles-2.xml", "articles-0.xml", "articles-01.xml", "articles-1", "nothing-1.xml",
		"articles-999999999.xml", "../articles-1.xml", "",
	} {
		if _, err := m.Files()["/sitemap/:part"](ctx, map[string]string{"part": name}); !errors.Is(err, web.ErrNotFound) {
			t.Errorf("part %q: %v", name, err)
		}
	}
}

// Parts are ranges of ids: none is large, each name stays in its part, and a change makes one part old.
func TestPartsOfALargeMap(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	m := New(Deps{DB: d})
	const n = 50_000
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO content_posts (type, status, slug, title, paragraphs, locked, published_at,
			modified_at, hash)
			SELECT 'article', 'published', 'slug-' || n, 'Title', 1, false, ?0, ?0, '' FROM generate_series(1, ?1) n`, epoch, n).
			Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	count := 0
	for _, part := range locations(addressesIn(t, ctx, m, "/sitemap.xml")) {
		if !strings.HasPrefix(part, "/sitemap/articles-") {
			continue
		}
		count++
		f := file(t, ctx, m, part)
		if len(f.Body) > 512<<10 {
			t.Errorf("%s has %d bytes", part, len(f.Body))
		}
		for _, path := range locations(addressesIn(t, ctx, m, part)) {
			if other := seen[path]; other != "" {
				t.Fatalf("%s stands in %s and %s", path, other, part)
			}
			seen[path] = part
		}
	}
	if len(seen) != n || count != n/mapSize {
		t.Errorf("%d articles in %d parts", len(seen), count)
	}
	second := file(t, ctx, m, "/sitemap/articles-2.xml")
	if slices.Contains(second.Tags, post.Tag(mapSize)) || !slices.Contains(second.Tags, post.Tag(mapSize+1)) ||
		!slices.Contains(second.Tags, post.Tag(2*mapSize)) ||
		slices.Contains(second.Tags, post.Tag(2*mapSize+1)) || len(second.Tags) != mapSize {
		t.Errorf("the second part follows %d tags, %s to %s", len(second.Tags), second.Tags[0],
			second.Tags[len(second.Tags)-1])
	}
}

func TestTheNewsMapIsOfTwoDays(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, nil)
	now := m.db.Now()
	save(t, ctx, m, draft("old", func(d *Draft) { d.Published = now.Add(-newsAge - time.Minute) }))
	if got := addressesIn(t, ctx, m, "/sitemap-news.xml"); len(got) != 0 {
		t.Errorf("without news: %+v", got)
	}
	var drafts []Draft
	for i := range newsLength + 5 {
		drafts = append(drafts, draft(fmt.Sprint("n", i), func(d *Draft) {
			d.Published = now.Add(-time.Duration(i+1) * time.Minute)
		}))
	}
	drafts[0].Title = "Prvá & „nová“"
	drafts = append(drafts, draft("brief", func(d *Draft) {
		d.Type, d.Published = post.TypeMinute, now.Add(-time.Second)
	}))
	if _, err := m.SavePosts(ctx, drafts); err != nil {
		t.Fatal(err)
	}
	got := addressesIn(t, ctx, m, "/sitemap-news.xml")
	if len(got) != newsLength {
		t.Fatalf("%d news", len(got))
	}
	first := got[0]
	if at, err := time.Parse(time.RFC3339, first.News.Published); first.News.Title != "Prvá & „nová“" ||
		first.News.Name != "Testnoviny sk" || first.News.Language != "sk" ||
		err != nil || at.Unix() != drafts[0].Published.Unix() || !strings.HasSuffix(first.Location, "/prva-nova") {
		t.Errorf("the first: %+v %+v", first, first.News)
	}
}
