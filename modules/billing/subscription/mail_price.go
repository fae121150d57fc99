package subscription

import (
	"context"
	"strconv"
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

// mailPriceChange sends the email about another price, unless the subscription ends before it counts.
func (s *Service) mailPriceChange(ctx context.Context, e event.PriceChange) error {
	var c *priceChange
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		c, err = findPriceChange(ctx, tx, "c.id = ?", e.PriceChangeID)
		return err
	})
	if err != nil || c == nil {
		return err
	}
	sub, ed, err := s.subscriptionForEmail(ctx, c.SubscriptionID)
	if err != nil || sub == nil || sub.Status != stripe.Active || sub.CancelAtPeriodEnd {
		return err
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, priceChanging(ed, to, sub, c))
}

func priceChanging(ed *edition.Edition, to string, s *access.Subscription, c *priceChange) mail.Letter {
	name, often := s.Product, ""
	if p := ed.Product(s.Product); p != nil {
		name, often = p.Name, offer.Interval(ed, p.Interval)
	}
	words := map[string]any{
		"Name": ed.Name, "Product": name, "Every": often, "Date": i18n.Date(ed, c.FromAt), "Email": ed.SupportEmail,
		"Amount": i18n.MoneyIn(ed, c.Amount, currencyOf(ed, s)), "Was": i18n.MoneyIn(ed, c.Was, currencyOf(ed, s)),
	}
	say := func(part string) string { return i18n.T(ed, "mail.price."+part, words) }
	return mail.Letter{
		Kind: "price_change", Key: "price_change:" + strconv.FormatInt(c.ID, 10), To: to, ExpiresAt: c.FromAt.Add(-time.Hour),
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("text")), mail.Paragraph(say("leave")),
			mail.Button(say("button"), ed.URL(ed.Href(edition.Profile))), mail.Note(say("help")),
		},
	}
}
