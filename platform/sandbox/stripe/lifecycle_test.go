package sandbox_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

func TestCancelAndResume(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.price(796, "week", 4)
	sub := s.subscribe(p)
	got := must[*stripe.Subscription](
		t)(s.api.Subscriptions.Update(sub.ID,
		&stripe.SubscriptionParams{
			CancelAtPeriodEnd:   yes,
			CancellationDetails: &stripe.SubscriptionCancellationDetailsParams{Feedback: str("too_expensive")},
		}))
	if !got.CancelAtPeriodEnd || got.CanceledAt != begin.Unix() || got.Status != stripe.SubscriptionStatusActive ||
		got.CancellationDetails.Reason != "cancellation_requested" {
		t.Errorf("cancelled, the subscription is %+v", got)
	}
	got = must[*stripe.Subscription](
		t)(s.api.Subscriptions.Update(sub.ID, &stripe.SubscriptionParams{CancelAtPeriodEnd: stripe.Bool(false)}))
	if got.CancelAtPeriodEnd || got.CancelAt != 0 || got.CanceledAt != 0 {
		t.Errorf("resumed, the subscription is %+v", got)
	}
	s.advance(28 * day)
	must[*stripe.Subscription](t)(s.api.Subscriptions.Update(sub.ID, &stripe.SubscriptionParams{CancelAtPeriodEnd: yes}))
	s.advance(28*day - time.Second)
	if got := s.sub(sub.ID); got.Status != stripe.SubscriptionStatusActive {
		t.Errorf("a second too early the subscription is %s", got.Status)
	}
	s.advance(time.Second)
	if got := s.sub(sub.ID); got.Status != stripe.SubscriptionStatusCanceled || len(s.invoices(sub.ID)) != 2 ||
		s.hooks.count("customer.subscription.deleted") != 1 {
		t.Errorf("after its end the subscription is %+v", got)
	}
	if up, err := s.api.Invoices.Upcoming(&stripe.InvoiceUpcomingParams{Subscription: str(sub.ID)}); code(
		err) != "invoice_upcoming_none" {
		t.Errorf("upcoming of an ended subscription: %+v, %v", up, err)
	}

	now := s.subscribe(p)
	got = must[*stripe.Subscription](
		t)(s.api.Subscriptions.Cancel(now.ID, &stripe.SubscriptionCancelParams{Prorate: yes, InvoiceNow: yes}))
	if got.Status != stripe.SubscriptionStatusCanceled || got.EndedAt == 0 {
		t.Errorf("cancelled at once, the subscription is %+v", got)
	}
	if cu := must[*stripe.Customer](t)(s.api.Customers.Get(now.Customer.ID, nil)); cu.Balance != -796 {
		t.Errorf("the unused period gives a credit of %d", cu.Balance)
	}
	if _, err := s.api.Subscriptions.Cancel(now.ID, nil); code(err) != "resource_missing" {
		t.Errorf("cancelled twice: %v", err)
	}
	if _, err := s.api.Subscriptions.Update(now.ID,
		&stripe.SubscriptionParams{CancelAtPeriodEnd: stripe.Bool(false)}); err == nil {
		t.Error("an ended subscription was changed")
	}
}

// swapCard makes another card the one of the subscription.
func (s *shop) swapCard(sub *stripe.Subscription, token string) {
	s.t.Helper()
	m := must[*stripe.PaymentMethod](
		s.t)(s.api.PaymentMethods.Attach(token, &stripe.PaymentMethodAttachParams{Customer: str(sub.Customer.ID)}))
	must[*stripe.Subscription](
		s.t)(s.api.Subscriptions.Update(sub.ID, &stripe.SubscriptionParams{DefaultPaymentMethod: str(m.ID)}))
}

