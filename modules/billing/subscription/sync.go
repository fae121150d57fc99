package subscription

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// SyncSubscription asks the provider about a subscription and writes what it says. Calls may come in any order, late
// and twice: each draws a number before it asks, and an answer that was overtaken is dropped.
func (s *Service) SyncSubscription(ctx context.Context, id string) error {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	remote, conflicting, err := s.fetchAndStore(ctx, acc, id, false)
	if err == nil && conflicting != "" {
		// The other one may be over without our knowing.
		if !strings.HasPrefix(conflicting, access.TransferKey) {
			_, _, err = s.fetchAndStore(ctx, acc, conflicting, false)
		}
		if err == nil {
			remote, conflicting, err = s.fetchAndStore(ctx, acc, id, true)
		}
	}
	if err != nil {
		return fmt.Errorf("billing: subscription %s: %w", id, err)
	}
	if conflicting != "" {
		return s.CancelDuplicate(ctx, acc, id)
	}
	if err := s.scheduleFullPrice(ctx, acc, remote); err != nil {
		return err
	}
	if err := s.setReader(ctx, acc, remote); err != nil {
		return err
	}
	if err := s.endRefunded(ctx, acc, remote); err != nil {
		return err
	}
	if in := remote.Invoice; in == nil || !in.Disputed || !remote.Status.Live() {
		return nil
	}
	f, err := acc.Charge(ctx, remote.Invoice.Charge)
	if err != nil {
		return stripe.Uncertain(err)
	}
	return s.noteDisputes(ctx, acc, f)
}

// fetchAndStore stores what the provider says about a subscription. conflicting names another paid subscription of the
// reader that is live; with last, the new one goes to the review queue then.
func (s *Service) fetchAndStore(ctx context.Context, acc *stripe.Account, id string,
	last bool,
) (remote stripe.Subscription, conflicting string, err error) {
	var ticket int64
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		ticket, err = drawTicket(ctx, tx, id)
		return err
	})
	if err != nil {
		return remote, "", err
	}
	if remote, err = acc.Subscription(ctx, id); err != nil {
		return remote, "", err
	}
	if remote.Edition != "" && remote.Edition != acc.Edition.ID { // two editions may share an account
		return stripe.Subscription{}, "", nil
	}
	if remote, err = s.settleEnd(ctx, acc, remote); err != nil {
		return remote, "", err
	}
	if err := s.identify(ctx, &remote); err != nil {
		return remote, "", err
	}
	sales, err := acc.Sales(ctx, id)
	if err != nil {
		return remote, "", err
	}
	if len(sales) > 0 {
		if err := s.checkBuyer(ctx, remote); err != nil {
			return remote, "", err
		}
	}
	remote.NeverPaid = !slices.ContainsFunc(sales, func(sold stripe.Sale) bool { return sold.Paid > 0 })
	remote.FullPaid = slices.ContainsFunc(sales, stripe.Sale.Full)
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		fresh, err := lockTicket(ctx, tx, id, ticket)
		if err != nil || !fresh {
			return err
		}
		conflicting, err = s.store(ctx, tx, remote, last)
		if err != nil || conflicting != "" && !last {
			return err
		}
		if conflicting == "" {
			if err := s.invoiceSales(ctx, tx, remote, sales); err != nil {
				return err
			}
		}
		return markTicket(ctx, tx, id, ticket)
	})
	return remote, conflicting, err
}

