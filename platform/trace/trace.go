// Package trace makes OpenTelemetry traces. A process opens one Tracer (platform/trace/otlp); requests and jobs begin a
// trace with it. What they call adds its own span with Start, which does nothing outside a trace. While tracing is off
// there is no Tracer, no goroutine and no span.
package trace

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	otrace "go.opentelemetry.io/otel/trace"
)

// scope is what spans name as their origin.
const scope = "example.org/broadsheet"

// Tracer begins traces and sends their spans. A nil Tracer is off.
type Tracer struct {
	provider Provider
	tracer   otrace.Tracer
}

// Provider sends spans until it is shut down.
type Provider interface {
	otrace.TracerProvider
	Shutdown(ctx context.Context) error
}

// New returns a Tracer whose spans go to a provider.
func New(p Provider) *Tracer { return &Tracer{p, p.Tracer(scope)} }

// flushTimeout is how long the collector has to take the last spans.
const flushTimeout = 2 * time.Second

// Close sends what waits and ends the Tracer, also when ctx has ended.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// Begin begins a trace, or goes on with one that Accept has put into ctx. The caller ends the span.
func (t *Tracer) Begin(ctx context.Context, name string, kind otrace.SpanKind,
	attrs ...attribute.KeyValue,
) (context.Context, otrace.Span) {
	if t == nil {
		return ctx, otrace.SpanFromContext(ctx)
	}
	return t.tracer.Start(ctx, name, otrace.WithSpanKind(kind), otrace.WithAttributes(attrs...))
}

// Accept puts the trace of a caller's traceparent header into ctx. The caller has to be trusted: it decides which
// requests are recorded, and under which ids.
func Accept(ctx context.Context, h http.Header) context.Context {
	return propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(h))
}

// Start adds a span to the trace of ctx. Outside a recorded trace it does nothing, and the span it returns is inert.
func Start(ctx context.Context, name string, kind otrace.SpanKind,
	attrs ...attribute.KeyValue,
) (context.Context, otrace.Span) {
	span := otrace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return ctx, span
	}
	return span.TracerProvider().Tracer(scope).Start(ctx, name, otrace.WithSpanKind(kind),
		otrace.WithAttributes(attrs...))
}

// End ends a span that Begin or Start has returned. An error marks it as failed by its kind; its words stay out, since
// they may name a person.
func End(span otrace.Span, err error) {
	if err != nil && span.IsRecording() {
		span.SetStatus(codes.Error, "")
		span.SetAttributes(semconv.ErrorTypeKey.String(kindOf(err)))
	}
	span.End()
}

// kindOf is a short name for the kind of an error.
func kindOf(err error) string {
	var state interface{ SQLState() string }
	switch {
	case errors.As(err, &state):
		return state.SQLState()
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return semconv.ErrorTypeOther.Value.AsString()
}

// ID is the id of the trace that ctx is part of, as logs name it; "" outside a recorded trace.
func ID(ctx context.Context) string {
	span := otrace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return ""
	}
	return span.SpanContext().TraceID().String()
}
