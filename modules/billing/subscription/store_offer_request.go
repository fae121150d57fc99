package subscription

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
)

const pendingOfferColumns = "id, email, product, coalesce(coupon_id, 0) AS coupon_id, created_at, expires_at"

// PendingOffer is what a visitor wants, until the login.
type PendingOffer struct {
	ID        int64
	Email     string
	Product   string
	CouponID  int64
	CreatedAt time.Time
	ExpiresAt time.Time
}

func insertPendingOffer(ctx context.Context, tx db.Tx, w PendingOffer) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_wishes (email, product, coupon_id, created_at, expires_at) VALUES (?, ?, `+
		`nullif(?, 0), ?, ?) RETURNING id`,
		w.Email, w.Product, w.CouponID, tx.Now, w.ExpiresAt).Scan(ctx, &id)
	return id, err
}

// FindPendingOffer returns nil for one that is over.
func FindPendingOffer(ctx context.Context, tx db.Tx, id int64) (*PendingOffer, error) {
	w := new(PendingOffer)
	return db.One(w,
		tx.NewRaw("SELECT "+pendingOfferColumns+" FROM billing_wishes WHERE id = ? AND expires_at > ?", id, tx.Now).
			Scan(ctx, w))
}
