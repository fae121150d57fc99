package email

import (
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Disputed says what a turn of a dispute means for its reader; until is when the reader's access ends, zero for no
// access.
func Disputed(ed *edition.Edition, to string, s *access.Subscription, d *access.Dispute, turn access.Turn,
	until time.Time,
) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Product": offer.Name(ed, s.Product),
		"Amount": i18n.MoneyIn(ed, d.Amount, strings.ToUpper(d.Currency)),
		"Until":  i18n.Date(ed, until), "Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.dispute."+string(turn)+"."+part, words) }
	reads := "locked"
	if !until.IsZero() {
		reads = "reads"
	}
	button, page := "order", edition.Account
	if !until.IsZero() {
		button, page = "profile", edition.Profile
	}
	text := "text"
	if turn == access.TurnWon && d.ShutAt.IsZero() {
		text = "kept"
	}
	l := mail.Message{
		Kind: "dispute", Key: "dispute:" + d.ProviderID + ":" + string(turn), To: to,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say(text)),
			mail.Paragraph(i18n.T(ed, "mail.dispute."+reads, words)),
		},
	}
	if !s.Renews() { // else the reader has said since that it goes on
		l.Blocks = append(l.Blocks, mail.Paragraph(say("next")))
	}
	l.Blocks = append(l.Blocks, mail.Button(i18n.T(ed, "mail.dispute."+button, words), ed.URL(ed.Href(page))),
		mail.Note(i18n.T(ed, "mail.changed.help", words)))
	return l
}
