package backup

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/paper/edition"
)

// Export writes everything that an edition has as JSON, one object a line, as of one moment and in constant memory:
// {"table": "content_posts", "row": {…}}. Columns of bytes are left out: they are hashes, nonces and keys, which are
// of use to this program alone. It returns how many rows it has written.
func Export(ctx context.Context, s Source, ed *edition.Edition, out io.Writer) (n int, err error) {
	snap, err := take(ctx, s.DB)
	if err != nil {
		return 0, err
	}
	defer snap.close(ctx)
	names, err := snap.names(ctx, ed.ID)
	if err != nil {
		return 0, err
	}
	all, err := snap.rows(ctx, ed, names)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(out, 64<<10)
	for _, name := range names {
		if n, err = snap.export(ctx, ed, name, w, n, func(n int) { s.tell("rows", n, all) }); err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
	}
	s.tell("rows", n, n)
	return n, w.Flush()
}

// rows estimates the number of rows from the statistics of the server: counting them takes as long as reading them.
func (s *snapshot) rows(ctx context.Context, ed *edition.Edition, names []string) (n int, err error) {
	err = s.conn.QueryRow(ctx, `SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint FROM pg_class
		WHERE relnamespace = to_regnamespace($1) AND relname = ANY ($2)`, ed.Schema, names).Scan(&n)
	return n, err
}

func (s *snapshot) export(ctx context.Context, ed *edition.Edition, name string, w *bufio.Writer, n int,
	tell func(int),
) (int, error) {
	secret, err := s.bytes(ctx, ed, name)
	if err != nil {
		return n, err
	}
	rows, err := s.conn.Query(ctx, fmt.Sprintf("SELECT (to_jsonb(t) - $1::text[])::text FROM %s t",
		pgx.Identifier{ed.Schema, name}.Sanitize()), secret)
	if err != nil {
		return n, err
	}
	defer rows.Close()
	table, err := json.Marshal(name)
	if err != nil {
		return n, err
	}
	for rows.Next() {
		if _, err := fmt.Fprintf(w, `{"table": %s, "row": %s}`+"\n", table, rows.RawValues()[0]); err != nil {
			return n, err
		}
		n++
		tell(n)
	}
	return n, rows.Err()
}

// bytes are the columns of bytes of a table.
func (s *snapshot) bytes(ctx context.Context, ed *edition.Edition, name string) ([]string, error) {
	rows, err := s.conn.Query(ctx, `SELECT attname FROM pg_attribute
		WHERE attrelid = format('%I.%I', $1::text, $2::text)::regclass
			AND attnum > 0 AND NOT attisdropped AND atttypid = 'bytea'::regtype`, ed.Schema, name)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if list == nil {
		list = []string{} // and not NULL, which would empty each row
	}
	return list, err
}
