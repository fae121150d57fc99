package wordpress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/db"
)

// tags compares all tags, when all ids are compared.
func (s *Syncer) tags(ctx context.Context) error {
	if len(s.terms[tagsKind]) == 0 {
		return nil // they come with the posts
	}
	list, _, err := site.List[restTerm](ctx, s.site, "/wp/v2/tags",
		site.Query("_fields", "id,name,slug,description", "orderby", "id", "order", "asc", "hide_empty", "false"))
	if err != nil {
		return err
	}
	listed := map[int64]bool{}
	for i := range list {
		listed[list[i].ID] = true
		if s.terms[tagsKind][list[i].ID] == nil {
			continue
		}
		if err := s.tag(ctx, &list[i]); err != nil {
			return err
		}
	}
	gone, err := s.missing(ctx, tagsKind, listed)
	if err != nil {
		return err
	}
	for _, row := range gone {
		if err := s.drop(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

// fetchTags learns of the tags of some posts.
func (s *Syncer) fetchTags(ctx context.Context, list []restPost) error {
	want := map[int64]bool{}
	for i := range list {
		for _, id := range list[i].Tags {
			if s.terms[tagsKind][id] == nil {
				want[id] = true
			}
		}
	}
	found, err := site.Named[restTerm](ctx, s.site, "/wp/v2/tags", slices.Sorted(maps.Keys(want)),
		site.Query("_fields", "id,name,slug,description", "hide_empty", "false"))
	if err != nil {
		return err
	}
	for i := range found {
		if err := s.tag(ctx, &found[i]); err != nil {
			return err
		}
	}
	return nil
}

// tag takes one tag; its address stays what it was when the name changes.
func (s *Syncer) tag(ctx context.Context, t *restTerm) error {
	name := blocks.Plain(t.Name)
	mark := digest([]string{name, blocks.Plain(t.Description)})
	row := s.terms[tagsKind][t.ID]
	if row != nil && row.Mark == mark {
		return nil
	}
	next := &syncItem{Source: s.source, Kind: tagsKind, Number: t.ID, Mark: mark}
	e := Entry{Kind: "tag", Title: name, ID: strconv.FormatInt(t.ID, 10), Outcome: Taken}
	if row != nil && row.Slug != "" {
		next.Slug, e.Outcome = row.Slug, Changed
	} else {
		next.Slug = s.terms.freeSlug(tagsKind, t.ID, post.Slug(s.ed.Lang(), cmp.Or(unescape(t.Slug), name)))
	}
	here := topic.Tag{Slug: next.Slug, Name: name, Description: blocks.Plain(t.Description)}
	err := s.view(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		here.Published, here.Covers, err = findTopic(ctx, tx, next.Slug)
		return err
	})
	if err != nil {
		return err
	}
	if _, err := s.o.Library.SaveTag(ctx, here); errors.Is(err, post.ErrInvalid) {
		next.Slug, e.Outcome, e.Reason = "", Left, err.Error()
	} else if err != nil {
		return fmt.Errorf("tag %d: %w", t.ID, err)
	}
	if err := s.keep(ctx, next); err != nil {
		return err
	}
	s.report.add(e)
	return nil
}
