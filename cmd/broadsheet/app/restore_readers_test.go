package app

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// restored is a paper of `serve` and `work` as processes, of which a backup is made and restored. The payment provider,
// the mail server and Redis are not part of a backup: they know what happened after it.
type restored struct {
	*fleet
	ed       *edition.Edition
	provider *sandbox.Sandbox
	hosted   *httptest.Server // the provider's pages
}

func newRestored(t *testing.T, c *testkit.Cluster) *restored {
	t.Helper()
	r := &restored{ed: founded(t, c)}
	var err error
	mail, err := mailbox.New(mailbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mail.Close() })
	if r.provider,
		err = sandbox.New(sandbox.Options{Dir: t.TempDir(), Clock: &clock.Clock{}, Volatile: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.provider.Close() })
	r.hosted = httptest.NewServer(r.provider.Handler())
	t.Cleanup(r.hosted.Close)
	r.hosted.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	port := testkit.FreePort(t)
	r.fleet = &fleet{testApp: &testApp{t: t, dev: &dev{mail: mail, port: port}}}
	keys := SandboxKeys(r.provider.BaseURL(), r.ed.ID)
	if err := r.provider.AddAccount(sandbox.Account{
		SecretKey: keys.SecretKey, Name: r.ed.Name, WebhookURL: "http://" + r.ed.Hosts[0] + ":" + port + "/webhooks/stripe",
		WebhookSecret: keys.WebhookSecret, Location: r.ed.Location,
	}); err != nil {
		t.Fatal(err)
	}
	name := "BROADSHEET_STRIPE_" + strings.ToUpper(r.ed.ID)
	r.settings = []string{
		asProgram + "=1", "BROADSHEET_LOG_LEVEL=warn", "BROADSHEET_DATA_DIR=" + t.TempDir(),
		"BROADSHEET_SECRET=a secret that is good for tests, 0123456789",
		"BROADSHEET_REDIS_URL=" + r.startRedis(t), "BROADSHEET_MAIL_URL=" + mail.URL(), "BROADSHEET_WEB_PUBLIC_URL=http://" +
			"{host}:" + port, "BROADSHEET_WEB_STOP_DELAY=0s",
		"BROADSHEET_STRIPE_API_BASE=" + keys.APIBase, name + "_SECRET_KEY=" + keys.SecretKey, name + "_WEBHOOK_SECRET=" +
			keys.WebhookSecret, "BROADSHEET_VIES_API_BASE=http://127.0.0.1:1",
	}
	r.use(t, c)
	return r
}

// use has the processes that are started from now on work with a cluster's database.
func (r *restored) use(t *testing.T, c *testkit.Cluster) {
	t.Helper()
	r.first, r.settings = false, append(slices.Clip(r.settings), "BROADSHEET_DATABASE_URL="+c.DSN(t))
}

// started starts a process and waits until it is ready.
func (r *restored) started(t *testing.T, role string) *member {
	t.Helper()
	m := r.member(t, role)
	m.ready()
	return m
}

// registers signs an address in, for the first time.
func (r *restored) registers(t *testing.T, address string) *browser {
	t.Helper()
	b := (&process{t: t, port: r.port}).browser()
	r.signIn(b, address)
	return b
}

// buys pays for the monthly plan, and waits until the reader has it with its invoice.
func (r *restored) buys(t *testing.T, b *browser) {
	t.Helper()
	res, err := r.hosted.Client().PostForm(r.hosted.URL+order(t, b).RequestURI(), goodCard())
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	wait.Until(t, "the reader has what was paid for", func() bool { return subscribed(b) && len(b.invoices()) == 1 })
}

