package db_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

func exec(ctx context.Context, d *db.DB, sql string, args ...any) error {
	return d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(sql, args...).Exec(ctx)
		return err
	})
}

func state(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

func TestAnEditionReachesNothingElse(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	for name, sql := range map[string]string{
		"another's rows":     "SELECT * FROM ed_test_at.outbox",
		"another's new row":  "INSERT INTO ed_test_at.rate_limits VALUES ('b', now(), 1, now())",
		"another's table":    "DROP TABLE ed_test_at.outbox",
		"a table there":      "CREATE TABLE ed_test_at.mine (id int)",
		"the registry":       "SELECT * FROM core.editions",
		"the public schema":  "CREATE TABLE public.shared (id int)",
		"its neighbour's id": "SET ROLE ed_test_at",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := exec(ctxs[0], d, sql)
			if state(err) != "42501" || !errors.Is(err, db.ErrIsolation) {
				t.Errorf("got %v", err)
			}
		})
	}
	// Taking the other's path as its own does not help either.
	err := d.InTx(ctxs[0], func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, "SET LOCAL search_path = ed_test_at"); err != nil {
			t.Fatal(err)
		}
		_, err := tx.ExecContext(ctx, "SELECT * FROM outbox")
		return err
	})
	if state(err) != "42501" && state(err) != "42P01" {
		t.Errorf("with the other's path: %v", err)
	}
}

func TestTemporaryTablesDoNotShadow(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, "CREATE TEMPORARY TABLE outbox (x int)"); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "SELECT dedupe_key FROM outbox")
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestDoors(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	nothing := func(context.Context, db.Tx) error { return nil }
	if err := d.Run(t.Context(), nothing); !errors.Is(err, edition.ErrNone) {
		t.Errorf("outside any edition: %v", err)
	}
	err := d.InTx(ctx, func(ctx context.Context, _ db.Tx) error { return d.Run(ctx, nothing) })
	if !errors.Is(err, db.ErrNested) {
		t.Errorf("Run in InTx: %v", err)
	}
	err = d.InTx(ctx, func(ctx context.Context, _ db.Tx) error { return d.InTx(ctx, nothing) })
	if !errors.Is(err, db.ErrNested) {
		t.Errorf("InTx in InTx: %v", err)
	}
	stranger := edition.With(t.Context(), &edition.Edition{Document: edition.Document{ID: "stranger"}})
	if err := d.Run(stranger, nothing); !errors.Is(err, db.ErrNoPool) {
		t.Errorf("an edition without a pool: %v", err)
	}
}

func TestUpdateIsAllOrNothing(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	refused := errors.New("no")
	for _, verdict := range []error{refused, nil} {
		err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			if _, err := tx.NewRaw("INSERT INTO rate_limits VALUES ('b', ?0, 1, ?0)", tx.Now).Exec(ctx); err != nil {
				return err
			}
			return verdict
		})
		if !errors.Is(err, verdict) {
			t.Fatal(err)
		}
	}
	var n int
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT count(*) FROM rate_limits").Scan(ctx, &n)
	}); err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestADryRunLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	refused := errors.New("no")
	for _, want := range []error{refused, nil} {
		inside := 0
		err := d.DryRun(ctx, func(ctx context.Context, tx db.Tx) error {
			if _, err := tx.NewRaw("INSERT INTO rate_limits VALUES ('b', ?0, 1, ?0)", tx.Now).Exec(ctx); err != nil {
				return err
			}
			if err := tx.NewRaw("SELECT count(*) FROM rate_limits").Scan(ctx, &inside); err != nil {
				return err
			}
			return want
		})
		if !errors.Is(err, want) || inside != 1 {
			t.Errorf("got %v with %d rows inside, want %v with 1", err, inside, want)
		}
	}
	var n int
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT count(*) FROM rate_limits").Scan(ctx, &n)
	}); err != nil || n != 0 {
		t.Errorf("got %d rows, %v; want none", n, err)
	}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	impatient := testkit.Process(t, d, func(o *db.Options) {
		o.StatementTimeout, o.LockTimeout = 50*time.Millisecond, 20*time.Millisecond
	})
	impatient.Attach("test_sk", "ed_test_sk")
	if err := exec(ctx, impatient, "SELECT pg_sleep(5)"); !errors.Is(err, db.ErrBusy) ||
		fault.From(err).Kind != fault.Unavailable {
		t.Errorf("a slow statement: %v", err)
	}
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, "LOCK TABLE outbox"); err != nil {
			return err
		}
		ed, _ := edition.From(ctx)
		return exec(edition.With(t.Context(), ed), impatient, "SELECT count(*) FROM outbox")
	})
	if state(err) != "55P03" || !errors.Is(err, db.ErrBusy) {
		t.Errorf("a lock held by another: %v", err)
	}
	row := "INSERT INTO outbox (event, payload, dedupe_key, created_at, due_at, next_at) VALUES ('e', '{}', 'k', now(), " +
		"now(), now())"
	if err := exec(ctx, d, row); err != nil {
		t.Fatal(err)
	}
	if err := exec(ctx, d, row); !db.Violates(err, "outbox_dedupe_key_key") || db.Violates(err, "other") {
		t.Errorf("a double: %v", err)
	}
	gone, err := db.Open("postgres://nobody@127.0.0.1:1/none", d.Clock(), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = gone.Close() }()
	gone.Attach("test_sk", "ed_test_sk")
	if err := exec(ctx, gone, "SELECT 1"); !errors.Is(err, db.ErrBusy) {
		t.Errorf("no server: %v", err)
	}
}

