package transfer

import (
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/payqr"
)

// codeFile is the name of the payment code in an email.
const codeFile = "payment-code.png"

// AddSlip tells in an email how to pay a pro-forma invoice: what to type, and the code that a banking app reads. A code
// that cannot be made is left out, since all it says stands in words.
func AddSlip(ed *edition.Edition, l *mail.Message, d *invoice.Document) {
	say := func(part string) string { return i18n.T(ed, "mail.slip."+part, nil) }
	s, reference := d.Supplier, d.Reference
	kind, format := invoice.ReferenceForm(s.IBAN)
	if kind != "symbol" {
		reference = invoice.Grouped(reference)
	}
	l.Blocks = append(l.Blocks, mail.Facts(
		mail.Fact{Label: say("payee"), Value: s.Name},
		mail.Fact{Label: "IBAN", Value: invoice.Grouped(s.IBAN)},
		mail.Fact{Label: "BIC", Value: s.SWIFT},
		mail.Fact{Label: say("amount"), Value: i18n.MoneyIn(ed, d.Total, d.Currency)},
		mail.Fact{Label: say(invoice.ReferenceLabel(s.IBAN)), Value: reference},
	))
	text, err := invoice.PaymentCode(d)
	if err != nil {
		return
	}
	picture, err := payqr.PNG(text, format == "swiss")
	if err != nil {
		return
	}
	l.Files = append(l.Files, mail.File{Name: codeFile, Type: "image/png", Body: picture, Inline: true})
	l.Blocks = append(l.Blocks, mail.Note(say("scan."+format)), mail.Picture(codeFile, say("code")))
}
