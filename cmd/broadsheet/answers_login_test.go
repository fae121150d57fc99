package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// fresh is the answer to what is done with the code and the link that an address was just mailed, in the browser that
// asked.
func fresh(address string, use func(a *target, home *browser, code, hash string) reply) func(*target) reply {
	return func(a *target) reply {
		a.advance(61 * time.Second) // a mail a minute
		home := a.away()
		code, hash := a.mailed(home, address)
		return use(a, home, code, hash)
	}
}

func codeOf(address, code string) map[string]string {
	return map[string]string{"email": address, "code": code, "referrer": "/", "type": "login"}
}

// typing is the answer to a code that is typed in.
func typing(b *browser, address, code string) reply {
	return b.post("/api/login-code-validation", codeOf(address, code))
}

// following is the answer to a link, with a person's yes.
func following(b *browser, hash string) reply {
	return b.post("/api/security-login", map[string]any{"user_hash": hash, "confirm": true})
}

// often repeats what one browser does, and is the answer to the last.
func often(n int, do func(b *browser, i int) reply) func(*target) reply {
	return func(a *target) (last reply) {
		b := a.away()
		for i := range n {
			last = do(b, i)
		}
		return last
	}
}

func to(address, kind string) map[string]any {
	return map[string]any{
		"payload": map[string]string{"email": address, "referrer": "/"}, "type": kind,
		"article_attrs": map[string]int{"id": 1},
	}
}

func again(address, kind string) map[string]any {
	return map[string]any{
		"email": address, "type": kind, "reference": "<b>x</b>",
		"user_data": map[string]string{"name": "<b>x</b>"},
	}
}

// without is the answer of a paper that has lost a table.
func without(table string, do func(*target) reply) func(*target) reply {
	return func(a *target) reply {
		rename := func(from, to string) {
			if _, err := a.app.db.Core().ExecContext(context.Background(),
				"ALTER TABLE ed_"+a.id+"."+from+" RENAME TO "+to); err != nil {
				a.t.Fatal(err)
			}
		}
		rename(table, "gone")
		defer rename("gone", table)
		return do(a)
	}
}

// bounced makes an address one whose mailbox has just refused a letter.
func bounced(a *target, address string) {
	_, err := a.pool.NewRaw(`INSERT INTO mail_reports (dedupe_key, kind, hard, address, letter, message_id, at) VALUES
		(?0, 'bounce', true, ?0, 'login', 'x', ?1);
		INSERT INTO mail_suppressions (address, reason, at) VALUES (?0, 'bounce', ?1)`, address, a.app.clock.Now()).
		Exec(context.Background())
	if err != nil {
		a.t.Fatal(err)
	}
}

const sentTo = "/account/sent?type=thankyou-"

// ourPage is a browser whose calls say that a page of the paper makes them.
func ourPage(b *browser) *browser {
	b.header.Set("Sec-Fetch-Site", "same-origin")
	return b
}

