package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// sellingCalls are the calls that readers' browsers have always made about payments and products: each must be shown to
// work and, where it can refuse, to refuse.
var sellingCalls = []string{
	"GET /fns/stripe-products-offer", "POST /fns/stripe-payment", "POST /fns/stripe-quest-payment",
	"POST /fns/stripe-update-subscription",
}

// ordered is an order as browsers send it, with some members another way.
func ordered(product string, changes ...string) map[string]any {
	order := map[string]any{"user_token": "", "product_type": product, "payment_method": "card", "referrer": "/"}
	for i := 0; i < len(changes); i += 2 {
		order[changes[i]] = changes[i+1]
	}
	return order
}

// plain is a body as a plain form sends it.
func plain(body map[string]any) url.Values {
	form := url.Values{}
	for name, value := range body {
		if text, ok := value.(string); ok {
			form.Set(name, text)
		}
	}
	return form
}

// whileAway is a call of a reader who has bought nothing, made while the provider does not answer.
func whileAway(path string, body map[string]any) func(*target) reply {
	return func(a *target) reply {
		a.attacker.post("/_dev/stripe/faults", map[string]string{"api": "500"})
		defer a.attacker.post("/_dev/stripe/faults", map[string]string{"api": "none"})
		return a.attacker.post(path, body)
	}
}

var couponCode = regexp.MustCompile(`[0-9A-Z]{4}(?:-[0-9A-Z]{4}){4}`)

// coupon makes a code of an edition.
func (a *target) coupon(edition string) string {
	a.coupons++ // each command names its codes, and the time is not enough of a name
	out, err := a.command("coupon", "create", "--edition", edition, "--name", fmt.Sprint("answers ", a.coupons))
	if err != nil {
		a.t.Fatal(err, out)
	}
	return couponCode.FindString(out)
}

// redeems is a new reader who redeems a code, twice.
func redeems(edition string) func(*target) reply {
	return func(a *target) reply {
		b := a.away()
		a.login(b, "coupon-"+edition+"@example.org")
		body := map[string]any{"coupon_code": a.coupon(edition)}
		b.post("/fns/stripe-quest-payment", body)
		return b.post("/fns/stripe-quest-payment", body)
	}
}

// spent is a reader with a code that somebody else has redeemed.
func spent(a *target) reply {
	body := map[string]any{"coupon_code": a.coupon("standard")}
	first := a.away()
	a.login(first, "first@example.org")
	if r := first.post("/fns/stripe-quest-payment", body); r.Status != http.StatusOK {
		a.t.Errorf("a good code: %d %s", r.Status, r.Body)
	}
	return a.attacker.post("/fns/stripe-quest-payment", body)
}

// former is a reader of the former site who wants to buy.
func former(a *target) reply {
	const address = "former-buys@example.org"
	if _, err := a.pool.NewRaw("INSERT INTO identity_readers (email, type, created_at) VALUES (?, 'wordpress', ?)",
		address, a.app.clock.Now()).Exec(context.Background()); err != nil {
		a.t.Fatal(err)
	}
	b := a.away()
	a.login(b, address)
	return b.post("/fns/stripe-payment", ordered("product_monthly"))
}

func offered(changes ...string) map[string]any {
	wish := map[string]any{
		"user_email": "offer@example.org", "product_type": "product_yearly", "coupon_code": "",
		"referrer": "/",
	}
	for i := 0; i < len(changes); i += 2 {
		wish[changes[i]] = changes[i+1]
	}
	return wish
}

func given(changes ...string) map[string]any {
	gift := map[string]any{
		"product_type": "product_yearly", "buyer_email": "mara@example.org", "buyer_name": "Mara",
		"recipient_email": "eva@example.org", "message": "Ahoj", "send_on": "",
	}
	for i := 0; i < len(changes); i += 2 {
		gift[changes[i]] = changes[i+1]
	}
	return gift
}

func stated(changes ...string) map[string]any {
	statement := map[string]any{"name": "Eva", "email": "nobody@example.org", "contract": "gift"}
	for i := 0; i < len(changes); i += 2 {
		statement[changes[i]] = changes[i+1]
	}
	return statement
}

// transfers is a reader who orders by bank transfer and looks at the payment code.
func transfers(a *target) reply {
	var order struct{ Data struct{ Redirect string } }
	b := a.away()
	a.login(b, "transfer@example.org")
	_ = json.Unmarshal([]byte(b.post("/fns/stripe-payment", ordered("product_yearly", "payment_method", "iban")).Body),
		&order)
	_, slip, _ := strings.Cut(order.Data.Redirect, "?")
	return b.get("/fns/transfer-code?" + slip)
}

