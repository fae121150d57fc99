package retention_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/testkit"
)

// windows and letters stand for what goes at once and what goes by night.
var (
	windows = retention.Rule{Name: "rate_limits", Where: "x.expires_at < ?0"}
	letters = retention.Rule{Name: "mail_suppressions", Kept: 24 * time.Hour, Where: "x.at < ?0"}
)

type store struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // of the test's edition
	d   *db.DB
}

func open(t *testing.T) *store {
	t.Helper()
	ctx, d := testkit.Edition(t)
	s := &store{t, ctx, d}
	// Noon, so that a test does not run over the begin of a night.
	ed, _ := edition.From(ctx)
	now := d.Now().In(ed.Location)
	testkit.Clock(d).Advance(time.Date(now.Year(), now.Month(), now.Day()+1, 12, 0, 0, 0, ed.Location).Sub(now))
	return s
}

func (s *store) exec(query string, args ...any) {
	s.t.Helper()
	if err := s.d.Run(s.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(query, args...).Exec(ctx)
		return err
	}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *store) count(table string) (n int) {
	s.t.Helper()
	if err := s.d.Run(s.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT count(*) FROM "+table).Scan(ctx, &n)
	}); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// fill makes rows that are two days too old.
func (s *store) fill(n int) {
	s.t.Helper()
	old := s.d.Now().Add(-72 * time.Hour)
	s.exec("INSERT INTO rate_limits SELECT clock_timestamp()::text || n, ?0, 1, ?0 FROM generate_series(1, ?1) n", old, n)
	s.exec("INSERT INTO mail_suppressions SELECT clock_timestamp()::text || n, 'bounce', ?0 FROM generate_series(1, ?1) "+
		"n", old, n)
}

func (s *store) job(rules ...retention.Rule) *retention.Job {
	return retention.New(s.d, slog.New(slog.DiscardHandler), rules)
}

func (s *store) tick(j *retention.Job) {
	s.t.Helper()
	if err := j.Tick(s.ctx); err != nil {
		s.t.Fatal(err)
	}
}

func (s *store) left(what string, windows, letters, nights int) {
	s.t.Helper()
	if w, l, n := s.count("rate_limits"), s.count("mail_suppressions"), s.count("retention_nights"); w != windows ||
		l != letters || n != nights {
		s.t.Errorf("%s: %d windows, %d letters and %d nights are left, not %d, %d and %d", what, w, l, n, windows,
			letters, nights)
	}
}

func TestOnceANight(t *testing.T) {
	t.Parallel()
	s := open(t)
	j := s.job(windows, letters)
	s.fill(5)
	s.tick(j)
	s.left("a first run makes good what was missed", 0, 0, 1)
	s.fill(3)
	s.tick(j)
	s.left("by day", 0, 3, 1)
	s.tick(s.job(windows, letters))
	s.left("in another process", 0, 3, 1)
	testkit.Clock(s.d).Advance(14 * time.Hour)
	s.tick(j)
	s.left("at two in the night", 0, 3, 1)
	testkit.Clock(s.d).Advance(90 * time.Minute)
	s.tick(j)
	s.left("at half past three", 0, 0, 2)
	if n := j.Removed()[retention.Count{Edition: "test_sk", Rule: "mail_suppressions"}]; n != 8 {
		t.Errorf("%d are counted", n)
	}
	if at := j.Finished()["test_sk"]; s.d.Now().Sub(at) > time.Minute {
		t.Errorf("it was finished at %s", at)
	}
	testkit.Clock(s.d).Advance(400 * 24 * time.Hour)
	s.tick(j)
	s.left("a year later", 0, 0, 1)
}

// What ends it in the middle costs no more than the rest of the work, which the next hour does.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	s := open(t)
	const many = 4100 // more than two batches
	s.fill(many)
	ctx, cancel := context.WithCancel(s.ctx)
	killed := letters
	killed.Wholesale = func(context.Context, db.Tx, time.Time) (int64, error) { cancel(); return 0, nil }
	if err := s.job(windows, killed).Tick(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("it went on: %v", err)
	}
	s.left("interrupted", 0, many, 0)
	broken := windows
	broken.Where = "x.nothing < ?0"
	if err := s.job(broken, letters).Tick(s.ctx); err == nil {
		t.Fatal("a rule that cannot be enforced is no failure")
	}
	s.left("one rule does not hold up another", 0, 0, 0)
	s.tick(s.job(windows, letters))
	s.left("an hour later", 0, 0, 1)
}

// Two workers at once take each row once; neither waits for a row that somebody holds, nor for the other.
func TestTogether(t *testing.T) {
	t.Parallel()
	s := open(t)
	const many = 5000
	s.fill(many)
	var total uint64
	err := s.d.InTx(s.ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.NewRaw("UPDATE mail_suppressions SET reason = 'complaint' WHERE address = (SELECT min(address) " +
			"FROM mail_suppressions)").Exec(ctx); err != nil {
			return err
		}
		var both sync.WaitGroup
		jobs := []*retention.Job{s.job(windows, letters), s.job(windows, letters)}
		for _, j := range jobs {
			both.Go(func() {
				if err := j.Tick(s.ctx); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		for _, j := range jobs {
			for _, n := range j.Removed() {
				total += n
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if total != 2*many-1 {
		t.Errorf("%d rows were removed", total)
	}
	s.left("but for the one that was held", 0, 1, 1)
}
