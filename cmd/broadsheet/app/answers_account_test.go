package app

import (
	"fmt"
	"net/url"
	"strings"
)

// invoiceOf is what stands on a reader's invoices, with some members another way; "-" takes one away.
func invoiceOf(changes ...string) map[string]any {
	data := map[string]string{
		"name": "Eva Nova", "email": "eva@example.org", "line1": "Hlavná 1", "city": "Bratislava",
		"postal_code": "811 01", "country": "SK",
	}
	for i := 0; i < len(changes); i += 2 {
		if data[changes[i]] = changes[i+1]; changes[i+1] == "-" {
			delete(data, changes[i])
		}
	}
	return map[string]any{"data": data}
}

// theirHandle is the victim's handle in the hands of another.
func theirHandle(a *target) any { return url.Values{"user_hash": {a.victim.handle}} }

func asName(name string) map[string]string { return map[string]string{"comment_name": name} }

func setting(key string, value any) map[string]any {
	return map[string]any{"metadata": []any{map[string]any{"meta_key": key, "meta_value": value}}}
}

func eventBody(action string) map[string]any {
	return map[string]any{"action": action, "meta_value": "1", "email": "x@example.org", "publish_date": "2026-11-21"}
}

// inTheirName is a body that claims to be the victim's.
func inTheirName(body map[string]any) func(*target) any {
	return func(a *target) any {
		out := map[string]any{"user_id": a.victim.reader}
		for k, v := range body {
			out[k] = v
		}
		return out
	}
}

