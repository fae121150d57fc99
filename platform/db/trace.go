package db

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	otrace "go.opentelemetry.io/otel/trace"

	"example.org/broadsheet/platform/trace"
)

// traceHook adds a span for each query that is made within a trace.
type traceHook struct{ schema string }

// spanKey is where a query keeps its span.
type spanKey struct{}

// BeforeQuery implements bun.QueryHook. The span is not put into the context: nothing is below a query, and the context
// of a BEGIN is also that of its COMMIT.
func (h traceHook) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	if !otrace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	text := statement(e)
	operation, _, _ := strings.Cut(text, " ")
	_, span := trace.Start(ctx, operation, otrace.SpanKindClient, semconv.DBSystemNamePostgreSQL,
		semconv.DBNamespace(h.schema), semconv.DBOperationName(operation), semconv.DBQueryText(text))
	e.Stash = map[any]any{spanKey{}: span}
	return ctx
}

// AfterQuery implements bun.QueryHook.
func (traceHook) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	span, ok := e.Stash[spanKey{}].(otrace.Span)
	if !ok {
		return
	}
	err := e.Err
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	trace.End(span, err)
}

// statement is a query without the values of its parameters. That of the query builder has only values where the raw
// ones have place holders, so no more than its operation and table is told.
func statement(e *bun.QueryEvent) string {
	switch q := e.IQuery.(type) {
	case nil:
		return oneLine(e.QueryTemplate)
	case *bun.RawQuery:
		text, err := q.AppendQuery(schema.NewNopQueryGen(), nil)
		if err != nil {
			return q.Operation()
		}
		return oneLine(string(text))
	default:
		return strings.TrimSpace(q.Operation() + " " + q.GetTableName())
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
