package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
)

const (
	// answerGrace is how much longer than the statement_timeout of the server an answer is waited for.
	answerGrace = 5 * time.Second
	// pingTimeout is how long a connection that was idle may take to answer before another is used. A network with a
	// second of delay each way needs two.
	pingTimeout = 3 * time.Second
)

// deadlines is a pgx.QueryTracer that gives each statement a deadline. The server ends a statement after
// statement_timeout, so an answer that is much later never comes: the network has lost the connection without a word,
// and a caller without a deadline would wait for ever.
type deadlines struct{ statement time.Duration }

// Keys of what contexts carry.
type (
	timeoutKey struct{} // time.Duration: what SetStatementTimeout has set
	cancelKey  struct{} // context.CancelFunc: of a statement's deadline
)

// TraceQueryStart implements pgx.QueryTracer.
func (d deadlines) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	longer, _ := ctx.Value(timeoutKey{}).(time.Duration)
	ctx, cancel := context.WithTimeout(ctx, max(d.statement, longer)+answerGrace)
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (deadlines) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// SetStatementTimeout sets how long each further statement of a transaction may take. Statements with the context that
// is returned are waited for that long; with any other one no longer than before.
func SetStatementTimeout(ctx context.Context, tx bun.IDB, timeout time.Duration) (context.Context, error) {
	_, err := tx.ExecContext(ctx, fmt.Sprintf("SET LOCAL statement_timeout = %d", timeout.Milliseconds()))
	return context.WithValue(ctx, timeoutKey{}, timeout), err
}
