package content

import (
	"context"
	"path"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/web"
)

const minutesPerPage = 10

// MinuteStory is one short news with its text.
type MinuteStory struct {
	MinuteItem
	Body     string   `json:"body"` // the preview where it is locked
	Locked   bool     `json:"locked,omitempty"`
	Picture  *Image   `json:"picture,omitempty"`
	Authors  []Byline `json:"authors,omitempty"`
	Comments int      `json:"comments"`

	Discussion string `json:"discussion,omitempty"` // address of it
}

// MinutesData is what the page of short news shows.
type MinutesData struct {
	Layout     string        `json:"layout"` // reader or list
	Items      []MinuteStory `json:"items"`
	Selected   int64         `json:"selected,omitempty"` // the one that the address names; it stands first
	Offset     int           `json:"offset"`
	NextOffset int           `json:"nextOffset,omitempty"`
	Next       string        `json:"next,omitempty"`
}

// minutesSlug is the last word of the address of short news, which also asks for an item in its reader; "" where the
// edition has no such page.
func minutesSlug(ed *edition.Edition) string {
	if p := ed.Href(edition.Minutes); p != "" {
		return path.Base(p)
	}
	return ""
}

// permalink is where a short news item is read in the reader.
func (p *post) permalink(ed *edition.Edition) string {
	if slug := minutesSlug(ed); slug != "" {
		return p.path(ed) + "?article_type=" + slug
	}
	return p.path(ed)
}

// readMinutes reads short news with its text as a tier may read it; selected, if any, stands first, and alone can be
// open to the tier by a credit.
func (m *Module) readMinutes(ctx context.Context, tier page.Tier, selected *post, w Window) (*MinutesData, error) {
	d := &MinutesData{Items: []MinuteStory{}, Offset: w.Offset}
	err := m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		ed := tx.Edition
		d.Layout = ed.MinutesLayout
		if d.Layout == "" {
			d.Layout = "reader"
		}
		r, err := findMinutes(ctx, tx, selected, w)
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, r.ids)
		if err != nil {
			return err
		}
		bodies, err := loadBodies(ctx, tx, r.ids)
		if err != nil {
			return err
		}
		for _, p := range inOrder(posts, r.ids) {
			own := tier
			if own == page.Entitled && (selected == nil || p.ID != selected.ID) {
				own = page.Member
			}
			d.Items = append(d.Items, MinuteStory{
				MinuteItem: p.minute(ed), Body: typesetHTML(ed,
					captioned(m.reveal(bodies[p.ID], tierAccess(own, bodies[p.ID])).HTML)), Locked: p.Locked,
				Picture: p.picture(ed), Authors: names(p.authors), Comments: p.Comments, Discussion: ed.DiscussionPath(p.ID),
			})
		}
		d.NextOffset, d.Next = w.following(ed.Href(edition.Minutes), r)
		return nil
	})
	return d, err
}

func (d *MinutesData) tags(tags ...string) []string {
	for _, it := range d.Items {
		tags = append(tags, postTag(it.ID))
	}
	return tags
}

func (m *Module) loadMinutes(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	w, err := readWindow(r.Query, minutesPerPage, minutesPerPage)
	if err != nil {
		return nil, err
	}
	d, err := m.readMinutes(ctx, r.Tier, nil, w)
	if err != nil {
		return nil, err
	}
	if !w.first() && len(d.Items) == 0 {
		return nil, web.ErrNotFound
	}
	name := i18n.T(ed, "content.minutes.title", nil)
	meta := listMeta(ed, name, i18n.T(ed, "content.minutes.description", nil),
		w.canonical(ed.URL(ed.Href(edition.Minutes))))
	meta.JSONLD = []any{liveBlog(ed, name, meta, d.Items), breadcrumbs(ed, step{name, ed.URL(ed.Href(edition.Minutes))})}
	return &page.Page{Data: d, Tags: d.tags(minutesTag), Meta: meta}, nil
}

// minuteReader is the page of short news that begins with one of them.
func (m *Module) minuteReader(ctx context.Context, r *page.Request, s story) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	d, err := m.readMinutes(ctx, r.Tier, s.post, Window{Limit: minutesPerPage})
	if err != nil {
		return nil, err
	}
	d.Selected = s.post.ID
	article := m.articleData(ed, s, tierAccess(r.Tier, s.body))
	return &page.Page{
		Route: edition.Minutes, Data: d, Meta: articleMeta(ed, s, article),
		Tags: d.tags(postTag(s.post.ID)),
	}, nil
}