func TestRetriesUntilUnpaid(t *testing.T) {
	t.Parallel()
	for after, want := range map[string]stripe.SubscriptionStatus{"unpaid": "unpaid", "canceled": "canceled"} {
		t.Run(after, func(t *testing.T) {
			t.Parallel()
			s := open(t, func(o *sandbox.Options) { o.AfterRetries = after })
			sub := s.subscribe(s.price(796, "week", 4))
			s.swapCard(sub, "pm_card_chargeCustomerFail")
			s.advance(28 * day)
			for i, days := range []int{0, 3, 2} {
				s.advance(time.Duration(days) * day)
				got := s.sub(sub.ID)
				next := begin.Add(time.Duration(28+[]int{3, 5, 7}[i]) * day).Unix()
				if inv := got.LatestInvoice; got.Status != stripe.SubscriptionStatusPastDue || inv.AttemptCount != int64(i+1) ||
					inv.NextPaymentAttempt != next || inv.Status != stripe.InvoiceStatusOpen {
					t.Errorf("after try %d it is %s, tries %d, next %d, want %d", i+1, got.Status, inv.AttemptCount,
						inv.NextPaymentAttempt, next)
				}
			}
			s.advance(2 * day)
			got := s.sub(sub.ID)
			if got.Status != want || got.LatestInvoice.NextPaymentAttempt != 0 || s.hooks.count("invoice.payment_failed") != 4 {
				t.Errorf("after the last try it is %s with %d failures", got.Status, s.hooks.count("invoice.payment_failed"))
			}
			if want == "canceled" {
				if got.CancellationDetails.Reason != "payment_failed" {
					t.Errorf("reason is %s", got.CancellationDetails.Reason)
				}
				return
			}
			m := must[*stripe.PaymentMethod](
				t)(s.api.PaymentMethods.Attach("pm_card_visa", &stripe.PaymentMethodAttachParams{Customer: str(sub.Customer.ID)}))
			paid := must[*stripe.Invoice](
				t)(s.api.Invoices.Pay(got.LatestInvoice.ID, &stripe.InvoicePayParams{PaymentMethod: str(m.ID)}))
			if !paid.Paid || s.sub(sub.ID).Status != stripe.SubscriptionStatusActive {
				t.Errorf("paid by hand it is %s", s.sub(sub.ID).Status)
			}
			if _, err := s.api.Invoices.Pay(paid.ID, nil); code(err) != "invoice_already_paid" {
				t.Errorf("paid twice: %v", err)
			}
		})
	}
}

func TestRetrySucceeds(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4))
	s.swapCard(sub, "pm_card_chargeCustomerFail")
	s.advance(29 * day)
	s.swapCard(sub, "pm_card_visa")
	s.advance(2 * day)
	got := s.sub(sub.ID)
	if got.Status != stripe.SubscriptionStatusActive || !got.LatestInvoice.Paid ||
		got.CurrentPeriodEnd != begin.Add(56*day).Unix() || got.Customer.Delinquent {
		t.Errorf("after the retry it is %+v", got)
	}
}

