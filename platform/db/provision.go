package db

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/edition"
)

// Provision makes an edition's login role and its schema, or brings existing ones to the state that they should
// have. All of it is transactional: with tx it happens or it does not.
func (d *DB) Provision(ctx context.Context, tx bun.IDB, editionID string) error {
	role := edition.SchemaOf(editionID)
	var exists, made, super bool
	err := tx.NewRaw(`SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ?0), EXISTS (SELECT FROM pg_namespace WHERE nspname = ?0),
		(SELECT rolsuper FROM pg_roles WHERE rolname = current_user)`, role).Scan(ctx, &exists, &made, &super)
	if err != nil {
		return fmt.Errorf("role %s: %w", role, err)
	}
	var password any // NULL: the server trusts its socket
	if p := d.Password(editionID); p != "" {
		password = p
	}
	var steps []string
	if !exists {
		steps = append(steps, "CREATE ROLE ?0 LOGIN")
	}
	steps = append(steps, "ALTER ROLE ?0 LOGIN PASSWORD ?1")
	if !super { // who only may create roles has to be a member to give one a schema
		steps = append(steps, "GRANT ?0 TO CURRENT_USER")
	}
	steps = append(steps, "ALTER ROLE ?0 SET search_path = ?0, pg_temp") // temporary tables never shadow real ones
	// Even IF NOT EXISTS needs the right to make schemas, which a restored database may not give.
	if !made {
		steps = append(steps, "CREATE SCHEMA ?0 AUTHORIZATION ?0")
	}
	steps = append(steps, "REVOKE ALL ON SCHEMA ?0 FROM PUBLIC")
	for _, s := range steps {
		if _, err := tx.NewRaw(s, bun.Ident(role), password).Exec(ctx); err != nil {
			return fmt.Errorf("role %s: %w", role, err)
		}
	}
	return nil
}

// Deprovision removes an edition's schema with everything in it, and its role.
func (d *DB) Deprovision(ctx context.Context, tx bun.IDB, editionID string) error {
	role := edition.SchemaOf(editionID)
	for _, s := range []string{"DROP SCHEMA IF EXISTS ?0 CASCADE", "DROP ROLE IF EXISTS ?0"} {
		if _, err := tx.NewRaw(s, bun.Ident(role)).Exec(ctx); err != nil {
			return fmt.Errorf("drop %s: %w", role, err)
		}
	}
	return nil
}