var answersOfLogin = []answers{
	{"GET /user/exists", []said{
		{"an address that has an account", byVisitor, url.Values{"email": {"owner@example.org"}}, 200, "", `"exists":true`},
		{"one that has none", byVisitor, url.Values{"email": {"nobody@example.org"}}, 200, "", `"exists":false`},
		{"none", byVisitor, nil, 400, "INVALID_REQUIREMENT", `"field":"email"`},
		{"what is no address", byVisitor, url.Values{"email": {"nobody"}}, 422, "INVALID_EMAIL", ""},
		{"from another site", nil, func(a *target) reply {
			b := a.away()
			b.header.Set("Sec-Fetch-Site", "cross-site")
			return b.get("/user/exists?email=owner@example.org")
		}, 403, "CROSS_ORIGIN", ""},
		{"too often", nil, often(11, func(b *browser, i int) reply {
			return b.get(fmt.Sprintf("/user/exists?email=n%d@example.org", i))
		}), 429, "TOO_MANY_REQUESTS", ""},
	}},
	{"POST /fns/user-login", []said{
		{"a reader", byVisitor, to("owner@example.org", "login"), 200, "", sentTo + "login"},
		{"nobody", byVisitor, to("nobody@example.org", "login"), 200, "", sentTo + "login"},
		{"who registers", byVisitor, to("new@example.org", "registration"), 200, "", `"status":"sent"`},
		{"who registers and is one", byVisitor, to("other@example.org", "registration"), 200, "", sentTo + "registration"},
		{
			"by a form", byVisitor,
			url.Values{"email": {"formed@example.org"}, "type": {"registration"}},
			303, "",
			sentTo + "registration",
		},
		{"without an address", byVisitor, to("", "login"), 422, "INVALID_EMAIL", ""},
		{"without an address, by a form", byVisitor, url.Values{"type": {"login"}}, 303, "INVALID_EMAIL", "/account/login?"},
		{"what is no address", byVisitor, to("a@b@c", "registration"), 422, "INVALID_EMAIL", ""},
		{"a domain that is not taken", byVisitor, to("a@blocked.example", "registration"), 422, "FORBIDDEN_DOMAIN", ""},
		{"a type that is none", byVisitor, to("a@example.org", "admin"), 400, "INVALID_ARGS", `"field":"type"`},
		{"what is no JSON", byVisitor, raw{"application/json", "email"}, 400, "INVALID_ARGS", ""},
		{"text", byVisitor, raw{"text/plain", "{}"}, 415, "NOT_JSON", ""},
		{
			"too much", byVisitor,
			raw{"application/json", `{"email":"` + strings.Repeat("a", 70<<10) + `"}`},
			413,
			"BODY_TOO_LARGE", "",
		},
		{"a mailbox that refuses", byVisitor, func(a *target) any {
			bounced(a, "bounces@example.org")
			return to("bounces@example.org", "login")
		}, 422, "UNDELIVERABLE_EMAIL", `"field":"email"`},
		{"more than twenty from a network", nil, often(21, func(b *browser, i int) reply {
			return b.post("/fns/user-login", to(fmt.Sprintf("n%d@example.org", i), "login"))
		}), 429, "TOO_MANY_REQUESTS", ""},
		{"a failure of ours", nil, without("identity_login_attempts", func(a *target) reply {
			return a.away().post("/fns/user-login", to("unlucky@example.org", "login"))
		}), 500, "ERROR", ""},
	}},
	{"POST /api/login-code-validation", []said{
		{"the code", nil, fresh("codes@example.org", func(_ *target, home *browser, code, _ string) reply {
			return typing(home, "codes@example.org", code)
		}), 200, "", `"redirect":"/"`},
		{
			"the code, by six boxes of a form", nil,
			fresh("codes@example.org", func(_ *target, home *browser, code, _ string) reply {
				return home.form("/api/login-code-validation",
					url.Values{"email": {"codes@example.org"}, "code": strings.Split(code, ""), "referrer": {"/article-true-0"}})
			}), 303, "", "/",
		},
		{"a wrong one", nil, fresh("codes@example.org", func(a *target, _ *browser, code, _ string) reply {
			return typing(a.away(), "codes@example.org", wrong(code))
		}), 422, "INVALID_CODE", ""},
		{"a wrong one, by a form", nil, fresh("forms@example.org", func(a *target, _ *browser, code, _ string) reply {
			return a.away().form("/api/login-code-validation", url.Values{"email": {"forms@example.org"}, "code": {wrong(code)}})
		}), 303, "INVALID_CODE", "type=thankyou-login"},
		{"letters", byVisitor, codeOf("codes@example.org", "abcdef"), 422, "INVALID_CODE", ""},
		{"of who asked for none", byVisitor, codeOf("never@example.org", "123456"), 422, "INVALID_CODE", ""},
		{"a used one", nil, fresh("used@example.org", func(a *target, home *browser, code, _ string) reply {
			typing(home, "used@example.org", code)
			return typing(a.away(), "used@example.org", code)
		}), 410, "CODE_USED", ""},
		{"that of an earlier mail", nil, fresh("older@example.org", func(a *target, home *browser, code, _ string) reply {
			a.advance(61 * time.Second)
			a.mailed(home, "older@example.org")
			return typing(home, "older@example.org", code)
		}), 410, "NOT_LAST_TOKEN", ""},
		{"an old one", nil, fresh("late@example.org", func(a *target, home *browser, code, _ string) reply {
			a.advance(10 * time.Minute)
			return typing(home, "late@example.org", code)
		}), 410, "EXPIRED_TOKEN", ""},
		{
			"the right one after five wrong ones", nil,
			fresh("guessed@example.org", func(a *target, home *browser, code, _ string) reply {
				for _, guess := range guesses(5, code) {
					typing(home, "guessed@example.org", guess)
				}
				return typing(home, "guessed@example.org", code)
			}), 429, "TOO_MANY_ATTEMPTS", "",
		},
		{"an account of the former site that can not be taken over", nil, func(a *target) reply {
			const address = "former@example.org"
			if _, err := a.pool.NewRaw("INSERT INTO identity_readers (email, type, created_at) VALUES (?, 'wordpress', ?)",
				address, a.app.clock.Now()).Exec(context.Background()); err != nil {
				a.t.Fatal(err)
			}
			home := a.away()
			code, _ := a.mailed(home, address)
			return without("identity_sessions", func(*target) reply { return typing(home, address, code) })(a)
		}, 409, "MIGRATION_FAILED", ""},
		{"without a code", byVisitor, codeOf("codes@example.org", " "), 400, "INVALID_REQUIREMENT", ""},
		{"without an address", byVisitor, codeOf("", "123456"), 400, "INVALID_REQUIREMENT", ""},
		{"without either, by a form", byVisitor, url.Values{}, 303, "INVALID_REQUIREMENT", "/?status="},
		{"what is no address", byVisitor, codeOf("codes", "123456"), 422, "INVALID_EMAIL", ""},
	}},
	{"POST /api/security-login", []said{
		{"the link", nil, fresh("links@example.org", func(_ *target, home *browser, _, hash string) reply {
			return home.post("/api/security-login", map[string]string{"user_hash": hash})
		}), 200, "", `"redirect":"/"`},
		{"the link in another browser", nil, fresh("links@example.org", func(a *target, _ *browser, _, hash string) reply {
			return a.away().post("/api/security-login", map[string]string{"user_hash": hash})
		}), 200, "", `"confirm":true`},
		{"the same with a person's yes", nil, fresh("links@example.org", func(a *target, _ *browser, _, hash string) reply {
			return following(a.away(), hash)
		}), 200, "", `"redirect":"/"`},
		{"a used one", nil, fresh("links@example.org", func(a *target, home *browser, _, hash string) reply {
			following(home, hash)
			return following(a.away(), hash)
		}), 410, "TOKEN_USED", ""},
		{
			"that of an earlier mail", nil,
			fresh("older.links@example.org", func(a *target, home *browser, _, hash string) reply {
				a.advance(61 * time.Second)
				a.mailed(home, "older.links@example.org")
				return following(home, hash)
			}), 410, "NOT_LAST_TOKEN", "",
		},
		{"an old one", nil, fresh("late.links@example.org", func(a *target, home *browser, _, hash string) reply {
			a.advance(10 * time.Minute)
			return following(home, hash)
		}), 410, "EXPIRED_TOKEN", ""},
		{"what is none", byVisitor, map[string]string{"user_hash": "x"}, 422, "INVALID_HASH", ""},
		{"what is none, by a form", byVisitor, url.Values{"user_hash": {"x"}}, 303, "INVALID_HASH", "/?status="},
		{"nothing", byVisitor, map[string]string{}, 400, "INVALID_REQUIREMENT", ""},
		{"too often", nil, often(31, func(b *browser, _ int) reply {
			return following(b, strings.Repeat("A", 43))
		}), 429, "TOO_MANY_ATTEMPTS", ""},
	}},
	{"POST /fns/emails", []said{
		{
			"what this browser has asked for", nil,
			fresh("again@example.org", func(a *target, home *browser, _, _ string) reply {
				a.advance(61 * time.Second)
				asked := time.Now()
				r := home.post("/fns/emails", again("again@example.org", "login"))
				a.mailTo("again@example.org", asked)
				return r
			}), 200, "", `"status":"sent"`,
		},
		{"the own address", byOther, again("other@example.org", "login"), 200, "", sentTo + "login"},
		{"another's", byOther, again("owner@example.org", "login"), 403, "FOREIGN_USER", `"field":"email"`},
		{
			"what another browser has asked for", nil,
			fresh("again@example.org", func(a *target, _ *browser, _, _ string) reply {
				return a.away().post("/fns/emails", again("again@example.org", "login"))
			}), 400, "INVALID_REQUIREMENT", `"field":"email"`,
		},
		{"who has asked for none", byVisitor, again("owner@example.org", "registration"), 400, "INVALID_REQUIREMENT", ""},
		{"without an address", byVisitor, again("", "login"), 422, "INVALID_EMAIL", ""},
		{"a letter of another kind", byOther, again("other@example.org", "thankyou"), 400, "INVALID_ARGS", `"field":"type"`},
	}},
	{"GET /user/me/", []said{
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
			fresh("ended@example.org", func(a *target, home *browser, code, _ string) reply {
				typing(home, "ended@example.org", code)
				copied := a.copyOf(home)
				home.post("/api/logout", map[string]string{})
				return copied.get("/user/me/")
			}), 200, "EXPIRED_LOGIN", "",
		},
	}},
	{"GET /wp-json/standard/v1/remove-user-subscription-cookie/", []said{
		{"who stays", nil, func(a *target) reply {
			return ourPage(a.copyOf(a.attacker)).get("/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=false")
		}, 200, "", `"success":true`},
		{"from nowhere", byOther, url.Values{"is_logout": {"true"}}, 403, "CROSS_ORIGIN", ""},
		{"who leaves", nil, fresh("leaving@example.org", func(a *target, home *browser, code, _ string) reply {
			typing(home, "leaving@example.org", code)
			r := ourPage(home).get("/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=true")
			if home.who() != "" {
				a.t.Error("the reader is still signed in")
			}
			return r
		}), 200, "", `"success":true`},
		{"from another site", nil, func(a *target) reply {
			b := a.copyOf(a.attacker)
			b.header.Set("Sec-Fetch-Site", "cross-site")
			return b.get("/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=true")
		}, 403, "CROSS_ORIGIN", ""},
	}},
	{"POST /api/logout", []said{
		{"a visitor", byVisitor, nil, 200, "", `"redirect":"/"`},
		{"from another site", nil, func(a *target) reply {
			b := a.copyOf(a.attacker)
			b.header.Set("Origin", "https://evil.example")
			return b.do(http.MethodPost, "/api/logout", "application/json", "{}")
		}, 403, "CROSS_ORIGIN", ""},
	}},
}
