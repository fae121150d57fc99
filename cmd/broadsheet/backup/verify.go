package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/paper/edition"
)

// scratch is the name of the role and of the database of a trial.
const scratch = "broadsheet"

// Verify restores editions of a backup into a PostgreSQL of its own, which is removed afterwards: the server of the
// paper is not asked. binDir is the folder of PostgreSQL's programs; "" finds them.
func Verify(ctx context.Context, s Source, dir string, m *Manifest, ids []string, binDir string) (err error) {
	server, err := postgres.Start(ctx, postgres.Options{Ephemeral: true, BinDir: binDir})
	if err != nil {
		return fmt.Errorf("a trial needs PostgreSQL's server programs on this machine: %w", err)
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	if err := prepare(ctx, server.DSN("postgres")); err != nil {
		return err
	}
	c, err := pgx.ParseConfig(server.DSN(scratch))
	if err != nil {
		return err
	}
	d, err := db.Open(fmt.Sprintf("host=%s port=%d user=%s dbname=%s", c.Host, c.Port, scratch, scratch), &clock.Clock{},
		db.Options{})
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // the server ends with it
	if err := d.MigrateCore(ctx); err != nil {
		return err
	}
	trial := Source{
		DB: d, Registry: edition.NewRegistry(d, "https://{host}", nil), Tools: server.Tools(), Progress: s.Progress,
	}
	_, err = Restore(ctx, trial, dir, m, ids)
	return err
}

// prepare makes the owner, who is no superuser as in production, and its database.
func prepare(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // the statements' own errors count
	for _, statement := range []string{
		"CREATE ROLE " + scratch + " LOGIN CREATEROLE", "CREATE DATABASE " + scratch + " OWNER " + scratch,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}
