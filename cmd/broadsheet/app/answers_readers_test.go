package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

func listsBody(names ...string) map[string]any {
	return map[string]any{"lists": names, "email": "letters@example.org"}
}

func messageBody(text string) map[string]string { return map[string]string{"text": text, "key": text} }

// asModerator is the answer to a reader who has the role.
func asModerator(do func(a *target, b *browser) response) func(*target) response {
	return func(a *target) response {
		const address = "moderator@example.org"
		if a.guard == nil {
			a.guard = a.away()
			a.login(a.guard, address)
			if out, err := a.command("discussion", "moderator", address, "--edition", a.id); err != nil {
				a.t.Fatal(err, out)
			}
			a.login(a.guard, address) // the new role has ended the session
		}
		return do(a, a.guard)
	}
}

// about is a call about the victim's comment.
func (a *target) about(b *browser, action string, body any) response {
	return b.post(fmt.Sprintf("/api/comment/%d/%s", a.victim.comment, action), body)
}

// whileHidden is the answer while the victim's comment is out of sight.
func whileHidden(do func(a *target) response) func(*target) response {
	return asModerator(func(a *target, b *browser) response {
		a.about(b, "hide", map[string]string{})
		defer a.about(b, "restore", map[string]string{})
		return do(a)
	})
}