func (s *Service) store(ctx context.Context, tx db.Tx, remote stripe.Subscription,
	last bool,
) (conflicting string, err error) {
	reader, err := access.FindCustomerReader(ctx, tx, remote.Customer)
	if err != nil {
		return "", err
	}
	old, err := access.FindByProvider(ctx, tx, remote.ID)
	if err != nil {
		return "", err
	}
	switch {
	case reader != 0:
	case old != nil:
		reader = old.ReaderID
	case remote.Edition == tx.Edition.ID:
		reader = remote.ReaderID
	}
	if reader == 0 {
		return "", s.access.NeedsReview(ctx, tx, access.ReviewUnknown, remote.ID, 0, "customer "+remote.Customer)
	}
	if err := access.LockReader(ctx, tx, reader); err != nil {
		return "", err
	}
	if old, err = access.FindByProvider(ctx, tx, remote.ID); err != nil { // now that nobody else writes
		return "", err
	}
	if remote.Status.Live() {
		if err := transfer.EndOf(ctx, tx, reader); err != nil {
			return "", err
		}
		other, err := access.FindPaid(ctx, tx, reader)
		if err != nil {
			return "", err
		}
		if other != nil && other.ProviderID != remote.ID {
			if last {
				err = s.access.NeedsReview(ctx, tx, access.ReviewDuplicate, remote.ID, reader, "beside "+other.Key())
			}
			return other.Key(), err
		}
		if err := access.ReplaceTrial(ctx, tx, reader); err != nil {
			return "", err
		}
	}
	now := RowOf(tx.Edition, remote, reader)
	if err := s.reviewPrice(ctx, tx, now); err != nil {
		return "", err
	}
	if remote.Invoice != nil && !remote.Invoice.Skipped() {
		remote.Invoice.Product = now.Product
		if err := PutInvoice(ctx, tx, reader, *remote.Invoice); err != nil {
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
		if err := s.onActivated(ctx, tx, now, remote); err != nil {
			return "", err
		}
	}
	moved, err := access.LayGiven(ctx, tx, reader)
	if err != nil {
		return "", err
	}
	if moved || old != nil && now.Renews() && !old.Renews() { // a code may have been redeemed while it did not
		if err := access.PostponeNext(ctx, tx, reader); err != nil {
			return "", err
		}
	}
	return "", access.Changed(ctx, tx, reader)
}

// reviewPrice has a person look at a subscription of a product that the edition's document does not know: it runs on as
// the provider has it, and nobody can name its price.
func (s *Service) reviewPrice(ctx context.Context, tx db.Tx, sub access.Subscription) error {
	if p := tx.Edition.Product(sub.Product); !sub.Status.Live() || p != nil && p.Amount > 0 {
		return access.CloseReview(ctx, tx, access.ReviewPrice, sub.ProviderID)
	}
	return s.access.NeedsReview(ctx, tx, access.ReviewPrice, sub.ProviderID, sub.ReaderID, "product "+sub.Product)
}

// onActivated does what happens once for a subscription: its first payment was confirmed.
func (s *Service) onActivated(ctx context.Context, tx db.Tx, sub access.Subscription,
	remote stripe.Subscription,
) error {
	if err := transfer.VoidOf(ctx, tx, sub.ReaderID); err != nil { // who pays by card owes no transfer
		return err
	}
	mailbox, err := payIntent(ctx, tx, remote.IntentID, sub.ReaderID)
	if err != nil {
		return err
	}
	if remote.Intro {
		if err := s.useIntro(ctx, tx, sub, mailbox, person.Card(remote.Card)); err != nil {
			return err
		}
	}
	return outbox.Once(ctx, tx, event.PaymentThanks, event.Paid{ReaderID: sub.ReaderID, SubscriptionID: sub.ID},
		"paid:"+sub.ProviderID)
}

// useIntro notes who has had the introductory price: a reader, a mailbox and a card. Only the payment tells the card.
// One that has paid for another reader's before is looked at by a person: this purchase goes on as the page has said.
func (s *Service) useIntro(ctx context.Context, tx db.Tx, sub access.Subscription, mailbox, card string) error {
	had, err := access.IsUsed(ctx, tx, "intro", person.Reader(sub.ReaderID))
	if err != nil {
		return err
	}
	known, err := access.IsUsed(ctx, tx, "intro", card)
	if err != nil {
		return err
	}
	persons := slices.DeleteFunc([]string{person.Reader(sub.ReaderID), mailbox, card}, func(p string) bool {
		return p == ""
	})
	if err := access.PutUse(ctx, tx, "intro", persons...); err != nil || had || !known {
		return err
	}
	return s.access.NeedsReview(ctx, tx, access.ReviewCard, sub.ProviderID, sub.ReaderID,
		"the card has paid an introductory price before")
}

// RowOf is the row that says the same as the provider.
func RowOf(ed *edition.Edition, r stripe.Subscription, readerID int64) access.Subscription {
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
	s.Uncovered, s.Owing = r.CalledOff || s.Disputed || wholly, r.Owing
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
	s.Product = cmp.Or(s.Product, access.NoProduct) // begun by hand, at the provider
	return s
}

// sameRow reports whether the provider says what the row says.
func sameRow(s access.Subscription, old access.Subscription) bool {
	return len(Differences(s, old)) == 0
}

// scheduleFullPrice lets the introductory price begin and end. It is called at every look, so a call that failed is
// made good by the next.
func (s *Service) scheduleFullPrice(ctx context.Context, acc *stripe.Account, remote stripe.Subscription) error {
	product := acc.Edition.Product(remote.Product)
	if awaitsIntro(acc.Edition, remote) {
		return acc.ApplyIntro(ctx, remote.ID, product)
	}
	if !remote.Intro || remote.Status == stripe.Trialing || !remote.Status.Live() || remote.CancelAtPeriodEnd ||
		product == nil ||
		product.Intro == nil {
		return nil
	}
	intro, err := acc.EnsurePrice(ctx, acc.PriceOf(product, true))
	if err != nil || remote.PriceID != intro {
		return err
	}
	full, err := acc.EnsurePrice(ctx, acc.PriceOf(product, false))
	if err != nil {
		return err
	}
	if err := acc.ScheduleFullPrice(ctx, remote, product, intro, full); err != nil {
		return fmt.Errorf("billing: full price of %s: %w", remote.ID, err)
	}
	return nil
}

// CancelDuplicate gives back a second subscription of one reader, and what was paid for it.
func (s *Service) CancelDuplicate(ctx context.Context, acc *stripe.Account, id string) error {
	remote, err := acc.Subscription(ctx, id)
	if err == nil {
		_, err = s.end(ctx, acc, remote, access.AtOnce)
	}
	if err == nil {
		err = acc.RefundLatest(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("billing: second subscription %s: %w", id, err)
	}
	s.log.WarnContext(ctx, "a second subscription was cancelled and refunded", "edition", acc.Edition.ID,
		"subscription", id)
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return access.CloseReview(ctx, tx, access.ReviewDuplicate, id)
	})
}

