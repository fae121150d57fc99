package app

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"testing"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/sample"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

var (
	cardOnPage    = regexp.MustCompile(`(?s)<article.*?</article>`)
	pictureOfCard = regexp.MustCompile(`<img src="/img/([0-9a-f]{32})[^>]*class="([^"]*)"`)
	storyOfCard   = regexp.MustCompile(`href="(/\d+/[^"?]*)`)
	faceOnPage    = regexp.MustCompile(`\b(author|portrait|profile)_`)
)

// stoppedPosts ends a run after so many posts, as a signal does.
type stoppedPosts struct {
	*content.Module
	after int
}

func (s stoppedPosts) SavePosts(ctx context.Context, drafts []content.Draft) ([]content.Saved, error) {
	saved, err := s.Module.SavePosts(ctx, drafts[:s.after])
	return saved, errors.Join(err, context.Canceled)
}

// A run of seed that was stopped in the middle is completed by the next, and the one after it finds nothing to do.
func TestASeedThatWasStoppedIsCompleted(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	files, err := fs.Sub(tenants.FS, "sample")
	if err != nil {
		t.Fatal(err)
	}
	ed, _ := p.app.registry.Get("standard")
	ctx := edition.With(t.Context(), ed)
	library, err := sample.Read(files, ed.ID)
	if err != nil {
		t.Fatal(err)
	}
	stopped := p.app.seeder()
	stopped.Posts = stoppedPosts{p.app.content, 40}
	if _, err := stopped.Fill(ctx, library); !errors.Is(err, context.Canceled) {
		t.Fatalf("the run that is stopped: %v", err)
	}
	count := func() int {
		t.Helper()
		known, err := p.app.content.Known(ctx, "sample")
		if err != nil {
			t.Fatal(err)
		}
		return len(known)
	}
	if n := count(); n != 40 {
		t.Fatalf("%d posts after the run that was stopped, want 40", n)
	}
	r, err := p.app.seeder().Fill(ctx, library)
	if err != nil || r.Posts <= 40 || count() != r.Posts {
		t.Errorf("the second run: %+v, %v; %d posts", r, err, count())
	}
	if again, err := p.app.seeder().Fill(ctx, library); err != nil || again.Posts != 0 {
		t.Errorf("the third run: %+v, %v", again, err)
	}
}

// The sample shows no picture for two stories of one page: front page, sections and topics, as readers get them. Only
// the face of an author may stand beside several opinions.
func TestSamplePagesShowNoPictureTwice(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	files, err := fs.Sub(tenants.FS, "sample")
	if err != nil {
		t.Fatal(err)
	}
	for _, ed := range p.app.registry.All() {
		library, err := sample.Read(files, ed.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.app.seeder().Fill(edition.With(t.Context(), ed), library); err != nil {
			t.Fatal(err)
		}
		paths := []string{"/"}
		for _, c := range ed.Categories {
			paths = append(paths, ed.Href(edition.CategoryPage, c.Slug))
			for _, child := range c.Children {
				paths = append(paths, ed.Href(edition.CategoryPage, child.Slug))
			}
		}
		for _, topic := range library.Topics {
			paths = append(paths, ed.Href(edition.Topic, topic.Slug))
		}
		visitor, most := p.browser(ed.ID), 0
		for _, path := range paths {
			body := visitor.get(path).Body
			shown := map[string]string{}
			for _, card := range cardOnPage.FindAllString(body, -1) {
				picture, story := pictureOfCard.FindStringSubmatch(card), storyOfCard.FindStringSubmatch(card)
				if picture == nil || story == nil || faceOnPage.MatchString(picture[2]) {
					continue
				}
				if other := shown[picture[1]]; other != "" && other != story[1] {
					t.Errorf("%s%s: %s and %s show the same picture", ed.Origin, path, other, story[1])
				}
				shown[picture[1]] = story[1]
			}
			most = max(most, len(shown))
		}
		if most < 25 {
			t.Errorf("%s: no page shows more than %d pictures", ed.ID, most)
		}
	}
}
