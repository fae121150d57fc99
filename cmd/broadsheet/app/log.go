package app

import (
	"context"
	"log/slog"
	"slices"

	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/trace"
	"example.org/broadsheet/platform/web"
)

// LogHandler adds to each line what its context says: the request, the edition, the job and the trace that it is
// written in. What the line says itself stands.
func LogHandler(next slog.Handler) slog.Handler { return contextHandler{Handler: next} }

type contextHandler struct {
	slog.Handler
	keys []string // that all lines have
}

// Handle implements slog.Handler.
func (h contextHandler) Handle(ctx context.Context, r slog.Record) error {
	if found := contextAttrs(ctx); len(found) > 0 {
		r = r.Clone()
		has := slices.Clone(h.keys)
		r.Attrs(func(a slog.Attr) bool {
			has = append(has, a.Key)
			return true
		})
		for _, a := range found {
			if !slices.Contains(has, a.Key) {
				r.AddAttrs(a)
			}
		}
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h contextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	keys := slices.Clone(h.keys)
	for _, a := range attrs {
		keys = append(keys, a.Key)
	}
	return contextHandler{h.Handler.WithAttrs(attrs), keys}
}

// WithGroup implements slog.Handler.
func (h contextHandler) WithGroup(name string) slog.Handler {
	return contextHandler{h.Handler.WithGroup(name), h.keys}
}

// contextAttrs are what lines of a context carry.
func contextAttrs(ctx context.Context) (attrs []slog.Attr) {
	if id := web.RequestID(ctx); id != "" {
		attrs = append(attrs, slog.String("request_id", id))
	}
	if ed, err := edition.From(ctx); err == nil {
		attrs = append(attrs, slog.String("edition", ed.ID))
	}
	if job, ok := jobs.Current(ctx); ok {
		attrs = append(attrs, slog.Int64("job", job.ID), slog.String("event", job.Event))
	}
	if id := trace.ID(ctx); id != "" {
		attrs = append(attrs, slog.String("trace_id", id))
	}
	return attrs
}
