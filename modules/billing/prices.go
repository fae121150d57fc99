package billing

import (
	"context"
	"fmt"
)

// ProviderPrice is something that the provider has of an edition's document: a price, or the discount of an
// introductory one.
type ProviderPrice struct {
	Key  string // names edition, product, currency, amount and interval
	Made bool   // just now; else it was there
}

// SyncPrices makes sure that the provider has every price of the edition's document, and lists them as far as it came.
// What was made before is found again by its key; prices that are no longer sold stay, because subscriptions may run on
// them.
func (m *Module) SyncPrices(ctx context.Context) ([]ProviderPrice, error) {
	return m.provider.syncPrices(ctx)
}

// SyncPrices is Module.SyncPrices for a command that needs nothing else of the module.
func SyncPrices(ctx context.Context, keys func(editionID string) (Keys, error)) ([]ProviderPrice, error) {
	return (&provider{keys: keys}).syncPrices(ctx)
}

func (p *provider) syncPrices(ctx context.Context) (list []ProviderPrice, err error) {
	acc, err := p.account(ctx)
	if err != nil {
		return nil, err
	}
	if acc.keys.SecretKey == "" {
		return nil, fmt.Errorf("billing: %s has no secret key at the payment provider", acc.edition.ID)
	}
	for i := range acc.edition.Billing.Products {
		product := &acc.edition.Billing.Products[i]
		if product.Amount == 0 {
			continue
		}
		var made bool
		sold := []price{acc.price(product, false)}
		if product.Intro != nil && product.Intro.Periods == 1 {
			id, made, err := acc.coupon(ctx, product)
			if err != nil {
				return list, fmt.Errorf("billing: introductory price of %s: %w", product.Type, plain(err))
			}
			list = append(list, ProviderPrice{id, made})
		} else if product.Intro != nil {
			sold = append(sold, acc.price(product, true))
		}
		for _, pr := range sold {
			if _, made, err = acc.ensure(ctx, pr); err != nil {
				return list, fmt.Errorf("billing: price %s: %w", pr.key, plain(err))
			}
			list = append(list, ProviderPrice{pr.key, made})
		}
	}
	return list, nil
}
