package wordpress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/db"
)

// incomingPost is a post on its way.
type incomingPost struct {
	post  *restPost
	draft content.Draft
	row   *syncItem
	line  Entry
	out   bool    // it is not for readers
	notes []Entry // what was left of it
}

// take converts and saves posts. A post is saved before its row is written, so that a kill between the two costs
// one more look.
func (s *Syncer) take(ctx context.Context, k kind, list []restPost, now time.Time) error {
	if err := s.fetchMedia(ctx, list); err != nil {
		return err
	}
	if err := s.fetchTags(ctx, list); err != nil {
		return err
	}
	var ready []*incomingPost
	var closed []int64
	for i := range list {
		t, err := s.draft(ctx, k, &list[i])
		if err != nil {
			return err
		}
		ready = append(ready, t)
		if t.out {
			closed = append(closed, t.post.ID)
		}
	}
	if err := checkLock(ctx, s.lock); err != nil {
		return err
	}
	if err := s.save(ctx, ready); err != nil {
		return err
	}
	if err := s.closePosts(ctx, closed); err != nil {
		return err
	}
	rows := make([]*syncItem, len(ready))
	for i, t := range ready {
		rows[i] = t.row
	}
	if err := s.update(ctx, func(ctx context.Context, tx db.Tx) error { return saveItems(ctx, tx, rows) }); err != nil {
		return err
	}
	for _, t := range ready {
		s.report.add(t.line)
		if t.line.Outcome != Unchanged { // else it was said when it was taken
			for _, e := range t.notes {
				s.report.add(e)
			}
		}
		if now.Sub(t.post.modified()) >= overlap {
			s.settled[t.row.Mark] = true
		}
	}
	return nil
}

// closePosts takes out posts that are there, but no longer for readers.
func (s *Syncer) closePosts(ctx context.Context, ids []int64) error {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = strconv.FormatInt(id, 10)
	}
	if len(names) == 0 {
		return nil
	}
	_, err := s.o.Library.Withdraw(ctx, s.source, names)
	return err
}

// save writes those drafts that are not here exactly like that; one that cannot be saved at all is left.
func (s *Syncer) save(ctx context.Context, ready []*incomingPost) error {
	var todo []content.Draft
	for _, t := range ready {
		if t.out {
			continue
		}
		found, err := s.o.Library.Compare(ctx, []content.Draft{t.draft})
		switch {
		case errors.Is(err, post.ErrInvalid):
			t.out = true
			t.line.Outcome, t.line.Reason = Left, err.Error()
			continue
		case err != nil:
			return err
		case found[0].ID == 0:
			t.line.Outcome = Taken
		case found[0].Changed:
			t.line.Outcome = Changed
		default:
			t.line.Outcome = Unchanged
			continue
		}
		todo = append(todo, t.draft)
	}
	if len(todo) == 0 {
		return nil
	}
	if _, err := s.o.Library.SavePosts(ctx, todo); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	return nil
}

