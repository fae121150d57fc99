package identity

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

const jana = "jana@example.org"

func TestCodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(k *env, l *receivedEmail) // may replace the code that is typed
		want   error
	}{
		"right": {nil, nil},
		"pasted with a space": {func(_ *env, l *receivedEmail) {
			l.code = " " + l.code[:3] + " " + l.code[3:]
		}, nil},
		"wrong":      {func(_ *env, l *receivedEmail) { l.code = wrong(l.code) }, secret.ErrInvalidCode},
		"not a code": {func(_ *env, l *receivedEmail) { l.code = "abcdef" }, secret.ErrInvalidCode},
		"used": {func(k *env, l *receivedEmail) {
			if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil {
				k.t.Fatal(err)
			}
		}, secret.ErrCodeUsed},
		"of an earlier mail": {func(k *env, _ *receivedEmail) {
			k.wait(secret.ResendAfter)
			k.ask(jana)
		}, secret.ErrNotLastToken},
		"of another address": {func(k *env, l *receivedEmail) {
			l.code = wrong(l.code)
			k.ask("other@example.org")
		}, secret.ErrInvalidCode},
		"out of date":      {func(k *env, _ *receivedEmail) { k.wait(secret.TTL) }, secret.ErrExpiredToken},
		"right after four": {func(k *env, l *receivedEmail) { k.tryWrong(jana, l.code, 4, secret.ErrInvalidCode) }, nil},
		"right after five": {func(k *env, l *receivedEmail) {
			k.tryWrong(jana, l.code, 5, secret.ErrInvalidCode)
		}, secret.ErrTooManyAttempts},
		"after the link in another browser": {func(k *env, l *receivedEmail) {
			if _, _, err := k.OpenLink(k.ctx, l.link, true, Visitor{Network: "198.51.100.7"}); err != nil {
				k.t.Fatal(err)
			}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newEnv(t)
			l := k.ask(jana)
			if c.before != nil {
				c.before(k, &l)
			}
			before := k.sessionsMade()
			o, err := k.SignIn(k.ctx, jana, l.code, k.fromHome)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			made := k.sessionsMade() - before
			if (c.want == nil) != (made == 1) || made > 1 {
				t.Fatalf("%d sessions were made", made)
			}
			if c.want == nil && o.Referrer != "/1/clanok" {
				t.Errorf("referrer %q", o.Referrer)
			}
		})
	}
}

// tryWrong types wrong codes and wants the same answer to each.
func (k *env) tryWrong(email, code string, times int, want error) {
	k.t.Helper()
	for i := range times {
		if _, err := k.SignIn(k.ctx, email, wrong(code),
			Visitor{Network: fmt.Sprintf("203.0.113.%d", i), Browser: home}); !errors.Is(err, want) {
			k.t.Fatalf("try %d: %v, want %v", i+1, err, want)
		}
	}
}

func TestACappedCodeLeavesTheLink(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	l := k.ask(jana)
	k.tryWrong(jana, l.code, 5, secret.ErrInvalidCode)
	k.tryWrong(jana, l.code, 3, secret.ErrTooManyAttempts)
	if _, _, err := k.OpenLink(k.ctx, l.link, false, k.fromHome); err != nil {
		t.Fatal(err)
	}
}

func TestWrongCodesAreCountedAcrossMails(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	toNextHour := func() { // budgets begin at the full hour
		now := k.db.Now()
		k.wait(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
	}
	for k.db.Now().Hour() != 1 { // and the day's at midnight
		toNextHour()
	}
	k.tryWrong(jana, k.ask(jana).code, 5, secret.ErrInvalidCode)
	k.wait(secret.ResendAfter)
	k.tryWrong(jana, k.ask(jana).code, 5, secret.ErrInvalidCode)
	k.wait(secret.ResendAfter)
	l := k.ask(jana)
	if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); !errors.Is(err, secret.ErrTooManyAttempts) {
		t.Fatalf("the eleventh of an hour: %v", err)
	}
	if _, _, err := k.OpenLink(k.ctx, l.link, false, k.fromHome); err != nil {
		t.Fatalf("the link: %v", err)
	}
	for range 2 {
		toNextHour()
		k.tryWrong(jana, k.ask(jana).code, 5, secret.ErrInvalidCode)
	}
	toNextHour()
	if _, err := k.SignIn(k.ctx, jana, k.ask(jana).code, k.fromHome); !errors.Is(err, secret.ErrTooManyAttempts) {
		t.Fatalf("the twenty-first of a day: %v", err)
	}
	k.wait(24 * time.Hour)
	if _, err := k.SignIn(k.ctx, jana, k.ask(jana).code, k.fromHome); err != nil {
		t.Fatalf("the next day: %v", err)
	}
}

