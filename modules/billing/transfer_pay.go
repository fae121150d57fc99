package billing

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

// payTransfer opens what a payment has paid for, and issues the invoice, in the transaction that notes the payment.
// Reader and order are locked; nobody else's subscription is in the way. sum is what came, in minor units; day is when.
func (m *Module) payTransfer(ctx context.Context, tx db.Tx, o *transfer, sum int64, day time.Time) error {
	p := tx.Edition.Product(o.Product)
	if p == nil {
		return fmt.Errorf("billing: order %d is for %s, which is not sold", o.ID, o.Product)
	}
	pf, err := invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
	if err != nil {
		return err
	}
	customer, _, err := invoice.FindBuyer(ctx, tx, o.ReaderID)
	if err != nil {
		return err
	}
	if customer == nil {
		customer = &pf.Customer
	}
	s, err := access.FindPaid(ctx, tx, o.ReaderID)
	if err != nil {
		return err
	}
	first := s == nil
	if first {
		if err := access.EndTrial(ctx, tx, o.ReaderID); err != nil {
			return err
		}
		s = &access.Subscription{
			ReaderID: o.ReaderID, Product: o.Product, Status: stripe.Active, Currency: o.Currency, PeriodStart: tx.Now,
			PeriodEnd: tx.Now, StartedAt: tx.Now, Transfer: true,
		}
	}
	granted, err := grantedUntil(ctx, tx, o.ReaderID)
	if err != nil {
		return err
	}
	o.StartsAt = access.Later(s.PeriodEnd, granted) // nobody pays for days that were given
	o.EndsAt = p.Interval.Add(o.StartsAt, 1)
	s.Product, s.PeriodEnd, s.Amount, s.Paid = o.Product, o.EndsAt, p.Amount, sum
	if s.ID, err = putTransferSubscription(ctx, tx, s); err != nil {
		return err
	}
	o.SubscriptionID, o.Payments = s.ID, o.Payments+1
	if err := markPaid(ctx, tx, o); err != nil {
		return err
	}
	from, to := invoice.PeriodDays(tx.Edition, o.StartsAt, o.EndsAt)
	l, err := m.Invoices.Taxed(tx.Edition, customer, day.Format(time.DateOnly),
		invoice.Line{Name: p.Name, From: from, To: to, Gross: sum})
	if err != nil {
		return err
	}
	if first {
		if err := outbox.Once(ctx, tx, event.PaymentThanks, event.Paid{ReaderID: o.ReaderID, SubscriptionID: s.ID},
			"paid:"+s.Key()); err != nil {
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
func (o *transfer) invoiceSource() string { return fmt.Sprintf("transfer:%d:%d", o.ID, o.Payments) }

// errLaterPayment is a payment on which another one of the same reader is built.
var errLaterPayment = errors.New("billing: a later year of this reader is paid; take that payment away first")

// reverseTransfer takes from an order what a payment has opened, and issues the credit note. mistake says that the
// payment was never this order's, so that nothing is paid back. Reader and order are locked.
func (m *Module) reverseTransfer(ctx context.Context, tx db.Tx, o *transfer, mistake bool) error {
	s, err := access.Find(ctx, tx, "id = ?", o.SubscriptionID)
	if err != nil {
		return err
	}
	if s == nil || o.State != transferPaid {
		return fmt.Errorf("billing: order %s is not paid", o.Reference)
	}
	if !s.PeriodEnd.Equal(o.EndsAt) {
		return errLaterPayment
	}
	before, err := findTransfer(ctx, tx, "subscription_id = ? AND state = 'paid' AND id <> ? AND ends_at > ? ORDER BY "+
		"ends_at DESC LIMIT 1", s.ID, o.ID, tx.Now)
	if err != nil {
		return err
	}
	if before != nil { // the year before goes on
		s.PeriodEnd, s.Paid = before.EndsAt, before.Amount
	} else {
		s.Status, s.EndedAt = stripe.Ended, tx.Now
		if o.EndsAt.Before(tx.Now) {
			s.EndedAt = o.EndsAt
		}
		s.PeriodEnd, s.Uncovered = o.EndsAt, true
	}
	if _, err := putTransferSubscription(ctx, tx, s); err != nil {
		return err
	}
	if err := settleTransfer(ctx, tx, o.ID, transferReversed); err != nil {
		return err
	}
	// A pre-invoice for the year after what has just ended would ask for money without sense.
	if s.Status == stripe.Ended {
		if err := voidTransferOf(ctx, tx, o.ReaderID); err != nil {
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
