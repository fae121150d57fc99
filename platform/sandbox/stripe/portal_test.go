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

func (s *shop) portal(sub *stripe.Subscription, change ...func(*stripe.BillingPortalSessionParams)) string {
	s.t.Helper()
	params := &stripe.BillingPortalSessionParams{
		Customer: str(sub.Customer.ID), ReturnURL: str(s.site.URL + "/profile"),
		Locale: str("sk"),
	}
	for _, fn := range change {
		fn(params)
	}
	return must[*stripe.BillingPortalSession](s.t)(s.api.BillingPortalSessions.New(params)).URL
}

func TestPortal(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4))
	address := s.portal(sub)
	home := s.visit(address, nil)
	for _, text := range []string{
		"Digital", "7,96 € každé 4 týždne", "aktívne", "Ďalšia platba 7,96 € dňa 30.03.2026",
		"Visa •••• 4242", sub.LatestInvoice.Number, "Zaplatená",
	} {
		if !strings.Contains(home.words(), text) {
			t.Errorf("%q is not in %s", text, home.words())
		}
	}
	if ask := s.visit(address+"?cancel="+sub.ID, nil); !strings.Contains(ask.words(),
		"Zrušiť predplatné? Digital – 7,96 € každé 4 týždne Skončí sa 30.03.2026") || s.sub(sub.ID).CancelAtPeriodEnd {
		t.Errorf("looking at the question changes nothing: %s", ask.words())
	}
	form := url.Values{"subscription": {sub.ID}}
	if got := s.visit(address+"/cancel", form); !strings.Contains(got.words(), "končí 30.03.2026") ||
		!s.sub(sub.ID).CancelAtPeriodEnd {
		t.Errorf("cancelled: %s", got.words())
	}
	if got := s.visit(address+"/resume", form); !strings.Contains(got.words(), "pokračuje") ||
		s.sub(sub.ID).CancelAtPeriodEnd {
		t.Errorf("resumed: %s", got.words())
	}

	if got := s.visit(address+"/card", card("1")); got.status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.words(), "Toto nie je číslo karty") {
		t.Errorf("no card at all: %d %s", got.status, got.words())
	}
	if got := s.visit(address+"/card", card(cardDeclines)); got.status != http.StatusPaymentRequired ||
		s.sub(sub.ID).DefaultPaymentMethod.Card.Last4 != "4242" {
		t.Errorf("a card that declines: %d", got.status)
	}
	bank := s.visit(address+"/card", card(cardAsks))
	if got := s.visit(bank.url.String(), url.Values{"outcome": {"fail"}}); got.status != http.StatusPaymentRequired {
		t.Errorf("a card that is not confirmed: %d", got.status)
	}
	bank = s.visit(address+"/card", card(cardAsks))
	if got := s.visit(bank.url.String(), url.Values{"outcome": {"complete"}}); !strings.Contains(got.words(),
		"Visa •••• 3155") || s.sub(sub.ID).DefaultPaymentMethod.Card.Last4 != "3155" {
		t.Errorf("the new card: %s", got.words())
	}
	s.advance(28 * day)
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got, []int64{796, 796}) {
		t.Errorf("charged was %v", got)
	}
	if got := s.visit(address, nil); got.status != http.StatusGone || !strings.Contains(got.body, s.site.URL+"/profile") {
		t.Errorf("an old address: %d", got.status)
	}
	other := s.subscribe(s.price(500, "month", 1))
	if got := s.visit(s.portal(sub)+"/cancel",
		url.Values{"subscription": {other.ID}}); got.status != http.StatusNotFound || s.sub(other.ID).CancelAtPeriodEnd {
		t.Errorf("somebody else's subscription: %d", got.status)
	}
}

