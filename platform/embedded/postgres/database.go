package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const duplicateDatabase = "42P04"

// openDatabases are those that every server has, to which everybody may connect.
const openDatabases = `SELECT EXISTS (SELECT FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) a
	WHERE datname IN ('postgres', 'template1') AND a.grantee = 0 AND a.privilege_type = 'CONNECT')`

// EnsureDatabase makes an empty database unless there is one of that name, and keeps all but the superuser out of those
// that every server has.
func (s *Server) EnsureDatabase(ctx context.Context, name string) (err error) {
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()+" TEMPLATE template0")
	var pgErr *pgconn.PgError
	if err != nil && (!errors.As(err, &pgErr) || pgErr.Code != duplicateDatabase) {
		return err
	}
	var open bool
	if err := conn.QueryRow(ctx, openDatabases).Scan(&open); err != nil || !open {
		return err
	}
	_, err = conn.Exec(ctx, "REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC")
	return err
}
