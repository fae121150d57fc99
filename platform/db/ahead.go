package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Ahead hands one statement to Postgres and calls then before the answer is awaited: between the two stand two writes
// of this process, and no disk. A process that is killed in between has done neither or the statement alone; killed
// later, it has done both. It is for an effect outside of the database that must be marked first and cannot be undone.
// err is why the statement is not done; called reports whether then was reached all the same.
func (d *DB) Ahead(ctx context.Context, then func(), query string, args ...any) (called bool, err error) {
	p, _, err := d.pool(ctx)
	if err != nil {
		return false, err
	}
	conn, err := p.Conn(ctx)
	if err != nil {
		return false, Classify(err)
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	query = p.QueryGen().FormatQuery(query, args...)
	err = conn.Raw(func(driver any) error {
		c, ok := driver.(interface{ Conn() *pgx.Conn })
		if !ok {
			return fmt.Errorf("db: a connection of %T", driver)
		}
		server := c.Conn().PgConn()
		answer := server.Exec(ctx, query)
		if !server.IsClosed() { // the statement is on its way
			called = true
			then()
		}
		return answer.Close()
	})
	return called, Classify(err)
}