// draft converts one post.
func (s *Syncer) draft(ctx context.Context, k kind, p *restPost) (*incomingPost, error) {
	id := strconv.FormatInt(p.ID, 10)
	t := &incomingPost{post: p, row: &syncItem{Source: s.source, Kind: k.route, Number: p.ID, Mark: s.mark(&p.restListed)}}
	t.line = Entry{Kind: k.name, Title: blocks.Plain(p.Title.either()), ID: id, Link: p.Link}
	if p.Content.Protected || p.Password != "" {
		t.out = true
		t.line.Outcome, t.line.Reason = Left, "it has a password there"
		return t, nil
	}
	noted := func(o Outcome) func(int, string, string) {
		return func(_ int, what, reason string) {
			t.notes = append(t.notes, Entry{Kind: what, Title: t.line.Title, ID: id, Link: p.Link, Outcome: o, Reason: reason})
		}
	}
	left := func(what, reason string) { noted(Left)(0, what, reason) }
	uses := map[string]bool{}
	s.gallery.unsure = false
	c := &blocks.Converter{
		Ctx: ctx, Home: s.site.Home, Rendered: p.Content.Raw == nil, Counted: s.report.block, Left: noted(Left),
		Changed: noted(Noted),
		Picture: func(ctx context.Context, ref blocks.PictureRef) (post.Picture, string, error) {
			if ref.ID > 0 {
				uses[usesOf(mediaKind, ref.ID)] = true
			}
			return s.picture(ctx, ref)
		},
		SharedBlock: func(id int64) (blocks.SharedBlock, bool) { return s.shared(ctx, id) },
		Attachments: func() []int64 {
			ids, err := s.children(ctx, p.ID)
			if err != nil {
				left("gallery", err.Error())
			}
			return ids
		},
	}
	body, err := c.Convert(p.Content.either(), 0, p.footnotes())
	if err != nil {
		return nil, err
	}
	d := content.Draft{
		Source: s.source, SourceID: id, Type: k.as, Status: post.StatusPublished,
		Slug: unescape(p.Slug), Title: t.line.Title, Excerpt: p.excerpt(), Body: body, Published: restTime(p.Date),
		Modified: p.modified(),
	}
	if d.Modified.Before(d.Published) {
		d.Modified = d.Published
	}
	if p.Sticky && d.Type == post.TypeArticle {
		d.Pick = 1
	}
	if p.Media > 0 {
		uses[usesOf(mediaKind, p.Media)] = true
		picture, reason, err := s.picture(ctx, blocks.PictureRef{ID: p.Media})
		switch {
		case err != nil:
			return nil, err
		case reason != "":
			left("image", "of the head: "+reason)
		default:
			lead(&d, picture)
		}
	}
	if err := s.file(ctx, p, &d, uses); err != nil {
		return nil, err
	}
	d.Redirects = redirects(s.ed, p.ID, p.Link, "", left)
	s.filing.apply(&d, d.Categories, d.Tags, left)
	shorten(&d, left)
	t.row.Uses, t.row.Retry = slices.Sorted(maps.Keys(uses)), s.gallery.unsure
	switch {
	case d.Title == "":
		t.out = true
		t.line.Outcome, t.line.Reason = Left, "it has neither a title nor text"
	case d.Body == "" && d.Type != post.TypePage:
		t.out = true
		t.line.Outcome, t.line.Reason = Left, "nothing to read is left of its text"
	}
	t.line.Title, t.draft = d.Title, d
	return t, nil
}

// file says who wrote it, and where it stands.
func (s *Syncer) file(ctx context.Context, p *restPost, d *content.Draft, uses map[string]bool) error {
	for i := range p.Embedded.Authors {
		if u := &p.Embedded.Authors[i]; u.ID == p.Author {
			if err := s.person(ctx, u); err != nil {
				return err
			}
		}
	}
	if p.Author > 0 {
		uses[usesOf(usersKind, p.Author)] = true
		if slug := s.terms.slug(usersKind, p.Author); slug != "" {
			d.Authors = []string{slug}
		}
	}
	for _, id := range p.Categories {
		uses[usesOf(categoriesKind, id)] = true
		if slug := s.terms.slug(categoriesKind, id); slug != "" {
			d.Categories = append(d.Categories, slug)
		}
	}
	for _, id := range p.Tags {
		uses[usesOf(tagsKind, id)] = true
		if slug := s.terms.slug(tagsKind, id); slug != "" {
			d.Tags = append(d.Tags, slug)
		}
	}
	if len(d.Categories) == 0 && d.Type == post.TypeArticle && s.o.Category != "" {
		d.Categories = []string{s.o.Category}
	}
	return nil
}

// excerpt is what somebody has written; the beginning of the text, which WordPress takes for want of one, is none.
func (p *restPost) excerpt() string {
	text := blocks.Plain(p.Excerpt.either())
	if p.Excerpt.Raw == nil && begins(text, blocks.Plain(p.Content.Rendered)) {
		return ""
	}
	return text
}

func (p *restPost) footnotes() string {
	var meta struct {
		Footnotes string `json:"footnotes"`
	}
	if json.Unmarshal(p.Meta, &meta) != nil { // an empty list, where there is nothing
		return ""
	}
	return meta.Footnotes
}
