package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/paper/edition"
)

// OwnerOf names the role that owns an edition's schema and everything in it. Nobody can log in as that role. No id
// makes an edition's login, which begins with "ed_", equal to it.
func OwnerOf(editionID string) string { return "owner_" + edition.SchemaOf(editionID) }

// searchPath is that of sessions in a schema: temporary tables never shadow real ones.
func searchPath(schema string) string { return schema + ", pg_temp" }

// Provision makes an edition's login role, or brings an existing one to the state that it should have, and makes the
// schema with its owner where there is none. It leaves a login as it is that a paper in another database uses with the
// same password, and returns ErrRoleTaken if the password is another one. All of it is transactional: with tx it
// happens or it does not.
func (d *DB) Provision(ctx context.Context, tx bun.IDB, editionID string) error {
	login := edition.SchemaOf(editionID)
	shared, err := d.sharesLogin(ctx, tx, editionID)
	if err != nil {
		return err
	}
	if err := ensureRole(ctx, tx, login); err != nil {
		return err
	}
	if !shared {
		if err := d.setLogin(ctx, tx, login, d.Password(editionID)); err != nil {
			return err
		}
	}
	if err := d.setPooledSettings(ctx, tx, editionID); err != nil {
		return err
	}
	var made bool
	if err := tx.NewRaw("SELECT to_regnamespace(?) IS NOT NULL", login).Scan(ctx, &made); err != nil || made {
		return err // Migrate takes over the one that is there
	}
	return giveToOwner(ctx, tx, editionID)
}

// setLogin has a role log in with a password, or without one if it is "": the server trusts its socket.
func (d *DB) setLogin(ctx context.Context, tx bun.IDB, login, password string) error {
	var p any
	if password != "" {
		p = password
	}
	for _, s := range []string{"ALTER ROLE ?0 LOGIN PASSWORD ?1", "ALTER ROLE ?0 SET search_path = ?0, pg_temp"} {
		if _, err := tx.NewRaw(s, bun.Ident(login), p).Exec(ctx); err != nil {
			return fmt.Errorf("role %s: %w", login, err)
		}
	}
	return nil
}

// ensureRole makes a role unless it is there, and the current user a member of it: who may only create roles has to be
// a member of one to give it a schema.
func ensureRole(ctx context.Context, tx bun.IDB, role string) error {
	var there, super bool
	err := tx.NewRaw(`SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ?),
		(SELECT rolsuper FROM pg_roles WHERE rolname = current_user)`, role).Scan(ctx, &there, &super)
	if err == nil && !there {
		_, err = tx.NewRaw("CREATE ROLE ? NOLOGIN", bun.Ident(role)).Exec(ctx)
	}
	if err == nil && !super {
		_, err = tx.NewRaw("GRANT ? TO CURRENT_USER", bun.Ident(role)).Exec(ctx)
	}
	if err != nil {
		return fmt.Errorf("role %s: %w", role, err)
	}
	return nil
}

// privileges are all that an edition's login has: reading and writing rows, but nothing that changes a table, its
// triggers or who may use it. Tables of later migrations have the same.
var privileges = []string{
	"REVOKE ALL ON SCHEMA ?0 FROM PUBLIC",
	"GRANT USAGE ON SCHEMA ?0 TO ?0",
	"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ?0 TO ?0",
	"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ?0 TO ?0",
	"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ?0 TO ?0",
	"ALTER DEFAULT PRIVILEGES FOR ROLE ?1 IN SCHEMA ?0 GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ?0",
	"ALTER DEFAULT PRIVILEGES FOR ROLE ?1 IN SCHEMA ?0 GRANT USAGE, SELECT ON SEQUENCES TO ?0",
	"ALTER DEFAULT PRIVILEGES FOR ROLE ?1 IN SCHEMA ?0 GRANT EXECUTE ON FUNCTIONS TO ?0",
}

// giveToOwner makes an edition's schema, or takes it over from the login that owned it in earlier versions, and gives
// the login its privileges.
func giveToOwner(ctx context.Context, tx bun.IDB, editionID string) error {
	login, owner := edition.SchemaOf(editionID), OwnerOf(editionID)
	if err := ensureRole(ctx, tx, owner); err != nil {
		return err
	}
	var made, owned, history bool
	err := tx.NewRaw(`SELECT to_regnamespace(?0) IS NOT NULL,
		EXISTS (SELECT FROM pg_namespace WHERE nspname = ?0 AND pg_get_userbyid(nspowner) = ?1),
		to_regclass(?0 || '.' || ?2) IS NOT NULL`, login, owner, historyTable).Scan(ctx, &made, &owned, &history)
	if err != nil {
		return err
	}
	var steps []string
	// Even IF NOT EXISTS, or an owner that a schema has already, needs the right to make schemas, which a restored
	// database may not give.
	switch {
	case !made:
		steps = append(steps, "CREATE SCHEMA ?0 AUTHORIZATION ?1")
	case !owned:
		steps = append(steps, "ALTER SCHEMA ?0 OWNER TO ?1", "REASSIGN OWNED BY ?0 TO ?1")
	default:
		steps = append(steps, "REASSIGN OWNED BY ?0 TO ?1")
	}
	steps = append(steps, privileges...)
	if history {
		steps = append(steps, closeHistory)
	}
	for _, s := range steps {
		if _, err := tx.NewRaw(s, bun.Ident(login), bun.Ident(owner)).Exec(ctx); err != nil {
			return fmt.Errorf("owner %s: %w", owner, err)
		}
	}
	return nil
}

// closeHistory keeps the edition's login from having migrations run again.
const closeHistory = "REVOKE INSERT, UPDATE, DELETE ON ?0." + historyTable + ", ?0." + historyLocks + " FROM ?0"

// belongsToOwner reports whether an edition's schema is its owner's and the login has its privileges. Any role can ask.
func belongsToOwner(ctx context.Context, pool bun.IDB, editionID string) (yes bool, err error) {
	err = pool.NewRaw(`SELECT EXISTS (
		SELECT FROM pg_namespace n
		WHERE n.nspname = ?0 AND pg_get_userbyid(n.nspowner) = ?1 AND has_schema_privilege(?0, n.oid, 'USAGE')
			AND NOT EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND pg_get_userbyid(c.relowner) = ?0)
			AND EXISTS (SELECT FROM pg_default_acl a WHERE a.defaclnamespace = n.oid AND a.defaclrole = n.nspowner))`,
		edition.SchemaOf(editionID), OwnerOf(editionID)).Scan(ctx, &yes)
	return yes, err
}

// Deprovision removes an edition's schema with everything in it, and its roles unless another database uses them. A
// transaction gets more time for it than a query of a page has.
func (d *DB) Deprovision(ctx context.Context, tx bun.IDB, editionID string) error {
	login := edition.SchemaOf(editionID)
	ctx, err := SetStatementTimeout(ctx, tx, 10*time.Minute)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "SET LOCAL lock_timeout = '30s'"); err != nil {
		return err
	}
	databases, err := usersOf(ctx, tx, editionID)
	if err != nil {
		return err
	}
	steps := []string{"DROP SCHEMA IF EXISTS ?0 CASCADE"}
	if len(databases) == 0 {
		steps = append(steps, "DROP ROLE IF EXISTS ?0", "DROP ROLE IF EXISTS ?1")
	}
	for _, s := range steps {
		if _, err := tx.NewRaw(s, bun.Ident(login), bun.Ident(OwnerOf(editionID))).Exec(ctx); err != nil {
			return fmt.Errorf("drop %s: %w", login, err)
		}
	}
	return nil
}
