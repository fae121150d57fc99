package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// withMailedCode is the answer to what is done with the code and the link that an address was just mailed, in the
// browser that asked.
func withMailedCode(address string,
	use func(a *target, home *browser, code, hash string) response,
) func(*target) response {
	return func(a *target) response {
		a.advance(61 * time.Second) // a mail a minute
		home := a.away()
		code, hash := a.mailed(home, address)
		return use(a, home, code, hash)
	}
}

func codeOf(address, code string) map[string]string {
	return map[string]string{"email": address, "code": code, "referrer": "/", "type": "login"}
}

// enterCode is the answer to a code that is typed in.
func enterCode(b *browser, address, code string) response {
	return b.post("/api/login-code-validation", codeOf(address, code))
}

// followLink is the answer to a link, with a person's yes.
func followLink(b *browser, hash string) response {
	return b.post("/api/security-login", map[string]any{"user_hash": hash, "confirm": true})
}

// repeated repeats what one browser does, and is the answer to the last.
func repeated(n int, do func(b *browser, i int) response) func(*target) response {
	return func(a *target) (last response) {
		b := a.away()
		for i := range n {
			last = do(b, i)
		}
		return last
	}
}

func loginRequest(address, kind string) map[string]any {
	return map[string]any{
		"payload": map[string]string{"email": address, "referrer": "/"}, "type": kind,
		"article_attrs": map[string]int{"id": 1},
	}
}

func loginAgain(address, kind string) map[string]any {
	return map[string]any{
		"email": address, "type": kind, "reference": "<b>x</b>",
		"user_data": map[string]string{"name": "<b>x</b>"},
	}
}

// withoutTable is the answer of a paper that has lost a table.
func withoutTable(table string, do func(*target) response) func(*target) response {
	return func(a *target) response {
		rename := func(from, to string) {
			if _, err := a.app.DB.Core().ExecContext(context.Background(),
				"ALTER TABLE ed_"+a.id+"."+from+" RENAME TO "+to); err != nil {
				a.t.Fatal(err)
			}
		}
		rename(table, "gone")
		defer rename("gone", table)
		return do(a)
	}
}

// bounceMailbox makes an address one whose mailbox has just refused an email.
func bounceMailbox(a *target, address string) {
	_, err := a.pool.NewRaw(`INSERT INTO mail_reports (dedupe_key, kind, hard, address, letter, message_id, at) VALUES
		(?0, 'bounce', true, ?0, 'login', 'x', ?1);
		INSERT INTO mail_suppressions (address, reason, at) VALUES (?0, 'bounce', ?1)`, address, a.app.clock.Now()).
		Exec(context.Background())
	if err != nil {
		a.t.Fatal(err)
	}
}

const sentTo = "/account/sent?type=thankyou-"

// fromOurPage is a browser whose calls say that a page of the paper makes them.
func fromOurPage(b *browser) *browser {
	b.header.Set("Sec-Fetch-Site", "same-origin")
	return b
}

