package sandbox_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"
)

func TestCheckoutPays(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4))

	if sub.Status != stripe.SubscriptionStatusActive || sub.Metadata["reader"] != "7" ||
		sub.Customer.Email != "jana@example.org" {
		t.Errorf("subscription is %s for %q with %v", sub.Status, sub.Customer.Email, sub.Metadata)
	}
	if got := sub.CurrentPeriodEnd - sub.CurrentPeriodStart; got != 28*86400 {
		t.Errorf("the period has %d seconds", got)
	}
	item := sub.Items.Data[0]
	if item.Price.UnitAmount != 796 || item.Price.UnitAmountDecimal != 796 || item.Price.Recurring.IntervalCount != 4 ||
		item.Subscription != sub.ID {
		t.Errorf("item is %+v", item)
	}
	inv := sub.LatestInvoice
	if inv.Status != stripe.InvoiceStatusPaid || inv.AmountPaid != 796 ||
		inv.BillingReason != stripe.InvoiceBillingReasonSubscriptionCreate || inv.Number == "" {
		t.Errorf("invoice is %+v", inv)
	}
	if pi := inv.PaymentIntent; pi.Status != stripe.PaymentIntentStatusSucceeded || pi.AmountReceived != 796 {
		t.Errorf("payment intent is %+v", pi)
	}
	if c := sub.DefaultPaymentMethod.Card; c.Last4 != "4242" || c.Fingerprint == "" || c.ExpMonth != 12 ||
		c.ExpYear != 2034 {
		t.Errorf("card is %+v", c)
	}
	want := []string{
		"product.created", "price.created", "customer.created", "payment_method.attached", "customer.subscription.created",
		"invoice.created", "invoice.finalized",
		"payment_intent.created", "charge.succeeded", "payment_intent.succeeded", "invoice.paid", "invoice.payment_succeeded",
		"customer.subscription.updated", "checkout.session.completed",
	}
	if got := s.hooks.types(); !slices.Equal(got, want) {
		t.Errorf("webhooks came as %v", got)
	}
	if len(s.hooks.wrong) > 0 {
		t.Errorf("signatures: %v", s.hooks.wrong)
	}
}

func TestCheckoutSessionShape(t *testing.T) {
	t.Parallel()
	s := open(t)
	cs := s.session(s.price(796, "week", 4))
	if cs.Status != stripe.CheckoutSessionStatusOpen || cs.PaymentStatus != stripe.CheckoutSessionPaymentStatusUnpaid ||
		cs.AmountTotal != 796 || cs.Subscription != nil || cs.LineItems != nil {
		t.Errorf("open session is %+v", cs)
	}
	if want := s.site.URL + "/_dev/stripe/checkout/" + cs.ID; cs.URL != want {
		t.Errorf("page is at %s, want %s", cs.URL, want)
	}
	s.visit(cs.URL, card(cardPays))
	cs = s.refresh(cs)
	if cs.Status != stripe.CheckoutSessionStatusComplete || cs.PaymentStatus != stripe.CheckoutSessionPaymentStatusPaid ||
		cs.URL != "" || cs.ClientReferenceID != "reader-7" {
		t.Errorf("complete session is %+v", cs)
	}
	if len(cs.LineItems.Data) != 1 || cs.LineItems.Data[0].Price.UnitAmount != 796 ||
		cs.LineItems.Data[0].Description != "Digital" {
		t.Errorf("line items are %+v", cs.LineItems)
	}
	if cs.CustomerDetails.Email != "jana@example.org" || cs.Subscription.LatestInvoice.AmountPaid != 796 {
		t.Errorf("details are %+v", cs.CustomerDetails)
	}
	again := s.visit(s.site.URL+"/_dev/stripe/checkout/"+cs.ID, card(cardPays))
	if again.url.Path != "/ok" || len(s.invoices(cs.Subscription.ID)) != 1 {
		t.Error("paying a complete session again must lead on and charge nothing")
	}
}

