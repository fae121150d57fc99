package sandbox_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/client"
	"github.com/stripe/stripe-go/v76/webhook"

	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

var begin = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

type manualClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *manualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// shop is a merchant's site with the sandbox mounted, as an edition is in development.
type shop struct {
	t      *testing.T
	box    *sandbox.Sandbox
	api    *client.API
	clock  *manualClock
	site   *httptest.Server
	hooks  *receiver
	opts   sandbox.Options
	hosted http.Handler
}

// receiver is the webhook of the shop.
type receiver struct {
	mu     sync.Mutex
	events []stripe.Event
	wrong  []error
	status int
}

const (
	shopKey    = "sk_test_shop0000000000000001"
	hookSecret = "whsec_shop"
)

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err == nil {
		var ev stripe.Event
		ev, err = webhook.ConstructEvent(body, req.Header.Get("Stripe-Signature"), hookSecret)
		r.mu.Lock()
		r.events = append(r.events, ev)
		r.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.wrong = append(r.wrong, err)
	}
	w.WriteHeader(r.status)
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *receiver) types() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var types []string
	for _, ev := range r.events {
		types = append(types, string(ev.Type))
	}
	return types
}

func (r *receiver) count(kind string) int {
	n := 0
	for _, t := range r.types() {
		if t == kind {
			n++
		}
	}
	return n
}

func open(t *testing.T, change ...func(*sandbox.Options)) *shop {
	t.Helper()
	s := &shop{t: t, clock: &manualClock{now: begin}, hooks: &receiver{status: http.StatusOK}}
	mux := http.NewServeMux()
	mux.HandleFunc("/_dev/stripe/", func(w http.ResponseWriter, r *http.Request) { s.hosted.ServeHTTP(w, r) })
	mux.Handle("/hook", s.hooks)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "shop:"+r.URL.RequestURI())
	})
	s.site = httptest.NewServer(mux)
	t.Cleanup(s.site.Close)
	s.opts = sandbox.Options{
		Dir: t.TempDir(), Clock: s.clock, Retries: []time.Duration{20 * time.Millisecond},
		WebhookDelay: 400 * time.Millisecond,
		Accounts: []sandbox.Account{{
			SecretKey: shopKey, Name: "Denník Skúška",
			WebhookURL: strings.Replace(s.site.URL, "127.0.0.1", "shop.localhost", 1) + "/hook", WebhookSecret: hookSecret,
		}},
	}
	for _, fn := range change {
		fn(&s.opts)
	}
	s.start()
	t.Cleanup(func() {
		if err := s.box.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *shop) start() {
	s.t.Helper()
	box, err := sandbox.New(s.opts)
	if err != nil {
		s.t.Fatal(err)
	}
	s.box, s.hosted, s.api = box, box.Handler(), connect(box, shopKey)
}

// connect is a real stripe-go client.
func connect(box *sandbox.Sandbox, key string) *client.API {
	cfg := &stripe.BackendConfig{
		URL: stripe.String(box.BaseURL()), MaxNetworkRetries: stripe.Int64(0),
		HTTPClient:    &http.Client{Timeout: 10 * time.Second},
		LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	b := stripe.GetBackendWithConfig(stripe.APIBackend, cfg)
	return client.New(key, &stripe.Backends{API: b, Uploads: b, Connect: b})
}

// advance moves the clock and waits for the webhooks.
func (s *shop) advance(by time.Duration) {
	s.t.Helper()
	s.clock.mu.Lock()
	s.clock.now = s.clock.now.Add(by)
	now := s.clock.now
	s.clock.mu.Unlock()
	if err := s.box.Advance(now); err != nil {
		s.t.Fatal(err)
	}
	s.flush()
}

func (s *shop) flush() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	if err := s.box.Flush(ctx); err != nil {
		s.t.Fatal(err)
	}
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// code is the code of a Stripe error, "" for another one or none.
func code(err error) string {
	var e *stripe.Error
	if errors.As(err, &e) {
		return string(e.Code)
	}
	return ""
}

var str, num, yes = stripe.String, stripe.Int64, stripe.Bool(true)

// price makes a product with a price every four weeks, or another rhythm.
func (s *shop) price(amount int64, interval string, count int64) *stripe.Price {
	s.t.Helper()
	return must[*stripe.Price](s.t)(s.api.Prices.New(&stripe.PriceParams{
		Currency: str("eur"), UnitAmount: num(amount), ProductData: &stripe.PriceProductDataParams{Name: str("Digital")},
		Recurring: &stripe.PriceRecurringParams{Interval: str(interval), IntervalCount: num(count)},
	}))
}

func (s *shop) customer() *stripe.Customer {
	s.t.Helper()
	return must[*stripe.Customer](
		s.t)(s.api.Customers.New(&stripe.CustomerParams{Email: str("jana@example.org"), Name: str("Jana Malá")}))
}

// session opens a checkout for a subscription.
func (s *shop) session(p *stripe.Price, change ...func(*stripe.CheckoutSessionParams)) *stripe.CheckoutSession {
	s.t.Helper()
	params := &stripe.CheckoutSessionParams{
		Mode: str("subscription"), Locale: str("sk"), ClientReferenceID: str("reader-7"),
		SuccessURL: str(s.site.URL + "/ok?session={CHECKOUT_SESSION_ID}"), CancelURL: str(s.site.URL + "/account"),
		LineItems:        []*stripe.CheckoutSessionLineItemParams{{Price: str(p.ID), Quantity: num(1)}},
		SubscriptionData: &stripe.CheckoutSessionSubscriptionDataParams{Metadata: map[string]string{"reader": "7"}},
	}
	for _, fn := range change {
		fn(params)
	}
	return must[*stripe.CheckoutSession](s.t)(s.api.CheckoutSessions.New(params))
}

func (s *shop) refresh(cs *stripe.CheckoutSession) *stripe.CheckoutSession {
	s.t.Helper()
	return must[*stripe.CheckoutSession](
		s.t)(s.api.CheckoutSessions.Get(cs.ID,
		&stripe.CheckoutSessionParams{Expand: []*string{
			str("line_items"), str("subscription.latest_invoice"),
			str("payment_intent"),
		}}))
}

// page is one answer of a hosted page after all redirects.
type page struct {
	status int
	url    *url.URL
	body   string
}

func (s *shop) browser() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar, Timeout: 10 * time.Second}
}

