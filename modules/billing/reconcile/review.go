package reconcile

import (
	"context"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
)

// Recheck has something looked at once more that a person has settled: a subscription is compared with the provider, a
// payment moved. What is still wrong waits again.
func (s *Service) Recheck(ctx context.Context, tx db.Tx, p access.Review) error {
	switch p.Kind {
	case access.ReviewDuplicate, access.ReviewUnknown:
		return putDrift(ctx, tx, Drift{p.ProviderID, driftMissing, "settled by a person"})
	case access.ReviewExtension:
		return access.PostponeNext(ctx, tx, p.ReaderID)
	}
	return nil
}

// Waiting counts what waits for a person in an edition.
type Waiting struct {
	Reviews   map[string]int // by kind, all of them
	BankLines int            // payments of statements
}

// WaitingForPersons is what waited in each edition when it was counted last, some minutes ago.
func (s *Service) WaitingForPersons() map[string]Waiting { return s.waits.all() }
