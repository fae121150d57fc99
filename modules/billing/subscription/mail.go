package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
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
	l, err := s.terms.ConfirmOrder(ctx, ed, email.Payment(ed, to, sub), offer.Name(ed, sub.Product), sub.StartedAt)
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
	return s.mailer.Send(ctx, email.TrialEnding(ed, to, sub, intro))
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

// mayHaveIntro reports whether a reader (0: nobody yet) with an address has not had the introductory price.
func (s *Service) mayHaveIntro(ctx context.Context, readerID int64, address string) (bool, error) {
	used := false
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		used, err = access.IsUsed(ctx, tx, "intro", person.Reader(readerID), person.Email(address))
		return err
	})
	return !used, err
}
