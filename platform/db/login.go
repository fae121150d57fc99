package db

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATE codes of a refused login.
const (
	invalidPassword      = "28P01"
	invalidAuthorization = "28000"
)

// LoginRefused reports whether the server has refused the user or the password.
func LoginRefused(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	return pg.Code == invalidPassword || pg.Code == invalidAuthorization ||
		pg.Code == poolerRefuses && strings.Contains(pg.Message, "authentication failed")
}

// noteLogin remembers an edition whose login the server has refused. Nothing of it can be read or written then, and
// only an operator can help.
func (d *DB) noteLogin(editionID string, err error) {
	if !LoginRefused(err) {
		return
	}
	if _, known := d.refused.LoadOrStore(editionID, true); !known {
		d.opts.Log.Error("the database refuses the edition's login; is BROADSHEET_SECRET the one with which the edition "+
			"was added?",
			"edition", editionID, "error", err)
	}
}

// RefusedLogins lists the editions whose login the server has refused and still refuses.
func (d *DB) RefusedLogins(ctx context.Context) (ids []string) {
	d.refused.Range(func(key, _ any) bool {
		id, _ := key.(string)
		err := d.logIn(ctx, id) // a pool may have connections of before, so only a new one tells
		if err == nil {
			d.refused.Delete(id)
		}
		if LoginRefused(err) {
			ids = append(ids, id)
		}
		return true
	})
	slices.Sort(ids)
	return ids
}
