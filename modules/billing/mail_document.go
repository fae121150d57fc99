package billing

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/event"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
)

// tellDocument mails a document with its PDF, once to each of its recipients.
func (m *Module) tellDocument(ctx context.Context, e event.Document) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var d *document
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		d, err = findDocument(ctx, tx, "d.id = ?", e.DocumentID)
		return err
	})
	// Which goes with the new invoice.
	if err != nil || d == nil || d.Kind == proForma && !d.pending() || d.Kind == creditNote && d.OtherBuyer {
		return err
	}
	b := d.bill(ed)
	b.Mistake, b.Guest = e.Mistake, d.ReaderID == nobodysAccount
	if err := m.aboutTransfer(ctx, ed, d, &b); err != nil {
		return err
	}
	if b.Next, err = m.goesOn(ctx, ed, d); err != nil {
		return err
	}
	if b.Files, err = d.files(ed); err != nil {
		return err
	}
	if d.OtherBuyer {
		if err := m.aboutCorrection(ctx, ed, d, &b); err != nil {
			return err
		}
	}
	recipients, err := m.recipients(ctx, d, e.To)
	if err != nil {
		return err
	}
	if d.ReaderID == nobodysAccount {
		b.URL = ed.URL(pdfPath+d.Number) + "?document_key=" + m.link(ed, linkDocument, d.ID)
	}
	for _, to := range recipients {
		b.Elsewhere = to.elsewhere
		l := b.letter(ed, to.address)
		l.Key += to.key
		if d.Kind == proForma && !b.Renews && !to.elsewhere { // it confirms an order
			if l, err = m.confirmsOrder(ctx, ed, l, d.product(), d.IssuedAt); err != nil {
				return err
			}
		}
		if err := m.letters.Send(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

// aboutCorrection has the letter of a new invoice speak of the one that it stands for, and attaches the credit note.
func (m *Module) aboutCorrection(ctx context.Context, ed *edition.Edition, d *document, b *bill) error {
	var credit *document
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		credit, err = findDocument(ctx, tx, "d.source = ?", correctionSource(d.Refers.Number, "credit"))
		return err
	})
	if err != nil || credit == nil {
		return err
	}
	files, err := credit.files(ed)
	b.Files, b.Corrects, b.Credit = append(b.Files, files...), d.Refers.Number, credit.Number
	return err
}

// recipient is where a document is mailed to. elsewhere is an address that the reader has named for invoices, other
// than the account's.
type recipient struct {
	address   string
	elsewhere bool
	key       string // of the letter, after the document's
}

// recipients are the account's, or the one that the reader has named for invoices. A pro-forma invoice goes to both:
// who has ordered has to know how to pay. other is an address that was named for this document alone.
func (m *Module) recipients(ctx context.Context, d *document, other string) ([]recipient, error) {
	if d.ReaderID == nobodysAccount {
		return []recipient{{address: cmp.Or(other, d.Customer.Email)}}, nil
	}
	account, _, err := m.contacts.Contact(ctx, d.ReaderID)
	if err != nil {
		return nil, err
	}
	if other == "" {
		data, _, err := m.InvoiceDataOf(ctx, d.ReaderID)
		if err != nil {
			return nil, err
		}
		other = data.Email
	}
	own := recipient{address: account}
	switch named := (recipient{address: other, elsewhere: true}); {
	case other == "" || strings.EqualFold(other, account):
		return []recipient{own}, nil
	case d.Kind == proForma:
		named.key = ":invoices"
		return []recipient{own, named}, nil
	default:
		return []recipient{named}, nil
	}
}

// files are the PDF of a document; none where it is too large for a letter, which has the way to it.
func (d *document) files(ed *edition.Edition) ([]mail.File, error) {
	var pdf bytes.Buffer
	if err := d.writePDF(&pdf, ed); err != nil || pdf.Len() > mail.MaxFiles {
		return nil, err
	}
	return []mail.File{{Name: d.Number + ".pdf", Type: "application/pdf", Body: pdf.Bytes()}}, nil
}

// bill is what the letter says of a document.
func (d *document) bill(ed *edition.Edition) bill {
	b := bill{
		Kind: d.Kind, Number: d.Number, Product: d.product(), Total: d.Total, Currency: d.Currency, Pay: d,
		Due: dayOf(ed, d.Due), URL: ed.URL(ed.Href(edition.Invoice, d.address())),
	}
	if d.Kind == creditNote {
		b.Product = d.Refers.Number
	}
	return b
}
