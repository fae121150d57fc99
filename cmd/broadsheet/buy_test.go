package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// order asks for the monthly plan and returns the hosted checkout's address.
func order(t testing.TB, b *browser) *url.URL {
	t.Helper()
	var bought struct {
		Data struct {
			Redirect string `json:"redirect"`
		} `json:"data"`
	}
	r := b.post("/fns/stripe-payment", map[string]string{"product_type": "product_monthly", "payment_method": "card", "referrer": "/"})
	r.json(t, &bought)
	u, err := url.Parse(bought.Data.Redirect)
	if err != nil || u.Path == "" {
		t.Fatalf("payment: %d %s", r.Status, r.Body)
	}
	return u
}

// buy takes the monthly plan with a good card.
func buy(t testing.TB, b *browser) {
	t.Helper()
	paid := b.form(order(t, b).RequestURI(), url.Values{
		"action": {"pay"}, "number": {"4242 4242 4242 4242"}, "expiry": {"12/40"}, "cvc": {"123"}, "email": {"payer@example.org"}, "name": {"Ada Novak"},
	})
	if paid.Status >= http.StatusBadRequest {
		t.Fatalf("paying: %d %.500s", paid.Status, paid.Body)
	}
}

// subscribed tells whether the reader has what buy has paid for.
func subscribed(b *browser) bool {
	var me struct {
		Product    string `json:"active_product"`
		Expiration int64  `json:"expiration"`
	}
	r := b.get("/user/me/")
	return json.Unmarshal([]byte(r.Body), &me) == nil && me.Product == "product_monthly" && me.Expiration > time.Now().Unix()
}
