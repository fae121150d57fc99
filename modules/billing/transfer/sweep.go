package transfer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// Sweep ends what was paid by transfer and is over, asks for the next year of what ends soon, makes orders
// void that nobody has paid, and reminds of those that are due. Hours that were missed are caught up: it asks about
// states.
func (s *Service) Sweep(ctx context.Context) error {
	return errors.Join(s.endTransfers(ctx), s.voidTransfers(ctx), s.remindTransfers(ctx), s.renewTransfers(ctx))
}

func (s *Service) endTransfers(ctx context.Context) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
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

// voidTransfers makes orders void, each by itself: one that fails stays as it is, and the others are void.
func (s *Service) voidTransfers(ctx context.Context) error {
	const due = "state = 'open' AND void_at <= ?"
	var list []Order
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = Select(ctx, tx, due+" ORDER BY id LIMIT 1000", tx.Now)
		return err
	})
	errs := []error{err}
	for _, one := range list {
		err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			// One that is being paid just now is left to the payment.
			o, err := Find(ctx, tx, due+" AND id = ? FOR UPDATE SKIP LOCKED", tx.Now, one.ID)
			if err != nil || o == nil {
				return err
			}
			return Void(ctx, tx, o)
		})
		if err != nil {
			errs = append(errs, fmt.Errorf("billing: making order %s void: %w", one.Reference, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

func (s *Service) remindTransfers(ctx context.Context) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
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
func (s *Service) renewTransfers(ctx context.Context) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	var list []access.Subscription
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listEnding(ctx, tx)
		return err
	})
	errs := []error{err}
	for i := range list {
		sub := &list[i]
		p := renews(ed, sub.Product)
		if p == nil { // not sold so any more
			continue
		}
		if err := s.Renew(ctx, sub, p); err != nil && !errors.Is(err, event.ErrReaderLeft) {
			errs = append(errs, fmt.Errorf("billing: the next year of %s: %w", sub.Key(), err))
		}
	}
	return errors.Join(errs...)
}

// Renew makes the order for the next year of a subscription, unless there is one.
func (s *Service) Renew(ctx context.Context, sub *access.Subscription, p *edition.Product) error {
	customer, _, err := s.invoices.Buyer(ctx, sub.ReaderID)
	if err == nil {
		err = s.invoices.CheckVATNumber(ctx, event.Payer{ReaderID: sub.ReaderID})
	}
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, sub.ReaderID); err != nil {
			return err
		}
		now, err := access.Find(ctx, tx, "id = ?", sub.ID)
		if err != nil || now == nil || now.Uncovered || !now.PeriodEnd.Equal(sub.PeriodEnd) {
			return err
		}
		has, err := access.FindPaid(ctx, tx, sub.ReaderID)
		if err != nil || has != nil && has.ID != sub.ID {
			return err
		}
		granted, err := access.GrantedUntil(ctx, tx, sub.ReaderID)
		if err != nil {
			return err
		}
		end := access.Later(sub.PeriodEnd, granted)
		if end.After(tx.Now.Add(YearBefore)) { // something was given meanwhile
			return nil
		}
		mine, err := claimRenewal(ctx, tx, sub.ID, end)
		if err != nil || !mine {
			return err
		}
		open, err := Find(ctx, tx, "reader_id = ? AND state = 'open'", sub.ReaderID)
		if err != nil || open != nil {
			return err
		}
		_, err = s.create(ctx, tx, sub.ReaderID, p, customer, "", time.Time{})
		return err
	})
}

// YearBefore is how long before the end of a year its reader is reminded of the next one.
const YearBefore = 14 * 24 * time.Hour