var answersOfLogin = []callAnswers{
	{"GET /user/exists", []answerCase{
		{"an address that has an account", byVisitor, url.Values{"email": {"owner@example.org"}}, 200, "", `"exists":true`},
		{"one that has none", byVisitor, url.Values{"email": {"nobody@example.org"}}, 200, "", `"exists":false`},
		{"none", byVisitor, nil, 400, "INVALID_REQUIREMENT", `"field":"email"`},
		{"what is no address", byVisitor, url.Values{"email": {"nobody"}}, 422, "INVALID_EMAIL", ""},
		{"from another site", nil, func(a *target) response {
			b := a.away()
			b.header.Set("Sec-Fetch-Site", "cross-site")
			return b.get("/user/exists?email=owner@example.org")
		}, 403, "CROSS_ORIGIN", ""},
		{"too often", nil, repeated(11, func(b *browser, i int) response {
			return b.get(fmt.Sprintf("/user/exists?email=n%d@example.org", i))
		}), 429, "TOO_MANY_REQUESTS", ""},
	}},
	{"POST /fns/user-login", []answerCase{
		{"a reader", byVisitor, loginRequest("owner@example.org", "login"), 200, "", sentTo + "login"},
		{"nobody", byVisitor, loginRequest("nobody@example.org", "login"), 200, "", sentTo + "login"},
		{"who registers", byVisitor, loginRequest("new@example.org", "registration"), 200, "", `"status":"sent"`},
		{
			"who registers and is one", byVisitor, loginRequest("other@example.org", "registration"), 200, "",
			sentTo + "registration",
		},
		{
			"by a form", byVisitor,
			url.Values{"email": {"formed@example.org"}, "type": {"registration"}},
			303, "",
			sentTo + "registration",
		},
		{"without an address", byVisitor, loginRequest("", "login"), 422, "INVALID_EMAIL", ""},
		{"without an address, by a form", byVisitor, url.Values{"type": {"login"}}, 303, "INVALID_EMAIL", "/account/login?"},
		{"what is no address", byVisitor, loginRequest("a@b@c", "registration"), 422, "INVALID_EMAIL", ""},
		{
			"a domain that is not taken", byVisitor, loginRequest("a@blocked.example", "registration"), 422,
			"FORBIDDEN_DOMAIN", "",
		},
		{"a type that is none", byVisitor, loginRequest("a@example.org", "admin"), 400, "INVALID_ARGS", `"field":"type"`},
		{"what is no JSON", byVisitor, rawBody{"application/json", "email"}, 400, "INVALID_ARGS", ""},
		{"text", byVisitor, rawBody{"text/plain", "{}"}, 415, "NOT_JSON", ""},
		{
			"too much", byVisitor,
			rawBody{"application/json", `{"email":"` + strings.Repeat("a", 70<<10) + `"}`},
			413,
			"BODY_TOO_LARGE", "",
		},
		{"a mailbox that refuses", byVisitor, func(a *target) any {
			bounceMailbox(a, "bounces@example.org")
			return loginRequest("bounces@example.org", "login")
		}, 422, "UNDELIVERABLE_EMAIL", `"field":"email"`},
		{"more than twenty from a network", nil, repeated(21, func(b *browser, i int) response {
			return b.post("/fns/user-login", loginRequest(fmt.Sprintf("n%d@example.org", i), "login"))
		}), 429, "TOO_MANY_REQUESTS", ""},
		{"a failure of ours", nil, withoutTable("identity_login_attempts", func(a *target) response {
			return a.away().post("/fns/user-login", loginRequest("unlucky@example.org", "login"))
		}), 500, "ERROR", ""},
	}},
	{"POST /api/login-code-validation", []answerCase{
		{"the code", nil, withMailedCode("codes@example.org", func(_ *target, home *browser, code, _ string) response {
			return enterCode(home, "codes@example.org", code)
		}), 200, "", `"redirect":"/"`},
		{
			"the code, by six boxes of a form", nil,
			withMailedCode("codes@example.org", func(_ *target, home *browser, code, _ string) response {
				return home.form("/api/login-code-validation",
					url.Values{"email": {"codes@example.org"}, "code": strings.Split(code, ""), "referrer": {"/article-true-0"}})
			}), 303, "", "/",
		},
		{"a wrong one", nil, withMailedCode("codes@example.org", func(a *target, _ *browser, code, _ string) response {
			return enterCode(a.away(), "codes@example.org", wrongCode(code))
		}), 422, "INVALID_CODE", ""},
		{
			"a wrong one, by a form", nil,
			withMailedCode("forms@example.org", func(a *target, _ *browser, code, _ string) response {
				return a.away().form("/api/login-code-validation",
					url.Values{"email": {"forms@example.org"}, "code": {wrongCode(code)}})
			}), 303, "INVALID_CODE", "type=thankyou-login",
		},
		{"letters", byVisitor, codeOf("codes@example.org", "abcdef"), 422, "INVALID_CODE", ""},
		{"of who asked for none", byVisitor, codeOf("never@example.org", "123456"), 422, "INVALID_CODE", ""},
		{"a used one", nil, withMailedCode("used@example.org", func(a *target, home *browser, code, _ string) response {
			enterCode(a.copyOf(home), "used@example.org", code)
			return enterCode(home, "used@example.org", code)
		}), 410, "CODE_USED", ""},
		{
			"that of an earlier mail", nil,
			withMailedCode("older@example.org", func(a *target, home *browser, code, _ string) response {
				a.advance(61 * time.Second)
				a.mailed(home, "older@example.org")
				return enterCode(home, "older@example.org", code)
			}), 410, "NOT_LAST_TOKEN", "",
		},
		{"an old one", nil, withMailedCode("late@example.org", func(a *target, home *browser, code, _ string) response {
			a.advance(10 * time.Minute)
			return enterCode(home, "late@example.org", code)
		}), 410, "EXPIRED_TOKEN", ""},
		{
			"the right one after five wrong ones", nil,
			withMailedCode("guessed@example.org", func(a *target, home *browser, code, _ string) response {
				for _, guess := range wrongCodes(5, code) {
					enterCode(home, "guessed@example.org", guess)
				}
				return enterCode(home, "guessed@example.org", code)
			}), 429, "TOO_MANY_ATTEMPTS", "",
		},
		{"an account of the former site that cannot be taken over", nil, func(a *target) response {
			const address = "former@example.org"
			if _, err := a.pool.NewRaw("INSERT INTO identity_readers (email, type, created_at) VALUES (?, 'wordpress', ?)",
				address, a.app.clock.Now()).Exec(context.Background()); err != nil {
				a.t.Fatal(err)
			}
			home := a.away()
			code, _ := a.mailed(home, address)
			return withoutTable("identity_sessions", func(*target) response { return enterCode(home, address, code) })(a)
		}, 409, "MIGRATION_FAILED", ""},
		{"without a code", byVisitor, codeOf("codes@example.org", " "), 400, "INVALID_REQUIREMENT", ""},
		{"without an address", byVisitor, codeOf("", "123456"), 400, "INVALID_REQUIREMENT", ""},
		{"without either, by a form", byVisitor, url.Values{}, 303, "INVALID_REQUIREMENT", "/?status="},
		{"what is no address", byVisitor, codeOf("codes", "123456"), 422, "INVALID_EMAIL", ""},
	}},
	{"POST /api/security-login", []answerCase{
		{"the link", nil, withMailedCode("links@example.org", func(_ *target, home *browser, _, hash string) response {
			return home.post("/api/security-login", map[string]string{"user_hash": hash})
		}), 200, "", `"redirect":"/"`},
		{
			"the link in another browser", nil,
			withMailedCode("links@example.org", func(a *target, _ *browser, _, hash string) response {
				return a.away().post("/api/security-login", map[string]string{"user_hash": hash})
			}), 200, "", `"confirm":true`,
		},
		{
			"the same with a person's yes", nil,
			withMailedCode("links@example.org", func(a *target, _ *browser, _, hash string) response {
				return followLink(a.away(), hash)
			}), 200, "", `"redirect":"/"`,
		},
		{"a used one", nil, withMailedCode("links@example.org", func(a *target, home *browser, _, hash string) response {
			followLink(home, hash)
			return followLink(a.away(), hash)
		}), 410, "TOKEN_USED", ""},
		{
			"that of an earlier mail", nil,
			withMailedCode("older.links@example.org", func(a *target, home *browser, _, hash string) response {
				a.advance(61 * time.Second)
				a.mailed(home, "older.links@example.org")
				return followLink(home, hash)
			}), 410, "NOT_LAST_TOKEN", "",
		},
		{"an old one", nil, withMailedCode("late.links@example.org", func(a *target, home *browser, _, hash string) response {
			a.advance(10 * time.Minute)
			return followLink(home, hash)
		}), 410, "EXPIRED_TOKEN", ""},
		{"what is none", byVisitor, map[string]string{"user_hash": "x"}, 422, "INVALID_HASH", ""},
		{"what is none, by a form", byVisitor, url.Values{"user_hash": {"x"}}, 303, "INVALID_HASH", "/?status="},
		{"nothing", byVisitor, map[string]string{}, 400, "INVALID_REQUIREMENT", ""},
		{"too often", nil, repeated(31, func(b *browser, _ int) response {
			return followLink(b, strings.Repeat("A", 43))
		}), 429, "TOO_MANY_ATTEMPTS", ""},
	}},
	{"POST /fns/emails", []answerCase{
		{
			"what this browser has asked for", nil,
			withMailedCode("again@example.org", func(a *target, home *browser, _, _ string) response {
				a.advance(61 * time.Second)
				asked := time.Now()
				r := home.post("/fns/emails", loginAgain("again@example.org", "login"))
				a.mailTo("again@example.org", asked)
				return r
			}), 200, "", `"status":"sent"`,
		},
		{"the own address", byOther, loginAgain("other@example.org", "login"), 200, "", sentTo + "login"},
		{"another's", byOther, loginAgain("owner@example.org", "login"), 403, "FOREIGN_USER", `"field":"email"`},
		{
			"what another browser has asked for", nil,
			withMailedCode("again@example.org", func(a *target, _ *browser, _, _ string) response {
				return a.away().post("/fns/emails", loginAgain("again@example.org", "login"))
			}), 400, "INVALID_REQUIREMENT", `"field":"email"`,
		},
		{
			"who has asked for none", byVisitor, loginAgain("owner@example.org", "registration"), 400,
			"INVALID_REQUIREMENT", "",
		},
		{"without an address", byVisitor, loginAgain("", "login"), 422, "INVALID_EMAIL", ""},
		{
			"an email of another kind", byOther, loginAgain("other@example.org", "thankyou"), 400, "INVALID_ARGS",
			`"field":"type"`,
		},
	}},
	{"GET /user/me/", []answerCase{
		{"a reader", byOwner, nil, 200, "", `"active_product":"product_monthly"`},
		{"a reader with the own handle", byOwner, func(a *target) any {
			return url.Values{"user_hash": {a.victim.handle}}
		}, 200, "", `"comment_name":"Viera.V"`},
		{"a visitor", byVisitor, nil, 200, "", `"user_agreed_to_terms":"undefined"`},
		{"a reader with another's handle", byOther, func(a *target) any {
			return url.Values{"user_hash": {a.victim.handle}}
		}, 200, "INVALID_HASH", `"active_product":"no_product"`},
		{"a visitor with a reader's handle", byVisitor, func(a *target) any {
			return url.Values{"user_hash": {a.victim.handle}}
		}, 200, "INVALID_HASH", ""},
		{
			"a session that has ended elsewhere", nil,
			withMailedCode("ended@example.org", func(a *target, home *browser, code, _ string) response {
				enterCode(home, "ended@example.org", code)
				copied := a.copyOf(home)
				home.post("/api/logout", map[string]string{})
				return copied.get("/user/me/")
			}), 200, "EXPIRED_LOGIN", "",
		},
	}},
	{"GET /wp-json/standard/v1/remove-user-subscription-cookie/", []answerCase{
		{"who stays", nil, func(a *target) response {
			return fromOurPage(a.copyOf(a.attacker)).get("/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=false")
		}, 200, "", `"success":true`},
		{"from nowhere", byOther, url.Values{"is_logout": {"true"}}, 403, "CROSS_ORIGIN", ""},
		{"who leaves", nil, withMailedCode("leaving@example.org", func(a *target, home *browser, code, _ string) response {
			enterCode(home, "leaving@example.org", code)
			r := fromOurPage(home).get("/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=true")
			if home.who() != "" {
				a.t.Error("the reader is still signed in")
			}
			return r
		}), 200, "", `"success":true`},
		{"from another site", nil, func(a *target) response {
			b := a.copyOf(a.attacker)
			b.header.Set("Sec-Fetch-Site", "cross-site")
			return b.get("/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=true")
		}, 403, "CROSS_ORIGIN", ""},
	}},
	{"POST /api/logout", []answerCase{
		{"a visitor", byVisitor, nil, 200, "", `"redirect":"/"`},
		{"from another site", nil, func(a *target) response {
			b := a.copyOf(a.attacker)
			b.header.Set("Origin", "https://evil.example")
			return b.do(http.MethodPost, "/api/logout", "application/json", "{}")
		}, 403, "CROSS_ORIGIN", ""},
	}},
}
