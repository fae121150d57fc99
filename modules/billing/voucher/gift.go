package voucher

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// Limits of a gift's order.
const (
	MaxAhead   = 366 * 24 * time.Hour // of the day on which its email is sent
	MaxName    = 80                   // letters
	maxMessage = 500                  // letters
)

// codeTTL is how long the code of a gift can be redeemed.
var codeTTL = edition.Interval{Unit: "year", Count: 3}

const sendHour = 8 // of the day on which an email is due

// giftsOfNetwork bounds checkouts that are opened for gifts.
var giftsOfNetwork = limit.Budget{Name: "billing.gift.network", Max: 20, Window: time.Hour}

// Order is what the form of a gift says.
type Order struct {
	Product    string `json:"product_type"`
	BuyerEmail string `json:"buyer_email"`
	BuyerName  string `json:"buyer_name"`
	Email      string `json:"recipient_email"` // "" where the buyer hands it over
	Message    string `json:"message"`
	SendOn     string `json:"send_on"` // "2026-12-24"; "" at once
}

// Gift is a gift as the database has it.
type Gift struct {
	ID         int64
	Nonce      []byte
	Product    string
	BuyerEmail string
	BuyerName  string
	Email      string
	Message    string
	SendAt     time.Time
	Amount     int64
	Currency   string
	SessionID  string
	PaymentID  string
	State      string
	CouponID   int64
	CreatedAt  time.Time
}

// States of a gift.
const (
	GiftOpen     = "open"
	GiftPaid     = "paid"
	GiftExpired  = "expired"
	GiftRefunded = "refunded"
)

// Parse checks an order of a gift.
func (s *Service) Parse(ed *edition.Edition, o Order) (g Gift, err error) {
	product := offer.Active(ed, o.Product)
	if product == nil {
		return g, web.ErrInvalidArgs.On("product_type")
	}
	g = Gift{Product: product.Type, Amount: product.Amount, Currency: ed.Billing.Currency}
	if g.BuyerEmail, err = s.parseEmail(o.BuyerEmail); err != nil {
		return g, fault.From(err).On("buyer_email")
	}
	if strings.TrimSpace(o.Email) != "" {
		if g.Email, err = s.parseEmail(o.Email); err != nil {
			return g, fault.From(err).On("recipient_email")
		}
	}
	if g.BuyerName, err = typed.Line(o.BuyerName, MaxName); err != nil {
		return g, web.ErrInvalidArgs.On("buyer_name").Because(err)
	}
	if g.Message, err = typed.Lines(o.Message, maxMessage); err != nil {
		return g, web.ErrInvalidArgs.On("message").Because(err)
	}
	switch {
	case typed.HasAddress(g.BuyerName):
		return g, web.ErrLink.On("buyer_name")
	case typed.HasAddress(g.Message):
		return g, web.ErrLink.On("message")
	}
	now := s.db.Now()
	g.SendAt = now
	if o.SendOn != "" {
		day, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(o.SendOn), ed.Location)
		if err != nil || day.AddDate(0, 0, 1).Before(now) || day.Sub(now) > MaxAhead {
			return g, web.ErrInvalidArgs.On("send_on")
		}
		g.SendAt = access.Later(now, time.Date(day.Year(), day.Month(), day.Day(), sendHour, 0, 0, 0, ed.Location))
	}
	return g, nil
}

