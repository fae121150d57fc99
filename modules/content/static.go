package content

import (
	"context"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// PageEntity is a page as the JSON endpoint answers it.
type PageEntity struct {
	ID          int64                   `json:"post_id"`
	Title       string                  `json:"title"`
	Description string                  `json:"description"`
	URL         string                  `json:"url"`
	Image       *post.Thumbnail         `json:"image"`
	Content     string                  `json:"content"`
	Modified    time.Time               `json:"modified"`
	Locked      bool                    `json:"locked"`
	Layout      string                  `json:"layout"`
	Lang        string                  `json:"lang,omitempty"`
	Blocks      []staticpage.ShownBlock `json:"blocks"`
}

// static is a page with its text, sealed, and its form.
type static struct {
	post     *post.Post
	body     Body
	form     staticpage.Form
	pictures map[string]*post.Image
}

func loadPage(ctx context.Context, tx db.Tx, id int64) (s static, err error) {
	if s.body, err = loadBody(ctx, tx, id); err != nil {
		return s, err
	}
	posts, err := post.Load(ctx, tx, post.NewTree(nil), []int64{id})
	if err != nil {
		return s, err
	}
	if s.post = posts[id]; s.post == nil {
		return s, web.ErrNotFound
	}
	if s.form, err = staticpage.LoadForm(ctx, tx, id); err != nil {
		return s, err
	}
	s.fill(tx.Edition)
	s.pictures, err = staticpage.LoadPictures(ctx, tx, s.form.Pictures())
	return s, err
}

// loadStatic answers at the address of a slug; a page that has an address of its own is sent there.
func (m *Module) loadStatic(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	var s static
	var id int64
	var own string
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		var route edition.Route
		if id, route, err = staticpage.Find(ctx, tx, r.Params["articleSlug"]); err != nil {
			return err
		}
		if own = ed.Href(route); own != "" {
			return nil
		}
		s, err = loadPage(ctx, tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	if own != "" {
		to := page.Redirect(own)
		to.Tags = []string{post.Tag(id)}
		return to, nil
	}
	return m.staticPage(ed, s, r.Tier), nil
}

// loadOwnPage answers at the address that the edition keeps for one of its pages, such as its history.
func (m *Module) loadOwnPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	var s static
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		id, err := staticpage.FindAt(ctx, tx, r.Route)
		if err != nil {
			return err
		}
		s, err = loadPage(ctx, tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m.staticPage(ed, s, r.Tier), nil
}

func (m *Module) staticPage(ed *edition.Edition, s static, tier page.Tier) *page.Page {
	text := m.reveal(s.body, tierAccess(tier, s.body))
	d := &staticpage.PageData{
		Title: s.post.Title, Body: text.HTML, Excerpt: s.post.Excerpt, Picture: s.post.Image(), Modified: &s.post.ModifiedAt,
		Layout: s.form.Layout, Lang: s.form.Lang,
	}
	if text.Open {
		d.Blocks = s.form.Shown(ed, s.pictures)
	}
	d.Typeset(ed)
	return &page.Page{
		Data: d, Meta: staticMeta(ed, s), Tags: []string{post.Tag(s.post.ID), post.PagesTag},
		Preload: seo.Preload(d.Picture, seo.Hero),
	}
}

// Page returns a page of the edition by its slug, with its text as far as the reader may read it. Faults:
// web.ErrNotFound.
func (m *Module) Page(ctx context.Context, slug string) (*PageEntity, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	var s static
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		id, _, err := staticpage.Find(ctx, tx, slug)
		if err != nil {
			return err
		}
		s, err = loadPage(ctx, tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	a, err := m.decide(ctx, session.ReaderID(ctx), s.post.ID, post.TypePage, s.body.locked, false)
	if err != nil {
		return nil, err
	}
	text := m.reveal(s.body, a)
	e := &PageEntity{
		ID: s.post.ID, Title: s.post.Title, Description: staticDescription(ed, s.post), URL: s.post.Path(ed),
		Content:  text.HTML,
		Modified: s.post.ModifiedAt, Locked: s.body.locked, Layout: s.form.Layout, Lang: s.form.Lang,
		Blocks: []staticpage.ShownBlock{},
	}
	if e.Layout == "" {
		e.Layout = "text"
	}
	if s.post.PictureID != "" {
		z := post.SizesOf(s.post.PictureID)
		e.Image = &post.Thumbnail{Sizes: z, Original: z.Origin, Description: s.post.Caption, Alt: s.post.Alt}
	}
	if text.Open {
		e.Blocks = s.form.Shown(ed, s.pictures)
	}
	return e, nil
}

// StaticPages returns all pages of the edition as drafts, also those that are not out.
func (m *Module) StaticPages(ctx context.Context) (drafts []Draft, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		drafts, err = findPages(ctx, tx)
		return err
	})
	return drafts, err
}

// Normal checks a draft and returns it as it would be stored. Faults: post.ErrInvalid with the field.
func Normal(lang string, d Draft) (Draft, error) {
	s, err := prepare(lang, d)
	if err != nil {
		return Draft{}, err
	}
	return s.Draft, nil
}
