package stripe

import (
	"context"
	"fmt"
)

// SyncedPrice is something that the provider has of an edition's document: a price, or the discount of an
// introductory one.
type SyncedPrice struct {
	Key  string // names edition, product, currency, amount and interval
	Made bool   // just now; else it was there
}

// SyncPrices makes sure that the provider has every price of the edition's document, and lists them.
func (p *Accounts) SyncPrices(ctx context.Context) (list []SyncedPrice, err error) {
	acc, err := p.Account(ctx)
	if err != nil {
		return nil, err
	}
	if acc.keys.SecretKey == "" {
		return nil, fmt.Errorf("billing: %s has no secret key at the payment provider", acc.Edition.ID)
	}
	for i := range acc.Edition.Billing.Products {
		product := &acc.Edition.Billing.Products[i]
		if product.Amount == 0 {
			continue
		}
		var made bool
		sold := []Price{acc.PriceOf(product, false)}
		if product.Intro != nil && product.Intro.Periods == 1 {
			id, made, err := acc.IntroCoupon(ctx, product)
			if err != nil {
				return list, fmt.Errorf("billing: introductory price of %s: %w", product.Type, Explain(err))
			}
			list = append(list, SyncedPrice{id, made})
		} else if product.Intro != nil {
			sold = append(sold, acc.PriceOf(product, true))
		}
		for _, pr := range sold {
			if _, made, err = acc.ensurePrice(ctx, pr); err != nil {
				return list, fmt.Errorf("billing: price %s: %w", pr.Key, Explain(err))
			}
			list = append(list, SyncedPrice{pr.Key, made})
		}
	}
	return list, nil
}
