package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// documentedBlocks are the code blocks of a language in a section of docs/scaling.md, so that it says what works.
func documentedBlocks(t *testing.T, heading, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, block, found := strings.Cut(section, "   ```"+language+"\n")
	block, _, ended := strings.Cut(block, "   ```\n")
	if !found || !ended {
		t.Fatalf("docs/scaling.md has no %s under %s", language, heading)
	}
	return block
}

// startPooler runs a PgBouncer in front of a cluster, set up as docs/scaling.md says. It drops some of what a
// connection asks for, and refuses what else it does not know.
func startPooler(t *testing.T, c *testkit.Cluster, drops string) (port string) {
	t.Helper()
	port = testkit.FreePort(t)
	server, err := url.Parse(testkit.NewProxy(t, c.Open(t)).DSN("", ""))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "pooler")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	logins := filepath.Join(dir, "userlist.txt")
	conf := strings.NewReplacer("port=5432", "port="+server.Port(), "listen_port = 6432", "listen_port = "+port,
		"/etc/pgbouncer/userlist.txt", logins, "default_pool_size = 5", "default_pool_size = 2\nunix_socket_dir =",
	).Replace(strings.ReplaceAll(documentedBlocks(t, "PgBouncer", "ini"), "\n   ", "\n"))
	if drops != "" {
		conf += "ignore_startup_parameters = " + drops + "\n"
	}
	for file, text := range map[string]string{
		logins:                              "\"pgbouncer\" \"change-me\"\n\"broadsheet\" \"owner-s\"\n",
		filepath.Join(dir, "pgbouncer.ini"): strings.TrimSpace(conf) + "\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{filepath.Join(dir, "pgbouncer.ini")}
	if os.Geteuid() == 0 { // which PgBouncer refuses to be
		args = append(args, "-u", "nobody")
		if out, err := exec.Command("chown", "-R", "nobody", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	said := &journal{}
	cmd := exec.Command(programPath(t, "pgbouncer"), args...)
	cmd.Stderr = said
	run(t, cmd)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("pgbouncer says:\n%.4000s", said)
		}
	})
	wait.Until(t, "PgBouncer listens", func() bool { return listens("127.0.0.1:" + port) })
	return port
}

// letIn has the server know PgBouncer, and ask the editions' logins for passwords as one in a network does.
func letIn(t *testing.T, c *testkit.Cluster) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pooler.sql"), []byte(documentedBlocks(t, "PgBouncer", "sql")),
		0o600); err != nil {
		t.Fatal(err)
	}
	c.Run(t, dir, "psql -v ON_ERROR_STOP=1 -qd broadsheet < pooler.sql",
		`hba=$(psql -Atqd broadsheet -c 'SHOW hba_file') && { echo 'local all ed_standard scram-sha-256'; `+
			`echo 'local all pgbouncer scram-sha-256'; cat "$hba"; } > hba && cat hba > "$hba" && `+
			`psql -qd broadsheet -c 'SELECT pg_reload_conf()' > /dev/null`)
}

