package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/platform/paper/event"
)

// mailAccessEnded sends the email about access that has ended, unless its reader has access again.
func (s *Service) mailAccessEnded(ctx context.Context, e event.AccessEnds) error {
	sub, ed, err := s.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil || sub == nil {
		return err
	}
	if until, err := s.access.ActiveUntil(ctx, sub.ReaderID); err != nil || !until.IsZero() {
		return err
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	intro, err := s.mayHaveIntro(ctx, sub.ReaderID, to)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, email.AccessEnded(ed, to, sub, intro))
}
