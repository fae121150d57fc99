package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// mailAccessEnded sends the email about access that has ended, unless its reader has access again.
func (s *Service) mailAccessEnded(ctx context.Context, e event.AccessEnds) error {
	return s.mailAbout(ctx, e.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		if until, err := s.access.ActiveUntil(ctx, sub.ReaderID); err != nil || !until.IsZero() {
			return nil, err
		}
		intro, err := s.mayHaveIntro(ctx, sub.ReaderID, to)
		return new(email.AccessEnded(ed, to, sub, intro)), err
	})
}
