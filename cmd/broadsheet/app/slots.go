package app

import (
	"context"
	"log/slog"
	"time"
)

// checkConnectionLimit warns when the processes that are there, and this one, may together ask Postgres for more
// connections than it has: then a new connection is refused, and pages with it, in whichever process needs one.
func (a *App) checkConnectionLimit(ctx context.Context, self Role) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	have, err := a.DB.Slots(ctx)
	if err != nil {
		slog.Warn("the connections that Postgres has are not known", "error", err)
		return
	}
	attrs, possible := []any{"available", have}, 0
	for _, r := range []Role{Serve, Work} {
		n, err := a.DB.Processes(ctx, r.name)
		if err != nil {
			slog.Warn("the other processes are not known", "error", err)
			return
		}
		if r.name == self.name {
			n++ // this one does not listen yet
		}
		each := r.options(a.cfg.Database).Most(len(a.registry.All()))
		possible += n * each
		attrs = append(attrs, r.name, n, "of_each_"+r.name, each)
	}
	if attrs = append(attrs, "possible", possible); possible > have {
		slog.Warn("the processes may need more connections than Postgres has: raise its max_connections, or lower "+
			"database.max_conns and database.work_conns", attrs...)
	}
}
