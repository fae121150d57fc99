package content

import (
	"context"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/typography"
	"example.org/broadsheet/platform/web"
)

const minutesPerPage = 10

// MinuteStory is one short news with its text.
type MinuteStory struct {
	post.MinuteItem
	Body     string        `json:"body"` // the preview where it is locked
	Locked   bool          `json:"locked,omitempty"`
	Picture  *post.Image   `json:"picture,omitempty"`
	Authors  []post.Byline `json:"authors,omitempty"`
	Comments int           `json:"comments"`

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

// readMinutes reads short news with its text as a tier may read it; selected, if any, stands first, and alone can be
// open to the tier by a credit.
func (m *Module) readMinutes(ctx context.Context, tier page.Tier, selected *post.Post,
	w post.Window,
) (*MinutesData, error) {
	d := &MinutesData{Items: []MinuteStory{}, Offset: w.Offset}
	err := post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		ed := tx.Edition
		d.Layout = ed.MinutesLayout
		if d.Layout == "" {
			d.Layout = "reader"
		}
		r, err := post.FindMinutes(ctx, tx, selected, w)
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, r.IDs)
		if err != nil {
			return err
		}
		bodies, err := loadBodies(ctx, tx, r.IDs)
		if err != nil {
			return err
		}
		for _, p := range post.InOrder(posts, r.IDs) {
			own := tier
			if own == page.Entitled && (selected == nil || p.ID != selected.ID) {
				own = page.Member
			}
			d.Items = append(d.Items, MinuteStory{
				MinuteItem: p.Minute(ed), Body: typography.HTML(ed.IntlLocale,
					markup.Responsive(m.reveal(bodies[p.ID], tierAccess(own, bodies[p.ID])).HTML)),
				Locked:  p.Locked,
				Picture: p.Picture(ed), Authors: post.ShortBylines(p.Authors), Comments: p.Comments,
				Discussion: ed.DiscussionPath(p.ID),
			})
		}
		d.NextOffset, d.Next = w.Next(ed.Href(edition.Minutes), r)
		return nil
	})
	return d, err
}

// items are the short news without their texts.
func (d *MinutesData) items() []post.MinuteItem {
	out := make([]post.MinuteItem, len(d.Items))
	for i, it := range d.Items {
		out[i] = it.MinuteItem
	}
	return out
}

func (d *MinutesData) tags(tags ...string) []string {
	for _, it := range d.Items {
		tags = append(tags, post.Tag(it.ID))
	}
	return tags
}

func (m *Module) loadMinutes(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	w, err := post.ReadWindow(r.Query, minutesPerPage, minutesPerPage)
	if err != nil {
		return nil, err
	}
	d, err := m.readMinutes(ctx, r.Tier, nil, w)
	if err != nil {
		return nil, err
	}
	if !w.First() && len(d.Items) == 0 {
		return nil, web.ErrNotFound
	}
	name := i18n.T(ed, "content.minutes.title", nil)
	meta := seo.ListMeta(ed, name, i18n.T(ed, "content.minutes.description", nil),
		w.Canonical(ed.URL(ed.Href(edition.Minutes))))
	meta.JSONLD = []any{
		seo.LiveBlog(ed, name, meta, d.items()),
		seo.Breadcrumbs(ed, seo.Step{Name: name, URL: ed.URL(ed.Href(edition.Minutes))}),
	}
	return &page.Page{Data: d, Tags: d.tags(post.MinutesTag), Meta: meta}, nil
}

// minuteReader is the page of short news that begins with one of them.
func (m *Module) minuteReader(ctx context.Context, r *page.Request, s story) (*page.Page, error) {
	ed := r.Edition
	d, err := m.readMinutes(ctx, r.Tier, s.post, post.Window{Limit: minutesPerPage})
	if err != nil {
		return nil, err
	}
	d.Selected = s.post.ID
	article := m.articleData(ed, s, tierAccess(r.Tier, s.body))
	return &page.Page{
		Route: edition.Minutes, Data: d, Meta: articleMeta(ed, s, article),
		Tags: d.tags(post.Tag(s.post.ID)),
	}, nil
}
