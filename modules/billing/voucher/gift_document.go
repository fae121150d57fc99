package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
)

func giftSource(id int64) string { return fmt.Sprintf("gift:%d", id) }

// invoice issues the invoice for a gift that was paid. Its code is good for one thing at one rate of VAT, so that
// the tax is due when it is sold (Directive 2006/112/EC, article 30b).
func (s *Service) invoice(ctx context.Context, tx db.Tx, g *Gift) error {
	ed := tx.Edition
	paid := tx.Now
	// Nobody told us for long; nobody could pay any later.
	if last := g.CreatedAt.Add(stripe.CheckoutTTL); last.Before(paid) {
		paid = last
	}
	day := paid.In(ed.Location).Format(time.DateOnly)
	name := i18n.T(ed, "gift.line", map[string]any{"Name": ed.Name, "Product": offer.Name(ed, g.Product)})
	sold, err := s.invoices.Taxed(ed, nil, day, invoice.Line{Name: name, Gross: g.Amount})
	if errors.Is(err, invoice.ErrNoRate) { // what was paid for is given all the same
		s.log.ErrorContext(ctx, "no document was made", "edition", ed.ID, "gift", g.ID, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	_, err = invoice.Issue(ctx, tx, invoice.Draft{
		Kind: invoice.TaxInvoice, Source: giftSource(g.ID), ReaderID: invoice.NoAccount,
		Customer: invoice.Buyer{ClientType: invoice.Individual, Name: g.BuyerName, Email: g.BuyerEmail},
		Lines:    []invoice.Line{sold}, Currency: g.Currency, Delivered: paid, Order: fmt.Sprintf("G%06d", g.ID),
		OrderedAt: g.CreatedAt, Method: invoice.ByCard, Paid: true,
	})
	return err
}

// Return writes down what went back of a gift's payment: a credit note for each refund, and the end of a code that was
// paid back in full. The code of a payment that is disputed opens nothing until the dispute is won. What a reader has
// redeemed by then stays, and a person looks at it.
func (s *Service) Return(ctx context.Context, acc *stripe.Account, f stripe.Charge) error {
	refunds, err := acc.Refunds(ctx, f.Payment)
	if err != nil || len(refunds) == 0 && len(f.Disputes) == 0 {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		g, err := FindGift(ctx, tx, false, "payment_id = ?", f.Payment)
		if err != nil || g == nil {
			return err
		}
		code, err := FindCoupon(ctx, tx, true, "id = ?", g.CouponID) // before the gift, as whoever withdraws does
		if err != nil {
			return err
		}
		if g, err = FindGift(ctx, tx, true, "id = ?", g.ID); err != nil || g == nil {
			return err
		}
		back, err := creditGift(ctx, tx, g, refunds)
		if err != nil {
			return err
		}
		for _, d := range f.Disputes {
			if err := s.noteDispute(ctx, tx, g, code, f, d); err != nil {
				return err
			}
		}
		if back < g.Amount || g.State != GiftPaid {
			return nil
		}
		if code != nil && code.Remaining == 0 {
			return s.access.NeedsReview(ctx, tx, access.ReviewDispute, f.Payment, invoice.NoAccount,
				fmt.Sprintf("gift %d was redeemed", g.ID))
		}
		return EndGift(ctx, tx, g)
	})
}

// creditGift returns how much went back in all.
func creditGift(ctx context.Context, tx db.Tx, g *Gift, refunds []stripe.Refund) (back int64, err error) {
	of, err := invoice.Find(ctx, tx, "d.source = ?", giftSource(g.ID))
	for _, r := range refunds {
		if back += r.Sum; of != nil && err == nil {
			err = invoice.CreditRefund(ctx, tx, of, invoice.Refund{ID: r.ID, Sum: r.Sum, At: r.At})
		}
	}
	return back, err
}
