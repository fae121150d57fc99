package db

import (
	"database/sql"
	"errors"
)

// One makes of "no rows" a nil: row as it was scanned, or nil without one.
func One[T any](row *T, err error) (*T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return row, nil
}
