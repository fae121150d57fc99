package billing

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

const (
	giftYears    = 3                    // a code can be redeemed
	giftAhead    = 366 * 24 * time.Hour // an email can be ordered
	giftHour     = 8                    // of the day on which an email is due
	maxGiftName  = 80
	maxGiftWords = 500
)

// giftsOfNetwork bounds checkouts that are opened for gifts.
var giftsOfNetwork = limit.Budget{Name: "billing.gift.network", Max: 20, Window: time.Hour}

// giftOrder is what the form of a gift says.
type giftOrder struct {
	Product    string `json:"product_type"`
	BuyerEmail string `json:"buyer_email"`
	BuyerName  string `json:"buyer_name"`
	Email      string `json:"recipient_email"` // "" where the buyer hands it over
	Message    string `json:"message"`
	SendOn     string `json:"send_on"` // "2026-12-24"; "" at once
}

// gift is a gift as the database has it.
type gift struct {
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
	giftOpen     = "open"
	giftPaid     = "paid"
	giftExpired  = "expired"
	giftRefunded = "refunded"
)

// parseGift checks an order of a gift.
func (m *Module) parseGift(ed *edition.Edition, o giftOrder) (g gift, err error) {
	product := offer.Active(ed, o.Product)
	if product == nil {
		return g, web.ErrInvalidArgs.On("product_type")
	}
	g = gift{
		Product: product.Type, Amount: product.Amount, Currency: ed.Billing.Currency,
		BuyerName: strings.TrimSpace(o.BuyerName), Message: strings.TrimSpace(strings.ReplaceAll(o.Message, "\r\n", "\n")),
	}
	if g.BuyerEmail, err = m.parseEmail(o.BuyerEmail); err != nil {
		return g, fault.From(err).On("buyer_email")
	}
	if strings.TrimSpace(o.Email) != "" {
		if g.Email, err = m.parseEmail(o.Email); err != nil {
			return g, fault.From(err).On("recipient_email")
		}
	}
	// A plain form sends two characters for the end of a line, and the field counts one.
	switch {
	case utf8.RuneCountInString(g.BuyerName) > maxGiftName || !invoice.PlainText(g.BuyerName):
		return g, web.ErrInvalidArgs.On("buyer_name")
	case utf8.RuneCountInString(g.Message) > maxGiftWords || !plainLines(g.Message):
		return g, web.ErrInvalidArgs.On("message")
	case hasAddress(g.BuyerName):
		return g, ErrLink.On("buyer_name")
	case hasAddress(g.Message):
		return g, ErrLink.On("message")
	}
	now := m.db.Now()
	g.SendAt = now
	if o.SendOn != "" {
		day, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(o.SendOn), ed.Location)
		if err != nil || day.AddDate(0, 0, 1).Before(now) || day.Sub(now) > giftAhead {
			return g, web.ErrInvalidArgs.On("send_on")
		}
		g.SendAt = access.Later(now, time.Date(day.Year(), day.Month(), day.Day(), giftHour, 0, 0, 0, ed.Location))
	}
	return g, nil
}

// BuyGift opens a checkout for a gift and returns its address. Nobody has to be logged in, and nothing renews.
func (m *Module) BuyGift(ctx context.Context, o giftOrder, network string) (to string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	g, err := m.parseGift(ed, o)
	if err != nil {
		return "", err
	}
	acc, err := m.provider.Account(ctx)
	if err != nil {
		return "", access.ErrPaymentFailed.Because(err)
	}
	g.Nonce = make([]byte, 32)
	_, _ = rand.Read(g.Nonce) // it never fails
	within := false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
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
		SuccessURL: ed.URL(links.Sale(ed, links.StepGift, "card", m.links.Sign(ed, links.Gift, g.ID))),
		CancelURL:  ed.URL(links.Sale(ed, links.StepGift)),
	})
	if err != nil {
		m.log.ErrorContext(ctx, "no checkout", "edition", ed.ID, "gift", g.ID, "error", err)
		return "", access.ErrPaymentFailed.Because(err)
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return setGiftCheckout(ctx, tx, g.ID, c.ID) })
	return c.URL, err
}

// settleGift writes what happened to a gift's checkout. The code is made in the transaction that notes the confirmed
// payment, and so are the emails; told again, it does nothing.
func (m *Module) settleGift(ctx context.Context, c stripe.Checkout) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		g, err := findGift(ctx, tx, true, "session_id = ?", c.ID)
		if err != nil || g == nil || g.State != giftOpen || c.Open {
			return err
		}
		if !c.Complete || c.Paid <= 0 {
			return settleGift(ctx, tx, g.ID, giftExpired, "", 0)
		}
		if c.Paid != g.Amount || !strings.EqualFold(c.Currency, g.Currency) {
			return fmt.Errorf("billing: gift %d was to cost %d %s, and %d %s was paid", g.ID, g.Amount, g.Currency,
				c.Paid, c.Currency)
		}
		coupon, err := insertGiftCoupon(ctx, tx, g, m.giftCode(tx.Edition, g))
		if err != nil {
			return err
		}
		if err := settleGift(ctx, tx, g.ID, giftPaid, c.PaymentID, coupon); err != nil {
			return err
		}
		if err := m.invoiceGift(ctx, tx, g); err != nil {
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
func (m *Module) giftCode(ed *edition.Edition, g *gift) string {
	return codeOf(m.links.Key.MAC(ed.ID, "gift-code", g.Nonce))
}

// SettleGifts finds out what happened to gifts that nobody has reported about.
func (m *Module) SettleGifts(ctx context.Context) error {
	var list []gift
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listGifts(ctx, tx, "state = 'open' AND created_at < ? ORDER BY id LIMIT 200",
			tx.Now.Add(-stripe.SettleAfter))
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	acc, err := m.provider.Account(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, g := range list {
		errs = append(errs, m.settleOldGift(ctx, acc, g))
	}
	return errors.Join(errs...)
}

func (m *Module) settleOldGift(ctx context.Context, acc *stripe.Account, g gift) error {
	over := g.CreatedAt.Add(stripe.CheckoutTTL + time.Hour).Before(m.db.Now())
	if g.SessionID == "" && !over {
		return nil
	}
	c, err := stripe.Checkout{}, error(nil)
	if g.SessionID != "" {
		c, err = acc.Checkout(ctx, g.SessionID)
	}
	if g.SessionID == "" || stripe.IsGone(err) { // nobody has got its address
		return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return settleGift(ctx, tx, g.ID, giftExpired, "", 0)
		})
	}
	if err != nil {
		return err
	}
	return m.settleGift(ctx, c)
}
