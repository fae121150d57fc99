package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/paper/edition"
)

// cards are what checkouts take: paid when the checkout is complete, or not at all. Other methods are confirmed days
// later.
var cards = stripe.StringSlice([]string{string(stripe.PaymentMethodTypeCard)})

// CheckoutParams is what a checkout is made from; the same values make the same checkout.
type CheckoutParams struct {
	ID        int64 // of the intent
	ReaderID  int64
	Product   string
	Intro     bool
	Referrer  string
	CreatedAt time.Time
	PaidFrom  time.Time // when the first payment is due; zero: at once

	Customer string
	PublicID string // of the reader
	Price    string // id
	Coupon   string // id; "" for none
	Note     string // shown beside the pay button
}

// CheckoutTTL is how long a checkout can be paid; the provider's least is 30 minutes.
const CheckoutTTL = 31 * time.Minute

// SettleAfter is the age at which a checkout without an outcome is asked about; until then the message is on its way.
const SettleAfter = 10 * time.Minute

// OpenCheckout makes the hosted checkout of an intent, or returns the one that was made for it.
func (a *Account) OpenCheckout(ctx context.Context, in CheckoutParams) (Checkout, error) {
	meta := map[string]string{
		metaEdition: a.Edition.ID, metaReader: strconv.FormatInt(in.ReaderID, 10),
		metaIntent: strconv.FormatInt(in.ID, 10),
		metaPublic: in.PublicID, metaProduct: in.Product, metaIntro: strconv.FormatBool(in.Intro),
	}
	p := &stripe.CheckoutSessionParams{
		// Numbers come again after a restore.
		Params: params(ctx,
			fmt.Sprintf("intent:%s:%d:%d", a.Edition.ID, in.ID, in.CreatedAt.Unix())),
		Mode:               stripe.String(string(stripe.CheckoutSessionModeSubscription)),
		Customer:           &in.Customer,
		PaymentMethodTypes: cards,
		LineItems:          []*stripe.CheckoutSessionLineItemParams{{Price: &in.Price, Quantity: stripe.Int64(1)}},
		SuccessURL: stripe.String(a.Edition.URL(a.Edition.Href(edition.PaymentSuccess)) +
			"?session_id={CHECKOUT_SESSION_ID}"),
		CancelURL: stripe.String(a.Edition.URL(cancelledOrderPath(a.Edition, in.Product, in.Referrer))),
		Locale:    &a.Edition.Locale, ClientReferenceID: stripe.String(strconv.FormatInt(in.ID, 10)),
		ExpiresAt:        stripe.Int64(in.CreatedAt.Add(CheckoutTTL).Unix()),
		SubscriptionData: &stripe.CheckoutSessionSubscriptionDataParams{Metadata: meta},
	}
	p.Metadata = meta
	if from := in.PaidFrom; !from.IsZero() {
		p.SubscriptionData.TrialEnd, meta[metaFrom] = stripe.Int64(from.Unix()), strconv.FormatInt(from.Unix(), 10)
	}
	switch {
	case in.Coupon != "":
		p.Discounts = []*stripe.CheckoutSessionDiscountParams{{Coupon: &in.Coupon}}
	case !in.Intro: // one thing is cheaper at a time
		p.AllowPromotionCodes = stripe.Bool(true)
	}
	if in.Note != "" {
		note := &stripe.CheckoutSessionCustomTextSubmitParams{Message: &in.Note}
		p.CustomText = &stripe.CheckoutSessionCustomTextParams{Submit: note}
	}
	s, err := a.api.CheckoutSessions.New(p)
	if err != nil {
		return Checkout{}, Uncertain(err)
	}
	return toCheckout(s), nil
}

// cancelledOrderPath is the offer as a reader left it who turned back at the checkout.
func cancelledOrderPath(ed *edition.Edition, product, referrer string) string {
	q := url.Values{"product_type": {product}, "cancelled": {"1"}}
	if referrer != "" && referrer != "/" {
		q.Set("referrer", referrer)
	}
	return ed.Href(edition.Account) + "?" + q.Encode()
}

// Checkout is a hosted checkout as the provider describes it.
type Checkout struct {
	ID, URL, Subscription string
	Open, Complete        bool

	PaymentID string // of a checkout that is paid once
	Paid      int64  // minor units; 0 until the money is confirmed
	Currency  string
}

func toCheckout(s *stripe.CheckoutSession) Checkout {
	c := Checkout{
		ID: s.ID, URL: s.URL, Open: s.Status == stripe.CheckoutSessionStatusOpen,
		Complete: s.Status == stripe.CheckoutSessionStatusComplete,
	}
	if s.Subscription != nil {
		c.Subscription = s.Subscription.ID
	}
	if s.PaymentIntent != nil {
		c.PaymentID = s.PaymentIntent.ID
	}
	if s.PaymentStatus == stripe.CheckoutSessionPaymentStatusPaid {
		c.Paid, c.Currency = s.AmountTotal, string(s.Currency)
	}
	return c
}

// Checkout returns how a checkout stands.
func (a *Account) Checkout(ctx context.Context, id string) (Checkout, error) {
	s, err := a.api.CheckoutSessions.Get(id, &stripe.CheckoutSessionParams{Params: params(ctx, "")})
	if err != nil {
		return Checkout{}, Uncertain(err)
	}
	return toCheckout(s), nil
}

// CloseCheckout makes sure that nobody can pay a checkout any more, and says how it stands then.
func (a *Account) CloseCheckout(ctx context.Context, id string) (Checkout, error) {
	s, err := a.api.CheckoutSessions.Expire(id, &stripe.CheckoutSessionExpireParams{Params: params(ctx, "")})
	var api *stripe.Error
	if errors.As(err, &api) && api.HTTPStatusCode < 500 { // it is closed already, one way or the other
		return a.Checkout(ctx, id)
	}
	if err != nil {
		return Checkout{}, Uncertain(err)
	}
	return toCheckout(s), nil
}
