package wordpress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/db"
)

// shelfOfMedia is what the posts of a batch need to know of pictures, by id.
type shelfOfMedia map[int64]attachment

func (m shelfOfMedia) get(id int64) (attachment, bool) {
	at, ok := m[id]
	return at, ok
}

func (m *restMedia) attachment() attachment {
	return attachment{URL: trimQuery(m.Source), Alt: blocks.Plain(m.Alt), Caption: blocks.Plain(m.Caption.either())}
}

func (m *restMedia) row(source string) *syncItem {
	data, err := json.Marshal(m.attachment())
	if err != nil { // a plain struct always has JSON
		panic(err)
	}
	return &syncItem{
		Source: source, Kind: mediaKind, Number: m.ID,
		Mark: digest([]any{m.Modified, m.attachment()}), Data: data,
	}
}

func (r *syncItem) attachment() (at attachment) {
	_ = json.Unmarshal(r.Data, &at) // written by row
	return at
}

func (r *syncItem) address() string { return r.attachment().URL }

func (s *Syncer) edit(pairs ...string) url.Values {
	q := site.Query(pairs...)
	if s.site.LoggedIn() {
		q.Set("context", "edit")
	}
	return q
}

// media finds pictures that were changed or deleted, and has the posts that show them looked at again. Only those that
// a post shows are known.
func (s *Syncer) media(ctx context.Context, full bool) error {
	var cursor time.Time
	var rows map[int64]*syncItem
	err := s.view(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if cursor, err = findCursor(ctx, tx, s.source, mediaKind); err != nil {
			return err
		}
		rows, err = findItems(ctx, tx, s.source, mediaKind)
		return err
	})
	if err != nil {
		return err
	}
	if cursor.IsZero() { // none is known yet
		return s.update(ctx, func(ctx context.Context, tx db.Tx) error {
			return saveCursor(ctx, tx, s.source, mediaKind, s.site.Now)
		})
	}
	route := "/wp/v2/media"
	list, _, err := site.List[restMedia](ctx, s.site, route,
		s.edit("_fields", mediaFields, "modified_after", stampOf(cursor.Add(-overlap)), "orderby", "modified",
			"order", "asc"))
	if err != nil {
		return err
	}
	head := cursor
	for i := range list {
		if m := restTime(list[i].Modified); m.After(head) && !m.After(s.site.Now) {
			head = m
		}
	}
	var gone []int64
	if full {
		all, err := site.Named[restMedia](ctx, s.site, route, slices.Sorted(maps.Keys(rows)), s.edit("_fields", mediaFields))
		if err != nil {
			return err
		}
		list = append(list, all...)
		there := map[int64]bool{}
		for _, m := range list {
			there[m.ID] = true
		}
		for id := range rows {
			if !there[id] {
				gone = append(gone, id)
			}
		}
	}
	for i := range list {
		if err := s.changed(ctx, rows[list[i].ID], &list[i]); err != nil {
			return err
		}
	}
	return s.update(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, id := range gone {
			if err := forgetPicture(ctx, tx, s.source, rows[id].address()); err != nil {
				return err
			}
			if err := askAgain(ctx, tx, s.source, []string{usesOf(mediaKind, id)}); err != nil {
				return err
			}
		}
		if err := dropItems(ctx, tx, s.source, mediaKind, gone); err != nil {
			return err
		}
		return saveCursor(ctx, tx, s.source, mediaKind, head)
	})
}

// changed has a picture read again that is not what it was.
func (s *Syncer) changed(ctx context.Context, was *syncItem, m *restMedia) error {
	next := m.row(s.source)
	if was == nil || was.Mark == next.Mark {
		return nil
	}
	return s.update(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := forgetPicture(ctx, tx, s.source, m.attachment().URL); err != nil {
			return err
		}
		if err := askAgain(ctx, tx, s.source, []string{usesOf(mediaKind, m.ID)}); err != nil {
			return err
		}
		return saveItems(ctx, tx, []*syncItem{next})
	})
}

