package stripe

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/i18n"
)

// GiftParams is what the checkout of a gift is made from.
type GiftParams struct {
	ID         int64
	Product    string
	Amount     int64  // minor units
	Currency   string // ISO 4217
	BuyerEmail string
	CreatedAt  time.Time

	SuccessURL, CancelURL string
}

// GiftCheckout makes the hosted checkout of a gift: one payment, no customer, nothing that renews.
func (a *Account) GiftCheckout(ctx context.Context, g GiftParams) (Checkout, error) {
	name := i18n.T(a.Edition, "gift.line",
		map[string]any{"Name": a.Edition.Name, "Product": a.Edition.Product(g.Product).Name})
	meta := map[string]string{metaEdition: a.Edition.ID, metaGift: strconv.FormatInt(g.ID, 10), metaProduct: g.Product}
	p := &stripe.CheckoutSessionParams{
		Params: params(ctx, fmt.Sprintf("gift:%s:%d:%d", a.Edition.ID, g.ID, g.CreatedAt.Unix())),
		Mode:   stripe.String(string(stripe.CheckoutSessionModePayment)),
		LineItems: []*stripe.CheckoutSessionLineItemParams{{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionLineItemPriceDataParams{
				Currency: stripe.String(strings.ToLower(g.Currency)), UnitAmount: &g.Amount,
				TaxBehavior: stripe.String(string(stripe.PriceTaxBehaviorInclusive)),
				ProductData: &stripe.CheckoutSessionLineItemPriceDataProductDataParams{Name: &name},
			},
		}},
		PaymentMethodTypes: cards,
		CustomerEmail:      &g.BuyerEmail,
		SuccessURL:         stripe.String(g.SuccessURL),
		CancelURL:          stripe.String(g.CancelURL),
		ExpiresAt:          stripe.Int64(g.CreatedAt.Add(CheckoutTTL).Unix()),
		Locale:             stripe.String(a.Edition.Locale),
		PaymentIntentData:  &stripe.CheckoutSessionPaymentIntentDataParams{Metadata: meta},
	}
	p.Metadata = meta
	s, err := a.api.CheckoutSessions.New(p)
	if err != nil {
		return Checkout{}, Uncertain(err)
	}
	return toCheckout(s), nil
}
