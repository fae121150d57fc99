package access

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Source is where access comes from.
type Source string

// The sources.
const (
	FromTrial    Source = "trial"
	FromCode     Source = "code"
	FromGift     Source = "gift"
	FromGrant    Source = "grant" // by support
	FromTransfer Source = "transfer"
	FromCard     Source = "card"
)

// Given reports whether nobody pays for access from a source, and no trial it is: it ends by itself.
func (s Source) Given() bool { return s == FromCode || s == FromGift || s == FromGrant }

// ranks decide between sources of access that ends at the same instant: the one that was paid for counts.
var ranks = map[Source]int{FromTrial: 1, FromGrant: 2, FromCode: 3, FromGift: 3, FromTransfer: 4, FromCard: 5}

// End says when a reader's access ends, and where that access comes from. Emails, the profile, popups, /user/me and
// the payment page all ask for it.
type End struct {
	At      time.Time // end of access; zero: there is none
	Source  Source    // of the access that ends last, or has ended last; "" if there never was any
	Product string    // the type that it shows as
	Renews  bool      // a subscription goes on by itself, perhaps after a pause or once its payment succeeds
	Over    time.Time // end of the last access, where there is none now; zero: there never was any

	NoticeDue bool // about access that is over, because the reader has not closed it
}

// Trial reports whether a reader reads by nothing but a trial.
func (e End) Trial() bool { return !e.At.IsZero() && e.Source == FromTrial }

// End says when a reader's access ends. It remembers answers.
func (s *Service) End(ctx context.Context, readerID int64) (End, error) {
	ed, err := edition.From(ctx)
	if err != nil || readerID <= 0 {
		return End{Product: NoProduct}, err
	}
	now := s.db.Now()
	key := cacheKey{ed.ID, readerID}
	e, ok, generation := s.cache.get(key, now)
	if !ok {
		err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			e, err = readEntitlement(ctx, tx, readerID)
			return err
		})
		if err != nil {
			return End{Product: NoProduct}, err
		}
		s.cache.put(key, e, now, generation)
	}
	return e.End(now), nil
}

// EndOf says when a reader's access ends, in a transaction.
func EndOf(ctx context.Context, tx db.Tx, readerID int64) (End, error) {
	e, err := readEntitlement(ctx, tx, readerID)
	return e.End(tx.Now), err
}

// ActiveUntil is when a reader's access ends; zero when there is none.
func (s *Service) ActiveUntil(ctx context.Context, readerID int64) (time.Time, error) {
	end, err := s.End(ctx, readerID)
	return end.At, err
}

// span is access from one source.
type span struct {
	source    Source
	product   string
	until     time.Time // zero: it opens nothing
	tolerated time.Time // end while a renewal is on its way
	over      time.Time // when it has ended or will have; zero: that is no end
	renews    bool
	charges   bool // by itself, when the period is over
}

// at is the end of a span that runs at an instant; zero for another one.
func (s *span) at(now time.Time) time.Time {
	switch {
	case s.until.After(now):
		return s.until
	case s.tolerated.After(now):
		return s.tolerated
	}
	return time.Time{}
}

// Entitlement is all that has opened articles to a reader. It holds instants, not answers, so that a copy of it stays
// right while time passes.
type Entitlement struct {
	spans     []span
	dismissed time.Time // the notice about the end was closed
}

// EntitlementOf puts together what subscriptions and grants open.
func EntitlementOf(list []Subscription, grants []Grant, graceDays int) (e Entitlement) {
	for i := range list {
		e.spans = append(e.spans, spanOf(&list[i], graceDays))
	}
	for _, g := range grants {
		e.spans = append(e.spans,
			span{source: g.Source, product: g.Product, until: g.Until, tolerated: g.Until, over: g.Until})
	}
	return e
}

