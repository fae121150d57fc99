package identity

import (
	"errors"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/secret"
)

func TestJudges(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	fresh := func(change ...func(*attempt)) *attempt {
		a := &attempt{Purpose: Login, ExpiresAt: now.Add(time.Minute)}
		for _, f := range change {
			f(a)
		}
		return a
	}
	used := func(a *attempt) { a.CodeUsedAt, a.LinkUsedAt = &now, &now }
	superseded := func(a *attempt) { a.SupersededAt = &now }
	expired := func(a *attempt) { a.ExpiresAt = now }
	capped := func(a *attempt) { a.Tries = secret.MaxTries }
	uninvited := func(a *attempt) { a.Purpose = Uninvited }
	for name, c := range map[string]struct {
		a                  *attempt
		right, older, many bool
		code, link         error
	}{
		"right":       {a: fresh(), right: true},
		"wrong":       {a: fresh(), code: secret.ErrInvalidCode},
		"never asked": {code: secret.ErrInvalidCode, link: secret.ErrInvalidHash},
		"used before all": {
			a: fresh(used, superseded, expired, capped), right: true, older: true, many: true,
			code: secret.ErrCodeUsed, link: secret.ErrTokenUsed,
		},
		"superseded before expired": {
			a: fresh(superseded, expired, capped), older: true, many: true,
			code: secret.ErrNotLastToken, link: secret.ErrNotLastToken,
		},
		"expired before too many": {
			a: fresh(expired, capped), right: true, many: true, code: secret.ErrExpiredToken,
			link: secret.ErrExpiredToken,
		},
		"too many before wrong":        {a: fresh(capped), code: secret.ErrTooManyAttempts},
		"too many, though right":       {a: fresh(capped), right: true, code: secret.ErrTooManyAttempts},
		"address capped, though right": {a: fresh(), right: true, many: true, code: secret.ErrTooManyAttempts},
		"at the last moment":           {a: fresh(func(a *attempt) { a.ExpiresAt = now.Add(1) }), right: true},
		"a mail without anything to open": {
			a: fresh(uninvited), right: true, code: secret.ErrInvalidCode,
			link: secret.ErrInvalidHash,
		},
	} {
		if err := c.a.codeRefusal(now, c.right, c.older, c.many); !errors.Is(err, c.code) {
			t.Errorf("%s: code: %v, want %v", name, err, c.code)
		}
		if err := c.a.linkRefusal(now); !errors.Is(err, c.link) {
			t.Errorf("%s: link: %v, want %v", name, err, c.link)
		}
	}
}
