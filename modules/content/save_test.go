package content

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// picture is the id of the n-th picture of a test.
func picture(n int) string { return fmt.Sprintf("%032x", n+1) }

// house is an edition with categories, two authors and three pictures.
func house(t testing.TB, pay Paywall) (context.Context, *db.DB, *Module) {
	t.Helper()
	ctx, d := testkit.Edition(t)
	m := New(Deps{DB: d, Paywall: pay})
	furnish(t, ctx, m)
	return ctx, d, m
}

func furnish(t testing.TB, ctx context.Context, m *Module) {
	t.Helper()
	if err := m.SyncCategories(ctx); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if err := m.SavePicture(ctx,
			post.Picture{
				ID: picture(n), Width: 1600, Height: 900, Alt: fmt.Sprintf("Obraz %d", n),
				Credit: " Jana\n Skúšobná ",
			}); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range []catalog.Author{{
		Slug: "jana", Name: "Jana Skúšobná", Role: "redaktorka", Bio: "Píše.",
		Picture: picture(2),
	}, {Slug: "peter", Name: "Peter Pokusný"}} {
		if _, err := m.SaveAuthor(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
}

func body(n int, word string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<p>%s odsek %d.</p>\n", word, i+1)
	}
	return b.String()
}

func draft(source string, change ...func(*Draft)) Draft {
	d := Draft{
		Source: "test", SourceID: source, Type: post.TypeArticle, Status: post.StatusPublished, Title: "Článok " + source,
		Excerpt: "Krátko o " + source + ".",
		Body:    body(8, "Text "+source), Published: time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC), Authors: []string{"jana"},
		Categories: []string{"slovensko"},
		Picture:    picture(0), Caption: "Popis.",
	}
	for _, f := range change {
		f(&d)
	}
	return d
}

func save(t testing.TB, ctx context.Context, m *Module, d Draft) int64 {
	t.Helper()
	id, _, err := m.SavePost(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Whoever writes, by whatever way: what lies in the database has nothing that runs, so that no reader of it has to
// know.
func TestWhatIsSavedIsClean(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	attacks, err := os.ReadFile("markup/testdata/attacks.txt")
	if err != nil {
		t.Fatal(err)
	}
	hostile := "<p>Text</p>" + strings.ReplaceAll(strings.TrimSpace(string(attacks)), "\n", "<p>Text</p>")
	clean := markup.Sanitise(hostile)
	id := save(t, ctx, m, draft("hostile", func(d *Draft) { d.Body = hostile }))
	page := draft("page", func(d *Draft) {
		d.Type, d.Body, d.Authors, d.Categories, d.Picture, d.Caption = post.TypePage, hostile, nil, nil, "", ""
		d.Page = staticpage.Form{Blocks: []staticpage.Block{
			{Kind: "text", HTML: hostile},
			{Kind: "timeline", Items: []staticpage.Item{{Title: "2026", Date: "2026-01", HTML: hostile}}},
		}}
	})
	pageID := save(t, ctx, m, page)
	var body, pageBody string
	var blocks []staticpage.Block
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		var text string
		err := errors.Join(tx.NewRaw("SELECT html FROM content_bodies WHERE post_id = ?", id).Scan(ctx, &body),
			tx.NewRaw("SELECT html FROM content_bodies WHERE post_id = ?", pageID).Scan(ctx, &pageBody),
			tx.NewRaw("SELECT blocks::text FROM content_pages WHERE post_id = ?", pageID).Scan(ctx, &text))
		return errors.Join(err, json.Unmarshal([]byte(text), &blocks))
	})
	if err != nil || len(blocks) != 2 || len(blocks[1].Items) != 1 {
		t.Fatal(err, blocks)
	}
	for where, got := range map[string]string{
		"an article": body, "a page": pageBody, "a block": blocks[0].HTML,
		"an entry of a block": blocks[1].Items[0].HTML,
	} {
		if got != clean || got == hostile {
			t.Errorf("%s is kept as %q", where, got)
		}
	}
}

func TestSavingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	// writer is the transaction that wrote the row last.
	writer := func() (xid int64) {
		t.Helper()
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT xmin::text::bigint FROM content_posts").Scan(ctx, &xid)
		})
		if err != nil {
			t.Fatal(err)
		}
		return xid
	}
	one := draft("1", func(d *Draft) { d.Redirects = []string{"/383574", "/Stary/Clanok/"} })
	id, changed, err := m.SavePost(ctx, one)
	if err != nil || !changed || id == 0 {
		t.Fatalf("%d %v %v", id, changed, err)
	}
	first := writer()
	again, changed, err := m.SavePost(ctx, one)
	if err != nil || changed || again != id || writer() != first {
		t.Errorf("the second time: post %d for %d, changed %v, written by %d after %d, %v", again, id, changed,
			writer(), first, err)
	}
	one.Title = "Iný titulok"
	again, changed, err = m.SavePost(ctx, one)
	if err != nil || !changed || again != id || writer() == first {
		t.Errorf("a change: post %d for %d, changed %v, %v", again, id, changed, err)
	}
	// An editor's change stays when the same thing is imported once more.
	edited := draft("1", func(d *Draft) { d.ID, d.Source, d.SourceID, d.Title = id, "", "", "Titulok z redakcie" })
	if _, changed, err = m.SavePost(ctx, edited); err != nil || !changed {
		t.Fatalf("the editor's: %v %v", changed, err)
	}
	if _, changed, err = m.SavePost(ctx, one); err != nil || changed {
		t.Errorf("the import took an editor's change back: %v %v", changed, err)
	}
	known, err := m.Known(ctx, "test")
	if err != nil || len(known) != 1 || known["1"] != id {
		t.Errorf("known: %v %v", known, err)
	}
}

func TestSlugsAreUniqueAndStay(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	same := func(s string) Draft { return draft(s, func(d *Draft) { d.Title = "Žltý kôň & Straße" }) }
	saved, err := m.SavePosts(ctx, []Draft{same("1"), same("2"), same("3")})
	if err != nil {
		t.Fatal(err)
	}
	saved = append(saved, Saved{ID: save(t, ctx, m, same("4"))})
	slug := func(id int64) (s string) {
		t.Helper()
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT slug FROM content_posts WHERE id = ?", id).Scan(ctx, &s)
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for i, want := range []string{"zlty-kon-strasse", "zlty-kon-strasse-2", "zlty-kon-strasse-3", "zlty-kon-strasse-4"} {
		if got := slug(saved[i].ID); got != want {
			t.Errorf("slug %d is %q, want %q", i, got, want)
		}
	}
	two := same("2")
	two.Title = "Celkom iný"
	if save(t, ctx, m, two) != saved[1].ID || slug(saved[1].ID) != "zlty-kon-strasse-2" {
		t.Errorf("a new title moved the article to %q", slug(saved[1].ID))
	}
	two.Slug = "Nová adresa"
	if save(t, ctx, m, two); slug(saved[1].ID) != "nova-adresa" {
		t.Errorf("the wanted slug is %q", slug(saved[1].ID))
	}
}

func TestWrongDraftsAreRefusedWhole(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	cases := map[string]struct {
		change func(*Draft)
		field  string
	}{
		"no title":          {func(d *Draft) { d.Title = " \n" }, "title"},
		"long title":        {func(d *Draft) { d.Title = strings.Repeat("a", 401) }, "title"},
		"unknown type":      {func(d *Draft) { d.Type = "poem" }, "type"},
		"unknown status":    {func(d *Draft) { d.Status = "lost" }, "status"},
		"half a source":     {func(d *Draft) { d.SourceID = "" }, "source"},
		"unknown author":    {func(d *Draft) { d.Authors = []string{"nobody"} }, "authors"},
		"unknown category":  {func(d *Draft) { d.Categories = []string{"nowhere"} }, "categories"},
		"unknown picture":   {func(d *Draft) { d.Picture = strings.Repeat("f", 32) }, "picture"},
		"script as a video": {func(d *Draft) { d.Video.URL = "javascript:alert(1)" }, "video"},
		"missing post":      {func(d *Draft) { d.ID = 4711 }, "id"},
		"huge body":         {func(d *Draft) { d.Body = strings.Repeat("a", markup.MaxBytes+1) }, "body"},
	}
	for name, c := range cases {
		_, err := m.SavePosts(ctx, []Draft{draft("good " + name), draft("bad", c.change)})
		if !errors.Is(err, post.ErrInvalid) || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var n int
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT count(*) FROM content_posts").Scan(ctx, &n)
	}); err != nil || n != 0 {
		t.Errorf("%d posts were written, %v", n, err)
	}
}

