package invoice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// current is the invoice that stands for a payment: the one that was issued, or what has corrected it. Its balance is
// locked.
func (d *Document) current(ctx context.Context, tx db.Tx) (*Document, error) {
	for {
		if err := lockBalance(ctx, tx, d); err != nil {
			return nil, err
		}
		next, err := Find(ctx, tx, "d.source = ?", CorrectionSource(d.Number, "invoice"))
		if err != nil || next == nil {
			return d, err
		}
		d = next
	}
}

// creditName is what a credit note says that it gives back.
func creditName(ed *edition.Edition, of *Document) string {
	return i18n.T(ed, "invoice.refund", map[string]any{"Number": of.Number})
}

// ErrOverCredit is a refund of more than was invoiced.
var ErrOverCredit = errors.New("billing: more was given back than was invoiced")

// CreditRefund issues the credit note for a refund.
func CreditRefund(ctx context.Context, tx db.Tx, of *Document, r Refund) error {
	source := "refund:" + r.ID
	of, err := of.current(ctx, tx)
	if err != nil {
		return err
	}
	if there, err := Find(ctx, tx, "d.source = ?", source); err != nil || there != nil {
		return err
	}
	before, err := Select(ctx, tx, "d.refers_to = ? AND d.kind = 'CN' ORDER BY d.id", of.ID)
	if err != nil {
		return err
	}
	lines := of.Credit(r.Sum, before, creditName(tx.Edition, of))
	if lines == nil {
		return fmt.Errorf("%w: %s, %d", ErrOverCredit, of.Number, r.Sum)
	}
	ordered := Day(tx.Edition, of.Ordered)
	_, err = Issue(ctx, tx, Draft{
		Kind: CreditNote, Source: source, ReaderID: of.ReaderID, Refers: of, Customer: of.Customer, Lines: lines,
		Currency:  of.Currency,
		Delivered: r.At, Order: of.Order, OrderedAt: ordered, Method: of.Method, Paid: true, Mistake: r.Mistake,
	})
	return err
}

// Refund is money that went back.
type Refund struct {
	ID      string
	Sum     int64
	At      time.Time
	Mistake bool // it was never paid: a transfer was recorded for the wrong order
}

// part is the VAT of a part of what was sold at one rate.
type part struct{ VAT int64 }

// Credit is what a credit note over a sum says of an invoice of which others have given back before: a line for each
// rate, unless all of it goes back at once. Each part takes so much of the base and of the VAT that all parts until
// then have their share to the cent, so that the last one brings them to those of the invoice, in whatever order they
// come.
// It returns nil for more than is left.
func (d *Document) Credit(sum int64, before []Document, name string) []Line {
	if len(before) == 0 && sum == d.Total {
		return slices.Clone(d.Lines)
	}
	left, all := d.left(before)
	if sum > all || sum <= 0 {
		return nil
	}
	out, reached, given := []Line{}, int64(0), int64(0)
	for _, of := range left {
		reached += of.left.gross
		gross := share(sum, reached, all) - given
		given += gross
		l := of.take(gross, sum == all)
		if l.Name = name; l.Gross != 0 || l.Net != 0 || l.Part.VAT != 0 {
			out = append(out, l)
		}
	}
	return out
}

// sums are those of one rate.
type sums struct{ gross, net, vat int64 }

// rateLeft is what an invoice has sold at one rate, and what nobody has given back of it.
type rateLeft struct {
	category   string
	permille   int64
	sold, left sums
}

// take is the line of a part. last takes what is left.
func (r rateLeft) take(gross int64, last bool) Line {
	now := sums{gross, r.left.net, r.left.vat}
	if !last && r.sold.gross != 0 {
		until := r.sold.gross - r.left.gross + gross // what has gone back then
		now.net = r.left.net - r.sold.net + share(r.sold.net, until, r.sold.gross)
		rounding := r.sold.gross - r.sold.net - r.sold.vat
		leftRounding := r.left.gross - r.left.net - r.left.vat
		now.vat = gross - now.net - (leftRounding - rounding + share(rounding, until, r.sold.gross))
	}
	return Line{
		Category: r.category, Permille: r.permille, Gross: gross, Net: now.net, Part: &part{now.vat},
	}
}

// share is a part of a sum, rounded half up.
func share(sum, part, of int64) int64 {
	if of < 0 {
		sum, of = -sum, -of
	}
	twice := 2*sum*part + of
	if twice < 0 { // the division of Go rounds towards zero
		return -((-twice + 2*of - 1) / (2 * of))
	}
	return twice / (2 * of)
}

// left is what nobody has given back of an invoice, by rate and in all.
func (d *Document) left(before []Document) (list []rateLeft, all int64) {
	all = d.Total
	for _, t := range d.Taxes {
		r := rateLeft{category: t.Category, permille: t.Permille, sold: d.sumsOf(t)}
		r.left = r.sold
		for _, b := range before {
			gone := b.sumsOf(t)
			r.left = sums{r.left.gross - gone.gross, r.left.net - gone.net, r.left.vat - gone.vat}
		}
		list = append(list, r)
	}
	for _, b := range before {
		all -= b.Total
	}
	return list, all
}

// sumsOf adds up what a document has at a rate.
func (d *Document) sumsOf(rate taxSum) (s sums) {
	for _, l := range d.Lines {
		if l.Category == rate.Category && l.Permille == rate.Permille {
			s.gross, s.net = s.gross+l.Gross, s.net+l.Net
		}
	}
	for _, t := range d.Taxes {
		if t.Category == rate.Category && t.Permille == rate.Permille {
			s.vat = t.VAT
		}
	}
	return s
}
