package app

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
)

// Settings in which a running `dev` leaves the template of its addresses, and the address of its payment sandbox.
const (
	publicURL  = "public_url"
	sandboxURL = "stripe_api_base"
)

// database is the name of the database inside the embedded server.
const database = "broadsheet"

// OpenDatabase connects to the configured server, or to that of the data folder: a running one is
// joined, else it is started. stop ends what was started here.
func OpenDatabase(ctx context.Context, cfg *config.Config, c *clock.Clock,
	options db.Options,
) (d *db.DB, pg *postgres.Server, stop func(), err error) {
	if cfg.Database.URL != "" && cfg.Secret == "" {
		return nil, nil, nil,
			errors.New("secret: the logins of the editions' roles are derived from it; set BROADSHEET_SECRET")
	}
	dsn := cfg.Database.URL
	stop = func() {}
	if dsn == "" {
		if pg, err = postgres.Open(ctx,
			postgres.Options{Dir: cfg.Data.Dir, BinDir: cfg.Database.BinDir, Log: slog.Default()}); err != nil {
			return nil, nil, nil, err
		}
		stop = func() { _ = pg.Stop(context.WithoutCancel(ctx)) }
		if err := pg.EnsureDatabase(ctx, database); err != nil {
			stop()
			return nil, nil, nil, err
		}
		dsn = pg.DSN(database)
	} else {
		options.Password = func(id string) string { return cfg.Password("database", id) }
	}
	if d, err = db.Open(dsn, c, options); err != nil {
		stop()
		return nil, nil, nil, err
	}
	stopServer := stop
	return d, pg, func() {
		if err := d.Close(); err != nil {
			slog.Warn("closing the database", "error", err)
		}
		stopServer()
	}, nil
}

// storeAddresses leaves the addresses of a running `dev` to commands.
func storeAddresses(ctx context.Context, d *db.DB, public, sandbox string) error {
	_, err := d.Core().NewRaw(`INSERT INTO settings (key, value) VALUES (?, ?), (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
		publicURL, public, sandboxURL, sandbox).Exec(ctx)
	return err
}

// Addresses are the template of the editions' addresses and that of the payment sandbox, of the `dev` that runs on a
// database; "" for what it has not stored yet.
func Addresses(ctx context.Context, d *db.DB) (public, sandbox string, err error) {
	for key, into := range map[string]*string{publicURL: &public, sandboxURL: &sandbox} {
		err := d.Core().NewRaw("SELECT value FROM settings WHERE key = ?", key).Scan(ctx, into)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return "", "", err
		}
	}
	return public, sandbox, nil
}