func TestVerifyingIsLimitedByNetwork(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for i := range attemptsOfNetwork.Max + 3 { // the window may turn meanwhile
		_, err := k.SignIn(k.ctx, fmt.Sprintf("a%d@example.org", i), "123456", Visitor{Network: "203.0.113.9"})
		if i < attemptsOfNetwork.Max && !errors.Is(err, secret.ErrInvalidCode) {
			t.Fatalf("try %d: %v", i+1, err)
		}
	}
	l := k.ask(jana)
	if _, err := k.SignIn(k.ctx, jana, l.code, Visitor{Network: "203.0.113.9", Browser: home}); !errors.Is(err,
		secret.ErrTooManyAttempts) {
		t.Fatal(err)
	}
	if _, err := k.SignIn(k.ctx, jana, l.code, Visitor{Network: "203.0.113.10", Browser: home}); err != nil {
		t.Fatal(err)
	}
}

func TestTwentyRightCodesMakeOneSession(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	l := k.ask(jana)
	var all sync.WaitGroup
	var mu sync.Mutex
	in, used := 0, 0
	for range 20 {
		all.Go(func() {
			_, err := k.SignIn(k.ctx, jana, l.code, k.fromHome)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				in++
			case errors.Is(err, secret.ErrCodeUsed):
				used++
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if in != 1 || used != 19 || k.sessionsMade() != 1 {
		t.Errorf("%d came in, %d were told that the code is used, %d sessions", in, used, k.sessionsMade())
	}
}

func TestTwentyWrongCodesSpendFiveTries(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	l := k.ask(jana)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { _, _ = k.SignIn(k.ctx, jana, wrong(l.code), Visitor{Network: fmt.Sprint(i), Browser: home}) })
	}
	all.Wait()
	if n := k.count("SELECT tries FROM identity_login_attempts"); n != secret.MaxTries {
		t.Errorf("%d tries", n)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	away := Visitor{Network: "198.51.100.7", Browser: secret.New()}
	for name, c := range map[string]struct {
		before    func(k *env, l *receivedEmail)
		from      *Visitor // nil: the browser that asked
		confirmed bool
		want      error
		asks      bool // for a yes
	}{
		"at home":              {},
		"elsewhere":            {from: &away, asks: true},
		"no cookie":            {from: &Visitor{Network: "x"}, asks: true},
		"elsewhere, confirmed": {from: &away, confirmed: true},
		"unknown": {before: func(_ *env, l *receivedEmail) {
			l.link = secret.New()
		}, want: secret.ErrInvalidHash},
		"malformed":        {before: func(_ *env, l *receivedEmail) { l.link = "x" + l.link }, want: secret.ErrInvalidHash},
		"the code as link": {before: func(_ *env, l *receivedEmail) { l.link = l.code }, want: secret.ErrInvalidHash},
		"of an earlier mail": {before: func(k *env, _ *receivedEmail) {
			k.wait(secret.ResendAfter)
			k.ask(jana)
		}, want: secret.ErrNotLastToken},
		"out of date": {before: func(k *env, _ *receivedEmail) { k.wait(secret.TTL) }, want: secret.ErrExpiredToken},
		"out of date elsewhere": {before: func(k *env, _ *receivedEmail) {
			k.wait(secret.TTL)
		}, from: &away, want: secret.ErrExpiredToken},
		"used": {before: func(k *env, l *receivedEmail) {
			if _, _, err := k.OpenLink(k.ctx, l.link, false, k.fromHome); err != nil {
				k.t.Fatal(err)
			}
		}, want: secret.ErrTokenUsed},
		"after the code": {before: func(k *env, l *receivedEmail) {
			if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil {
				k.t.Fatal(err)
			}
		}, from: &away, confirmed: true, want: secret.ErrTokenUsed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newEnv(t)
			l := k.ask(jana)
			if c.before != nil {
				c.before(k, &l)
			}
			v := k.fromHome
			if c.from != nil {
				v = *c.from
			}
			before := k.sessionsMade()
			o, masked, err := k.OpenLink(k.ctx, l.link, c.confirmed, v)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if c.asks != (masked == "j•••@example.org") || (masked != "" && o.Token != "") {
				t.Errorf("masked %q, token %q", masked, o.Token)
			}
			if made := k.sessionsMade() - before; (made == 1) != (c.want == nil && !c.asks) {
				t.Errorf("%d sessions were made", made)
			}
		})
	}
}

func TestMailsAreLimited(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	again := func(email, network string) error {
		_, err := k.Ask(k.ctx, Asked{Email: email, Browser: secret.New(), Network: network})
		k.work()
		return err
	}
	first := k.ask(jana)
	if err := again(jana, "192.0.2.2"); err != nil || len(k.emails) != 1 {
		t.Fatalf("within a minute: %v, %d emails", err, len(k.emails))
	}
	if _, _, err := k.OpenLink(k.ctx, first.link, false, k.fromHome); err != nil {
		t.Fatalf("the first link, after somebody else asked again: %v", err)
	}
	// What was used is no reason to wait.
	if err := again(jana, "192.0.2.2"); err != nil || len(k.emails) != 2 {
		t.Fatalf("after a login: %v, %d emails", err, len(k.emails))
	}
	now := k.db.Now()
	k.wait(now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)) // a new day
	sent := 0
	for hour := range 3 {
		for range 7 {
			k.wait(secret.ResendAfter)
			before := len(k.emails)
			err := again(jana, fmt.Sprintf("192.0.2.%d", 10+hour))
			if err != nil && !errors.Is(err, web.ErrTooMany) {
				t.Fatal(err)
			}
			if got := len(k.emails) - before; (err == nil) != (got == 1) {
				t.Fatalf("%v, yet %d emails", err, got)
			}
			sent += len(k.emails) - before
		}
		if want := []int{5, 10, 10}[hour]; sent != want {
			t.Fatalf("hour %d: %d mails of the day, want %d", hour+1, sent, want)
		}
		now := k.db.Now()
		k.wait(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
	}
	for i := range 22 {
		err := again(fmt.Sprintf("reader%d@example.org", i), "198.51.100.1")
		if (i < 20) != (err == nil) {
			t.Fatalf("mail %d of a network: %v", i+1, err)
		}
	}
}

// Many machines together, each within its own budgets, send no more mails and ask about no more addresses than ten
// times the usual.
func TestAnEditionIsNotFlooded(t *testing.T) {
	t.Parallel()
	k := newEnv(t, func(d *edition.Document) { d.Identity.Surge = 3 })
	for i := range 5 {
		address, network := fmt.Sprintf("reader%d@example.org", i), fmt.Sprintf("198.51.100.%d", i)
		var want error
		if i >= 3 {
			want = web.ErrTooMany
		}
		if _, err := k.Ask(k.ctx, Asked{Email: address, Browser: secret.New(), Network: network}); !errors.Is(err, want) {
			t.Errorf("mail %d: %v, want %v", i+1, err, want)
		}
		if _, err := k.Exists(k.ctx, address, network); !errors.Is(err, want) {
			t.Errorf("question %d: %v, want %v", i+1, err, want)
		}
	}
	if k.work(); len(k.emails) != 3 {
		t.Errorf("%d emails", len(k.emails))
	}
	k.wait(10 * time.Minute)
	k.ask("later@example.org")
}

// Who asks for a mail to an address that has just refused one is told so, instead of waiting for it; a day later one
// more is tried.
func TestAnAddressThatRefusesMail(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	err := k.db.InTx(k.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO mail_reports (dedupe_key, kind, hard, address, letter, message_id, at) VALUES
			('1', 'bounce', true, ?0, 'login', 'x', ?1);
			INSERT INTO mail_suppressions (address, reason, at) VALUES (?0, 'bounce', ?1)`, jana, tx.Now).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	again := func() error {
		_, err := k.Ask(k.ctx, Asked{Email: jana, Browser: secret.New(), Network: "192.0.2.2"})
		k.work()
		return err
	}
	if err := again(); !errors.Is(err, mail.ErrRefused) || len(k.emails) != 0 {
		t.Errorf("%v, %d emails", err, len(k.emails))
	}
	k.wait(24 * time.Hour)
	if err := again(); err != nil || len(k.emails) != 1 {
		t.Errorf("a day later: %v, %d emails", err, len(k.emails))
	}
}

// statements notes what is asked of the database.
type statements struct {
	mu  sync.Mutex
	all []string
}

func (s *statements) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

func (s *statements) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, e.QueryTemplate)
}

// literal is a value that was written into a statement.
var literal = regexp.MustCompile(`'[^']*'`)

// Two ways through the code would take two times; the same statements take the same.
func TestAskingTellsNothingOfAnAddress(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	l := k.ask(jana)
	if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil {
		t.Fatal(err)
	}
	ed, _ := edition.From(k.ctx)
	pool, err := k.db.Pool(ed.ID)
	if err != nil {
		t.Fatal(err)
	}
	notes := &statements{}
	pool.AddQueryHook(notes) //nolint:staticcheck // the only way to see statements of an open pool
	trace := func(email string) string {
		notes.all = nil
		if _, err := k.Ask(k.ctx, Asked{Email: email, Browser: home, Network: "192.0.2.50"}); err != nil {
			t.Fatal(err)
		}
		return literal.ReplaceAllString(strings.Join(notes.all, "\n"), "?")
	}
	known, unknown := trace(jana), trace("nobody@example.org")
	if known != unknown || !strings.Contains(known, "identity_readers") {
		t.Errorf("known:\n%s\n\nunknown:\n%s", known, unknown)
	}
	exists := func(email string) string {
		notes.all = nil
		if _, err := k.Exists(k.ctx, email, "192.0.2.51"); err != nil {
			t.Fatal(err)
		}
		return literal.ReplaceAllString(strings.Join(notes.all, "\n"), "?")
	}
	known, unknown = exists(jana), exists("nobody@example.org")
	if known != unknown || strings.Count(known, "rate_limits") < 3 || !strings.Contains(known, "identity_readers") {
		t.Errorf("whether there is a known one:\n%s\n\nan unknown one:\n%s", known, unknown)
	}
	k.work()
	kinds := []string{k.emails[1].Kind, k.emails[2].Kind}
	if fmt.Sprint(kinds) != "[login registration]" {
		t.Errorf("emails: %v", kinds)
	}
}

// Who is invited is told so once, where whoever invites does not say otherwise, and by an email that speaks of no
// account.
func TestInvitationsAreMailed(t *testing.T) {
	t.Parallel()
	k := newEnv(t, func(d *edition.Document) {
		d.Identity.Registration, d.Billing.Trial.For, d.Billing.Trial.Days = "invite", "invited", 28
	})
	invite := func(tell bool, addresses ...string) {
		t.Helper()
		if _, err := Invite(k.ctx, k.db, tell, addresses...); err != nil {
			t.Fatal(err)
		}
		k.work()
	}
	invite(false, "quiet@example.org")
	invite(true, "quiet@example.org")
	if len(k.emails) != 0 {
		t.Fatalf("mailed: %+v", k.emails)
	}
	for range 2 {
		invite(true, "Eva@example.org")
	}
	if len(k.emails) != 1 || k.emails[0].To != "eva@example.org" {
		t.Fatalf("mailed: %+v", k.emails)
	}
	ed, err := edition.From(k.ctx)
	if err != nil {
		t.Fatal(err)
	}
	text := mail.Text(ed, &k.emails[0])
	for _, want := range []string{"eva@example.org", "28 dní", "/account/registration", "pozývame"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "vášho účtu") {
		t.Errorf("it speaks of an account that there is not:\n%s", text)
	}
	if l := k.ask("eva@example.org"); l.Kind != "registration" || l.Why == "" {
		t.Errorf("%+v", l)
	}
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	k := newEnv(t, func(d *edition.Document) {
		d.Identity.Registration, d.Identity.Domains, d.Identity.DomainList = "invite", "block", []string{"blocked.example"}
	})
	l := k.ask(jana)
	if l.Kind != "uninvited" || l.code != "" || l.link != "" {
		t.Fatalf("%+v", l)
	}
	if strings.Contains(l.Blocks[1].Text, "mail.") {
		t.Errorf("no words: %q", l.Blocks[1].Text)
	}
	invite := func(addresses ...string) string {
		list, err := Invite(k.ctx, k.db, false, addresses...)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(list)
	}
	for addresses, want := range map[[2]string]string{
		{jana, "nobody"}:              `"nobody" is no address`,
		{jana, "eva@blocked.example"}: `"eva@blocked.example": the edition does not take this domain`,
		{"", "@"}:                     `"@" is no address`,
	} {
		if got := invite(addresses[:]...); !strings.Contains(got, want) {
			t.Errorf("%v: %s", addresses, got)
		}
	}
	// So the refused ones invited nobody.
	for _, want := range []string{"[{jana@example.org invited}]", "[{jana@example.org already invited}]"} {
		if got := invite(" JANA@example.org", "jana@EXAMPLE.org"); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	k.wait(secret.ResendAfter)
	l = k.ask(jana)
	if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil || l.Kind != "registration" {
		t.Fatalf("%v, a mail of %s", err, l.Kind)
	}
	if got := invite(jana); got != "[{jana@example.org already a reader}]" {
		t.Error(got)
	}
	for id, want := range map[int64]bool{1: true, 2: false} {
		if got, err := k.Invited(k.ctx, id); got != want || err != nil {
			t.Errorf("reader %d: invited %t, %v", id, got, err)
		}
	}
	k.wait(secret.ResendAfter)
	if l = k.ask(jana); l.Kind != "login" {
		t.Errorf("a reader got a mail of %s", l.Kind)
	}
}

func TestTheFirstLoginIsTold(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for i, want := range []string{"registration", "login"} {
		l := k.ask(jana)
		if l.Kind != want {
			t.Fatalf("mail %d is of %s", i+1, l.Kind)
		}
		if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil {
			t.Fatal(err)
		}
		k.work()
		k.wait(secret.ResendAfter)
	}
	if fmt.Sprint(k.begun) != "[1]" {
		t.Errorf("trials begun: %v", k.begun)
	}
	for event, want := range map[string]int{"identity.reader_registered": 1, "identity.reader_signed_in": 2} {
		if n := k.count("SELECT count(*) FROM outbox WHERE event = ?", event); n != want {
			t.Errorf("%s was told %d times", event, n)
		}
	}
	if email, lang, err := k.Contact(k.ctx, 1); email != jana || lang != "sk" || err != nil {
		t.Errorf("contact: %q %q %v", email, lang, err)
	}
	if _, _, err := k.Contact(k.ctx, 2); !errors.Is(err, event.ErrReaderLeft) {
		t.Errorf("nobody's contact: %v", err)
	}
}

// A number that is given out again, as after a restore of an older dump, is of somebody with another public id.
func TestAPublicIDIsOfOneReader(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	seen := map[string]bool{}
	for i, email := range []string{"lost@example.org", "lost@example.org", "new@example.org"} {
		err := k.db.InTx(k.ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.NewRaw("DELETE FROM identity_readers").Exec(ctx)
			if err == nil {
				_, err = tx.NewRaw("INSERT INTO identity_readers (id, email, created_at) OVERRIDING SYSTEM VALUE VALUES (1, ?, ?)",
					email, tx.Now).Exec(ctx)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		id, err := k.PublicID(k.ctx, 1)
		again, _ := k.PublicID(k.ctx, 1)
		if err != nil || len(id) != 36 || id != again || seen[id] {
			t.Errorf("%d: %q, then %q %v", i, id, again, err)
		}
		seen[id] = true
	}
	if _, err := k.PublicID(k.ctx, 2); !errors.Is(err, event.ErrReaderLeft) {
		t.Error(err)
	}
}

func TestNothingToLogInWithStandsInTheDatabase(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	l := k.ask(jana)
	o, err := k.SignIn(k.ctx, jana, l.code, k.fromHome)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{
		"identity_login_attempts", "identity_sessions", "identity_readers", "outbox",
		"rate_limits",
	} {
		for _, value := range []string{l.code, l.link, o.Token, home} {
			if n := k.count("SELECT count(*) FROM ? t WHERE t::text LIKE ?", bun.Ident(table), "%"+value+"%"); n != 0 {
				t.Errorf("%s holds %q", table, value)
			}
		}
	}
}

func TestTheEmail(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 3)
	for i, ctx := range ctxs {
		k := newEnvOn(ctx, t, d)
		l := k.ask(jana)
		ed, _ := edition.From(ctx)
		if !strings.HasPrefix(l.Subject, l.code[:3]+" "+l.code[3:]+" ") {
			t.Errorf("subject %q, code %q", l.Subject, l.code)
		}
		if l.To != jana || l.Key != "login:1" || l.ExpiresAt.Sub(k.db.Now()) > secret.TTL {
			t.Errorf("%+v", l.Message)
		}
		for _, b := range l.Blocks {
			if b.Kind == "button" && !strings.HasPrefix(b.URL, ed.Origin+"/security-check#hash=") {
				t.Errorf("link %q", b.URL)
			}
			if strings.Contains(b.Text, "mail.") || strings.Contains(b.Text, "<no value>") {
				t.Errorf("edition %d: %q", i, b.Text)
			}
		}
	}
}

func TestUselessMailsAreNotSent(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	ask := func() {
		if _, err := k.Ask(k.ctx, Asked{Email: jana, Browser: home, Network: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	k.wait(secret.ResendAfter)
	ask()
	k.work() // both: the first is superseded
	if len(k.emails) != 1 || k.emails[0].Key != "login:2" {
		t.Fatalf("%+v", k.emails)
	}
	k.wait(secret.ResendAfter)
	ask()
	k.wait(secret.TTL)
	k.work()
	if len(k.emails) != 1 {
		t.Error("a mail was sent that was out of date")
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	in := func(email string) (OpenedSession, context.Context) {
		t.Helper()
		o, err := k.SignIn(k.ctx, email, k.ask(email).code, k.fromHome)
		if err != nil {
			t.Fatal(err)
		}
		s, ok, err := k.Sessions.Authenticate(k.ctx, o.Token)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		return o, session.With(k.ctx, s)
	}
	lives := func(o OpenedSession) bool {
		t.Helper()
		_, ok, err := k.Sessions.Authenticate(k.ctx, o.Token)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	a1, ctx1 := in(jana)
	a2, ctx2 := in(jana)
	b, ctxB := in("boris@example.org")

	for _, token := range []string{"", "x", secret.New(), a1.Handle, a1.Token + "A"} {
		if _, ok, err := k.Sessions.Authenticate(k.ctx, token); ok || err != nil {
			t.Errorf("%q: %v %v", token, ok, err)
		}
	}
	list, err := k.Sessions.List(ctx1)
	if err != nil || len(list) != 2 || list[0].Current || !list[1].Current {
		t.Fatalf("%+v %v", list, err)
	}
	// Somebody else's is not to be ended, nor told from one that never was.
	for _, id := range []int64{list[0].ID, 999} {
		if _, err := k.Sessions.End(ctxB, id); err == nil || err.Error() != "INVALID_ARGS (id)" {
			t.Errorf("ending %d: %v", id, err)
		}
	}
	if !lives(a1) || !lives(a2) {
		t.Fatal("a stranger has ended a session")
	}
	if current, err := k.Sessions.End(ctx1, list[0].ID); current || err != nil || lives(a2) || !lives(a1) {
		t.Errorf("ending another of the own: %v %v", current, err)
	}
	if err := k.SignOut(ctx2); err != nil { // it is over already
		t.Error(err)
	}
	if err := k.SignOut(ctx1); err != nil || lives(a1) || !lives(b) {
		t.Errorf("logout: %v", err)
	}
	if err := k.SignOut(k.ctx); err != nil {
		t.Error(err)
	}
	// Idle and absolute ends.
	k.wait(sessions.IdleTTL - time.Hour)
	if !lives(b) {
		t.Fatal("ended before 30 days without use")
	}
	for range 2 {
		k.wait(sessions.IdleTTL - time.Hour)
		if !lives(b) {
			t.Fatal("ended though it was used")
		}
	}
	k.wait(4 * time.Hour)
	if lives(b) {
		t.Error("lives longer than 90 days")
	}
	c, _ := in("carla@example.org")
	k.wait(sessions.IdleTTL)
	if lives(c) {
		t.Error("lives after 30 days without use")
	}
	k.wait(2 * sessions.IdleTTL)
	testkit.Retain(k.ctx, t, k.db, k.Retentions())
	if k.sessionsMade() != 0 || k.count("SELECT count(*) FROM identity_login_attempts") != 0 {
		t.Errorf("%d sessions are left", k.sessionsMade())
	}
}

func TestALoginReplacesTheBrowsersSession(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	first, err := k.SignIn(k.ctx, jana, k.ask(jana).code, k.fromHome)
	if err != nil {
		t.Fatal(err)
	}
	s, _, _ := k.Sessions.Authenticate(k.ctx, first.Token)
	if _, err := k.SignIn(session.With(k.ctx, s), "boris@example.org", k.ask("boris@example.org").code,
		k.fromHome); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := k.Sessions.Authenticate(k.ctx, first.Token); ok {
		t.Error("the earlier session of this browser lives on")
	}
}

// Another process learns of an ended session by a notice; without one, within seconds.
func TestTheCacheForgets(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	other := newEnvOn(k.ctx, t, testkit.Process(t, k.db))
	ed, _ := edition.From(k.ctx)
	other.db.Attach(ed.ID, ed.Schema)
	for name, hear := range map[string]func(){
		"a notice":     func() { other.Sessions.Forget("1") },
		"a reset":      func() { other.Sessions.ForgetAll() },
		"no keys":      func() { other.Sessions.Forget() },
		"a strange id": func() { other.Sessions.Forget("x") },
		"time":         func() { k.wait(sessions.CacheTTL) },
	} {
		o, err := k.SignIn(k.ctx, jana, k.ask(jana).code, k.fromHome)
		if err != nil {
			t.Fatal(err)
		}
		s, ok, err := other.Sessions.Authenticate(k.ctx, o.Token)
		if !ok || err != nil {
			t.Fatal(name, ok, err)
		}
		if err := k.SignOut(session.With(k.ctx, s)); err != nil {
			t.Fatal(err)
		}
		if _, ok, _ := other.Sessions.Authenticate(k.ctx, o.Token); !ok {
			t.Fatalf("%s: nothing was remembered, so nothing is tested", name)
		}
		hear()
		if _, ok, _ := other.Sessions.Authenticate(k.ctx, o.Token); ok {
			t.Errorf("%s: an ended session is still remembered", name)
		}
		k.wait(time.Hour)
	}
}

func TestEditionsAreApart(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	a, b := newEnvOn(ctxs[0], t, d), newEnvOn(ctxs[1], t, d)
	la, lb := a.ask(jana), b.ask(jana)
	if la.code == lb.code || la.link == lb.link {
		t.Error("two editions sent the same secrets")
	}
	if _, err := b.SignIn(b.ctx, jana, la.code, b.fromHome); !errors.Is(err, secret.ErrInvalidCode) {
		t.Error(err)
	}
	if _, _, err := b.OpenLink(b.ctx, la.link, true, b.fromHome); !errors.Is(err, secret.ErrInvalidHash) {
		t.Error(err)
	}
	o, err := a.SignIn(a.ctx, jana, la.code, a.fromHome)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := a.Sessions.Authenticate(a.ctx, o.Token); !ok {
		t.Error("no session at home")
	}
	if _, ok, _ := a.Sessions.Authenticate(b.ctx, o.Token); ok {
		t.Error("a session of one edition opens another")
	}
}
