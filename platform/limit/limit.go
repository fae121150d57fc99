// Package limit counts what may happen only so often, in fixed windows, in Postgres: a
// flushed cache must not hand out new budgets.
package limit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
)

// Budget allows Max events in each Window.
type Budget struct {
	Name   string // "mail:email"
	Max    int
	Window time.Duration
	// Usual allows more than Max where that is usual: as many times what a window had on average in the last week.
	Usual int
}

// usualOver is the time over which what is usual is known.
const usualOver = 7 * 24 * time.Hour

// Spend counts one event of key and reports whether it still is within the budget. Spent
// events stay counted also when the answer is no; the caller's transaction must commit.
// Only of what is usual they are taken back, as a flood must not become that. A
// Network of IPv6 is counted with its neighbours, too. Until the transaction commits,
// everybody with the same key waits: a key that many share is spent outside of one, in
// a db.View, where what must not be counted in vain asks Left before.
func Spend(ctx context.Context, tx db.Tx, b Budget, key string) (bool, error) {
	within, err := spend(ctx, tx, b, key)
	site, ok := siteOf(key)
	if err != nil || !within || !ok {
		return within, err
	}
	b.Name, b.Max = b.Name+".site", b.Max*sitesWorth
	return spend(ctx, tx, b, site)
}

func spend(ctx context.Context, tx db.Tx, b Budget, key string) (bool, error) {
	var used int
	start, life := tx.Now.Truncate(b.Window), 2*b.Window
	if b.Usual > 0 {
		life = usualOver + b.Window
	}
	err := tx.NewRaw(`INSERT INTO rate_limits (bucket, window_at, used, expires_at) VALUES (?, ?, 1, ?)
		ON CONFLICT (bucket, window_at) DO UPDATE SET used = rate_limits.used + 1 RETURNING used`,
		b.bucket(key), start, start.Add(life)).Scan(ctx, &used)
	if err != nil {
		return false, fmt.Errorf("limit %s: %w", b.Name, err)
	}
	if used <= b.Max || b.Usual == 0 {
		return used <= b.Max, nil
	}
	usual, err := b.isUsual(ctx, tx, key, used)
	if err != nil || usual {
		return usual, err
	}
	if _, err = tx.NewRaw("UPDATE rate_limits SET used = used - 1 WHERE bucket = ? AND window_at = ?", b.bucket(key),
		start).Exec(ctx); err != nil {
		return false, fmt.Errorf("limit %s: %w", b.Name, err)
	}
	return false, nil
}

// isUsual holds what a window has had against the windows of the last week.
func (b Budget) isUsual(ctx context.Context, tx db.Tx, key string, used int) (bool, error) {
	start := tx.Now.Truncate(b.Window)
	var sum int64
	err := tx.NewRaw("SELECT coalesce(sum(used), 0) FROM rate_limits WHERE bucket = ? AND window_at < ? AND window_at "+
		">= ?",
		b.bucket(key), start, start.Add(-usualOver)).Scan(ctx, &sum)
	if err != nil {
		return false, fmt.Errorf("limit %s: %w", b.Name, err)
	}
	return int64(used)*int64(usualOver/b.Window) <= int64(b.Usual)*sum, nil
}

// SpendAll counts one event against each budget with its key; all are counted.
func SpendAll(ctx context.Context, tx db.Tx, spends ...Use) (bool, error) {
	ok := true
	for _, s := range spends {
		within, err := Spend(ctx, tx, s.Budget, s.Key)
		if err != nil {
			return false, err
		}
		ok = ok && within
	}
	return ok, nil
}

// SpendInTurn counts one event against one budget after the other, and stops at the first that is used up: what that
// one refuses has not happened, and must not use up the others.
func SpendInTurn(ctx context.Context, tx db.Tx, spends ...Use) (bool, error) {
	for _, s := range spends {
		within, err := Spend(ctx, tx, s.Budget, s.Key)
		if err != nil || !within {
			return false, err
		}
	}
	return true, nil
}

// Use is one event against one budget.
type Use struct {
	Budget Budget
	Key    string
}

// Left reports whether one more event would be within the budget, and counts nothing.
func Left(ctx context.Context, tx db.Tx, b Budget, key string) (bool, error) {
	var used int
	err := tx.NewRaw(`SELECT coalesce(max(used), 0) FROM rate_limits WHERE bucket = ? AND window_at = ?`,
		b.bucket(key), tx.Now.Truncate(b.Window)).Scan(ctx, &used)
	if err != nil {
		return false, fmt.Errorf("limit %s: %w", b.Name, err)
	}
	if used < b.Max || b.Usual == 0 {
		return used < b.Max, nil
	}
	return b.isUsual(ctx, tx, key, used+1)
}

// Retentions is how long windows are kept: until they count no more.
func Retentions() []retention.Rule {
	return []retention.Rule{{
		Name: "rate_limits", Rows: "what was counted of a budget, after its window",
		Where: "x.expires_at < ?0",
	}}
}

// bucket hashes the key: addresses of people do not belong into a counter.
func (b Budget) bucket(key string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(key)))
	return b.Name + ":" + hex.EncodeToString(sum[:12])
}
