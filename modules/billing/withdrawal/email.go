package withdrawal

import (
	"time"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// receipt is a consumer's statement as it was received: the email is their proof of what they said, and when
// (Directive 2011/83/EU, article 11a).
type receipt struct {
	Key       string // of the email
	Person    string
	Contract  string // what it was stated to be
	Product   string // "" where no contract was found
	Concluded time.Time
	Received  time.Time
	Amount    int64 // minor units that go back
	Currency  string
	State     string
	Confirm   string // address that confirms it; "" where it was confirmed
	Reminder  bool   // to confirm it
}

func (w receipt) message(ed *edition.Edition, to string) mail.Message {
	switch {
	case w.Product == "":
		return w.unmatched(ed, to)
	case w.Confirm != "":
		return w.unconfirmed(ed, to)
	case w.State == Refused:
		return w.refused(ed, to)
	}
	words := map[string]any{
		"Name": ed.Name, "Person": w.Person, "Reader": to, "Product": w.Product, "Date": i18n.Date(ed, w.Concluded),
		"At":     i18n.DateTime(ed, w.Received),
		"Amount": i18n.MoneyIn(ed, w.Amount, w.Currency), "Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.withdrawal."+part, words) }
	refund := "refund"
	switch {
	case w.Amount == 0:
		refund = "unpaid"
	case w.State == InReview:
		refund = "review"
	}
	return mail.Message{
		Kind: "withdrawal", Key: w.Key, To: to, Subject: say("subject"), Preview: say("preview"),
		Why: i18n.T(ed, "mail.why.withdrawal", words),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("received")), mail.Paragraph(say("statement")),
			mail.Paragraph(say(refund)), mail.Note(say("keep")),
		},
	}
}

// unconfirmed acknowledges a statement that anybody can have made, with the link by which the mailbox confirms it.
func (w receipt) unconfirmed(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Person": w.Person, "Reader": to, "Product": w.Product, "Date": i18n.Date(ed, w.Concluded),
		"At": i18n.DateTime(ed, w.Received), "Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.withdrawalConfirm."+part, words) }
	same := func(part string) string { return i18n.T(ed, "mail.withdrawal."+part, words) }
	subject := "subject"
	if w.Reminder {
		subject = "again"
	}
	return mail.Message{
		Kind: "withdrawal_confirm", Key: w.Key, To: to, Subject: say(subject), Preview: say("preview"),
		Why: i18n.T(ed, "mail.why.withdrawal", words),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(same("received")), mail.Paragraph(same("statement")),
			mail.Paragraph(say("confirm")), mail.Button(say("button"), w.Confirm),
			mail.Note(say("stranger")), mail.Note(same("keep")),
		},
	}
}

// refused says that a person has refused a withdrawal, which was acknowledged before.
func (w receipt) refused(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Product": w.Product, "Date": i18n.Date(ed, w.Concluded), "At": i18n.DateTime(ed, w.Received),
		"Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.withdrawalRefused."+part, words) }
	return mail.Message{
		Kind: "withdrawal", Key: w.Key, To: to, Subject: say("subject"), Preview: say("preview"),
		Why: i18n.T(ed, "mail.why.withdrawal", words),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("text")), mail.Paragraph(say("goesOn")), mail.Note(say("help")),
		},
	}
}

// unmatched acknowledges a statement for which no contract was found that can be withdrawn from.
func (w receipt) unmatched(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Person": w.Person, "Reader": to, "At": i18n.DateTime(ed, w.Received),
		"Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.withdrawalNone."+part, words) }
	return mail.Message{
		Kind: "withdrawal", Key: w.Key, To: to, Subject: say("subject"), Preview: say("preview"),
		Why: i18n.T(ed, "mail.why.withdrawal", words),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("received")), mail.Paragraph(say(w.Contract)),
			mail.Paragraph(say("none")), mail.Note(say("keep")),
		},
	}
}
