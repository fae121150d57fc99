package subscription

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// confirmPurchase sends the email about a first payment: what was bought, what it cost, what it will cost and when, how
// to leave.
func (s *Service) confirmPurchase(ctx context.Context, e event.Paid) error {
	sub, ed, err := s.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil {
		return err
	}
	if sub == nil || !sub.Status.Live() { // cancelled meanwhile: thanks would be wrong
		return nil
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	l, err := s.terms.ConfirmOrder(ctx, ed, thanks(ed, to, sub), offer.Name(ed, sub.Product), sub.StartedAt)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, l)
}

// mailTrialEnding sends the email about a trial that ends, unless it is over or was replaced by something better.
func (s *Service) mailTrialEnding(ctx context.Context, e event.TrialEnds) error {
	sub, ed, err := s.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil {
		return err
	}
	if sub == nil || sub.Status != stripe.Trialing || !sub.PeriodEnd.After(s.db.Now()) {
		return nil
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	intro, err := s.mayHaveIntro(ctx, sub.ReaderID, to)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, trialEnding(ed, to, sub, intro))
}

func (s *Service) subscriptionForEmail(ctx context.Context,
	id int64,
) (sub *access.Subscription, ed *edition.Edition, err error) {
	if ed, err = edition.From(ctx); err != nil {
		return nil, nil, jobs.Skip(err)
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		sub, err = access.Find(ctx, tx, "id = ?", id)
		return err
	})
	return sub, ed, err
}

func thanks(ed *edition.Edition, to string, s *access.Subscription) mail.Letter {
	p, name := ed.Product(s.Product), s.Product
	if p != nil {
		name = p.Name
	}
	words := map[string]any{
		"Name": ed.Name, "Product": name, "Paid": i18n.MoneyIn(ed, s.Paid, currencyOf(ed, s)),
		"Next": i18n.MoneyIn(ed, s.NextPayment(s.Amount), currencyOf(ed, s)), "Date": i18n.Date(ed, s.PeriodEnd),
		"Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.payment."+part, words) }
	paid, next, preview := "paid", "next", "preview"
	switch {
	case s.Transfer:
		next, preview = "transfer", "previewTransfer"
	case s.Paid == 0 && !s.PaidFrom.IsZero():
		paid, next = "nothing", "begins"
	}
	l := mail.Letter{
		Kind: "payment", Key: "payment:" + s.Key(), To: to, Subject: say("subject"), Preview: say(preview),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("bought")), mail.Paragraph(say(paid)), mail.Paragraph(say(next)),
		},
	}
	if p != nil && !s.Transfer {
		l.Blocks = append(l.Blocks, mail.Note(sentence(offer.PriceFor(ed, p, s.AtIntroPrice(p)))))
	}
	l.Blocks = append(l.Blocks, mail.Button(say("button"), ed.URL("/")))
	if !s.Transfer { // nothing goes on by itself
		l.Blocks = append(l.Blocks, mail.Note(say("leave")))
	}
	return l
}

// sentence begins a line of its own with a capital letter.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

func trialEnding(ed *edition.Edition, to string, s *access.Subscription, intro bool) mail.Letter {
	words := map[string]any{"Name": ed.Name, "Date": i18n.Date(ed, s.PeriodEnd), "Email": ed.SupportEmail}
	say := func(part string) string { return i18n.T(ed, "mail.trial."+part, words) }
	l := mail.Letter{
		Kind: "trial_ending", Key: "trial_ending:" + strconv.FormatInt(s.ID, 10), To: to, ExpiresAt: s.PeriodEnd,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("ends")), mail.Paragraph(say("nothing"))},
	}
	l.Blocks = append(l.Blocks, invitation(ed, intro)...)
	return l
}

// mayHaveIntro reports whether a reader (0: nobody yet) with an address has not had the introductory price.
func (s *Service) mayHaveIntro(ctx context.Context, readerID int64, email string) (bool, error) {
	used := false
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		used, err = access.IsUsed(ctx, tx, "intro", person.Reader(readerID), person.Email(email))
		return err
	})
	return !used, err
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

func currencyOf(ed *edition.Edition, s *access.Subscription) string {
	if s.Currency == "" {
		return ed.Billing.Currency
	}
	return strings.ToUpper(s.Currency) // the provider writes it small
}