func TestRenewalAsksForConfirmation(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4))
	s.swapCard(sub, "pm_card_authenticationRequired")
	s.advance(28 * day)
	got := s.sub(sub.ID)
	pi := got.LatestInvoice.PaymentIntent
	if got.Status != stripe.SubscriptionStatusPastDue || pi.Status != stripe.PaymentIntentStatusRequiresAction ||
		s.hooks.count("invoice.payment_action_required") != 1 {
		t.Fatalf("it is %s, its payment %s", got.Status, pi.Status)
	}
	if !strings.HasPrefix(got.LatestInvoice.HostedInvoiceURL, s.site.URL+"/_dev/stripe/invoice/") {
		t.Fatalf("the invoice is at %s", got.LatestInvoice.HostedInvoiceURL)
	}
	shown := s.visit(got.LatestInvoice.HostedInvoiceURL, nil)
	if !strings.Contains(shown.body, pi.NextAction.RedirectToURL.URL[len(s.site.URL):]) ||
		!strings.Contains(shown.words(), "Vaša banka chce") {
		t.Errorf("the invoice's page says %s", shown.words())
	}
	if portal := s.visit(s.portal(sub), nil); !strings.Contains(portal.words(), "platba mešká") ||
		strings.Contains(portal.words(), "zaplatené do") || !strings.Contains(portal.body, shown.url.Path) {
		t.Errorf("the portal says %s", portal.words())
	}
	back := s.visit(pi.NextAction.RedirectToURL.URL, url.Values{"outcome": {"fail"}})
	if !strings.HasPrefix(back.url.Path, "/_dev/stripe/invoice/") ||
		s.sub(sub.ID).LatestInvoice.PaymentIntent.Status != stripe.PaymentIntentStatusRequiresPaymentMethod {
		t.Errorf("refused, the page is %s", back.url)
	}
	bank := s.visit(back.url.String(), card("4000 0027 6000 3184"))
	if !strings.Contains(bank.url.Path, "/challenge/") {
		t.Fatalf("with a card that asks the page is %s", bank.url)
	}
	done := s.visit(bank.url.String(), url.Values{"outcome": {"complete"}})
	if got = s.sub(sub.ID); got.Status != stripe.SubscriptionStatusActive || !got.LatestInvoice.Paid ||
		!strings.Contains(done.words(), "Faktúra je zaplatená") {
		t.Errorf("confirmed, it is %s: %s", got.Status, done.words())
	}
	if wrong := s.visit(got.LatestInvoice.HostedInvoiceURL+"x", nil); wrong.status != 404 {
		t.Errorf("an invoice opened with a wrong secret: %d", wrong.status)
	}
}

func TestIncompleteSubscription(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, cu := s.price(796, "week", 4), s.customer()
	create := func(behavior string) (*stripe.Subscription, error) {
		return s.api.Subscriptions.New(&stripe.SubscriptionParams{
			Customer: str(cu.ID), PaymentBehavior: str(behavior), Items: []*stripe.SubscriptionItemsParams{{Price: str(p.ID)}},
			Expand: []*string{str("latest_invoice.payment_intent")},
		})
	}
	sub := must[*stripe.Subscription](t)(create("default_incomplete"))
	if sub.Status != stripe.SubscriptionStatusIncomplete ||
		sub.LatestInvoice.PaymentIntent.Status != stripe.PaymentIntentStatusRequiresPaymentMethod {
		t.Errorf("it is %s", sub.Status)
	}
	if _, err := create("error_if_incomplete"); err == nil || len(s.invoices("")) > 1 {
		t.Errorf("error_if_incomplete: %v", err)
	}
	must[*stripe.PaymentIntent](
		t)(s.api.PaymentIntents.Confirm(sub.LatestInvoice.PaymentIntent.ID,
		&stripe.PaymentIntentConfirmParams{PaymentMethod: str("pm_card_visa")}))
	if got := s.sub(sub.ID); got.Status != stripe.SubscriptionStatusActive {
		t.Errorf("confirmed, it is %s", got.Status)
	}

	late := must[*stripe.Subscription](t)(create("default_incomplete"))
	_, err := s.api.PaymentIntents.Confirm(late.LatestInvoice.PaymentIntent.ID,
		&stripe.PaymentIntentConfirmParams{PaymentMethod: str("pm_card_chargeDeclined")})
	if code(err) != "card_declined" || s.sub(late.ID).LatestInvoice.PaymentIntent.LastPaymentError == nil {
		t.Errorf("declined: %v", err)
	}
	s.advance(23 * time.Hour)
	if got := s.sub(late.ID); got.Status != stripe.SubscriptionStatusIncompleteExpired ||
		got.LatestInvoice.Status != stripe.InvoiceStatusVoid {
		t.Errorf("after 23 hours it is %s, its invoice %s", got.Status, got.LatestInvoice.Status)
	}
}