// Ids of pictures as texts name them: in classes, in the settings of blocks, and in shortcodes of galleries.
var (
	mediaNames = regexp.MustCompile(`wp-image-(\d+)|data-id="(\d+)"|"(?:id|mediaId)":(\d+)`)
	mediaLists = regexp.MustCompile(`(?:ids="|ids=|"ids":\[)([\d, ]+)`)
	number     = regexp.MustCompile(`\d+`)
)

func (p *restPost) pictures() (ids []int64) {
	if p.Media > 0 {
		ids = append(ids, p.Media)
	}
	text := p.Content.either()
	for _, m := range mediaNames.FindAllStringSubmatch(text, -1) {
		ids = append(ids, blocks.ParseID(m[1]+m[2]+m[3]))
	}
	for _, m := range mediaLists.FindAllStringSubmatch(text, -1) {
		for _, n := range number.FindAllString(m[1], -1) {
			ids = append(ids, blocks.ParseID(n))
		}
	}
	return ids
}

// fetchMedia learns of the pictures that some posts show.
func (s *Syncer) fetchMedia(ctx context.Context, list []restPost) error {
	want := map[int64]bool{}
	for i := range list {
		for _, id := range list[i].pictures() {
			want[id] = id > 0
		}
	}
	return s.loadMedia(ctx, slices.Sorted(maps.Keys(want)))
}

func (s *Syncer) loadMedia(ctx context.Context, ids []int64) error {
	known := shelfOfMedia{}
	s.gallery.index = known
	var rows map[int64]*syncItem
	err := s.view(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		rows, err = findSome(ctx, tx, s.source, mediaKind, ids)
		return err
	})
	if err != nil {
		return err
	}
	var ask []int64
	for _, id := range ids {
		row := rows[id]
		if row == nil {
			ask = append(ask, id)
			continue
		}
		known[id] = row.attachment()
	}
	found, err := site.Named[restMedia](ctx, s.site, "/wp/v2/media", ask, s.edit("_fields", mediaFields))
	if err != nil {
		return err
	}
	var fresh []*syncItem
	for i := range found {
		known[found[i].ID] = found[i].attachment()
		fresh = append(fresh, found[i].row(s.source))
	}
	return s.update(ctx, func(ctx context.Context, tx db.Tx) error {
		for i := range found {
			// An address is given again when its picture was deleted.
			address := found[i].attachment().URL
			delete(s.gallery.known, address)
			if err := forgetOther(ctx, tx, s.source, address, found[i].ID); err != nil {
				return err
			}
		}
		return saveItems(ctx, tx, fresh)
	})
}

// picture is the gallery's, with the words that the site has for it now.
func (s *Syncer) picture(ctx context.Context, ref blocks.PictureRef) (post.Picture, string, error) {
	p, reason, err := s.gallery.take(ctx, ref)
	if at, ok := s.gallery.index.get(ref.ID); ok && err == nil && reason == "" {
		p.Alt, p.Caption = at.Alt, at.Caption
	}
	return p, reason, err
}

// shared reads a block that posts share.
func (s *Syncer) shared(ctx context.Context, id int64) (blocks.SharedBlock, bool) {
	list, err := site.Named[restBlock](ctx, s.site, "/wp/v2/blocks", []int64{id}, s.edit())
	if err != nil || len(list) == 0 {
		return blocks.SharedBlock{}, false // the converter says so
	}
	return blocks.SharedBlock{Content: list[0].Content.either()}, true
}

// children are the pictures that were uploaded to a post, for galleries that name none.
func (s *Syncer) children(ctx context.Context, id int64) (ids []int64, err error) {
	list, _, err := site.List[restMedia](ctx, s.site, "/wp/v2/media",
		s.edit("_fields", mediaFields, "parent", strconv.FormatInt(id, 10), "orderby", "id", "order", "asc"))
	var e *site.Error
	if errors.As(err, &e) {
		return nil, fmt.Errorf("its pictures cannot be listed: %w", err)
	}
	known, ok := s.gallery.index.(shelfOfMedia)
	for i := range list {
		ids = append(ids, list[i].ID)
		if ok {
			known[list[i].ID] = list[i].attachment()
		}
	}
	return ids, err
}