// Everything works through PgBouncer in transaction mode: pages, logins, a purchase and the jobs that follow it. Locks
// and notices have sessions of their own, and the time limits hold.
func TestEverythingWorksThroughAPooler(t *testing.T) {
	t.Parallel()
	c := testkit.NewCluster(t)
	r := newRestored(t, c)
	letIn(t, c)
	r.migrate(t, "--new-secret")
	pooler := startPooler(t, c, "")
	r.settings = append(r.settings, "BROADSHEET_DATABASE_POOLER_URL=postgres://127.0.0.1:"+pooler+"/broadsheet")
	r.migrate(t)

	serve, other, work := r.started(t, "serve"), r.started(t, "serve"), r.started(t, "work")
	wait.Until(t, "work leads", work.leads)
	for _, m := range []*member{serve, other, work} {
		wait.Until(t, "the notices of "+m.role+" arrive", func() bool { _, s, _ := m.readyz(); return s.Notices })
	}
	reader := r.registers(t, "ada@example.org")
	r.buys(t, reader)

	// A reader who signs out in one process is signed out in the other, which has a copy of the session.
	elsewhere := *reader
	elsewhere.client = through(reader.client, other.site)
	if !subscribed(&elsewhere) {
		t.Error("the other process does not know what was bought")
	}
	if out := reader.post("/api/logout", map[string]string{}); out.Status >= http.StatusBadRequest {
		t.Fatalf("signing out: %d %s", out.Status, out.Body)
	}
	wait.Until(t, "the other process heard of it", func() bool { return !subscribed(&elsewhere) })

	r.manyAsk(t, []*member{serve, other})
	if said := serve.log.String() + work.log.String(); strings.Contains(said, "pooler") {
		t.Errorf("a process complains: %s", said)
	}
	r.checkPooledSessions(t, c, pooler)
}

// through is a client like another one whose requests go to one process.
func through(c *http.Client, address string) *http.Client {
	again := *c
	again.Transport = &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
	return &again
}

// migrate runs `broadsheet migrate` with the settings of the processes.
func (r *restored) migrate(t *testing.T, flags ...string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, append([]string{"migrate"}, flags...)...)
	cmd.Env = append(os.Environ(), r.settings...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("migrate: %v: %s", err, out)
	}
}

// manyAsk has more visitors ask at once than the pooler has connections.
func (r *restored) manyAsk(t *testing.T, members []*member) {
	t.Helper()
	var all sync.WaitGroup
	for v := range 20 {
		all.Go(func() {
			for n := range 5 {
				path := fmt.Sprintf("/search/word%d", v*100+n)
				if code, _ := members[n%len(members)].get(r.ed.Hosts[0], path); code != http.StatusOK {
					t.Errorf("%s: %d", path, code)
				}
			}
		})
	}
	all.Wait()
}

