package content

import (
	"context"
	"slices"
	"time"

	"example.org/broadsheet/platform/db"
)

// Digest is what a letter tells of the paper: headlines and excerpts, never a body.
type Digest struct {
	Stories []Card       // the editors' choice first, then the newest
	Minutes []MinuteItem // newest first
}

// digestSpare is how many more are read than are told, since the newest are chosen among those of several lists.
const digestSpare = 40

// DigestSince chooses what was published after an instant: at most stories articles and minutes short news.
func (m *Module) DigestSince(ctx context.Context, since time.Time, stories, minutes int) (d Digest, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		lists, err := findLists(ctx, tx, featuredPosts, pickedPosts, recentPosts.page(stories+digestSpare), minutePosts)
		if err != nil {
			return err
		}
		ids := slices.Concat(lists[featuredPosts.name], lists[pickedPosts.name], lists[recentPosts.name])
		all := slices.Concat(ids, lists[minutePosts.name])
		slices.Sort(all)
		posts, err := loadPosts(ctx, tx, t, slices.Compact(all))
		if err != nil {
			return err
		}
		fresh := func(p *post) bool { return p.PublishedAt.After(since) }
		k := newPicker(tx.Edition, posts)
		d.Stories = k.take(ids, stories, fresh)
		for _, id := range lists[minutePosts.name] {
			if p := posts[id]; p != nil && fresh(p) && len(d.Minutes) < minutes {
				d.Minutes = append(d.Minutes, p.minute(tx.Edition))
			}
		}
		return nil
	})
	return d, err
}

// CurrentTopic returns the weekly topic and its newest articles; nil when there is none.
func (m *Module) CurrentTopic(ctx context.Context, articles int) (topic *Topic, list []Card, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		current, err := findCurrentTopic(ctx, tx)
		if err != nil {
			return err
		}
		if topic = current.or(tx.Edition); topic == nil {
			return nil
		}
		r, err := findShelved(ctx, tx, inTag, []int64{current.ID}, "article", Window{Limit: articles})
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, r.ids)
		list = cards(tx.Edition, posts, r.ids)
		return err
	})
	return topic, list, err
}

// CardOf returns a published post as lists show it; nil when there is none.
func (m *Module) CardOf(ctx context.Context, id int64) (c *Card, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		posts, err := loadPosts(ctx, tx, t, []int64{id})
		if err != nil || posts[id] == nil {
			return err
		}
		one := posts[id].card(tx.Edition)
		c = &one
		return nil
	})
	return c, err
}
