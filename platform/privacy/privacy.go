// Package privacy is how modules export what they hold about a reader, and how they erase it.
package privacy

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.org/broadsheet/platform/db"
)

// Reader is the person concerned. Email is the address that the account has, or had until its erasure began.
type Reader struct {
	ID    int64
	Email string
	// Until is when somebody else began to use the address of an account that is erased: what is known by the address from
	// then on is not this reader's. An address that nobody uses has a time to come.
	Until time.Time
	// From is when the reader began to use an address that the account has no more; zero for ever.
	From time.Time
}

// always is an Until that no row reaches.
var always = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Table is a part of an export.
type Table struct {
	Name    string // "discussion_comments": of the file, too
	Columns []string
	Rows    [][]any
}

// Keeper keeps something of readers. Erase may be called again, also after it was done; what it leaves, it has a reason
// to.
type Keeper interface {
	Export(ctx context.Context, r Reader) ([]Table, error)
	Erase(ctx context.Context, r Reader) error
}

// Part is a keeper with the name under which its erasure is noted as done.
type Part struct {
	Name string
	Keeper
}

// Query finds what belongs into a table of an export; ?0 is the reader's id, ?1 the address, which is the reader's from
// ?3 until ?2.
type Query struct{ Name, SQL string }

// Read runs queries. Tables without a row are left out.
func Read(ctx context.Context, tx db.Tx, r Reader, queries ...Query) ([]Table, error) {
	var all []Table
	for _, q := range queries {
		t, err := read(ctx, tx, r, q)
		if err != nil {
			return nil, fmt.Errorf("export of %s: %w", q.Name, err)
		}
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all, nil
}

func read(ctx context.Context, tx db.Tx, r Reader, q Query) (t Table, err error) {
	if r.Until.IsZero() {
		r.Until = always
	}
	rows, err := tx.QueryContext(ctx, q.SQL, r.ID, r.Email, r.Until, r.From)
	if err != nil {
		return t, err
	}
	defer rows.Close() //nolint:errcheck // read to the end
	t.Name = q.Name
	if t.Columns, err = rows.Columns(); err != nil {
		return t, err
	}
	for rows.Next() {
		row := make([]any, len(t.Columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return t, err
		}
		for i, v := range row {
			switch v := v.(type) {
			case []byte:
				row[i] = string(v)
			case time.Time:
				row[i] = v.UTC()
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, rows.Err()
}

// Merge adds tables to others; those of one name become one.
func Merge(all, more []Table) []Table {
	for _, t := range more {
		i := slices.IndexFunc(all, func(o Table) bool { return o.Name == t.Name })
		if i < 0 {
			all = append(all, t)
			continue
		}
		all[i].Rows = append(all[i].Rows, t.Rows...)
	}
	return all
}

// Forget runs statements that remove or empty what is known of a reader; ?0 is the id, ?1 the address, ?2 Until.
func Forget(ctx context.Context, tx db.Tx, r Reader, statements ...string) error {
	for _, s := range statements {
		if _, err := tx.NewRaw(s, r.ID, r.Email, r.Until).Exec(ctx); err != nil {
			return fmt.Errorf("erasure, %q: %w", s, err)
		}
	}
	return nil
}
