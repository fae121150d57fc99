package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"time"

	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit/wait"
	"example.org/broadsheet/tenants"
)

func helpBody(address, message string) map[string]string {
	return map[string]string{"email": address, "message": message}
}

// approveLogin is the answer after a browser has asked for a login that its reader, signed in elsewhere, has answered
// with yes, no or a number; what is told is what the reader is told.
func approveLogin(address, approve string, told bool) func(*target) response {
	return func(a *target) response {
		a.advance(61 * time.Second)
		elsewhere, home := a.away(), a.away()
		a.login(elsewhere, address)
		a.advance(61 * time.Second)
		a.mailed(home, address)
		var id string
		a.scan("SELECT max(id)::text FROM identity_login_attempts WHERE email = ?", &id, address)
		answer := url.Values{"id": {id}, "approve": {approve}}
		if approve != "no" {
			answer = url.Values{"id": {id}, "number": {approve}}
		}
		if approve == "yes" {
			var pending struct{ Number int }
			if err := json.Unmarshal([]byte(home.post("/api/login-approval", map[string]string{}).Body), &pending); err != nil {
				a.t.Fatal(err)
			}
			answer.Set("number", strconv.Itoa(pending.Number))
		}
		r := elsewhere.form("/fns/login-approval", answer)
		if told {
			return r
		}
		return home.post("/api/login-approval", map[string]string{})
	}
}

// changeAddress is the answer after a reader has asked for another address; use gets the codes of the two emails.
func changeAddress(from, to string,
	use func(a *target, b *browser, old, fresh string) response,
) func(*target) response {
	return func(a *target) response {
		a.advance(61 * time.Second)
		b := a.away()
		a.login(b, from)
		asked := time.Now()
		if r := b.post("/fns/user-email", map[string]string{"email": to}); r.Status >= 400 {
			return r
		}
		return use(a, b, a.mailWithCode(from, asked).Code, a.mailWithCode(to, asked).Code)
	}
}

func confirmChange(b *browser, code string) response {
	return b.post("/fns/user-email/confirm", map[string]string{"code": code})
}

// withOldSession is the answer to a reader whose session is of an older version than the edition has come to ask for.
func withOldSession(use func(a *target, b *browser, offered string) response) func(*target) response {
	return func(a *target) response {
		a.advance(61 * time.Second)
		b := a.away()
		a.login(b, "outdated@example.org")
		a.rule(1)
		defer a.rule(0)
		a.advance(10 * time.Second) // sessions are remembered for some seconds
		var me struct {
			Offer string `json:"login_cookie"`
		}
		r := b.get("/user/me/")
		r.json(a.t, &me)
		if use == nil {
			return r
		}
		return use(a, b, me.Offer)
	}
}

// rule makes the edition one that takes no addresses of blocked.example, and no session of a lower version.
func (a *target) rule(version int) {
	a.t.Helper()
	text, err := fs.ReadFile(tenants.FS, "standard.yaml")
	if err == nil {
		rules := fmt.Sprintf("domains: block\n  domain_list: [blocked.example]\n  session_version: %d", version)
		_, err = a.app.registry.ApplyText(context.Background(), "standard.yaml",
			bytes.Replace(text, []byte("domains: 'off'"), []byte(rules), 1))
	}
	if ed, _ := a.app.registry.Get(a.id); err != nil || ed.Identity.Domains != "block" ||
		ed.Identity.SessionVersion != version {
		a.t.Fatalf("%v, %+v", err, ed.Identity)
	}
}

// withLeaveCode is the answer after a reader was mailed the code that deletes the account.
func withLeaveCode(address string, use func(a *target, b *browser, code string) response) func(*target) response {
	return func(a *target) response {
		a.advance(61 * time.Second)
		b := a.away()
		a.login(b, address)
		asked := time.Now()
		if r := b.post("/user/leave/ask", map[string]string{}); r.Status >= 400 {
			return r
		}
		return use(a, b, a.mailWithCode(address, asked).Code)
	}
}

func deleteAccount(b *browser, code string) response {
	return b.post("/user/leave", map[string]string{"code": code})
}

// whileProviderFails is the answer while the payment provider fails.
func whileProviderFails(do func(*target) response) func(*target) response {
	return func(a *target) response {
		set := func(api string) {
			if err := a.stripe.SetFaults(sandbox.Faults{API: api}); err != nil {
				a.t.Fatal(err)
			}
		}
		set("500")
		defer func() {
			set("none")
			// A worker beside may have had failures enough for calls to pause: then one at a time is tried, until one succeeds.
			wait.Until(a.t, "calls to the provider go on", func() bool {
				return a.app.breakers.To("payment provider").Do(func() error { return nil }, nil) == nil
			})
		}()
		return do(a)
	}
}