func TestManyPostsAreSavedInBatches(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, nil)
	var all []Draft
	for i := range 450 {
		all = append(all, draft(fmt.Sprint(i%440), func(d *Draft) { d.Featured = i / 440 }))
	}
	saved, err := m.SavePosts(ctx, all)
	if err != nil || len(saved) != len(all) {
		t.Fatalf("%d outcomes, %v", len(saved), err)
	}
	for i, s := range saved {
		if s.ID == 0 || !s.Changed || (i >= 440) != (s.ID == saved[i%440].ID && i >= 440) {
			t.Fatalf("post %d: %+v", i, s)
		}
	}
	saved, err = m.SavePosts(ctx, all[10:440])
	if err != nil || slices.ContainsFunc(saved, func(s Saved) bool { return s.Changed }) {
		t.Errorf("the second time something changed, %v", err)
	}
}

func TestTheTreeFollowsTheDocument(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	read := func() (t2 *post.Tree) {
		t.Helper()
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) { t2, err = post.LoadTree(ctx, tx); return err })
		if err != nil {
			t.Fatal(err)
		}
		return t2
	}
	usa := read().BySlug["usa"]
	if usa == nil || usa.Key != "politics.usa" || usa.Parent.Slug != "politika" {
		t.Fatalf("usa is %+v", usa)
	}
	if _, err := m.SaveCategory(ctx,
		catalog.Category{Slug: "stara", Name: "Stará rubrika", Parent: "politika"}); err != nil {
		t.Fatal(err)
	}
	if id, err := m.SaveCategory(ctx,
		catalog.Category{Slug: "usa", Name: "Amerika po starom"}); err != nil || id != usa.ID ||
		read().BySlug["usa"].Name != usa.Name {
		t.Errorf("an import renamed a category of the document: %d, %v", id, err)
	}
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	next := *ed
	next.Categories = slices.Clone(ed.Categories)
	next.Categories[0].Children = []edition.Category{ // two exchange their slugs, an old one becomes ours, one leaves
		{Key: "politics.home", Slug: "usa", Name: "Doma"},
		{Key: "politics.usa", Slug: "slovensko", Name: "USA"},
		{Key: "politics.old", Slug: "stara", Name: "Staré"},
	}
	ctx = edition.With(ctx, &next)
	for range 2 {
		if err := m.SyncCategories(ctx); err != nil {
			t.Fatal(err)
		}
	}
	now := read()
	if c := now.ByKey["politics.usa"]; c.Slug != "slovensko" || c.ID != usa.ID {
		t.Errorf("politics.usa is %+v", c)
	}
	if now.BySlug["usa"].Key != "politics.home" || now.BySlug["stara"].Key != "politics.old" ||
		now.ByKey["politics.europe"] == nil {
		t.Errorf("the tree is %+v", now.BySlug)
	}
}

func count(t testing.TB, ctx context.Context, d *db.DB, query string,
	args ...any,
) (n int) {
	t.Helper()
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query, args...).Scan(ctx, &n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}
