package billing

import (
	"context"
	"strconv"
	"strings"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/event"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
)

// thank sends the letter about a first payment: what was bought, what it cost, what it will cost and when, how to leave.
func (m *Module) thank(ctx context.Context, e event.Paid) error {
	s, ed, err := m.letterAbout(ctx, e.SubscriptionID)
	if err != nil {
		return err
	}
	if s == nil || !s.Status.live() { // cancelled meanwhile: thanks would be wrong
		return nil
	}
	to, _, err := m.contacts.Contact(ctx, s.ReaderID)
	if err != nil {
		return err
	}
	return m.letters.Send(ctx, thanks(ed, to, s))
}

// remindTrial sends the letter about a trial that ends, unless it is over or was replaced by something better.
func (m *Module) remindTrial(ctx context.Context, e event.TrialEnds) error {
	s, ed, err := m.letterAbout(ctx, e.SubscriptionID)
	if err != nil {
		return err
	}
	if s == nil || s.Status != trialing || !s.PeriodEnd.After(m.db.Now()) {
		return nil
	}
	to, _, err := m.contacts.Contact(ctx, s.ReaderID)
	if err != nil {
		return err
	}
	return m.letters.Send(ctx, trialEnding(ed, to, s))
}

func (m *Module) letterAbout(ctx context.Context, id int64) (s *subscription, ed *edition.Edition, err error) {
	if ed, err = edition.From(ctx); err != nil {
		return nil, nil, jobs.Skip(err)
	}
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		s, err = findSubscription(ctx, tx, "id = ?", id)
		return err
	})
	return s, ed, err
}

func thanks(ed *edition.Edition, to string, s *subscription) mail.Letter {
	p, name := ed.Product(s.Product), s.Product
	if p != nil {
		name = p.Name
	}
	words := map[string]any{
		"Name": ed.Name, "Product": name, "Paid": i18n.MoneyIn(ed, s.Paid, currencyOf(ed, s)),
		"Next": i18n.MoneyIn(ed, s.Amount, currencyOf(ed, s)), "Date": i18n.Date(ed, s.PeriodEnd), "Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.payment."+part, words) }
	next, preview := "next", "preview"
	if s.Transfer {
		next, preview = "transfer", "previewTransfer"
	}
	l := mail.Letter{
		Kind: "payment", Key: "payment:" + s.key(), To: to, Subject: say("subject"), Preview: say(preview),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("bought")), mail.Paragraph(say("paid")), mail.Paragraph(say(next)),
		},
	}
	if p != nil && !s.Transfer {
		l.Blocks = append(l.Blocks, mail.Note(Price(ed, p)))
	}
	l.Blocks = append(l.Blocks, mail.Button(say("button"), ed.URL("/")))
	if !s.Transfer { // nothing goes on by itself
		l.Blocks = append(l.Blocks, mail.Note(say("leave")))
	}
	return l
}

func trialEnding(ed *edition.Edition, to string, s *subscription) mail.Letter {
	words := map[string]any{"Name": ed.Name, "Date": i18n.Date(ed, s.PeriodEnd), "Email": ed.SupportEmail}
	say := func(part string) string { return i18n.T(ed, "mail.trial."+part, words) }
	l := mail.Letter{
		Kind: "trial_ending", Key: "trial_ending:" + strconv.FormatInt(s.ID, 10), To: to, ExpiresAt: s.PeriodEnd,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("ends")), mail.Paragraph(say("nothing"))},
	}
	l.Blocks = append(l.Blocks, invitation(ed)...)
	return l
}

// invitation is how a letter to who reads without paying ends: what a subscription costs, and the way to it.
func invitation(ed *edition.Edition) (blocks []mail.Block) {
	if p := sold(ed, Monthly); p != nil {
		blocks = append(blocks, mail.Paragraph(p.Name+": "+Price(ed, p)))
	}
	say := func(part string) string {
		return i18n.T(ed, "mail.trial."+part, map[string]any{"Email": ed.SupportEmail})
	}
	return append(blocks, mail.Button(say("button"), ed.URL(ed.Href(edition.Account))), mail.Note(say("help")))
}

func currencyOf(ed *edition.Edition, s *subscription) string {
	if s.Currency == "" {
		return ed.Billing.Currency
	}
	return strings.ToUpper(s.Currency) // the provider writes it small
}
