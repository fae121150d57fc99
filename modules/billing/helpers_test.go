package billing

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// env is an edition with its shop, and a payment provider that speaks to it over HTTP.
type env struct {
	t      *testing.T
	ctx    context.Context //nolint:containedctx // of the test's edition
	ed     *edition.Edition
	db     *db.DB
	shop   *Module
	box    *sandbox.Sandbox
	hosted *httptest.Server
	site   *httptest.Server
	routes atomic.Pointer[http.Handler] // of the site

	restored  int              // how often an older dump was
	addresses map[int64]string // of readers, where a test has its own

	mu     sync.Mutex
	emails []mail.Message
	refuse map[string]error // why an address takes no email
	logins []string         // address and way back of login mails
}

// Send implements Mailer.
func (p *env) Send(_ context.Context, l mail.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, sent := range p.emails {
		if sent.Key == l.Key {
			return nil
		}
	}
	if err := p.refuse[l.To]; err != nil {
		return err
	}
	p.emails = append(p.emails, l)
	return nil
}

func (p *env) sent(kind string) (list []mail.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.emails {
		if l.Kind == kind {
			list = append(list, l)
		}
	}
	return list
}

// Contact implements Contacts.
func (p *env) Contact(_ context.Context, readerID int64) (email, lang string, err error) {
	if own := p.addresses[readerID]; own != "" {
		return own, "sk", nil
	}
	return fmt.Sprintf("reader%d@example.org", readerID), "sk", nil
}

// Invited implements Contacts: reader 7 was.
func (p *env) Invited(_ context.Context, readerID int64) (bool, error) { return readerID == 7, nil }

// formerReader comes from the former site.
const formerReader = 900_009

// Legacy implements Contacts.
func (p *env) Legacy(_ context.Context, readerID int64) (bool, error) {
	return readerID == formerReader, nil
}

// PublicID implements Contacts: readers who have come after a restore have other ones.
func (p *env) PublicID(_ context.Context, readerID int64) (string, error) {
	if readerID > 1_000_000 {
		return "", event.ErrReaderLeft
	}
	return fmt.Sprintf("public-%d-%d", readerID, p.restored), nil
}

// ReaderOf implements Contacts, as Contact has it.
func (p *env) ReaderOf(_ context.Context, email string) (id int64, err error) {
	for id, own := range p.addresses {
		if own == email {
			return id, nil
		}
	}
	_, _ = fmt.Sscanf(email, "reader%d@example.org", &id)
	return id, nil
}

// PageText implements Pages.
func (p *env) PageText(_ context.Context, slug string) (title, html string, err error) {
	return "Podmienky", "<p>Text of " + slug + ".</p>", nil
}

// AskMail implements Logins.
func (p *env) AskMail(_ *gin.Context, email, referrer, _ string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.logins = append(p.logins, email+" "+referrer)
	return nil
}

var errEmail = fault.New(fault.Invalid, "INVALID_EMAIL")

// parseEmail stands in for identity's.
func parseEmail(s string) (string, error) {
	if !strings.Contains(s, "@") {
		return "", errEmail
	}
	return strings.ToLower(s), nil
}

const readerHeader = "X-Test-Reader"

func newEnv(t *testing.T, change ...func(*edition.Document)) *env {
	t.Helper()
	return newEnvs(t, 1, change...)[0]
}

// newEnvs makes editions of one database and one provider.
func newEnvs(t *testing.T, n int, change ...func(*edition.Document)) []*env {
	t.Helper()
	return newEnvsAt(t, sandbox.Options{}, n, change...)
}

// newEnvsAt is newEnvs with a provider that is set up in another way.
func newEnvsAt(t *testing.T, o sandbox.Options, n int, change ...func(*edition.Document)) []*env {
	t.Helper()
	gin.SetMode(gin.TestMode)
	ctxs, d := testkit.Editions(t, n, change...)
	o.Dir, o.Clock, o.WebhookDelay, o.Retries = t.TempDir(), testkit.Clock(d), 300*time.Millisecond, []time.Duration{}
	box, err := sandbox.New(o)
	if err != nil {
		t.Fatal(err)
	}
	hosted := httptest.NewServer(box.Handler())
	papers := make([]*env, n)
	for i := range papers {
		p := &env{t: t, ctx: ctxs[i], db: d, box: box, hosted: hosted}
		if p.ed, err = edition.From(p.ctx); err != nil {
			t.Fatal(err)
		}
		p.restart()
		p.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			(*p.routes.Load()).ServeHTTP(w, r)
		}))
		if err := box.AddAccount(sandbox.Account{
			SecretKey: p.keys().SecretKey, Name: p.ed.Name, WebhookURL: p.site.URL + "/webhooks/stripe",
			WebhookSecret: p.keys().WebhookSecret,
		}); err != nil {
			t.Fatal(err)
		}
		papers[i] = p
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
		hosted.Close()
		for _, p := range papers {
			p.site.Close()
		}
	})
	return papers
}

