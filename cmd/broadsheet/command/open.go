package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/cmd/broadsheet/devstate"
	"example.org/broadsheet/modules/billing"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// openRegistry is for commands that work on editions: database, registry, and how to let go of them.
func (f *flags) openRegistry(cmd *cobra.Command) (*db.DB, *edition.Registry, func(), error) {
	ctx := cmd.Context()
	cfg, err := f.load()
	if err != nil {
		return nil, nil, nil, err
	}
	c := &clock.Clock{}
	d, pg, stop, err := app.OpenDatabase(ctx, cfg, c, db.Options{
		MaxConns: cfg.Database.WorkConns, TakeRoles: takesRoles(cmd),
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if err := d.MigrateCore(ctx); err != nil {
		stop()
		return nil, nil, nil, err
	}
	if pg != nil {
		if err := f.joinDev(ctx, cfg, d, c, pg.Attached()); err != nil {
			stop()
			return nil, nil, nil, err
		}
	}
	r := edition.NewRegistry(d, cfg.Web.PublicURL, slog.Default())
	r.SetLocale(cfg.Locale)
	r.AddGuard(billing.KeepsProducts(d))
	if err := r.Load(ctx); err != nil {
		stop()
		return nil, nil, nil, err
	}
	return d, r, stop, nil
}

// allowTakingRoles gives a command the flag by which it takes logins from another paper.
func allowTakingRoles(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().Bool("take-roles", false, "take the logins of the editions away from another paper on the same "+
		"PostgreSQL server, which cannot log in any more")
	return cmd
}

func takesRoles(cmd *cobra.Command) bool {
	take, err := cmd.Flags().GetBool("take-roles")
	return err == nil && take // most commands have no such flag
}

// joinDev takes addresses and clock of the `dev` that runs the database of the data folder. Where this command has
// started the database itself, none runs: what is stored is of one that was killed.
func (f *flags) joinDev(ctx context.Context, cfg *config.Config, d *db.DB, c *clock.Clock, attached bool) error {
	if !attached {
		return devstate.Remove(ctx, d)
	}
	s, err := devstate.Load(ctx, d)
	if err != nil {
		return err
	}
	if s.PublicURL != "" {
		cfg.Web.PublicURL, f.sandbox = s.PublicURL, s.SandboxURL
	}
	c.Advance(s.Ahead)
	return nil
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
	work func(context.Context, *app.App, *edition.Edition) error,
) error {
	return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, ed *edition.Edition) error {
		cfg, err := f.load()
		if err == nil {
			err = cfg.EnsureSecret(cfg.Data.Dir)
		}
		if err != nil {
			return err
		}
		a, err := app.NewModules(ctx, cfg, d)
		if err != nil {
			return err
		}
		return work(ctx, a, ed)
	})
}
