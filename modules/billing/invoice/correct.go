package invoice

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/vies"
)

// Correction says what a wrong buyer of an invoice was corrected by.
type Correction struct {
	ReaderID       int64 // 0: nobody's account
	Invoice        string
	CreditNote     string
	NewInvoice     string
	Was, Now       string // who the invoices are made out to
	Net, VAT       int64  // of the new invoice, in minor units
	Total          int64
	Currency       string
	Again          bool // it was corrected so before
	ReverseCharged bool
}

// Errors of a correction.
var (
	errNoInvoice  = errors.New("billing: there is no invoice of this number")
	errNotInvoice = errors.New("billing: only a tax invoice is corrected; a pro-forma invoice that was not paid is void " +
		"by itself")
	errSameBuyer = errors.New("billing: the invoice is made out to this buyer already, with this VAT")
	errNoData    = errors.New("billing: the account has no invoice data; name the buyer")
	errPaidBack  = errors.New("billing: all of the invoice was given back")
)

// CorrectionSource is the source of a document ("credit" or "invoice") that corrects another one's buyer.
func CorrectionSource(number, of string) string { return "correct:" + number + ":" + of }

// Correct makes an invoice out to another buyer: a credit note over what is left of it, and a new invoice over
// the same sum, which follow each other in one transaction; or to the same buyer with another VAT. No money moves, and
// what is refunded later belongs to the new one. change makes the buyer from the one on the invoice; nil takes what
// the reader has set in the account. mailTo is where the email goes; "" is where the reader's invoices go. Whoever
// asks for the same again is answered the same. With dry, nothing stays.
func (s *Service) Correct(ctx context.Context, number string, change func(*Buyer), mailTo string,
	dry bool,
) (out Correction, err error) {
	if mailTo != "" {
		if mailTo, err = s.parseEmail(mailTo); err != nil {
			return out, fmt.Errorf("billing: %q is no address", mailTo)
		}
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return out, err
	}
	var buyer *Buyer
	if err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		of, err := findInvoice(ctx, tx, number)
		if err == nil {
			buyer, err = s.newBuyer(ctx, tx, of, change)
		}
		return err
	}); err != nil {
		return out, err
	}
	if buyer.Country == "" { // as on every document
		buyer.Country = ed.Supplier.Country
	}
	if err := s.lookUpVATNumber(ctx, ForeignVATNumber(ed, buyer), answerMaxAge); errors.Is(err, vies.ErrUnknown) {
		s.log.WarnContext(ctx, "a VAT number was not checked", "error", err)
	} else if err != nil {
		return out, err
	}
	inTx := s.db.InTx
	if dry {
		inTx = s.db.DryRun
	}
	err = inTx(ctx, func(ctx context.Context, tx db.Tx) error {
		of, err := findInvoice(ctx, tx, number)
		if err != nil {
			return err
		}
		out, err = s.correct(ctx, tx, of, *buyer, mailTo)
		return err
	})
	return out, err
}

func findInvoice(ctx context.Context, tx db.Tx, number string) (*Document, error) {
	d, err := Find(ctx, tx, "d.number = ?", number)
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return nil, errNoInvoice
	case d.Kind != TaxInvoice:
		return nil, errNotInvoice
	}
	return d, nil
}

// newBuyer is who the new invoice is made out to, as the form of the account would take it.
func (s *Service) newBuyer(ctx context.Context, tx db.Tx, of *Document,
	change func(*Buyer),
) (*Buyer, error) {
	if change == nil {
		d, _, err := FindBuyer(ctx, tx, of.ReaderID)
		if err == nil && d == nil {
			err = errNoData
		}
		return d, err
	}
	d := of.Customer
	d.ClientType = "" // goes by whether a company is named
	change(&d)
	d, wrong := d.Parse(s.parseEmail)
	if len(wrong) > 0 {
		return nil, fmt.Errorf("billing: the new buyer is not valid: %s: %w", wrong[0].Field, wrong[0])
	}
	return &d, nil
}

func (s *Service) correct(ctx context.Context, tx db.Tx, of *Document, buyer Buyer,
	mailTo string,
) (out Correction, err error) {
	if err := lockBalance(ctx, tx, of); err != nil {
		return out, err
	}
	out = Correction{ReaderID: of.ReaderID, Invoice: of.Number, Was: of.BuyerName(), Currency: of.Currency}
	fresh, err := Find(ctx, tx, "d.source = ?", CorrectionSource(of.Number, "invoice"))
	if err != nil {
		return out, err
	}
	if fresh != nil {
		credit, err := Find(ctx, tx, "d.source = ?", CorrectionSource(of.Number, "credit"))
		if err == nil && fresh.Customer != buyer {
			err = fmt.Errorf("billing: it was corrected by %s: correct that one", fresh.Number)
		}
		out.Again = true
		out.fill(credit, fresh)
		return out, err
	}
	before, err := Select(ctx, tx, "d.refers_to = ? AND d.kind = 'CN' ORDER BY d.id", of.ID)
	if err != nil {
		return out, err
	}
	lines := of.rest(before)
	if lines == nil {
		return out, errPaidBack
	}
	d := Draft{
		ReaderID: of.ReaderID, Refers: of, Currency: of.Currency, Delivered: Day(tx.Edition, of.Delivered), Order: of.Order,
		OrderedAt: Day(tx.Edition, of.Ordered),
		Method:    of.Method, Paid: true, MailTo: mailTo, OtherBuyer: true,
	}
	next := d
	next.Kind, next.Source, next.Customer, next.Reference = TaxInvoice, CorrectionSource(of.Number, "invoice"), buyer,
		of.Reference
	for _, l := range lines {
		taxed, err := s.Taxed(tx.Edition, &buyer, of.Delivered, Line{Name: l.Name, From: l.From, To: l.To, Gross: l.Gross})
		if err != nil {
			return out, err
		}
		next.Lines = append(next.Lines, taxed)
	}
	if err = next.applyReverseCharge(ctx, tx); err != nil {
		return out, err
	}
	if of.Customer == buyer && of.bears(next.Lines) {
		return out, errSameBuyer
	}
	d.Kind, d.Source, d.Customer, d.Lines = CreditNote, CorrectionSource(of.Number, "credit"), of.Customer, lines
	credit, err := Issue(ctx, tx, d)
	if err != nil {
		return out, err
	}
	if fresh, err = Issue(ctx, tx, next); err != nil {
		return out, err
	}
	out.fill(credit, fresh)
	return out, nil
}

// bears reports whether an invoice has the VAT of lines: no other category and no other rate.
func (d *Document) bears(lines []Line) bool {
	return !slices.ContainsFunc(lines, func(l Line) bool {
		return !slices.ContainsFunc(d.Taxes, func(t taxSum) bool {
			return t.Category == l.Category && t.Permille == l.Permille
		})
	})
}

func (c *Correction) fill(credit, fresh *Document) {
	if credit != nil {
		c.CreditNote = credit.Number
	}
	c.NewInvoice, c.Now, c.Net, c.VAT, c.Total, c.ReverseCharged = fresh.Number, fresh.BuyerName(), fresh.Net, fresh.VAT,
		fresh.Total, fresh.ReverseCharged()
}

// rest are the lines of a credit note over all that is left of an invoice; nil for nothing.
func (d *Document) rest(before []Document) []Line {
	_, all := d.left(before)
	lines := d.Credit(all, before, d.Product())
	if len(lines) == 1 && len(d.Lines) == 1 {
		lines[0].From, lines[0].To = d.Lines[0].From, d.Lines[0].To
	}
	return lines
}
