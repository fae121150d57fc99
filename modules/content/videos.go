package content

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/web"
)

const (
	firstVideos = 21 // a lead, and rows of four
	laterVideos = 12
)

// VideosData is what the page of videos shows.
type VideosData struct {
	Cards      []Card `json:"cards"`
	Offset     int    `json:"offset"`
	NextOffset int    `json:"nextOffset,omitempty"`
	Next       string `json:"next,omitempty"`
}

func (m *Module) loadVideos(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	w, err := readWindow(r.Query, firstVideos, laterVideos)
	if err != nil {
		return nil, err
	}
	path := ed.Href(edition.Videos)
	d := &VideosData{Offset: w.Offset}
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		found, err := findListed(ctx, tx, videoPosts.where, w)
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, found.ids)
		d.Cards = cards(ed, posts, found.ids)
		d.NextOffset, d.Next = w.following(path, found)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !w.first() && len(d.Cards) == 0 {
		return nil, web.ErrNotFound
	}
	name := i18n.T(ed, "content.videos.title", nil)
	p := &page.Page{Data: d, Tags: carrying([]string{frontTag}, d.Cards)}
	p.Meta = listMeta(ed, name, i18n.T(ed, "content.videos.description", nil), w.canonical(ed.URL(path)))
	p.Meta.JSONLD = []any{
		collection(ed, name, p.Meta, d.Offset, cardSteps(ed, d.Cards)),
		breadcrumbs(ed, step{name, ed.URL(path)}),
	}
	if len(d.Cards) > 0 {
		p.Meta.Image, p.Preload = shareImage(ed, d.Cards[0].Picture), preload(d.Cards[0].Picture, leadSlot)
	}
	return p, nil
}
