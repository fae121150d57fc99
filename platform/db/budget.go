package db

import (
	"context"
	"database/sql/driver"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
)

// budget bounds the connections of all editions' pools together, so that editions may be many and each may have several
// at a time. Who needs one more takes the place of one that nobody uses, of whichever edition; while all are in use it
// waits.
type budget struct {
	places chan struct{}
	// makeRoom closes connections that are idle.
	makeRoom func()
}

// retryPlace is how often it is looked whether a connection has become idle.
const retryPlace = 10 * time.Millisecond

// take waits for a place until ctx ends.
func (b *budget) take(ctx context.Context) error {
	if b == nil {
		return nil
	}
	select {
	case b.places <- struct{}{}:
		return nil
	default:
	}
	for {
		b.makeRoom()
		again := time.NewTimer(retryPlace)
		select {
		case b.places <- struct{}{}:
			again.Stop()
			return nil
		case <-ctx.Done():
			again.Stop()
			return ctx.Err()
		case <-again.C:
		}
	}
}

func (b *budget) release() {
	if b != nil {
		<-b.places
	}
}

// connector opens connections that count against a budget; nil for none.
type connector struct {
	driver.Connector
	budget *budget
}

// Connect opens a connection when there is a place for it.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.budget.take(ctx); err != nil {
		return nil, err
	}
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		c.budget.release()
		return nil, err
	}
	return &conn{opened.(*stdlib.Conn), sync.OnceFunc(c.budget.release)}, nil
}

// pgConn is the driver's, under a name that leaves its method Conn in sight.
type pgConn = stdlib.Conn

// conn is a connection that gives its place back when it is closed.
type conn struct {
	*pgConn
	release func()
}

// Close gives the place back.
func (c *conn) Close() error {
	defer c.release()
	return c.pgConn.Close()
}

// ResetSession is called before a connection that was idle is used. One that does not answer is replaced.
func (c *conn) ResetSession(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	return c.pgConn.ResetSession(ctx)
}

// makeRoom closes what nobody uses of the pool that has most of it.
func (d *DB) makeRoom() {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var most *bun.DB
	for _, p := range d.pools {
		if most == nil || p.Stats().Idle > most.Stats().Idle {
			most = p
		}
	}
	if most != nil && most.Stats().Idle > 0 {
		closeIdle(most, d.opts.MaxConns)
	}
}
