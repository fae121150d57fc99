package billing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/event"
	"example.org/broadsheet/platform/outbox"
)

// sync asks the provider about a subscription and writes what it says. Calls may come in any order, late and twice:
// each draws a number before it asks, and an answer that was overtaken is dropped.
func (m *Module) sync(ctx context.Context, id string) error {
	acc, err := m.provider.Account(ctx)
	if err != nil {
		return err
	}
	said, rival, err := m.look(ctx, acc, id, false)
	if err == nil && rival != "" {
		// The other one may be over without our knowing.
		if !strings.HasPrefix(rival, access.TransferKey) {
			_, _, err = m.look(ctx, acc, rival, false)
		}
		if err == nil {
			said, rival, err = m.look(ctx, acc, id, true)
		}
	}
	if err != nil {
		return fmt.Errorf("billing: subscription %s: %w", id, err)
	}
	if rival != "" {
		return m.undo(ctx, acc, id)
	}
	if err := m.introduce(ctx, acc, said); err != nil {
		return err
	}
	if err := m.label(ctx, acc, said); err != nil {
		return err
	}
	return m.endRefunded(ctx, acc, said)
}

// look fetches and writes. rival names another paid subscription that is live; with giveUp the new one is parked then.
func (m *Module) look(ctx context.Context, acc *stripe.Account, id string,
	giveUp bool,
) (said stripe.Subscription, rival string, err error) {
	var ticket int64
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		ticket, err = drawTicket(ctx, tx, id)
		return err
	})
	if err != nil {
		return said, "", err
	}
	if said, err = acc.Subscription(ctx, id); err != nil {
		return said, "", err
	}
	if said.Edition != "" && said.Edition != acc.Edition.ID { // two editions may share an account
		return stripe.Subscription{}, "", nil
	}
	if err := m.recognize(ctx, &said); err != nil {
		return said, "", err
	}
	sales, err := acc.Sales(ctx, id)
	if err != nil {
		return said, "", err
	}
	if len(sales) > 0 {
		if err := m.checkBuyer(ctx, said); err != nil {
			return said, "", err
		}
	}
	said.NeverPaid = !slices.ContainsFunc(sales, func(s stripe.Sale) bool { return s.Paid > 0 })
	said.FullPaid = slices.ContainsFunc(sales, stripe.Sale.Full)
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		fresh, err := lockTicket(ctx, tx, id, ticket)
		if err != nil || !fresh {
			return err
		}
		rival, err = m.write(ctx, tx, said, giveUp)
		if err != nil || rival != "" && !giveUp {
			return err
		}
		if rival == "" {
			if err := m.invoiceSales(ctx, tx, said, sales); err != nil {
				return err
			}
		}
		return markTicket(ctx, tx, id, ticket)
	})
	return said, rival, err
}

func (m *Module) write(ctx context.Context, tx db.Tx, said stripe.Subscription, giveUp bool) (rival string, err error) {
	reader, err := access.FindCustomerReader(ctx, tx, said.Customer)
	if err != nil {
		return "", err
	}
	old, err := access.FindByProvider(ctx, tx, said.ID)
	if err != nil {
		return "", err
	}
	switch {
	case reader != 0:
	case old != nil:
		reader = old.ReaderID
	case said.Edition == tx.Edition.ID:
		reader = said.ReaderID
	}
	if reader == 0 {
		return "", m.Access.NeedsReview(ctx, tx, access.ReviewUnknown, said.ID, 0, "customer "+said.Customer)
	}
	if err := access.LockReader(ctx, tx, reader); err != nil {
		return "", err
	}
	if old, err = access.FindByProvider(ctx, tx, said.ID); err != nil { // now that nobody else writes
		return "", err
	}
	if said.Status.Live() {
		if err := endTransfersOf(ctx, tx, reader); err != nil {
			return "", err
		}
		other, err := access.FindPaid(ctx, tx, reader)
		if err != nil {
			return "", err
		}
		if other != nil && other.ProviderID != said.ID {
			if giveUp {
				err = m.Access.NeedsReview(ctx, tx, access.ReviewDuplicate, said.ID, reader, "beside "+other.Key())
			}
			return other.Key(), err
		}
		if err := access.EndTrial(ctx, tx, reader); err != nil {
			return "", err
		}
	}
	now := rowOf(tx.Edition, said, reader)
	if said.Invoice != nil && !said.Invoice.Skipped() {
		said.Invoice.Product = now.Product
		if err := putInvoice(ctx, tx, reader, *said.Invoice); err != nil {
			return "", err
		}
		if err := m.flag(ctx, tx, reader, *said.Invoice); err != nil {
			return "", err
		}
	}
	if old != nil && sameRow(now, *old) {
		return "", nil
	}
	now.ID, err = access.Put(ctx, tx, now)
	if err != nil {
		return "", err
	}
	if old != nil {
		if err := confirmChange(ctx, tx, *old, now); err != nil {
			return "", err
		}
	}
	if now.Status.Live() && (old == nil || !old.Status.Live()) {
		if err := m.begun(ctx, tx, now, said); err != nil {
			return "", err
		}
	}
	if old != nil && now.Renews() && !old.Renews() { // a code may have been redeemed while it did not
		if err := moveAgain(ctx, tx, now); err != nil {
			return "", err
		}
	}
	return "", access.Changed(ctx, tx, reader)
}

