package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/platform/clock"
)

// Options of the pools. Zero values take the defaults named here.
type Options struct {
	MaxConns         int           // per edition, default 5
	TotalConns       int           // of all editions together, default 60
	CoreConns        int           // of the owner's pool, default 2: one may be held for a lock while the other works
	ConnectTimeout   time.Duration // default 5 s, unless the address says connect_timeout
	StatementTimeout time.Duration // default 5 s
	LockTimeout      time.Duration // default 2 s
	Role             string        // of the process: "serve", "work", "dev"; "" for a command
	// PoolerDSN is the address of a pooler in transaction mode, through which the editions' pools go; "" for none. What
	// needs a session (notices, advisory locks, migrations, everything of the owner's) never goes through it.
	PoolerDSN string
	// Migrations holds core/*.sql and edition/*.sql; nil means the ones that ship.
	Migrations fs.FS
	// Password gives the password of an edition's login role; nil where the server trusts its socket.
	Password func(editionID string) string
	// TakeRoles takes the login of an edition also from a paper in another database of the server, which cannot log in
	// then.
	TakeRoles bool
	Log       *slog.Logger // nil means slog.Default
	Trace     bool         // whether queries that are made within a trace get spans
}

func (o *Options) setDefaults() {
	o.MaxConns = cmp.Or(o.MaxConns, 5)
	o.TotalConns = cmp.Or(o.TotalConns, 60)
	o.CoreConns = cmp.Or(o.CoreConns, 2)
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 5*time.Second)
	o.StatementTimeout = cmp.Or(o.StatementTimeout, 5*time.Second)
	o.LockTimeout = cmp.Or(o.LockTimeout, 2*time.Second)
	o.Log = cmp.Or(o.Log, slog.Default())
}

// DB holds one pool per edition and one for the platform's own schema, "core".
type DB struct {
	base   *pgx.ConnConfig
	pooler *pgx.ConnConfig // nil for none
	opts   Options
	clock  *clock.Clock
	core   *bun.DB
	// budget is that of the editions' pools. The owner's is apart: the leadership must not wait for readers.
	budget *budget

	isolation atomic.Uint64
	refused   sync.Map // ids of editions whose login was refused

	mu       sync.RWMutex
	pools    map[string]*bun.DB
	sessions map[string]*bun.DB // those that go past the pooler
}

// Open prepares the pools for a server; dsn is the owner's, who may create roles and schemas.
func Open(dsn string, c *clock.Clock, o Options) (*DB, error) {
	base, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("db: the database URL cannot be read: %w", err)
	}
	o.setDefaults()
	if base.ConnectTimeout == 0 {
		base.ConnectTimeout = o.ConnectTimeout
	}
	d := &DB{base: base, opts: o, clock: c, pools: map[string]*bun.DB{}, sessions: map[string]*bun.DB{}}
	if o.PoolerDSN != "" {
		if d.pooler, err = pgx.ParseConfig(o.PoolerDSN); err != nil {
			return nil, fmt.Errorf("db: the URL of the pooler cannot be read: %w", err)
		}
		d.pooler.ConnectTimeout = cmp.Or(d.pooler.ConnectTimeout, o.ConnectTimeout)
	}
	d.budget = &budget{places: make(chan struct{}, o.TotalConns), makeRoom: d.makeRoom}
	d.core = d.open(d.session("core"), o.CoreConns, o.StatementTimeout, o.LockTimeout)
	return d, nil
}

// keepIdle is how long a connection that nobody uses is kept. The server has few, and other processes need them.
const keepIdle = 20 * time.Second

// abandoned has the server end the sessions whose client is gone without a word: a firewall that forgot them, a machine
// that lost its power, a proxy that is stuck. Until then they hold their locks, the leadership among them, and their
// places. A pool gives back what is idle sooner than the server ends it.
var abandoned = map[string]string{
	"idle_session_timeout":                "30s",
	"idle_in_transaction_session_timeout": "30s",
	"tcp_keepalives_idle":                 "15",
	"tcp_keepalives_interval":             "5",
	"tcp_keepalives_count":                "3",
	"tcp_user_timeout":                    "30s",
}

// session is who a pool's connections log in as, and what they see.
type session struct {
	user, password string
	role           string // that they act as; "" for user
	searchPath     string
	budget         *budget // that the connections count against; nil for none
	pooled         bool    // through the pooler
}

// session is one of the login of the database URL.
func (d *DB) session(searchPath string) session {
	return session{user: d.base.User, password: d.base.Password, searchPath: searchPath}
}

// login is a session of an edition's login. The role carries the search path as well, for people and tools; here it is
// named because a role can change its own settings.
func (d *DB) login(editionID, role string) session {
	return session{user: role, password: d.Password(editionID), searchPath: searchPath(role)}
}

