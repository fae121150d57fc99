package billing

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/i18n"
)

// cards are what checkouts take: paid when the checkout is complete, or not at all. Other methods are confirmed days
// later.
var cards = stripe.StringSlice([]string{string(stripe.PaymentMethodTypeCard)})

// giftCheckout makes the hosted checkout of a gift: one payment, no customer, nothing that renews. back is where it
// leads to.
func (a *account) giftCheckout(ctx context.Context, g present, back string) (checkout, error) {
	name := i18n.T(a.edition, "gift.line",
		map[string]any{"Name": a.edition.Name, "Product": a.edition.Product(g.Product).Name})
	meta := map[string]string{metaEdition: a.edition.ID, metaGift: strconv.FormatInt(g.ID, 10), metaProduct: g.Product}
	p := &stripe.CheckoutSessionParams{
		Params: params(ctx, fmt.Sprintf("gift:%s:%d:%d", a.edition.ID, g.ID, g.CreatedAt.Unix())),
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
		SuccessURL:         stripe.String(a.edition.URL(back)),
		CancelURL:          stripe.String(a.edition.URL(saleURL(a.edition, stepGift))),
		ExpiresAt:          stripe.Int64(g.CreatedAt.Add(sessionLife).Unix()),
		Locale:             stripe.String(a.edition.Locale),
		PaymentIntentData:  &stripe.CheckoutSessionPaymentIntentDataParams{Metadata: meta},
	}
	p.Metadata = meta
	s, err := a.api.CheckoutSessions.New(p)
	if err != nil {
		return checkout{}, uncertain(err)
	}
	return toCheckout(s), nil
}
