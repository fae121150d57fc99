package content

import (
	"context"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

const (
	firstVideos = 21 // a lead, and rows of four
	laterVideos = 12
)

// VideosData is what the page of videos shows.
type VideosData struct {
	Cards      []post.Card `json:"cards"`
	Offset     int         `json:"offset"`
	NextOffset int         `json:"nextOffset,omitempty"`
	Next       string      `json:"next,omitempty"`
}

func (m *Module) loadVideos(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	w, err := post.ReadWindow(r.Query, firstVideos, laterVideos)
	if err != nil {
		return nil, err
	}
	path := ed.Href(edition.Videos)
	d := &VideosData{Offset: w.Offset}
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		found, err := post.FindWhere(ctx, tx, post.Videos.Where, w)
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, found.IDs)
		d.Cards = post.CardsByID(ed, posts, found.IDs)
		d.NextOffset, d.Next = w.Next(path, found)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !w.First() && len(d.Cards) == 0 {
		return nil, web.ErrNotFound
	}
	name := i18n.T(ed, "content.videos.title", nil)
	p := &page.Page{Data: d, Tags: post.WithCardTags([]string{post.FrontTag}, d.Cards)}
	p.Meta = seo.ListMeta(ed, name, i18n.T(ed, "content.videos.description", nil), w.Canonical(ed.URL(path)))
	p.Meta.JSONLD = []any{
		seo.Collection(ed, name, p.Meta, d.Offset, seo.CardSteps(ed, d.Cards)),
		seo.Breadcrumbs(ed, seo.Step{Name: name, URL: ed.URL(path)}),
	}
	if len(d.Cards) > 0 {
		p.Meta.Image, p.Preload = seo.ShareImage(ed, d.Cards[0].Picture), seo.Preload(d.Cards[0].Picture, seo.Lead)
	}
	return p, nil
}
