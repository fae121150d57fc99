package identity

import (
	"errors"
	"testing"
	"time"
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
	capped := func(a *attempt) { a.Tries = triesPerCode }
	uninvited := func(a *attempt) { a.Purpose = Uninvited }
	for name, c := range map[string]struct {
		a                  *attempt
		right, older, many bool
		code, link         error
	}{
		"right":       {a: fresh(), right: true},
		"wrong":       {a: fresh(), code: ErrInvalidCode},
		"never asked": {code: ErrInvalidCode, link: ErrInvalidHash},
		"used before all": {
			a: fresh(used, superseded, expired, capped), right: true, older: true, many: true,
			code: ErrCodeUsed, link: ErrTokenUsed,
		},
		"superseded before expired": {
			a: fresh(superseded, expired, capped), older: true, many: true,
			code: ErrNotLastToken, link: ErrNotLastToken,
		},
		"expired before too many": {
			a: fresh(expired, capped), right: true, many: true, code: ErrExpiredToken,
			link: ErrExpiredToken,
		},
		"too many before wrong":           {a: fresh(capped), code: ErrTooManyAttempts},
		"too many, though right":          {a: fresh(capped), right: true, code: ErrTooManyAttempts},
		"address capped, though right":    {a: fresh(), right: true, many: true, code: ErrTooManyAttempts},
		"at the last moment":              {a: fresh(func(a *attempt) { a.ExpiresAt = now.Add(1) }), right: true},
		"a mail without anything to open": {a: fresh(uninvited), right: true, code: ErrInvalidCode, link: ErrInvalidHash},
	} {
		if err := c.a.judgeCode(now, c.right, c.older, c.many); !errors.Is(err, c.code) {
			t.Errorf("%s: code: %v, want %v", name, err, c.code)
		}
		if err := c.a.judgeLink(now); !errors.Is(err, c.link) {
			t.Errorf("%s: link: %v, want %v", name, err, c.link)
		}
	}
}

func TestSecretsAreIndependentAndRepeatable(t *testing.T) {
	t.Parallel()
	s, other := secrets{[]byte("0123456789abcdef0123456789abcdef")}, secrets{[]byte("fedcba9876543210fedcba9876543210")}
	nonce, second := []byte("a nonce"), []byte("another")
	again := secrets{[]byte(string(s.key))} // another process
	if s.link("a", nonce) != again.link("a", nonce) || s.code("a", nonce) != again.code("a", nonce) {
		t.Error("a second try of the mail would carry other secrets")
	}
	seen := map[string]bool{}
	for _, link := range []string{s.link("a", nonce), s.link("a", second), s.link("b", nonce), other.link("a", nonce)} {
		if seen[link] || !isSecret(link) {
			t.Errorf("link %q repeats or is malformed", link)
		}
		seen[link] = true
	}
	if string(s.codeHash("a", nonce, "000000")) == string(s.codeHash("a", second, "000000")) {
		t.Error("equal codes of two mails have equal hashes")
	}
	counts := map[byte]int{}
	for i := range 2000 {
		code := s.code("a", []byte{byte(i), byte(i >> 8)})
		if cleanCode(code) != code {
			t.Fatalf("code %q", code)
		}
		counts[code[0]]++
	}
	for d := byte('0'); d <= '9'; d++ {
		if counts[d] < 120 || counts[d] > 280 {
			t.Errorf("%d of 2000 codes begin with %c", counts[d], d)
		}
	}
}

func TestCleanCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"123456": "123456", " 123 456 ": "123456", "123-456": "123456", "123\u00a0456": "123456",
		"12345": "", "1234567": "", "12345a": "", "１２３４５６": "", "": "", "12 34": "",
	} {
		if got := cleanCode(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"jana@example.org": "j•••@example.org", "a@b.example": "a•••@b.example"} {
		if got := maskEmail(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
