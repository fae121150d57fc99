// Package advisory takes Postgres' advisory locks, by which processes agree on who does what.
package advisory

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// Lock is an advisory lock of the server. It lives with one connection, so that whoever dies gives it back.
type Lock struct {
	conn bun.Conn
	name string
}

// releaseTimeout bounds giving a lock back.
const releaseTimeout = 5 * time.Second

// Try takes the lock of a name, or returns nil when another session has it. The server ends the session, and the lock
// with it, when it has said nothing for as long as silence; 0 is for ever. Who asks Held more often than that keeps it.
func Try(ctx context.Context, pool *bun.DB, name string, silence time.Duration) (*Lock, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	l := &Lock{conn, name}
	var got bool
	err = conn.NewRaw("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", name).Scan(ctx, &got)
	if err == nil && got {
		_, err = conn.ExecContext(ctx, "SELECT set_config('idle_session_timeout', ?, false)",
			fmt.Sprint(silence.Milliseconds()))
	}
	switch {
	case err != nil:
		l.discard()
		return nil, err
	case !got:
		return nil, conn.Close()
	}
	return l, nil
}

// Held returns an error when the connection is gone, and the lock with it.
func (l *Lock) Held(ctx context.Context) error {
	_, err := l.conn.ExecContext(ctx, "SELECT 1")
	return err
}

// Release gives the lock back, whatever has become of ctx.
func (l *Lock) Release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	for _, s := range []string{"SELECT pg_advisory_unlock(hashtextextended(?, 0))", "RESET idle_session_timeout"} {
		if _, err := l.conn.ExecContext(ctx, s, l.name); err != nil {
			l.discard()
			return err
		}
	}
	return l.conn.Close()
}

// discard closes the connection instead of giving it back to the pool: it may still have the lock.
func (l *Lock) discard() {
	_ = l.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = l.conn.Close()
}

// Holder is the session that has a lock.
type Holder struct {
	PID   int
	Quiet time.Duration // since it last said something
}

// ErrNotHeld means that nobody has a lock.
var ErrNotHeld = errors.New("advisory: the lock is not held")

// HolderOf finds the session of the same user that has the lock of a name.
func HolderOf(ctx context.Context, pool bun.IDB, name string) (Holder, error) {
	var rows []struct {
		PID   int
		Quiet float64
	}
	err := pool.NewRaw(`SELECT a.pid, coalesce(extract(epoch FROM clock_timestamp() - a.state_change), 0)::float8 AS quiet
		FROM pg_locks l JOIN pg_stat_activity a USING (pid)
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.database = (SELECT oid FROM pg_database WHERE
		datname = current_database())
			AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(?, 0)`, name).Scan(ctx, &rows)
	if err != nil {
		return Holder{}, err
	}
	if len(rows) == 0 {
		return Holder{}, ErrNotHeld
	}
	return Holder{rows[0].PID, time.Duration(rows[0].Quiet * float64(time.Second))}, nil
}

// LockInTx makes all who lock the same name wait for each other until their transactions end.
func LockInTx(ctx context.Context, tx bun.IDB, name string) error {
	_, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name).Exec(ctx)
	return err
}
