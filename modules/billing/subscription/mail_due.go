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

// mailPaymentDue sends the email about a payment that failed, with the way to make it good, unless it was paid
// meanwhile.
func (s *Service) mailPaymentDue(ctx context.Context, e event.Overdue) error {
	return s.mailAbout(ctx, e.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		if sub.Status != stripe.PastDue && sub.Status != stripe.Unpaid || !sub.PeriodEnd.Equal(e.PeriodEnd) {
			return nil, nil
		}
		acc, err := s.provider.Account(ctx)
		if err != nil {
			return nil, err
		}
		o, err := acc.AmountDue(ctx, sub.ProviderID)
		if err != nil || o.Amount == 0 || o.URL == "" {
			return nil, err
		}
		return new(email.PaymentDue(ed, to, sub, o, e.Day, s.db.Now())), nil
	})
}

// mailRenewal announces a renewal, unless the subscription ends or is paused now.
func (s *Service) mailRenewal(ctx context.Context, e event.Renewal) error {
	return s.mailAbout(ctx, e.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		r := access.RenewalOf(*sub, ed)
		if r == nil || !sub.PeriodEnd.Equal(e.PeriodEnd) || !sub.PeriodEnd.After(s.db.Now()) {
			return nil, nil
		}
		var c *email.PriceChange
		err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			c, err = findPriceChange(ctx, tx, "c.subscription_id = ? AND c.from_at <= ?", sub.ID, sub.PeriodEnd)
			return err
		})
		if err != nil {
			return nil, err
		}
		if c != nil && sub.Next == "" {
			r.Amount = sub.NextPayment(c.Amount)
		}
		return new(email.Renewal(ed, to, sub, r)), nil
	})
}