func (p *env) keys() stripe.Keys {
	return stripe.Keys{APIBase: p.box.BaseURL(), SecretKey: "sk_test_" + p.ed.ID, WebhookSecret: "whsec_" + p.ed.ID}
}

// restart begins the shop anew, as a process does; change sets what it works with.
func (p *env) restart(change ...func(*Deps)) {
	p.shop = p.module(change...)
	p.routes.Store(new(p.handler()))
}

// providerAt has a shop speak to the provider at another address.
func (p *env) providerAt(base string) func(*Deps) {
	keys := p.keys()
	keys.APIBase = base
	return func(d *Deps) { d.Provider = func(string) (stripe.Keys, error) { return keys, nil } }
}

// account speaks to the provider.
func (p *env) account() *stripe.Account {
	p.t.Helper()
	acc, err := stripe.NewAccounts(func(string) (stripe.Keys, error) { return p.keys(), nil }, nil).Account(p.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	return acc
}

func (p *env) module(change ...func(*Deps)) *Module {
	d := Deps{
		DB: p.db, Key: []byte(strings.Repeat("k", 32)), Contacts: p, Logins: p, Mailer: p,
		Provider: func(string) (stripe.Keys, error) {
			return p.keys(), nil
		}, ParseEmail: parseEmail, Pages: p,
	}
	for _, c := range change {
		c(&d)
	}
	m, err := New(d)
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// handler serves the shop; a header says who is signed in.
func (p *env) handler() http.Handler {
	r := gin.New()
	r.Use(func(c *gin.Context) {
		ctx := edition.With(c.Request.Context(), p.ed)
		if id, err := strconv.ParseInt(c.GetHeader(readerHeader), 10, 64); err == nil {
			ctx = session.With(ctx, session.Session{ID: id, ReaderID: id, Handle: fmt.Sprintf("handle-%d", id)})
		}
		c.Request = c.Request.WithContext(ctx)
	}, web.Claims)
	p.shop.Webhook(r)
	p.shop.Routes(r.Group("/", web.BodyLimit(64<<10)))
	return r
}

type answer struct {
	Status int
	Body   map[string]any
	Header http.Header
}

func (p *env) call(reader int64, method, path, contentType, body string) answer {
	p.t.Helper()
	return p.send(reader, method, path, contentType, body, "", "")
}

// ask is a GET with one more header.
func (p *env) ask(reader int64, path, header, value string) answer {
	p.t.Helper()
	return p.send(reader, http.MethodGet, path, "", "", header, value)
}

func (p *env) send(reader int64, method, path, contentType, body, header, value string) answer {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.ctx, method, p.site.URL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	if header != "" {
		req.Header.Set(header, value)
	}
	if reader != 0 {
		req.Header.Set(readerHeader, strconv.FormatInt(reader, 10))
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	a := answer{Status: res.StatusCode, Header: res.Header}
	_ = json.NewDecoder(res.Body).Decode(&a.Body)
	return a
}

func (p *env) post(reader int64, path, body string) answer {
	p.t.Helper()
	return p.call(reader, http.MethodPost, path, "application/json", body)
}

// order asks for a checkout and returns its address.
func (p *env) order(reader int64, product string) string {
	p.t.Helper()
	a := p.post(reader, "/fns/stripe-payment",
		fmt.Sprintf(`{"user_token":"","product_type":%q,"payment_method":"card","referrer":"/1/clanok"}`, product))
	data, _ := a.Body["data"].(map[string]any)
	to, _ := data["redirect"].(string)
	if a.Status != 200 || to == "" {
		p.t.Fatalf("no checkout: %d %v", a.Status, a.Body)
	}
	return to
}

// Cards of the sandbox.
const (
	goodCard     = "4242 4242 4242 4242"
	declinedCard = "4000 0000 0000 0002"
	askingCard   = "4000 0025 0000 3155"
	laterCard    = "4000 0000 0000 0341" // can be saved, fails when it is charged
	disputedCard = "4000 0000 0000 0259" // its payments are disputed at once
	inquiryCard  = "4000 0000 0000 1976" // the bank asks about its payments at once
)

// submit posts a form of the hosted pages and returns the answer without following it.
func (p *env) submit(address string, form url.Values) (*http.Response, string) {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.hosted.URL+u.Path, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res, string(body)
}

func card(number string) url.Values {
	return url.Values{
		"action": {"pay"}, "number": {number}, "expiry": {"12/40"}, "cvc": {"123"}, "name": {"Eva Nová"},
		"email": {"eva@example.org"},
	}
}

// buy pays a checkout and returns where the customer is sent.
func (p *env) buy(address, number string) string {
	p.t.Helper()
	res, body := p.submit(address, card(number))
	if res.StatusCode != http.StatusSeeOther && res.StatusCode != http.StatusFound {
		p.t.Fatalf("paying with %s: %d\n%.2000s", number, res.StatusCode, body)
	}
	to := res.Header.Get("Location")
	for range 3 { // the paid page sends the customer on
		if !strings.HasPrefix(to, "/") {
			break
		}
		to = p.follow(to)
	}
	return to
}

func (p *env) follow(path string) string {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.hosted.URL+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.Header.Get("Location")
}

// work does what the outbox asks for, until nothing is left.
func (p *env) work() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	if err := p.box.Flush(ctx); err != nil {
		p.t.Fatal(err)
	}
	listeners := event.Registry{}
	p.shop.Listen(listeners)
	for {
		var jobs []struct {
			ID      int64
			Event   string
			Payload json.RawMessage
		}
		p.view(func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT id, event, payload FROM outbox WHERE done_at IS NULL AND dead_at IS NULL AND due_at <= ? "+
				"ORDER BY id", tx.Now).
				Scan(ctx, &jobs)
		})
		if len(jobs) == 0 {
			break
		}
		for _, j := range jobs {
			for _, listen := range listeners[j.Event] {
				if err := listen(p.ctx, j.Payload); err != nil {
					p.t.Fatalf("%s %s: %v", j.Event, j.Payload, err)
				}
			}
			p.view(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.NewRaw("UPDATE outbox SET done_at = ? WHERE id = ?", tx.Now, j.ID).Exec(ctx)
				return err
			})
		}
	}
	p.shop.Access.ForgetAll() // what a notice would do
}

