package content

import (
	"context"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// StaticData is what a page of the edition shows, at an address of its own or at that of its slug.
type StaticData struct {
	Title    string      `json:"title"`
	Body     string      `json:"body"`
	Excerpt  string      `json:"excerpt,omitempty"`
	Picture  *post.Image `json:"picture,omitempty"`
	Modified *time.Time  `json:"modified,omitempty"`
	Layout   string      `json:"layout,omitempty"` // "": running text
	Lang     string      `json:"lang,omitempty"`   // where it is not the edition's
	Blocks   []PageBlock `json:"blocks,omitempty"`
}

// PageBlock is a Block as readers get it.
type PageBlock struct {
	Kind  string     `json:"kind"`
	Title string     `json:"title,omitempty"`
	HTML  string     `json:"html,omitempty"`
	Items []PageItem `json:"items,omitempty"`
}

// PageItem is a BlockItem as readers get it.
type PageItem struct {
	Title    string      `json:"title"`
	Subtitle string      `json:"subtitle,omitempty"`
	HTML     string      `json:"html,omitempty"`
	Picture  *post.Image `json:"picture,omitempty"`
	Email    string      `json:"email,omitempty"`
	URL      string      `json:"url,omitempty"`
	Date     string      `json:"date,omitempty"`
}

// PageEntity is a page as the JSON endpoint answers it.
type PageEntity struct {
	ID          int64           `json:"post_id"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	URL         string          `json:"url"`
	Image       *post.Thumbnail `json:"image"`
	Content     string          `json:"content"`
	Modified    time.Time       `json:"modified"`
	Locked      bool            `json:"locked"`
	Layout      string          `json:"layout"`
	Lang        string          `json:"lang,omitempty"`
	Blocks      []PageBlock     `json:"blocks"`
}

// static is a page with its text, sealed, and its form.
type static struct {
	post     *post.Post
	body     Body
	form     PageForm
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
	if s.form, err = loadForm(ctx, tx, id); err != nil {
		return s, err
	}
	s.fill(tx.Edition)
	s.pictures, err = loadPictures(ctx, tx, s.form.pictures())
	return s, err
}

// blocks are the parts of the page with pictures and addresses in the place of names.
func (s static) blocks(ed *edition.Edition) []PageBlock {
	out := make([]PageBlock, len(s.form.Blocks))
	for i, b := range s.form.Blocks {
		out[i] = PageBlock{Kind: b.Kind, Title: b.Title, HTML: b.HTML}
		for _, it := range b.Items {
			to := it.URL
			if it.Author != "" {
				to = ed.Href(edition.Author, it.Author)
			}
			out[i].Items = append(out[i].Items, PageItem{
				Title: it.Title, Subtitle: it.Subtitle, HTML: it.HTML, Picture: s.pictures[it.Picture], Email: it.Email,
				URL: to, Date: it.Date,
			})
		}
	}
	return out
}

// loadStatic answers at the address of a slug; a page that has an address of its own is sent there.
func (m *Module) loadStatic(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	var s static
	var id int64
	var own string
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		var route edition.Route
		if id, route, err = findPage(ctx, tx, r.Params["articleSlug"]); err != nil {
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
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	var s static
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		id, err := findPageAt(ctx, tx, r.Route)
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
	d := &StaticData{
		Title: s.post.Title, Body: text.HTML, Excerpt: s.post.Excerpt, Picture: s.post.Image(), Modified: &s.post.ModifiedAt,
		Layout: s.form.Layout, Lang: s.form.Lang,
	}
	if text.Open {
		d.Blocks = s.blocks(ed)
	}
	d.typeset(ed)
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
		id, _, err := findPage(ctx, tx, slug)
		if err != nil {
			return err
		}
		s, err = loadPage(ctx, tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	a, err := m.ask(ctx, session.ReaderID(ctx), s.post.ID, post.TypePage, s.body.locked, false)
	if err != nil {
		return nil, err
	}
	text := m.reveal(s.body, a)
	e := &PageEntity{
		ID: s.post.ID, Title: s.post.Title, Description: staticDescription(ed, s.post), URL: s.post.Path(ed),
		Content:  text.HTML,
		Modified: s.post.ModifiedAt, Locked: s.body.locked, Layout: s.form.Layout, Lang: s.form.Lang, Blocks: []PageBlock{},
	}
	if e.Layout == "" {
		e.Layout = "text"
	}
	if s.post.PictureID != "" {
		z := post.SizesOf(s.post.PictureID)
		e.Image = &post.Thumbnail{Sizes: z, Original: z.Origin, Description: s.post.Caption, Alt: s.post.Alt}
	}
	if text.Open {
		e.Blocks = s.blocks(ed)
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