var answersOfAccount = []callAnswers{
	{"GET /user/me/extended/", []answerCase{
		{"a reader", byOwner, nil, 200, "", `"stripe_billing_portal_url":"/fns/billing-portal"`},
		{"a reader without a purchase", byOther, nil, 200, "", `"invoices":[]`},
		{"another's handle", byOther, theirHandle, 401, "INVALID_TOKEN", ""},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /user/invoice/{invoiceId}/", []answerCase{
		{"a reader", byOwner, nil, 200, "", `"invoice_number":"FV-`},
		{"a reader, by the number", nil, func(a *target) response {
			var number string
			a.scan("SELECT number FROM billing_documents WHERE reader_id = ?", &number, a.victim.reader)
			return a.victim.get("/user/invoice/" + number + "/")
		}, 200, "", `"unit_tax_percentage":2300`},
		{"another reader", byOther, nil, 404, "NOT_FOUND", ""},
		{"another's handle", byOther, theirHandle, 401, "INVALID_TOKEN", ""},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /fns/invoice-pdf/{invoiceId}", []answerCase{
		{"a reader", byOwner, nil, 200, "", "%PDF-"},
		{"another reader", byOther, nil, 404, "NOT_FOUND", ""},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /fns/invoice-xml/{invoiceId}", []answerCase{
		{"a reader", byOwner, nil, 200, "", "urn:cen.eu:en16931:2017"},
		{"another reader", byOther, nil, 404, "NOT_FOUND", ""},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /fns/user-can-read-article", []answerCase{
		{"a reader", byOther, nil, 200, "", `"articles_opened":[]`},
		{"another's handle", byOther, theirHandle, 200, "INVALID_HASH", `"success":false`},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/user-data-set", []answerCase{
		{"all of it", byOther, invoiceOf(), 200, "", `"success":true`},
		{
			"the address alone", byOther, invoiceOf("name", "-", "line1", "-", "city", "-", "postal_code", "-", "country", "-"),
			200, "", `"success":true`,
		},
		{
			"by a form", byOther,
			url.Values{"email": {"eva@example.org"}, "client_type": {"individual"}},
			303,
			"INVOICE_DATA_UPDATED", "/account/profile?",
		},
		{
			"a VAT number of no country, by a form", byOther, url.Values{
				"email": {"eva@example.org"}, "client_type": {"company"}, "country": {"SK"}, "company_IC_DPH": {"SK20"},
			}, 303, "VAT_NUMBER_INVALID", "/account/focus?",
		},
		{
			"a VAT number of another country, by a form", byOther, url.Values{
				"email": {"eva@example.org"}, "client_type": {"company"}, "country": {"DE"}, "company_IC_DPH": {"ATU12345675"},
			}, 303, "VAT_NUMBER_FOREIGN", "/account/focus?",
		},
		{"no address", byOther, invoiceOf("email", "-"), 422, "INVALID_EMAIL", `"field":"email"`},
		{"no address, by a form", byOther, url.Values{"name": {"Eva"}}, 303, "INVALID_EMAIL", "/account/focus?"},
		{"no country", byOther, invoiceOf("country", "XX"), 422, "INVALID_INVOICE_DATA", `"field":"country"`},
		{
			"a postal code of another country", byOther, invoiceOf("postal_code", "1010"), 422, "INVALID_INVOICE_DATA",
			`"field":"postal_code"`,
		},
		{
			"what cannot be printed", byOther, invoiceOf("name", strings.Repeat("a", 121)), 400, "INVALID_ARGS",
			`"field":"name"`,
		},
		{"another's handle", byOther, func(a *target) any {
			body := invoiceOf()
			body["user_hash"] = a.victim.handle
			return body
		}, 401, "INVALID_TOKEN", ""},
		{"a visitor", byVisitor, invoiceOf(), 401, "INVALID_TOKEN", ""},
		{"a company", byOther, invoiceOf("company_name", "Nova s. r. o.", "company_ICO", "12345678"), 200, "", ""},
		{
			"a visitor, by a form", byVisitor,
			url.Values{"email": {"eva@example.org"}},
			303, "INVALID_TOKEN",
			"/account/login?",
		},
		{"too often", nil, func(a *target) (last response) {
			for range 61 {
				last = a.victim.post("/fns/user-data-set", invoiceOf())
			}
			return last
		}, 429, "TOO_MANY_REQUESTS", ""},
	}},
	{"GET /user/me/extended/", []answerCase{
		{"a company", byOther, nil, 200, "", `"billing_info":{"client_type":"legal_entity",` +
			`"contact_email":"eva@example.org","contact_name":"Eva Nova","address_line1":"Hlavná 1","address_line2":"",` +
			`"address_city":"Bratislava","address_postal_code":"811 01"}`},
	}},
	{"GET /fns/user-data", []answerCase{
		{"a reader", byOther, nil, 200, "", `"email":"eva@example.org"`},
		{"another's handle", byOther, theirHandle, 401, "INVALID_TOKEN", ""},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /fns/billing-portal", []answerCase{
		{"who has paid", byOwner, nil, 303, "", "http"},
		{"who has bought nothing", byOther, nil, 303, "INVALID_REQUIREMENT", "/account/profile?"},
		{"while the provider is away", nil, whileProviderFails(func(a *target) response {
			return a.victim.get("/fns/billing-portal")
		}), 303, "CONNECTION_FAILED", "/account/profile?"},
		{"a visitor", byVisitor, nil, 303, "INVALID_TOKEN", "/?status="},
	}},
	{"GET /fns/billing-portal/back", []answerCase{{"anybody", byVisitor, nil, 303, "", "/account/profile"}}},
	{"POST /fns/user-comment-name", []answerCase{
		{"a name", byOther, asName("Oskar.2"), 200, "", `"success":true`},
		{"a name with the own handle", byOther, func(a *target) any {
			return map[string]string{"user_token": a.cookiesOf(a.attacker)["logged_user"], "comment_name": "Oskar.3"}
		}, 200, "", ""},
		{"by a form", byOther, url.Values{"comment_name": {"Oskar.4"}}, 303, "COMMENT_NAME_SET", "/account/profile?"},
		{"none", byOther, asName(" "), 400, "INVALID_REQUIREMENT", `"field":"comment_name"`},
		{"with a blank", byOther, asName("Oskar Novy"), 422, "INVALID_COMMENT_NAME", ""},
		{"with a sign", byOther, asName("Oskar_N"), 422, "INVALID_COMMENT_NAME", ""},
		{"too long", byOther, asName(strings.Repeat("a", 31)), 422, "INVALID_COMMENT_NAME", ""},
		{
			"with a sign, by a form", byOther,
			url.Values{"comment_name": {"<Oskar>"}},
			303, "INVALID_COMMENT_NAME",
			"/account/focus?",
		},
		{"that of another", byOther, asName("Viera.V"), 409, "COMMENT_NAME_EXISTS", ""},
		{"that of another, written another way", byOther, asName("viera.v"), 409, "COMMENT_NAME_EXISTS", ""},
		{"another's handle", byOther, func(a *target) any {
			return map[string]string{"user_token": a.victim.handle, "comment_name": "Oskar.5"}
		}, 403, "FOREIGN_USER", ""},
		{"a visitor", byVisitor, asName("Nobody"), 401, "INVALID_TOKEN", ""},
		{"too often", nil, func(a *target) (last response) {
			for i := range 21 {
				last = a.attacker.post("/fns/user-comment-name", asName(fmt.Sprintf("Oskar.%d", 10+i)))
			}
			return last
		}, 429, "TOO_MANY_REQUESTS", ""},
	}},
	{"POST /fns/update-user-metadata", []answerCase{
		{"the documents", byOther, setting("user_agreed_to_terms", "later"), 200, "", `"success":true`},
		{"the reminder", byOther, setting("subscription_expiration_reminder", "false"), 200, "", `"success":true`},
		{
			"what only the house may set", byOther, setting("expiration", "9999999999"), 400, "INVALID_ARGS",
			`"field":"meta_key"`,
		},
		{
			"a value that is none", byOther, setting("user_agreed_to_terms", "perhaps"), 400, "INVALID_ARGS",
			`"field":"meta_value"`,
		},
		{"nothing", byOther, map[string]any{"metadata": []any{}}, 400, "INVALID_ARGS", `"field":"metadata"`},
		{"in another's name", byOther, inTheirName(setting("user_agreed_to_terms", "true")), 403, "FOREIGN_USER", ""},
		{"a visitor", byVisitor, setting("user_agreed_to_terms", "true"), 401, "INVALID_TOKEN", ""},
	}},
	{"GET /api/consent-documents", []answerCase{{"anybody", byVisitor, nil, 200, "", `"id":"privacy"`}}},
	{"POST /api/set-gdpr-consent-cookie", []answerCase{
		{"all", byVisitor, map[string]string{"consent": "all"}, 200, "", `"success":true`},
		{"necessary", byVisitor, map[string]string{"consent": "necessary"}, 200, "", `"success":true`},
		{"a visitor's answer to the documents", byVisitor, map[string]string{"consent": "later"}, 200, "", `"success":true`},
		{"by a form", byVisitor, url.Values{"consent": {"necessary"}}, 303, "", "/"},
		{"what is no choice", byVisitor, map[string]string{"consent": "soul"}, 400, "INVALID_ARGS", `"field":"consent"`},
		{"what is no choice, by a form", byVisitor, url.Values{"consent": {"soul"}}, 303, "INVALID_ARGS", ""},
		{"too often", nil, repeated(61, func(b *browser, _ int) response {
			return b.post("/api/set-gdpr-consent-cookie", map[string]string{"consent": "all"})
		}), 429, "TOO_MANY_REQUESTS", ""},
	}},
	{"POST /api/set-consent-metadata", []answerCase{
		{"agree", byOther, map[string]any{"consent": []string{"terms", "privacy"}}, 200, "", `"success":true`},
		{"later", byOther, map[string]any{"consent": "later"}, 200, "", `"success":true`},
		{"reject", byOther, map[string]any{"consent": "false"}, 200, "", `"success":true`},
		{
			"documents that are none", byOther,
			map[string]any{"consent": []string{"soul"}},
			400, "INVALID_ARGS",
			`"field":"consent"`,
		},
		{
			"a text that has changed since", byOther,
			map[string]any{"consent": "true", "shown": []string{"x"}},
			400,
			"INVALID_ARGS", `"field":"shown"`,
		},
		{"in another's name", byOther, inTheirName(map[string]any{"consent": "true"}), 403, "FOREIGN_USER", ""},
		{"in the name of nobody", byOther, map[string]any{"consent": "true", "user_id": "x"}, 400, "INVALID_ARGS", ""},
		{"a visitor", byVisitor, map[string]any{"consent": "true"}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/logs-put", []answerCase{
		{"logged out", byVisitor, eventBody("user_used_logout"), 200, "", `"success":true`},
		{"opened", byVisitor, eventBody("article_opened"), 200, "", `"success":true`},
		{"opened a locked one", byOther, eventBody("locked_article_opened"), 200, "", `"success":true`},
		{"spent a credit", byOther, eventBody("article_credit_used"), 200, "", `"success":true`},
		{"read to the end", byOther, eventBody("article_read_full"), 200, "", `"success":true`},
		{"what nobody does", byVisitor, eventBody("article_bought"), 400, "INVALID_ARGS", `"field":"action"`},
		{"in another's name", byOther, inTheirName(eventBody("article_opened")), 403, "FOREIGN_USER", ""},
		{"a visitor in a reader's name", byVisitor, inTheirName(eventBody("article_opened")), 401, "INVALID_TOKEN", ""},
		{
			"too much", byVisitor,
			map[string]string{"action": "article_opened", "meta_value": strings.Repeat("1", 17<<10)},
			413,
			"BODY_TOO_LARGE", "",
		},
		{"too often", nil, repeated(241, func(b *browser, _ int) response {
			return b.post("/fns/logs-put", eventBody("article_opened"))
		}), 429, "TOO_MANY_REQUESTS", ""},
	}},
	{"POST /fns/logtail", []answerCase{
		{"an error", byVisitor, map[string]any{"data": map[string]string{"message": "it failed"}}, 200, "", `"success":true`},
		{"a text", byVisitor, map[string]any{"data": "it failed"}, 200, "", `"success":true`},
		{"nothing", byVisitor, map[string]any{}, 400, "INVALID_ARGS", `"field":"data"`},
		{"too often", nil, repeated(31, func(b *browser, _ int) response {
			return b.post("/fns/logtail", map[string]any{"data": "it failed"})
		}), 429, "TOO_MANY_REQUESTS", ""},
	}},
}
