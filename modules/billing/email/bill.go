package email

import (
	"bytes"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Attachments returns the PDF of a document, or nothing where it is too large for an email, which has a link to it.
func Attachments(ed *edition.Edition, d *invoice.Document) ([]mail.File, error) {
	var pdf bytes.Buffer
	if err := d.WritePDF(&pdf, ed); err != nil || pdf.Len() > mail.MaxFiles {
		return nil, err
	}
	return []mail.File{{Name: d.Number + ".pdf", Type: "application/pdf", Body: pdf.Bytes()}}, nil
}

// BillOf is what the email says about a document.
func BillOf(ed *edition.Edition, d *invoice.Document) Bill {
	b := Bill{
		Kind: d.Kind, Number: d.Number, Product: d.Product(), Total: d.Total, Currency: d.Currency, Pay: d,
		Due: invoice.Day(ed, d.Due), URL: ed.URL(ed.Href(edition.Invoice, d.Address())),
	}
	if d.Kind == invoice.CreditNote {
		b.Product = d.Refers.Number
	} else if id := d.VATNote(); id != "" {
		b.VATNote = i18n.T(ed, id, nil)
	}
	if d.Kind == invoice.ProForma && len(d.Lines) == 1 && d.Lines[0].From != "" {
		l := d.Lines[0]
		b.From, b.To = invoice.Day(ed, l.From), invoice.Day(ed, l.To).AddDate(0, 0, 1)
	}
	return b
}

// PaymentLink is the way to pay for what somebody asked for, in an email.
type PaymentLink struct {
	Key     string // of the email
	Product *edition.Product
	URL     string
	Until   time.Time
	Intro   bool // the introductory price can be had
}

// Email writes it.
func (p PaymentLink) Email(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Product": p.Product.Name, "Price": offer.PriceFor(ed, p.Product, p.Intro),
		"Date": i18n.Date(ed, p.Until),
	}
	say := func(part string) string { return i18n.T(ed, "mail.payLink."+part, words) }
	return mail.Message{
		Kind: "payment_link", Key: p.Key, To: to, ExpiresAt: p.Until, Subject: say("subject"), Preview: say("preview"),
		Why: i18n.T(ed, "mail.why.offer", words),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("asked")), mail.Paragraph(say("price")),
			mail.Button(say("button"), p.URL), mail.Note(say("until")),
		},
	}
}

// Bill is what an email says of a document: of an invoice that is paid, of one that waits for a transfer, or of what
// was given back.
type Bill struct {
	Kind      invoice.Kind
	Number    string
	Product   string // of a credit note, the invoice that it corrects
	VATNote   string // why there is no VAT; "" where there is
	Total     int64  // minor units
	Currency  string
	Pay       *invoice.Document // of a pro-forma invoice: what is to be paid, and where to
	Due       time.Time
	Renews    bool      // it is for a further year
	From, To  time.Time // the year that a pro-forma invoice asks for, if it is appended to what was given; else zero
	URL       string
	Files     []mail.File
	Corrects  string               // number of the invoice whose buyer was another; "" for none
	Credit    string               // number of the credit note that takes that one back
	Mistake   bool                 // a credit note for a payment that was never the reader's
	Guest     bool                 // who bought it needs no account
	Elsewhere bool                 // it goes to a mailbox that the reader has named for invoices, where nobody can log in
	Next      *access.Subscription // that goes on after a credit note; nil for none
}

// nextPayment returns when a subscription is paid for next, be it after a pause, and how much; a zero day for nil, and
// if its reader decides when a pause ends.
func nextPayment(ed *edition.Edition, s *access.Subscription) (day time.Time, amount string) {
	if s == nil {
		return day, ""
	}
	if next := access.NextPaymentOf(*s, ed); next != nil {
		return next.At, i18n.MoneyIn(ed, next.Amount, next.Currency)
	}
	return s.GoesOnAt(), i18n.MoneyIn(ed, s.NextPayment(s.Amount), access.CurrencyOf(ed, s))
}

// Email writes it.
func (b Bill) Email(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Number": b.Number, "Product": b.Product, "Total": i18n.MoneyIn(ed, b.Total, b.Currency),
		"Date": i18n.Date(ed, b.Due), "Email": ed.SupportEmail,
		"Corrects": b.Corrects, "Credit": b.Credit,
	}
	kind, due := invoice.KindWords[b.Kind], b.Kind == invoice.ProForma
	from := kind
	if b.Mistake {
		from = "mistake"
	}
	say := func(part string) string { return i18n.T(ed, "mail."+from+"."+part, words) }
	text := "text"
	switch {
	case b.Renews:
		text = "renews"
	case !b.From.IsZero():
		text, words["From"], words["Until"] = "given", i18n.Date(ed, b.From), i18n.Date(ed, b.To)
	case b.Corrects != "":
		text = "corrects"
	}
	l := mail.Message{
		Kind: kind, Key: kind + ":" + b.Number, To: to, Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say(text))}, Files: b.Files,
	}
	if b.VATNote != "" {
		l.Blocks = append(l.Blocks, mail.Paragraph(b.VATNote))
	}
	if len(b.Files) > 0 && b.Corrects == "" {
		l.Blocks = append(l.Blocks, mail.Paragraph(i18n.T(ed, "mail.bill.attached", nil)))
	}
	if day, amount := nextPayment(ed, b.Next); !day.IsZero() {
		words["Amount"], words["Date"] = amount, i18n.Date(ed, day)
		l.Blocks = append(l.Blocks, mail.Paragraph(i18n.T(ed, "mail.credit.goesOn", words)))
	}
	last := "keep"
	if due {
		transfer.AddSlip(ed, &l, b.Pay)
		last = "note"
	}
	if b.Guest {
		last, l.Why = "guest", i18n.T(ed, "mail.why.giftBought", words)
	}
	if b.Elsewhere {
		l.Blocks = append(l.Blocks, mail.Note(i18n.T(ed, "mail.bill.elsewhere", words)))
		return l
	}
	l.Blocks = append(l.Blocks, mail.Button(say("button"), b.URL), mail.Note(say(last)))
	return l
}
