package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit/wait"
)

func (s *shop) faults(webhooks, api string) {
	s.t.Helper()
	if err := s.box.SetFaults(sandbox.Faults{Webhooks: webhooks, API: api}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) listed() []string {
	var ids []string
	for it := s.api.Events.List(&stripe.EventListParams{ListParams: stripe.ListParams{Limit: num(100)}}); it.Next(); {
		ids = append(ids, it.Event().ID)
	}
	slices.Reverse(ids)
	return ids
}

func (r *receiver) ids() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for _, ev := range r.events {
		ids = append(ids, ev.ID)
	}
	return ids
}

func TestWebhookFaults(t *testing.T) {
	t.Parallel()
	t.Run("drop", func(t *testing.T) {
		t.Parallel()
		s := open(t)
		s.faults("drop", "")
		s.customer()
		s.flush()
		s.faults("none", "")
		s.advance(4 * day)
		if got := s.hooks.types(); len(got) != 0 {
			t.Errorf("dropped webhooks came: %v", got)
		}
		it := s.api.Events.List(&stripe.EventListParams{DeliverySuccess: stripe.Bool(false)})
		if !it.Next() || it.Event().Type != "customer.created" || it.Next() {
			t.Error("a dropped event stays in the list of what was not delivered")
		}
	})
	t.Run("duplicate", func(t *testing.T) {
		t.Parallel()
		s := open(t)
		s.faults("duplicate", "")
		s.customer()
		s.flush()
		if got := s.hooks.ids(); len(got) != 2 || got[0] != got[1] {
			t.Errorf("webhooks were %v", got)
		}
	})
	t.Run("delay", func(t *testing.T) {
		t.Parallel()
		s := open(t, func(o *sandbox.Options) { o.WebhookDelay = time.Hour })
		s.faults("delay", "")
		s.customer()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := s.box.Flush(ctx); err == nil || len(s.hooks.types()) != 0 {
			t.Errorf("a delayed webhook came: %v", s.hooks.types())
		}
		s.faults("none", "")
		s.flush()
		if got := s.hooks.types(); len(got) != 1 {
			t.Errorf("without the fault it comes: %v", got)
		}
	})
	t.Run("delay ends", func(t *testing.T) {
		t.Parallel()
		s := open(t)
		s.faults("delay", "")
		s.customer()
		wait.Until(t, "the delayed webhook", func() bool { return len(s.hooks.types()) == 1 })
	})
	t.Run("shuffle", func(t *testing.T) {
		t.Parallel()
		s := open(t)
		s.faults("shuffle", "")
		s.subscribe(s.price(796, "week", 4))
		got, want := s.hooks.ids(), s.listed()
		if slices.Equal(got, want) {
			t.Error("shuffled webhooks came in order")
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%d webhooks of %d events", len(got), len(want))
		}
	})
}

func TestStorm(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.faults("storm", "")
	const sent = 60
	for range sent {
		s.customer()
	}
	s.flush()
	times, order := map[string]int{}, []string{}
	for _, id := range s.hooks.ids() {
		if times[id]++; times[id] == 1 {
			order = append(order, id)
		}
	}
	for id, n := range times {
		if n != 5 {
			t.Errorf("%s came %d times", id, n)
		}
	}
	if len(times) < sent/3 || len(times) >= sent { // 42 are to be expected
		t.Errorf("%d of %d came", len(times), sent)
	}
	inOrder := slices.DeleteFunc(s.listed(), func(id string) bool { return times[id] == 0 })
	if slices.Equal(order, inOrder) {
		t.Error("they came in order")
	}
}

func TestAPIFaults(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.faults("", "500")
	_, err := s.api.Customers.New(&stripe.CustomerParams{Email: str("a@example.org")})
	var e *stripe.Error
	if !errors.As(err, &e) || e.HTTPStatusCode != 500 || e.Type != stripe.ErrorTypeAPI {
		t.Errorf("500: %v", err)
	}
	s.faults("", "timeout")
	cfg := &stripe.BackendConfig{
		URL: stripe.String(s.box.BaseURL()), MaxNetworkRetries: num(0),
		HTTPClient: &http.Client{Timeout: 200 * time.Millisecond}, LeveledLogger: &stripe.LeveledLogger{},
	}
	hasty := stripe.GetBackendWithConfig(stripe.APIBackend, cfg)
	params := &stripe.CustomerParams{Email: str("b@example.org"), Params: stripe.Params{IdempotencyKey: str("t")}}
	if err := hasty.Call(http.MethodPost, "/v1/customers", shopKey, params, &stripe.Customer{}); err == nil {
		t.Error("timeout: there was an answer")
	}
	s.faults("", "none")
	it := s.api.Customers.List(nil)
	if !it.Next() || it.Customer().Email != "b@example.org" || it.Next() {
		t.Error("after a timeout the work is done, after a 500 it is not")
	}
	if again := must[*stripe.Customer](t)(s.api.Customers.New(params)); again.ID != s.first().ID {
		t.Error("repeated under its key, the request was carried out twice")
	}
}

func (s *shop) first() *stripe.Customer {
	it := s.api.Customers.List(nil)
	it.Next()
	return it.Customer()
}

