package db

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/paper/edition"
)

// ErrRoleTaken means that an edition's login is that of another paper. Roles belong to the server, and their names have
// nothing but the edition's id in them.
var ErrRoleTaken = errors.New("the login is that of another paper on this PostgreSQL server")

// RolesFree returns ErrRoleTaken if one of the editions has a login that another database of the server uses with
// another password than this program has for it: with a new one, the paper of that database could not log in any more.
func (d *DB) RolesFree(ctx context.Context, tx bun.IDB, editionIDs ...string) error {
	if d.opts.TakeRoles {
		return nil
	}
	var errs []error
	for _, id := range editionIDs {
		_, err := d.sharesLogin(ctx, tx, id)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// sharesLogin reports whether an edition's login has to stay as it is because a paper in another database uses it, with
// the same password. It returns ErrRoleTaken if the password is another one.
func (d *DB) sharesLogin(ctx context.Context, tx bun.IDB, editionID string) (bool, error) {
	login := edition.SchemaOf(editionID)
	databases, err := usersOf(ctx, tx, editionID)
	if err != nil || len(databases) == 0 {
		return false, err
	}
	names := strings.Join(databases, ", ")
	if d.opts.TakeRoles {
		d.opts.Log.WarnContext(ctx, "the login is taken away from another paper", "role", login, "databases", names)
		return false, nil
	}
	err = d.logIn(ctx, editionID)
	if LoginRefused(err) {
		return false, fmt.Errorf("role %s: %w, in the database %s, and has another password than BROADSHEET_SECRET gives "+
			"it: with a new one that paper could not log in any more. Give this paper a PostgreSQL server of its own, or the "+
			"secret of that paper; with --take-roles, `edition add`, `restore` and `migrate --new-secret` take the login away "+
			"from that paper", login, ErrRoleTaken, names)
	}
	if err != nil {
		return false, fmt.Errorf("role %s, which the database %s uses too: %w", login, names, err)
	}
	return true, nil
}

// logIn tries a new connection of an edition's login.
func (d *DB) logIn(ctx context.Context, editionID string) error {
	c := d.base.Copy()
	c.User, c.Password = edition.SchemaOf(editionID), d.Password(editionID)
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// OtherDatabases lists the other databases of the server in which a paper uses the roles of an edition.
func (d *DB) OtherDatabases(ctx context.Context, editionID string) ([]string, error) {
	return usersOf(ctx, d.core, editionID)
}

// usersOf lists the other databases of the server in which something belongs to the roles of an edition, or they have a
// right to something. Every paper that has the edition, in service or not, has given them rights to its schema.
func usersOf(ctx context.Context, tx bun.IDB, editionID string) (databases []string, err error) {
	err = tx.NewRaw(`SELECT DISTINCT d.datname FROM pg_shdepend s
		JOIN pg_roles r ON r.oid = s.refobjid JOIN pg_database d ON d.oid = s.dbid
		WHERE s.refclassid = 'pg_catalog.pg_authid'::regclass AND r.rolname IN (?, ?) AND d.datname <> current_database()
		ORDER BY 1`, edition.SchemaOf(editionID), OwnerOf(editionID)).Scan(ctx, &databases)
	return databases, err
}
