package voucher

import (
	"context"
	"fmt"
	"time"

	"example.org/broadsheet/platform/db"
)

const giftColumns = `id, nonce, product, buyer_email, buyer_name, email, message, send_at, amount, currency, ` +
	`coalesce(session_id, '') AS session_id, payment_id, state,
	coalesce(coupon_id, 0) AS coupon_id, created_at`

// FindGift returns nil when there is none.
func FindGift(ctx context.Context, tx db.Tx, lock bool, where string, args ...any) (*Gift, error) {
	query := "SELECT " + giftColumns + " FROM billing_gifts WHERE " + where
	if lock {
		query += " FOR UPDATE"
	}
	g := new(Gift)
	return db.One(g, tx.NewRaw(query, args...).Scan(ctx, g))
}

// ListGifts lists the gifts that a condition selects.
func ListGifts(ctx context.Context, tx db.Tx, where string, args ...any) (list []Gift, err error) {
	err = tx.NewRaw("SELECT "+giftColumns+" FROM billing_gifts WHERE "+where, args...).Scan(ctx, &list)
	return list, err
}

func insertGift(ctx context.Context, tx db.Tx, g Gift) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_gifts (nonce, product, buyer_email, buyer_name, email, message, send_at,
		amount, currency, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		g.Nonce, g.Product, g.BuyerEmail, g.BuyerName, g.Email, g.Message, g.SendAt, g.Amount, g.Currency, g.CreatedAt).
		Scan(ctx, &id)
	return id, err
}

func setGiftCheckout(ctx context.Context, tx db.Tx, id int64, sessionID string) error {
	_, err := tx.NewRaw("UPDATE billing_gifts SET session_id = ? WHERE id = ?", sessionID, id).Exec(ctx)
	return err
}

// setState ends an open gift; one that has ended stays as it is.
func setState(ctx context.Context, tx db.Tx, id int64, state, paymentID string, couponID int64) error {
	_, err := tx.NewRaw("UPDATE billing_gifts SET state = ?, payment_id = ?, coupon_id = nullif(?, 0), settled_at = ? "+
		"WHERE id = ? AND state = 'open'",
		state, paymentID, couponID, tx.Now, id).Exec(ctx)
	return err
}

func insertGiftCoupon(ctx context.Context, tx db.Tx, g *Gift, code string) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_coupons (code_hash, batch, product, periods, uses, remaining, valid_from,
		valid_until, created_at)
		VALUES (?0, ?1, ?2, 1, 1, 1, ?3, ?4, ?3) RETURNING id`,
		HashCode(code), fmt.Sprintf("gift %d", g.ID), g.Product, tx.Now,
		codeTTL.Add(tx.Now.In(tx.Edition.Location), 1)).Scan(ctx, &id)
	return id, err
}

// EndGift makes the code of a gift open nothing; its coupon is locked.
func EndGift(ctx context.Context, tx db.Tx, g *Gift) error {
	if _, err := tx.NewRaw("UPDATE billing_coupons SET revoked_at = ? WHERE id = ?", tx.Now, g.CouponID).
		Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw("UPDATE billing_gifts SET state = 'refunded' WHERE id = ?", g.ID).Exec(ctx)
	return err
}

// shutCoupon makes the code of a gift open nothing while its payment is disputed; its row is locked.
func shutCoupon(ctx context.Context, tx db.Tx, id int64, at time.Time) error {
	_, err := tx.NewRaw("UPDATE billing_coupons SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", at, id).Exec(ctx)
	return err
}

// reopenCoupon makes a code that was shut at an instant good again, for as long as it was shut longer. One that an
// operator has revoked stays revoked. Its row is locked.
func reopenCoupon(ctx context.Context, tx db.Tx, id int64, shutAt time.Time) error {
	_, err := tx.NewRaw(`UPDATE billing_coupons SET revoked_at = NULL, valid_until = valid_until + (?0 - revoked_at)
		WHERE id = ?1 AND revoked_at = ?2`, tx.Now, id, shutAt).Exec(ctx)
	return err
}
