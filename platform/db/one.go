package db

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// One returns row as it was scanned, or nil when the query found no row.
func One[T any](row *T, err error) (*T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return row, nil
}

// Get scans the one value that a query selects. It returns the zero value when there is no row.
func Get[T any](ctx context.Context, query *bun.RawQuery) (value T, err error) {
	err = query.Scan(ctx, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return value, nil
	}
	return value, err
}
