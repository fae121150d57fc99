package db

import (
	"database/sql"
	"fmt"
)

// Affected returns how many rows a statement changed.
func Affected(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Changed reports whether a statement changed a row.
func Changed(res sql.Result, err error) (bool, error) {
	n, err := Affected(res, err)
	return n > 0, err
}

// ExactlyOne returns an error unless a statement changed one row. It is the last line of defence behind a row lock.
func ExactlyOne(res sql.Result, err error) error {
	n, err := Affected(res, err)
	if err == nil && n != 1 {
		err = fmt.Errorf("db: %d rows changed instead of one: %w", n, sql.ErrNoRows)
	}
	return err
}
