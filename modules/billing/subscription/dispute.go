package subscription

import (
	"context"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// noteDisputes writes what the provider says of the disputes about a payment of a subscription. While the money is
// gone, nothing more is charged without the reader's act: the subscription is ended at once if the payment was for what
// is read now or if another one is due, and with its period otherwise. What a dispute has shut is given back if it is
// won.
func (s *Service) noteDisputes(ctx context.Context, acc *stripe.Account, f stripe.Charge) error {
	remote, err := acc.Subscription(ctx, f.Subscription)
	if err != nil {
		return err
	}
	owes := false
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		reader, err := findInvoiceReader(ctx, tx, f.Invoice.ProviderID)
		if err != nil || reader == 0 {
			return err
		}
		if err := access.LockReader(ctx, tx, reader); err != nil {
			return err
		}
		if err := noteCharge(ctx, tx, *f.Invoice); err != nil {
			return err
		}
		for _, d := range f.Disputes {
			if err := s.noteDispute(ctx, tx, remote, f, reader, d); err != nil {
				return err
			}
		}
		owes, err = access.OwesEnd(ctx, tx, f.Subscription)
		return err
	})
	if err != nil || !owes {
		return err
	}
	return s.endDisputed(ctx, acc, remote)
}

func (s *Service) noteDispute(ctx context.Context, tx db.Tx, remote stripe.Subscription, f stripe.Charge, reader int64,
	d stripe.Dispute,
) error {
	latest := remote.Invoice != nil && remote.Invoice.ProviderID == f.Invoice.ProviderID && f.TakenBack()
	noted, turn, err := s.access.NoteDispute(ctx, tx, access.Dispute{
		ProviderID: d.ID, Charge: d.Charge, Subscription: f.Subscription, Paid: f.Invoice.ProviderID, ReaderID: reader,
		Amount: d.Amount, Currency: d.Currency, State: d.State, OpenedAt: d.OpenedAt,
	}, latest && remote.Status.Live(), remote.PeriodEnd)
	if err != nil {
		return err
	}
	if err := access.GiveBack(ctx, tx, noted); err != nil || turn == access.TurnNone {
		return err
	}
	return outbox.Once(ctx, tx, event.DisputeTurned, event.Disputed{DisputeID: d.ID, Turn: string(turn)},
		fmt.Sprintf("dispute:%s:%s", d.ID, turn))
}

// endDisputed ends a subscription of which a payment is gone. It may be repeated.
func (s *Service) endDisputed(ctx context.Context, acc *stripe.Account, remote stripe.Subscription) error {
	ifPaid := access.WithPeriod
	if in := remote.Invoice; in != nil && in.Disputed {
		ifPaid = access.AtOnce
	}
	var err error
	if remote.Status.Live() || remote.Status == stripe.Unpaid {
		_, err = s.end(ctx, acc, remote, ifPaid)
	}
	if err != nil {
		return fmt.Errorf("billing: ending %s, of which a payment is disputed: %w", remote.ID, err)
	}
	if err := s.SyncSubscription(ctx, remote.ID); err != nil {
		return err
	}
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return access.MarkEnded(ctx, tx, remote.ID) })
}

// mailDispute sends the email about a turn of a dispute, unless another turn has come since.
func (s *Service) mailDispute(ctx context.Context, e event.Disputed) error {
	var d *access.Dispute
	var sub *access.Subscription
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if d, err = access.FindDispute(ctx, tx, e.DisputeID); err != nil || d == nil {
			return err
		}
		sub, err = access.FindByProvider(ctx, tx, d.Subscription)
		return err
	})
	turn := access.Turn(e.Turn)
	if err != nil || sub == nil || d.State.Decided() != (turn == access.TurnWon || turn == access.TurnLost) {
		return err
	}
	return s.mailAbout(ctx, sub.ID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		s.access.ForgetHere(ctx, sub.ReaderID)
		until, err := s.access.ActiveUntil(ctx, sub.ReaderID)
		return new(email.Disputed(ed, to, sub, d, turn, until)), err
	})
}