// BuyGift opens a checkout for a gift and returns its address. Nobody has to be logged in, and nothing renews.
func (s *Service) BuyGift(ctx context.Context, o Order, network string) (to string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	g, err := s.Parse(ed, o)
	if err != nil {
		return "", err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return "", access.ErrPaymentFailed.Because(err)
	}
	g.Nonce = make([]byte, 32)
	_, _ = rand.Read(g.Nonce) // it never fails
	within := false
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.Spend(ctx, tx, giftsOfNetwork, network); err != nil || !within {
			return err
		}
		g.CreatedAt = tx.Now.Truncate(time.Second)
		g.ID, err = insertGift(ctx, tx, g)
		return err
	})
	switch {
	case err != nil:
		return "", err
	case !within:
		return "", web.ErrTooMany
	}
	c, err := acc.GiftCheckout(ctx, stripe.GiftParams{
		ID: g.ID, Product: g.Product, Amount: g.Amount, Currency: g.Currency, BuyerEmail: g.BuyerEmail,
		CreatedAt:  g.CreatedAt,
		SuccessURL: ed.URL(links.Sale(ed, links.StepGift, "card", s.links.Sign(ed, links.Gift, g.ID))),
		CancelURL:  ed.URL(links.Sale(ed, links.StepGift)),
	})
	if err != nil {
		s.log.ErrorContext(ctx, "no checkout", "edition", ed.ID, "gift", g.ID, "error", err)
		return "", access.ErrPaymentFailed.Because(err)
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return setGiftCheckout(ctx, tx, g.ID, c.ID) })
	return c.URL, err
}

// Settle writes what happened to a gift's checkout. The code is made in the transaction that notes the confirmed
// payment, and so are the emails; told again, it does nothing.
func (s *Service) Settle(ctx context.Context, c stripe.Checkout) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		g, err := FindGift(ctx, tx, true, "session_id = ?", c.ID)
		if err != nil || g == nil || g.State != GiftOpen || c.Open {
			return err
		}
		if !c.Complete || c.Paid <= 0 {
			return setState(ctx, tx, g.ID, GiftExpired, "", 0)
		}
		if c.Paid != g.Amount || !strings.EqualFold(c.Currency, g.Currency) {
			return fmt.Errorf("billing: gift %d was to cost %d %s, and %d %s was paid", g.ID, g.Amount, g.Currency,
				c.Paid, c.Currency)
		}
		coupon, err := insertGiftCoupon(ctx, tx, g, s.giftCode(tx.Edition, g))
		if err != nil {
			return err
		}
		if err := setState(ctx, tx, g.ID, GiftPaid, c.PaymentID, coupon); err != nil {
			return err
		}
		if err := s.invoice(ctx, tx, g); err != nil {
			return err
		}
		payload := event.Gift{GiftID: g.ID}
		if err := outbox.Once(ctx, tx, event.GiftBought, payload, fmt.Sprintf("gift_bought:%d", g.ID)); err != nil ||
			g.Email == "" {
			return err
		}
		return outbox.LaterOnce(ctx, tx, event.GiftDue, payload, access.Later(tx.Now, g.SendAt),
			fmt.Sprintf("gift_due:%d", g.ID))
	})
}

// giftCode is the code of a gift, the same whenever it is asked for.
func (s *Service) giftCode(ed *edition.Edition, g *Gift) string {
	return codeOf(s.links.Key.MAC(ed.ID, "gift-code", g.Nonce))
}

// SettleGifts finds out what happened to gifts that nobody has reported about.
func (s *Service) SettleGifts(ctx context.Context) error {
	var list []Gift
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = ListGifts(ctx, tx, "state = 'open' AND created_at < ? ORDER BY id LIMIT 200",
			tx.Now.Add(-stripe.SettleAfter))
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, g := range list {
		if err := s.settleOld(ctx, acc, g); err != nil {
			errs = append(errs, fmt.Errorf("billing: gift %d: %w", g.ID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Service) settleOld(ctx context.Context, acc *stripe.Account, g Gift) error {
	over := g.CreatedAt.Add(stripe.CheckoutTTL + time.Hour).Before(s.db.Now())
	if g.SessionID == "" && !over {
		return nil
	}
	c, err := stripe.Checkout{}, error(nil)
	if g.SessionID != "" {
		c, err = acc.Checkout(ctx, g.SessionID)
	}
	if g.SessionID == "" || stripe.IsGone(err) { // nobody has got its address
		return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return setState(ctx, tx, g.ID, GiftExpired, "", 0)
		})
	}
	if err != nil {
		return err
	}
	return s.Settle(ctx, c)
}
