package transfer

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// MailDue reminds of an order that is to be paid today, unless it was paid meanwhile.
func (s *Service) MailDue(ctx context.Context, e event.Transfer) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var o *Order
	var d *invoice.Document
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if o, err = Find(ctx, tx, "id = ? AND state = 'open'", e.TransferID); err != nil || o == nil {
			return err
		}
		d, err = invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
		return err
	})
	if err != nil || o == nil || d == nil {
		return err
	}
	to, _, err := s.contacts.Contact(ctx, o.ReaderID)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, s.DueEmail(ed, to, o, d, s.db.Now()))
}

// DueEmail is the reminder of an order that is to be paid today, or was to be paid on a day before at, if no job ran
// on that day.
func (s *Service) DueEmail(ed *edition.Edition, to string, o *Order, d *invoice.Document, at time.Time) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Number": d.Number, "Product": d.Product(), "Total": i18n.MoneyIn(ed, d.Total, d.Currency),
		"Date": i18n.Date(ed, o.DueAt),
		"Last": i18n.Date(ed, o.lastDay()), "Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.transferDue."+part, words) }
	subject, text := "subject", "text"
	if !at.Before(o.DueAt.In(ed.Location).AddDate(0, 0, 1)) {
		subject, text = "lateSubject", "lateText"
	}
	same := func(part string) string { return i18n.T(ed, "mail.proforma."+part, words) }
	l := mail.Message{
		Kind: "transfer_due", Key: "transfer_due:" + d.Number, To: to, ExpiresAt: o.VoidAt, Subject: say(subject),
		Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say(text)), mail.Paragraph(say("last")),
		},
	}
	AddSlip(ed, &l, d)
	l.Blocks = append(l.Blocks, mail.Button(same("button"), ed.URL(s.URL(ed, o.ID))), mail.Note(say("crossed")))
	return l
}

// Page returns the page that says how to pay a pro-forma invoice, and whether it is for a further year; "" for
// a document that no transfer pays.
func (s *Service) Page(ctx context.Context, ed *edition.Edition,
	d *invoice.Document,
) (url string, renews bool, err error) {
	if d.Kind != invoice.ProForma {
		return "", false, nil
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		o, err := Find(ctx, tx, "document_id = ?", d.ID)
		if err == nil && o != nil {
			url, renews = ed.URL(s.URL(ed, o.ID)), o.Renews
		}
		return err
	})
	return url, renews, err
}
