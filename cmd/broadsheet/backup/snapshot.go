package backup

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// snapshot is a transaction that reads all editions as of one moment, which pg_dump can share.
type snapshot struct {
	conn   *pgx.Conn
	id     string
	server string
}

func take(ctx context.Context, d *db.DB) (*snapshot, error) {
	c := d.Config()
	c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return nil, err
	}
	s := &snapshot{conn: conn}
	// What is compared later is written as text: it must not depend on the server's settings.
	_, err = conn.Exec(ctx, `SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres';
		SET extra_float_digits = 3; SET bytea_output = 'hex'; SET statement_timeout = 0;
		SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
	if err == nil {
		err = conn.QueryRow(ctx, "SELECT pg_export_snapshot(), current_setting('server_version')").Scan(&s.id, &s.server)
	}
	if err != nil {
		s.close(ctx)
		return nil, err
	}
	return s, nil
}

func (s *snapshot) close(ctx context.Context) { _ = s.conn.Close(context.WithoutCancel(ctx)) }

// as has the transaction act as the owner of an edition's tables.
func (s *snapshot) as(ctx context.Context, id string) error {
	_, err := s.conn.Exec(ctx, "SET LOCAL ROLE "+pgx.Identifier{db.OwnerOf(id)}.Sanitize())
	return err
}

// names are the tables of an edition.
func (s *snapshot) names(ctx context.Context, id string) ([]string, error) {
	if err := s.as(ctx, id); err != nil {
		return nil, err
	}
	rows, err := s.conn.Query(ctx, `SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1)
		AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`, edition.SchemaOf(id))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// tables are how many rows each table of an edition has, and a sum of them that does not depend on their order.
func (s *snapshot) tables(ctx context.Context, id string) (map[string]Table, error) {
	names, err := s.names(ctx, id)
	if err != nil {
		return nil, err
	}
	tables := map[string]Table{}
	for _, name := range names {
		var t Table
		err := s.conn.QueryRow(ctx, fmt.Sprintf(`SELECT count(*),
			coalesce(sum(('x' || substr(md5(t::text), 1, 15))::bit(60)::bigint::numeric), 0)::text FROM %s t`,
			pgx.Identifier{edition.SchemaOf(id), name}.Sanitize())).Scan(&t.Rows, &t.Sum)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		tables[name] = t
	}
	return tables, nil
}
