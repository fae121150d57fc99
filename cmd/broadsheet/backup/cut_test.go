package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// asRestore makes the test's binary be a process that restores and is killed.
const asRestore = "BACKUP_TEST_AS_RESTORE"

// restoration is the task of such a process, which reads it from its standard input.
type restoration struct {
	DSN, Tools, Store, Backup string
	At                        int // number of the step before which it is killed; 0 lets it run
}

// TestMain lets the test binary be the process that is killed in the middle of a restore.
func TestMain(m *testing.M) {
	if os.Getenv(asRestore) == "" {
		os.Exit(m.Run())
	}
	var do restoration
	n, err := 0, json.NewDecoder(os.Stdin).Decode(&do)
	if err == nil {
		err = do.run(&n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(n)
}

// steps counts what a restore does: its reports and the statements of the registry. It kills the process before one.
type steps struct {
	n  *int
	at int
}

func (s steps) next() {
	*s.n++
	if *s.n == s.at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal comes at once
	}
}

// BeforeQuery implements bun.QueryHook.
func (s steps) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context {
	s.next()
	return ctx
}

// AfterQuery implements bun.QueryHook.
func (steps) AfterQuery(context.Context, *bun.QueryEvent) {}

// hooked is a database whose statements are steps.
type hooked struct {
	*db.DB
	core *bun.DB
}

// Core implements edition.Database.
func (h hooked) Core() *bun.DB { return h.core }

func (do restoration) run(n *int) error {
	ctx := context.Background()
	d, err := db.Open(do.DSN, &clock.Clock{}, db.Options{})
	if err != nil {
		return err
	}
	store, err := media.OpenLocal(do.Store)
	if err != nil {
		return err
	}
	step := steps{n, do.At}
	s := Source{
		DB: d, Registry: edition.NewRegistry(hooked{d, d.Core().WithQueryHook(step)}, "https://{host}", nil), Store: store,
		Tools: do.Tools, Progress: func(string, int, int) { step.next() },
	}
	m, err := Read(do.Backup, nil)
	if err != nil {
		return err
	}
	_, err = Restore(ctx, s, do.Backup, m, []string{"standard"})
	return err
}

// cutter restores a backup in processes that are killed.
type cutter struct {
	Source
	t   *testing.T
	m   *Manifest
	dir string
	do  restoration
}

// newCutter makes a backup of an edition with a picture and work, and a machine to restore it on.
func newCutter(t *testing.T) *cutter {
	t.Helper()
	before := machine(t)
	ctx, ed := add(t, before, "standard.yaml")
	tell(ctx, t, before.DB)
	if err := before.Store.Put(ctx, "standard/"+aPicture, strings.NewReader("picture"), 7, "image/jpeg"); err != nil {
		t.Fatal(err)
	}
	c := &cutter{Source: machine(t), t: t}
	c.dir, c.m = write(t, before, ed)
	folder := t.TempDir()
	store, err := media.OpenLocal(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	c.Store = store
	c.do = restoration{DSN: c.DB.Config().ConnString(), Tools: c.Tools, Store: folder, Backup: c.dir}
	return c
}

const aPicture = "img/0123456789abcdef0123456789abcdef/original.jpg"

// start starts a process that restores and is killed before a step; 0 lets it run.
func (c *cutter) start(at int) (cmd *exec.Cmd, out *strings.Builder) {
	c.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	do := c.do
	do.At = at
	text, err := json.Marshal(do)
	if err != nil {
		c.t.Fatal(err)
	}
	out = &strings.Builder{}
	cmd = exec.CommandContext(c.t.Context(), exe)
	cmd.Env, cmd.Stdin, cmd.Stdout = append(os.Environ(), asRestore+"=1"), bytes.NewReader(text), out
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	return cmd, out
}

// repeat restores once more, and compares all that came back with what was written.
func (c *cutter) repeat(t *testing.T) {
	t.Helper()
	if _, err := Restore(t.Context(), c.Source, c.dir, c.m, []string{"standard"}); err != nil {
		t.Fatal(err)
	}
	snap, err := take(t.Context(), c.DB)
	if err != nil {
		t.Fatal(err)
	}
	got, err := snap.tables(t.Context(), "standard")
	snap.close(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range c.m.Editions[0].Tables {
		if name == "outbox" { // its work is held
			want.Sum = got[name].Sum
		}
		if got[name] != want {
			t.Errorf("%s: got %+v, want %+v", name, got[name], want)
		}
	}
	list, err := c.Registry.List(t.Context())
	if err != nil || len(list) != 1 || list[0].State != "live" || !list[0].RestoredFrom.Equal(c.m.TakenAt) {
		t.Errorf("the registry: got %+v, %v, want the edition live and restored from %s", list, err, c.m.TakenAt)
	}
	if restoring, err := c.Registry.Restoring(t.Context()); err != nil || len(restoring) != 0 {
		t.Errorf("editions that are being restored: got %v, %v, want an empty list", restoring, err)
	}
	r, _, err := c.Store.Get(t.Context(), "standard/"+aPicture)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if b, err := io.ReadAll(r); err != nil || string(b) != "picture" {
		t.Errorf("the picture: got %q, %v", b, err)
	}
	if err := c.Registry.Drop(t.Context(), "standard", true); err != nil {
		t.Fatal(err)
	}
}

// A restore that was killed at any moment can be repeated.
func TestRestore_Killed(t *testing.T) {
	t.Parallel()
	c := newCutter(t)
	cmd, out := c.start(0)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	var all int
	if _, err := fmt.Sscan(out.String(), &all); err != nil || all < 20 {
		t.Fatalf("the steps of a restore: got %q, %v", out, err)
	}
	t.Run("after the last step", c.repeat)
	const moments = 10
	for i := range moments {
		at := 1 + i*(all-1)/(moments-1)
		t.Run(fmt.Sprintf("before step %d of %d", at, all), func(t *testing.T) {
			cmd, _ := c.start(at)
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.Success() {
				t.Fatalf("it was not killed: %v", err)
			}
			c.repeat(t)
		})
	}
}

// Where the process was killed while pg_restore works, that one goes on: the next run ends it.
func TestRestore_KilledInPGRestore(t *testing.T) {
	t.Parallel()
	c := newCutter(t)
	holder, err := pgx.ConnectConfig(t.Context(), c.DB.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = holder.Close(context.Background()) })
	c.super(t, "CREATE TABLE core.pause (tag text)", "GRANT ALL ON core.pause TO PUBLIC", `CREATE FUNCTION core.pause()
		RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
			IF EXISTS (SELECT FROM core.pause WHERE tag = tg_tag) THEN PERFORM pg_advisory_lock(4711); END IF;
		END $$`, "CREATE EVENT TRIGGER pause ON ddl_command_end EXECUTE FUNCTION core.pause()")
	if _, err := holder.Exec(t.Context(), "SELECT pg_advisory_lock(4711)"); err != nil {
		t.Fatal(err)
	}
	cut := func(t *testing.T, tag string) {
		t.Helper()
		c.super(t, "INSERT INTO core.pause VALUES ('"+tag+"')")
		cmd, _ := c.start(0)
		wait.Until(t, "pg_restore waits after "+tag, func() (waits bool) {
			err := holder.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'advisory')").
				Scan(&waits)
			if err != nil {
				t.Fatal(err)
			}
			return waits
		})
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		c.super(t, "DELETE FROM core.pause")
	}
	for _, tag := range []string{"CREATE TABLE", "CREATE INDEX"} {
		t.Run(tag, func(t *testing.T) {
			cut(t, tag)
			c.repeat(t)
		})
	}
	t.Run("edition add", func(t *testing.T) {
		cut(t, "CREATE TABLE")
		_, err := c.Registry.Apply(t.Context(), "../../../tenants/standard.yaml")
		if !errors.Is(err, edition.ErrRestoring) {
			t.Errorf("a part of a backup was put into service: %v", err)
		}
		c.repeat(t)
	})
	t.Run("edition remove --drop", func(t *testing.T) {
		cut(t, "CREATE TABLE")
		if _, err := holder.Exec(t.Context(), "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "+
			"WHERE wait_event = 'advisory'"); err != nil {
			t.Fatal(err)
		}
		if err := c.Registry.Drop(t.Context(), "standard", false); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Registry.Apply(t.Context(), "../../../tenants/standard.yaml"); err != nil {
			t.Error(err)
		}
	})
}

// A restore that is stopped, by a signal or an error, leaves nothing of the edition in the database.
func TestRestore_Stopped(t *testing.T) {
	t.Parallel()
	c := newCutter(t)
	for _, part := range []string{"editions", "files of standard"} {
		t.Run(part, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			s := c.Source
			s.Progress = func(p string, _, _ int) {
				if p == part {
					stop()
				}
			}
			if _, err := Restore(ctx, s, c.dir, c.m, []string{"standard"}); !errors.Is(err, context.Canceled) {
				t.Fatalf("it was not stopped: %v", err)
			}
			if there, err := c.DB.Schemas(t.Context()); err != nil || len(there) != 0 {
				t.Errorf("schemas: got %v, %v, want none", there, err)
			}
			if restoring, err := c.Registry.Restoring(t.Context()); err != nil || len(restoring) != 0 {
				t.Errorf("editions that are being restored: got %v, %v, want none", restoring, err)
			}
			c.repeat(t)
		})
	}
	t.Run("another run", func(t *testing.T) {
		unlock, err := c.lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := Restore(t.Context(), c.Source, c.dir, c.m, []string{"standard"})
			ended <- err
		}()
		wait.Until(t, "the second run asks for the lock", func() (asks bool) {
			err := c.DB.Core().NewRaw(`SELECT count(*) > 1 FROM pg_stat_activity WHERE datname = current_database()
				AND query LIKE 'SELECT pg_try_advisory_lock%'`).Scan(t.Context(), &asks)
			if err != nil {
				t.Fatal(err)
			}
			return asks
		})
		if there, err := c.DB.Schemas(t.Context()); err != nil || len(there) != 0 {
			t.Errorf("two runs restore at once: got schemas %v, %v", there, err)
		}
		unlock()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		c.repeat(t)
	})
}

// super runs statements as the server's superuser.
func (c *cutter) super(t *testing.T, statements ...string) {
	t.Helper()
	config := c.DB.Config()
	config.User = "postgres"
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, s := range statements {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}
