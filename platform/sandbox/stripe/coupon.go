package sandbox

import (
	"math"
	"strings"
	"time"
)

// coupon takes something off, once, for some months or for ever.
type coupon struct {
	Meta
	AmountOff      number            `json:"amount_off"`
	Currency       text              `json:"currency"`
	Duration       string            `json:"duration"`
	Months         number            `json:"duration_in_months"`
	MaxRedemptions number            `json:"max_redemptions"`
	Metadata       map[string]string `json:"metadata"`
	Name           text              `json:"name"`
	PercentOff     fraction          `json:"percent_off"`
	RedeemBy       number            `json:"redeem_by"`
	TimesRedeemed  int64             `json:"times_redeemed"`
	Valid          bool              `json:"valid"`
	Deleted        bool              `json:"deleted,omitempty"`
}

func (*coupon) kind() string { return "coupon" }

// promotionCode is a word that customers type to get a coupon.
type promotionCode struct {
	Meta
	Active         bool              `json:"active"`
	Code           string            `json:"code"`
	Coupon         string            `json:"coupon"`
	Customer       text              `json:"customer"`
	ExpiresAt      number            `json:"expires_at"`
	MaxRedemptions number            `json:"max_redemptions"`
	Metadata       map[string]string `json:"metadata"`
	Restrictions   restrictions      `json:"restrictions"`
	TimesRedeemed  int64             `json:"times_redeemed"`
}

type restrictions struct {
	FirstTime       bool   `json:"first_time_transaction"`
	MinimumAmount   number `json:"minimum_amount"`
	MinimumCurrency text   `json:"minimum_amount_currency"`
}

func (*promotionCode) kind() string { return "promotion_code" }

// discount is a coupon applied to a customer or a subscription.
type discount struct {
	ID            string  `json:"id"`
	Object        string  `json:"object"`
	Checkout      text    `json:"checkout_session"`
	Coupon        string  `json:"coupon"`
	Customer      text    `json:"customer"`
	End           number  `json:"end"`
	Invoice       text    `json:"invoice"`
	InvoiceItem   nothing `json:"invoice_item"`
	PromotionCode text    `json:"promotion_code"`
	Start         int64   `json:"start"`
	Subscription  text    `json:"subscription"`
}

func createCoupon(t *tx, c *call) (any, error) {
	id := c.str("id")
	if id != "" && t.find(id) != nil {
		return nil, invalid("id", "Coupon already exists: %s", id).coded("resource_already_exists")
	}
	if id == "" {
		id = randomText(8)
	}
	co := &coupon{Meta: Meta{ID: id}, Duration: "once", Valid: true}
	c.number("amount_off", &co.AmountOff)
	co.PercentOff = fraction(c.float("percent_off"))
	c.text("currency", &co.Currency)
	c.choice("duration", &co.Duration, "once", "repeating", "forever")
	c.number("duration_in_months", &co.Months)
	c.number("max_redemptions", &co.MaxRedemptions)
	c.number("redeem_by", &co.RedeemBy)
	c.text("name", &co.Name)
	c.metadata(&co.Metadata)
	switch {
	case (co.AmountOff > 0) == (co.PercentOff > 0):
		return nil, invalid("percent_off", "A coupon takes either amount_off or percent_off")
	case co.PercentOff > 100:
		return nil, invalid("percent_off", "Invalid percent_off: it is above 100")
	case co.AmountOff > 0 && co.Currency == "":
		return nil, invalid("currency", "A coupon with amount_off needs a currency")
	case (co.Duration == "repeating") != (co.Months > 0):
		return nil, invalid("duration_in_months", "duration_in_months goes with the duration repeating, and only with it")
	}
	add(t, "", co)
	t.tell("coupon.created", co)
	return co, nil
}

func getCoupon(t *tx, c *call) (any, error) {
	return t.livingCoupon(c)
}

func (t *tx) livingCoupon(c *call) (*coupon, error) {
	co, err := pick[coupon](t, c)
	if err == nil && co.Deleted {
		return nil, missing("coupon", co.ID, "id")
	}
	return co, err
}

func updateCoupon(t *tx, c *call) (any, error) {
	co, err := t.livingCoupon(c)
	if err != nil {
		return nil, err
	}
	c.text("name", &co.Name)
	c.metadata(&co.Metadata)
	return co, nil
}

func deleteCoupon(t *tx, c *call) (any, error) {
	co, err := t.livingCoupon(c)
	if err != nil {
		return nil, err
	}
	for _, p := range all[promotionCode](t) {
		if p.Coupon == co.ID {
			p.Active = false
		}
	}
	co.Valid, co.Deleted = false, true // kept for the discounts that show it
	t.tell("coupon.deleted", co)
	return deleted(&co.Meta), nil
}