func TestPlanChange(t *testing.T) {
	t.Parallel()
	s := open(t)
	four, dear, year := s.price(796, "week", 4), s.price(1592, "week", 4), s.price(8900, "year", 1)
	sub := s.subscribe(four)
	item := sub.Items.Data[0].ID
	s.advance(14 * day)
	items := func(p *stripe.Price) []*stripe.SubscriptionItemsParams {
		return []*stripe.SubscriptionItemsParams{{ID: str(item), Price: str(p.ID)}}
	}
	show := must[*stripe.Invoice](
		t)(s.api.Invoices.Upcoming(&stripe.InvoiceUpcomingParams{Subscription: str(sub.ID), SubscriptionItems: items(year)}))
	if show.AmountDue != 8900-398 || len(show.Lines.Data) != 2 {
		t.Errorf("the preview of a change to a year costs %d", show.AmountDue)
	}
	if got := s.sub(sub.ID); got.Items.Data[0].Price.ID != four.ID || len(s.invoices(sub.ID)) != 1 {
		t.Error("a preview has changed the subscription")
	}
	must[*stripe.Subscription](t)(s.api.Subscriptions.Update(sub.ID, &stripe.SubscriptionParams{Items: items(dear)}))
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got, []int64{796}) {
		t.Errorf("prorations wait for the next invoice, charged was %v", got)
	}
	s.advance(14 * day)
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got, []int64{796, 1592 + 796 - 398}) {
		t.Errorf("with the prorations it costs %v", got)
	}
	changed := must[*stripe.Subscription](
		t)(s.api.Subscriptions.Update(sub.ID, &stripe.SubscriptionParams{Items: items(year)}))
	end := begin.Add(28*day).AddDate(1, 0, 0).Unix()
	if changed.CurrentPeriodEnd != end || changed.Items.Data[0].ID != item {
		t.Errorf("the year ends %s", time.Unix(changed.CurrentPeriodEnd, 0).UTC())
	}
	if got := amounts(s.invoices(sub.ID)); !slices.Equal(got[2:], []int64{8900 - 1592}) {
		t.Errorf("the change costs %v", got)
	}
	down := must[*stripe.Subscription](
		t)(s.api.Subscriptions.Update(sub.ID, &stripe.SubscriptionParams{Items: items(four)}))
	cu := must[*stripe.Customer](t)(s.api.Customers.Get(sub.Customer.ID, nil))
	if cu.Balance != 796-8900+1592-1592 || down.Status != stripe.SubscriptionStatusActive {
		t.Errorf("the way back leaves a credit of %d", cu.Balance)
	}
}

func TestMonthsEndOnTheirLastDay(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.advance(29 * day) // the 31st of March
	sub := s.subscribe(s.price(500, "month", 1))
	var ends []string
	for range 3 {
		end := time.Unix(s.sub(sub.ID).CurrentPeriodEnd, 0).UTC()
		ends = append(ends, end.Format("01-02"))
		s.advance(end.Sub(s.clock.Now()))
	}
	if want := []string{"04-30", "05-31", "06-30"}; !slices.Equal(ends, want) {
		t.Errorf("periods end on %v, want %v", ends, want)
	}
}

func TestDraftHourAndPause(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *sandbox.Options) { o.DraftFor = time.Hour })
	sub := s.subscribe(s.price(796, "week", 4))
	s.advance(28 * day)
	if got := s.sub(sub.ID); got.LatestInvoice.Status != stripe.InvoiceStatusDraft ||
		got.Status != stripe.SubscriptionStatusActive {
		t.Errorf("at the renewal its invoice is %s", got.LatestInvoice.Status)
	}
	s.advance(time.Hour)
	if got := s.sub(sub.ID); got.LatestInvoice.Status != stripe.InvoiceStatusPaid {
		t.Errorf("an hour later its invoice is %s", got.LatestInvoice.Status)
	}
	must[*stripe.Subscription](
		t)(s.api.Subscriptions.Update(sub.ID,
		&stripe.SubscriptionParams{PauseCollection: &stripe.SubscriptionPauseCollectionParams{Behavior: str("void")}}))
	s.advance(28 * day)
	if got := s.sub(sub.ID); got.LatestInvoice.Status != stripe.InvoiceStatusVoid ||
		got.Status != stripe.SubscriptionStatusActive {
		t.Errorf("paused, its invoice is %s", got.LatestInvoice.Status)
	}
}