// open makes a lazy pool. Arguments are inlined by bun, so the simple protocol serves, and
// no prepared statement ties a query to a connection (poolers in between stay possible).
func (d *DB) open(s session, conns int, statement, lock time.Duration) *bun.DB {
	c := d.base.Copy()
	if s.pooled {
		c = d.pooler.Copy()
	}
	c.User, c.Password = s.user, s.password
	c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	if c.RuntimeParams == nil {
		c.RuntimeParams = map[string]string{}
	}
	c.RuntimeParams["application_name"] = "broadsheet"
	c.RuntimeParams["timezone"] = "UTC"
	if !s.pooled { // a pooler refuses what it does not pass on: there the role has the rest (pooledSettings)
		c.RuntimeParams["search_path"] = s.searchPath
		if s.role != "" {
			c.RuntimeParams["role"] = s.role
		}
		c.RuntimeParams["statement_timeout"] = strconv.FormatInt(statement.Milliseconds(), 10)
		c.RuntimeParams["lock_timeout"] = strconv.FormatInt(lock.Milliseconds(), 10)
		maps.Copy(c.RuntimeParams, abandoned)
	}
	if statement > 0 {
		c.Tracer = deadlines{statement}
	}
	p := sql.OpenDB(connector{stdlib.GetConnector(*c), s.budget})
	p.SetMaxOpenConns(conns)
	p.SetMaxIdleConns(conns) // a rush comes again: a connection costs more to open than to keep for a while
	p.SetConnMaxIdleTime(keepIdle)
	pool := bun.NewDB(p, pgdialect.New())
	if d.opts.Trace {
		own, _, _ := strings.Cut(s.searchPath, ",")
		pool = pool.WithQueryHook(traceHook{own})
	}
	return pool
}

// Attach opens the pool of an edition, whose login role has the name of the schema.
func (d *DB) Attach(editionID, role string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.pools[editionID]; ok {
		return
	}
	s := d.login(editionID, role)
	s.budget, s.pooled = d.budget, d.pooler != nil
	d.pools[editionID] = d.open(s, d.opts.MaxConns, d.opts.StatementTimeout, d.opts.LockTimeout)
}

// Detach closes the pool of an edition.
func (d *DB) Detach(editionID string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.pools[editionID]
	direct, hasDirect := d.sessions[editionID]
	delete(d.pools, editionID)
	delete(d.sessions, editionID)
	d.refused.Delete(editionID)
	var errs []error
	if ok {
		errs = append(errs, p.Close())
	}
	if hasDirect {
		errs = append(errs, direct.Close())
	}
	return errors.Join(errs...)
}

// ErrNoPool means that the edition is not attached.
var ErrNoPool = errors.New("db: no pool")

// Pool is an edition's pool, for the relay; modules use Run and InTx. Where there is a pooler, what one connection
// says may be heard by another: whoever needs a session uses SessionPool.
func (d *DB) Pool(editionID string) (*bun.DB, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	p, ok := d.pools[editionID]
	if !ok {
		return nil, ErrNoPool
	}
	return p, nil
}

// Core is the pool of the owner, for the platform's own tables, roles and schemas.
func (d *DB) Core() *bun.DB { return d.core }

// Now is the clock's time.
func (d *DB) Now() time.Time { return d.clock.Now() }

// Clock is the clock that stamps transactions.
func (d *DB) Clock() *clock.Clock { return d.clock }

// Config is a copy of the owner's connection settings, for whoever makes a connection of its own.
func (d *DB) Config() *pgx.ConnConfig { return d.base.Copy() }

// ListenConfig is Config for the connection on which a process listens. It is silent by nature, but asks every
// half minute whether it lives.
func (d *DB) ListenConfig() *pgx.ConnConfig {
	c := d.Config()
	if c.RuntimeParams == nil {
		c.RuntimeParams = map[string]string{}
	}
	maps.Copy(c.RuntimeParams, abandoned)
	c.RuntimeParams["idle_session_timeout"] = "2min"
	c.RuntimeParams["application_name"] = Listener(d.opts.Role)
	return c
}

// Password is the login role's password, or "" where none is needed.
func (d *DB) Password(editionID string) string {
	if d.opts.Password == nil {
		return ""
	}
	return d.opts.Password(editionID)
}

// Ping checks the server.
func (d *DB) Ping(ctx context.Context) error {
	err := d.core.PingContext(ctx)
	discardStranded(d.core, d.opts.CoreConns, err)
	return err
}

// Reach asks the server by an edition's own connections, without which none of its pages can be made. A pool whose
// connections are all in use has them, and is only busy.
func (d *DB) Reach(ctx context.Context, editionID string) error {
	p, err := d.Pool(editionID)
	if err != nil {
		return err
	}
	busy := p.Stats()
	if _, err = p.ExecContext(ctx, "SELECT 1"); errors.Is(err, context.DeadlineExceeded) && busy.InUse >= d.opts.MaxConns {
		return nil
	}
	discardStranded(p, d.opts.MaxConns, err)
	d.noteLogin(editionID, err)
	return err
}

// discardStranded closes the idle connections of a pool when one of them did not answer in time: where a network has
// lost them without a word, each of the others would keep somebody waiting for as long.
func discardStranded(p *bun.DB, conns int, err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		closeIdle(p, conns)
	}
}

// closeIdle closes the idle connections of a pool that may have so many.
func closeIdle(p *bun.DB, conns int) {
	p.SetMaxIdleConns(0)
	p.SetMaxIdleConns(conns)
}

// Close closes every pool.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	errs := []error{d.core.Close()}
	for _, pools := range []map[string]*bun.DB{d.pools, d.sessions} {
		for id, p := range pools {
			errs = append(errs, p.Close())
			delete(pools, id)
		}
	}
	return errors.Join(errs...)
}

// Isolation counts the queries that reached for what is not their edition's. Each was refused, and is a bug.
func (d *DB) Isolation() uint64 { return d.isolation.Load() }

// Stats is the state of every pool by edition id.
func (d *DB) Stats() map[string]sql.DBStats {
	d.mu.RLock()
	defer d.mu.RUnlock()
	m := make(map[string]sql.DBStats, len(d.pools))
	for id, p := range d.pools {
		m[id] = p.Stats()
	}
	return m
}
