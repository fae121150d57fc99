package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"example.org/broadsheet/platform/fault"
)

// What the server can say about itself.
var (
	// ErrBusy is a statement or lock timeout, a full pool, a server that does not answer, a connection that was cut or a
	// serialization conflict: try again.
	ErrBusy = fault.New(fault.Unavailable, "TRY_AGAIN")
	// ErrIsolation is a query that reached for another edition's tables: a bug, never a leak.
	ErrIsolation = errors.New("db: outside of the edition's schema")
)

// SQLSTATE codes that mean something to callers (PostgreSQL manual, appendix A).
const (
	uniqueViolation  = "23505"
	foreignKey       = "23503"
	checkViolation   = "23514"
	queryCanceled    = "57014"
	lockNotAvailable = "55P03"
	serialization    = "40001"
	deadlock         = "40P01"
	tooManyConns     = "53300"
	cannotConnectNow = "57P03"
	adminShutdown    = "57P01"
	noPrivilege      = "42501"
	// poolerRefuses is PgBouncer's for all that it says of itself: no connection is free, Postgres is away, the login is
	// wrong. Postgres itself ends a connection with it that breaks the protocol.
	poolerRefuses = "08P01"
)

// Classify maps what any statement can meet; constraints are left to the store that knows them.
func Classify(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		if away(err) {
			return ErrBusy.Because(err)
		}
		return err
	}
	switch pg.Code {
	case queryCanceled, lockNotAvailable, serialization, deadlock, tooManyConns, cannotConnectNow, adminShutdown:
		return ErrBusy.Because(err)
	case poolerRefuses:
		if !LoginRefused(err) && !strings.Contains(pg.Message, refusedParameter) {
			return ErrBusy.Because(err)
		}
	case noPrivilege:
		return errors.Join(ErrIsolation, err)
	}
	return err
}

// away finds what the server could not even answer: no connection, none free in time, one that was cut, or a
// transaction that ended with the time of its request. A fault knows better what it is.
func away(err error) bool {
	var f *fault.Error
	if errors.As(err, &f) {
		return false
	}
	for _, sign := range []error{
		context.DeadlineExceeded, io.EOF, io.ErrUnexpectedEOF, driver.ErrBadConn, sql.ErrTxDone,
		sql.ErrConnDone, net.ErrClosed, pgconn.ErrConnClosed,
	} {
		if errors.Is(err, sign) {
			return true
		}
	}
	var connect *pgconn.ConnectError
	var network *net.OpError // "connection reset by peer"
	return errors.As(err, &connect) || errors.As(err, &network)
}

// Violates reports whether err is a violation of the named unique, foreign key or check constraint.
func Violates(err error, constraint string) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.ConstraintName != constraint {
		return false
	}
	return pg.Code == uniqueViolation || pg.Code == foreignKey || pg.Code == checkViolation
}
