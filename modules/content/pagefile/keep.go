package pagefile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"go.yaml.in/yaml/v3"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// maxPages is how many fit one transaction.
const maxPages = 200

// posts is what keeping pages needs of the content module.
type posts interface {
	StaticPages(ctx context.Context) ([]content.Draft, error)
	AddPicture(ctx context.Context, p post.Picture) error
	SavePosts(ctx context.Context, drafts []content.Draft) ([]content.Saved, error)
}

// Keeper writes pages into the edition of a context.
type Keeper struct {
	Posts  posts
	Images images
	Files  fs.FS // where pictures that are named by their file lie; nil: nowhere
}

// Apply brings the edition's pages to what the document says, all of it or nothing: pages that it has are changed,
// others are added, and those that it does not name stay. It returns how many were changed or added. Errors name file,
// line and key.
func (k Keeper) Apply(ctx context.Context, pages []*Page) (changed int, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return 0, err
	}
	if len(pages) > maxPages {
		return 0, fmt.Errorf("there are %d pages; at most %d can be written at once", len(pages), maxPages)
	}
	stored, err := k.Posts.StaticPages(ctx)
	if err != nil {
		return 0, err
	}
	bySlug := map[string]content.Draft{}
	for _, d := range stored {
		bySlug[d.Slug] = d
	}
	drafts, _, err := k.drafts(ctx, pages)
	if err != nil {
		return 0, err
	}
	var todo []content.Draft
	for _, d := range drafts {
		if was, ok := bySlug[d.Slug]; ok {
			next := was
			next.Title, next.Excerpt, next.Status, next.Body, next.Page = d.Title, d.Excerpt, d.Status, d.Body, d.Page
			next.Picture, next.Alt, next.Caption = d.Picture, d.Alt, d.Caption
			if !d.Modified.IsZero() {
				next.Modified = d.Modified
			}
			if equal(ed.Lang(), was, next) {
				continue
			}
			next.Modified = d.Modified
			d = next
		}
		todo = append(todo, d)
	}
	return k.save(ctx, todo, pages)
}

// Add writes the pages that the edition does not have yet, as coming from source. A page stays away where another
// has its slug or its route, or where the edition has no address for its route.
func (k Keeper) Add(ctx context.Context, pages []*Page, source string,
	published time.Time,
) (added, pictures int, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return 0, 0, err
	}
	stored, err := k.Posts.StaticPages(ctx)
	if err != nil {
		return 0, 0, err
	}
	taken := map[string]bool{}
	for _, d := range stored {
		taken["slug "+d.Slug], taken["route "+string(d.Page.Route)] = true, d.Page.Route != ""
	}
	var missing []*Page
	for _, p := range pages {
		if !taken["slug "+p.Slug] && !taken["route "+p.Route] && (p.Route == "" || ed.Href(edition.Route(p.Route)) != "") {
			missing = append(missing, p)
		}
	}
	drafts, pictures, err := k.drafts(ctx, missing)
	if err != nil {
		return 0, 0, err
	}
	for i := range drafts {
		d := &drafts[i]
		d.Source, d.SourceID, d.Published = source, d.Slug, published
		if !d.Modified.IsZero() && d.Modified.Before(published) {
			d.Published = d.Modified
		}
	}
	added, err = k.save(ctx, drafts, missing)
	return added, pictures, err
}

func (k Keeper) save(ctx context.Context, drafts []content.Draft, pages []*Page) (changed int, err error) {
	if len(drafts) == 0 {
		return 0, nil
	}
	saved, err := k.Posts.SavePosts(ctx, drafts)
	if err != nil {
		for _, p := range pages {
			if who := fault.From(err).Params["post"]; errors.Is(err, post.ErrInvalid) && (who == p.Title || who == p.Slug) {
				return 0, p.explain(err)
			}
		}
		return 0, err
	}
	for _, s := range saved {
		if s.Changed {
			changed++
		}
	}
	return changed, nil
}

// drafts stores the pictures of the pages, each once, and returns the pages as drafts.
func (k Keeper) drafts(ctx context.Context, pages []*Page) (drafts []content.Draft, pictures int, err error) {
	kept := map[picture]post.Picture{}
	for _, p := range pages {
		var failed error
		d, err := p.draft(func(w picture) string {
			pic, ok := kept[w]
			if !ok && failed == nil {
				if pic, failed = w.keep(ctx, k.Images, k.Files); failed == nil && pic.Width > 0 {
					failed = k.Posts.AddPicture(ctx, pic)
					pictures++
				}
				kept[w] = pic
			}
			return pic.ID
		})
		if err != nil {
			return nil, 0, p.wrong("body", err.Error())
		}
		if failed != nil {
			return nil, 0, p.wrong("picture", failed.Error())
		}
		drafts = append(drafts, d)
	}
	return drafts, pictures, nil
}

// equal reports whether two drafts make the same page.
func equal(lang string, a, b content.Draft) bool {
	var texts [2][]byte
	for i, d := range []content.Draft{a, b} {
		d, err := content.Normal(lang, d)
		if err != nil {
			return false
		}
		if texts[i], err = json.Marshal(d); err != nil {
			return false
		}
	}
	return bytes.Equal(texts[0], texts[1])
}

// Export writes pages down, so that Apply of the result changes nothing.
func Export(drafts []content.Draft) ([]byte, error) {
	pages := make([]Page, len(drafts))
	for i, d := range drafts {
		p := Page{
			Slug: d.Slug, Title: d.Title, Excerpt: d.Excerpt, Status: string(d.Status), Route: string(d.Page.Route),
			Layout: d.Page.Layout, Lang: d.Page.Lang,
			Picture: d.Picture, Alt: d.Alt, Caption: d.Caption,
		}
		if d.Status == post.StatusPublished {
			p.Status = ""
		}
		switch p.Layout {
		case p.Route: // goes without saying
			p.Layout = ""
		case "":
			p.Layout = "text"
		}
		p.Body = written(d.Body)
		for _, b := range d.Page.Blocks {
			out := Block{Kind: b.Kind, Title: b.Title, Body: written(b.HTML)}
			for _, it := range b.Items {
				out.Items = append(out.Items, Item{
					Title: it.Title, Subtitle: it.Subtitle, Date: it.Date, Picture: it.Picture, Author: it.Author, Email: it.Email,
					URL: it.URL, Body: written(it.HTML),
				})
			}
			p.Blocks = append(p.Blocks, out)
		}
		pages[i] = p
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(pages); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

func written(body string) string {
	if body == "" {
		return ""
	}
	return markdownOf(body)
}
