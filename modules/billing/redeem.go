package billing

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// How often codes may be tried. A network may be a school in which everybody has one.
var (
	codesOfNetwork = limit.Budget{Name: "billing.code.network", Max: 120, Window: time.Hour}
	codesOfPerson  = limit.Budget{Name: "billing.code.person", Max: 10, Window: time.Hour}
)

// reasonCoupon is why access was given that a code has opened.
const reasonCoupon = "coupon"

// Redeem opens what a code is good for to a reader, from the end of what that reader has on. Nothing is charged and
// nothing is renewed. A code that this reader has redeemed before answers as it did then. It answers
// INVALID_COUPON_CODE for all others that open nothing, and does the same work for each of them.
func (m *Module) Redeem(ctx context.Context, readerID int64, code, network string) (until time.Time, err error) {
	return m.redeem(ctx, readerID, network, "code_hash = ?", codeHash(code))
}

// redeemPendingOffer redeems the code that somebody has typed before the login; id is 0 for a link that is none.
func (m *Module) redeemPendingOffer(ctx context.Context, readerID, id int64, network string) (time.Time, error) {
	return m.redeem(ctx, readerID, network, "id = (SELECT coupon_id FROM billing_wishes WHERE id = ?)", id)
}

func (m *Module) redeem(ctx context.Context, readerID int64, network, which string,
	arg any,
) (until time.Time, err error) {
	var verdict error
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		verdict = nil
		if within, err := mayTry(ctx, tx, network, person.Reader(readerID)); err != nil || !within {
			verdict = web.ErrTooMany
			return err
		}
		c, err := findCoupon(ctx, tx, true, which, arg)
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
		before, err := findRedemption(ctx, tx, id, readerID)
		switch {
		case err != nil:
			return err
		case before != nil:
			until = before.Until
			return nil
		case !c.open(tx.Now), offer.Active(tx.Edition, c.Product) == nil:
			verdict = ErrCoupon.On("coupon_code")
			return nil
		}
		until, err = take(ctx, tx, readerID, c)
		return err
	})
	if err != nil || verdict != nil {
		return time.Time{}, firstOf(err, verdict)
	}
	m.Access.Forget(readerID)
	return until, nil
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func mayTry(ctx context.Context, tx db.Tx, network, person string) (bool, error) {
	return limit.SpendInTurn(ctx, tx, limit.Use{Budget: codesOfNetwork, Key: network},
		limit.Use{Budget: codesOfPerson, Key: person})
}

// take gives a reader what a code opens; code and reader are locked.
func take(ctx context.Context, tx db.Tx, readerID int64, c *coupon) (until time.Time, err error) {
	has, err := access.ReadEntitlement(ctx, tx, readerID)
	if err != nil {
		return until, err
	}
	from := access.Later(access.Later(tx.Now, has.Until), has.GrantedUntil)
	until = tx.Edition.Product(c.Product).Interval.Add(from, c.Periods).Truncate(time.Second)
	if err := takeCoupon(ctx, tx, c.ID); err != nil {
		return until, err
	}
	if err := insertRedemption(ctx, tx, redemption{CouponID: c.ID, ReaderID: readerID, Until: until}); err != nil {
		return until, err
	}
	if err := access.InsertGrant(ctx, tx,
		access.Grant{
			ReaderID: readerID, Until: until, Reason: reasonCoupon + " " + strconv.FormatInt(c.ID, 10),
			Product: c.Product,
		}); err != nil {
		return until, err
	}
	paid, err := access.FindPaid(ctx, tx, readerID)
	if err != nil {
		return until, err
	}
	if paid.Renews() {
		if err := outbox.Tell(ctx, tx, event.CouponRedeemed, event.Redeemed{CouponID: c.ID, ReaderID: readerID}); err != nil {
			return until, err
		}
	}
	return until, access.Changed(ctx, tx, readerID)
}

// moveAgain has the next payment of a subscription moved behind what was given last while it ran.
func moveAgain(ctx context.Context, tx db.Tx, s access.Subscription) error {
	last, err := furthestRedemption(ctx, tx, s.ReaderID)
	if err != nil || last == nil || last.RedeemedAt.Before(s.StartedAt) || !s.PeriodEnd.Before(last.Until) {
		return err
	}
	return outbox.Tell(ctx, tx, event.CouponRedeemed, event.Redeemed{CouponID: last.CouponID, ReaderID: s.ReaderID})
}

// postponePayment moves the next payment of a subscription behind what a code has opened: nobody pays for days that
// were given. It may be repeated, and in any order. A subscription that the provider does not move is left to a person.
func (m *Module) postponePayment(ctx context.Context, e event.Redeemed) error {
	var paid *access.Subscription
	var givenUntil *redemption
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if givenUntil, err = findRedemption(ctx, tx, e.CouponID, e.ReaderID); err != nil {
			return err
		}
		paid, err = access.FindPaid(ctx, tx, e.ReaderID)
		return err
	})
	if err != nil || givenUntil == nil || !paid.Renews() ||
		!paid.PeriodEnd.Before(givenUntil.Until.Truncate(time.Second)) {
		return err
	}
	acc, err := m.provider.Account(ctx)
	if err != nil {
		return err
	}
	remote, err := acc.Subscription(ctx, paid.ProviderID)
	if err != nil {
		return unlessGone(err)
	}
	bridged, err := acc.PostponePayment(ctx, remote, givenUntil.Until)
	if stripe.IsInvalid(err) {
		park := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return m.Access.NeedsReview(ctx, tx, access.ReviewExtension, remote.ID, e.ReaderID,
				"until "+givenUntil.Until.Format(time.RFC3339))
		})
		m.log.ErrorContext(ctx, "a payment was not moved behind what was given", "edition", acc.Edition.ID, "subscription",
			remote.ID, "error", err)
		return firstOf(park, jobs.Skip(err))
	}
	if err != nil {
		return unlessGone(err)
	}
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.CloseReview(ctx, tx, access.ReviewExtension, remote.ID); err != nil || !bridged {
			return err
		}
		return outbox.LaterOnce(ctx, tx, event.GivenOver, event.Given{ProviderID: remote.ID}, givenUntil.Until,
			fmt.Sprintf("given_over:%s:%d", remote.ID, givenUntil.Until.Unix()))
	})
	return firstOf(err, m.syncSubscription(ctx, remote.ID))
}

func unlessGone(err error) error {
	if stripe.IsGone(err) {
		return nil
	}
	return err
}

// endGrantedPause has a subscription take money again once the time that was given is over. It may be repeated: one
// whose time was made longer is left to the job of that.
func (m *Module) endGrantedPause(ctx context.Context, e event.Given) error {
	acc, err := m.provider.Account(ctx)
	if err != nil {
		return err
	}
	remote, err := acc.Subscription(ctx, e.ProviderID)
	if err != nil {
		return unlessGone(err)
	}
	if remote.Given.IsZero() || remote.Given.After(m.db.Now()) || remote.Status.Final() {
		return nil
	}
	if err := acc.ResumeCollection(ctx, remote); err != nil {
		return err
	}
	return m.syncSubscription(ctx, remote.ID)
}
