package voucher

import (
	"context"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// Card is what stands on the card of a gift and in its emails.
type Card struct {
	Gift    *Gift
	Coupon  *coupon // nil until the payment is confirmed
	Product string  // its name
	Code    string  // "" until then
}

// Card reads a gift; Gift is nil for none.
func (s *Service) Card(ctx context.Context, id int64) (c Card, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		if c.Gift, err = FindGift(ctx, tx, false, "id = ?", id); err != nil || c.Gift == nil {
			return err
		}
		c.Product = c.Gift.Product
		if p := tx.Edition.Product(c.Product); p != nil {
			c.Product = p.Name
		}
		if c.Gift.State != GiftPaid {
			return nil
		}
		code := s.giftCode(tx.Edition, c.Gift)
		if c.Coupon, err = FindCoupon(ctx, tx, false, "id = ? AND code_hash = ?", c.Gift.CouponID,
			HashCode(code)); c.Coupon != nil {
			c.Code = code
		}
		return err
	})
	return c, err
}

// MailGiftBought sends the email to whoever has bought a gift.
func (s *Service) MailGiftBought(ctx context.Context, e event.Gift) error {
	ed, c, err := s.paid(ctx, e.GiftID)
	if err != nil || c.Code == "" || c.Gift.BuyerEmail == "" {
		return err
	}
	l, err := s.terms.ConfirmOrder(ctx, ed, GiftBought{
		Key: fmt.Sprintf("gift_bought:%d", c.Gift.ID), Code: c.Code, Product: c.Product, Paid: c.Gift.Amount,
		SendTo: c.Gift.Email, SendAt: c.Gift.SendAt, Until: LastMoment(c.Coupon.ValidUntil),
		Card: ed.URL(links.Sale(ed, links.StepGift, "card", s.links.Sign(ed, links.Gift, c.Gift.ID))),
	}.Email(ed, c.Gift.BuyerEmail), c.Product, c.Gift.CreatedAt)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, l)
}

// MailGift sends the code to whom it was bought for, on its day. One that was paid back, or redeemed from the card, is
// not sent.
func (s *Service) MailGift(ctx context.Context, e event.Gift) error {
	ed, c, err := s.paid(ctx, e.GiftID)
	if err != nil || c.Code == "" || c.Gift.Email == "" || !c.Coupon.Open(s.db.Now()) {
		return err
	}
	return s.mailer.Send(ctx, GiftEmail{
		Key: fmt.Sprintf("gift:%d", c.Gift.ID), Code: c.Code, Product: c.Product,
		URL:   ed.URL(links.Sale(ed, links.StepCoupon)),
		Until: LastMoment(c.Coupon.ValidUntil),
		From:  c.Gift.BuyerName, Message: c.Gift.Message,
	}.Email(ed, c.Gift.Email))
}

// LastMoment is within the last day before an end.
func LastMoment(end time.Time) time.Time { return end.Add(-time.Second) }

func (s *Service) paid(ctx context.Context, id int64) (ed *edition.Edition, c Card, err error) {
	if ed, err = edition.From(ctx); err != nil {
		return nil, c, jobs.Skip(err)
	}
	if c, err = s.Card(ctx, id); err == nil && c.Gift != nil && c.Gift.State == GiftPaid && c.Code == "" {
		err = fmt.Errorf("billing: the code of gift %d cannot be made again: the secret is another one than when it was "+
			"paid", id)
	}
	return ed, c, err
}
