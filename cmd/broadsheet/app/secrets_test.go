package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/sandbox/mailbox"
)

// journal is all that was logged while a test ran.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// keepJournal makes a journal the program's log, down to its last detail. What is printed past slog lands there too, as
// the standard logger does.
func keepJournal(t *testing.T) *journal {
	t.Helper()
	j, before := &journal{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	return j
}

// canaries are what no log may hold, by what they are.
type canaries map[string]string

var linkHash = regexp.MustCompile(`#hash=([\w-]{20,})`)

// email remembers the secrets of a login mail.
func (k canaries) rememberEmail(m mailbox.Message) (code, hash string) {
	if found := linkHash.FindStringSubmatch(m.Text); found != nil {
		hash = found[1]
	}
	k["code of "+m.ID], k["link of "+m.ID] = m.Code, hash
	return m.Code, hash
}

// cookies remembers what a browser has got, under its own name.
func (k canaries) cookies(who string, b *browser) map[string]string {
	got := map[string]string{}
	u, _ := url.Parse(b.origin)
	for _, c := range b.client.Jar.Cookies(u) {
		got[c.Name] = c.Value
		if c.Name != "welcome" && c.Name != "passkey_offer" { // they say what to show a reader, and nothing else
			k[who+"'s cookie "+c.Name] = c.Value
		}
	}
	return got
}

// numbers are fields of a line in which any six digits can stand.
var numbers = regexp.MustCompile(`\b(?:took|bytes)=\S+`)

// sought matches a secret as it is and as it stands in an address; six digits only where they are a word, and also as
// emails group them.
func sought(secret string) *regexp.Regexp {
	if len(secret) == 6 {
		return regexp.MustCompile(`\b` + secret[:3] + `(?: |\+|%20)?` + secret[3:] + `\b`)
	}
	return regexp.MustCompile(`(?i)` + regexp.QuoteMeta(secret) + `|` + regexp.QuoteMeta(url.QueryEscape(secret)))
}

// absent fails for every canary that a text holds.
func (k canaries) absent(t *testing.T, text string) {
	t.Helper()
	text = numbers.ReplaceAllString(text, "")
	for what, secret := range k {
		if len(secret) < 6 {
			t.Errorf("%s is %q: too short to be looked for", what, secret)
			continue
		}
		at := sought(secret).FindStringIndex(text)
		if at == nil {
			continue
		}
		line := text[strings.LastIndexByte(text[:at[0]], '\n')+1:]
		line, _, _ = strings.Cut(line, "\n")
		t.Errorf("%s stands in the log: %.600s", what, line)
	}
}

// pgWithPassword is a server whose address holds a password.
func pgWithPassword(t *testing.T, password string) (*postgres.Server, string) {
	t.Helper()
	ctx := context.Background()
	// It is killed.
	pg, err := postgres.Start(ctx,
		postgres.Options{Ephemeral: true, Log: slog.Default(), Settings: map[string]string{"synchronous_commit": "on"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Stop(ctx) })
	if err := pg.EnsureDatabase(ctx, database); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(pg.DSN(database))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), password)
	return pg, u.String()
}

// Whatever a reader, the payment provider, a scanner or a failure does: no log line holds a code, a link, a session, an
// address of a person, or a key of the paper's own.
func TestNoSecretIsLogged(t *testing.T) {
	log := keepJournal(t)
	k := canaries{
		"the root secret": "canary-root-secret-7f3a91c2-0123456789", "the database's password": "canary-database-password",
		"a reader's address": "canary.reader@example.org", "another's address": "canary.other@example.org",
		"a refused address":             "canary.refused@example.org",
		"an address of another edition": "canary.abroad@example.org", "the payer's address": "payer@example.org",
		"a searched address": "canary.searched@example.org", "a subscriber's address": "canary.subscriber@example.org",
		"a comment": "canary words of a comment", "a forged signature": "canaryforgedsignature",
		"a reported token": "canary-reported-token", "a client secret": "canary_client_secret",
	}
	pg, dsn := pgWithPassword(t, k["the database's password"])
	t.Setenv("BROADSHEET_SECRET", k["the root secret"])
	t.Setenv("BROADSHEET_DATABASE_URL", dsn)
	p := startApp(t)
	k["Redis' password"] = p.redis.Password()
	for _, ed := range p.app.registry.All() {
		keys, _ := p.keys(ed.ID)
		k["payment key of "+ed.ID], k["webhook secret of "+ed.ID] = keys.SecretKey, keys.WebhookSecret
		k["database password of "+ed.ID] = p.cfg.Password("database", ed.ID)
	}
	key := p.cfg.Key("identity", "")
	k["identity's key"], k["identity's key in hexadecimal"] = base64.RawURLEncoding.EncodeToString(key),
		hex.EncodeToString(key)
	p.publish(1, true)

	d := &trackedApp{testApp: p, t: t, k: k, log: log, pg: pg}
	for _, flow := range []struct {
		name string
		run  func(*trackedApp)
	}{
		{"newsletters", (*trackedApp).newsletters}, // first: a command knows nothing of a clock that was moved
		{"registration by code", (*trackedApp).registerByCode},
		{"login by link", (*trackedApp).loginByLink},
		{"a purchase", (*trackedApp).purchase},
		{"a forged webhook", (*trackedApp).forgedWebhook},
		{"a discussion and the answers to documents", (*trackedApp).discuss},
		{"reports of a browser", (*trackedApp).reports},
		{"scanners", (*trackedApp).scan},
		{"a refused email", (*trackedApp).refusedEmail},
		{"without Redis", (*trackedApp).withoutRedis},
		{"without the provider", (*trackedApp).withoutProvider},
		{"a failing statement", (*trackedApp).failingStatement},
		{"a database that dies", (*trackedApp).dyingDatabase},
		{"without a renderer", (*trackedApp).withoutRenderer},
		{"commands", (*trackedApp).commands},
		{"logout", (*trackedApp).logout},
	} {
		before := len(log.String())
		flow.run(d)
		if t.Failed() {
			t.Fatalf("%s did not go as it should", flow.name)
		}
		if len(log.String()) == before {
			t.Errorf("%s left no line in the log", flow.name)
		}
	}
	text := log.String()
	for _, line := range []string{
		"path=/fns/user-login .*status=200", "path=/fns/user-login .*status=500",
		"path=/api/login-code-validation .*status=200", "path=/api/login-code-validation .*status=422",
		"path=/api/security-login .*status=200", `path="/user/me/\?user_hash=-" .*status=200`,
		"path=/api/logout .*status=200", "path=/fns/stripe-payment .*status=200", "path=/webhooks/stripe .*status=200",
		"path=/webhooks/stripe .*status=400", "path=/fns/logtail .*status=200", "path=/fns/logs-put .*status=200",
		`/no/such/page\?`, `/user/exists\?email=-`, `msg="an error in a browser"`, `msg="request failed"`,
		`msg="session opened"`, `msg="an email was refused"`,
		`msg="the queue is away`, `msg="no checkout"`, `msg="render failed"`, `msg="database died"`,
	} {
		if !regexp.MustCompile(line).MatchString(text) {
			t.Errorf("the log does not say %s", line)
		}
	}
	k.absent(t, text)
}
