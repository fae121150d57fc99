package sandbox_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

func TestWrongKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, err := connect(s.box, "sk_test_somebodyelse").Customers.New(&stripe.CustomerParams{Email: str("a@example.org")})
	var e *stripe.Error
	if !errors.As(err, &e) || e.HTTPStatusCode != http.StatusUnauthorized || e.Type != stripe.ErrorTypeInvalidRequest ||
		strings.Contains(e.Msg, "somebody") {
		t.Errorf("a wrong key: %v", err)
	}
	resp, err := http.Get(s.box.BaseURL() + "/v1/customers")
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("no key: %v, %v", resp, err)
	}
	_ = resp.Body.Close()
}

func TestAccountsAreApart(t *testing.T) {
	t.Parallel()
	s := open(t)
	mine := s.customer()
	if err := s.box.AddAccount(sandbox.Account{SecretKey: "sk_test_fourth", Name: "Štvrté"}); err != nil {
		t.Fatal(err)
	}
	other := connect(s.box, "sk_test_fourth")
	if _, err := other.Customers.Get(mine.ID, nil); code(err) != "resource_missing" {
		t.Errorf("another account's customer: %v", err)
	}
	made := must[*stripe.Customer](t)(other.Customers.New(&stripe.CustomerParams{Email: str("b@example.org")}))
	s.flush()
	if n := s.hooks.count("customer.created"); n != 1 {
		t.Errorf("%d webhooks, the other account has no endpoint here", n)
	}
	if err := s.box.AddAccount(sandbox.Account{SecretKey: "sk_test_fourth", Name: "Renamed"}); err != nil {
		t.Fatal(err)
	}
	if got := must[*stripe.Customer](t)(other.Customers.Get(made.ID, nil)); got.Email != "b@example.org" {
		t.Error("an account that is added again lost its objects")
	}
	if err := s.box.AddAccount(sandbox.Account{SecretKey: "sk_test_5", WebhookURL: "hook"}); err == nil {
		t.Error("a webhook address without a host was taken")
	}
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := open(t)
	create := func(email, key string) (*stripe.Customer, error) {
		return s.api.Customers.New(&stripe.CustomerParams{Email: str(email), Params: stripe.Params{IdempotencyKey: str(key)}})
	}
	first := must[*stripe.Customer](t)(create("a@example.org", "k1"))
	again := must[*stripe.Customer](t)(create("a@example.org", "k1"))
	if again.ID != first.ID || again.LastResponse.Header.Get("Idempotent-Replayed") != "true" ||
		again.LastResponse.Header.Get("Original-Request") != first.LastResponse.RequestID {
		t.Errorf("the same key made %s and %s", first.ID, again.ID)
	}
	var e *stripe.Error
	if _, err := create("b@example.org", "k1"); !errors.As(err, &e) || e.Type != stripe.ErrorTypeIdempotency {
		t.Errorf("the key with other parameters: %v", err)
	}
	if _, err := create("nobody", "k2"); err == nil {
		t.Error("a wrong address was taken")
	}
	if _, err := create("c@example.org", "k2"); err != nil {
		t.Errorf("a request that was refused can be corrected under its key: %v", err)
	}
	pay := func() error {
		_, err := s.api.PaymentIntents.New(&stripe.PaymentIntentParams{
			Amount: num(500), Currency: str("eur"),
			PaymentMethod: str("pm_card_chargeDeclined"), Confirm: yes, Params: stripe.Params{IdempotencyKey: str("k3")},
		})
		return err
	}
	for range 2 {
		if err := pay(); code(err) != "card_declined" {
			t.Errorf("declined: %v", err)
		}
	}
	intents := 0
	for it := s.api.PaymentIntents.List(nil); it.Next(); {
		intents++
	}
	if intents != 1 {
		t.Errorf("a declined payment was tried %d times under one key", intents)
	}
	s.advance(25 * time.Hour)
	if late := must[*stripe.Customer](t)(create("a@example.org", "k1")); late.ID == first.ID {
		t.Error("a key is remembered for a day, not longer")
	}
}

