package app

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func (b *browser) orders() response {
	return b.post("/fns/stripe-payment",
		map[string]string{"product_type": "product_monthly", "payment_method": "card", "referrer": "/"})
}

// order asks for the monthly plan and returns the hosted checkout's address.
func order(t testing.TB, b *browser) *url.URL {
	t.Helper()
	var bought struct {
		Data struct {
			Redirect string `json:"redirect"`
		} `json:"data"`
	}
	r := b.orders()
	r.json(t, &bought)
	u, err := url.Parse(bought.Data.Redirect)
	if err != nil || u.Path == "" {
		t.Fatalf("payment: %d %s", r.Status, r.Body)
	}
	return u
}

// goodCard is what is typed into the hosted checkout.
func goodCard() url.Values {
	return url.Values{
		"action": {"pay"}, "number": {"4242 4242 4242 4242"}, "expiry": {"12/40"}, "cvc": {"123"},
		"email": {"payer@example.org"}, "name": {"Ada Novak"},
	}
}

// buy takes the monthly plan with a good card.
func buy(t testing.TB, b *browser) {
	t.Helper()
	paid := b.form(order(t, b).RequestURI(), goodCard())
	if paid.Status >= http.StatusBadRequest {
		t.Fatalf("paying: %d %.500s", paid.Status, paid.Body)
	}
}

// subscribed reports whether the reader has what buy has paid for.
func subscribed(b *browser) bool {
	var me struct {
		Product    string `json:"active_product"`
		Expiration int64  `json:"expiration"`
	}
	r := b.get("/user/me/")
	return json.Unmarshal([]byte(r.Body), &me) == nil && me.Product == "product_monthly" &&
		me.Expiration > time.Now().Unix()
}

// invoices are the addresses of the documents that a reader has.
func (b *browser) invoices() (list []string) {
	var me struct {
		Invoices []struct {
			Address string `json:"stripe_id"`
			PDF     string `json:"pdf"`
		} `json:"invoices"`
	}
	_ = json.Unmarshal([]byte(b.get("/user/me/extended/").Body), &me) // of a visitor there is nothing
	for _, in := range me.Invoices {
		if in.PDF != "" {
			list = append(list, in.Address)
		}
	}
	return list
}

// withdraw gives a subscription back that the reader of an address, whose session it is, has bought.
func withdraw(t testing.TB, b *browser, address string) {
	t.Helper()
	var stated struct {
		Data struct {
			Redirect string `json:"redirect"`
		} `json:"data"`
	}
	b.post("/fns/withdrawal", map[string]string{"name": "Ada Novak", "email": address, "contract": "subscription"}).
		json(t, &stated)
	_, statement, _ := strings.Cut(stated.Data.Redirect, "statement=")
	if r := b.post("/fns/withdrawal-confirm", map[string]string{"statement": statement}); r.Status != http.StatusOK {
		t.Fatalf("the second step: %d %s", r.Status, r.Body)
	}
}
