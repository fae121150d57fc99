package email

import (
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// MaxNoticeDelay is how long after the end of access its reader is told: later it is no news any more.
const MaxNoticeDelay = 7 * 24 * time.Hour

// Ending is access that ends without anybody's doing, or has ended.
type Ending struct {
	ID     string // of what gave the access: it makes the keys of both emails
	Source access.Source
	At     time.Time
	Intro  bool // its reader can have the introductory price
}

// Soon says some days before that access ends, and what a subscription costs.
func (e Ending) Soon(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{"Name": ed.Name, "Date": i18n.Date(ed, e.At), "Email": ed.SupportEmail}
	kind, group := "trial_ending", "mail.trial."
	if e.Source != access.FromTrial {
		kind, group = "access_ending", "mail.ending."+string(e.Source)+"."
	}
	say := func(part string) string { return i18n.T(ed, group+part, words) }
	same := func(part string) string { return i18n.T(ed, "mail.trial."+part, words) }
	l := mail.Message{
		Kind: kind, Key: kind + ":" + e.ID, To: to, ExpiresAt: e.At, Subject: say("subject"), Preview: same("preview"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("ends")), mail.Paragraph(same("nothing"))},
	}
	l.Blocks = append(l.Blocks, invitation(ed, e.Intro)...)
	return l
}

// Over says that access has ended, and what a subscription costs.
func (e Ending) Over(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{"Name": ed.Name, "Date": i18n.Date(ed, e.At), "Email": ed.SupportEmail}
	say := func(part string) string { return i18n.T(ed, "mail.ended."+part, words) }
	l := mail.Message{
		Kind: "access_ended", Key: "access_ended:" + e.ID, To: to, ExpiresAt: e.At.Add(MaxNoticeDelay),
		Subject: say("subject"), Preview: say("preview"), Blocks: []mail.Block{mail.Heading(say("heading"))},
	}
	if e.Source.Given() {
		l.Blocks = append(l.Blocks, mail.Paragraph(say(string(e.Source))))
	}
	l.Blocks = append(l.Blocks, mail.Paragraph(say("since")), mail.Paragraph(say("again")))
	l.Blocks = append(l.Blocks, invitation(ed, e.Intro)...)
	return l
}

// invitation is how an email to whoever reads without paying ends: what a subscription costs this reader, and the way
// to it.
func invitation(ed *edition.Edition, intro bool) (blocks []mail.Block) {
	if p := offer.Active(ed, access.Monthly); p != nil {
		blocks = append(blocks, mail.Paragraph(p.Name+": "+offer.PriceFor(ed, p, intro)))
	}
	say := func(part string) string {
		return i18n.T(ed, "mail.trial."+part, map[string]any{"Email": ed.SupportEmail})
	}
	return append(blocks, mail.Button(say("button"), ed.URL(ed.Href(edition.Account))), mail.Note(say("help")))
}