func (s *shop) visit(address string, form url.Values) page {
	s.t.Helper()
	var resp *http.Response
	var err error
	if form == nil {
		resp, err = s.browser().Get(address)
	} else {
		resp, err = s.browser().PostForm(address, form)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return page{status: resp.StatusCode, url: resp.Request.URL, body: string(body)}
}

func card(number string) url.Values {
	return url.Values{
		"email": {"jana@example.org"}, "number": {number}, "expiry": {"12 / 34"}, "cvc": {"123"},
		"action": {"pay"},
	}
}

const (
	cardPays     = "4242 4242 4242 4242"
	cardDeclines = "4000 0000 0000 0002"
	cardAsks     = "4000 0025 0000 3155"
)

// subscribe goes through checkout with the card that pays.
func (s *shop) subscribe(p *stripe.Price, change ...func(*stripe.CheckoutSessionParams)) *stripe.Subscription {
	s.t.Helper()
	cs := s.session(p, change...)
	if got := s.visit(cs.URL, card(cardPays)); got.url.Path != "/ok" || got.url.Query().Get("session") != cs.ID {
		s.t.Fatalf("checkout led to %s (%d): %s", got.url, got.status, got.body)
	}
	sub := s.refresh(cs).Subscription
	s.flush()
	return s.sub(sub.ID)
}

func (s *shop) sub(id string) *stripe.Subscription {
	s.t.Helper()
	return must[*stripe.Subscription](
		s.t)(s.api.Subscriptions.Get(id,
		&stripe.SubscriptionParams{Expand: []*string{
			str("latest_invoice.payment_intent"), str("schedule"), str("customer"),
			str("default_payment_method"),
		}}))
}

// invoices are those of a subscription, oldest first.
func (s *shop) invoices(sub string) []*stripe.Invoice {
	s.t.Helper()
	var list []*stripe.Invoice
	it := s.api.Invoices.List(&stripe.InvoiceListParams{
		Subscription: str(sub),
		ListParams:   stripe.ListParams{Limit: num(5)},
	})
	for it.Next() {
		list = append(list, it.Invoice())
	}
	if it.Err() != nil {
		s.t.Fatal(it.Err())
	}
	slices.Reverse(list)
	return list
}

func amounts(list []*stripe.Invoice) []int64 {
	var out []int64
	for _, inv := range list {
		out = append(out, inv.AmountPaid)
	}
	return out
}

var between = regexp.MustCompile(`\s+`)

// words is a page as a person reads it.
func (p page) words() string {
	plain := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(p.body, " ")
	return between.ReplaceAllString(strings.ReplaceAll(plain, "\u00a0", " "), " ")
}