// checkPooledSessions looks at what the editions' connections have behind the pooler, and at the locks past it.
func (r *restored) checkPooledSessions(t *testing.T, c *testkit.Cluster, pooler string) {
	t.Helper()
	cfg := config.Config{Secret: "a secret that is good for tests, 0123456789"}
	open := func() *db.DB {
		d, err := db.Open(c.DSN(t), &clock.Clock{}, db.Options{
			PoolerDSN: "postgres://127.0.0.1:" + pooler + "/broadsheet",
			Password:  func(id string) string { return cfg.Password("database", id) },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		d.Attach(r.ed.ID, r.ed.Schema)
		return d
	}
	d, another := open(), open()
	ctx := edition.With(t.Context(), r.ed)
	var have string
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT concat_ws(' ', current_setting('search_path'), current_setting('statement_timeout'), "+
			"current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'), "+
			"current_setting('timezone'))").Scan(ctx, &have)
	})
	if want := "ed_standard, pg_temp 5s 2s 30s UTC"; err != nil || have != want {
		t.Errorf("behind the pooler: %q, %v, want %q", have, err, want)
	}
	var shared, past int
	err = d.Core().NewRaw(`SELECT count(*) FILTER (WHERE usename = 'ed_standard'), count(*) FILTER (WHERE usename =
		'broadsheet') FROM pg_stat_activity`).Scan(t.Context(), &shared, &past)
	if err != nil || shared == 0 || shared > 2 || past < 3 {
		t.Errorf("%d connections of the edition and %d of the owner, %v, want at most the pooler's 2, and those past it",
			shared, past, err)
	}
	take := func(d *db.DB) *advisory.Lock {
		t.Helper()
		pool, err := d.SessionPool(r.ed.ID)
		if err != nil {
			t.Fatal(err)
		}
		lock, err := advisory.Try(ctx, pool, "broadsheet.test", 0)
		if err != nil {
			t.Fatal(err)
		}
		return lock
	}
	lock := take(d)
	for range 5 { // by any session that the pooler has
		if second := take(another); second != nil {
			t.Fatal("two processes have the lock")
		}
	}
	if err := lock.Release(ctx); err != nil {
		t.Fatal(err)
	}
	if again := take(another); again == nil {
		t.Error("the lock that was given back is not free")
	}
	wrong, err := db.Open(c.DSN(t), &clock.Clock{}, db.Options{
		PoolerDSN: "postgres://127.0.0.1:" + pooler + "/broadsheet",
		Password:  func(string) string { return "another" },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = wrong.Close() }()
	wrong.Attach(r.ed.ID, r.ed.Schema)
	if err := wrong.Reach(t.Context(), r.ed.ID); !db.LoginRefused(err) {
		t.Errorf("a wrong password: %v", err)
	}
	if refused := wrong.RefusedLogins(t.Context()); len(refused) != 1 {
		t.Errorf("refused logins: %v, want the edition's", refused)
	}
}

// Where a session would go through a pooler in transaction mode, the doctor says so and nothing starts.
func TestSessionsThroughAPoolerAreRefused(t *testing.T) {
	c := healthy(t)
	letIn(t, c)
	c.Run(t, t.TempDir(), `psql -qd broadsheet -c "ALTER ROLE broadsheet PASSWORD 'owner-s'"`)
	all := "search_path,role,statement_timeout,lock_timeout,idle_session_timeout,idle_in_transaction_session_timeout," +
		"tcp_keepalives_idle,tcp_keepalives_interval,tcp_keepalives_count,tcp_user_timeout"
	strict, silent := startPooler(t, c, ""), startPooler(t, c, all)
	refused := func(t *testing.T, check string, want ...string) {
		t.Helper()
		found, well := examined(t)
		for _, w := range want {
			if well || !strings.Contains(found[check], w) {
				t.Errorf("%q is not said, well is %v:\n%s", w, well, found[check])
			}
		}
		for _, role := range []string{"serve", "work"} {
			if err := execute(t.Context(), role); err == nil || !strings.Contains(err.Error(), "pooler_url") {
				t.Errorf("%s started on a pooler: %v", role, err)
			}
		}
	}
	dsn := func(port string) string { return "postgres://broadsheet:owner-s@127.0.0.1:" + port + "/broadsheet" }

	t.Setenv("BROADSHEET_DATABASE_POOLER_URL", "postgres://127.0.0.1:"+strict+"/broadsheet")
	if found, _ := examined(t); !strings.Contains(found["pooler"], "problem ") ||
		!strings.Contains(found["pooler"], "broadsheet migrate") {
		t.Errorf("logins without limits: %s", found["pooler"])
	}
	if err := execute(t.Context(), "migrate", "--new-secret"); err != nil {
		t.Fatal(err)
	}
	if found, _ := examined(t); !strings.Contains(found["pooler"], "ok only the editions'") ||
		!strings.Contains(found["logins of editions"], "ok ") {
		t.Errorf("a pooler that is well: %s%s", found["pooler"], found["logins of editions"])
	}
	t.Run("one that refuses what it does not know", func(t *testing.T) {
		t.Setenv("BROADSHEET_DATABASE_URL", dsn(strict))
		refused(t, "database", "unsupported startup parameter", "pooler_url")
	})
	t.Run("one that drops it", func(t *testing.T) {
		t.Setenv("BROADSHEET_DATABASE_URL", dsn(silent))
		refused(t, "database", "the search path is", "pooler_url")
	})
	t.Run("one of sessions that look right", func(t *testing.T) {
		c.Run(t, t.TempDir(), `psql -qd broadsheet -c "ALTER ROLE broadsheet SET search_path = core"`)
		t.Setenv("BROADSHEET_DATABASE_URL", dsn(startPooler(t, c, all))) // its connections are newer than the setting
		refused(t, "pooler", "problem database.url leads to a pooler", "pooler_url")
	})
}
