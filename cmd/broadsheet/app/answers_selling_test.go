package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// sellingCalls are the calls that readers' browsers have always made about payments and products: each must be shown to
// work and, where it can refuse, to refuse.
var sellingCalls = []string{
	"GET /fns/stripe-products-offer", "POST /fns/stripe-payment", "POST /fns/stripe-quest-payment",
	"POST /fns/stripe-update-subscription",
}

// orderBody is an order as browsers send it, with some members another way.
func orderBody(product string, changes ...string) map[string]any {
	order := map[string]any{"user_token": "", "product_type": product, "payment_method": "card", "referrer": "/"}
	for i := 0; i < len(changes); i += 2 {
		order[changes[i]] = changes[i+1]
	}
	return order
}

// formValues is a body as a plain form sends it.
func formValues(body map[string]any) url.Values {
	form := url.Values{}
	for name, value := range body {
		if text, ok := value.(string); ok {
			form.Set(name, text)
		}
	}
	return form
}

// whileProviderIsDown is a call of a reader who has bought nothing, made while the provider does not answer.
func whileProviderIsDown(path string, body map[string]any) func(*target) response {
	return whileProviderFails(func(a *target) response { return a.attacker.post(path, body) })
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

// redeemTwice is a new reader who redeems a code, twice.
func redeemTwice(edition string) func(*target) response {
	return func(a *target) response {
		b := a.away()
		a.login(b, "coupon-"+edition+"@example.org")
		body := map[string]any{"coupon_code": a.coupon(edition)}
		b.post("/fns/stripe-quest-payment", body)
		return b.post("/fns/stripe-quest-payment", body)
	}
}

// redeemUsedCode is a reader with a code that somebody else has redeemed.
func redeemUsedCode(a *target) response {
	body := map[string]any{"coupon_code": a.coupon("standard")}
	first := a.away()
	a.login(first, "first@example.org")
	if r := first.post("/fns/stripe-quest-payment", body); r.Status != http.StatusOK {
		a.t.Errorf("a good code: %d %s", r.Status, r.Body)
	}
	return a.attacker.post("/fns/stripe-quest-payment", body)
}

// legacyReader is a reader of the former site who wants to buy.
func legacyReader(a *target) response {
	const address = "former-buys@example.org"
	if _, err := a.pool.NewRaw("INSERT INTO identity_readers (email, type, created_at) VALUES (?, 'wordpress', ?)",
		address, a.app.clock.Now()).Exec(context.Background()); err != nil {
		a.t.Fatal(err)
	}
	b := a.away()
	a.login(b, address)
	return b.post("/fns/stripe-payment", orderBody("product_monthly"))
}

func offerBody(changes ...string) map[string]any {
	request := map[string]any{
		"user_email": "offer@example.org", "product_type": "product_yearly", "coupon_code": "",
		"referrer": "/",
	}
	for i := 0; i < len(changes); i += 2 {
		request[changes[i]] = changes[i+1]
	}
	return request
}

func giftBody(changes ...string) map[string]any {
	gift := map[string]any{
		"product_type": "product_yearly", "buyer_email": "mara@example.org", "buyer_name": "Mara",
		"recipient_email": "eva@example.org", "message": "Ahoj", "send_on": "",
	}
	for i := 0; i < len(changes); i += 2 {
		gift[changes[i]] = changes[i+1]
	}
	return gift
}

func withdrawalBody(changes ...string) map[string]any {
	statement := map[string]any{"name": "Eva", "email": "nobody@example.org", "contract": "gift"}
	for i := 0; i < len(changes); i += 2 {
		statement[changes[i]] = changes[i+1]
	}
	return statement
}

// orderByTransfer is a reader who orders by bank transfer and looks at the payment code.
func orderByTransfer(a *target) response {
	var order struct{ Data struct{ Redirect string } }
	b := a.away()
	a.login(b, "transfer@example.org")
	_ = json.Unmarshal([]byte(b.post("/fns/stripe-payment", orderBody("product_yearly", "payment_method", "iban")).Body),
		&order)
	_, slip, _ := strings.Cut(order.Data.Redirect, "?")
	return b.get("/fns/transfer-code?" + slip)
}

// confirmWithdrawal takes the second step of a withdrawal after the first.
func confirmWithdrawal(a *target) response { return confirmWithdrawalAfter(a, 0) }

// confirmWithdrawalLate takes the second step after its hour.
func confirmWithdrawalLate(a *target) response { return confirmWithdrawalAfter(a, 61*time.Minute) }

func confirmWithdrawalAfter(a *target, wait time.Duration) response {
	b := a.away()
	var first struct{ Data struct{ Redirect string } }
	_ = json.Unmarshal([]byte(b.post("/fns/withdrawal", withdrawalBody()).Body), &first)
	at, err := url.Parse(first.Data.Redirect)
	if err != nil {
		a.t.Fatal(err)
	}
	if wait > 0 {
		a.advance(wait)
	}
	return b.post("/fns/withdrawal-confirm", map[string]any{"statement": at.Query().Get("statement")})
}

func changeBody(action string, more ...any) map[string]any {
	change := map[string]any{"action": action}
	for i := 0; i < len(more); i += 2 {
		change[more[i].(string)] = more[i+1]
	}
	return change
}

var answersOfSelling = []callAnswers{
	{"GET /fns/stripe-products-offer", []answerCase{
		{"all that there is", byVisitor, nil, 200, "", `"product_type":"product_yearly"`},
		{"all, by name", byVisitor, url.Values{"product_type": {"default"}}, 200, "", `"product_type":"no_product"`},
		{"one of them", byOther, url.Values{"product_type": {"product_monthly"}}, 200, "", `"additionnal_text"`},
		{"one that is none", byVisitor, url.Values{"product_type": {"gold"}}, 400, "INVALID_ARGS", ""},
	}},
	{"POST /fns/stripe-payment", []answerCase{
		{"a reader", byOther, orderBody("product_monthly"), 200, "", "/_dev/stripe/checkout/"},
		{"a plain form", byOther, formValues(orderBody("product_monthly")), 303, "", "/_dev/stripe/checkout/"},
		{"who has a subscription", byOwner, orderBody("product_yearly"), 409, "USER_HAS_SUBSCRIPTION", ""},
		{
			"who has a subscription, with a plain form", byOwner, formValues(orderBody("product_yearly")), 303,
			"USER_HAS_SUBSCRIPTION", "/account?",
		},
		{
			"by bank, where that is not offered", byOther, orderBody("product_monthly", "payment_method", "iban"), 422,
			"IBAN_PAYMENT_FAILED", "",
		},
		{"a method that is none", byOther, orderBody("product_monthly", "payment_method", "cash"), 400, "INVALID_ARGS", ""},
		{"a product that is none", byOther, orderBody("gold"), 400, "INVALID_ARGS", ""},
		{"what costs nothing", byOther, orderBody("no_product"), 400, "INVALID_ARGS", ""},
		{
			"while the provider is away", nil, whileProviderIsDown("/fns/stripe-payment", orderBody("product_yearly")), 503,
			"PAYMENT_FAILED", "",
		},
		{"in another's name", byOther, inTheirName(orderBody("product_monthly")), 403, "FOREIGN_USER", ""},
		{"an account of the former site", nil, legacyReader, 409, "INVALID_USER", ""},
		{"a visitor", byVisitor, orderBody("product_monthly"), 401, "INVALID_TOKEN", ""},
		{
			"a visitor with a plain form", byVisitor, formValues(orderBody("product_monthly")), 303, "INVALID_TOKEN",
			"/account/login?",
		},
		{"no JSON", byOther, rawBody{"application/json", "gold"}, 400, "INVALID_ARGS", ""},
	}},
	{"POST /fns/stripe-quest-payment", []answerCase{
		{"a visitor who takes an offer", byVisitor, offerBody(), 200, "", "type=thankyou-campaign"},
		{
			"a visitor with a plain form", byVisitor, formValues(offerBody("user_email", "form@example.org")), 303,
			"SPECIAL_OFFER_SUCCESS", "/account/sent?",
		},
		{"a visitor without an address", byVisitor, offerBody("user_email", "offer"), 422, "INVALID_EMAIL", ""},
		{
			"a reader who takes an offer", byOther, offerBody("product_type", "product_monthly"), 200, "",
			"/_dev/stripe/checkout/",
		},
		{"who has a subscription", byOwner, offerBody(), 409, "USER_HAS_SUBSCRIPTION", ""},
		{"an offer of nothing", byOther, offerBody("product_type", "gold"), 400, "INVALID_ARGS", ""},
		{
			"while the provider is away", nil, whileProviderIsDown("/fns/stripe-quest-payment", offerBody()), 503,
			"UNABLE_TO_CREATE_PAYMENT", "",
		},
		{"a code, twice", nil, redeemTwice("standard"), 200, "", "/account/coupon?done=1"},
		{"a code of another edition", nil, redeemTwice("standard_at"), 422, "INVALID_COUPON_CODE", `"field":"coupon_code"`},
		{"a code that is spent", nil, redeemUsedCode, 422, "INVALID_COUPON_CODE", `"field":"coupon_code"`},
		{
			"a code that is none, from a visitor", byVisitor, offerBody("coupon_code", "K7QF-2MXD"), 422,
			"INVALID_COUPON_CODE", "",
		},
		{
			"no code, with a plain form", byVisitor,
			url.Values{"form": {"coupon"}, "user_email": {"form@example.org"}},
			303,
			"INVALID_COUPON_CODE", "/account/coupon?",
		},
		{
			"a code typed before a login that is over", byVisitor, offerBody("product_type", "", "wish", "1.x"), 401,
			"INVALID_TOKEN", "",
		},
	}},
	{"POST /fns/stripe-update-subscription", []answerCase{
		{"a reader", byOwner, map[string]any{"product_type": "product_monthly"}, 200, "", `"success":true`},
		{"who has bought nothing", byOther, map[string]any{}, 200, "", `"success":true`},
		{"in another's name", byOther, inTheirName(nil), 403, "FOREIGN_USER", ""},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /fns/payment-status", []answerCase{
		{"who has paid", nil, func(a *target) response {
			return a.victim.get("/fns/payment-status?session_id=" + a.victim.checkout)
		}, 200, "", `"state":"confirmed"`},
		{"somebody else", nil, func(a *target) response {
			return a.attacker.get("/fns/payment-status?session_id=" + a.victim.checkout)
		}, 200, "", `"state":"signedOut"`},
		{"a visitor", nil, func(a *target) response {
			return a.away().get("/fns/payment-status?session_id=" + a.victim.checkout)
		}, 200, "", `"state":"signedOut"`},
		{"no payment", byOwner, url.Values{"session_id": {"cs_none"}}, 200, "", `"state":"unknown"`},
		{"nothing", byOwner, nil, 200, "", `"state":"unknown"`},
	}},
	{"POST /fns/stripe-subscription", []answerCase{
		{
			"a sum that was not shown", byOwner,
			changeBody("switch", "product_type", "product_yearly", "amount", 1, "at", "2020-01-01T00:00:00Z"), 409,
			"AMOUNT_CHANGED", "",
		},
		{"what is not cancelled is kept", byOwner, changeBody("resume"), 200, "", `"success":true`},
		{"cancelled", byOwner, changeBody("cancel"), 200, "", `"success":true`},
		{"kept, with a plain form", byOwner, url.Values{"action": {"resume"}}, 303, "", "/account/profile"},
		{"who has bought nothing", byOther, changeBody("cancel"), 409, "SUBSCRIPTION_STATE", ""},
		{"an action that is none", byOwner, changeBody("explode"), 400, "INVALID_ARGS", ""},
		{"in another's name", byOther, inTheirName(changeBody("cancel")), 403, "FOREIGN_USER", ""},
		{"a visitor", byVisitor, changeBody("cancel"), 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/gift-payment", []answerCase{
		{"a visitor", byVisitor, giftBody(), 200, "", "/_dev/stripe/checkout/"},
		{
			"a plain form without a recipient", byVisitor, formValues(giftBody("recipient_email", "")), 303, "",
			"/_dev/stripe/checkout/",
		},
		{"no address of a buyer", byVisitor, giftBody("buyer_email", "mara"), 422, "INVALID_EMAIL", `"field":"buyer_email"`},
		{
			"a wrong one of a recipient, with a plain form", byVisitor, formValues(giftBody("recipient_email", "eva")), 303,
			"INVALID_EMAIL", "/account/gift?",
		},
		{"a day that is over", byVisitor, giftBody("send_on", "2020-12-24"), 400, "INVALID_ARGS", `"field":"send_on"`},
		{"a product that is none", byVisitor, giftBody("product_type", "no_product"), 400, "INVALID_ARGS", ""},
		{
			"a message with an address in it", byVisitor, giftBody("message", "Pozri www.darcek.example"), 422,
			"LINK_NOT_ALLOWED",
			`"field":"message"`,
		},
		{"while the provider is away", nil, whileProviderIsDown("/fns/gift-payment", giftBody()), 503, "PAYMENT_FAILED", ""},
	}},
	{"GET /fns/transfer-code", []answerCase{
		{"the picture of an order", nil, orderByTransfer, 200, "", "<svg"},
		{"an order that is none", byVisitor, url.Values{"slip": {"1.x"}}, 404, "NOT_FOUND", ""},
		{"no order", byVisitor, nil, 404, "NOT_FOUND", ""},
	}},
	{"POST /fns/withdrawal", []answerCase{
		{"a visitor", byVisitor, withdrawalBody(), 200, "", "/account/withdrawal?statement="},
		{"a plain form", byVisitor, formValues(withdrawalBody()), 303, "", "/account/withdrawal?statement="},
		{"nobody", byVisitor, withdrawalBody("name", " "), 400, "INVALID_ARGS", `"field":"name"`},
		{"no address", byVisitor, withdrawalBody("email", "eva"), 422, "INVALID_EMAIL", ""},
		{
			"a name with an address in it", byVisitor, withdrawalBody("name", "Gewinn: https://evil.example/x"), 422,
			"LINK_NOT_ALLOWED", `"field":"name"`,
		},
		{"from nothing", byVisitor, withdrawalBody("contract", "marriage"), 400, "INVALID_ARGS", `"field":"contract"`},
	}},
	{"POST /fns/withdrawal-confirm", []answerCase{
		{"after the first step", nil, confirmWithdrawal, 200, "", "/account/withdrawal?statement="},
		{"an hour after it", nil, confirmWithdrawalLate, 410, "WITHDRAWAL_NOT_SENT", ""},
		{"a statement that is none", byVisitor, map[string]any{"statement": "1.x"}, 400, "INVALID_REQUIREMENT", ""},
		{
			"nothing, with a plain form", byVisitor,
			url.Values{"statement": {""}},
			303, "INVALID_REQUIREMENT",
			"/account/withdrawal?",
		},
	}},
}
