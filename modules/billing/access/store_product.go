package access

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// ProductUse is how much still depends on a product.
type ProductUse struct {
	Product                      string
	Subscriptions, Orders, Codes int // that run, are not paid, can be redeemed
}

// ProductsInUse lists the products on which something still depends.
func ProductsInUse(ctx context.Context, tx db.Tx) (list []ProductUse, err error) {
	err = tx.NewRaw(`SELECT product, sum(subscriptions) AS subscriptions, sum(orders) AS orders, sum(codes) AS codes FROM (
			SELECT unnest(ARRAY[product, next_product]) AS product, 1 AS subscriptions, 0 AS orders, 0 AS codes
			FROM billing_subscriptions WHERE NOT trial AND status NOT IN ('canceled', 'incomplete_expired', 'ended')
			UNION ALL SELECT product, 0, 1, 0 FROM billing_transfers WHERE state = 'open'
			UNION ALL SELECT product, 0, 0, 1 FROM billing_coupons
			WHERE remaining > 0 AND revoked_at IS NULL AND valid_until > ?) used
		WHERE product NOT IN ('', ?) GROUP BY product ORDER BY product`, tx.Now, NoProduct).Scan(ctx, &list)
	return list, err
}