// flag has a person look at a payment that was taken back. What it had opened stays shut, also when the dispute is won:
// the next period that is paid opens again.
func (m *Module) flag(ctx context.Context, tx db.Tx, readerID int64, in stripe.Invoice) error {
	if !in.Disputed {
		return nil
	}
	return m.Access.NeedsReview(ctx, tx, access.ReviewDispute, in.ProviderID, readerID, "invoice "+in.Number)
}

// begun does what happens once for a subscription: its first payment was confirmed.
func (m *Module) begun(ctx context.Context, tx db.Tx, s access.Subscription, said stripe.Subscription) error {
	if err := voidTransferOf(ctx, tx, s.ReaderID); err != nil { // who pays by card owes no transfer
		return err
	}
	address, err := payIntent(ctx, tx, said.IntentID, s.ReaderID)
	if err != nil {
		return err
	}
	if said.Intro {
		persons := []string{person.Reader(s.ReaderID)}
		if address != "" {
			persons = append(persons, address)
		}
		if err := access.PutUse(ctx, tx, "intro", persons...); err != nil {
			return err
		}
	}
	return outbox.Once(ctx, tx, event.PaymentThanks, event.Paid{ReaderID: s.ReaderID, SubscriptionID: s.ID},
		"paid:"+s.ProviderID)
}

// rowOf is the row that says the same as the provider.
func rowOf(ed *edition.Edition, r stripe.Subscription, readerID int64) access.Subscription {
	s := access.Subscription{
		ReaderID: readerID, ProviderID: r.ID, Product: r.Product, Status: r.Status, Amount: r.Amount, Paid: r.Paid,
		Currency:    r.Currency,
		PeriodStart: r.PeriodStart, PeriodEnd: r.PeriodEnd, CancelAtPeriodEnd: r.CancelAtPeriodEnd, StartedAt: r.StartedAt,
		EndedAt: r.EndedAt,
	}
	s.Paused, s.ResumesAt, s.Next = r.Paused, r.ResumesAt, r.NextProduct
	if in := r.Invoice; in != nil {
		s.Refunded, s.Disputed = in.Refunded, in.Disputed
	}
	wholly := s.RefundedInFull(ed)
	s.Uncovered = r.CalledOff || s.Disputed || wholly
	// As if the next payment itself had been moved.
	if !r.Given.IsZero() && (s.Status == stripe.Active || s.Status == stripe.Trialing) {
		s.Paused, s.ResumesAt = false, time.Time{}
		if !s.CancelAtPeriodEnd && (r.CalledOff || r.Given.After(s.PeriodEnd)) {
			s.Status, s.PeriodEnd, s.Uncovered = stripe.Trialing, r.Given, s.Disputed || wholly
		}
	}
	if d := r.Discount; d != nil && (d.Until.IsZero() || d.Until.After(s.PeriodEnd)) {
		s.AmountOff, s.PercentOff = d.Amount, d.Percent
	}
	s.FullPaid, s.PaidFrom = r.FullPaid, r.PaidFrom
	if ed.Product(s.Product) == nil { // begun by hand, at the provider
		s.Product = access.Monthly
	}
	return s
}

// sameRow reports whether the provider says what the row says.
func sameRow(s access.Subscription, old access.Subscription) bool {
	return len(differencesOf(s, old)) == 0
}

// introduce lets the introductory price begin and end. It is called at every look, so a call that failed is made good
// by the next.
func (m *Module) introduce(ctx context.Context, acc *stripe.Account, said stripe.Subscription) error {
	product := acc.Edition.Product(said.Product)
	if awaitsIntro(acc.Edition, said) {
		return acc.ApplyIntro(ctx, said.ID, product)
	}
	if !said.Intro || said.Status == stripe.Trialing || !said.Status.Live() || said.CancelAtPeriodEnd || product == nil ||
		product.Intro == nil {
		return nil
	}
	intro, err := acc.EnsurePrice(ctx, acc.PriceOf(product, true))
	if err != nil || said.PriceID != intro {
		return err
	}
	full, err := acc.EnsurePrice(ctx, acc.PriceOf(product, false))
	if err != nil {
		return err
	}
	if err := acc.ScheduleFullPrice(ctx, said, product, intro, full); err != nil {
		return fmt.Errorf("billing: full price of %s: %w", said.ID, err)
	}
	return nil
}

// undo gives back a second subscription of one reader, and what was paid for it.
func (m *Module) undo(ctx context.Context, acc *stripe.Account, id string) error {
	if err := acc.CancelAndRefund(ctx, id); err != nil {
		return fmt.Errorf("billing: second subscription %s: %w", id, err)
	}
	m.log.WarnContext(ctx, "a second subscription was cancelled and refunded", "edition", acc.Edition.ID,
		"subscription", id)
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return access.CloseReview(ctx, tx, access.ReviewDuplicate, id)
	})
}
