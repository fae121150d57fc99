package trace_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	otrace "go.opentelemetry.io/otel/trace"

	"example.org/broadsheet/platform/testkit/collector"
	"example.org/broadsheet/platform/trace"
	"example.org/broadsheet/platform/trace/otlp"
)

// spans are those that a collector got of what is done within a trace, by name.
func spans(t *testing.T, do func(context.Context)) map[string]map[string]string {
	t.Helper()
	traces := collector.Start(t)
	tracer, err := otlp.Open(t.Context(), traces.URL, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, span := tracer.Begin(t.Context(), "root", otrace.SpanKindServer)
	if trace.ID(ctx) != span.SpanContext().TraceID().String() {
		t.Errorf("trace %q, want %s", trace.ID(ctx), span.SpanContext().TraceID())
	}
	do(ctx)
	span.End()
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]string{}
	for _, s := range traces.Spans() {
		all[s.Name] = map[string]string{"status": s.Status.GetCode().String(), "message": s.Status.GetMessage()}
		for _, a := range s.Attributes {
			all[s.Name][a.Key] = a.Value.GetStringValue()
		}
	}
	return all
}

// A failure is told by its kind, without its words.
func TestFailures(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"23505":    fmt.Errorf("put: %w", &pgconn.PgError{Code: "23505", Detail: "Key (email)=(ada@example.org)"}),
		"canceled": fmt.Errorf("ask: %w", context.Canceled),
		"timeout":  context.DeadlineExceeded,
		"_OTHER":   errors.New("no ada@example.org"),
		"":         nil,
	} {
		got := spans(t, func(ctx context.Context) {
			_, span := trace.Start(ctx, "step", otrace.SpanKindInternal)
			trace.End(span, err)
		})["step"]
		status := "STATUS_CODE_ERROR"
		if err == nil {
			status = "STATUS_CODE_UNSET"
		}
		if got["error.type"] != want || got["status"] != status || got["message"] != "" {
			t.Errorf("%v: got %v, want %q", err, got, want)
		}
	}
}

// Calls to other servers have their address without ids, and tell those servers nothing of the trace.
func TestTransport(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Traceparent") != "" {
			t.Error("the server gets the trace")
		}
		w.WriteHeader(http.StatusPaymentRequired)
	}))
	t.Cleanup(server.Close)
	got := spans(t, func(ctx context.Context) {
		const path = "/v1/subscription_items/si_NaD1/SK?email=a%40b.sk"
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := trace.Transport("payment provider", http.DefaultTransport).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	})["GET payment provider"]
	if got["url.template"] != "/v1/subscription_items/{id}/{id}" || got["status"] != "STATUS_CODE_ERROR" {
		t.Errorf("got %v", got)
	}
}

// Outside a trace, and without a Tracer, nothing begins.
func TestOff(t *testing.T) {
	t.Parallel()
	tracer, err := otlp.Open(t.Context(), "", "test", nil)
	if err != nil || tracer != nil {
		t.Fatalf("got %v, %v", tracer, err)
	}
	ctx, span := tracer.Begin(t.Context(), "root", otrace.SpanKindServer)
	if ctx != t.Context() || span.IsRecording() || trace.ID(ctx) != "" {
		t.Error("a trace began")
	}
	ctx, span = trace.Start(ctx, "step", otrace.SpanKindInternal)
	trace.End(span, errors.New("a failure"))
	if ctx != t.Context() || tracer.Close(ctx) != nil {
		t.Error("a span began")
	}
}
