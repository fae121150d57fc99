package subscription

import (
	"context"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// mailPaymentDue sends the email about a payment that failed, with the way to make it good, unless it was paid
// meanwhile.
func (s *Service) mailPaymentDue(ctx context.Context, e event.Overdue) error {
	sub, ed, err := s.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil {
		return err
	}
	if sub == nil || sub.Status != stripe.PastDue && sub.Status != stripe.Unpaid || !sub.PeriodEnd.Equal(e.PeriodEnd) {
		return nil
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	o, err := acc.AmountDue(ctx, sub.ProviderID)
	if err != nil || o.Amount == 0 || o.URL == "" {
		return err
	}
	return s.mailer.Send(ctx, paymentDue(ed, to, sub, o, e.Day))
}

// dueWords are the words of each day's email.
var dueWords = map[int]string{0: "first", 3: "second", 7: "last"}

func paymentDue(ed *edition.Edition, to string, s *access.Subscription, o stripe.Due, day int) mail.Letter {
	name := s.Product
	if p := ed.Product(s.Product); p != nil {
		name = p.Name
	}
	until := s.PeriodStart.AddDate(0, 0, ed.Billing.GraceDays)
	words := map[string]any{
		"Name": ed.Name, "Product": name, "Amount": i18n.MoneyIn(ed, o.Amount, strings.ToUpper(o.Currency)),
		"Date": i18n.Date(ed, until), "Email": ed.SupportEmail,
		"End": i18n.Date(ed, s.PeriodStart.Add(waitForPayment)),
	}
	say := func(part string) string { return i18n.T(ed, "mail.due."+part, words) }
	why, button, access := "failed", "pay", "until"
	if o.Confirm {
		why, button = "confirm", "confirmButton"
	}
	if !s.PeriodStart.AddDate(0, 0, day).Before(until) {
		access = "over"
	}
	return mail.Letter{
		Kind: "payment_due", Key: "payment_due:" + strconv.FormatInt(s.ID, 10) + ":" +
			strconv.FormatInt(s.PeriodEnd.Unix(), 10) + ":" + strconv.Itoa(day), To: to,
		ExpiresAt: s.PeriodStart.Add(waitForPayment), Subject: say(dueWords[day] + ".subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say(dueWords[day] + ".heading")), mail.Paragraph(say(why)), mail.Paragraph(say(access)),
			mail.Button(say(button), o.URL), mail.Note(say("help")),
		},
	}
}

// mailRenewal announces a renewal, unless the subscription ends or is paused now.
func (s *Service) mailRenewal(ctx context.Context, e event.Renewal) error {
	sub, ed, err := s.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil {
		return err
	}
	if sub == nil || !sub.PeriodEnd.Equal(e.PeriodEnd) || !sub.PeriodEnd.After(s.db.Now()) {
		return nil
	}
	r := renewalOf(*sub, ed)
	if r == nil {
		return nil
	}
	var c *priceChange
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		c, err = findPriceChange(ctx, tx, "c.subscription_id = ? AND c.from_at <= ?", sub.ID, sub.PeriodEnd)
		return err
	})
	if err != nil {
		return err
	}
	if c != nil && sub.Next == "" {
		r.Amount = sub.NextPayment(c.Amount)
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, renewing(ed, to, sub, r))
}

func renewing(ed *edition.Edition, to string, s *access.Subscription, r *renewal) mail.Letter {
	words := map[string]any{
		"Name": ed.Name, "Product": r.Product.Name, "Amount": i18n.MoneyIn(ed, r.Amount, currencyOf(ed, s)),
		"Every": offer.Interval(ed, r.Product.Interval),
		"Date":  i18n.Date(ed, s.PeriodEnd), "Email": ed.SupportEmail,
	}
	group, text := "mail.renewal.", "text"
	switch {
	case r.Begins:
		words["Full"], group = i18n.MoneyIn(ed, s.Amount, currencyOf(ed, s)), "mail.beginning."
	case r.First:
		text = "first"
	}
	say := func(part string) string { return i18n.T(ed, group+part, words) }
	return mail.Letter{
		Kind: "renewal", Key: "renewal:" + strconv.FormatInt(s.ID, 10) + ":" + strconv.FormatInt(s.PeriodEnd.Unix(), 10),
		To: to, ExpiresAt: s.PeriodEnd.Add(-time.Hour),
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say(text)), mail.Paragraph(say("leave")),
			mail.Button(say("button"), ed.URL(ed.Href(edition.Profile))), mail.Note(say("help")),
		},
	}
}