func (p *env) view(fn func(context.Context, db.Tx) error) {
	p.t.Helper()
	if err := p.db.Run(p.ctx, fn); err != nil {
		p.t.Fatal(err)
	}
}

// advance moves the clock of the paper and of the provider.
func (p *env) advance(d time.Duration) {
	p.t.Helper()
	if err := p.box.Advance(testkit.Clock(p.db).Advance(d)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *env) standing(reader int64) (until time.Time, product string, trial, due bool) {
	p.t.Helper()
	end, err := p.shop.Access.End(p.ctx, reader)
	if err != nil {
		p.t.Fatal(err)
	}
	return end.At, end.Product, end.Trial(), end.NoticeDue
}

func (p *env) subscriptions(reader int64) (list []access.Subscription) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		list, err = access.Select(ctx, tx, "reader_id = ? ORDER BY id", reader)
		return err
	})
	return list
}

func (p *env) count(query string, args ...any) (n int) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query, args...).Scan(ctx, &n) })
	return n
}

// api asks the provider itself, as its own desk would.
func (p *env) api(method, path string, form url.Values) map[string]any {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.ctx, method, p.box.BaseURL()+"/v1/"+path,
		bytes.NewBufferString(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	req.SetBasicAuth(p.keys().SecretKey, "")
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var body map[string]any
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil || res.StatusCode >= 300 {
		p.t.Fatalf("%s %s: %d %v %v", method, path, res.StatusCode, body, err)
	}
	return body
}

func (p *env) listed(path string) []map[string]any {
	p.t.Helper()
	data, _ := p.api(http.MethodGet, path, nil)["data"].([]any)
	list := make([]map[string]any, len(data))
	for i := range data {
		list[i], _ = data[i].(map[string]any)
	}
	return list
}

// paid lists the amounts of paid invoices, newest first.
func (p *env) paid() (amounts []int64) {
	p.t.Helper()
	for _, in := range p.listed("invoices?status=paid&limit=100") {
		amount, _ := in["amount_paid"].(float64)
		amounts = append(amounts, int64(amount))
	}
	return amounts
}

// fault has the provider fail.
func (p *env) fault(f sandbox.Faults) {
	p.t.Helper()
	if err := p.box.SetFaults(f); err != nil {
		p.t.Fatal(err)
	}
}

// sandboxDown answers every call of the API with an error.
var sandboxDown = sandbox.Faults{API: "500"}

// sandboxSilent reports nothing.
var sandboxSilent = sandbox.Faults{Webhooks: "drop"}

// sandboxUp ends all faults.
var sandboxUp = sandbox.Faults{Webhooks: "none", API: "none"}
