package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Settings in which a running `dev` leaves the template of its addresses, and the address of its payment sandbox.
const (
	publicURL  = "public_url"
	sandboxURL = "stripe_api_base"
)

// database is the name of the database inside the embedded server.
const database = "broadsheet"

// openDatabase connects to the configured server, or to that of the data folder: a running one is
// joined, else it is started. stop ends what was started here.
func openDatabase(ctx context.Context, cfg *config.Config, c *clock.Clock,
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

// openRegistry is for commands that work on editions: database, registry, and how to let go of them.
func (f *flags) openRegistry(cmd *cobra.Command) (*db.DB, *edition.Registry, func(), error) {
	ctx := cmd.Context()
	cfg, err := f.load()
	if err != nil {
		return nil, nil, nil, err
	}
	d, pg, stop, err := openDatabase(ctx, cfg, &clock.Clock{}, db.Options{MaxConns: cfg.Database.WorkConns})
	if err != nil {
		return nil, nil, nil, err
	}
	if err := d.MigrateCore(ctx); err != nil {
		stop()
		return nil, nil, nil, err
	}
	if pg != nil && pg.Attached() { // a running `dev` has told where it listens
		for key, into := range map[string]*string{publicURL: &cfg.Web.PublicURL, sandboxURL: &f.sandbox} {
			if err := d.Core().NewRaw("SELECT value FROM settings WHERE key = ?", key).Scan(ctx, into); err != nil &&
				!errors.Is(err, sql.ErrNoRows) {
				stop()
				return nil, nil, nil, err
			}
		}
	}
	r := edition.NewRegistry(d, cfg.Web.PublicURL, slog.Default())
	r.SetLocale(cfg.Locale)
	if err := r.Load(ctx); err != nil {
		stop()
		return nil, nil, nil, err
	}
	return d, r, stop, nil
}

// selectEdition is the edition that a command was told to work on.
func selectEdition(ctx context.Context, r *edition.Registry, id string) (context.Context, *edition.Edition, error) {
	if id == "" {
		return nil, nil, errors.New("name the edition with --edition ID")
	}
	ed, ok := r.Get(id)
	if !ok {
		var known []string
		for _, e := range r.All() {
			known = append(known, e.ID)
		}
		return nil, nil, fmt.Errorf("there is no edition %q; there are %v", id, known)
	}
	return edition.With(ctx, ed), ed, nil
}

// inEdition runs a command's work in the edition that it names.
func (f *flags) inEdition(cmd *cobra.Command, id string,
	work func(context.Context, *db.DB, *edition.Edition) error,
) error {
	d, r, stop, err := f.openRegistry(cmd)
	if err != nil {
		return err
	}
	defer stop()
	ctx, ed, err := selectEdition(cmd.Context(), r, id)
	if err != nil {
		return err
	}
	return work(ctx, d, ed)
}

// withModules is inEdition for work that needs the modules.
func (f *flags) withModules(cmd *cobra.Command, id string,
	work func(context.Context, *App, *edition.Edition) error,
) error {
	return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, ed *edition.Edition) error {
		cfg, err := f.load()
		if err == nil {
			err = cfg.EnsureSecret(cfg.Data.Dir)
		}
		if err != nil {
			return err
		}
		app, err := newModules(ctx, cfg, d)
		if err != nil {
			return err
		}
		return work(ctx, app, ed)
	})
}

// noMailServer is where a command would send emails, which it leaves to the workers.
const noMailServer = "smtp://127.0.0.1:1"

// newModules are the modules of a command, which serves and renders nothing.
func newModules(ctx context.Context, cfg *config.Config, d *db.DB) (*App, error) {
	sender, err := mail.New(d, noMailServer, mail.RequireTLS, nil, slog.Default())
	if err != nil {
		return nil, err
	}
	sender.SetMessageIDKey(cfg.Key("mail", ""))
	a := &App{ctx: ctx, cfg: cfg, clock: d.Clock(), db: d}
	return a, a.modules(sender, configuredKeys(cfg), slog.Default())
}

func migrateCommand(f *flags) *cobra.Command {
	var newSecret bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the schemas of all editions up to date", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, r, stop, err := f.openRegistry(cmd)
			if err != nil {
				return err
			}
			defer stop()
			if newSecret {
				if err := r.RenewLogins(cmd.Context()); err != nil {
					return err
				}
			}
			if err := r.MigrateAll(cmd.Context()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d editions are up to date\n", len(r.All()))
			return nil
		},
	}
	cmd.Flags().BoolVar(&newSecret, "new-secret", false, "the secret has changed: give the editions' logins the "+
		"passwords that follow from the new one")
	return cmd
}