func TestCheckoutSays(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.price(796, "week", 4)
	co := must[*stripe.Coupon](
		t)(s.api.Coupons.New(&stripe.CouponParams{AmountOff: num(696), Currency: str("eur"), Duration: str("once")}))
	intro := func(cs *stripe.CheckoutSessionParams) {
		cs.Discounts = []*stripe.CheckoutSessionDiscountParams{{Coupon: str(co.ID)}}
	}
	for lang, want := range map[string][]string{
		"sk": {
			"1,00 € dnes na úhradu", "30.03.2026 7,96 €", "27.04.2026 7,96 €", "Potom 7,96 € každé 4 týždne",
			"Predplatiť a zaplatiť 1,00 €", "4000 0025 0000 3155", "Žiadne peniaze sa nepohnú",
		},
		"de": {"1,00 € heute fällig", "30.03.2026 7,96 €", "Danach 7,96 € alle 4 Wochen", "Abonnieren und 1,00 € bezahlen"},
		"en": {"€1.00 due today", "30 March 2026 €7.96", "Then €7.96 every 4 weeks", "Subscribe and pay €1.00"},
	} {
		cs := s.session(p, intro, func(cs *stripe.CheckoutSessionParams) { cs.Locale = str(lang) })
		got := s.visit(cs.URL, nil)
		if got.status != http.StatusOK || !strings.Contains(got.body, `<html lang="`+lang+`">`) ||
			!strings.Contains(got.body, s.site.URL+"/account") {
			t.Errorf("%s: page is %d", lang, got.status)
		}
		for _, text := range want {
			if !strings.Contains(got.words(), text) {
				t.Errorf("%s: %q is not in %s", lang, text, got.words())
			}
		}
	}
	sub := s.subscribe(p, intro)
	s.advance(28 * day)
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got, []int64{100, 796}) {
		t.Errorf("the page promised 1.00 and then 7.96; charged was %v", got)
	}
}

func TestCheckoutDeclines(t *testing.T) {
	t.Parallel()
	s := open(t)
	cs := s.session(s.price(796, "week", 4))
	got := s.visit(cs.URL, card(cardDeclines))
	if got.status != http.StatusPaymentRequired || !strings.Contains(got.words(), "banka platbu zamietla") {
		t.Errorf("page is %d: %s", got.status, got.words())
	}
	if cs = s.refresh(cs); cs.Status != stripe.CheckoutSessionStatusOpen || cs.Subscription != nil || cs.Customer != nil {
		t.Errorf("session is %+v", cs)
	}
	if got := s.visit(cs.URL, card(cardPays)); got.url.Path != "/ok" {
		t.Errorf("the next card must pay, page is %s", got.url)
	}
}

func TestCheckoutChallenge(t *testing.T) {
	t.Parallel()
	s := open(t)
	cs := s.session(s.price(796, "week", 4))
	bank := s.visit(cs.URL, card(cardAsks))
	if bank.url.Path != "/_dev/stripe/checkout/"+cs.ID+"/challenge" || !strings.Contains(bank.words(), "7,96 €") ||
		!strings.Contains(bank.words(), "3155") {
		t.Fatalf("page is %s: %s", bank.url, bank.words())
	}
	refused := s.visit(bank.url.String(), url.Values{"outcome": {"fail"}})
	if refused.status != http.StatusPaymentRequired || !strings.Contains(refused.words(), "nebola potvrdená") ||
		s.refresh(cs).Subscription != nil {
		t.Errorf("page is %d: %s", refused.status, refused.words())
	}
	bank = s.visit(cs.URL, card(cardAsks))
	if done := s.visit(bank.url.String(), url.Values{"outcome": {"complete"}}); done.url.Path != "/ok" {
		t.Fatalf("page is %s", done.url)
	}
	sub := s.refresh(cs).Subscription
	s.advance(28 * day)
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got, []int64{796, 796}) {
		t.Errorf("a card that was confirmed renews by itself, charged was %v", got)
	}
}

func TestCheckoutForm(t *testing.T) {
	t.Parallel()
	s := open(t)
	cs := s.session(s.price(796, "week", 4))
	for name, c := range map[string]struct {
		field, value, says string
	}{
		"no number":     {"number", "", "Zadajte číslo karty"},
		"real card":     {"number", "4539 5787 6362 1486", "Skutočné karty tu nezadávajte"},
		"nonsense":      {"number", "1234", "Toto nie je číslo karty"},
		"past":          {"expiry", "02/26", "Platnosť karty už uplynula"},
		"no month":      {"expiry", "13/30", "Zadajte platnosť"},
		"short code":    {"cvc", "12", "Zadajte bezpečnostný kód"},
		"letters":       {"cvc", "abc", "Zadajte bezpečnostný kód"},
		"email":         {"email", "jana@", "Zadajte platný e-mail"},
		"use test card": {"action", "card:2", "4000 0000 0000 0002"},
	} {
		form := card(cardPays)
		form.Set(c.field, c.value)
		got := s.visit(cs.URL, form)
		if !strings.Contains(got.words(), "Banka platbu zamietne") {
			t.Errorf("%s: the page is not in the session's language: %s", name, got.words())
		}
		if !strings.Contains(got.words()+got.body, c.says) {
			t.Errorf("%s: %q is not on the page (%d)", name, c.says, got.status)
		}
		if s.refresh(cs).Status != stripe.CheckoutSessionStatusOpen {
			t.Fatalf("%s: the session is no longer open", name)
		}
	}
	methods := s.api.PaymentMethods.List(&stripe.PaymentMethodListParams{})
	for methods.Next() {
		t.Errorf("a form with mistakes left the card %s", methods.PaymentMethod().ID)
	}
	for _, expiry := range []string{"12/34", "1234", "12 / 2034", "3/34"} {
		form := card(cardDeclines)
		form.Set("expiry", expiry)
		if got := s.visit(cs.URL, form); got.status != http.StatusPaymentRequired {
			t.Errorf("expiry %q: page is %d", expiry, got.status)
		}
	}
}

