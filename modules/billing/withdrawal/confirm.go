package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// RemindAfter is how long after a statement its mailbox is asked a second and last time to confirm it.
const RemindAfter = 3 * 24 * time.Hour

// StatementOf reads a link to a statement. mailed reports whether it is the one that only the mailbox has got.
func (s *Service) StatementOf(ed *edition.Edition, link string) (id int64, mailed bool) {
	if id = s.links.Open(ed, links.Withdrawal, link); id != 0 {
		return id, false
	}
	id = s.links.Open(ed, links.Mailbox, link)
	return id, id != 0
}

// IsOwn reports whether the address of a statement is that of a reader; 0 is a visitor.
func (s *Service) IsOwn(ctx context.Context, id, readerID int64) (bool, error) {
	if id == 0 || readerID == 0 {
		return false, nil
	}
	var w *Contract
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		w, err = FindStatement(ctx, tx, id, false)
		return err
	})
	if err != nil || w == nil || w.Email == "" {
		return false, err
	}
	of, err := s.contacts.ReaderOf(ctx, w.Email)
	return of == readerID, err
}

// confirmStatement has a statement carried out that was received before, once.
func confirmStatement(ctx context.Context, tx db.Tx, w *Contract) error {
	if w.State != Received || !w.ConfirmedAt.IsZero() {
		return nil
	}
	if err := setConfirmed(ctx, tx, w.ID); err != nil {
		return err
	}
	return outbox.Once(ctx, tx, event.WithdrawalSent, event.Withdrawal{WithdrawalID: w.ID},
		fmt.Sprintf("withdrawal_confirmed:%d", w.ID))
}

func remindToConfirm(ctx context.Context, tx db.Tx, w *Contract) error {
	return outbox.LaterOnce(ctx, tx, event.WithdrawalSent, event.Withdrawal{WithdrawalID: w.ID, Reminder: true},
		w.ReceivedAt.Add(RemindAfter), fmt.Sprintf("withdrawal_reminder:%d", w.ID))
}

// Statement is a withdrawal as support sees it.
type Statement struct {
	ID          int64
	Name        string
	Email       string
	Contract    string // subscription, gift
	State       string // received, none, matched, done
	ReceivedAt  time.Time
	ConfirmedAt time.Time // zero while it waits for its sender
}

// ErrNoStatement is a number of a statement that does not wait to be confirmed.
var ErrNoStatement = errors.New("billing: no withdrawal that waits has this number; `broadsheet withdrawal list` has " +
	"them")

// Statements lists the withdrawals that wait to be confirmed, the oldest first; with all, every one of the last 90 days
// with them.
func (s *Service) Statements(ctx context.Context, all bool) (list []Statement, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = listStatements(ctx, tx, all)
		return err
	})
	return list, err
}

// Confirm has a withdrawal carried out whose sender has proved to support who they are. With dry, nothing is
// written.
func (s *Service) Confirm(ctx context.Context, id int64, dry bool) (st Statement, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		w, err := FindStatement(ctx, tx, id, true)
		if err != nil {
			return err
		}
		if w == nil || w.State != Received || !w.ConfirmedAt.IsZero() || w.Email == "" {
			return ErrNoStatement
		}
		st = Statement{w.ID, w.Name, w.Email, w.Contract, w.State, w.ReceivedAt, w.ConfirmedAt}
		if dry {
			return nil
		}
		return confirmStatement(ctx, tx, w)
	})
	return st, err
}
