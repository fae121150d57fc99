package app

import (
	"context"
	"errors"
	"log/slog"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
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
	options.Trace = cfg.Tracing.Endpoint != ""
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
		options.PoolerDSN = cfg.Database.PoolerURL
		options.Password = func(id string) string { return cfg.Password("database", id) }
	}
	if d, err = db.Open(dsn, c, options); err != nil {
		stop()
		return nil, nil, nil, err
	}
	stopServer := stop
	return d, pg, func() {
		if err := d.Close(); err != nil {
			slog.WarnContext(ctx, "closing the database", "error", err)
		}
		stopServer()
	}, nil
}