// Differences names what a row says otherwise than the provider does.
func Differences(s access.Subscription, old access.Subscription) (names []string) {
	for _, c := range []struct {
		name string
		same bool
	}{
		{"status", s.Status == old.Status},
		{"product", s.Product == old.Product},
		{"amount", s.Amount == old.Amount},
		{"paid", s.Paid == old.Paid},
		{"currency", s.Currency == old.Currency},
		{"period_start", s.PeriodStart.Equal(old.PeriodStart)},
		{"period_end", s.PeriodEnd.Equal(old.PeriodEnd)},
		{"cancel_at_period_end", s.CancelAtPeriodEnd == old.CancelAtPeriodEnd},
		{"ended_at", s.EndedAt.Equal(old.EndedAt)},
		{"paused", s.Paused == old.Paused},
		{"resumes_at", s.ResumesAt.Equal(old.ResumesAt)},
		{"uncovered", s.Uncovered == old.Uncovered},
		{"owing", s.Owing == old.Owing},
		{"next_product", s.Next == old.Next},
		{"refunded", s.Refunded == old.Refunded},
		{"disputed", s.Disputed == old.Disputed},
		{"discount", s.AmountOff == old.AmountOff && s.PercentOff == old.PercentOff},
		{"full_paid", !s.FullPaid || old.FullPaid},
	} {
		if !c.same {
			names = append(names, c.name)
		}
	}
	return names
}
