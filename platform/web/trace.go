package web

import (
	"context"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	otrace "go.opentelemetry.io/otel/trace"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/trace"
)

// Traced begins a trace for each request, or goes on with that of a trusted proxy. While tracing is off it is next
// itself.
func (rec *Record) Traced(next http.Handler, trusted func(*http.Request) bool) http.Handler {
	if rec.trace == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		if r.Header.Get("Traceparent") != "" && trusted(r) {
			ctx = trace.Accept(ctx, r.Header)
		}
		ctx, span := rec.trace.Begin(ctx, methodName(r.Method), otrace.SpanKindServer)
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// describe gives the span of a request its name and what is known at its end. Addresses are not among it: they may hold
// codes, and name people.
func describe(ctx context.Context, a answered) {
	span := otrace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	name := methodName(a.method)
	if a.route != "" {
		span.SetName(name + " " + a.route)
		span.SetAttributes(semconv.HTTPRoute(a.route))
	}
	span.SetAttributes(semconv.HTTPRequestMethodKey.String(name), semconv.HTTPResponseStatusCode(a.status),
		attribute.String("broadsheet.edition", a.edition), attribute.String("broadsheet.request_id", a.id))
	if a.cache != "" {
		span.SetAttributes(attribute.String("broadsheet.cache", a.cache))
	}
	if a.status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodOptions,
}

// methodName is a method of HTTP: what else a client sends in its place is not repeated.
func methodName(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "HTTP"
}

// route is the template of the path that a request is about; "" where there is none, and while tracing is off.
func (rec *Record) route(c *gin.Context) string {
	if rec.trace == nil {
		return ""
	}
	if path := c.FullPath(); path != "" {
		return path
	}
	ed, err := edition.From(c.Request.Context())
	if err != nil {
		return ""
	}
	r, _, _ := ed.Routes.Match(c.Request.URL.EscapedPath())
	return ed.Routes.Path(r)
}
