package edition_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"example.org/broadsheet/migrations"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

const origin = "https://{host}"

// newspaper is a document with an id of its own, since the roles of all tests live in one server.
func newspaper(t *testing.T, host string) (id, text string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "tenants", "standard.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	id = testkit.Name("paper")
	return id, strings.NewReplacer("\nid: standard\n", "\nid: "+id+"\n", "hosts: [sk.localhost]", "hosts: ["+host+"]",
		"'99123456'", "'"+id+"'", "bank_transfer: true", "bank_transfer: false").Replace(string(b))
}

func registry(t *testing.T, d *db.DB) *edition.Registry {
	t.Helper()
	r := edition.NewRegistry(d, origin, nil)
	if err := r.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// dropLater removes the role when the test is over: the database is thrown away, roles are the server's.
func dropLater(t *testing.T, d *db.DB, id string) {
	t.Helper()
	t.Cleanup(func() {
		if err := d.Deprovision(context.Background(), d.Core(), id); err != nil {
			t.Error(err)
		}
	})
}

func add(t *testing.T, r *edition.Registry, d *db.DB, host string) *edition.Edition {
	t.Helper()
	id, text := newspaper(t, host)
	dropLater(t, d, id)
	e, err := r.ApplyText(t.Context(), host+".yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// left counts what exists of an edition: roles, schema, row, hosts.
func left(t *testing.T, d *db.DB, id string) (n int) {
	t.Helper()
	err := d.Core().NewRaw(`SELECT (SELECT count(*) FROM pg_roles WHERE rolname IN (?0, ?2)) + (SELECT count(*) FROM
		pg_namespace WHERE nspname = ?0)
		+ (SELECT count(*) FROM editions WHERE id = ?1) + (SELECT count(*) FROM edition_hosts WHERE edition_id = ?1)`,
		edition.SchemaOf(id), id, db.OwnerOf(id)).Scan(t.Context(), &n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// withMigration is what ships and one file more.
func withMigration(sql string) func(*db.Options) {
	files := fstest.MapFS{"edition/29990101000000_more.tx.up.sql": {Data: []byte(sql)}}
	err := fs.WalkDir(migrations.FS, ".", func(path string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		b, err := fs.ReadFile(migrations.FS, path)
		files[path] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil { // the files are part of the binary
		panic(err)
	}
	return func(o *db.Options) { o.Migrations = files }
}

func TestApplyServesAtOnce(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	r := registry(t, d)
	began := time.Now()
	e := add(t, r, d, "one.test")
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	for _, host := range []string{"one.test", "ONE.test", "one.test:8080", "one.test.", "One.Test.:80"} {
		if got, ok := r.Lookup(host); !ok || got != e {
			t.Errorf("%s is not found", host)
		}
	}
	for _, host := range []string{"", "two.test", "one.test.evil", "xone.test", "[::1]:80", ":"} {
		if _, ok := r.Lookup(host); ok {
			t.Errorf("%q is found", host)
		}
	}
	ctx := edition.With(t.Context(), e)
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("SELECT count(*) FROM outbox").Exec(ctx)
		return err
	}); err != nil {
		t.Errorf("the new edition's tables: %v", err)
	}
}

func TestApplyAgain(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	r := registry(t, d)
	id, text := newspaper(t, "one.test")
	dropLater(t, d, id)
	var changes []string
	r.OnChange(func(c edition.Change) {
		changes = append(changes, fmt.Sprint(len(c.Added), len(c.Changed), len(c.Removed)))
	})
	apply := func(text string) *edition.Edition {
		t.Helper()
		e, err := r.ApplyText(t.Context(), "x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	first := apply(text)
	if apply(text) != first {
		t.Error("an unchanged edition was replaced")
	}
	second := apply(strings.Replace(text, "hosts: [one.test]", "hosts: [uno.test]", 1))
	if second == first || second.Origin != "https://uno.test" {
		t.Errorf("origin %s", second.Origin)
	}
	if _, ok := r.Lookup("one.test"); ok {
		t.Error("the old host still answers")
	}
	if got := strings.Join(changes, ", "); got != "1 0 0, 0 1 0" {
		t.Errorf("changes %s", got)
	}
	if _, err := r.ApplyText(t.Context(), "x.yaml", []byte(text+"\nunknown: 1\n")); err == nil {
		t.Error("a bad document is applied")
	}
	if got, _ := r.Get(id); got != second {
		t.Error("a bad document changed the edition")
	}
	if err := r.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Get(id); ok || len(r.All()) != 0 {
		t.Error("a removed edition is served")
	}
	if _, err := d.Pool(id); !errors.Is(err, db.ErrNoPool) {
		t.Errorf("a removed edition's pool: %v", err)
	}
	apply(text) // disabling keeps the data, so it can come back
	for _, held := range []time.Duration{0, edition.DropAfter - time.Minute} {
		if err := r.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		testkit.Clock(d).Advance(held)
		if err := r.Drop(t.Context(), id, false); !errors.Is(err, edition.ErrHeld) {
			t.Errorf("dropped %v after it was taken out of service: %v", held, err)
		}
	}
	apply(text)
	if err := r.Drop(t.Context(), id, false); !errors.Is(err, edition.ErrHeld) {
		t.Errorf("dropped while in service: %v", err)
	}
	if _, ok := r.Get(id); !ok {
		t.Error("what may not be dropped is taken out of service")
	}
	if err := r.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	testkit.Clock(d).Advance(edition.DropAfter)
	if err := r.Drop(t.Context(), id, false); err != nil {
		t.Fatal(err)
	}
	if n := left(t, d, id); n != 0 {
		t.Errorf("%d things are left of a dropped edition", n)
	}
	if err := r.Drop(t.Context(), id, true); !errors.Is(err, edition.ErrUnknown) {
		t.Errorf("removed twice: %v", err)
	}
}

func TestHostsAreUnique(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	r := registry(t, d)
	first := add(t, r, d, "one.test")
	id, text := newspaper(t, "two.test, one.test")
	_, err := r.ApplyText(t.Context(), "x.yaml", []byte(text))
	if err == nil || !strings.Contains(err.Error(), "one.test is that of edition "+first.ID) {
		t.Errorf("got %v", err)
	}
	if n := left(t, d, id); n != 0 {
		t.Errorf("%d things are left", n)
	}
}

func TestFailedAddLeavesNothing(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	for name, sql := range map[string]string{
		"fails":   "CREATE TABLE more (id bigint);\n--bun:split\nSELECT 1/0;",
		"escapes": "CREATE TABLE public.more (id bigint);",
		"reaches": "SELECT * FROM core.editions;",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := registry(t, testkit.Process(t, d, withMigration(sql)))
			id, text := newspaper(t, name+".test")
			if _, err := broken.ApplyText(t.Context(), "x.yaml", []byte(text)); err == nil {
				t.Fatal("it was added")
			}
			if n := left(t, d, id); n != 0 {
				t.Errorf("%d things are left", n)
			}
			dropLater(t, d, id)
			if _, err := registry(t, testkit.Process(t, d)).ApplyText(t.Context(), "x.yaml", []byte(text)); err != nil {
				t.Errorf("repaired: %v", err)
			}
		})
	}
}

// TestMain lets the test binary be the process that gets killed in the middle of adding an edition.
func TestMain(m *testing.M) {
	if dsn := os.Getenv("EDITION_TEST_DSN"); dsn != "" {
		if err := addSlowly(dsn, os.Getenv("EDITION_TEST_FILE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func addSlowly(dsn, file string) error {
	o := db.Options{Password: func(id string) string { return "test-" + id }}
	withMigration("CREATE TABLE more (id bigint); SELECT pg_sleep(2);")(&o)
	d, err := db.Open(dsn, &clock.Clock{}, o)
	if err != nil {
		return err
	}
	_, err = edition.NewRegistry(d, origin, nil).Apply(context.Background(), file)
	return err
}

// waitFor waits until a statement like this one runs.
func waitFor(t *testing.T, d *db.DB, statement string) {
	t.Helper()
	wait.Until(t, "it runs: "+statement, func() (running bool) {
		err := d.Core().NewRaw("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() "+
			"AND state = 'active' AND query LIKE ?)", statement).Scan(t.Context(), &running)
		if err != nil {
			t.Fatal(err)
		}
		return running
	})
}

func TestKilledAddIsResumed(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	id, text := newspaper(t, "one.test")
	dropLater(t, d, id)
	file := filepath.Join(t.TempDir(), "paper.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "EDITION_TEST_DSN="+d.Config().ConnString(), "EDITION_TEST_FILE="+file)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, d, "CREATE TABLE more%pg_sleep%")
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	r := registry(t, d)
	if _, ok := r.Get(id); ok {
		t.Fatal("a half-made edition is served")
	}
	if list, err := r.List(t.Context()); err != nil || len(list) != 1 || list[0].State != "pending" {
		t.Fatalf("list %+v, %v", list, err)
	}
	e, err := r.Apply(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := r.Lookup("one.test"); !ok || got != e {
		t.Error("not served after the second run")
	}
}

// A schema that a restore has brought back outlives every run that fails or is killed, however many there are.
func TestWhatWasThereBeforeIsNeverDropped(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	ed := add(t, registry(t, d), d, "one.test")
	doc, err := registry(t, d).Text(t.Context(), ed.ID)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Alter(edition.With(t.Context(), ed), t, d, "CREATE TABLE readers_of_before (id bigint)")
	if _, err := d.Core().NewRaw("DELETE FROM editions WHERE id = ?", ed.ID).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	killed := registry(t, testkit.Process(t, d, withMigration("CREATE TABLE more (id bigint); SELECT pg_sleep(60);")))
	ended := make(chan error, 1)
	go func() {
		_, err := killed.ApplyText(context.WithoutCancel(t.Context()), "x.yaml", []byte(doc))
		ended <- err
	}()
	waitFor(t, d, "CREATE TABLE more%pg_sleep%")
	// What a killed process leaves: the row as it is now, and nothing that cleans up.
	var left struct{ State, Error string }
	err = d.Core().NewRaw("SELECT state, error FROM editions WHERE id = ?", ed.ID).Scan(t.Context(), &left)
	if err != nil || left.State != "pending" || left.Error == "" {
		t.Fatalf("the row of a run that is under way: %+v, %v", left, err)
	}
	stop := `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE 'CREATE TABLE more%'`
	if _, err := d.Core().NewRaw(stop).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Fatal("the run that was stopped has added the edition")
	}
	_, err = d.Core().NewRaw(`INSERT INTO editions (id, document, checksum, state, error, created_at, applied_at)
		VALUES (?, ?, '', ?, ?, now(), now()) ON CONFLICT (id) DO UPDATE SET state = EXCLUDED.state, error = EXCLUDED.error`,
		ed.ID, doc, left.State, left.Error).Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	broken := registry(t, testkit.Process(t, d, withMigration("SELECT 1/0;")))
	if _, err := broken.ApplyText(t.Context(), "x.yaml", []byte(doc)); err == nil {
		t.Fatal("it was added")
	}
	there := false
	err = d.Core().NewRaw("SELECT to_regclass(?) IS NOT NULL", edition.SchemaOf(ed.ID)+".readers_of_before").
		Scan(t.Context(), &there)
	if err != nil || !there {
		t.Fatalf("the table of before is there: %v, %v", there, err)
	}
	if _, err := registry(t, testkit.Process(t, d)).ApplyText(t.Context(), "x.yaml", []byte(doc)); err != nil {
		t.Errorf("repaired: %v", err)
	}
}

func TestMigrationFailsInOneOfThree(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	r := registry(t, d)
	var ids []string
	for _, host := range []string{"one.test", "two.test", "three.test"} {
		ids = append(ids, add(t, r, d, host).ID)
	}
	slices.Sort(ids)
	bad, ok := r.Get(ids[1])
	if !ok {
		t.Fatal("it is not served")
	}
	testkit.Alter(edition.With(t.Context(), bad), t, d, "CREATE TABLE more (in_the_way int)")
	newer := testkit.Process(t, d, withMigration("CREATE TABLE more (id bigint);"))
	next := registry(t, newer)
	if err := next.MigrateAll(t.Context(), nil); err == nil || !strings.Contains(err.Error(), ids[1]) ||
		strings.Contains(err.Error(), ids[0]) {
		t.Fatalf("got %v", err)
	}
	states := func() (s []string) {
		list, err := next.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			s = append(s, l.State)
			if (l.Error != "") != (l.State == "failed") {
				t.Errorf("%s: %q", l.State, l.Error)
			}
		}
		return s
	}
	if got := strings.Join(states(), " "); got != "live failed live" {
		t.Errorf("states %s", got)
	}
	if err := next.Load(t.Context()); err != nil || len(next.All()) != 3 {
		t.Errorf("served: %d, %v", len(next.All()), err)
	}
	testkit.Alter(edition.With(t.Context(), bad), t, d, "DROP TABLE more")
	if err := next.MigrateAll(t.Context(), nil); err != nil {
		t.Fatalf("again: %v", err)
	}
	if got := strings.Join(states(), " "); got != "live live live" {
		t.Errorf("states %s", got)
	}
}

func TestManyApplyTheSame(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	id, text := newspaper(t, "one.test")
	dropLater(t, d, id)
	errs := make(chan error, 8)
	for range cap(errs) {
		r := registry(t, testkit.Process(t, d))
		go func() {
			_, err := r.ApplyText(t.Context(), "x.yaml", []byte(text))
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := left(t, d, id); n != 5 {
		t.Errorf("%d of two roles, schema, row and host", n)
	}
}

func TestOneLanguageForAll(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	id, text := newspaper(t, "spoken.test")
	dropLater(t, d, id)
	own, err := registry(t, d).ApplyText(t.Context(), "spoken.yaml", []byte(text))
	if err != nil || own.Locale != "sk" || own.IntlLocale != "sk-SK" {
		t.Fatalf("%+v, %v", own, err)
	}
	for locale, want := range map[string][2]string{"": {"sk", "sk-SK"}, "sk": {"sk", "sk-SK"}, "de": {"de", "de"}} {
		r := edition.NewRegistry(d, origin, nil)
		r.SetLocale(locale)
		if err := r.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		ed, ok := r.Get(id)
		if !ok || ed.Locale != want[0] || ed.Lang() != want[0] || ed.IntlLocale != want[1] ||
			!strings.Contains(string(ed.Public), `"locale":"`+want[0]+`"`) {
			t.Errorf("%q: %s, %s, %.200s", locale, ed.Locale, ed.IntlLocale, ed.Public)
		}
		if same := ed.Version == own.Version; same != (want[0] == "sk") {
			t.Errorf("%q: the pages of two languages share a version: %t", locale, same)
		}
	}
}

// Two editions that take transfers into one account would give equal references.
func TestAccountsAreApart(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	r := registry(t, d)
	taking := func(host string) (id, text string) {
		id, text = newspaper(t, host)
		return id, strings.Replace(text, "bank_transfer: false", "bank_transfer: true", 1)
	}
	first, text := taking("one.test")
	if _, err := r.ApplyText(t.Context(), "x.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	dropLater(t, d, first)
	second, text := taking("two.test")
	if _, err := r.ApplyText(t.Context(), "x.yaml", []byte(text)); err == nil ||
		!strings.Contains(err.Error(), "edition "+first+" takes transfers into the same account") {
		t.Errorf("got %v", err)
	}
	if n := left(t, d, second); n != 0 {
		t.Errorf("%d things are left", n)
	}
	if _, err := r.ApplyText(t.Context(), "x.yaml",
		[]byte(strings.Replace(text, "SK8999520000001987426375", "SK3112000000198742637541", 1))); err != nil {
		t.Error(err)
	}
	dropLater(t, d, second)
}

func TestApply_OneAddress(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	for name, c := range map[string]struct{ origin, want string }{
		"a host each": {"https://{host}", ""}, "one for all": {"https://paper.example", edition.ErrOneAddress.Error()},
	} {
		r := edition.NewRegistry(d, c.origin, nil)
		if err := r.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(r.All()) == 0 {
			add(t, r, d, "one.test")
		}
		id, text := newspaper(t, "two.test")
		_, err := r.ApplyText(t.Context(), "x.yaml", []byte(text))
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		if err == nil {
			dropLater(t, d, id)
		}
		if got := r.CheckAddresses(); len(r.All()) > 1 && (got != nil) != (c.want != "") {
			t.Errorf("%s, with %d editions: got %v, want %q", name, len(r.All()), got, c.want)
		}
	}
}

// Two editions of one supplier do not give the same numbers to their invoices.
func TestNumbersOfInvoicesAreApart(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	r := registry(t, d)
	first := add(t, r, d, "one.test")
	id, text := newspaper(t, "two.test")
	same := strings.Replace(text, "company_id: '"+id, "company_id: '"+first.Supplier.Company, 1)
	if _, err := r.ApplyText(t.Context(), "x.yaml", []byte(same)); err == nil ||
		!strings.Contains(err.Error(), "edition "+first.ID+" is of the same supplier") {
		t.Errorf("got %v", err)
	}
	if n := left(t, d, id); n != 0 {
		t.Errorf("%d things are left", n)
	}
	apart := strings.Replace(same, "grace_days:", "series: B\n  grace_days:", 1)
	if _, err := r.ApplyText(t.Context(), "x.yaml", []byte(apart)); err != nil {
		t.Error(err)
	}
}
