package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/vies"
)

// Role is one of the two kinds of processes that serve an edition.
type Role struct {
	name    string
	conns   func(config.Database) int
	lingers bool // goes on for a while when it is told to stop, because a proxy may still send it requests
	run     func(a *App, ctx context.Context, ready func()) error
}

// Serve answers readers; Work sends emails, follows payments and runs what falls due.
var (
	Serve = Role{"serve", func(d config.Database) int { return d.MaxConns }, true, (*App).runWeb}
	Work  = Role{"work", func(d config.Database) int { return d.WorkConns }, false, (*App).runWork}
)

// Name is what the role is called: serve, work.
func (r Role) Name() string { return r.name }

// Options are the role's connections to the database.
func (r Role) Options(d config.Database) db.Options {
	return db.Options{Role: r.name, MaxConns: r.conns(d), TotalConns: d.TotalConns, PoolerDSN: d.PoolerURL}
}

// Run starts the parts of one role on the services that are configured, and ends them when ctx does.
func Run(ctx context.Context, cfg *config.Config, r Role) error {
	if err := cfg.Production(); err != nil {
		return err
	}
	for _, advice := range cfg.Advice() {
		slog.WarnContext(ctx, "look at the settings", "setting", advice)
	}
	if cfg.VIES.APIBase == "" {
		cfg.VIES.APIBase = vies.Base
	}
	c := &clock.Clock{}
	d, _, stop, err := OpenDatabase(ctx, cfg, c, r.Options(cfg.Database))
	if err != nil {
		return err
	}
	defer stop()
	admin, err := openOperators(ctx, cfg.Web.Admin, cfg.Web.AdminHosts)
	if err != nil {
		return err
	}
	defer admin.Close()
	// What is told to stop stops at once, unless it is serving by then.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	atOnce := context.AfterFunc(ctx, end)
	a, err := newApp(life, cfg, r.name, d, ConfiguredKeys(cfg))
	if err != nil {
		return err
	}
	defer a.Close(ctx)
	a.stopping = ctx.Done()
	if err := a.registry.CheckAddresses(); err != nil {
		return err
	}
	if err := a.checkSessions(life); err != nil {
		return err
	}
	a.watchKeys()
	a.checkConnectionLimit(life, r)
	go a.checkSchemas(life)
	return r.run(a, life, func() {
		admin.started(a)
		if r.lingers && atOnce() {
			context.AfterFunc(ctx, func() {
				slog.InfoContext(ctx, "told to stop", "serving_for", cfg.Web.StopDelay)
				time.AfterFunc(cfg.Web.StopDelay, end)
			})
		}
	})
}

// runWeb serves readers until ctx ends.
func (a *App) runWeb(ctx context.Context, ready func()) error {
	h, err := a.handler()
	if err != nil {
		return err
	}
	site, err := listen(ctx, a.cfg.Web.Listen)
	if err != nil {
		return err
	}
	ready()
	slog.InfoContext(ctx, "serving", "listen", site.Addr().String(), "editions", len(a.registry.All()))
	return a.runAll(ctx, func(ctx context.Context) error {
		return serveUntil(ctx, site, a.closeConnections(h))
	}, a.followChanges, a.countViews)
}

// runWork does jobs until ctx ends.
func (a *App) runWork(ctx context.Context, ready func()) error {
	if err := a.requireKeys(); err != nil {
		return err
	}
	ready()
	slog.InfoContext(ctx, "working", "editions", len(a.registry.All()))
	return a.runAll(ctx, a.worker.Run, a.followChanges)
}

// followChanges keeps this process up to date with what others change.
func (a *App) followChanges(ctx context.Context) error {
	a.hub.Listen(ctx)
	return nil
}

// countViews writes what readers of this process have opened and done.
func (a *App) countViews(ctx context.Context) error {
	var wg sync.WaitGroup
	wg.Go(func() { a.logging.Run(ctx) })
	a.content.Run(ctx)
	wg.Wait()
	return nil
}

// runAll runs all parts; the first error ends the others.
func (a *App) runAll(ctx context.Context, parts ...func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	errs := make([]error, len(parts))
	for i, part := range parts {
		wg.Go(func() {
			if errs[i] = part(ctx); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