// confirms takes the second step of a withdrawal after the first.
func confirms(a *target) reply {
	b := a.away()
	var first struct{ Data struct{ Redirect string } }
	_ = json.Unmarshal([]byte(b.post("/fns/withdrawal", stated()).Body), &first)
	at, err := url.Parse(first.Data.Redirect)
	if err != nil {
		a.t.Fatal(err)
	}
	return b.post("/fns/withdrawal-confirm", map[string]any{"statement": at.Query().Get("statement")})
}

func changed(action string, more ...any) map[string]any {
	change := map[string]any{"action": action}
	for i := 0; i < len(more); i += 2 {
		change[more[i].(string)] = more[i+1]
	}
	return change
}

var answersOfSelling = []answers{
	{"GET /fns/stripe-products-offer", []said{
		{"all that there is", byVisitor, nil, 200, "", `"product_type":"product_yearly"`},
		{"all, by name", byVisitor, url.Values{"product_type": {"default"}}, 200, "", `"product_type":"no_product"`},
		{"one of them", byOther, url.Values{"product_type": {"product_monthly"}}, 200, "", `"additionnal_text"`},
		{"one that is none", byVisitor, url.Values{"product_type": {"gold"}}, 400, "INVALID_ARGS", ""},
	}},
	{"POST /fns/stripe-payment", []said{
		{"a reader", byOther, ordered("product_monthly"), 200, "", "/_dev/stripe/checkout/"},
		{"a plain form", byOther, plain(ordered("product_monthly")), 303, "", "/_dev/stripe/checkout/"},
		{"who has a subscription", byOwner, ordered("product_yearly"), 409, "USER_HAS_SUBSCRIPTION", ""},
		{
			"who has a subscription, with a plain form", byOwner, plain(ordered("product_yearly")), 303,
			"USER_HAS_SUBSCRIPTION", "/account?",
		},
		{
			"by bank, where that is not offered", byOther, ordered("product_monthly", "payment_method", "iban"), 422,
			"IBAN_PAYMENT_FAILED", "",
		},
		{"a method that is none", byOther, ordered("product_monthly", "payment_method", "cash"), 400, "INVALID_ARGS", ""},
		{"a product that is none", byOther, ordered("gold"), 400, "INVALID_ARGS", ""},
		{"what costs nothing", byOther, ordered("no_product"), 400, "INVALID_ARGS", ""},
		{
			"while the provider is away", nil, whileAway("/fns/stripe-payment", ordered("product_yearly")), 503,
			"PAYMENT_FAILED", "",
		},
		{"in another's name", byOther, inTheirName(ordered("product_monthly")), 403, "FOREIGN_USER", ""},
		{"an account of the former site", nil, former, 409, "INVALID_USER", ""},
		{"a visitor", byVisitor, ordered("product_monthly"), 401, "INVALID_TOKEN", ""},
		{
			"a visitor with a plain form", byVisitor, plain(ordered("product_monthly")), 303, "INVALID_TOKEN",
			"/account/login?",
		},
		{"no JSON", byOther, raw{"application/json", "gold"}, 400, "INVALID_ARGS", ""},
	}},
	{"POST /fns/stripe-quest-payment", []said{
		{"a visitor who takes an offer", byVisitor, offered(), 200, "", "type=thankyou-campaign"},
		{
			"a visitor with a plain form", byVisitor, plain(offered("user_email", "form@example.org")), 303,
			"SPECIAL_OFFER_SUCCESS", "/account/sent?",
		},
		{"a visitor without an address", byVisitor, offered("user_email", "offer"), 422, "INVALID_EMAIL", ""},
		{
			"a reader who takes an offer", byOther, offered("product_type", "product_monthly"), 200, "",
			"/_dev/stripe/checkout/",
		},
		{"who has a subscription", byOwner, offered(), 409, "USER_HAS_SUBSCRIPTION", ""},
		{"an offer of nothing", byOther, offered("product_type", "gold"), 400, "INVALID_ARGS", ""},
		{
			"while the provider is away", nil, whileAway("/fns/stripe-quest-payment", offered()), 503,
			"UNABLE_TO_CREATE_PAYMENT", "",
		},
		{"a code, twice", nil, redeems("standard"), 200, "", "/account/coupon?done=1"},
		{"a code of another edition", nil, redeems("standard_at"), 422, "INVALID_COUPON_CODE", `"field":"coupon_code"`},
		{"a code that is spent", nil, spent, 422, "INVALID_COUPON_CODE", `"field":"coupon_code"`},
		{
			"a code that is none, from a visitor", byVisitor, offered("coupon_code", "K7QF-2MXD"), 422,
			"INVALID_COUPON_CODE", "",
		},
		{
			"no code, with a plain form", byVisitor,
			url.Values{"form": {"coupon"}, "user_email": {"form@example.org"}},
			303,
			"INVALID_COUPON_CODE", "/account/coupon?",
		},
		{
			"a code of before the login, when that is over", byVisitor, offered("product_type", "", "wish", "1.x"), 401,
			"INVALID_TOKEN", "",
		},
	}},
	{"POST /fns/stripe-update-subscription", []said{
		{"a reader", byOwner, map[string]any{"product_type": "product_monthly"}, 200, "", `"success":true`},
		{"who has bought nothing", byOther, map[string]any{}, 200, "", `"success":true`},
		{"in another's name", byOther, inTheirName(nil), 403, "FOREIGN_USER", ""},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /fns/payment-status", []said{
		{"who has paid", nil, func(a *target) reply {
			return a.victim.get("/fns/payment-status?session_id=" + a.victim.checkout)
		}, 200, "", `"state":"confirmed"`},
		{"somebody else", nil, func(a *target) reply {
			return a.attacker.get("/fns/payment-status?session_id=" + a.victim.checkout)
		}, 200, "", `"state":"unknown"`},
		{"no payment", byOwner, url.Values{"session_id": {"cs_none"}}, 200, "", `"state":"unknown"`},
		{"nothing", byOwner, nil, 200, "", `"state":"unknown"`},
	}},
	{"POST /fns/stripe-subscription", []said{
		{
			"a sum that was not shown", byOwner,
			changed("switch", "product_type", "product_yearly", "amount", 1, "at", "2020-01-01T00:00:00Z"), 409,
			"AMOUNT_CHANGED", "",
		},
		{"what is not cancelled is kept", byOwner, changed("resume"), 200, "", `"success":true`},
		{"cancelled", byOwner, changed("cancel"), 200, "", `"success":true`},
		{"kept, with a plain form", byOwner, url.Values{"action": {"resume"}}, 303, "", "/account/profile"},
		{"who has bought nothing", byOther, changed("cancel"), 409, "SUBSCRIPTION_STATE", ""},
		{"a deed that is none", byOwner, changed("explode"), 400, "INVALID_ARGS", ""},
		{"in another's name", byOther, inTheirName(changed("cancel")), 403, "FOREIGN_USER", ""},
		{"a visitor", byVisitor, changed("cancel"), 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/gift-payment", []said{
		{"a visitor", byVisitor, given(), 200, "", "/_dev/stripe/checkout/"},
		{
			"a plain form without a recipient", byVisitor, plain(given("recipient_email", "")), 303, "",
			"/_dev/stripe/checkout/",
		},
		{"no address of a buyer", byVisitor, given("buyer_email", "mara"), 422, "INVALID_EMAIL", `"field":"buyer_email"`},
		{
			"a wrong one of a recipient, with a plain form", byVisitor, plain(given("recipient_email", "eva")), 303,
			"INVALID_EMAIL", "/account/gift?",
		},
		{"a day that is over", byVisitor, given("send_on", "2020-12-24"), 400, "INVALID_ARGS", `"field":"send_on"`},
		{"a product that is none", byVisitor, given("product_type", "no_product"), 400, "INVALID_ARGS", ""},
		{
			"a message with an address in it", byVisitor, given("message", "Pozri www.darcek.example"), 422, "LINK_NOT_ALLOWED",
			`"field":"message"`,
		},
		{"while the provider is away", nil, whileAway("/fns/gift-payment", given()), 503, "PAYMENT_FAILED", ""},
	}},
	{"GET /fns/transfer-code", []said{
		{"the picture of an order", nil, transfers, 200, "", "<svg"},
		{"an order that is none", byVisitor, url.Values{"slip": {"1.x"}}, 404, "NOT_FOUND", ""},
		{"no order", byVisitor, nil, 404, "NOT_FOUND", ""},
	}},
	{"POST /fns/withdrawal", []said{
		{"a visitor", byVisitor, stated(), 200, "", "/account/withdrawal?statement="},
		{"a plain form", byVisitor, plain(stated()), 303, "", "/account/withdrawal?statement="},
		{"nobody", byVisitor, stated("name", " "), 400, "INVALID_ARGS", `"field":"name"`},
		{"no address", byVisitor, stated("email", "eva"), 422, "INVALID_EMAIL", ""},
		{"from nothing", byVisitor, stated("contract", "marriage"), 400, "INVALID_ARGS", `"field":"contract"`},
	}},
	{"POST /fns/withdrawal-confirm", []said{
		{"after the first step", nil, confirms, 200, "", "/account/withdrawal?statement="},
		{"a statement that is none", byVisitor, map[string]any{"statement": "1.x"}, 400, "INVALID_REQUIREMENT", ""},
		{
			"nothing, with a plain form", byVisitor,
			url.Values{"statement": {""}},
			303, "INVALID_REQUIREMENT",
			"/account/withdrawal?",
		},
	}},
}
