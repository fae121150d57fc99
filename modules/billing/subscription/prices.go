package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/stripe"
)

// SyncPrices makes sure that the provider has every price of the edition's document, and lists them as far as it came.
// What was made before is found again by its key; prices that are no longer sold stay, because subscriptions may run on
// them.
func (s *Service) SyncPrices(ctx context.Context) ([]stripe.SyncedPrice, error) {
	return s.provider.SyncPrices(ctx)
}

// SyncPrices is Module.SyncPrices for a command that needs nothing else of the module.
func SyncPrices(ctx context.Context, keys func(editionID string) (stripe.Keys, error)) ([]stripe.SyncedPrice, error) {
	return stripe.NewAccounts(keys, nil).SyncPrices(ctx)
}