var answersOfReaders = []callAnswers{
	{"GET /user/sessions", []answerCase{
		{"a reader", byOther, nil, 200, "", `"current":true`},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /user/sessions/end", []answerCase{
		{"all others", byOther, map[string]any{"others": true}, 200, "", `"success":true`},
		{"one of somebody else", byOther, func(a *target) any {
			return map[string]any{"id": a.victim.session}
		}, 400, "INVALID_ARGS", `"field":"id"`},
		{"one and all others", byOther, map[string]any{"id": 1, "others": true}, 400, "INVALID_ARGS", `"field":"others"`},
		{"a visitor", byVisitor, map[string]any{"id": 1}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /user/export", []answerCase{
		{"a reader", nil, withMailedCode("exports@example.org", func(_ *target, home *browser, code, _ string) response {
			enterCode(home, "exports@example.org", code)
			return home.post("/user/export", map[string]any{})
		}), 200, "", "data.json"},
		{
			"a day after the login", nil,
			withMailedCode("exports@example.org", func(a *target, home *browser, code, _ string) response {
				enterCode(home, "exports@example.org", code)
				a.advance(25 * time.Hour)
				return home.post("/user/export", map[string]any{})
			}), 403, "LOGIN_TOO_OLD", "",
		},
		{
			"too often", nil,
			withMailedCode("exports@example.org", func(_ *target, home *browser, code, _ string) (last response) {
				enterCode(home, "exports@example.org", code)
				for range 11 {
					last = home.post("/user/export", map[string]any{})
				}
				return last
			}), 429, "TOO_MANY_REQUESTS", "",
		},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /user/leave/ask", []answerCase{
		{"a reader", byOther, nil, 200, "", `"status":"sent"`},
		{"a reader, by a form", byOther, url.Values{}, 303, "EMAIL_SENT", "/account/profile?"},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /user/leave", []answerCase{
		{"without a code", byOther, map[string]string{}, 400, "INVALID_REQUIREMENT", `"field":"code"`},
		{"a code that is none", byOther, map[string]string{"code": "abc"}, 422, "INVALID_CODE", ""},
		{"a wrong one", nil, withLeaveCode("leaves@example.org", func(_ *target, b *browser, code string) response {
			return deleteAccount(b, wrongCode(code))
		}), 422, "INVALID_CODE", ""},
		{
			"the right one after five wrong ones", nil,
			withLeaveCode("leaves@example.org", func(_ *target, b *browser, code string) response {
				for _, guess := range wrongCodes(5, code) {
					deleteAccount(b, guess)
				}
				return deleteAccount(b, code)
			}), 429, "TOO_MANY_ATTEMPTS", "",
		},
		{"an old one", nil, withLeaveCode("leaves@example.org", func(a *target, b *browser, code string) response {
			a.advance(10 * time.Minute)
			return deleteAccount(b, code)
		}), 410, "ACCOUNT_NOT_DELETED", ""},
		{"the right one", nil, withLeaveCode("leaves@example.org", func(_ *target, b *browser, code string) response {
			return b.form("/user/leave", url.Values{"code": {code}})
		}), 303, "ACCOUNT_DELETED", "/?status="},
		{"a visitor", byVisitor, map[string]string{"code": "123456"}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/newsletters/subscribe", []answerCase{
		{"a visitor", byVisitor, listsBody("morning"), 200, "", `"success":true`},
		{"a reader", byOther, listsBody("morning"), 200, "", `"success":true`},
		{"no list", byVisitor, listsBody(), 400, "NEWSLETTER_MISSING", `"field":"lists"`},
		{
			"what is no address", byVisitor,
			map[string]any{"lists": []string{"morning"}, "email": "x"},
			422,
			"INVALID_EMAIL", "",
		},
		{"a mailbox that refuses", byVisitor, func(a *target) any {
			bounceMailbox(a, "bounces.too@example.org")
			return map[string]any{"lists": []string{"morning"}, "email": "bounces.too@example.org"}
		}, 422, "UNDELIVERABLE_EMAIL", ""},
		{"too often", nil, repeated(21, func(b *browser, i int) response {
			return b.post("/fns/newsletters/subscribe",
				map[string]any{"lists": []string{"morning"}, "email": fmt.Sprintf("l%d@example.org", i)})
		}), 429, "TOO_MANY_REQUESTS", ""},
	}},
	{
		"POST /fns/newsletters/confirm",
		[]answerCase{{"a link that is none", byVisitor, map[string]string{"token": "x"}, 410, "INVALID_LINK", ""}},
	},
	{
		"POST /fns/newsletters/settings-link",
		[]answerCase{{"a link that is none", byVisitor, map[string]string{"token": "x"}, 410, "INVALID_LINK", ""}},
	},
	{"GET /fns/newsletters/settings", []answerCase{
		{"a reader", byOther, nil, 200, "", `"lists"`},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /fns/newsletters/settings", []answerCase{
		{"a reader", byOther, listsBody("morning"), 200, "", `"success":true`},
		{"a link that is none", byVisitor, map[string]any{"token": "x", "lists": []string{}}, 410, "INVALID_LINK", ""},
		{"a visitor", byVisitor, listsBody("morning"), 401, "INVALID_TOKEN", ""},
	}},
	{
		"GET /fns/newsletters/leave",
		[]answerCase{{"a link that is none", byVisitor, url.Values{"token": {"x"}}, 302, "", "token=x"}},
	},
	{
		"POST /fns/newsletters/leave",
		[]answerCase{{"a link that is none", byVisitor, map[string]string{"token": "x"}, 410, "INVALID_LINK", ""}},
	},
	{"POST /api/discussion/{articleId}", []answerCase{
		{"a subscriber", byOwner, messageBody("Something new."), 200, "", `"id":`},
		{"who has not paid", byOther, messageBody("Something else."), 403, "SUBSCRIPTION_REQUIRED", ""},
		{"no words", byOwner, map[string]string{"text": " ", "key": "1"}, 422, "COMMENT_EMPTY", `"field":"text"`},
		{"too long", byOwner, messageBody(strings.Repeat("a", 2001)), 422, "COMMENT_TOO_LONG", `"max":2000`},
		{
			"three addresses", byOwner, messageBody("https://a.example https://b.example https://c.example"), 422,
			"TOO_MANY_LINKS", `"max":2`,
		},
		{
			"to a comment that never was", byOwner,
			map[string]any{"text": "An answer.", "key": "2", "parent": 987654},
			410,
			"COMMENT_GONE", "",
		},
		{"an article that never was", nil, func(a *target) response {
			return a.victim.post("/api/discussion/987654", messageBody("To nobody."))
		}, 404, "NOT_FOUND", ""},
		{"who is banned", nil, asModerator(func(a *target, b *browser) response {
			a.about(b, "ban", map[string]any{"days": 1, "reason": "rude"})
			defer a.about(b, "unban", map[string]string{})
			return a.victim.post("/api/discussion/1", messageBody("From who may not."))
		}), 403, "DISCUSSION_BANNED", `"until"`},
		{"too often", nil, func(a *target) (last response) {
			a.next(5 * time.Minute)
			for i := range 11 {
				last = a.victim.post("/api/discussion/1", messageBody(fmt.Sprint("The same again: ", i)))
			}
			return last
		}, 429, "TOO_MANY_REQUESTS", ""},
		{"a visitor", byVisitor, messageBody("From nobody."), 401, "INVALID_TOKEN", ""},
	}},
	{"POST /api/comment/{commentId}/edit", []answerCase{
		{"too late", byOwner, map[string]string{"text": "Not so."}, 410, "EDIT_TOO_LATE", ""},
		{"who has not paid", byOther, map[string]string{"text": "Not so."}, 403, "SUBSCRIPTION_REQUIRED", ""},
		{"a visitor", byVisitor, map[string]string{"text": "Not so."}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /api/comment/{commentId}/like", []answerCase{
		{"the own", byOwner, map[string]bool{"liked": true}, 400, "INVALID_ARGS", ""},
		{"who has not paid", byOther, map[string]bool{"liked": true}, 403, "SUBSCRIPTION_REQUIRED", ""},
		{"a visitor", byVisitor, map[string]bool{"liked": true}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /api/comment/{commentId}/report", []answerCase{
		{"a reader", byOther, map[string]string{"reason": "spam"}, 200, "", `"success":true`},
		{"for no reason", byOther, map[string]string{"reason": "taste"}, 400, "INVALID_ARGS", `"field":"reason"`},
		{"what is hidden", nil, whileHidden(func(a *target) response {
			return a.about(a.attacker, "report", map[string]string{"reason": "spam"})
		}), 410, "COMMENT_GONE", ""},
		{"a visitor", byVisitor, map[string]string{"reason": "spam"}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /api/comment/{commentId}/hide", []answerCase{
		{"a moderator", nil, asModerator(func(a *target, b *browser) response {
			return a.about(b, "hide", map[string]string{"reason": "rude"})
		}), 200, "", `"success":true`},
		{"a reader", byOther, map[string]string{}, 403, "NOT_MODERATOR", ""},
		{"a visitor", byVisitor, map[string]string{}, 401, "INVALID_TOKEN", ""},
	}},
	{"POST /api/comment/{commentId}/restore", []answerCase{
		{"a visitor", byVisitor, map[string]string{}, 401, "INVALID_TOKEN", ""},
		{"a moderator", nil, asModerator(func(a *target, b *browser) response {
			return a.about(b, "restore", map[string]string{})
		}), 200, "", `"success":true`},
		{"a reader", byOther, map[string]string{}, 403, "NOT_MODERATOR", ""},
	}},
	{"POST /api/comment/{commentId}/ban", []answerCase{
		{"a visitor", byVisitor, map[string]any{"days": 7, "reason": "x"}, 401, "INVALID_TOKEN", ""},
		{"for no days", nil, asModerator(func(a *target, b *browser) response {
			return a.about(b, "ban", map[string]any{"days": 0})
		}), 400, "INVALID_ARGS", `"field":"days"`},
		{"a reader", byOther, map[string]any{"days": 1}, 403, "NOT_MODERATOR", ""},
	}},
	{"POST /api/comment/{commentId}/unban", []answerCase{
		{"a visitor", byVisitor, map[string]string{}, 401, "INVALID_TOKEN", ""},
		{"a moderator", nil, asModerator(func(a *target, b *browser) response {
			return a.about(b, "unban", map[string]string{})
		}), 200, "", `"success":true`},
		{"a reader", byOther, map[string]string{}, 403, "NOT_MODERATOR", ""},
	}},
	{"POST /api/comment/{commentId}/remove", []answerCase{
		{"another's", byOther, nil, 410, "COMMENT_GONE", ""},
		{"the own", byOwner, nil, 200, "", `"success":true`},
		{"a visitor", byVisitor, nil, 401, "INVALID_TOKEN", ""},
	}},
	{"GET /user/me/", []answerCase{
		{"a host that is no edition's", nil, func(a *target) response {
			b := a.away()
			b.header.Set("X-Forwarded-Host", "sk.localhost")
			return b.do(http.MethodGet, "http://nowhere.localhost:"+a.port+"/user/me/", "", "")
		}, 421, "UNKNOWN_EDITION", ""},
	}},
}
