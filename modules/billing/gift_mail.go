package billing

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

// giftView is what stands on the card of a gift and in its letters.
type giftView struct {
	Gift    *gift
	Coupon  *coupon // nil until the payment is confirmed
	Product string  // its name
	Code    string  // "" until then
}

// cardOf reads a gift; Gift is nil for none.
func (m *Module) cardOf(ctx context.Context, id int64) (c giftView, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		if c.Gift, err = findGift(ctx, tx, false, "id = ?", id); err != nil || c.Gift == nil {
			return err
		}
		c.Product = c.Gift.Product
		if p := tx.Edition.Product(c.Product); p != nil {
			c.Product = p.Name
		}
		if c.Gift.State != giftPaid {
			return nil
		}
		code := m.giftCode(tx.Edition, c.Gift)
		if c.Coupon, err = findCoupon(ctx, tx, false, "id = ? AND code_hash = ?", c.Gift.CouponID,
			codeHash(code)); c.Coupon != nil {
			c.Code = code
		}
		return err
	})
	return c, err
}

// mailGiftBought sends the email to whoever has bought a gift.
func (m *Module) mailGiftBought(ctx context.Context, e event.Gift) error {
	ed, c, err := m.letterWith(ctx, e.GiftID)
	if err != nil || c.Code == "" || c.Gift.BuyerEmail == "" {
		return err
	}
	l, err := m.terms.ConfirmOrder(ctx, ed, giftBought{
		Key: fmt.Sprintf("gift_bought:%d", c.Gift.ID), Code: c.Code, Product: c.Product, Paid: c.Gift.Amount,
		SendTo: c.Gift.Email, SendAt: c.Gift.SendAt, Until: lastMoment(c.Coupon.ValidUntil),
		Card: ed.URL(links.Sale(ed, links.StepGift, "card", m.links.Sign(ed, links.Gift, c.Gift.ID))),
	}.letter(ed, c.Gift.BuyerEmail), c.Product, c.Gift.CreatedAt)
	if err != nil {
		return err
	}
	return m.mailer.Send(ctx, l)
}

// mailGift sends the code to whom it was bought for, on its day. One that was paid back, or redeemed from the card, is
// not sent.
func (m *Module) mailGift(ctx context.Context, e event.Gift) error {
	ed, c, err := m.letterWith(ctx, e.GiftID)
	if err != nil || c.Code == "" || c.Gift.Email == "" || !c.Coupon.open(m.db.Now()) {
		return err
	}
	return m.mailer.Send(ctx, giftEmail{
		Key: fmt.Sprintf("gift:%d", c.Gift.ID), Code: c.Code, Product: c.Product,
		URL:   ed.URL(links.Sale(ed, links.StepCoupon)),
		Until: lastMoment(c.Coupon.ValidUntil),
		From:  c.Gift.BuyerName, Message: c.Gift.Message,
	}.letter(ed, c.Gift.Email))
}

// lastMoment is within the last day before an end.
func lastMoment(end time.Time) time.Time { return end.Add(-time.Second) }

func (m *Module) letterWith(ctx context.Context, id int64) (ed *edition.Edition, c giftView, err error) {
	if ed, err = edition.From(ctx); err != nil {
		return nil, c, jobs.Skip(err)
	}
	if c, err = m.cardOf(ctx, id); err == nil && c.Gift != nil && c.Gift.State == giftPaid && c.Code == "" {
		err = fmt.Errorf("billing: the code of gift %d cannot be made again: the secret is another one than when it was "+
			"paid", id)
	}
	return ed, c, err
}
