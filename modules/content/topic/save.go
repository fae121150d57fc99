package topic

import (
	"context"
	"maps"
	"slices"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
)

// Save writes a tag or weekly topic; the slug says which. Faults: post.ErrInvalid with the field, also for a picture
// that was not saved before.
func (ts *Topics) Save(ctx context.Context, t Tag) (id int64, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return 0, err
	}
	t.Name, t.Description = markup.OneLine(t.Name), markup.OneLine(t.Description)
	if t.Slug = post.Slug(ed.Lang(), t.Slug); t.Slug == "" {
		t.Slug = post.Slug(ed.Lang(), t.Name)
	}
	switch {
	case t.Name == "" || t.Slug == "":
		return 0, post.ErrInvalid.On("name").Becausef("tag %q has no name", t.Slug)
	case t.Slug == currentSlug(ed):
		return 0, post.ErrInvalid.On("slug").Becausef("tag %q: the slug names the current topic, whichever that is", t.Slug)
	case len(t.Covers) > maxCovers:
		return 0, post.ErrInvalid.On("covers").Becausef("tag %q has %d covers, more than %d", t.Slug,
			len(t.Covers), maxCovers)
	}
	err = ts.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := post.LockWriting(ctx, tx); err != nil {
			return err
		}
		current, err := FindCurrent(ctx, tx)
		if err != nil {
			return err
		}
		is, was, changed, err := upsertTag(ctx, tx, t)
		if err != nil || !changed {
			if err == nil {
				id = is.ID
			}
			return err
		}
		id = is.ID
		if err := schedule(ctx, tx, is); err != nil {
			return err
		}
		return notifyChange(ctx, tx, is, was, current)
	})
	return id, err
}

// notifyChange announces a tag: to the pages that name it, to those of the topics beside it, and, where it is or was
// the current one, to the front page.
func notifyChange(ctx context.Context, tx db.Tx, is, was, current *Row) error {
	tags := map[string]bool{post.TopicNameTag(is.Slug): true, post.TopicTag(is.Slug): true}
	for _, t := range []*Row{is, was} {
		if t == nil || t.PublishedAt.IsZero() {
			continue
		}
		tags[post.TopicsTag] = true
		newer, older, err := findNeighbours(ctx, tx, t)
		if err != nil {
			return err
		}
		for _, n := range []*Row{newer, older} {
			if n != nil {
				tags[post.TopicTag(n.Slug)] = true
			}
		}
	}
	now, err := FindCurrent(ctx, tx)
	if err != nil {
		return err
	}
	if (current != nil && current.ID == is.ID) || (now != nil && now.ID == is.ID) {
		tags[post.FrontTag] = true
	}
	return notify.Tell(ctx, tx, notify.Content, slices.Sorted(maps.Keys(tags))...)
}
