package app

import (
	"context"
	"log/slog"
	"strings"
)

// checkSchemas warns of editions whose schema is older or newer than this program: pages that need what is missing
// fail, and nobody would know why.
func (a *App) checkSchemas(ctx context.Context) {
	for _, ed := range a.registry.All() {
		ctx, cancel := context.WithTimeout(ctx, handlerTimeout)
		diff, err := a.DB.Difference(ctx, ed.ID)
		cancel()
		switch {
		case err != nil:
			slog.WarnContext(ctx, "the edition's schema could not be compared with this program", "edition", ed.ID, "error", err)
		case len(diff.Missing) > 0:
			slog.ErrorContext(ctx, "the edition's schema is older than this program: run `broadsheet migrate`", "edition", ed.ID,
				"missing", strings.Join(diff.Missing, " "))
		case len(diff.Unknown) > 0:
			slog.WarnContext(ctx, "the edition's schema is newer than this program", "edition", ed.ID,
				"unknown", strings.Join(diff.Unknown, " "))
		}
	}
}
