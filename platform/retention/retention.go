// Package retention removes what has been kept for long enough. What that is, modules say as data: a rule for each kind
// of rows. One job enforces all of them, in batches, each in a transaction of its own: it holds up nobody, may be
// killed at any moment, and does no harm when it runs twice.
package retention

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Rule says how long some rows of a table are kept.
type Rule struct {
	Name string // the table; where it has more than one rule, "table.which"
	Rows string // which rows, and since when they are counted: "sessions, after their end"
	// Kept is how long. What is kept for less than a day does not wait for the night.
	Kept time.Duration
	// Years is for what a law wants to be kept, in place of Kept: whole calendar years after the one in which it was.
	Years func(*edition.Edition) int
	// Where holds for a row x that is kept no longer: ?0 is the instant before which it has become too old, ?1 the day
	// of that instant in the edition's time zone.
	Where string
	// Key is a column that finds a row again, where the table is in parts; the row's place is used elsewhere.
	Key string
	// Setting is told the limit within the transaction, for tables that refuse every other removal.
	Setting string
	// Wholesale removes what goes faster than row by row, before the rows, and returns how many rows that were.
	Wholesale func(ctx context.Context, tx db.Tx, limit time.Time) (int64, error)
}

// Table is the table that the rule is about.
func (r Rule) Table() string {
	table, _, _ := strings.Cut(r.Name, ".")
	return table
}

// Limit is the instant before which rows are too old.
func (r Rule) Limit(now time.Time, ed *edition.Edition) time.Time {
	if r.Years == nil {
		return now.Add(-r.Kept)
	}
	return time.Date(now.In(ed.Location).Year()-r.Years(ed), time.January, 1, 0, 0, 0, 0, ed.Location)
}

// isPrompt tells what has to go sooner than by night.
func (r Rule) isPrompt() bool { return r.Years == nil && r.Kept < 24*time.Hour }

// batch is how many rows a statement removes at most.
const batch = 2000

// Enforce removes what a rule keeps no longer, and returns how many rows that were, also when it ends with an error.
func Enforce(ctx context.Context, d *db.DB, r Rule) (removed int64, err error) {
	if r.Wholesale != nil {
		err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			removed, err = r.Wholesale(ctx, tx, r.Limit(tx.Now, tx.Edition))
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("retention of %s: %w", r.Name, err)
		}
	}
	for more := true; more; {
		var n int64
		err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			n, err = r.remove(ctx, tx)
			return err
		})
		if err != nil {
			return removed, fmt.Errorf("retention of %s: %w", r.Name, err)
		}
		removed += n
		more = n == batch
	}
	return removed, nil
}

// remove takes one batch. Rows that somebody is working on are left for another time.
func (r Rule) remove(ctx context.Context, tx db.Tx) (int64, error) {
	limit, key := r.Limit(tx.Now, tx.Edition), "ctid"
	if r.Key != "" {
		key = r.Key
	}
	if r.Setting != "" {
		if _, err := tx.NewRaw("SET LOCAL ? = ?", bun.Ident(r.Setting), limit.UTC().Format(time.RFC3339Nano)).
			Exec(ctx); err != nil {
			return 0, err
		}
	}
	table := r.Table()
	res, err := tx.NewRaw("DELETE FROM "+table+" x WHERE x."+key+" = ANY (ARRAY(SELECT x."+key+" FROM "+table+" x WHERE "+
		r.Where+" LIMIT ?2 FOR UPDATE OF x SKIP LOCKED))",
		limit, limit.In(tx.Edition.Location).Format(time.DateOnly), batch).Exec(ctx)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