// files are migrations of a test; nothing that ships.
func files(edition ...string) func(*db.Options) {
	fs := fstest.MapFS{"core/1_core.tx.up.sql": {Data: []byte("SELECT 1;")}}
	for i, sql := range edition {
		fs["edition/"+strings.Repeat("1", i+1)+"_step.tx.up.sql"] = &fstest.MapFile{Data: []byte(sql)}
	}
	return func(o *db.Options) { o.Migrations = fs }
}

func fresh(t *testing.T) (*db.DB, string) {
	t.Helper()
	d, id := testkit.Empty(t), testkit.Name("paper")
	if err := d.Provision(t.Context(), d.Core(), id); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Deprovision(context.Background(), d.Core(), id); err != nil {
			t.Error(err)
		}
	})
	return d, id
}

func tables(t *testing.T, d *db.DB, id string) string {
	t.Helper()
	var names []string
	err := d.Core().NewRaw("SELECT tablename FROM pg_tables WHERE schemaname = ? AND tablename NOT LIKE 'bun%' ORDER BY 1",
		edition.SchemaOf(id)).Scan(t.Context(), &names)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func TestMigrateResumesWhereItFailed(t *testing.T) {
	t.Parallel()
	d, id := fresh(t)
	err := testkit.Process(t, d,
		files("CREATE TABLE a (x int)", "CREATE TABLE b (x int);\n--bun:split\nSELECT 1/0", "CREATE TABLE c (x int)")).
		Migrate(t.Context(), id)
	if state(err) != "22012" || !strings.Contains(err.Error(), id) {
		t.Fatalf("got %v", err)
	}
	if got := tables(t, d, id); got != "a" {
		t.Errorf("after the failure: %s", got)
	}
	if err := testkit.Process(t, d, files("CREATE TABLE a (x int)", "CREATE TABLE b (x int)", "CREATE TABLE c (x int)")).
		Migrate(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := tables(t, d, id); got != "a b c" {
		t.Errorf("after the repair: %s", got)
	}
}

func TestMigrateByManyAtOnce(t *testing.T) {
	t.Parallel()
	d, id := fresh(t)
	var wg sync.WaitGroup
	for range 6 {
		p := testkit.Process(t, d, files("CREATE TABLE a (x int); SELECT pg_sleep(0.05)", "CREATE TABLE b (x int)"))
		wg.Go(func() {
			if err := p.Migrate(t.Context(), id); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var n int
	if err := d.Core().NewRaw("SELECT count(*) FROM ?.bun_migrations", ident(id)).
		Scan(t.Context(), &n); err != nil || n != 2 {
		t.Errorf("%d lines of history, %v", n, err)
	}
}

func TestMigrateCoreTwice(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	var wg sync.WaitGroup
	for range 4 {
		p := testkit.Process(t, d)
		wg.Go(func() {
			if err := p.MigrateCore(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// What must be marked first is done while the mark is on its way: it can set free what the mark waits for.
func TestAhead(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	testkit.Alter(ctx, t, d, "CREATE TABLE mark (n int)")
	if err := exec(ctx, d, "INSERT INTO mark VALUES (0)"); err != nil {
		t.Fatal(err)
	}
	held, letGo, gone := make(chan bool), make(chan bool), make(chan error, 1)
	go func() {
		gone <- d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE mark SET n = n + 1")
			close(held)
			<-letGo
			return err
		})
	}()
	<-held
	called, err := d.Ahead(ctx, func() { close(letGo) }, "UPDATE mark SET n = n + ?", 10)
	if err := errors.Join(err, <-gone); err != nil || !called {
		t.Fatalf("called: %v, %v", called, err)
	}
	var n int
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT n FROM mark").Scan(ctx, &n)
	})
	if err != nil || n != 11 {
		t.Errorf("the mark is %d, %v", n, err)
	}

	if called, err := d.Ahead(ctx, func() {}, "UPDATE nothing SET n = 1"); !called || state(err) != "42P01" {
		t.Errorf("a statement that fails: called %v, %v", called, err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if called, err := d.Ahead(over, func() {}, "UPDATE mark SET n = 0"); called || err == nil {
		t.Errorf("after the end: called %v, %v", called, err)
	}
}
