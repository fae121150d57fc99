package pagefile

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/testkit"
)

const good = `- slug: historia
  title: História
  route: history
  picture: newsroom.jpg
  caption: Redakcia
  body: |
    Prvý *odsek*.

    <table><tbody><tr><td>HTML</td></tr></tbody></table>

    - bod_jeden
    - [odkaz](/search)
  blocks:
    - kind: timeline
      items:
        - {title: Začiatok, date: 2020-11, body: 'Bolo.'}
    - kind: people
      items:
        - {title: Jana, subtitle: šéfredaktorka, picture: jana.jpg}
- slug: podmienky
  title: Podmienky
  body: Nič.
`

func keeper(t *testing.T, files fstest.MapFS) (context.Context, Keeper, *content.Module) {
	t.Helper()
	ctx, d := testkit.Edition(t)
	store, err := media.OpenLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if files == nil {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 300, 200)), nil); err != nil {
			t.Fatal(err)
		}
		files = fstest.MapFS{"newsroom.jpg": {Data: b.Bytes()}, "jana.jpg": {Data: b.Bytes()}}
	}
	m := content.New(content.Deps{DB: d})
	return ctx, Keeper{Posts: m, Images: media.NewImages(store, nil), Files: files}, m
}

func read(t *testing.T, text string) []*Page {
	t.Helper()
	pages, err := Read("pages.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestPagesGoOutAndIn(t *testing.T) {
	t.Parallel()
	ctx, k, m := keeper(t, nil)
	if n, err := k.Apply(ctx, read(t, good)); err != nil || n != 2 {
		t.Fatalf("%d, %v", n, err)
	}
	if n, err := k.Apply(ctx, read(t, good)); err != nil || n != 0 {
		t.Errorf("a second time: %d, %v", n, err)
	}
	stored, err := m.StaticPages(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Export(stored)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Prvý *odsek*.", "- bod\\_jeden", "[odkaz](/search)", "<td>HTML</td>", "route: history",
		"date: 2020-11",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if n, err := k.Apply(ctx, read(t, string(out))); err != nil || n != 0 {
		t.Errorf("what was written down: %d, %v", n, err)
	}
	if n, err := k.Apply(ctx,
		read(t, strings.Replace(good, "body: Nič.", "body: Niečo.\n  status: withdrawn", 1))); err != nil || n != 1 {
		t.Errorf("a change: %d, %v", n, err)
	}
	if _, err := m.Page(ctx, "podmienky"); err == nil {
		t.Error("a page that was withdrawn is out")
	}
}

func TestSeedingAddsWhatIsMissing(t *testing.T) {
	t.Parallel()
	ctx, k, m := keeper(t, nil)
	mine, _, _ := strings.Cut(strings.Replace(good, "slug: historia", "slug: moja-historia", 1), "  picture:")
	if _, err := k.Apply(ctx, read(t, mine)); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC)
	if n, _, err := k.Add(ctx, read(t, good), "sample", at); err != nil || n != 1 {
		t.Errorf("%d, %v: the route was taken", n, err)
	}
	if _, err := k.Apply(ctx, read(t, "- {slug: podmienky, title: Po svojom, body: Iné.}")); err != nil {
		t.Fatal(err)
	}
	if n, _, err := k.Add(ctx, read(t, good), "sample", at); err != nil || n != 0 {
		t.Errorf("a second time: %d, %v", n, err)
	}
	if p, err := m.Page(ctx, "podmienky"); err != nil || p.Title != "Po svojom" {
		t.Errorf("%+v, %v", p, err)
	}
}

// What a page says of its picture is the page's own; a file that nobody has described says that too, else its caption,
// else the title.
func TestPicturesAreDescribed(t *testing.T) {
	t.Parallel()
	for want, text := range map[string]string{
		"Stoly":    "- {slug: a, title: História, picture: a.jpg, alt: Stoly, caption: Redakcia}",
		"Redakcia": "- {slug: a, title: História, picture: a.jpg, caption: Redakcia}",
		"História": "- {slug: a, title: História, picture: a.jpg}",
		"":         "- {slug: a, title: História, picture: 0123456789abcdef0123456789abcdef, alt: Stoly}",
	} {
		if d, err := Export([]content.Draft{{Title: "História", Alt: "Stoly"}}); err != nil ||
			!strings.Contains(string(d), "alt: Stoly") {
			t.Errorf("written down: %s, %v", d, err)
		}
		if got, named := read(t, text)[0].picture(); got.alt != want || !named {
			t.Errorf("%s: got %q, want %q", text, got.alt, want)
		}
		if d, err := read(t, text)[0].draft(func(picture) string {
			return placeholder
		}); err != nil || (d.Alt == "Stoly") != strings.Contains(text, "alt: Stoly") {
			t.Errorf("%s: the page says %q, %v", text, d.Alt, err)
		}
	}
}

// The day of the last change is the one that the file tells; else that of the change.
func TestPagesTellWhenTheyWereUpdated(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	m := content.New(content.Deps{DB: d})
	k := Keeper{Posts: m, Files: fstest.MapFS{}}
	apply := func(text string, changed int) string {
		t.Helper()
		if n, err := k.Apply(ctx, read(t, text)); err != nil || n != changed {
			t.Fatalf("%s: %d changed, %v", text, n, err)
		}
		p, err := m.Page(ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		return p.Modified.UTC().Format(time.DateOnly)
	}
	today := d.Now().UTC().Format(time.DateOnly)
	for i, c := range []struct {
		text    string
		changed int
		want    string
	}{
		{"- {slug: a, title: A, body: Text., updated: 2025-09-01}", 1, "2025-09-01"},
		{"- {slug: a, title: A, body: Text., updated: 2025-09-01}", 0, "2025-09-01"},
		{"- {slug: a, title: A, body: Text.}", 0, "2025-09-01"},
		{"- {slug: a, title: A, body: Text., updated: 2025-10-01}", 1, "2025-10-01"},
		{"- {slug: a, title: A, body: Iný.}", 1, today},
	} {
		if got := apply(c.text, c.changed); got != c.want {
			t.Errorf("%d, %s: %s, want %s", i, c.text, got, c.want)
		}
	}
	at := d.Now().Add(-24 * time.Hour)
	if n, _, err := k.Add(ctx, read(t, "- {slug: b, title: B, body: Text., updated: 2025-09-01}"), "sample",
		at); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	if p, err := m.Page(ctx, "b"); err != nil || p.Modified.Format(time.DateOnly) != "2025-09-01" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestReadTellsWhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"nothing":         {"", "pages.yaml: there are no pages"},
		"an empty list":   {"[]", "there are no pages"},
		"no list":         {"slug: x", "pages.yaml:1: this is not what belongs here"},
		"no YAML":         {"- slug: [", "pages.yaml:1: "},
		"two documents":   {"- {slug: a, title: A}\n---\n- {slug: b, title: B}", "second document"},
		"an unknown key":  {strings.Replace(good, "caption", "captoin", 1), "pages.yaml:5: captoin: there is no such key"},
		"no day":          {"- title: X\n  slug: x\n  updated: 1. 9. 2025", "pages.yaml:3: updated: "},
		"no slug":         {"- title: X", "pages.yaml:1: slug: "},
		"a slug of words": {"- title: X\n  slug: A b", "pages.yaml:2: slug: "},
		"a slug twice": {
			good + "- slug: podmienky\n  title: X",
			"pages.yaml:23: slug: \"podmienky\" is that of the page in line 20 too",
		},
		"a route twice": {
			good + "- slug: x\n  title: X\n  route: history",
			"pages.yaml:25: route: \"history\" is that of the page historia too",
		},
		"no title":         {"- slug: x", "pages.yaml:1: title: it is empty"},
		"an unknown route": {strings.Replace(good, "route: history", "route: front", 1), "pages.yaml:3: route: "},
		"a date that isn't": {
			strings.Replace(good, "2020-11", "vlani", 1),
			"pages.yaml:16: blocks[0].items[0].date: \"vlani\" is no date",
		},
		"an unknown kind": {strings.Replace(good, "kind: people", "kind: crowd", 1), "pages.yaml:17: blocks[1].kind: "},
		"an empty page":   {good + "-\n", "pages.yaml:23: there is no page"},
	} {
		if _, err := Read("pages.yaml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
	}
}

func TestApplyIsAllOrNothing(t *testing.T) {
	t.Parallel()
	ctx, k, m := keeper(t, fstest.MapFS{"broken.jpg": {Data: []byte("no picture")}})
	for name, c := range map[string]struct{ text, says string }{
		"an unknown picture": {
			"- slug: x\n  title: X\n  picture: 0123456789abcdef0123456789abcdef",
			"pages.yaml:3: picture: ",
		},
		"a missing file":   {"- slug: x\n  title: X\n  picture: none.jpg", "pages.yaml:3: picture: "},
		"a file elsewhere": {"- slug: x\n  title: X\n  picture: ../../etc/passwd", "pages.yaml:3: picture: "},
		"a broken file":    {"- slug: x\n  title: X\n  picture: broken.jpg", "pages.yaml:3: picture: "},
		"an unknown author": {
			"- slug: x\n  title: X\n  blocks:\n    - {kind: people, items: [{title: A, author: nikto}]}",
			"pages.yaml:3: blocks: ",
		},
	} {
		_, err := k.Apply(ctx, read(t, "- {slug: first, title: First}\n"+c.text))
		says := strings.Replace(c.says, ":3:", ":4:", 1)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", name, err, says)
		}
	}
	if all, err := m.StaticPages(ctx); err != nil || len(all) != 0 {
		t.Errorf("%d pages were left, %v", len(all), err)
	}
	if _, err := k.Apply(ctx, read(t, "- {slug: podmienky, title: Podmienky}")); err != nil {
		t.Error(err)
	}
	if _, err := k.Apply(ctx, read(t, "- {slug: a, title: A, route: christmas}\n- {slug: b, title: B}")); err != nil {
		t.Error(err)
	}
	if _, err := k.Apply(ctx, read(t, "- slug: c\n  title: C\n  route: christmas")); err == nil ||
		!strings.Contains(err.Error(), "pages.yaml:3: route: ") {
		t.Errorf("a route that is taken: %v", err)
	}
}
