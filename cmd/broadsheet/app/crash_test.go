package app

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// asProgram makes the test's binary be the program itself, so that it can be killed.
const asProgram = "BROADSHEET_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	switch address := os.Getenv(asBare); {
	case os.Getenv(asProgram) != "":
		if file := os.Getenv(clockFile); file != "" {
			go followClock(file)
		}
		os.Exit(RunProgram())
	case address != "":
		fmt.Fprintln(os.Stderr, serveBare(address, os.Getenv(asBareFolder)))
		os.Exit(1)
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	code := m.Run()
	if err := endSharing(); err != nil {
		fmt.Fprintln(os.Stderr, "the shared paper ended with", err)
		code = max(code, 1)
	}
	_ = os.RemoveAll(templateDir) // of "" there is none
	os.Exit(code)
}

// process is a `broadsheet dev` of its own, which a test kills and starts again.
type process struct {
	t    testing.TB
	dir  string
	port string
	env  []string // further settings
	cmd  *exec.Cmd

	sample bool // with the sample content
}

// ask asks the database of the paper, in the schema of its first edition.
func ask[T any](p *process, row pgx.RowToFunc[T], query string, args ...any) []T {
	p.t.Helper()
	ctx := context.Background()
	server, err := postgres.Attach(ctx, p.dir)
	if err != nil || server == nil {
		p.t.Fatal("the paper's database is not to be found: ", err)
	}
	conn, err := pgx.Connect(ctx, server.DSN(database)+"&search_path=ed_standard")
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close(ctx) //nolint:errcheck // the question was answered
	rows, err := conn.Query(ctx, query, args...)
	if err != nil {
		p.t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, row)
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

func (p *process) start() {
	p.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	p.cmd = exec.Command(exe, "dev", fmt.Sprint("--empty=", !p.sample), "--listen", "127.0.0.1:"+p.port, "--admin", "",
		"--data", p.dir)
	p.cmd.Env = append(append(os.Environ(), asProgram+"=1", "BROADSHEET_LOG_LEVEL=error"), p.env...)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	started := p.cmd
	p.t.Cleanup(func() { // of what was killed before, there is nothing left to end
		_ = started.Process.Signal(syscall.SIGTERM)
		_ = started.Wait()
	})
	up := make(chan bool, 1)
	go func() {
		s := bufio.NewScanner(out)
		for s.Scan() {
			if strings.Contains(s.Text(), "Mail arrives") {
				up <- true
			}
		}
		up <- false
	}()
	select {
	case ok := <-up:
		if !ok {
			p.t.Fatal("the program ended before it served")
		}
	case <-time.After(wait.Patience):
		p.t.Fatal("the program did not serve in " + wait.Patience.String())
	}
}

// kill is kill -9: nothing is said good-bye to.
func (p *process) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	_ = p.cmd.Wait()
}

// killPostgres ends the database and waits for the one that takes its place: the old one's connections answer a moment
// longer.
func (p *process) killPostgres() {
	p.t.Helper()
	old := p.postmaster()
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	wait.Until(p.t, "there is another database", func() bool { now := p.postmaster(); return now != 0 && now != old })
}

// postmaster is the id of the database's process; 0 while there is none.
func (p *process) postmaster() int {
	b, _ := os.ReadFile(filepath.Join(p.dir, "postgres", "postmaster.pid"))
	first, _, _ := strings.Cut(string(b), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

func (p *process) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	header := http.Header{"User-Agent": {userAgent}}
	return &browser{t: p.t, origin: "http://sk.localhost:" + p.port, header: header, client: &http.Client{
		Jar: jar, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+p.port)
			},
		},
	}}
}

type sentEmail struct {
	To      []string `json:"to"`
	Subject string   `json:"subject"`
	Code    string   `json:"code"`
}

// emailsTo are those to an address, newest first.
func emailsTo(t testing.TB, b *browser, address string) (list []sentEmail) {
	t.Helper()
	var all []sentEmail
	b.get("/_dev/mail.json").json(t, &all)
	for _, l := range all {
		if len(l.To) == 1 && l.To[0] == address {
			list = append(list, l)
		}
	}
	return list
}

// expectOneOfEach looks that a reader who has registered and paid got one login mail, one email of thanks and one
// invoice.
func expectOneOfEach(t *testing.T, b *browser, address string) {
	t.Helper()
	logins, all := 0, emailsTo(t, b, address)
	for _, l := range all {
		if l.Code != "" {
			logins++
		}
	}
	if logins != 1 || len(all) != 3 {
		t.Errorf("%d login mails in %d emails: %v", logins, len(all), all)
	}
}

// A reader's purchase and login mail survive what can happen to the machine: the process killed, Postgres
// killed, Redis gone with it. Afterwards the reader has the access that was paid for, and one mail.
func TestNothingIsLostWhenKilled(t *testing.T) {
	t.Parallel()
	p := &process{t: t, dir: dataFolder(t), port: testkit.FreePort(t)}
	p.start()
	const address = "payer@example.org"
	b := p.browser()

	ask := b.post("/fns/user-login",
		map[string]any{"payload": map[string]string{"email": address}, "type": "registration"})
	p.kill() // the mail was promised; in-process Redis dies too
	if ask.Status != http.StatusOK {
		t.Fatalf("asking for a mail: %d %s", ask.Status, ask.Body)
	}
	p.start()
	wait.Until(t, "the promised mail came", func() bool { return len(emailsTo(t, b, address)) > 0 })

	p.killPostgres()
	code := emailsTo(t, b, address)[0].Code
	wait.Until(t, "login works again after the database was killed", func() bool {
		r := b.post("/api/login-code-validation", map[string]string{"email": address, "code": code})
		return r.Status == http.StatusOK
	})

	// A connection to the database that is no more may be met once more: then the answer is to try again.
	wait.Until(t, "paying works again after the database was killed", func() bool {
		return b.orders().Status == http.StatusOK
	})
	buy(t, b)
	p.kill() // paid, and nobody here knows it yet
	p.start()
	wait.Until(t, "the reader has what was paid for", func() bool { return subscribed(b) })
	wait.Until(t, "thanks and invoice for the payment came", func() bool { return len(emailsTo(t, b, address)) > 2 })
	expectOneOfEach(t, b, address)
}
