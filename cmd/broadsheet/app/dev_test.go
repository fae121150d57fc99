package app

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	stripeapi "github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/client"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
	"example.org/broadsheet/tenants"
)

// command runs one of the program, beside a running paper.
func (p *testApp) command(args ...string) (string, error) {
	p.t.Helper()
	return p.commandIn(context.Background(), args...)
}

func (p *testApp) commandIn(ctx context.Context, args ...string) (string, error) {
	p.t.Helper()
	var out bytes.Buffer
	c := NewCommand()
	c.PersistentPreRunE = nil // the log is the test's
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(append([]string{"--data", p.cfg.Data.Dir}, args...))
	err := c.ExecuteContext(ctx)
	return out.String(), err
}

// editedDocument is the first edition's document with one place changed.
func editedDocument(t *testing.T, from, to string) string {
	t.Helper()
	text, err := fs.ReadFile(tenants.FS, "standard.yaml")
	if err != nil || strings.Count(string(text), from) != 1 {
		t.Fatalf("%q stands %d times in the document: %v", from, strings.Count(string(text), from), err)
	}
	file := filepath.Join(t.TempDir(), "standard.yaml")
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// catalogue lists an edition's prices and coupons at the provider.
func (p *testApp) catalogue(id string) (names []string) {
	p.t.Helper()
	k, err := p.keys(id)
	if err != nil {
		p.t.Fatal(err)
	}
	api := client.New(k.SecretKey,
		stripeapi.NewBackendsWithConfig(&stripeapi.BackendConfig{URL: stripeapi.String(k.APIBase)}))
	prices := api.Prices.List(&stripeapi.PriceListParams{})
	for prices.Next() {
		names = append(names, prices.Price().LookupKey)
	}
	coupons := api.Coupons.List(&stripeapi.CouponListParams{})
	for coupons.Next() {
		names = append(names, coupons.Coupon().ID)
	}
	if prices.Err() != nil || coupons.Err() != nil {
		p.t.Fatal(prices.Err(), coupons.Err())
	}
	return names
}

// Who has moved the clock finds all that the provider had to say of that time said: nothing is still on its way.
func TestClockDeliversWebhooks(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	b := p.browser("standard")
	p.signIn(b, "payer@example.org")
	buy(t, b)
	if r := b.post("/_dev/clock", map[string]string{"advance": "0s"}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	before := len(p.stripe.Deliveries())
	// It holds them for a moment.
	if r := b.post("/_dev/stripe/faults", map[string]string{"webhooks": "shuffle"}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if r := b.post("/_dev/clock", map[string]string{"advance": "696h"}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	all := p.stripe.Deliveries()
	if before == 0 || len(all) <= before {
		t.Fatalf("%d messages, then %d: nothing was renewed", before, len(all))
	}
	for _, d := range all {
		if d.State != "delivered" {
			t.Errorf("%s is %s after %d attempts, %d %s", d.Type, d.State, d.Attempts, d.LastStatus, d.LastError)
		}
	}
}

// A paper that starts makes its prices known, and `edition check --apply` does so for what has changed since.
func TestPricesAreMadeKnown(t *testing.T) {
	p := startApp(t)
	for _, ed := range p.app.registry.All() {
		if got := p.catalogue(ed.ID); len(got) < 2 {
			t.Errorf("%s starts with %v", ed.ID, got)
		}
	}
	const full = "standard.product_yearly.full.eur.8900.1year"
	out, err := p.command("edition", "check", "--apply")
	if err != nil || !strings.Contains(out, "kept "+full) || strings.Contains(out, "created") {
		t.Errorf("nothing has changed: %v\n%s", err, out)
	}
	dearer := editedDocument(t, "amount: 8900", "amount: 9100")
	const made = "standard.product_yearly.full.eur.9100.1year"
	if out, err := p.command("edition", "check", dearer); err != nil || strings.Contains(out, made) {
		t.Errorf("without --apply: %v\n%s", err, out)
	}
	for _, state := range []string{"created ", "kept "} {
		if out, err := p.command("edition", "check", "--apply", dearer); err != nil || !strings.Contains(out, state+made) {
			t.Errorf("%s: %v\n%s", state, err, out)
		}
	}
	if got := strings.Join(p.catalogue("standard"), " "); !strings.Contains(got, made) || !strings.Contains(got, full) {
		t.Errorf("the provider has %s", got)
	}
	if out, err := p.command("edition", "check", "--apply", editedDocument(t, "amount: 8900", "amount: -1")); err == nil ||
		strings.Contains(out, "kept") {
		t.Errorf("a document that is wrong: %v\n%s", err, out)
	}
	t.Setenv("BROADSHEET_STRIPE_STANDARD_SECRET_KEY", "sk_test_wrong")
	t.Setenv("BROADSHEET_STRIPE_API_BASE", p.stripe.BaseURL())
	if out, err := p.command("edition", "check", "--apply", dearer); err == nil ||
		!strings.Contains(err.Error(), "standard: billing: ") ||
		!strings.Contains(err.Error(), "does not know the secret key") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a wrong key: %v\n%s", err, out)
	}
}

// `dev` takes what is configured: a database of the operator's own, without any other setting, and keys at the payment
// provider.
func TestDevTakesWhatIsConfigured(t *testing.T) {
	p := startApp(t)
	proxy := testkit.NewProxy(t, p.app.DB)
	own := p.app.DB.Config()
	if _, err := p.app.DB.Core().ExecContext(t.Context(), "CREATE DATABASE own_database"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("BROADSHEET_DATABASE_URL", proxy.DSN(own.User, "own_database"))
	t.Setenv("BROADSHEET_STRIPE_STANDARD_SECRET_KEY", "sk_test_own")
	t.Setenv("BROADSHEET_STRIPE_STANDARD_WEBHOOK_SECRET", "whsec_own")
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	keys := func(d *dev) {
		for id, want := range map[string]stripe.Keys{
			"standard":    {APIBase: cfg.Stripe.APIBase, SecretKey: "sk_test_own", WebhookSecret: "whsec_own"},
			"standard_at": SandboxKeys(p.stripe.BaseURL(), "standard_at"),
		} {
			if k, err := d.keys(id); err != nil || k != want {
				t.Errorf("%s: %+v, %v", id, k, err)
			}
		}
	}
	keys(&dev{cfg: cfg, stripe: p.stripe}) // the provider's own address beside the sandbox's
	cfg.Stripe.APIBase = p.stripe.BaseURL()
	cfg.Data.Dir, cfg.Web.Listen, cfg.Web.Admin = dir, "127.0.0.1:0", ""
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ready := false
	d := &dev{cfg: cfg, out: io.Discard, clock: &clock.Clock{}}
	d.ready = func() {
		ready = true
		keys(d)
		cancel()
	}
	if err := d.run(ctx, true); err != nil || !ready {
		t.Errorf("it started: %t; %v", ready, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil {
		t.Error("it has started a database of its own")
	}
}

// A page of elsewhere whose name was made to lead to this machine reads neither the mailbox nor the paper; and pages of
// others show our pictures and read our feeds, and nothing else.
func TestDevIsOfThisMachine(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	ask := func(host, path string) *http.Response {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, p.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer
	}
	for host, want := range map[string]int{
		"rebound.example": http.StatusMisdirectedRequest, "rebound.example:8080": http.StatusMisdirectedRequest,
		"sk.localhost": http.StatusOK, "localhost": http.StatusOK, "127.0.0.1": http.StatusOK,
	} {
		for _, path := range []string{"/_dev/mail", "/_dev/mail.json", "/_dev/clock", previewsPath} {
			if got := ask(host, path).StatusCode; got != want {
				t.Errorf("%s at %s: %d", path, host, got)
			}
		}
	}
	for path, want := range map[string]string{
		"/": "same-origin", "/api/page?url=/": "same-origin", "/assets/none.js": "same-origin",
		"/rss": "cross-origin", "/favicon.svg": "cross-origin", "/img/none": "cross-origin",
		"/media/none.mp4": "cross-origin",
	} {
		if got := ask("sk.localhost", path).Header.Get("Cross-Origin-Resource-Policy"); got != want {
			t.Errorf("%s is for %q", path, got)
		}
	}
	r, err := http.Post(p.url+web.ViolationsPath, "application/csp-report", strings.NewReader("{}"))
	if err != nil || r.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("a report at no edition: %v %v", r, err)
	}
	if r := p.browser("standard").post(web.ViolationsPath,
		map[string]any{"csp-report": map[string]string{}}); r.Status != http.StatusNoContent {
		t.Errorf("a report: %d %s", r.Status, r.Body)
	}
}

func TestANewDataFolderIsNamedOnce(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	dir := filepath.Join(t.TempDir(), "data")
	nameNewFolder(&out, dir)
	if !strings.Contains(out.String(), dir) || !strings.Contains(out.String(), "--data") {
		t.Errorf("got %q, want the folder and how to choose another", out.String())
	}
	out.Reset()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if nameNewFolder(&out, dir); out.Len() > 0 {
		t.Errorf("got %q for a folder that is there, want nothing", out.String())
	}
}
