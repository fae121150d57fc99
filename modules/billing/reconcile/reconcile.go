package reconcile

import (
	"context"
	"errors"
	"slices"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
)

// nightlyEvery is how often everything is compared, at most; a round that is not through goes on every hour.
const nightlyEvery = 23 * time.Hour

// Nightly is All once a day.
func (s *Service) Nightly(ctx context.Context) error {
	var r *Run
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		r, err = FindRun(ctx, tx, RunAll)
		return err
	})
	if err != nil || r != nil && !r.FinishedAt.IsZero() && s.db.Now().Before(r.FinishedAt.Add(nightlyEvery)) {
		return err
	}
	return s.All(ctx)
}

// Names of rounds.
const (
	RunAll     = "all"
	runTouched = "touched"
)

// All compares every open checkout and every subscription that is not over with the provider, and repairs what
// its messages did not tell. It asks about objects, not about messages: some are never sent. What was interrupted goes
// on where it was.
func (s *Service) All(ctx context.Context) error {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	return errors.Join(s.subscriptions.SettleAllIntents(ctx),
		s.run(ctx, acc, RunAll, s.compareListed, s.compareUnlisted, s.compareReturned, s.compareDocuments),
		s.cancelDuplicates(ctx, acc), s.drift.update(ctx, s.db, countDrift))
}

// compareListed goes through the provider's list, the newest first.
func (s *Service) compareListed(ctx context.Context, acc *stripe.Account, r *Run) error {
	var some []stripe.Subscription
	compare := func() error {
		found, err := s.compareSome(ctx, acc, some)
		if err != nil {
			return err
		}
		if len(some) > 0 {
			r.Position = some[len(some)-1].ID
		}
		some = nil
		return s.record(ctx, r, found)
	}
	err := acc.EachSubscription(ctx, r.Position, func(remote stripe.Subscription) error {
		if some = append(some, remote); len(some) < comparedAtOnce {
			return nil
		}
		return compare()
	})
	if stripe.IsGone(err) && r.Position != "" { // the place is no more
		r.Position = ""
		return errors.Join(err, s.savePosition(ctx, r, nil))
	}
	return errors.Join(err, compare())
}

func (s *Service) compareSome(ctx context.Context, acc *stripe.Account,
	some []stripe.Subscription,
) (found []Drift, err error) {
	if len(some) == 0 {
		return nil, nil
	}
	ids, rows := make([]string, len(some)), map[string]*access.Subscription{}
	for i := range some {
		ids[i] = some[i].ID
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err := findListed(ctx, tx, ids)
		for i := range list {
			rows[list[i].ProviderID] = &list[i]
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, remote := range some {
		d, err := s.drifted(ctx, acc, remote, rows[remote.ID])
		if err != nil {
			return nil, err
		}
		if d != nil {
			found = append(found, *d)
		}
	}
	return found, nil
}

// compareUnlisted finds what was cancelled at the provider: that is not in a list that is complete.
func (s *Service) compareUnlisted(ctx context.Context, _ *stripe.Account, r *Run) error {
	var ids []string
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ids, err = listMissing(ctx, tx, r.BeganAt)
		return err
	})
	if err != nil {
		return err
	}
	return s.walk(ctx, r, ids, func(_ context.Context, id string) (*Drift, error) {
		return &Drift{id, driftGone, "not listed"}, nil
	})
}

// returnedFor is how far back every night looks for what went back, also of subscriptions that have ended.
const returnedFor = 35 * 24 * time.Hour

func (s *Service) compareReturned(ctx context.Context, acc *stripe.Account, r *Run) error {
	charges, err := acc.ChargesReturned(ctx, s.db.Now().Add(-returnedFor))
	if err != nil {
		return stripe.Uncertain(err)
	}
	unsettled, err := s.unsettled(ctx)
	if err != nil {
		return err
	}
	return s.walk(ctx, r, distinct(append(charges, unsettled...)), s.refreshOne)
}

// unsettled are the charges of the disputes that are not decided here, however old they are.
func (s *Service) unsettled(ctx context.Context) (charges []string, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		charges, err = access.UnsettledCharges(ctx, tx)
		return err
	})
	return charges, err
}

func (s *Service) refreshOne(ctx context.Context, charge string) (*Drift, error) {
	return nil, s.subscriptions.RefreshObject(ctx, stripe.ObjectCharge, charge)
}

// compareDocuments finds payments and refunds without a document.
func (s *Service) compareDocuments(ctx context.Context, acc *stripe.Account, r *Run) error {
	open, err := s.Undocumented(ctx, acc)
	if err != nil {
		return err
	}
	return s.walk(ctx, r, distinct(open), func(_ context.Context, id string) (*Drift, error) {
		return &Drift{id, driftNoDocument, "payment or refund"}, nil
	})
}

