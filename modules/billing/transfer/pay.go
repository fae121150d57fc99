package transfer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// pay opens what a payment has paid for, and issues the invoice, in the transaction that notes the payment.
// Reader and order are locked; nobody else's subscription is in the way. sum is what came, in minor units; day is when.
func (s *Service) pay(ctx context.Context, tx db.Tx, o *Order, sum int64, day time.Time) error {
	p := tx.Edition.Product(o.Product)
	if p == nil {
		return fmt.Errorf("billing: order %d is for %s, which is not sold", o.ID, o.Product)
	}
	pf, err := invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
	if err != nil {
		return err
	}
	if pf == nil {
		return fmt.Errorf("billing: order %s has no pre-invoice", o.Reference)
	}
	customer, _, err := invoice.FindBuyer(ctx, tx, o.ReaderID)
	if err != nil {
		return err
	}
	if customer == nil {
		customer = &pf.Customer
	}
	sub, err := access.FindPaid(ctx, tx, o.ReaderID)
	if err != nil {
		return err
	}
	first := sub == nil
	if first {
		if err := access.ReplaceTrial(ctx, tx, o.ReaderID); err != nil {
			return err
		}
		sub = &access.Subscription{
			ReaderID: o.ReaderID, Product: o.Product, Status: stripe.Active, Currency: o.Currency, PeriodStart: tx.Now,
			PeriodEnd: tx.Now, StartedAt: tx.Now, Transfer: true,
		}
	}
	given, err := access.CreditedUntil(ctx, tx, o.ReaderID)
	if err != nil {
		return err
	}
	o.StartsAt = access.Later(sub.PeriodEnd, given) // nobody pays for days that were given
	o.EndsAt = p.Interval.Add(o.StartsAt.In(tx.Edition.Location), 1).UTC()
	sub.Product, sub.PeriodEnd, sub.Amount, sub.Paid = o.Product, o.EndsAt, p.Amount, sum
	if sub.ID, err = putSubscription(ctx, tx, sub); err != nil {
		return err
	}
	o.SubscriptionID, o.Payments = sub.ID, o.Payments+1
	if err := markPaid(ctx, tx, o); err != nil {
		return err
	}
	from, to := invoice.PeriodDays(tx.Edition, o.StartsAt, o.EndsAt)
	l, err := s.invoices.Taxed(tx.Edition, customer, day.Format(time.DateOnly),
		invoice.Line{Name: p.Name, From: from, To: to, Gross: sum})
	if err != nil {
		return err
	}
	if first {
		if err := outbox.Once(ctx, tx, event.PaymentThanks, event.Paid{ReaderID: o.ReaderID, SubscriptionID: sub.ID},
			"paid:"+sub.Key()); err != nil {
			return err
		}
	}
	if err := access.Changed(ctx, tx, o.ReaderID); err != nil {
		return err
	}
	_, err = invoice.Issue(ctx, tx, invoice.Draft{
		Kind: invoice.TaxInvoice, Source: o.invoiceSource(), ReaderID: o.ReaderID, Refers: pf, Customer: *customer,
		Lines:     []invoice.Line{l},
		Currency:  o.Currency,
		Delivered: invoice.Day(tx.Edition, day.Format(time.DateOnly)), Order: pf.Order, OrderedAt: o.CreatedAt,
		Method:    invoice.ByTransfer,
		Reference: o.Reference, Paid: true,
	})
	return err
}

// invoiceSource names the invoice of the newest payment of an order.
func (o *Order) invoiceSource() string { return fmt.Sprintf("transfer:%d:%d", o.ID, o.Payments) }

// ErrLaterPayment is a payment on which another one of the same reader is built.
var ErrLaterPayment = errors.New("billing: a later year of this reader is paid; take that payment away first")

// reverse takes from an order what a payment has opened, and issues the credit note. mistake says that the
// payment was never this order's, so that nothing is paid back. Reader and order are locked.
func (s *Service) reverse(ctx context.Context, tx db.Tx, o *Order, mistake bool) error {
	sub, err := access.Find(ctx, tx, "id = ?", o.SubscriptionID)
	if err != nil {
		return err
	}
	if sub == nil || o.State != StatePaid {
		return fmt.Errorf("billing: order %s is not paid", o.Reference)
	}
	if !sub.PeriodEnd.Equal(o.EndsAt) {
		return ErrLaterPayment
	}
	before, err := Find(ctx, tx, "subscription_id = ? AND state = 'paid' AND id <> ? AND ends_at > ? ORDER BY "+
		"ends_at DESC LIMIT 1", sub.ID, o.ID, tx.Now)
	if err != nil {
		return err
	}
	if before != nil { // the year before goes on
		sub.PeriodEnd, sub.Paid = before.EndsAt, before.Amount
	} else {
		sub.Status, sub.EndedAt = stripe.Ended, tx.Now
		if o.EndsAt.Before(tx.Now) {
			sub.EndedAt = o.EndsAt
		}
		sub.PeriodEnd, sub.Uncovered = o.EndsAt, true
	}
	if _, err := putSubscription(ctx, tx, sub); err != nil {
		return err
	}
	if err := settle(ctx, tx, o.ID, StateReversed); err != nil {
		return err
	}
	if _, err := access.LayGiven(ctx, tx, o.ReaderID); err != nil { // that was to begin behind the year
		return err
	}
	// A pre-invoice for the year after what has just ended would ask for money without sense.
	if sub.Status == stripe.Ended {
		if err := VoidOf(ctx, tx, o.ReaderID); err != nil {
			return err
		}
	}
	if err := access.Changed(ctx, tx, o.ReaderID); err != nil {
		return err
	}
	inv, err := invoice.Find(ctx, tx, "d.source = ?", o.invoiceSource())
	if err != nil {
		return err
	}
	if inv == nil {
		return fmt.Errorf("billing: order %s has no invoice", o.Reference)
	}
	return invoice.CreditRefund(ctx, tx, inv,
		invoice.Refund{ID: o.invoiceSource(), Sum: inv.Total, At: tx.Now, Mistake: mistake})
}