var answersOfWaysIn = []callAnswers{
	{"GET /user/me/", []answerCase{
		{"a session that is out of date", nil, withOldSession(nil), 200, "OUTDATED_COOKIE_VERSION", `"login_cookie":"`},
	}},
	{"POST /api/security-login", []answerCase{
		{"the exchange of one that is out of date", nil, withOldSession(func(_ *target, b *browser, offered string) response {
			return b.post("/api/security-login", map[string]string{"user_hash": offered})
		}), 200, "", `"redirect":"/"`},
		{"the exchange a minute later", nil, withOldSession(func(a *target, b *browser, offered string) response {
			a.advance(time.Minute)
			return b.post("/api/security-login", map[string]string{"user_hash": offered})
		}), 422, "INVALID_HASH", ""},
	}},
	{"POST /api/login-approval", []answerCase{
		{"who has asked for nothing", byVisitor, nil, 200, "", `"status":"over"`},
		{
			"before there is an answer", nil,
			withMailedCode("waits@example.org", func(_ *target, home *browser, _, _ string) response {
				return home.post("/api/login-approval", map[string]string{})
			}), 200, "", `"status":"pending"`,
		},
		{
			"before there is an answer, by a form", nil,
			withMailedCode("waits@example.org", func(_ *target, home *browser, _, _ string) response {
				return home.form("/api/login-approval", url.Values{"email": {"waits@example.org"}, "type": {"login"}})
			}), 303, "APPROVAL_PENDING", "type=thankyou-login",
		},
		{"after a yes", nil, approveLogin("asks@example.org", "yes", false), 200, "", `"redirect":"/"`},
		{"after a no", nil, approveLogin("asks@example.org", "no", false), 403, "LOGIN_DENIED", ""},
	}},
	{"POST /fns/login-approval", []answerCase{
		{"a yes", nil, approveLogin("asks.too@example.org", "yes", true), 303, "LOGIN_APPROVED", "/account/profile?"},
		{"a no", nil, approveLogin("asks.too@example.org", "no", true), 303, "LOGIN_REFUSED", "/account/profile?"},
		{
			"another number", nil, approveLogin("asks.wrong@example.org", "100", true), 303, "WRONG_NUMBER",
			"/account/profile?",
		},
		{
			"a yes without a number", byOther,
			map[string]any{"id": 987654, "approve": true},
			400, "INVALID_REQUIREMENT",
			`"field":"number"`,
		},
		{
			"what is no login of this reader", byOther,
			map[string]any{"id": 987654, "approve": true, "number": 42},
			400,
			"INVALID_ARGS", `"field":"id"`,
		},
		{"a visitor", byVisitor, map[string]any{"id": 1, "approve": true, "number": 42}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /api/passkey-challenge", []answerCase{{"anybody", byVisitor, nil, 200, "", `"challenge"`}}},
	{"POST /api/passkey-login", []answerCase{
		{"no credential", byVisitor, map[string]any{"credential": map[string]any{}}, 422, "PASSKEY_INVALID", ""},
	}},
	{"POST /fns/passkeys/challenge", []answerCase{
		{"a reader", byOther, nil, 200, "", `"challenge"`},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/passkeys/add", []answerCase{
		{"no credential", byOther, map[string]any{"credential": map[string]any{}}, 422, "PASSKEY_INVALID", ""},
		{"a visitor", byVisitor, map[string]any{"credential": map[string]any{}}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/passkeys/remove", []answerCase{
		{"one that is not the reader's", byOther, map[string]any{"id": 987654}, 400, "INVALID_ARGS", `"field":"id"`},
		{"a visitor", byVisitor, map[string]any{"id": 1}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/passkeys/undo", []answerCase{
		{"a malformed link", byVisitor, map[string]any{"token": "1-1-1.x"}, 422, "INVALID_HASH", ""},
		{
			"a malformed link, with a plain form", byVisitor,
			url.Values{"token": {"1-1-1.x"}},
			303, "INVALID_HASH",
			"/account/email?",
		},
	}},
	{"POST /fns/passkeys/decline", []answerCase{
		{"a reader", byOther, nil, 200, "", `"success":true`},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/forgotten-email", []answerCase{
		{"a message", byVisitor, helpBody("helped@example.org", "My name is Jana."), 200, "", `"status":"sent"`},
		{
			"a message, by a form", byVisitor,
			url.Values{"email": {"helped.too@example.org"}, "message": {"My name is Eva."}},
			303, "EMAIL_SENT", "/account/login?",
		},
		{"without words", byVisitor, helpBody("helped@example.org", " "), 400, "INVALID_REQUIREMENT", `"field":"message"`},
		{"without an address", byVisitor, helpBody("", "My name is Jana."), 422, "INVALID_EMAIL", ""},
		{
			"too long", byVisitor, helpBody("helped@example.org", strings.Repeat("a", 1001)), 400, "INVALID_ARGS",
			`"field":"message"`,
		},
		{"too often", nil, repeated(6, func(b *browser, i int) response {
			return b.post("/fns/forgotten-email", helpBody(fmt.Sprintf("helped%d@example.org", i), "My name is Jana."))
		}), 429, "TOO_MANY_REQUESTS", ""},
	}},
	{"POST /fns/user-email", []answerCase{
		{"another address", nil, func(a *target) response {
			b := a.away()
			a.login(b, "mover@example.org")
			return b.post("/fns/user-email", map[string]string{"email": "moved@example.org"})
		}, 200, "", `"redirect":"/account/profile"`},
		{"the same", byOther, map[string]string{"email": "Other@example.org"}, 422, "EMAIL_UNCHANGED", `"field":"email"`},
		{"what is none", byOther, map[string]string{"email": "x"}, 422, "INVALID_EMAIL", ""},
		{"a domain that is not taken", byOther, map[string]string{"email": "x@blocked.example"}, 422, "FORBIDDEN_DOMAIN", ""},
		{
			"a mailbox that refuses", byOther,
			map[string]string{"email": "bounces@example.org"},
			422,
			"UNDELIVERABLE_EMAIL", "",
		},
		{"a visitor", byVisitor, map[string]string{"email": "x@example.org"}, 401, "INVALID_TOKEN", ""},
		{"a form of a visitor", byVisitor, url.Values{"email": {"x@example.org"}}, 303, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/user-email/confirm", []answerCase{
		{"a code without a change", byOther, map[string]string{"code": "123456"}, 410, "EMAIL_NOT_CHANGED", ""},
		{
			"one side", nil,
			changeAddress("one@example.org", "one.new@example.org", func(_ *target, b *browser, old, _ string) response {
				return confirmChange(b, old)
			}), 200, "", `"done":false`,
		},
		{
			"both", nil,
			changeAddress("both@example.org", "both.new@example.org", func(_ *target, b *browser, old, fresh string) response {
				confirmChange(b, old)
				return b.form("/fns/user-email/confirm", url.Values{"code": {fresh}})
			}), 303, "EMAIL_CHANGED", "/account/profile?",
		},
		{
			"one side twice", nil,
			changeAddress("twice@example.org", "twice.new@example.org", func(_ *target, b *browser, old, _ string) response {
				confirmChange(b, old)
				return confirmChange(b, old)
			}), 410, "TOKEN_USED", "",
		},
		{
			"a wrong code", nil,
			changeAddress("wrong@example.org", "wrong.new@example.org", func(_ *target, b *browser, old, fresh string) response {
				guess := wrongCode(old)
				if guess == fresh {
					guess = wrongCode(fresh)[:5] + "0"
				}
				return confirmChange(b, guess)
			}), 422, "INVALID_CODE", "",
		},
		{
			"the right one after five wrong ones", nil,
			changeAddress("tries@example.org", "tries.new@example.org", func(_ *target, b *browser, old, fresh string) response {
				for _, guess := range wrongCodes(6, old) {
					if guess != fresh {
						confirmChange(b, guess)
					}
				}
				return confirmChange(b, old)
			}), 429, "TOO_MANY_ATTEMPTS", "",
		},
		{
			"an address that was taken meanwhile", nil,
			changeAddress("slow@example.org", "slow.new@example.org", func(a *target, b *browser, old, fresh string) response {
				a.advance(61 * time.Second)
				a.login(a.away(), "slow.new@example.org")
				confirmChange(b, old)
				return confirmChange(b, fresh)
			}), 409, "EMAIL_TAKEN", "",
		},
		{"a link that is none", byVisitor, map[string]string{"token": "x"}, 422, "INVALID_HASH", ""},
		{"a visitor", byVisitor, map[string]string{"code": "123456"}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/user-email/cancel", []answerCase{
		{"the reader", byOther, nil, 200, "", `"success":true`},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
		{"a link that is none", byVisitor, map[string]string{"token": strings.Repeat("A", 43)}, 422, "INVALID_HASH", ""},
	}},
}