func spanOf(sub *Subscription, graceDays int) span {
	s := span{source: sub.source(), product: sub.Product, renews: sub.goesOn(), charges: sub.Renews() && !sub.Paused}
	s.until, s.tolerated = sub.Ends(graceDays)
	switch {
	case sub.Status.Live() && sub.rests(): // that is no end
	case !s.tolerated.IsZero():
		s.over = s.tolerated
	case sub.Status.Final():
		s.over = sub.AccessEnded(graceDays)
	case sub.Status == stripe.Unpaid, sub.Status == stripe.Paused, sub.Uncovered:
		s.over = sub.PeriodStart
	}
	return s
}

func (s *Subscription) source() Source {
	switch {
	case s.Trial:
		return FromTrial
	case s.Transfer:
		return FromTransfer
	}
	return FromCard
}

// goesOn reports whether a subscription is to take money again, once a pause is over or a payment succeeds.
func (s *Subscription) goesOn() bool {
	return s.Status.Live() && !s.Trial && !s.Transfer && !s.CancelAtPeriodEnd
}

// End answers for an instant.
func (e Entitlement) End(now time.Time) End {
	end, rank := End{Product: NoProduct}, 0
	last := func(at *time.Time, t time.Time, s *span) bool {
		if r := ranks[s.source]; t.After(*at) || t.Equal(*at) && !t.IsZero() && r > rank {
			*at, end.Source, rank = t, s.source, r
			return true
		}
		return false
	}
	for i := range e.spans {
		s := &e.spans[i]
		end.Renews = end.Renews || s.renews
		if t := s.at(now); !t.IsZero() && last(&end.At, t, s) {
			end.Product = s.product
		}
	}
	if end.At.IsZero() {
		for i := range e.spans {
			if t := e.spans[i].over; !t.After(now) {
				last(&end.Over, t, &e.spans[i])
			}
		}
		end.NoticeDue = !end.Over.IsZero() && e.dismissed.Before(end.Over)
		return end
	}
	e.name(&end, now)
	return end
}

// name has a subscription that takes its next payment by itself count before what was given, and a product before none.
func (e Entitlement) name(end *End, now time.Time) {
	for i := range e.spans {
		s := &e.spans[i]
		if s.at(now).IsZero() || s.source == FromTrial {
			continue
		}
		if s.charges {
			end.Source, end.Product = s.source, s.product
		}
		if end.Product == NoProduct {
			end.Product = s.product
		}
	}
}

// CoveredUntil is until when all that a reader has is given or paid for, without the days in which a late payment is
// waited for; zero for nothing.
func CoveredUntil(ctx context.Context, tx db.Tx, readerID int64) (until time.Time, err error) {
	e, err := readEntitlement(ctx, tx, readerID)
	for _, s := range e.spans {
		if s.until.After(tx.Now) {
			until = Later(until, s.until)
		}
	}
	return until, err
}

// CreditedUntil is when what was given to a reader ends, a trial as well as a code, a gift or a grant: paid time begins
// then. Zero: nothing was.
func CreditedUntil(ctx context.Context, tx db.Tx, readerID int64) (until time.Time, err error) {
	e, err := readEntitlement(ctx, tx, readerID)
	if err != nil {
		return until, err
	}
	for _, s := range e.spans {
		if s.until.After(tx.Now) && (s.source == FromTrial || s.source.Given()) {
			until = Later(until, s.until)
		}
	}
	return until.UTC(), nil
}

func readEntitlement(ctx context.Context, tx db.Tx, readerID int64) (e Entitlement, err error) {
	list, err := Select(ctx, tx, "reader_id = ? ORDER BY id", readerID)
	if err != nil {
		return e, err
	}
	grants, err := listGrants(ctx, tx, readerID)
	if err != nil {
		return e, err
	}
	e = EntitlementOf(list, grants, tx.Edition.Billing.GraceDays)
	e.dismissed, err = findDismissed(ctx, tx, readerID)
	return e, err
}

// Later returns the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
