package billing

import (
	"context"
	"errors"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// SweepTransfers ends what was paid by transfer and is over, asks for the next year of what ends soon, makes orders
// void that nobody has paid, and reminds of those that are due. Hours that were missed are caught up: it asks about
// states.
func (m *Module) SweepTransfers(ctx context.Context) error {
	return errors.Join(m.endTransfers(ctx), m.voidTransfers(ctx), m.remindTransfers(ctx), m.renewTransfers(ctx))
}

func (m *Module) endTransfers(ctx context.Context) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		readers, err := endTransfers(ctx, tx)
		if err != nil {
			return err
		}
		for _, id := range readers {
			if err := access.Changed(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *Module) voidTransfers(ctx context.Context) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		// One that is being paid just now is left to the payment.
		list, err := selectTransfers(ctx, tx, "state = 'open' AND void_at <= ? ORDER BY id LIMIT 1000 FOR UPDATE SKIP "+
			"LOCKED", tx.Now)
		if err != nil {
			return err
		}
		for i := range list {
			if err := voidTransfer(ctx, tx, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *Module) remindTransfers(ctx context.Context) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		ids, err := claimTransferReminders(ctx, tx)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := outbox.Tell(ctx, tx, event.TransferDue, event.Transfer{TransferID: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// renewTransfers makes the orders for the next year. Each is a transaction of its own, because documents of a series
// wait for each other.
func (m *Module) renewTransfers(ctx context.Context) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	var list []access.Subscription
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listEnding(ctx, tx)
		return err
	})
	errs := []error{err}
	for i := range list {
		s := &list[i]
		p := transferable(ed, s.Product)
		if p == nil { // not sold so any more
			continue
		}
		if err := m.renewTransfer(ctx, s, p); err != nil && !errors.Is(err, ErrLeft) {
			errs = append(errs, fmt.Errorf("billing: the next year of %s: %w", s.Key(), err))
		}
	}
	return errors.Join(errs...)
}

func (m *Module) renewTransfer(ctx context.Context, s *access.Subscription, p *edition.Product) error {
	customer, _, err := m.Invoices.Buyer(ctx, s.ReaderID)
	if err == nil {
		err = m.Invoices.CheckVATNumber(ctx, event.Payer{ReaderID: s.ReaderID})
	}
	if err != nil {
		return err
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, s.ReaderID); err != nil {
			return err
		}
		now, err := access.Find(ctx, tx, "id = ?", s.ID)
		if err != nil || now == nil || now.Uncovered || !now.PeriodEnd.Equal(s.PeriodEnd) {
			return err
		}
		has, err := access.FindPaid(ctx, tx, s.ReaderID)
		if err != nil || has != nil && has.ID != s.ID {
			return err
		}
		granted, err := grantedUntil(ctx, tx, s.ReaderID)
		if err != nil {
			return err
		}
		end := access.Later(s.PeriodEnd, granted)
		if end.After(tx.Now.Add(yearBefore)) { // something was given meanwhile
			return nil
		}
		mine, err := claimRenewal(ctx, tx, s.ID, end)
		if err != nil || !mine {
			return err
		}
		open, err := findTransfer(ctx, tx, "reader_id = ? AND state = 'open'", s.ReaderID)
		if err != nil || open != nil {
			return err
		}
		_, err = m.makeTransfer(ctx, tx, s.ReaderID, p, customer, "")
		return err
	})
}
