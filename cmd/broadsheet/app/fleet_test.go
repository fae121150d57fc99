package app

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// fleet is a paper as it is operated: `serve` and `work` as processes of their own, a Postgres of a hundred connections
// behind a proxy, a Redis of its own.
type fleet struct {
	*testApp // in this process, to publish; its browsers reach the first `serve`
	proxy    *testkit.Proxy
	server   *postgres.Server
	redis    *exec.Cmd
	settings []string // of the processes
	first    bool     // there is a first `serve`
	started  time.Time
}

// member is one process of a fleet.
type member struct {
	t           testing.TB
	cmd         *exec.Cmd
	log         *journal
	site, admin string // addresses
	role        string
	settings    []string
	files       int // how many it may have open; 0: as many as usual
	ended       chan error
}

// fleetOptions say what is unlike the usual in a fleet.
type fleetOptions struct {
	postgres map[string]string // settings of the server
	mails    int               // that the mailbox keeps; 0: its default
	prepare  func(dir string)  // done to the data folder before the server starts
	address  string            // the public one; "" for that of the first serve
}

// newFleet sets the parts up, with three editions and some articles, and starts no process of the paper.
func newFleet(t testing.TB) *fleet {
	t.Helper()
	f := newFleetWith(t, fleetOptions{})
	f.publish(3, false)
	return f
}

