package sample

import (
	"context"
	"fmt"
	"image/jpeg"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// The limits of the files that ship.
const (
	pictureBytes  = 90 << 10
	portraitBytes = 25 << 10
	albumBytes    = 5 << 20
)

// The pictures have the sizes that pages need and weigh little; each is shown somewhere, and each portrait is
// somebody's.
func TestPicturesFit(t *testing.T) {
	t.Parallel()
	files, err := fs.Sub(tenants.FS, "sample")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"portraits/matus-hradsky.jpg": true} // editor-in-chief of two papers, author of none
	for _, id := range editions {
		l := shipped(t, id)
		for _, a := range l.Articles {
			used[Picture{Name: a.Picture}.file()] = true
		}
		for _, topic := range l.Topics {
			for _, name := range topic.Covers {
				used[Picture{Name: name}.file()] = true
			}
		}
		for _, a := range l.Authors {
			if used[portraitFile(a.Key)] {
				t.Errorf("%s: %s has a face of another edition", id, a.Name)
			}
			used[portraitFile(a.Key)] = true
		}
	}
	all := int64(0)
	for folder, want := range map[string]struct {
		width, height int
		bytes         int64
	}{"pictures": {1280, 853, pictureBytes}, "portraits": {480, 480, portraitBytes}} {
		entries, err := fs.ReadDir(files, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := folder + "/" + e.Name()
			f, err := files.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			c, err := jpeg.DecodeConfig(f)
			info, statErr := f.Stat()
			_ = f.Close()
			if err != nil || statErr != nil {
				t.Fatalf("%s: %v, %v", name, err, statErr)
			}
			if c.Width != want.width || c.Height != want.height || info.Size() > want.bytes {
				t.Errorf("%s: %d by %d, %d bytes", name, c.Width, c.Height, info.Size())
			}
			if !used[name] {
				t.Errorf("nothing shows %s", name)
			}
			all += info.Size()
		}
	}
	if all > albumBytes {
		t.Errorf("the pictures have %d bytes, want at most %d", all, albumBytes)
	}
}

// Every article says in its edition's language what its picture shows, and why it stands there: two things.
func TestPicturesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, id := range editions {
		l, ed := shipped(t, id), document(t, id)
		alts, captions := map[string]string{}, map[string]string{}
		for _, p := range l.Pictures {
			alt := p.alt(ed)
			if other := alts[alt]; other != "" || len([]rune(alt)) > 140 {
				t.Errorf("%s: %s is described as %s is, or at length: %q", id, p.Name, other, alt)
			}
			alts[alt] = p.Name
		}
		for _, a := range l.Articles {
			captioned := []string{a.Caption}
			for _, f := range figures(a.Body) {
				captioned = append(captioned, f.caption)
			}
			for _, caption := range captioned {
				if caption == "" || alts[caption] != "" || captions[caption] != "" {
					t.Errorf("%s: %s has the caption %q, which is missing, or that of %s", id, a.Key, caption, captions[caption])
				}
				captions[caption] = a.Key
			}
		}
		if id == "standard_com" {
			for words := range alts {
				if strings.ContainsAny(words, "ß„“") {
					t.Errorf("%s: %q is not written as the Swiss do", id, words)
				}
			}
		}
	}
}

// The newest articles of a section and of an author, those of a topic, and all videos have pictures of their own; so
// have the pictures inside of a text and the one above it.
func TestNoPictureTwiceOnAPage(t *testing.T) {
	t.Parallel()
	const section, author = 20, 13 // on their first pages
	for _, id := range editions {
		l, ed := shipped(t, id), document(t, id)
		parent := map[string]string{}
		for _, c := range ed.Categories {
			parent[c.Slug] = c.Slug
			for _, child := range c.Children {
				parent[child.Slug] = c.Slug
			}
		}
		pages := map[string][]Article{}
		add := func(page string, a Article) { pages[page] = append(pages[page], a) }
		topics := topicsOf(l)
		for _, a := range l.Articles {
			if parent[a.Category] == "" {
				t.Errorf("%s: %s is in the section %q, which is none", id, a.Key, a.Category)
			}
			add("section "+parent[a.Category], a)
			add("category "+a.Category, a)
			for _, key := range a.Authors {
				add("author "+key, a)
			}
			for _, slug := range topics[a.Key] {
				add("topic "+slug, a)
			}
			if a.Type == "video" {
				add("videos", a)
			}
			shown := map[string]bool{a.Picture: true}
			for _, f := range figures(a.Body) {
				if shown[f.picture] {
					t.Errorf("%s: %s shows %s twice", id, a.Key, f.picture)
				}
				shown[f.picture] = true
			}
		}
		for page, articles := range pages {
			seen := map[string]string{}
			first := section
			if strings.HasPrefix(page, "author ") {
				first = author
			}
			for _, a := range articles[:min(first, len(articles))] {
				if other := seen[a.Picture]; other != "" {
					t.Errorf("%s, %s: %s and %s both show %s", id, page, other, a.Key, a.Picture)
				}
				seen[a.Picture] = a.Key
			}
		}
		for _, topic := range l.Topics {
			shown := slices.Clone(topic.Covers)
			for _, a := range pages["topic "+topic.Slug] {
				shown = append(shown, a.Picture)
			}
			slices.Sort(shown)
			if n := len(shown); len(slices.Compact(shown)) != n {
				t.Errorf("%s: the page of topic %s shows a picture twice: %v", id, topic.Slug, shown)
			}
		}
	}
}

func document(t *testing.T, id string) *edition.Edition {
	t.Helper()
	text, err := fs.ReadFile(tenants.FS, id+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := edition.Parse(id, text)
	if err != nil {
		t.Fatal(err)
	}
	return &edition.Edition{Document: *doc}
}

// counting is a media library that keeps nothing and numbers what it takes.
type counting struct{ adopted int }

func (c *counting) Adopt(context.Context, []byte) (media.Image, error) {
	c.adopted++
	return media.Image{ID: fmt.Sprintf("%032d", c.adopted), Width: 1280, Height: 853}, nil
}

func (*counting) Ingest(context.Context, io.Reader) (media.Image, error) { return media.Image{}, nil }

func (*counting) IngestVideo(context.Context, io.Reader) (string, error) { return "", nil }

func TestPicturesSayWhoseTheyAre(t *testing.T) {
	t.Parallel()
	l, store := shipped(t, "standard_com"), &counting{}
	made, err := l.makePictures(t.Context(), document(t, "standard_com"), store)
	if err != nil {
		t.Fatal(err)
	}
	if len(made) != store.adopted || len(made) != len(l.Pictures)+len(l.Authors) {
		t.Errorf("%d pictures of %d files", len(made), store.adopted)
	}
	for _, file := range slices.Sorted(maps.Keys(made)) {
		if p := made[file]; p.ID == "" || p.Alt == "" || p.Credit != "Standard Schweiz" {
			t.Errorf("%s: %+v", file, p)
		}
	}
	body := withFigures("Eins.\n\n![Warum sie hier steht](old-town)\n\nZwei.", made)
	if p := made["pictures/old-town.jpg"]; !strings.Contains(body, `<img src="/img/`+p.ID+`?w=1280" alt="`+p.Alt+`"`) ||
		!strings.Contains(body, "<figcaption>Warum sie hier steht</figcaption>") {
		t.Errorf("got %s", body)
	}
	if body := withFigures(`![Warum](old-town "Ein Giebel mit Uhr")`, made); !strings.Contains(body,
		`alt="Ein Giebel mit Uhr"`) {
		t.Errorf("a text with words of its own: %s", body)
	}
}
