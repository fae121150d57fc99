package billing

import (
	"context"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// mailTransferDue reminds of an order that is to be paid today, unless it was paid meanwhile.
func (m *Module) mailTransferDue(ctx context.Context, e event.Transfer) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var o *transfer
	var d *invoice.Document
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if o, err = findTransfer(ctx, tx, "id = ? AND state = 'open'", e.TransferID); err != nil || o == nil {
			return err
		}
		d, err = invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
		return err
	})
	if err != nil || o == nil || d == nil {
		return err
	}
	to, _, err := m.contacts.Contact(ctx, o.ReaderID)
	if err != nil {
		return err
	}
	return m.mailer.Send(ctx, m.transferDue(ed, to, o, d))
}

func (m *Module) transferDue(ed *edition.Edition, to string, o *transfer, d *invoice.Document) mail.Letter {
	words := map[string]any{
		"Name": ed.Name, "Number": d.Number, "Product": d.Product(), "Total": i18n.MoneyIn(ed, d.Total, d.Currency),
		"Date": i18n.Date(ed, o.DueAt),
		"Last": i18n.Date(ed, o.VoidAt.AddDate(0, 0, -1)), "Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.transferDue."+part, words) }
	same := func(part string) string { return i18n.T(ed, "mail.proforma."+part, words) }
	l := mail.Letter{
		Kind: "transfer_due", Key: "transfer_due:" + d.Number, To: to, ExpiresAt: o.VoidAt, Subject: say("subject"),
		Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("text")), mail.Paragraph(say("last")),
		},
	}
	addSlip(ed, &l, d)
	l.Blocks = append(l.Blocks, mail.Button(same("button"), ed.URL(m.transferURL(ed, o.ID))), mail.Note(say("crossed")))
	return l
}

// aboutTransfer says in a bill that waits for a transfer where the page with the code is, and whether it is for a
// further year.
func (m *Module) aboutTransfer(ctx context.Context, ed *edition.Edition, d *invoice.Document, b *bill) error {
	if d.Kind != invoice.ProForma {
		return nil
	}
	var o *transfer
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		o, err = findTransfer(ctx, tx, "document_id = ?", d.ID)
		return err
	})
	if err == nil && o != nil {
		b.URL, b.Renews = ed.URL(m.transferURL(ed, o.ID)), o.Renews
	}
	return err
}