// newFleetWith is newFleet without articles.
func newFleetWith(t testing.TB, o fleetOptions) *fleet {
	t.Helper()
	ctx := context.Background()
	f := &fleet{testApp: &testApp{t: t}, started: time.Now()}
	dir := dataFolder(t)
	if o.prepare != nil {
		o.prepare(dir)
	}
	var err error
	settings := map[string]string{"max_connections": "100"}
	maps.Copy(settings, o.postgres)
	f.server, err = postgres.Start(ctx, postgres.Options{Dir: dir, NoSync: true, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.server.Stop(ctx) })
	mail, err := mailbox.New(mailbox.Options{Keep: o.mails})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mail.Close() })
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.EnsureSecret(dir); err != nil {
		t.Fatal(err)
	}
	port := testkit.FreePort(t)
	cfg.Data.Dir, cfg.Web.PublicURL = dir, cmp.Or(o.address, "http://{host}:"+port)
	cfg.Redis.URL, cfg.Mail.URL = f.startRedis(t), mail.URL()
	d, err := db.Open(f.server.DSN(database), &clock.Clock{}, db.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	app, err := newApp(ctx, cfg, "test", d, func(string) (stripe.Keys, error) { return stripe.Keys{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { app.Close(ctx) })
	f.dev = &dev{cfg: cfg, app: app, clock: d.Clock(), mail: mail, port: port}
	f.proxy = testkit.NewProxy(t, d)
	f.settings = []string{
		asProgram + "=1", "BROADSHEET_LOG_LEVEL=warn", "BROADSHEET_DATA_DIR=" + dir, "BROADSHEET_SECRET=" + cfg.Secret,
		"BROADSHEET_DATABASE_URL=" + f.proxy.DSN("postgres", database), "BROADSHEET_REDIS_URL=" + cfg.Redis.URL,
		"BROADSHEET_MAIL_URL=" + mail.URL(), "BROADSHEET_WEB_PUBLIC_URL=" + cfg.Web.PublicURL,
		"BROADSHEET_STRIPE_API_BASE=http://127.0.0.1:1", "BROADSHEET_VIES_API_BASE=http://127.0.0.1:1",
	}
	for _, ed := range app.registry.All() {
		name := "BROADSHEET_STRIPE_" + strings.ToUpper(ed.ID)
		f.settings = append(f.settings, name+"_SECRET_KEY=sk_test_"+ed.ID, name+"_WEBHOOK_SECRET=whsec_"+ed.ID)
	}
	return f
}

// programPath is the path of a program that the tests need.
func programPath(t testing.TB, name string) string {
	t.Helper()
	for _, dir := range []string{"", "/usr/sbin/", "/usr/local/sbin/"} {
		if path, err := exec.LookPath(dir + name); err == nil {
			return path
		}
	}
	t.Fatalf("%s is missing: install it (Debian: apt-get install %s)", name, name)
	return ""
}

func (f *fleet) startRedis(t testing.TB) (url string) {
	t.Helper()
	port := testkit.FreePort(t)
	f.runRedis(t, port)
	return "redis://127.0.0.1:" + port + "/0"
}

// runRedis starts one at a port, for the first time or again.
func (f *fleet) runRedis(t testing.TB, port string) {
	t.Helper()
	f.redis = exec.Command(programPath(t, "redis-server"), "--port", port, "--bind", "127.0.0.1", "--save", "",
		"--appendonly", "no", "--dir", t.TempDir())
	run(t, f.redis)
	wait.Until(t, "Redis listens", func() bool { return listens("127.0.0.1:" + port) })
}

// run starts a program that ends with the test.
func run(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

func listens(address string) bool {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// member prepares a process; the first `serve` listens where the browsers come.
func (f *fleet) member(t testing.TB, role string) *member {
	t.Helper()
	m := &member{t: t, site: "127.0.0.1:" + testkit.FreePort(t), admin: "127.0.0.1:" + testkit.FreePort(t)}
	if role == "serve" && !f.first {
		m.site, f.first = "127.0.0.1:"+f.port, true
	}
	m.role, m.settings = role, slices.Concat(f.settings,
		[]string{"BROADSHEET_WEB_LISTEN=" + m.site, "BROADSHEET_WEB_ADMIN=" + m.admin})
	m.start()
	t.Cleanup(func() {
		_ = m.cmd.Process.Kill()
		err := <-m.ended
		if t.Failed() {
			t.Logf("%s ended with %v and said:\n%.8000s", role, err, m.log.String())
		}
	})
	return m
}

// start runs the program, for the first time or again.
func (m *member) start() {
	m.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	if m.log == nil {
		m.log = &journal{}
	}
	m.cmd = exec.Command(exe, m.role)
	if m.files > 0 {
		m.cmd = exec.Command("sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, m.files), exe, m.role)
	}
	m.cmd.Env, m.cmd.Stderr = append(os.Environ(), m.settings...), m.log
	if err := m.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	cmd, ended := m.cmd, make(chan error, 1)
	m.ended = ended
	go func() { ended <- cmd.Wait(); close(ended) }()
}

// signal is a supervisor's; end waits until the process is gone.
func (m *member) signal(s os.Signal) {
	m.t.Helper()
	if err := m.cmd.Process.Signal(s); err != nil {
		m.t.Fatal(err)
	}
}

func (m *member) end() {
	m.t.Helper()
	m.signal(syscall.SIGTERM)
	if err := <-m.ended; err != nil {
		m.t.Errorf("it ended with %v: %.2000s", err, m.log.String())
	}
}

// ready waits until the operators' listener says so.
func (m *member) ready() {
	m.t.Helper()
	wait.Until(m.t, "the process is ready", func() bool { code, _, _ := m.readyz(); return code == http.StatusOK })
}

func (m *member) readyz() (code int, s readiness, took time.Duration) {
	began := time.Now()
	code, body := fetch(m.admin, "/readyz", "")
	took = time.Since(began)
	_ = json.Unmarshal([]byte(body), &s)
	return code, s, took
}

// leads reports whether the process keeps the time for all.
func (m *member) leads() bool {
	_, body := fetch(m.admin, "/metrics", "")
	return strings.Contains(body, "\nbroadsheet_scheduler_leader 1\n")
}

// get asks the process for a page of an edition's host, as a visitor who waits for ten seconds; 0 is no answer.
func (m *member) get(host, path string) (code int, took time.Duration) {
	began := time.Now()
	code, _ = fetch(m.site, path, host)
	return code, time.Since(began)
}

// fetch asks an address over a connection of its own.
func fetch(address, path, host string) (code int, body string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		return 0, err.Error()
	}
	r.Host, r.Close = host, true
	if host == "" {
		r.Host = address
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close() //nolint:errcheck // read to the end
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	return res.StatusCode, string(b)
}

// hosts are one of each edition.
func (f *fleet) hosts() (all []string) {
	for _, ed := range f.app.registry.All() {
		all = append(all, ed.Hosts[0])
	}
	return all
}

// connections counts those of the paper's processes, as Postgres sees them.
func (f *fleet) connections() (n int) {
	f.t.Helper()
	// The fleet's own connections come by the socket, the others through the proxy, by the socket too: its pools have few.
	own := 0
	for _, s := range f.app.DB.Stats() {
		own += s.OpenConnections
	}
	own += f.app.DB.Core().Stats().OpenConnections
	err := f.app.DB.Core().NewRaw("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'").
		Scan(context.Background(), &n)
	if err != nil {
		f.t.Fatal(err)
	}
	return n - own
}

// watch samples the connections until stopped, and returns the most that there were.
func (f *fleet) watch() (stop func() int) {
	end, most := make(chan struct{}), 0
	var done sync.WaitGroup
	done.Go(func() {
		for {
			most = max(most, f.connections())
			select {
			case <-end:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
	return func() int { close(end); done.Wait(); return most }
}

// search asks for what needs the database, from several visitors at once, for a while; it returns the answers that are
// errors.
func search(ms []*member, hosts []string, visitors int, lasts time.Duration) (asked int, bad map[int]int) {
	bad = map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	until := time.Now().Add(lasts)
	for v := range visitors {
		all.Go(func() {
			for n := v; time.Now().Before(until); n++ {
				code, _ := ms[n%len(ms)].get(hosts[n%len(hosts)], fmt.Sprintf("/search/word%d", n*visitors+v))
				mu.Lock()
				asked++
				if code != http.StatusOK {
					bad[code]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return asked, bad
}

// startNginx runs a Debian nginx with its defaults in front of some addresses.
func startNginx(t testing.TB, upstreams ...string) (address string) {
	t.Helper()
	address = "127.0.0.1:" + testkit.FreePort(t)
	startNginxAt(t, address, "", upstreams...)
	return address
}

// startNginxAt is startNginx at an address, with options for each of the addresses behind it.
func startNginxAt(t testing.TB, address, options string, upstreams ...string) {
	t.Helper()
	dir := t.TempDir()
	var servers strings.Builder
	for _, u := range upstreams {
		fmt.Fprintf(&servers, "server %s%s; ", u, options)
	}
	conf := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log;
events { }
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; `+
		`scgi_temp_path %[1]s/s;
	upstream paper { %[2]s}
	server { listen %[3]s; location / { proxy_pass http://paper; proxy_set_header Host $http_host; } }
}
`, dir, servers.String(), address)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if text, err := os.ReadFile(filepath.Join(dir, "error.log")); err == nil && t.Failed() {
			t.Logf("nginx says:\n%s", text)
		}
	})
	run(t, exec.Command(programPath(t, "nginx"), "-p", dir, "-c", file, "-e", filepath.Join(dir, "start.log")))
	wait.Until(t, "nginx listens", func() bool { return listens(address) })
}
