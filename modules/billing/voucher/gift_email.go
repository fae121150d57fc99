package voucher

import (
	"time"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// GiftEmail is a code that opens a subscription, for whom it was bought.
type GiftEmail struct {
	Key     string // of the email
	Code    string
	Product string
	URL     string // where it is redeemed
	Until   time.Time
	From    string // who gives it, as they call themselves; may be ""
	Message string // of theirs; may be ""
}

// Email writes it.
func (g GiftEmail) Email(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{"Name": ed.Name, "Product": g.Product, "From": g.From, "Date": i18n.Date(ed, g.Until)}
	say := func(part string) string { return i18n.T(ed, "mail.gift."+part, words) }
	l := mail.Message{
		Kind: "gift", Key: g.Key, To: to, Subject: say("subject"), Preview: say("preview"),
		Why:    i18n.T(ed, "mail.why.gift", words),
		Blocks: []mail.Block{mail.Heading(say("heading"))},
	}
	if g.From != "" {
		l.Blocks = append(l.Blocks, mail.Paragraph(say("from")))
	}
	if g.Message != "" {
		l.Blocks = append(l.Blocks, mail.Paragraph(g.Message))
	}
	l.Blocks = append(l.Blocks, mail.Paragraph(say("text")), mail.Code(g.Code), mail.Button(say("button"), g.URL),
		mail.Note(say("until")))
	return l
}

// GiftBought confirms to whoever has bought a gift what was paid, when it is mailed to whom, and where the card is.
type GiftBought struct {
	Key     string // of the email
	Code    string
	Product string
	Paid    int64 // minor units
	Card    string
	SendTo  string // "" where the buyer hands it over
	SendAt  time.Time
	Until   time.Time
}

// Email writes it.
func (g GiftBought) Email(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Product": g.Product, "Paid": i18n.Money(ed, g.Paid), "To": g.SendTo, "Day": i18n.Date(ed, g.SendAt),
		"Date": i18n.Date(ed, g.Until), "Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.giftBought."+part, words) }
	way := "hand"
	if g.SendTo != "" {
		way = "mailed"
	}
	return mail.Message{
		Kind: "gift_bought", Key: g.Key, To: to, Subject: say("subject"), Preview: say("preview"),
		Why: i18n.T(ed, "mail.why.giftBought", words),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("paid")), mail.Paragraph(say(way)), mail.Code(g.Code),
			mail.Button(say("button"), g.Card),
			mail.Note(say("until")), mail.Note(say("help")),
		},
	}
}