// Customers are found by any address, also one that JSON writes in another way.
func TestCustomersByEmail(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, email := range []string{
		"eva@example.org", "a&b@example.org", "ľuba@example.org", `"a b"@example.org`, `c\d@example.org`,
	} {
		made := must[*stripe.Customer](t)(s.api.Customers.New(&stripe.CustomerParams{Email: &email}))
		it := s.api.Customers.List(&stripe.CustomerListParams{Email: &email})
		if !it.Next() || it.Customer().ID != made.ID || it.Next() || it.Err() != nil {
			t.Errorf("%s is not found alone, %v", email, it.Err())
		}
	}
}

func TestListsAndFilters(t *testing.T) {
	t.Parallel()
	s := open(t)
	var ids []string
	for i := range 7 {
		cu := must[*stripe.Customer](t)(s.api.Customers.New(&stripe.CustomerParams{
			Email:    str(fmt.Sprintf("r%d@example.org", i%2)),
			Metadata: map[string]string{"reader": fmt.Sprint(i), "edition": "sk"},
		}))
		ids = append([]string{cu.ID}, ids...)
		s.advance(time.Hour)
	}
	collect := func(p *stripe.CustomerListParams) []string {
		var got []string
		it := s.api.Customers.List(p)
		for it.Next() {
			got = append(got, it.Customer().ID)
		}
		if it.Err() != nil {
			t.Fatal(it.Err())
		}
		return got
	}
	limit := stripe.ListParams{Limit: num(2)}
	if got := collect(&stripe.CustomerListParams{ListParams: limit}); !slices.Equal(got, ids) {
		t.Errorf("page by page the list is %v, want %v", got, ids)
	}
	if got := collect(
		&stripe.CustomerListParams{ListParams: stripe.ListParams{
			Limit:        num(2),
			EndingBefore: str(ids[5]),
		}}); !slices.Equal(slices.Sorted(slices.Values(got)),
		slices.Sorted(slices.Values(ids[:5]))) {
		t.Errorf("backwards the list is %v", got)
	}
	if got := collect(&stripe.CustomerListParams{Email: str("r0@example.org")}); len(got) != 4 {
		t.Errorf("by address: %v", got)
	}
	since := begin.Add(4 * time.Hour).Unix()
	if got := collect(
		&stripe.CustomerListParams{CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since}}); !slices.Equal(got,
		ids[:3]) {
		t.Errorf("since the fourth hour: %v", got)
	}
	if got := collect(
		&stripe.CustomerListParams{CreatedRange: &stripe.RangeQueryParams{
			GreaterThan: since,
			LesserThan:  begin.Add(6 * time.Hour).Unix(),
		}}); !slices.Equal(got, ids[1:2]) {
		t.Errorf("between: %v", got)
	}
	for query, want := range map[string]int{
		`metadata["reader"]:"3"`: 1, `metadata['edition']:'sk' AND email:"r1@example.org"`: 3,
		`metadata["reader"]:"3" OR metadata["reader"]:"4"`: 2,
		`-metadata["reader"]:"3"`:                          6, `email~"EXAMPLE"`: 7, `metadata["none"]:null`: 7,
		fmt.Sprintf(`created>=%d`, since): 3, `email:"o\"brien"`: 0,
	} {
		it := s.api.Customers.Search(
			&stripe.CustomerSearchParams{SearchParams: stripe.SearchParams{Query: query, Limit: num(2)}})
		n := 0
		for it.Next() {
			n++
		}
		if n != want || it.Err() != nil {
			t.Errorf("%s finds %d, want %d (%v)", query, n, want, it.Err())
		}
	}
	for _, query := range []string{`email`, `email:"a`, `email:"a" AND email:"b" OR email:"c"`, ``} {
		if it := s.api.Customers.Search(
			&stripe.CustomerSearchParams{SearchParams: stripe.SearchParams{Query: query}}); it.Next() || it.Err() == nil {
			t.Errorf("the query %q was taken", query)
		}
	}
	if it := s.api.Customers.List(
		&stripe.CustomerListParams{ListParams: stripe.ListParams{StartingAfter: str("cus_none")}}); it.Next() ||
		it.Err() == nil {
		t.Error("a cursor that is not there was taken")
	}
}

func TestPricesByLookupKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	pr := must[*stripe.Product](t)(s.api.Products.New(&stripe.ProductParams{Name: str("Digital"), ID: str("digital")}))
	create := func(amount int64, transfer bool) (*stripe.Price, error) {
		return s.api.Prices.New(&stripe.PriceParams{
			Product: str(pr.ID), Currency: str("eur"), UnitAmount: num(amount), LookupKey: str("product_monthly"),
			TransferLookupKey: stripe.Bool(transfer), TaxBehavior: str("inclusive"),
			Recurring: &stripe.PriceRecurringParams{Interval: str("week"), IntervalCount: num(4)},
		})
	}
	must[*stripe.Price](t)(create(796, false))
	if _, err := create(896, false); err == nil {
		t.Error("a lookup key was given twice")
	}
	next := must[*stripe.Price](t)(create(896, true))
	it := s.api.Prices.List(&stripe.PriceListParams{
		LookupKeys: []*string{str("product_monthly"), str("product_yearly")},
		Active:     yes, Expand: []*string{str("data.product")},
	})
	if !it.Next() || it.Price().ID != next.ID || it.Price().Product.Name != "Digital" || it.Next() {
		t.Errorf("the key leads to %+v", it.Price())
	}
	if _, err := s.api.Products.New(&stripe.ProductParams{Name: str("Digital"), ID: str("digital")}); code(
		err) != "resource_already_exists" {
		t.Errorf("a product made twice: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, c := range map[string]struct{ method, path, body, says, code string }{
		"unknown path":   {"GET", "/v1/nothing", "", "Unrecognized request URL", ""},
		"unknown object": {"GET", "/v1/customers/cus_1", "", "No such customer: 'cus_1'", "resource_missing"},
		"unknown parameter": {
			"POST", "/v1/customers", "emial=a@b.sk", "Received unknown parameter: emial",
			"parameter_unknown",
		},
		"unknown nested": {"POST", "/v1/customers", "address[stret]=x&email=a@b.sk", "address[stret]", "parameter_unknown"},
		"missing":        {"POST", "/v1/prices", "currency=eur", "Missing required param: unit_amount", "parameter_missing"},
		"not a number": {
			"POST", "/v1/prices", "currency=eur&unit_amount=1.5", "Invalid integer: 1.5",
			"parameter_invalid_integer",
		},
		"not a choice":   {"POST", "/v1/checkout/sessions", "mode=gift&success_url=http://a.b/", "mode: must be one of", ""},
		"not an address": {"POST", "/v1/checkout/sessions", "mode=setup&success_url=/ok", "Not a valid URL", "url_invalid"},
		"too little":     {"POST", "/v1/payment_intents", "amount=49&currency=eur", "below the minimum", "amount_too_small"},
		"bad expansion":  {"GET", "/v1/customers?expand[]=data.nothing", "", "", ""},
		"bad limit":      {"GET", "/v1/customers?limit=0", "", "between 1 and 100", ""},
		"other currency": {"POST", "/v1/coupons", "amount_off=5", "currency", ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, s.box.BaseURL()+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(shopKey, "")
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if name == "bad expansion" { // nothing is listed, so nothing was to be expanded
			if resp.StatusCode != http.StatusOK {
				t.Errorf("%s: %d %s", name, resp.StatusCode, body)
			}
			continue
		}
		if resp.StatusCode < 400 || resp.StatusCode > 404 || !strings.Contains(string(body), c.says) ||
			!strings.Contains(string(body), c.code) || resp.Header.Get("Request-Id") == "" {
			t.Errorf("%s: %d %s", name, resp.StatusCode, body)
		}
	}
	cu := s.customer()
	if _, err := s.api.Customers.Get(cu.ID, &stripe.CustomerParams{Expand: []*string{str("email")}}); err == nil {
		t.Error("an address was expanded")
	}
	s.flush()
	if n := s.hooks.count("customer.created"); n != 1 {
		t.Errorf("%d customers were made; a refused request makes none", n)
	}
	old := &http.Request{
		Method: http.MethodGet,
		Header: http.Header{"Stripe-Version": {"2025-03-31.basil"}, "Authorization": {"Bearer " + shopKey}},
	}
	old.URL = must2(http.NewRequest(http.MethodGet, s.box.BaseURL()+"/v1/customers", nil)).URL
	if resp, err := http.DefaultClient.Do(old); err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Errorf("another API version: %v, %v", resp, err)
	} else {
		_ = resp.Body.Close()
	}
}