// touchedFor is how far back what was touched is compared every hour; the provider sends its messages again for three
// days.
const touchedFor = 48 * time.Hour

// Changed is All for what has changed here or at the provider in the last two days.
func (s *Service) Changed(ctx context.Context) error {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	errs := []error{s.subscriptions.SettleAllIntents(ctx)}
	since := s.db.Now().Add(-touchedFor)
	there, err := acc.ChangedSince(ctx, since)
	if err != nil {
		s.missed.forget(ctx)
		return errors.Join(append(errs, stripe.Uncertain(err))...)
	}
	var here []string
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		here, err = listChanged(ctx, tx, since)
		return err
	})
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	compareCharges := func(ctx context.Context, _ *stripe.Account, r *Run) error {
		return s.walk(ctx, r, distinct(there.Charges), s.refreshOne)
	}
	compareTouched := func(ctx context.Context, acc *stripe.Account, r *Run) error {
		touched := distinct(append(here, there.Subscriptions...))
		return s.walk(ctx, r, touched, func(ctx context.Context, id string) (*Drift, error) {
			remote, err := acc.Subscription(ctx, id)
			if stripe.IsGone(err) {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			return s.drifted(ctx, acc, remote, nil)
		})
	}
	return errors.Join(append(errs, s.run(ctx, acc, runTouched, compareCharges, compareTouched),
		s.cancelDuplicates(ctx, acc), s.drift.update(ctx, s.db, countDrift), s.countMissed(ctx, there.Messages))...)
}

// inReview stands for the edition of a subscription that waits in the review queue: nothing is compared with it.
const inReview = "review"

// drifted compares with the row, which is looked for when it is not given. What waits for a person is no drift.
func (s *Service) drifted(ctx context.Context, acc *stripe.Account, r stripe.Subscription,
	row *access.Subscription,
) (d *Drift, err error) {
	if row != nil {
		return compare(acc, r, row), nil
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		if row, err = access.FindByProvider(ctx, tx, r.ID); err != nil || row != nil {
			return err
		}
		for _, kind := range []string{access.ReviewUnknown, access.ReviewDuplicate} {
			if waits, err := access.InReview(ctx, tx, kind, r.ID); err != nil || waits {
				r.Edition = inReview
				return err
			}
		}
		return nil
	})
	if err != nil || r.Edition == inReview || row == nil && r.Status.Final() {
		return nil, err
	}
	return compare(acc, r, row), nil
}

// distinct are the ids without empty ones and without doubles, in order.
func distinct(ids []string) []string {
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
}

// documentsSince is how far back the payments are looked at of which a document could be missing.
const documentsSince = 40 * 24 * time.Hour

// Undocumented names the subscriptions of which a payment or a refund has no document yet.
func (s *Service) Undocumented(ctx context.Context, acc *stripe.Account) (subscriptions []string, err error) {
	var recent []stripe.Sale
	if err := acc.RecentSales(ctx, s.db.Now().Add(-documentsSince), func(sold stripe.Sale) {
		if !subscription.InvoicedElsewhere(acc.Edition, sold.PaidAt) {
			recent = append(recent, sold)
		}
	}); err != nil {
		return nil, err
	}
	for some := range slices.Chunk(recent, 500) {
		ids := make([]string, len(some))
		for i, sub := range some {
			ids[i] = sub.ID
		}
		var known map[string]invoice.Settled
		err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			known, err = invoice.SettledByProvider(ctx, tx, ids)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, sub := range some {
			if d := known[sub.ID]; (!d.Invoiced || d.Credited < sub.Refunded) &&
				!slices.Contains(subscriptions, sub.Subscription) {
				subscriptions = append(subscriptions, sub.Subscription)
			}
		}
	}
	return subscriptions, nil
}

// awaitsFullPrice finds an introductory price that nothing ends yet.
func awaitsFullPrice(r stripe.Subscription, acc *stripe.Account) bool {
	p := acc.Edition.Product(r.Product)
	return r.Intro && r.Status != stripe.Trialing && r.Schedule == "" && !r.CancelAtPeriodEnd && p != nil &&
		p.Intro != nil &&
		r.Amount == p.Intro.Amount
}

func (s *Service) cancelDuplicates(ctx context.Context, acc *stripe.Account) error {
	var ids []string
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ids, err = access.ReviewsOf(ctx, tx, access.ReviewDuplicate)
		return err
	})
	errs := []error{err}
	for _, id := range ids {
		errs = append(errs, s.subscriptions.CancelDuplicate(ctx, acc, id))
	}
	return errors.Join(errs...)
}
