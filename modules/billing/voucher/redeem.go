package voucher

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/web"
)

// How often codes may be tried. A network may be a school in which everybody has one.
var (
	CodesOfNetwork = limit.Budget{Name: "billing.code.network", Max: 120, Window: time.Hour}
	CodesOfPerson  = limit.Budget{Name: "billing.code.person", Max: 10, Window: time.Hour}
)

// reasonCoupon is why access was given that a code has opened.
const reasonCoupon = "coupon"

// Redeem opens what a code is good for to a reader, from the end of what that reader has on. Nothing is charged and
// nothing is renewed. A code that this reader has redeemed before answers as it did then. It answers
// INVALID_COUPON_CODE for all others that open nothing, and does the same work for each of them.
func (s *Service) Redeem(ctx context.Context, readerID int64, code, network string) (until time.Time, err error) {
	return s.redeem(ctx, readerID, network, "code_hash = ?", HashCode(code))
}

// RedeemPending redeems the code that somebody has typed before the login; id is 0 for a link that is none.
func (s *Service) RedeemPending(ctx context.Context, readerID, id int64, network string) (time.Time, error) {
	return s.redeem(ctx, readerID, network, "id = (SELECT coupon_id FROM billing_wishes WHERE id = ?)", id)
}

func (s *Service) redeem(ctx context.Context, readerID int64, network, which string,
	arg any,
) (until time.Time, err error) {
	var verdict error
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		verdict = nil
		if within, err := MayTry(ctx, tx, network, person.Reader(readerID)); err != nil || !within {
			verdict = web.ErrTooMany
			return err
		}
		c, err := FindCoupon(ctx, tx, true, which, arg)
		if err != nil {
			return err
		}
		if err := access.LockReader(ctx, tx, readerID); err != nil {
			return err
		}
		id := int64(0)
		if c != nil {
			id = c.ID
		}
		before, err := FindRedemption(ctx, tx, id, readerID)
		switch {
		case err != nil:
			return err
		case before != nil:
			until = before.Until
			return nil
		case !c.Open(tx.Now), offer.Known(tx.Edition, c.Product) == nil:
			verdict = ErrCoupon.On("coupon_code")
			return nil
		}
		until, err = take(ctx, tx, readerID, c)
		return err
	})
	if err != nil || verdict != nil {
		return time.Time{}, cmp.Or(err, verdict)
	}
	s.access.ForgetHere(ctx, readerID)
	return until, nil
}

// take gives a reader what a code opens; code and reader are locked.
func take(ctx context.Context, tx db.Tx, readerID int64, c *coupon) (until time.Time, err error) {
	if err := takeCoupon(ctx, tx, c.ID); err != nil {
		return until, err
	}
	g := access.Grant{
		ReaderID: readerID, Reason: reasonCoupon + " " + strconv.FormatInt(c.ID, 10), Product: c.Product,
		Periods: c.Periods, CouponID: c.ID,
	}
	until, err = access.GiveNext(ctx, tx, g, func(from time.Time) time.Time {
		return tx.Edition.Product(c.Product).Interval.Add(from.In(tx.Edition.Location), c.Periods).Truncate(time.Second)
	})
	if err != nil {
		return until, err
	}
	return until, insertRedemption(ctx, tx, Redemption{CouponID: c.ID, ReaderID: readerID, Until: until})
}
