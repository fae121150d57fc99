package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
)

const (
	// late is how much longer than the server works on a statement its answer is waited for.
	late = 5 * time.Second
	// alive is how long a connection that was idle may take to show that it is still there: less than opening another.
	alive = 3 * time.Second
)

// deadlines is a pgx.QueryTracer that gives each statement a deadline. The server ends a statement after
// statement_timeout, so an answer that is much later never comes: the network has lost the connection without a word,
// and who has no deadline of their own would wait for as long as they live.
type deadlines struct{ statement time.Duration }

// Keys of what contexts carry.
type (
	longerKey struct{} // time.Duration: the statement_timeout of the transaction
	cancelKey struct{} // context.CancelFunc: of a statement's deadline
)

// TraceQueryStart implements pgx.QueryTracer.
func (d deadlines) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	longer, _ := ctx.Value(longerKey{}).(time.Duration)
	ctx, cancel := context.WithTimeout(ctx, max(d.statement, longer)+late)
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (deadlines) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// SetStatementTimeout lets each statement of the rest of a transaction take so long, if it is made with the context
// that is returned.
func SetStatementTimeout(ctx context.Context, tx bun.IDB, longest time.Duration) (context.Context, error) {
	_, err := tx.ExecContext(ctx, fmt.Sprintf("SET LOCAL statement_timeout = %d", longest.Milliseconds()))
	return context.WithValue(ctx, longerKey{}, longest), err
}
