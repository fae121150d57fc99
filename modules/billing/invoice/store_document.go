package invoice

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// documentRow is a document as the database has it.
type documentRow struct {
	ID         int64
	Kind       string
	Number     string
	ReaderID   int64
	ProviderID string
	RefersTo   int64
	IssuedAt   time.Time
	Void       bool
	Followed   bool
	Total      int64
	Currency   string
	Snapshot   []byte
}

const documentColumns = `d.id, d.kind, d.number, d.reader_id, coalesce(d.provider_id, '') AS provider_id, ` +
	`coalesce(d.refers_to, 0) AS refers_to, d.issued_at,
	d.total, d.currency, d.snapshot, EXISTS (SELECT FROM billing_voids v WHERE v.document_id = d.id) AS void,
	EXISTS (SELECT FROM billing_documents f WHERE f.refers_to = d.id AND f.kind = 'FV') AS followed`

// Select returns the documents d that a condition holds for. It returns ErrDamaged if one of them cannot be read.
func Select(ctx context.Context, tx db.Tx, where string, args ...any) ([]Document, error) {
	list, err := SelectAll(ctx, tx, where, args...)
	for _, d := range list {
		if d.Damage != nil {
			err = errors.Join(err, fmt.Errorf("billing: document %s: %w", d.Number, d.Damage))
		}
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// SelectAll is Select for lists that a damaged document must not stop: of one, it returns what the columns tell, with
// its Damage.
func SelectAll(ctx context.Context, tx db.Tx, where string, args ...any) ([]Document, error) {
	var rows []documentRow
	if err := tx.NewRaw("SELECT "+documentColumns+" FROM billing_documents d WHERE "+where, args...).
		Scan(ctx, &rows); err != nil {
		return nil, err
	}
	list := make([]Document, len(rows))
	for i, r := range rows {
		list[i] = Document{
			ID: r.ID, Kind: Kind(r.Kind), Number: r.Number, ReaderID: r.ReaderID, Provider: r.ProviderID,
			RefersTo: r.RefersTo,
			IssuedAt: r.IssuedAt.UTC(), Void: r.Void, Followed: r.Followed,
		}
		if err := json.Unmarshal(r.Snapshot, &list[i].Snapshot); err != nil {
			list[i].Snapshot, list[i].Damage = Snapshot{Total: r.Total, Currency: r.Currency}, damaged("%v", err)
		}
	}
	return list, nil
}

// selectNamed returns the documents of some numbers, or else of some ids; damaged ones too.
func selectNamed(ctx context.Context, tx db.Tx, ids []int64, numbers []string) ([]Document, error) {
	switch {
	case len(numbers) > 0:
		return SelectAll(ctx, tx, "d.number IN (?) ORDER BY d.id", bun.List(numbers))
	case len(ids) > 0:
		return SelectAll(ctx, tx, "d.id IN (?) ORDER BY d.id", bun.List(ids))
	}
	return nil, nil
}

// Find returns nil when there is none.
func Find(ctx context.Context, tx db.Tx, where string, args ...any) (*Document, error) {
	list, err := Select(ctx, tx, where, args...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// findOwn finds a reader's document by its address; anybody else's is not there.
func findOwn(ctx context.Context, tx db.Tx, readerID int64, address string) (*Document, error) {
	return Find(ctx, tx, "d.reader_id = ?0 AND (d.number = ?1 OR d.provider_id = ?1 AND d.kind = 'FV')",
		readerID, address)
}

// lockSource keeps two apart who would issue the same document.
func lockSource(ctx context.Context, tx db.Tx, source string) error {
	_, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended('billing.document:' || ?, 0))", source).Exec(ctx)
	return err
}

// lockBalance keeps apart who would give back of one invoice at once: each has to see what the others gave.
func lockBalance(ctx context.Context, tx db.Tx, of *Document) error {
	return lockSource(ctx, tx, "balance:"+of.Number)
}

// nextNumber draws from a series. The row stays locked until the transaction ends: a rollback gives the number back. at
// is not before that of the number before.
func nextNumber(ctx context.Context, tx db.Tx, issuer string, kind Kind,
	year int,
) (n int64, at time.Time, err error) {
	err = tx.NewRaw(`INSERT INTO billing_series AS s (issuer, kind, year, n, last_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (issuer, kind, year) DO UPDATE SET n = s.n + 1, last_at = greatest(s.last_at, excluded.last_at)
		RETURNING n, last_at`,
		issuer, string(kind), year, tx.Now).Scan(ctx, &n, &at)
	return n, at.UTC(), err
}

func insertDocument(ctx context.Context, tx db.Tx, d *Document, source, issuer string, year int, n int64) error {
	text, err := json.Marshal(d.Snapshot)
	if err != nil {
		return err
	}
	return tx.NewRaw(`INSERT INTO billing_documents (source, issuer, kind, year, n, number, reader_id, provider_id,
		refers_to, total, currency, issued_at, snapshot)
		VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, 0), ?, ?, ?, ?) RETURNING id`,
		source, issuer, string(d.Kind), year, n, d.Number, d.ReaderID, d.Provider, d.RefersTo, d.Total, d.Currency,
		d.IssuedAt, string(text)).Scan(ctx, &d.ID)
}

func insertVoid(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("INSERT INTO billing_voids (document_id, voided_at) VALUES (?, ?) ON CONFLICT DO NOTHING", id,
		tx.Now).Exec(ctx)
	return err
}

// SettledByProvider returns how much each of the provider's invoices charged, and how much of that was refunded.
func SettledByProvider(ctx context.Context, tx db.Tx, providers []string) (map[string]Settled, error) {
	var rows []struct {
		ProviderID string
		Credited   int64
	}
	err := tx.NewRaw(`SELECT d.provider_id, coalesce((
			WITH RECURSIVE standing AS (
				SELECT d.id UNION ALL SELECT f.id FROM billing_documents f JOIN standing s ON f.refers_to = s.id AND f.kind = 'FV'
			)
			SELECT sum(c.total) FROM billing_documents c JOIN standing s ON c.refers_to = s.id WHERE c.kind = 'CN' AND
			c.source NOT LIKE 'correct:%'
		), 0)::bigint AS credited
		FROM billing_documents d WHERE d.kind = 'FV' AND d.provider_id IN (?)`, bun.List(providers)).Scan(ctx, &rows)
	all := map[string]Settled{}
	for _, r := range rows {
		all[r.ProviderID] = Settled{true, r.Credited}
	}
	return all, err
}

// Settled is how far the documents of a payment are made.
type Settled struct {
	Invoiced bool
	Credited int64
}

// findGap names a series of which a number is missing; "" for none. Years of which documents were removed are left out.
func findGap(ctx context.Context, tx db.Tx, since int) (series string, err error) {
	err = tx.NewRaw(`SELECT s.issuer || ' ' || s.kind || ' ' || s.year FROM billing_series s WHERE s.year >= ?
		AND s.n <> (SELECT count(*) FROM billing_documents d WHERE (d.issuer, d.kind, d.year) = (s.issuer, s.kind,
		s.year)) LIMIT 1`, since).Scan(ctx, &series)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return series, err
}
