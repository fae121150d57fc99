package db

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun/migrate"
)

// Rights are those of the login of database.url.
type Rights struct {
	User, Database               string
	Superuser                    bool
	CreatesRoles, CreatesSchemas bool
}

// Rights asks what the owner's login may do.
func (d *DB) Rights(ctx context.Context) (r Rights, err error) {
	err = d.core.NewRaw(`SELECT rolname, current_database(), rolsuper, rolsuper OR rolcreaterole,
		has_database_privilege(current_database(), 'CREATE') FROM pg_roles WHERE rolname = current_user`).
		Scan(ctx, &r.User, &r.Database, &r.Superuser, &r.CreatesRoles, &r.CreatesSchemas)
	return r, err
}

// Schemas lists the schemas of editions that are there, by edition.
func (d *DB) Schemas(ctx context.Context) (ids []string, err error) {
	err = d.core.NewRaw(`SELECT substr(nspname, 4) FROM pg_namespace WHERE nspname LIKE 'ed\_%' ORDER BY nspname`).
		Scan(ctx, &ids)
	return ids, err
}

// OwnsSchema reports whether an edition's schema is its owner's alone, and its login has its rights.
func (d *DB) OwnsSchema(ctx context.Context, editionID string) (bool, error) {
	return belongsToOwner(ctx, d.core, editionID)
}

// ServerTime is the time on the server's clock.
func (d *DB) ServerTime(ctx context.Context) (t time.Time, err error) {
	err = d.core.NewRaw("SELECT clock_timestamp()").Scan(ctx, &t)
	return t, err
}

// Difference is how a schema and this program differ: by migrations that are not applied yet, and by applied ones that
// the program does not know.
type Difference struct{ Missing, Unknown []string }

// Difference compares an edition's schema with the migrations of this program.
func (d *DB) Difference(ctx context.Context, editionID string) (diff Difference, err error) {
	known := migrate.NewMigrations()
	if err := known.Discover(d.files("edition")); err != nil {
		return diff, err
	}
	p, err := d.Pool(editionID)
	if err != nil {
		return diff, err
	}
	var applied []string
	if err := p.NewRaw("SELECT name FROM "+historyTable+" ORDER BY name").Scan(ctx, &applied); err != nil {
		return diff, err
	}
	diff.Unknown = slices.Clone(applied)
	for _, m := range known.Sorted() {
		if !slices.Contains(applied, m.Name) {
			diff.Missing = append(diff.Missing, m.Name)
		}
		diff.Unknown = slices.DeleteFunc(diff.Unknown, func(name string) bool { return name == m.Name })
	}
	return diff, nil
}