func createPromotionCode(t *tx, c *call) (any, error) {
	c.need("coupon")
	co := find[coupon](t, c.params, "coupon")
	if co == nil {
		return nil, c.err()
	}
	p := &promotionCode{Active: true, Code: c.str("code"), Coupon: co.ID}
	if p.Code == "" {
		p.Code = strings.ToUpper(randomText(8))
	}
	if cu := find[customer](t, c.params, "customer"); cu != nil {
		p.Customer = text(cu.ID)
	}
	c.flag("active", &p.Active)
	c.number("expires_at", &p.ExpiresAt)
	c.number("max_redemptions", &p.MaxRedemptions)
	c.metadata(&p.Metadata)
	if r, ok := c.sub("restrictions"); ok {
		r.flag("first_time_transaction", &p.Restrictions.FirstTime)
		r.number("minimum_amount", &p.Restrictions.MinimumAmount)
		r.text("minimum_amount_currency", &p.Restrictions.MinimumCurrency)
	}
	if other := t.promotion(p.Code, p.Customer); other != nil {
		return nil, invalid("code", "An active promotion code with `code: %s` already exists.", p.Code)
	}
	return add(t, "promo_", p), nil
}

func updatePromotionCode(t *tx, c *call) (any, error) {
	p, err := pick[promotionCode](t, c)
	if err != nil {
		return nil, err
	}
	c.flag("active", &p.Active)
	c.metadata(&p.Metadata)
	return p, nil
}

// promotion finds an active promotion code by its word, which is compared without case.
func (t *tx) promotion(word string, customer text) *promotionCode {
	for _, p := range all[promotionCode](t) {
		if p.Active && strings.EqualFold(p.Code, word) && (p.Customer == "" || p.Customer == customer) {
			return p
		}
	}
	return nil
}

// readDiscount applies what coupon, promotion_code or discounts[0] name.
func (t *tx) readDiscount(p params, cu *customer) *discount {
	ask := p
	if list := p.list("discounts"); len(list) > 1 {
		p.refuse(invalid("discounts", "The payment sandbox takes one discount"))
	} else if len(list) == 1 {
		ask = list[0]
	}
	if word := ask.str("promotion_code"); word != "" {
		code := find[promotionCode](t, ask, "promotion_code")
		if code == nil {
			return nil
		}
		return t.redeemOr(p, load[coupon](t, text(code.Coupon)), code, cu)
	}
	if co := find[coupon](t, ask, "coupon"); co != nil {
		return t.redeemOr(p, co, nil, cu)
	}
	return nil
}

func (t *tx) redeemOr(p params, co *coupon, code *promotionCode, cu *customer) *discount {
	if err := t.redeemable(co, code, cu); err != nil {
		p.refuse(err)
		return nil
	}
	return t.redeem(co, code, cu)
}

// redeemable says why a coupon cannot be used now.
func (t *tx) redeemable(co *coupon, code *promotionCode, cu *customer) *apiError {
	now := number(t.now.Unix())
	switch {
	case !co.Valid, co.MaxRedemptions > 0 && number(co.TimesRedeemed) >= co.MaxRedemptions, co.RedeemBy > 0 &&
		co.RedeemBy <= now:
		return invalid("coupon", "Coupon %s is used up, expired or deleted.", co.ID).coded("coupon_expired")
	case code == nil:
		return nil
	case !code.Active, code.ExpiresAt > 0 && code.ExpiresAt <= now, code.MaxRedemptions > 0 &&
		number(code.TimesRedeemed) >= code.MaxRedemptions,
		code.Customer != "" && (cu == nil || code.Customer != text(cu.ID)):
		return invalid("promotion_code", "This promotion code is invalid.").coded("promotion_code_invalid")
	}
	return nil
}

func (t *tx) redeem(co *coupon, code *promotionCode, cu *customer) *discount {
	d := &discount{ID: newID("di_"), Object: "discount", Coupon: co.ID, Start: t.now.Unix()}
	co.TimesRedeemed++
	if co.MaxRedemptions > 0 && number(co.TimesRedeemed) >= co.MaxRedemptions {
		co.Valid = false
	}
	if cu != nil {
		d.Customer = text(cu.ID)
	}
	if code != nil {
		code.TimesRedeemed++
		d.PromotionCode = text(code.ID)
	}
	if co.Duration == "repeating" {
		d.End = number(addMonths(time.Unix(d.Start, 0).UTC(), int(co.Months)).Unix())
	}
	return d
}

// off is what the coupon takes off an amount.
func (co *coupon) off(amount int64) int64 {
	if co.PercentOff > 0 {
		return int64(math.Round(float64(amount) * float64(co.PercentOff) / 100))
	}
	return min(int64(co.AmountOff), amount)
}
