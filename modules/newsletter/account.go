package newsletter

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/page"
)

// Profile are the sections of a reader's profile that this module fills.
func (m *Module) Profile() []page.Part {
	return []page.Part{{Name: "newsletters", Load: m.profileLists}}
}

// profileLists are the lists with those that the reader gets; nothing where the edition has none.
func (m *Module) profileLists(ctx context.Context, readerID int64) (any, error) {
	s, err := m.ReaderSettings(ctx, readerID)
	if err != nil || len(s.Lists) == 0 {
		return nil, err
	}
	return s.Lists, nil
}

// Event is a line of a reader's history with the lists.
type Event struct {
	List   string    `json:"list"`
	Action string    `json:"action"` // asked, joined, left
	Via    string    `json:"via"`
	At     time.Time `json:"at"`
}

// Export is what is known of an address here, for its owner.
type Export struct {
	Lists   []string `json:"lists"`
	History []Event  `json:"history"`
}

// Export returns all that is kept of an address; empty when nothing is.
func (m *Module) Export(ctx context.Context, email string) (out Export, err error) {
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		s, err := findByEmail(ctx, tx, email)
		if err != nil || s == nil {
			return err
		}
		if out.Lists, err = listSubscriptions(ctx, tx, s.ID); err != nil {
			return err
		}
		out.History, err = listHistory(ctx, tx, s.ID)
		return err
	})
	return out, err
}

// Erase forgets an address: it gets nothing more, and its links open nothing.
func (m *Module) Erase(ctx context.Context, email string) error {
	return m.db.Update(ctx, func(ctx context.Context, tx db.Tx) error { return deleteSubscriber(ctx, tx, email) })
}

// Move gives the lists of one address to another that was proved to be the same reader's.
func (m *Module) Move(ctx context.Context, from, to string) error {
	return m.db.Update(ctx, func(ctx context.Context, tx db.Tx) error { return moveSubscriber(ctx, tx, from, to) })
}

// Prune removes what is too old to be asked for.
func (m *Module) Prune(ctx context.Context) error { return m.db.Update(ctx, pruneAll) }
