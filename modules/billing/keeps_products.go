package billing

import (
	"context"
	"errors"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// KeepsProducts returns a guard that refuses a document without a product that readers still have, or can still get by
// an order or a code.
func KeepsProducts(d *db.DB) edition.Guard {
	return func(ctx context.Context, doc *edition.Document) error {
		var errs []error
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			used, err := access.ProductsInUse(ctx, tx)
			for _, u := range used {
				if tx.Edition.Product(u.Product) != nil && doc.Product(u.Product) == nil {
					errs = append(errs, fmt.Errorf("billing.products: %s is missing: it has %d running subscriptions, %d open "+
						"orders and %d codes; keep it, with `sold: false` if nobody shall order it any more", u.Product,
						u.Subscriptions, u.Orders, u.Codes))
				}
			}
			return err
		})
		return errors.Join(append(errs, err)...)
	}
}
