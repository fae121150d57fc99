package subscription

import (
	"context"
	"strconv"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// mailAccessEnded sends the email about access that has ended with a subscription or a trial, unless its reader has
// access again, or had other access for longer: the end of that has an email of its own.
func (s *Service) mailAccessEnded(ctx context.Context, e event.AccessEnds) error {
	return s.mailAbout(ctx, e.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		if sub.Disputed { // the email about the dispute says it
			return nil, nil
		}
		end, err := s.access.End(ctx, sub.ReaderID)
		if err != nil || !end.At.IsZero() || end.Over.After(sub.AccessEnded(ed.Billing.GraceDays)) {
			return nil, err
		}
		intro, err := s.mayHaveIntro(ctx, sub.ReaderID, to)
		over := email.Ending{ID: strconv.FormatInt(sub.ID, 10), Source: end.Source, At: end.Over, Intro: intro}
		return new(over.Over(ed, to)), err
	})
}

// mailGrantEnding sends the email before the end of what was given, unless other access lasts longer or a subscription
// goes on.
func (s *Service) mailGrantEnding(ctx context.Context, e event.GrantEnds) error {
	return s.mailAboutGrant(ctx, e, email.Ending.Soon, func(end access.End) bool { return !end.At.IsZero() })
}

// mailGrantEnded sends the email after the end of what was given, unless its reader has access or a subscription.
func (s *Service) mailGrantEnded(ctx context.Context, e event.GrantEnds) error {
	return s.mailAboutGrant(ctx, e, email.Ending.Over, func(end access.End) bool { return end.At.IsZero() })
}

// mailAboutGrant sends the email that write makes about the end of what was given, if that is the end of all access and
// as the email says.
func (s *Service) mailAboutGrant(ctx context.Context, e event.GrantEnds,
	write func(e email.Ending, ed *edition.Edition, to string) mail.Message, holds func(access.End) bool,
) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var g *access.Grant
	var end access.End
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if g, err = access.FindGrant(ctx, tx, e.GrantID); err != nil || g == nil {
			return err
		}
		end, err = access.EndOf(ctx, tx, g.ReaderID)
		return err
	})
	if err != nil || g == nil || end.Renews || end.Source != g.Source || !holds(end) ||
		!access.Later(end.At, end.Over).Equal(g.Until) {
		return err
	}
	to, _, err := s.contacts.Contact(ctx, g.ReaderID)
	if err != nil {
		return err
	}
	intro, err := s.mayHaveIntro(ctx, g.ReaderID, to)
	if err != nil {
		return err
	}
	about := email.Ending{ID: "grant:" + strconv.FormatInt(e.GrantID, 10), Source: g.Source, At: g.Until, Intro: intro}
	return s.mailer.Send(ctx, write(about, ed, to))
}
