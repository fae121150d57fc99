package app

import (
	"context"
	"log/slog"
	"time"

	"example.org/broadsheet/platform/db"
)

// checkConnectionLimit warns when the processes that are there, and this one, may together ask Postgres for more
// connections than it has: then a new connection is refused, and pages with it, in whichever process needs one.
func (a *App) checkConnectionLimit(ctx context.Context, self Role) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	have, err := a.DB.Slots(ctx)
	if err != nil {
		slog.WarnContext(ctx, "the connections that Postgres has are not known", "error", err)
		return
	}
	attrs, possible := []any{"available", have}, 0
	for _, r := range []Role{Serve, Work} {
		n, err := a.DB.Processes(ctx, r.name)
		if err != nil {
			slog.WarnContext(ctx, "the other processes are not known", "error", err)
			return
		}
		if r.name == self.name {
			n++ // this one does not listen yet
		}
		each := r.Options(a.cfg.Database).Most(len(a.registry.All()))
		possible += n * each
		attrs = append(attrs, r.name, n, "of_each_"+r.name, each)
	}
	if attrs = append(attrs, "possible", possible); possible > have {
		slog.WarnContext(ctx, "the processes may need more connections than Postgres has: raise its max_connections, or "+
			"lower database.total_conns", attrs...)
	}
}

// checkSessions refuses a start where locks and notices would go through a pooler in transaction mode, and warns where
// the editions' logins have no bounds behind a pooler.
func (a *App) checkSessions(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	shared, err := a.DB.SharesSessions(ctx)
	if err != nil {
		slog.WarnContext(ctx, "whether the database is behind a pooler is not known", "error", err)
	}
	if shared {
		return db.ErrPooler
	}
	if lacking, err := a.DB.LacksPooledSettings(ctx); err != nil || len(lacking) > 0 {
		slog.WarnContext(ctx, "statements have no time limit behind the pooler: run `broadsheet migrate`",
			"editions", lacking, "error", err)
	}
	return nil
}
