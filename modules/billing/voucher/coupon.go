package voucher

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// ErrCoupon is a code that opens nothing; why, is not told.
var ErrCoupon = fault.New(fault.Invalid, "INVALID_COUPON_CODE")

// coupon is one code.
type coupon struct {
	ID         int64
	Batch      string
	Product    string
	Periods    int
	Remaining  int
	ValidFrom  time.Time
	ValidUntil time.Time
	Revoked    bool
}

// Open reports whether a code can be redeemed at an instant.
func (c *coupon) Open(now time.Time) bool {
	return c != nil && !c.Revoked && c.Remaining > 0 && !now.Before(c.ValidFrom) && now.Before(c.ValidUntil)
}

// Limits of what is made at once.
const (
	MaxCoupons   = 100_000
	maxUses      = 1_000_000
	maxPeriods   = 60
	maxCouponTTL = 10 * 366 * 24 * time.Hour
)

// Batch is a number of codes that are made together. Each opens Periods periods of Product to Uses readers, once to
// each.
type Batch struct {
	Name    string
	Product string
	Count   int
	Periods int
	Uses    int
	From    time.Time // zero: now
	Until   time.Time
}

// Check says what is wrong with a batch, for an edition at an instant.
func (b Batch) Check(ed *edition.Edition, now time.Time) error {
	switch {
	case strings.TrimSpace(b.Name) == "" || len(b.Name) > 100:
		return errors.New("codes need a name by which they are listed and revoked, of 100 letters at most")
	case offer.Active(ed, b.Product) == nil:
		return fmt.Errorf("%s sells no product %q", ed.ID, b.Product)
	case b.Count < 1 || b.Count > MaxCoupons:
		return fmt.Errorf("from 1 to %d codes are made at once", MaxCoupons)
	case b.Periods < 1 || b.Periods > maxPeriods:
		return fmt.Errorf("a code opens from 1 to %d periods", maxPeriods)
	case b.Uses < 1 || b.Uses > maxUses:
		return fmt.Errorf("a code is used from 1 to %d times", maxUses)
	case !b.Until.After(now) || !b.Until.After(b.From):
		return errors.New("the last day of the codes is over before they begin")
	case b.Until.Sub(now) > maxCouponTTL:
		return errors.New("codes are good for ten years at most")
	}
	return nil
}

// CreateCoupons makes codes and returns them: they cannot be had again. All are made, or none.
func CreateCoupons(ctx context.Context, d *db.DB, b Batch) (codes []string, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		codes = make([]string, 0, max(b.Count, 0)) // again, where the transaction is
		if b.From.IsZero() {
			b.From = tx.Now
		}
		if err := b.Check(tx.Edition, tx.Now); err != nil {
			return err
		}
		if taken, err := hasBatch(ctx, tx, b.Name); err != nil || taken {
			return errors.Join(err, takenName(b.Name, taken))
		}
		for range b.Count {
			codes = append(codes, NewCode())
		}
		return insertCoupons(ctx, tx, b, codes)
	})
	if err != nil {
		return nil, err
	}
	return codes, nil
}

func takenName(name string, taken bool) error {
	if !taken {
		return nil
	}
	return fmt.Errorf("there are codes with the name %q already", name)
}

// BatchStats is the state of codes that were made together.
type BatchStats struct {
	Name       string
	Product    string
	Periods    int
	Codes      int
	Redeemed   int
	Remaining  int // redemptions that are left of codes that were not revoked
	Revoked    int
	ValidFrom  time.Time
	ValidUntil time.Time
}

// ListCoupons lists all batches, the newest first.
func ListCoupons(ctx context.Context, d *db.DB) (list []BatchStats, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = listBatches(ctx, tx)
		return err
	})
	return list, err
}

// RevokeCoupons makes one code, or all codes of a batch, open nothing more; what was redeemed stays. It returns how
// many codes that could still have been redeemed it has ended, and with dry ends none.
func RevokeCoupons(ctx context.Context, d *db.DB, nameOrCode string, dry bool) (n int, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		known, err := countCoupons(ctx, tx, nameOrCode, HashCode(nameOrCode))
		if err != nil {
			return err
		}
		if known.All == 0 {
			return fmt.Errorf("there is no code and no batch %q", nameOrCode)
		}
		n = known.Open
		if dry {
			return nil
		}
		return revokeCoupons(ctx, tx, nameOrCode, HashCode(nameOrCode))
	})
	return n, err
}