func TestCheckoutPayment(t *testing.T) {
	t.Parallel()
	s := open(t)
	cs := must[*stripe.CheckoutSession](t)(s.api.CheckoutSessions.New(&stripe.CheckoutSessionParams{
		Mode: str("payment"), SuccessURL: str(s.site.URL + "/ok"), CancelURL: str(s.site.URL + "/no"),
		CustomerEmail: str("gift@example.org"), Locale: str("de"),
		PaymentIntentData: &stripe.CheckoutSessionPaymentIntentDataParams{
			Metadata:    map[string]string{"gift": "12"},
			Description: str("Gift"),
		},
		LineItems: []*stripe.CheckoutSessionLineItemParams{{
			Quantity: num(2),
			PriceData: &stripe.CheckoutSessionLineItemPriceDataParams{
				Currency: str("eur"), UnitAmount: num(8900),
				ProductData: &stripe.CheckoutSessionLineItemPriceDataProductDataParams{Name: str("Geschenk")},
			},
		}},
	}))
	if got := s.visit(cs.URL, nil).words(); !strings.Contains(got, "178,00 € bezahlen") ||
		!strings.Contains(got, "2 × Geschenk") || strings.Contains(got, "Nächste Abbuchungen") {
		t.Errorf("page says %s", got)
	}
	s.visit(cs.URL, card(cardDeclines))
	failed := s.refresh(cs).PaymentIntent
	if failed.Status != stripe.PaymentIntentStatusRequiresPaymentMethod ||
		failed.LastPaymentError.DeclineCode != "generic_decline" {
		t.Errorf("after a decline the intent is %+v", failed)
	}
	bank := s.visit(cs.URL, card(cardAsks))
	if done := s.visit(bank.url.String(), url.Values{"outcome": {"complete"}}); done.url.Path != "/ok" {
		t.Fatalf("page is %s", done.url)
	}
	cs = s.refresh(cs)
	if pi := cs.PaymentIntent; pi.ID != failed.ID || pi.Status != stripe.PaymentIntentStatusSucceeded ||
		pi.Metadata["gift"] != "12" || cs.PaymentStatus != "paid" || cs.Customer != nil {
		t.Errorf("session is %+v, intent %+v", cs, pi)
	}
	re := must[*stripe.Refund](
		t)(s.api.Refunds.New(&stripe.RefundParams{
		PaymentIntent: str(failed.ID), Amount: num(5000),
		Reason: str("requested_by_customer"),
	}))
	if re.Status != stripe.RefundStatusSucceeded || re.Amount != 5000 {
		t.Errorf("refund is %+v", re)
	}
	if _, err := s.api.Refunds.New(&stripe.RefundParams{PaymentIntent: str(failed.ID), Amount: num(12801)}); err == nil {
		t.Error("more than what is left was refunded")
	}
	must[*stripe.Refund](t)(s.api.Refunds.New(&stripe.RefundParams{PaymentIntent: str(failed.ID)}))
	if _, err := s.api.Refunds.New(&stripe.RefundParams{PaymentIntent: str(failed.ID)}); code(
		err) != "charge_already_refunded" {
		t.Errorf("a third refund: %v", err)
	}
	s.flush()
	if s.hooks.count("charge.refunded") != 2 || s.hooks.count("payment_intent.payment_failed") != 1 ||
		s.hooks.count("payment_intent.requires_action") != 1 {
		t.Errorf("webhooks were %v", s.hooks.types())
	}
}

