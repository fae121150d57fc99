package subscription

import (
	"context"
	"strconv"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// confirmPurchase sends the email about a first payment: what was bought, what it cost, what it will cost and when, how
// to leave.
func (s *Service) confirmPurchase(ctx context.Context, e event.Paid) error {
	return s.mailAbout(ctx, e.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		if !sub.Status.Live() { // cancelled meanwhile: thanks would be wrong
			return nil, nil
		}
		l, err := s.terms.ConfirmOrder(ctx, ed, email.Payment(ed, to, sub), offer.Name(ed, sub.Product), sub.StartedAt)
		return &l, err
	})
}

// mailTrialEnding sends the email about a trial that ends, unless it is over or something else opens articles longer.
func (s *Service) mailTrialEnding(ctx context.Context, e event.TrialEnds) error {
	return s.mailAbout(ctx, e.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		end, err := s.access.End(ctx, sub.ReaderID)
		if err != nil || !end.Trial() || !end.At.Equal(sub.PeriodEnd) {
			return nil, err
		}
		intro, err := s.mayHaveIntro(ctx, sub.ReaderID, to)
		e := email.Ending{ID: strconv.FormatInt(sub.ID, 10), Source: end.Source, At: end.At, Intro: intro}
		return new(e.Soon(ed, to)), err
	})
}

// mailAbout sends its reader the email that write makes about a subscription. None is sent about one that is gone, or
// where write returns nil: what it was to say has changed since.
func (s *Service) mailAbout(ctx context.Context, id int64,
	write func(ed *edition.Edition, sub *access.Subscription, to string) (*mail.Message, error),
) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var sub *access.Subscription
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		sub, err = access.Find(ctx, tx, "id = ?", id)
		return err
	})
	if err != nil || sub == nil {
		return err
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	l, err := write(ed, sub, to)
	if err != nil || l == nil {
		return err
	}
	return s.mailer.Send(ctx, *l)
}

// mayHaveIntro reports whether a reader (0: nobody yet) with an address has not had the introductory price.
func (s *Service) mayHaveIntro(ctx context.Context, readerID int64, address string) (bool, error) {
	used := false
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		used, err = access.IsUsed(ctx, tx, "intro", person.Keys(readerID, address)...)
		return err
	})
	return !used, err
}
