package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// fakes is all that the module asks of others.
type fakes struct {
	mu          sync.Mutex
	emails      []mail.Message
	begun       []int64
	entitlement Entitlement
	agreed      string
	moved       []string
	atForms     []string
	dataHolders []privacy.Part
}

func (o *fakes) Send(_ context.Context, l mail.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.emails = append(o.emails, l)
	return nil
}

func (o *fakes) BeginTrial(_ context.Context, id int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun = append(o.begun, id)
	return nil
}

func (o *fakes) Moved(_ context.Context, id int64, from, to string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.moved = append(o.moved, fmt.Sprint(id, " ", from, " ", to))
	return nil
}

func (o *fakes) AgreedAtForm(_ *gin.Context, id int64, documents string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.atForms = append(o.atForms, fmt.Sprint(id, " ", documents))
	return nil
}

func (o *fakes) Entitlement(context.Context, int64) (Entitlement, error) { return o.entitlement, nil }
func (o *fakes) Agreed(context.Context, int64) (string, error)           { return o.agreed, nil }

// env is a module on a fresh edition.
type env struct {
	*Module
	*fakes
	t        testing.TB
	ctx      context.Context
	listens  event.Registry
	fromHome Visitor
}

const home = "home-browser-cookie-of-thirty-two-byt"

func newEnv(t testing.TB, change ...func(*edition.Document)) *env {
	t.Helper()
	ctx, d := testkit.Edition(t, change...)
	return newEnvOn(ctx, t, d)
}

func newEnvOn(ctx context.Context, t testing.TB, d *db.DB) *env {
	t.Helper()
	o := &fakes{agreed: "undefined"}
	var m *Module
	m, err := New(Deps{
		DB: d, Key: []byte("a key of the tests, 32 bytes long"), Cookies: web.Cookies{Secure: true}, Mailer: o,
		Entitlements: o,
		Terms:        o, Agreements: o, Trials: o, Followers: o,
		DataHolders: func() []privacy.Part { return o.dataHolders },
		Profile:     func() []page.Part { return m.Profile() }, Focus: func() []page.Part { return m.Focus() },
	})
	if err != nil {
		t.Fatal(err)
	}
	k := &env{
		Module: m, fakes: o, t: t, ctx: ctx, listens: event.Registry{},
		fromHome: Visitor{Network: "192.0.2.1", Browser: home},
	}
	m.Listen(k.listens)
	return k
}

// work does what the outbox asks of this module.
func (k *env) work() {
	k.t.Helper()
	var rows []struct {
		Event   string
		Payload json.RawMessage
	}
	err := k.db.InTx(k.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("UPDATE outbox SET done_at = ? WHERE done_at IS NULL RETURNING event, payload", tx.Now).
			Scan(ctx, &rows)
	})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, r := range rows {
		for _, fn := range k.listens[r.Event] {
			if err := fn(k.ctx, r.Payload); err != nil {
				k.t.Fatal(err)
			}
		}
	}
}

// receivedEmail is what a reader finds in the mailbox.
type receivedEmail struct {
	mail.Message
	code, link string
}

var (
	sixDigits = regexp.MustCompile(`^\d{6}$`)
	linkHash  = regexp.MustCompile(`#hash=(.+)$`)
)

func read(l mail.Message) receivedEmail {
	r := receivedEmail{Message: l}
	for _, b := range l.Blocks {
		if sixDigits.MatchString(b.Text) {
			r.code = b.Text
		}
		if m := linkHash.FindStringSubmatch(b.URL); m != nil {
			r.link = m[1]
		}
	}
	return r
}

// ask asks for a mail and returns the newest email.
func (k *env) ask(email string) receivedEmail {
	k.t.Helper()
	before := len(k.emails)
	if _, err := k.Ask(k.ctx,
		Asked{Email: email, Referrer: "/1/clanok", Browser: home, Network: "192.0.2.1"}); err != nil {
		k.t.Fatal(err)
	}
	k.work()
	if len(k.emails) != before+1 {
		k.t.Fatalf("%d emails were sent instead of one", len(k.emails)-before)
	}
	return read(k.emails[before])
}

func (k *env) wait(d time.Duration) { testkit.Clock(k.db).Advance(d) }

// countForEdition runs a query for one number.
func (k *env) count(query string, args ...any) (n int) {
	k.t.Helper()
	err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query, args...).Scan(ctx, &n) })
	if err != nil {
		k.t.Fatal(err)
	}
	return n
}

func (k *env) sessionsMade() int { return k.count("SELECT count(*) FROM identity_sessions") }

// wrong is a code that is not the given one.
func wrong(code string) string {
	return strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, code)
}
