package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// useWithdrawal is a withdrawal in access.PutUse.
const useWithdrawal = "withdrawal"

// ErrRedeemed is a gift whose code was redeemed while its withdrawal waited for a person.
var ErrRedeemed = errors.New("billing: the code of the gift was redeemed since; this withdrawal can only be refused")

// noteWithdrawal notes that a reader (0 if it is not known) and a mailbox withdraw, and reports whether one of
// them has done so within a year before.
func noteWithdrawal(ctx context.Context, tx db.Tx, w *Contract, reader int64) (repeated bool, err error) {
	persons := []string{person.Mailbox(w.Email)}
	if reader != 0 {
		persons = append(persons, person.Reader(reader))
	}
	if repeated, err = access.IsUsedSince(ctx, tx, useWithdrawal, tx.Now.AddDate(-1, 0, 0), persons...); err != nil {
		return false, err
	}
	return repeated, access.RenewUse(ctx, tx, useWithdrawal, persons...)
}

// review leaves a withdrawal to a person: until then the contract goes on and no money goes back.
func (s *Service) review(ctx context.Context, tx db.Tx, w *Contract, reader int64) error {
	w.State = InReview
	if err := matchStatement(ctx, tx, w); err != nil {
		return err
	}
	return s.access.NeedsReview(ctx, tx, access.ReviewRepeat, strconv.FormatInt(w.ID, 10), reader,
		fmt.Sprintf("%s of %s, received on %s", w.Contract, w.Product,
			w.ReceivedAt.In(tx.Edition.Location).Format(time.DateOnly)))
}

// Decide carries out a withdrawal of the review queue, or refuses it, and has its sender told. It returns ErrRedeemed
// for a gift that cannot be given back any more.
func (s *Service) Decide(ctx context.Context, tx db.Tx, p access.Review, refuse bool) error {
	id, err := strconv.ParseInt(p.ProviderID, 10, 64)
	if err != nil {
		return err
	}
	w, err := FindStatement(ctx, tx, id, true)
	if err != nil || w == nil || w.State != InReview {
		return err
	}
	if w.State = Matched; refuse {
		w.State = Refused
	}
	if !refuse && w.GiftID != 0 {
		if err := endUnredeemed(ctx, tx, w.GiftID); err != nil {
			return err
		}
	}
	if err := decideStatement(ctx, tx, w); err != nil {
		return err
	}
	if !refuse {
		if err := outbox.Once(ctx, tx, event.WithdrawalDue, event.Withdrawal{WithdrawalID: w.ID},
			fmt.Sprintf("withdrawal_due:%d", w.ID)); err != nil {
			return err
		}
	}
	return outbox.Once(ctx, tx, event.WithdrawalSent, event.Withdrawal{WithdrawalID: w.ID, Decided: true},
		fmt.Sprintf("withdrawal_decided:%d", w.ID))
}

func endUnredeemed(ctx context.Context, tx db.Tx, giftID int64) error {
	g, err := voucher.FindGift(ctx, tx, false, "id = ?", giftID)
	if err != nil {
		return err
	}
	if g == nil {
		return ErrRedeemed
	}
	c, err := voucher.FindCoupon(ctx, tx, true, "id = ?", g.CouponID)
	if err != nil {
		return err
	}
	if c == nil || c.Revoked || c.Remaining == 0 {
		return ErrRedeemed
	}
	return voucher.EndGift(ctx, tx, g)
}
