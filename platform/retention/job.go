package retention

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// begins is the hour of the night, in the edition's time zone, from which on its rules are enforced.
const begins = 3

// rules are of the job's own table.
var rules = []Rule{
	{
		Name: "retention_nights", Rows: "that a night's work was done", Kept: 365 * 24 * time.Hour,
		Where: "x.night < ?1::date",
	},
}

// Job enforces rules, every night once for each edition.
type Job struct {
	db    *db.DB
	rules []Rule
	log   *slog.Logger

	mu       sync.Mutex
	removed  map[Count]uint64
	finished map[string]time.Time
}

// Count names what is counted: the rows that a rule has removed of an edition.
type Count struct{ Edition, Rule string }

// New makes a job of the modules' rules, and of its own.
func New(d *db.DB, log *slog.Logger, of ...[]Rule) *Job {
	j := &Job{db: d, log: log, removed: map[Count]uint64{}, finished: map[string]time.Time{}}
	for _, list := range append(of, rules) {
		j.rules = append(j.rules, list...)
	}
	return j
}

// Rules are all that the job enforces, in its order.
func (j *Job) Rules() []Rule { return j.rules }

// Tick enforces on the edition of ctx what cannot wait for the night, and everything when a night has begun whose work
// is not done. A night that was interrupted, or missed, is made good by the next tick.
func (j *Job) Tick(ctx context.Context) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	night := nightOf(j.db.Now(), ed)
	last, err := j.look(ctx, ed, night)
	if err != nil {
		return err
	}
	var errs []error
	var total int64
	for _, r := range j.rules {
		if last && !r.isPrompt() {
			continue
		}
		n, err := Enforce(ctx, j.db, r)
		j.count(ed.ID, r.Name, n)
		total += n
		if n > 0 {
			j.log.InfoContext(ctx, "kept for long enough", "edition", ed.ID, "rule", r.Name, "removed", n)
		}
		if err != nil { // the other rules need not wait
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil || last {
		return err
	}
	err = j.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("INSERT INTO retention_nights (night, finished_at) VALUES (?, ?) ON CONFLICT (night) DO NOTHING",
			night, tx.Now).Exec(ctx)
		return err
	})
	if err != nil {
		return err
	}
	j.log.InfoContext(ctx, "retention is enforced for this night", "edition", ed.ID, "night", night, "removed", total)
	_, err = j.look(ctx, ed, night)
	return err
}

// look reports whether a night's work is done, and notes when any was for the last time.
func (j *Job) look(ctx context.Context, ed *edition.Edition, night string) (done bool, err error) {
	var last struct {
		Night      string
		FinishedAt *time.Time
	}
	err = j.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT coalesce(max(night)::text, '') AS night, max(finished_at) AS finished_at FROM "+
			"retention_nights").Scan(ctx, &last)
	})
	if err != nil || last.FinishedAt == nil {
		return false, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.finished[ed.ID] = *last.FinishedAt
	return last.Night >= night, nil
}

// nightOf is the day on which the night began whose work is due: before the hour, that of the day before.
func nightOf(now time.Time, ed *edition.Edition) string {
	day := now.In(ed.Location)
	if day.Hour() < begins {
		day = day.AddDate(0, 0, -1)
	}
	return day.Format(time.DateOnly)
}

func (j *Job) count(editionID, rule string, n int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.removed[Count{editionID, rule}] += uint64(max(0, n))
}

// Removed counts the rows that this process has removed.
func (j *Job) Removed() map[Count]uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.removed)
}

// Finished tells when each edition's rules were enforced for the last time, by any process.
func (j *Job) Finished() map[string]time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.finished)
}
