package subscription

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// MailDocument mails a document with its PDF, once to each of its recipients. Of one that cannot be drawn, the email
// has no PDF, and the job is given up: `broadsheet invoice redraw` mails it again.
func (s *Service) MailDocument(ctx context.Context, e event.Document) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var d *invoice.Document
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		d, err = invoice.Find(ctx, tx, "d.id = ?", e.DocumentID)
		return err
	})
	if errors.Is(err, invoice.ErrDamaged) {
		return jobs.Skip(err)
	}
	// Which goes with the new invoice.
	if err != nil || d == nil || d.Kind == invoice.ProForma && !d.Pending() ||
		d.Kind == invoice.CreditNote && d.OtherBuyer {
		return err
	}
	if err := d.Check(); err != nil {
		return jobs.Skip(err)
	}
	b := email.BillOf(ed, d)
	b.Mistake, b.Guest = e.Mistake, d.ReaderID == invoice.NoAccount
	if page, renews, err := s.transfers.Page(ctx, ed, d); err != nil {
		return err
	} else if page != "" {
		b.URL, b.Renews = page, renews
	}
	if b.Next, err = s.continuingAfter(ctx, ed, d); err != nil {
		return err
	}
	var undrawn error // what the email lacks: it goes all the same, because who has ordered has to know how to pay
	b.Files, undrawn = email.Attachments(ed, d)
	if d.OtherBuyer {
		err := s.aboutCorrection(ctx, ed, d, &b)
		if errors.Is(err, invoice.ErrDamaged) {
			undrawn, err = errors.Join(undrawn, err), nil
		}
		if err != nil {
			return err
		}
	}
	recipients, err := s.recipients(ctx, d, e.To)
	if err != nil {
		return err
	}
	if d.ReaderID == invoice.NoAccount {
		b.URL = ed.URL(invoice.PDFPath+d.Number) + "?document_key=" + s.links.Sign(ed, links.Document, d.ID)
	}
	var errs []error
	for _, to := range recipients {
		b.Elsewhere = to.elsewhere
		l := b.Email(ed, to.address)
		l.Key += to.key
		if undrawn != nil {
			l.Key += ":undrawn" // the whole one may still go
		}
		if d.Kind == invoice.ProForma && !b.Renews && !to.elsewhere { // it confirms an order
			if l, err = s.terms.ConfirmOrder(ctx, ed, l, d.Product(), d.IssuedAt); err != nil {
				return err
			}
		}
		errs = append(errs, s.mailer.Send(ctx, l))
	}
	return jobs.Join(append(errs, jobs.Skip(undrawn))...)
}

// aboutCorrection has the email of a new invoice speak of the one that it stands for, and attaches the credit note.
func (s *Service) aboutCorrection(ctx context.Context, ed *edition.Edition, d *invoice.Document, b *email.Bill) error {
	var credit *invoice.Document
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		credit, err = invoice.Find(ctx, tx, "d.source = ?", invoice.CorrectionSource(d.Refers.Number, "credit"))
		return err
	})
	if err != nil || credit == nil {
		return err
	}
	files, err := email.Attachments(ed, credit)
	b.Files, b.Corrects, b.Credit = append(b.Files, files...), d.Refers.Number, credit.Number
	return err
}

// recipient is where a document is mailed to. elsewhere is an address that the reader has named for invoices, other
// than the account's.
type recipient struct {
	address   string
	elsewhere bool
	key       string // of the email, after the document's
}

// recipients are the account's, or the one that the reader has named for invoices. A pro-forma invoice goes to both:
// who has ordered has to know how to pay. other is an address that was named for this document alone.
func (s *Service) recipients(ctx context.Context, d *invoice.Document, other string) ([]recipient, error) {
	if d.ReaderID == invoice.NoAccount {
		return []recipient{{address: cmp.Or(other, d.Customer.Email)}}, nil
	}
	account, _, err := s.contacts.Contact(ctx, d.ReaderID)
	if err != nil {
		return nil, err
	}
	if other == "" {
		data, _, err := s.invoices.Buyer(ctx, d.ReaderID)
		if err != nil {
			return nil, err
		}
		other = data.Email
	}
	own := recipient{address: account}
	switch named := (recipient{address: other, elsewhere: true}); {
	case other == "" || strings.EqualFold(other, account):
		return []recipient{own}, nil
	case d.Kind == invoice.ProForma:
		named.key = ":invoices"
		return []recipient{own, named}, nil
	default:
		return []recipient{named}, nil
	}
}
