package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/paper/edition"
)

// ErrPooler means that the address of Postgres leads to a pooler in transaction mode. It drops what a connection asks
// for, loses locks and delivers no notices.
var ErrPooler = errors.New("the address leads to a pooler in transaction mode, where locks are lost and notices " +
	"never arrive: name Postgres itself in database.url, and the pooler in database.pooler_url (docs/scaling.md)")

// requireSession returns ErrPooler where a connection does not have the search path that it has asked for. Whatever is
// made there would be made in another schema.
func requireSession(ctx context.Context, pool bun.IDB, want string) error {
	var got string
	err := pool.NewRaw("SELECT current_setting('search_path')").Scan(ctx, &got)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && strings.Contains(pg.Message, refusedParameter) {
		return fmt.Errorf("%w: %w", ErrPooler, err)
	}
	if err == nil && got != want {
		return fmt.Errorf("%w: the search path is %q, want %q", ErrPooler, got, want)
	}
	return err
}

// refusedParameter is PgBouncer's for what a connection asks for and it does not pass on.
const refusedParameter = "unsupported startup parameter"

// Pooled reports whether the editions' pools go through a pooler.
func (d *DB) Pooled() bool { return d.pooler != nil }

// SessionPool is a pool of an edition whose connections are sessions of Postgres itself, for advisory locks that
// outlive a transaction. Without a pooler it is the edition's usual pool.
func (d *DB) SessionPool(editionID string) (*bun.DB, error) {
	if d.pooler == nil {
		return d.Pool(editionID)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.pools[editionID]; !ok {
		return nil, ErrNoPool
	}
	p, ok := d.sessions[editionID]
	if !ok {
		p = d.open(d.login(editionID, edition.SchemaOf(editionID)), 1, d.opts.StatementTimeout, d.opts.LockTimeout)
		d.sessions[editionID] = p
	}
	return p, nil
}

// pooledSettings are those that a connection names when it begins, where there is no pooler. A pooler in transaction
// mode passes none of them on, so the login's role carries them, for this database alone: papers on one server share
// the role. A session that is idle is the pooler's own business.
func (d *DB) pooledSettings() []string {
	milliseconds := func(t time.Duration) string { return fmt.Sprintf("%dms", t.Milliseconds()) }
	return []string{
		"statement_timeout=" + milliseconds(d.opts.StatementTimeout),
		"lock_timeout=" + milliseconds(d.opts.LockTimeout),
		"idle_in_transaction_session_timeout=" + abandoned["idle_in_transaction_session_timeout"],
	}
}

// hasPooledSettings reports whether an edition's login has what it needs behind the pooler. Any role can ask.
func (d *DB) hasPooledSettings(ctx context.Context, pool bun.IDB, editionID string) (yes bool, err error) {
	if d.pooler == nil {
		return true, nil
	}
	var has []string
	err = pool.NewRaw(`SELECT unnest(s.setconfig) FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
		JOIN pg_database d ON d.oid = s.setdatabase WHERE r.rolname = ? AND d.datname = current_database()`,
		edition.SchemaOf(editionID)).Scan(ctx, &has)
	return !slices.ContainsFunc(d.pooledSettings(), func(s string) bool { return !slices.Contains(has, s) }), err
}

// setPooledSettings gives an edition's login what it needs behind the pooler.
func (d *DB) setPooledSettings(ctx context.Context, tx bun.IDB, editionID string) error {
	if d.pooler == nil {
		return nil
	}
	login := edition.SchemaOf(editionID)
	for _, s := range d.pooledSettings() {
		name, value, _ := strings.Cut(s, "=")
		if _, err := tx.NewRaw("ALTER ROLE ? IN DATABASE ? SET ? = ?", bun.Ident(login), bun.Ident(d.base.Database),
			bun.Ident(name), value).Exec(ctx); err != nil {
			return fmt.Errorf("role %s: %w", login, err)
		}
	}
	return nil
}

// LacksPooledSettings lists the editions whose logins have no bounds behind the pooler: `broadsheet migrate` sets them.
func (d *DB) LacksPooledSettings(ctx context.Context) (lacking []string, err error) {
	d.mu.RLock()
	ids := slices.Sorted(maps.Keys(d.pools))
	d.mu.RUnlock()
	for _, id := range ids {
		has, err := d.hasPooledSettings(ctx, d.core, id)
		if err != nil {
			return nil, err
		}
		if !has {
			lacking = append(lacking, id)
		}
	}
	return lacking, nil
}

// sharingTries is how often SharesSessions looks: another client may take the connection that it waits for.
const sharingTries = 10

// SharesSessions reports whether the address of the owner leads to a pooler in transaction mode, which gives one
// session of Postgres to several connections in turn. Locks are lost and notices never arrive there.
func (d *DB) SharesSessions(ctx context.Context) (bool, error) {
	c := d.base.Copy()
	c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	var conns [2]*pgx.Conn
	for i := range conns {
		conn, err := pgx.ConnectConfig(ctx, c)
		if err != nil {
			return false, err
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		conns[i] = conn
	}
	ids := map[int]int{} // of sessions, to the connection that has used it
	for n := range 2 * sharingTries {
		var id int
		if err := conns[n%2].QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&id); err != nil {
			return false, err
		}
		if owner, used := ids[id]; used && owner != n%2 {
			return true, nil
		}
		ids[id] = n % 2
	}
	return false, nil
}