func must2(r *http.Request, _ error) *http.Request { return r }

func TestCustomers(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(796, "week", 4))
	cu := must[*stripe.Customer](t)(s.api.Customers.Update(sub.Customer.ID, &stripe.CustomerParams{
		Name: str("Jana Veľká"), Address: &stripe.AddressParams{Country: str("SK"), City: str("Žilina")},
		Metadata: map[string]string{"a": "1", "b": "2"}, Expand: []*string{str("subscriptions")},
	}))
	if cu.Name != "Jana Veľká" || cu.Address.City != "Žilina" || cu.Metadata["b"] != "2" ||
		len(cu.Subscriptions.Data) != 1 {
		t.Errorf("customer is %+v", cu)
	}
	cu = must[*stripe.Customer](
		t)(s.api.Customers.Update(cu.ID, &stripe.CustomerParams{Metadata: map[string]string{"a": ""}}))
	if _, there := cu.Metadata["a"]; there || cu.Metadata["b"] != "2" || cu.Address.City != "Žilina" {
		t.Errorf("customer is %+v", cu)
	}
	s.flush()
	updated := s.hooks.events[len(s.hooks.events)-1]
	if updated.Type != "customer.updated" || len(updated.Data.PreviousAttributes) != 1 ||
		updated.GetPreviousValue("metadata", "a") != "1" {
		t.Errorf("%s says what changed: %v", updated.Type, updated.Data.PreviousAttributes)
	}
	must[*stripe.Customer](t)(s.api.Customers.Del(cu.ID, nil))
	if gone := must[*stripe.Customer](t)(s.api.Customers.Get(cu.ID, nil)); !gone.Deleted || gone.Email != "" {
		t.Errorf("deleted, the customer is %+v", gone)
	}
	if got := must[*stripe.Subscription](t)(s.api.Subscriptions.Get(sub.ID, nil)); got.Status !=
		stripe.SubscriptionStatusCanceled {
		t.Errorf("its subscription is %s", got.Status)
	}
	if it := s.api.Customers.List(nil); it.Next() {
		t.Error("a deleted customer is listed")
	}
}

func TestSubscriptionFilters(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.price(796, "week", 4)
	a, b := s.subscribe(p), s.subscribe(p)
	must[*stripe.Subscription](t)(s.api.Subscriptions.Cancel(a.ID, nil))
	for status, want := range map[string][]string{
		"": {b.ID}, "all": {b.ID, a.ID}, "canceled": {a.ID}, "ended": {a.ID},
		"active": {b.ID}, "past_due": nil,
	} {
		params := &stripe.SubscriptionListParams{Price: str(p.ID)}
		if status != "" {
			params.Status = str(status)
		}
		var got []string
		for it := s.api.Subscriptions.List(params); it.Next(); {
			got = append(got, it.Subscription().ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("status %q lists %v, want %v", status, got, want)
		}
	}
}
