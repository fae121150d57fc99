package reconcile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Kinds of drift.
const (
	driftMissing    = "missing"      // here
	DriftDifferent  = "different"    // here than at the provider
	driftGone       = "gone"         // at the provider
	driftNoDocument = "undocumented" // a payment without its invoice, a refund without its credit note
)

// Drift is a subscription that is not here as the provider has it.
type Drift struct {
	ProviderID, Kind, Detail string
}

// compare finds what differs between the provider's description and the row; nil for nothing, and for what is another
// edition's.
func compare(acc *stripe.Account, r stripe.Subscription, row *access.Subscription) *Drift {
	switch {
	case r.Edition != "" && r.Edition != acc.Edition.ID:
		return nil
	case row == nil:
		return &Drift{r.ID, driftMissing, string(r.Status)}
	}
	names := subscription.Differences(subscription.RowOf(acc.Edition, r, row.ReaderID), *row)
	if awaitsFullPrice(r, acc) {
		names = append(names, "full_price")
	}
	if r.PublicID == "" && r.Status.Live() {
		names = append(names, "reader")
	}
	if subscription.OwesEnd(acc.Edition, r) {
		names = append(names, "refund")
	}
	if len(names) == 0 {
		return nil
	}
	return &Drift{r.ID, DriftDifferent, strings.Join(names, " ")}
}

// Repair writes drift down, and asks the provider again about each such subscription. What cannot be repaired now stays
// written down.
func (s *Service) Repair(ctx context.Context, list []Drift) error {
	var errs []error
	for _, d := range list {
		err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return putDrift(ctx, tx, d) })
		if err == nil {
			err = s.subscriptions.SyncSubscription(ctx, d.ProviderID)
		}
		if err == nil {
			err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return settleDrift(ctx, tx, d.ProviderID) })
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("billing: repairing %s: %w", d.ProviderID, err))
		}
	}
	if ed, err := edition.From(ctx); err == nil && len(list) > 0 {
		s.log.InfoContext(ctx, "subscriptions were not as the provider has them", "edition", ed.ID, "count", len(list),
			"first", list[0].ProviderID, "kind", list[0].Kind, "differs", list[0].Detail)
	}
	return errors.Join(errs...)
}

// RepairDrift tries again what could not be repaired when it was found, and takes the measure that DriftStats tells.
func (s *Service) RepairDrift(ctx context.Context) error {
	var open []Drift
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		open, err = listDrift(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(s.Repair(ctx, open), s.drift.update(ctx, s.db, countDrift),
		s.waits.update(ctx, s.db, countWaiting))
}

// DriftStats are about an edition's subscriptions that are not as the provider has them.
type DriftStats struct {
	Open   int
	Oldest time.Time // when the oldest of them was found; zero for none
}

// DriftAges is for how long the oldest drift of each edition has been known; zero for none.
func (s *Service) DriftAges() map[string]time.Duration {
	ages, now := map[string]time.Duration{}, s.db.Now()
	for id, sub := range s.drift.all() {
		ages[id] = 0
		if sub.Open > 0 {
			ages[id] = max(0, now.Sub(sub.Oldest))
		}
	}
	return ages
}
