package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/s3server"
	"example.org/broadsheet/platform/testkit/wait"
)

// machine is a database with its folder of pictures.
func machine(t *testing.T) Source {
	t.Helper()
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	d := c.Open(t)
	if err := d.MigrateCore(t.Context()); err != nil {
		t.Fatal(err)
	}
	return Source{
		DB: d, Registry: edition.NewRegistry(d, "https://{host}", nil), Store: folder(t), Tools: c.Tools(), Program: "test",
	}
}

// bucket is a store in a bucket of its own.
func bucket(t *testing.T) media.Store {
	t.Helper()
	store, err := media.OpenS3(s3server.Start(t).Address("paper"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// folder is a store in a folder of its own.
func folder(t *testing.T) media.Store {
	t.Helper()
	store, err := media.OpenLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func add(t *testing.T, s Source, file string) (context.Context, *edition.Edition) {
	t.Helper()
	ed, err := s.Registry.Apply(t.Context(), "../../../tenants/"+file)
	if err != nil {
		t.Fatal(err)
	}
	return edition.With(t.Context(), ed), ed
}

// tell leaves a login email and a payment's thanks in the outbox that are due, and a reminder that is due tomorrow.
func tell(ctx context.Context, t *testing.T, d *db.DB) {
	t.Helper()
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := outbox.Tell(ctx, tx, event.LoginMail, event.LoginRequested{AttemptID: 7}); err != nil {
			return err
		}
		if err := outbox.Tell(ctx, tx, event.PaymentThanks, event.Paid{}); err != nil {
			return err
		}
		if err := outbox.Tell(ctx, tx, event.TrialEnding, event.TrialEnds{}); err != nil {
			return err
		}
		_, err := tx.NewRaw("UPDATE outbox SET due_at = ?0, next_at = ?0 WHERE event = ?1",
			tx.Now.Add(24*time.Hour), string(event.TrialEnding)).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// effects runs a worker for a moment and counts what it has sent, and how often it did what is periodic.
func effects(t *testing.T, s Source, until func(sent, rounds int64) bool) (sent, rounds int64) {
	t.Helper()
	queue, err := redis.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Close()
	var emails, periodic atomic.Int64
	listeners := event.Registry{}
	event.On(listeners, event.LoginMail, func(context.Context, event.LoginRequested) error { emails.Add(1); return nil })
	event.On(listeners, event.PaymentThanks, func(context.Context, event.Paid) error { emails.Add(1); return nil })
	event.On(listeners, event.TrialEnding, func(context.Context, event.TrialEnds) error { emails.Add(100); return nil })
	w, err := jobs.New(s.DB, s.Registry, listeners, jobs.Options{
		RedisURL: queue.URL(), Log: slog.New(slog.DiscardHandler), Poll: 10 * time.Millisecond,
		LeaderCheck: 20 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Every("charge", 20*time.Millisecond, func(context.Context) error { periodic.Add(1); return nil })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	for end := time.Now().Add(wait.Patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if until(emails.Load(), periodic.Load()) {
			break
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return emails.Load(), periodic.Load()
}

func write(t *testing.T, s Source, editions ...*edition.Edition) (dir string, m *Manifest) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "monday")
	m, err := Write(t.Context(), s, dir, editions)
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// Two editions are lost with their machine and come back on another one: equal, with the same pictures, and no worker
// does again what was done since, until somebody says so.
func TestAMachineIsLost(t *testing.T) {
	t.Parallel()
	before, after := machine(t), machine(t)
	before.Store, after.Store = bucket(t), bucket(t)
	ctx, ed := add(t, before, "standard.yaml")
	_, other := add(t, before, "standard_at.yaml")
	tell(ctx, t, before.DB)
	const picture, variant = "img/0123456789abcdef0123456789abcdef/original.jpg",
		"img/0123456789abcdef0123456789abcdef/r3/320.jpg"
	for _, key := range []string{"standard/" + picture, "standard/" + variant, "standard_at/" + picture} {
		if err := before.Store.Put(ctx, key, strings.NewReader(key), int64(len(key)), "image/jpeg"); err != nil {
			t.Fatal(err)
		}
	}
	dir, _ := write(t, before, ed, other)
	m, err := Read(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(ctx, before, dir, m, []string{"standard", "standard_at"}, ""); err != nil {
		t.Errorf("a trial: %v", err)
	}

	if _, err := Restore(t.Context(), after, dir, m, []string{"standard", "standard_at"}); err != nil {
		t.Fatal(err)
	}
	back, ok := after.Registry.Get("standard")
	if !ok || !back.RestoredFrom.Equal(m.TakenAt) {
		t.Fatalf("the edition: %v %+v", ok, back)
	}
	r, _, err := after.Store.Get(ctx, "standard/"+picture)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	_ = r.Close()
	if err != nil || string(b) != "standard/"+picture {
		t.Errorf("the picture is %q, %v", b, err)
	}
	if _, err := after.Store.Head(ctx, "standard/"+variant); err == nil {
		t.Error("a variant was copied")
	}
	if again, err := Restore(t.Context(), after, dir, m, []string{"standard"}); err != nil || len(again) != 0 {
		t.Errorf("an edition that came back before: restored %v, %v, want it left as it is", again, err)
	}

	ctx = edition.With(t.Context(), back)
	began := time.Now()
	twoSeconds := func(int64, int64) bool { return time.Since(began) > 2*time.Second }
	if sent, rounds := effects(t, after, twoSeconds); sent+rounds != 0 {
		t.Errorf("before anybody confirmed, %d emails went out, and %d periodic jobs ran", sent, rounds)
	}
	held, err := jobs.Held(ctx, after.DB)
	if err != nil || len(held) != 3 || held[0].Due+held[1].Due+held[2].Due != 2 {
		t.Errorf("what waits: %+v, %v", held, err)
	}
	if n, err := jobs.Release(ctx, after.DB, true); err != nil || n != 2 {
		t.Errorf("%d rows were overdue, %v", n, err)
	}
	if err := after.Registry.ConfirmRestored(ctx, "standard"); err != nil {
		t.Fatal(err)
	}
	sent, rounds := effects(t, after, func(sent, rounds int64) bool { return sent >= 2 && rounds > 0 })
	if sent != 2 || rounds == 0 {
		t.Errorf("after it was confirmed, %d emails went out, and %d periodic jobs ran", sent, rounds)
	}
	if back, _ := after.Registry.Get("standard"); !back.RestoredFrom.IsZero() {
		t.Error("the mark is still there")
	}
	if _, err := Restore(t.Context(), after, dir, m, []string{"standard"}); err == nil {
		t.Error("an edition that is there was overwritten")
	}
}

// Pictures come back as they were, from a folder or a bucket to a folder or a bucket, and only those of the edition.
func TestPicturesMoveBetweenStores(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(*testing.T) media.Store{"folder": folder, "bucket": bucket}
	for from, before := range kinds {
		for to, after := range kinds {
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				first, second := Source{Store: before(t)}, Source{Store: after(t)}
				long := strings.Repeat("a recording of some length ", 100_000)
				for key, text := range map[string]string{
					"standard/img/a/original.jpg": "picture", "standard/video/b.mp4": long, "evening/img/a/original.jpg": "another",
				} {
					err := first.Store.Put(t.Context(), key, strings.NewReader(text), int64(len(text)), media.TypeOf(key))
					if err != nil {
						t.Fatal(err)
					}
				}
				dir, m := t.TempDir(), &Manifest{Files: map[string]File{}}
				if n, err := first.copyPictures(t.Context(), dir, m, "standard"); err != nil || n != 2 {
					t.Fatal(n, err)
				}
				if err := second.restorePictures(t.Context(), dir, m, "standard"); err != nil {
					t.Fatal(err)
				}
				found := map[string]int64{}
				for info, err := range second.Store.List(t.Context(), "") {
					if err != nil {
						t.Fatal(err)
					}
					found[info.Key] = info.Size
				}
				want := map[string]int64{"standard/img/a/original.jpg": 7, "standard/video/b.mp4": int64(len(long))}
				if !maps.Equal(found, want) {
					t.Errorf("restored %v, want %v", found, want)
				}
				r, _, err := second.Store.Get(t.Context(), "standard/video/b.mp4")
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = r.Close() }()
				if b, err := io.ReadAll(r); err != nil || string(b) != long {
					t.Errorf("the recording has %d bytes, %v", len(b), err)
				}
			})
		}
	}
}

func TestOverdueWorkIsDropped(t *testing.T) {
	t.Parallel()
	s := machine(t)
	ctx, _ := add(t, s, "standard.yaml")
	tell(ctx, t, s.DB)
	if n, err := jobs.Hold(ctx, s.DB); err != nil || n != 3 {
		t.Fatal(n, err)
	}
	if n, err := jobs.Release(ctx, s.DB, false); err != nil || n != 2 {
		t.Fatalf("%d rows were dropped, %v", n, err)
	}
	if sent, _ := effects(t, s, func(_, rounds int64) bool { return rounds > 10 }); sent != 0 {
		t.Errorf("%d emails went out", sent)
	}
	var left int64
	err := s.DB.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT count(*) FROM outbox WHERE done_at IS NULL AND dead_at IS NULL").Scan(ctx, &left)
	})
	if err != nil || left != 1 {
		t.Errorf("%d rows are left for later, %v", left, err)
	}
}

// A backup that was changed, cut off, or is of something else brings nothing back.
func TestDamagedBackupsAreRefused(t *testing.T) {
	t.Parallel()
	s := machine(t)
	_, ed := add(t, s, "standard.yaml")
	dir, m := write(t, s, ed)
	if _, err := Write(t.Context(), s, dir, []*edition.Edition{ed}); err == nil {
		t.Error("a backup was overwritten")
	}
	dump := filepath.Join(dir, "standard.dump")
	whole, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(whole)
	changed[len(changed)/2] ^= 1
	for name, content := range map[string][]byte{"changed": changed, "cut off": whole[:len(whole)/2]} {
		if err := os.WriteFile(dump, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir, nil); err == nil || !strings.Contains(err.Error(), "standard.dump") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(dump, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	// A row too many in the manifest: what came back is not what was written, and nothing of it stays.
	after := machine(t)
	table := m.Editions[0].Tables["content_posts"]
	table.Rows++
	m.Editions[0].Tables["content_posts"] = table
	_, err = Restore(t.Context(), after, dir, m, []string{"standard"})
	if err == nil || !strings.Contains(err.Error(), "content_posts") {
		t.Errorf("another number of rows: %v", err)
	}
	var there bool
	err = after.DB.Core().NewRaw("SELECT to_regnamespace('ed_standard') IS NOT NULL").Scan(t.Context(), &there)
	if err != nil || there {
		t.Errorf("the schema stayed: %v, %v", there, err)
	}
	if _, err := Restore(t.Context(), after, dir, m, []string{"evening"}); err == nil {
		t.Error("an edition that is not in it came back")
	}
	if _, err := Read(t.TempDir(), nil); err == nil {
		t.Error("an empty folder is a backup")
	}
}

// A run that was stopped leaves nothing that looks like a backup, and nothing in the way of the next.
func TestAStoppedBackupIsBegunAnew(t *testing.T) {
	t.Parallel()
	s := machine(t)
	_, ed := add(t, s, "standard.yaml")
	dir := filepath.Join(t.TempDir(), "tuesday")
	ctx, stop := context.WithCancel(t.Context())
	stopped := s
	stopped.Progress = func(string, int, int) { stop() }
	if _, err := Write(ctx, stopped, dir, []*edition.Edition{ed}); err == nil {
		t.Fatal("it was not stopped")
	}
	if _, err := Read(dir, nil); err == nil {
		t.Error("there is a backup")
	}
	if _, err := os.Stat(dir + ".partial"); err != nil {
		t.Fatalf("nothing was begun: %v", err)
	}
	if _, err := Write(t.Context(), s, dir, []*edition.Edition{ed}); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir, nil); err != nil {
		t.Error(err)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	s := machine(t)
	ctx, ed := add(t, s, "standard.yaml")
	tell(ctx, t, s.DB)
	err := s.DB.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO identity_tombstones (hash, at) VALUES ('\xdeadbeef', ?)`,
			tx.Now).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n, err := Export(ctx, s, ed, &out)
	if err != nil {
		t.Fatal(err)
	}
	tables, lines := map[string]int{}, 0
	for line := range strings.Lines(out.String()) {
		var o struct {
			Table string
			Row   map[string]any
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil || o.Table == "" || len(o.Row) == 0 {
			t.Fatalf("%v: %.200s", err, line)
		}
		tables[o.Table]++
		lines++
	}
	if lines != n || tables["outbox"] != 3 || tables["identity_tombstones"] != 1 {
		t.Errorf("%d lines of %d, %v", lines, n, tables)
	}
	if strings.Contains(out.String(), "deadbeef") {
		t.Error("a hash was written")
	}
}