func TestPortalKeepsTheIntroduction(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(100, "week", 4))
	s.introduce(sub, s.price(796, "week", 4))
	address := s.portal(sub)
	form := url.Values{"subscription": {sub.ID}}
	s.visit(address+"/cancel", form)
	if got := s.sub(sub.ID); got.CancelAt != sub.CurrentPeriodEnd {
		t.Errorf("cancelled, it ends at %d", got.CancelAt)
	}
	s.visit(address+"/resume", form)
	s.advance(28 * day)
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got, []int64{100, 796}) {
		t.Errorf("cancelling and coming back must not keep the introductory price: %v", got)
	}
	s.visit(s.portal(sub)+"/cancel", form)
	s.advance(28 * day)
	if got := s.sub(sub.ID); got.Status != stripe.SubscriptionStatusCanceled || len(s.invoices(sub.ID)) != 2 {
		t.Errorf("cancelled for good, it is %s", got.Status)
	}
}

func TestPortalConfiguration(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4))
	cfg := must[*stripe.BillingPortalConfiguration](
		t)(s.api.BillingPortalConfigurations.New(&stripe.BillingPortalConfigurationParams{
		BusinessProfile: &stripe.BillingPortalConfigurationBusinessProfileParams{Headline: str("Vitajte")},
		Features: &stripe.BillingPortalConfigurationFeaturesParams{
			InvoiceHistory: &stripe.BillingPortalConfigurationFeaturesInvoiceHistoryParams{Enabled: stripe.Bool(false)},
			SubscriptionCancel: &stripe.BillingPortalConfigurationFeaturesSubscriptionCancelParams{
				Enabled: yes,
				Mode:    str("immediately"),
			},
		},
	}))
	use := func(p *stripe.BillingPortalSessionParams) { p.Configuration = str(cfg.ID) }
	address := s.portal(sub, use)
	if got := s.visit(address, nil).words(); !strings.Contains(got, "Vitajte") ||
		strings.Contains(got, sub.LatestInvoice.Number) || strings.Contains(got, "Zmeniť kartu") {
		t.Errorf("the portal shows %s", got)
	}
	if got := s.visit(address+"/card", card(cardPays)); got.status != http.StatusNotFound {
		t.Errorf("a card where none may be changed: %d", got.status)
	}
	s.visit(address+"/cancel", url.Values{"subscription": {sub.ID}})
	if got := s.sub(sub.ID); got.Status != stripe.SubscriptionStatusCanceled {
		t.Errorf("cancelled at once, it is %s", got.Status)
	}
}

func TestPortalFlow(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4))
	address := s.portal(sub, func(p *stripe.BillingPortalSessionParams) {
		p.FlowData = &stripe.BillingPortalSessionFlowDataParams{
			Type: str("payment_method_update"),
			AfterCompletion: &stripe.BillingPortalSessionFlowDataAfterCompletionParams{
				Type: str("redirect"),
				Redirect: &stripe.BillingPortalSessionFlowDataAfterCompletionRedirectParams{ReturnURL: str(s.site.URL +
					"/thanks")},
			},
		}
	})
	if got := s.visit(address, nil).words(); strings.Contains(got, "Zrušiť predplatné") ||
		!strings.Contains(got, "Číslo karty") {
		t.Errorf("the flow shows %s", got)
	}
	if got := s.visit(address+"/card", card("5555 5555 5555 4444")); got.url.Path != "/thanks" ||
		s.sub(sub.ID).DefaultPaymentMethod.Card.Brand != "mastercard" {
		t.Errorf("the flow ends at %s", got.url)
	}
	s.advance(time.Minute)
	address = s.portal(sub, func(p *stripe.BillingPortalSessionParams) {
		p.FlowData = &stripe.BillingPortalSessionFlowDataParams{
			Type:               str("subscription_cancel"),
			SubscriptionCancel: &stripe.BillingPortalSessionFlowDataSubscriptionCancelParams{Subscription: str(sub.ID)},
		}
	})
	if got := s.visit(address, nil).words(); !strings.Contains(got, "Zrušiť predplatné?") {
		t.Errorf("the flow asks %s", got)
	}
}
