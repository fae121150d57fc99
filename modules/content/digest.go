package content

import (
	"context"
	"slices"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/db"
)

// Digest is what an email shows of the newspaper: headlines and excerpts, never a body.
type Digest struct {
	Stories []post.Card       // the editors' choice first, then the newest
	Minutes []post.MinuteItem // newest first
}

// digestSpare is how many more are read than are shown, since the newest are chosen among those of several lists.
const digestSpare = 40

// DigestSince chooses what was published after an instant: at most stories articles and minutes short news.
func (m *Module) DigestSince(ctx context.Context, since time.Time, stories, minutes int) (d Digest, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		lists, err := post.FindLists(ctx, tx, post.Featured, post.Picked, post.Recent.Top(stories+digestSpare), post.Minutes)
		if err != nil {
			return err
		}
		ids := slices.Concat(lists[post.Featured.Name], lists[post.Picked.Name], lists[post.Recent.Name])
		all := slices.Concat(ids, lists[post.Minutes.Name])
		slices.Sort(all)
		posts, err := post.Load(ctx, tx, t, slices.Compact(all))
		if err != nil {
			return err
		}
		fresh := func(p *post.Post) bool { return p.PublishedAt.After(since) }
		k := newPicker(tx.Edition, posts)
		d.Stories = k.take(ids, stories, fresh)
		for _, id := range lists[post.Minutes.Name] {
			if p := posts[id]; p != nil && fresh(p) && len(d.Minutes) < minutes {
				d.Minutes = append(d.Minutes, p.Minute(tx.Edition))
			}
		}
		return nil
	})
	return d, err
}

// CurrentTopic returns the weekly topic and its newest articles; nil when there is none.
func (m *Module) CurrentTopic(ctx context.Context, articles int) (weekly *topic.Topic, list []post.Card, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		current, err := topic.FindCurrent(ctx, tx)
		if err != nil {
			return err
		}
		if weekly = current.IfShown(tx.Edition); weekly == nil {
			return nil
		}
		r, err := post.FindIn(ctx, tx, post.InTag, []int64{current.ID}, "article", post.Window{Limit: articles})
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, r.IDs)
		list = post.CardsByID(tx.Edition, posts, r.IDs)
		return err
	})
	return weekly, list, err
}

// CardOf returns a published post as lists show it; nil when there is none.
func (m *Module) CardOf(ctx context.Context, id int64) (c *post.Card, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		posts, err := post.Load(ctx, tx, t, []int64{id})
		if err != nil || posts[id] == nil {
			return err
		}
		one := posts[id].Card(tx.Edition)
		c = &one
		return nil
	})
	return c, err
}