// tell has the provider send a message about a subscription.
func (r *restored) tell(t *testing.T, subscription string) {
	t.Helper()
	about := url.Values{"metadata[note]": {"told again"}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		r.provider.BaseURL()+"/v1/subscriptions/"+subscription, strings.NewReader(about.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Authorization", "Bearer "+SandboxKeys("", r.ed.ID).SecretKey)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatal("the provider answers ", res.Status)
	}
	if err := r.provider.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// says runs a command as operators do, and returns what it prints.
func (r *restored) says(t *testing.T, arguments ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, append(arguments, "--edition", r.ed.ID)...)
	cmd.Env = append(os.Environ(), r.settings...)
	out, err := cmd.Output()
	if err != nil {
		exit := &exec.ExitError{}
		_ = errors.As(err, &exit)
		t.Fatalf("%v: %v: %s", arguments, err, exit.Stderr)
	}
	return string(out)
}

type numbered struct {
	ID    int64
	Email string
}

// readers are all, with their numbers.
func readers(ctx context.Context, t *testing.T, d *db.DB) (list []numbered) {
	t.Helper()
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT id, email FROM identity_readers ORDER BY id").Scan(ctx, &list)
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// After the documented restore of an older backup, strangers register and have the numbers of readers who are lost.
// Whatever the provider says of those, and whatever is compared with it, nobody gets what a stranger has bought: it
// waits for a person. Who was in the backup has again what was bought after it.
func TestStrangersRegisterAfterARestore(t *testing.T) {
	t.Parallel()
	before, after, dir := testkit.NewCluster(t), testkit.NewCluster(t), t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r := newRestored(t, before)
	d := before.Open(t)
	d.Attach(r.ed.ID, r.ed.Schema)
	ctx := edition.With(t.Context(), r.ed)
	processes := []*member{r.started(t, "serve"), r.started(t, "work")}
	kept := r.registers(t, "kept@example.org")
	before.Run(t, dir, testkit.BackupCommands(t)...)

	lost := r.registers(t, "lost@example.org")
	r.registers(t, "lost-too@example.org")
	r.buys(t, lost)
	r.buys(t, kept)
	numbers := readers(ctx, t, d)
	var subscription string
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT s.provider_id FROM billing_subscriptions s JOIN identity_readers r ON r.id = s.reader_id "+
			"WHERE r.email = 'lost@example.org'").Scan(ctx, &subscription)
	}); err != nil {
		t.Fatal(err)
	}
	invoice := lost.pdf(t)
	if a := lost.get(invoice); a.Status != http.StatusOK {
		t.Fatalf("the invoice of who has bought: %d", a.Status)
	}
	for _, m := range processes {
		m.end()
	}

	after.Run(t, dir, testkit.RestoreCommands(t)...)
	r.use(t, after)
	d = after.Open(t)
	d.Attach(r.ed.ID, r.ed.Schema)
	aged := func() { // the nightly comparison is due
		if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.NewRaw("DELETE FROM billing_rounds").Exec(ctx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	compared := func() bool {
		return queryNumber(ctx, t, d, "SELECT count(*) FROM billing_rounds WHERE name = 'all' AND finished_at > "+
			"'2000-01-01'") == 1
	}
	aged()
	r.started(t, "serve")
	work := r.started(t, "work")
	strangers := []*browser{r.registers(t, "stranger@example.org"), r.registers(t, "stranger-too@example.org")}
	for i, one := range readers(ctx, t, d) {
		if one.ID != numbers[i].ID || (one.Email == numbers[i].Email) != (i == 0) {
			t.Fatalf("%v does not have the number of a lost reader, %v", one, numbers[i])
		}
	}
	wait.Until(t, "everything is compared with the provider", compared)
	work.end()
	for line := range strings.Lines(r.says(t, "review", "list")) { // by whoever came before the strangers
		if fields := strings.Fields(line); strings.Contains(line, subscription) {
			r.says(t, "review", "resolve", fields[0], "--reason", "it is looked at again")
		}
	}
	aged()
	r.tell(t, subscription)
	r.started(t, "work") // repairs what was found, compares again, and hears what the provider has said meanwhile
	wait.Until(t, "everything is compared with the provider again", compared)
	listed := ""
	wait.Until(t, "who was in the backup has what was bought, and what a lost reader has bought waits for a person, or "+
		"is somebody's", func() bool {
		listed = r.says(t, "review", "list")
		return subscribed(kept) && len(kept.invoices()) == 1 &&
			(strings.Contains(listed, subscription) || slices.ContainsFunc(strangers, subscribed))
	})
	if !strings.Contains(listed, "unknown_customer  "+subscription) {
		t.Errorf("%s is not listed:\n%s", subscription, listed)
	}
	for i, b := range strangers {
		if a := b.post("/fns/stripe-update-subscription", map[string]any{}); a.Status != http.StatusOK {
			t.Errorf("stranger %d: comparing: %d %s", i, a.Status, a.Body)
		}
		if a := b.get("/user/me/"); a.Status != http.StatusOK || subscribed(b) ||
			strings.Contains(a.Body, "product_monthly") {
			t.Errorf("stranger %d has what another reader has bought: %s", i, a.Body)
		}
		if a := b.get("/user/me/extended/"); a.Status != http.StatusOK || len(b.invoices()) != 0 ||
			strings.Contains(a.Body, invoice) {
			t.Errorf("stranger %d is shown another reader's invoice: %s", i, a.Body)
		}
		if a := b.get(invoice); a.Status == http.StatusOK {
			t.Errorf("stranger %d reads %s", i, invoice)
		}
	}
	for _, m := range r.mail.Messages() {
		if strings.HasPrefix(m.To[0], "stranger") && m.Code == "" {
			t.Errorf("%s was sent %q", m.To, m.Subject)
		}
	}
}

// pdf is the path of a reader's only invoice as a file.
func (b *browser) pdf(t *testing.T) string {
	t.Helper()
	var me struct {
		Invoices []struct {
			PDF string `json:"pdf"`
		} `json:"invoices"`
	}
	b.get("/user/me/extended/").json(t, &me)
	u, err := url.Parse(me.Invoices[0].PDF)
	if err != nil {
		t.Fatal(err)
	}
	return u.RequestURI()
}
