package voucher

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

const couponColumns = "id, batch, product, periods, remaining, valid_from, valid_until, revoked_at IS NOT NULL AS " +
	"revoked"

// FindCoupon returns nil when there is none; with lock nobody else redeems it until the transaction ends.
func FindCoupon(ctx context.Context, tx db.Tx, lock bool, where string, args ...any) (*coupon, error) {
	query := "SELECT " + couponColumns + " FROM billing_coupons WHERE " + where
	if lock {
		query += " FOR UPDATE"
	}
	c := new(coupon)
	return db.One(c, tx.NewRaw(query, args...).Scan(ctx, c))
}

func hasBatch(ctx context.Context, tx db.Tx, name string) (has bool, err error) {
	if _, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended('billing.batch:' || ?, 0))", name).
		Exec(ctx); err != nil {
		return false, err
	}
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_coupons WHERE batch = ?)", name).Scan(ctx, &has)
	return has, err
}

// couponRow is a coupon to insert.
type couponRow struct {
	bun.BaseModel `bun:"table:billing_coupons"`

	CodeHash   []byte
	Batch      string
	Product    string
	Periods    int
	Uses       int
	Remaining  int
	ValidFrom  time.Time
	ValidUntil time.Time
	CreatedAt  time.Time
}

func insertCoupons(ctx context.Context, tx db.Tx, b Batch, codes []string) error {
	const at = 1000 // rows of a statement
	for len(codes) > 0 {
		rows := make([]couponRow, 0, at)
		for _, code := range codes[:min(at, len(codes))] {
			rows = append(rows, couponRow{
				CodeHash: HashCode(code), Batch: b.Name, Product: b.Product, Periods: b.Periods, Uses: b.Uses, Remaining: b.Uses,
				ValidFrom: b.From, ValidUntil: b.Until, CreatedAt: tx.Now,
			})
		}
		if _, err := tx.NewInsert().Model(&rows).Exec(ctx); err != nil {
			return err
		}
		codes = codes[len(rows):]
	}
	return nil
}

func listBatches(ctx context.Context, tx db.Tx) (list []BatchStats, err error) {
	err = tx.NewRaw(`SELECT batch AS name, product, periods, count(*) AS codes, sum(uses - remaining) AS redeemed,
			coalesce(sum(remaining) FILTER (WHERE revoked_at IS NULL), 0) AS remaining, count(revoked_at) AS revoked,
			valid_from, valid_until
		FROM billing_coupons GROUP BY batch, product, periods, valid_from, valid_until ORDER BY max(id) DESC`).
		Scan(ctx, &list)
	return list, err
}

type couponCount struct{ All, Open int }

func countCoupons(ctx context.Context, tx db.Tx, batch string, hash []byte) (n couponCount, err error) {
	err = tx.NewRaw(`SELECT count(*) AS "all", count(*) FILTER (WHERE revoked_at IS NULL AND remaining > 0 AND
		valid_until > ?2) AS open
		FROM billing_coupons WHERE batch = ?0 OR code_hash = ?1`, batch, hash, tx.Now).Scan(ctx, &n.All, &n.Open)
	return n, err
}

func revokeCoupons(ctx context.Context, tx db.Tx, batch string, hash []byte) error {
	_, err := tx.NewRaw("UPDATE billing_coupons SET revoked_at = ?2 WHERE (batch = ?0 OR code_hash = ?1) AND revoked_at "+
		"IS NULL", batch, hash, tx.Now).Exec(ctx)
	return err
}

// takeCoupon uses a code up once; its row is locked.
func takeCoupon(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE billing_coupons SET remaining = remaining - 1 WHERE id = ?", id).Exec(ctx)
	return err
}

// Redemption is that a reader has used a code.
type Redemption struct {
	CouponID   int64
	ReaderID   int64
	RedeemedAt time.Time
	Until      time.Time
}

// FindRedemption returns nil when the reader has not used the code.
func FindRedemption(ctx context.Context, tx db.Tx, couponID, readerID int64) (*Redemption, error) {
	r := new(Redemption)
	return db.One(r,
		tx.NewRaw("SELECT coupon_id, reader_id, redeemed_at, until FROM billing_redemptions WHERE coupon_id = ? AND "+
			"reader_id = ?", couponID, readerID).Scan(ctx, r))
}

// LastRedemption is the reader's newest; nil for none.
func LastRedemption(ctx context.Context, tx db.Tx, readerID int64) (*Redemption, error) {
	r := new(Redemption)
	return db.One(r,
		tx.NewRaw("SELECT coupon_id, reader_id, redeemed_at, until FROM billing_redemptions WHERE reader_id = ? ORDER BY "+
			"redeemed_at DESC, coupon_id DESC LIMIT 1", readerID).Scan(ctx, r))
}

func insertRedemption(ctx context.Context, tx db.Tx, r Redemption) error {
	_, err := tx.NewRaw("INSERT INTO billing_redemptions (coupon_id, reader_id, redeemed_at, until) VALUES (?, ?, ?, ?)",
		r.CouponID, r.ReaderID, tx.Now, r.Until).Exec(ctx)
	return err
}
