package content

import (
	"context"
	"fmt"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// schedule asks to be reminded of the posts whose time is still to come. What is out already needs no reminder, however
// many posts are saved at once.
func schedule(ctx context.Context, tx db.Tx, saved []*preparedPost) error {
	for _, s := range saved {
		at := s.row.PublishedAt.Truncate(time.Microsecond) // as it is stored
		if s.row.Status != post.StatusPublished || !at.After(tx.Now) {
			continue
		}
		key := fmt.Sprintf("%s:%d:%d", event.PostDue, s.row.ID, at.UnixMicro())
		if err := outbox.LaterOnce(ctx, tx, event.PostDue, event.DuePost{PostID: s.row.ID, At: at}, at, key); err != nil {
			return err
		}
	}
	return nil
}

// announceDue announces a post whose time has come, as it was announced when it was saved: every page that was made
// since then was made without it. Nothing is announced of one that was taken back or has another time now; whoever
// moved it has announced that.
func (m *Module) announceDue(ctx context.Context, e event.DuePost) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		row, err := findScheduled(ctx, tx, e.PostID, e.At)
		if err != nil || row == nil {
			return err
		}
		out := []*preparedPost{{row: row}}
		places, err := findRanks(ctx, tx, out)
		if err != nil {
			return err
		}
		return announce(ctx, tx, out, nil, places)
	})
}