func TestCheckoutPromotion(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.price(1000, "month", 1)
	co := must[*stripe.Coupon](
		t)(s.api.Coupons.New(&stripe.CouponParams{
		PercentOff: stripe.Float64(25), Duration: str("repeating"),
		DurationInMonths: num(2),
	}))
	must[*stripe.PromotionCode](
		t)(s.api.PromotionCodes.New(&stripe.PromotionCodeParams{
		Coupon: str(co.ID), Code: str("LETO"),
		MaxRedemptions: num(1),
	}))
	offer := func(cs *stripe.CheckoutSessionParams) { cs.AllowPromotionCodes = yes }
	cs := s.session(p, offer)
	if got := s.visit(cs.URL, url.Values{"action": {"promo"}, "promotion_code": {"ZIMA"}}); !strings.Contains(got.words(),
		"Tento kód neplatí") {
		t.Errorf("a wrong code: %s", got.words())
	}
	if got := s.visit(cs.URL, url.Values{"action": {"promo"}, "promotion_code": {"leto"}}); !strings.Contains(got.words(),
		"7,50 € dnes na úhradu") {
		t.Errorf("the right code: %s", got.words())
	}
	other := s.session(p, offer)
	s.visit(other.URL, url.Values{"action": {"promo"}, "promotion_code": {"LETO"}})
	s.visit(cs.URL, card(cardPays))
	if got := s.visit(other.URL, card(cardPays)); !strings.Contains(got.words(), "Zľava medzitým prestala platiť") ||
		!strings.Contains(got.words(), "10,00 € dnes") {
		t.Errorf("a code that was used up meanwhile: %s", got.words())
	}
	sub := s.refresh(cs).Subscription
	s.advance(100 * day)
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got, []int64{750, 750, 1000, 1000}) {
		t.Errorf("charged was %v", got)
	}
}

func TestCheckoutExpires(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.price(796, "week", 4)
	cs, early := s.session(p), s.session(p)
	must[*stripe.CheckoutSession](t)(s.api.CheckoutSessions.Expire(early.ID, nil))
	s.advance(24*time.Hour - time.Second)
	if got := s.refresh(cs).Status; got != stripe.CheckoutSessionStatusOpen {
		t.Errorf("before its time the session is %s", got)
	}
	s.advance(time.Second)
	if got := s.refresh(cs).Status; got != stripe.CheckoutSessionStatusExpired {
		t.Errorf("the session is %s", got)
	}
	if got := s.visit(cs.URL, card(cardPays)); got.status != http.StatusGone || s.refresh(cs).Subscription != nil {
		t.Errorf("an expired session: %d", got.status)
	}
	if n := s.hooks.count("checkout.session.expired"); n != 2 {
		t.Errorf("%d webhooks of expiry", n)
	}
	if got := s.visit(s.site.URL+"/_dev/stripe/checkout/cs_test_nothing", nil); got.status != http.StatusNotFound {
		t.Errorf("an unknown session: %d", got.status)
	}
}

func TestCheckoutTrialAndSetup(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4), func(cs *stripe.CheckoutSessionParams) {
		cs.SubscriptionData.TrialPeriodDays = num(14)
	})
	if sub.Status != stripe.SubscriptionStatusTrialing || sub.TrialEnd != begin.Add(14*day).Unix() ||
		sub.LatestInvoice.AmountDue != 0 || sub.LatestInvoice.PaymentIntent != nil {
		t.Errorf("subscription is %+v", sub)
	}
	s.advance(11 * day)
	if s.hooks.count("customer.subscription.trial_will_end") != 1 {
		t.Errorf("three days before the end of the trial: %v", s.hooks.types())
	}
	s.advance(3 * day)
	if sub = s.sub(sub.ID); sub.Status != stripe.SubscriptionStatusActive || sub.LatestInvoice.AmountPaid != 796 ||
		sub.CurrentPeriodEnd != begin.Add(42*day).Unix() {
		t.Errorf("after the trial the subscription is %+v", sub)
	}

	cu := s.customer()
	cs := must[*stripe.CheckoutSession](
		t)(s.api.CheckoutSessions.New(&stripe.CheckoutSessionParams{
		Mode: str("setup"), Customer: str(cu.ID),
		Currency: str("eur"), SuccessURL: str(s.site.URL + "/ok"),
	}))
	s.visit(cs.URL, card(cardPays))
	cs = must[*stripe.CheckoutSession](
		t)(s.api.CheckoutSessions.Get(cs.ID,
		&stripe.CheckoutSessionParams{Expand: []*string{str("setup_intent.payment_method")}}))
	if cs.SetupIntent.Status != "succeeded" || cs.SetupIntent.PaymentMethod.Customer.ID != cu.ID ||
		cs.PaymentStatus != "no_payment_required" {
		t.Errorf("session is %+v", cs)
	}
}
