package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// mailPriceChange sends the email about another price, unless the subscription ends before it counts.
func (s *Service) mailPriceChange(ctx context.Context, e event.PriceChange) error {
	var c *email.PriceChange
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		c, err = findPriceChange(ctx, tx, "c.id = ?", e.PriceChangeID)
		return err
	})
	if err != nil || c == nil {
		return err
	}
	return s.mailAbout(ctx, c.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		if sub.Status != stripe.Active || sub.CancelAtPeriodEnd {
			return nil, nil
		}
		return new(email.PriceChanging(ed, to, sub, c)), nil
	})
}