func TestFaultsEndpoint(t *testing.T) {
	t.Parallel()
	s := open(t)
	address := s.site.URL + "/_dev/stripe/faults"
	post := func(body string) (int, string) {
		resp, err := http.Post(address, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		return resp.StatusCode, string(answer)
	}
	if status, body := post(`{"webhooks":"drop"}`); status != 200 ||
		!strings.Contains(body, `"webhooks":"drop","api":"none"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := post(`{"api":"500"}`); status != 200 || !strings.Contains(body, `"webhooks":"drop","api":"500"`) {
		t.Errorf("%d %s", status, body)
	}
	for _, bad := range []string{
		`{"webhooks":"lose"}`, `{"api":"404"}`, `{"hooks":"drop"}`, `{}`, ``, `drop`,
		`{"api":"none"} {}`,
	} {
		if status, body := post(bad); status != 400 || !strings.Contains(body, "drop|delay|duplicate|shuffle|storm") {
			t.Errorf("%s: %d %s", bad, status, body)
		}
	}
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var now sandbox.Faults
	if err := json.NewDecoder(resp.Body).Decode(&now); err != nil ||
		now != (sandbox.Faults{Webhooks: "drop", API: "500"}) {
		t.Errorf("the faults are %+v, %v", now, err)
	}
}

func TestWebhookRetries(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.hooks.answer(500)
	s.customer()
	attempts := func() int { return s.box.Deliveries()[0].Attempts }
	wait.Until(t, "the quick retry", func() bool { return attempts() == 2 })
	for i, after := range []time.Duration{time.Hour, 3 * time.Hour} {
		s.advance(after - time.Second)
		s.advance(time.Second)
		wait.Until(t, "a later retry", func() bool { return attempts() == 3+i })
	}
	if d := s.box.Deliveries()[0]; d.LastStatus != 500 || d.State != "pending" || d.Type != "customer.created" {
		t.Errorf("delivery is %+v", d)
	}
	s.hooks.answer(204)
	s.advance(6 * time.Hour)
	wait.Until(t, "the delivery", func() bool { return s.box.Deliveries()[0].State == "delivered" })
	if it := s.api.Events.List(&stripe.EventListParams{DeliverySuccess: yes}); !it.Next() ||
		it.Event().PendingWebhooks != 0 {
		t.Error("the event is not listed as delivered")
	}

	s.hooks.answer(500)
	s.customer()
	wait.Until(t, "the end of the retries", func() bool {
		s.advance(12 * time.Hour)
		return s.box.Deliveries()[1].State == "failed"
	})
}

func TestWebhookEndpoints(t *testing.T) {
	t.Parallel()
	s := open(t)
	we := must[*stripe.WebhookEndpoint](t)(s.api.WebhookEndpoints.New(&stripe.WebhookEndpointParams{
		URL: str(s.site.URL + "/other"), EnabledEvents: []*string{str("product.created")}, APIVersion: str(stripe.APIVersion),
	}))
	if !strings.HasPrefix(we.Secret, "whsec_") || we.Status != "enabled" {
		t.Errorf("endpoint is %+v", we)
	}
	if got := must[*stripe.WebhookEndpoint](t)(s.api.WebhookEndpoints.Get(we.ID, nil)); got.Secret != "" ||
		got.APIVersion != stripe.APIVersion {
		t.Errorf("endpoint is %+v", got)
	}
	s.price(100, "month", 1)
	s.flush()
	var sent []string
	for _, d := range s.box.Deliveries() {
		if d.URL == we.URL {
			sent = append(sent, d.Type+" "+d.State)
		}
	}
	if !slices.Equal(sent, []string{"product.created delivered"}) {
		t.Errorf("the endpoint got %v", sent)
	}
	must[*stripe.WebhookEndpoint](t)(s.api.WebhookEndpoints.Del(we.ID, nil))
	n := 0
	for it := s.api.WebhookEndpoints.List(nil); it.Next(); {
		n++
	}
	if n != 1 {
		t.Errorf("%d endpoints are left", n)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	s := open(t)
	cu := must[*stripe.Customer](
		t)(s.api.Customers.New(&stripe.CustomerParams{
		Email:  str("a@example.org"),
		Params: stripe.Params{IdempotencyKey: str("outbox-9")},
	}))
	s.advance(time.Hour)
	s.price(100, "month", 1)
	it := s.api.Events.List(&stripe.EventListParams{
		Types:      []*string{str("price.created"), str("customer.created")},
		ListParams: stripe.ListParams{Limit: num(1)},
	})
	var types []string
	for it.Next() {
		types = append(types, string(it.Event().Type))
	}
	if !slices.Equal(types, []string{"price.created", "customer.created"}) {
		t.Errorf("listed are %v", types)
	}
	ev := must[*stripe.Event](t)(s.api.Events.Get(it.Event().ID, nil))
	if ev.APIVersion != stripe.APIVersion || ev.GetObjectValue("id") != cu.ID || ev.Request.IdempotencyKey != "outbox-9" ||
		ev.Request.ID != cu.LastResponse.RequestID {
		t.Errorf("event is %+v", ev)
	}
	since := s.api.Events.List(
		&stripe.EventListParams{CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: begin.Add(time.Hour).Unix()}})
	n := 0
	for since.Next() {
		n++
	}
	if n != 2 {
		t.Errorf("%d events since an hour", n)
	}
}
