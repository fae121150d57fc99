// Package db is the only door to Postgres. An edition has a pool and a login role of its
// own; the role reads and writes the rows of the edition's schema, carries it as its search
// path and may use nothing else. The schema and its tables belong to another role, as which
// nobody logs in and migrations are run. Module SQL is edition-blind, and a bug is a
// permission error, never another edition's row.
package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/paper/edition"
)

// Tx is one edition's database, inside or outside a transaction, with the instant the
// work began: time stands still within it.
type Tx struct {
	bun.IDB
	Now     time.Time
	Edition *edition.Edition
}

// ErrNested is returned when a door is opened inside an open InTx: with a pool's
// connections all held by outer transactions, inner ones would wait for ever.
var ErrNested = errors.New("db: transaction inside a transaction")

type inside struct{}

// Run runs fn without a transaction.
func (d *DB) Run(ctx context.Context, fn func(context.Context, Tx) error) error {
	p, ed, err := d.pool(ctx)
	if err != nil {
		return err
	}
	return d.classify(ed, fn(ctx, Tx{IDB: p, Now: d.clock.Now(), Edition: ed}))
}

// retryAfter is the wait between two tries of Retry.
const retryAfter = 250 * time.Millisecond

// Retry runs fn as Run does, and again while the database is away or busy, or refuses a login whose password is being
// renewed, until ctx ends. What an earlier try wrote may be there: only its answer may have been lost.
func (d *DB) Retry(ctx context.Context, fn func(context.Context, Tx) error) error {
	for {
		err := d.Run(ctx, fn)
		if !errors.Is(err, ErrBusy) && !LoginRefused(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(retryAfter):
		}
	}
}

// InTx runs fn in one transaction, committed if fn returns nil. An answer that must
// survive a refusal (a spent try) is reached inside and handed out after InTx returned nil.
func (d *DB) InTx(ctx context.Context, fn func(context.Context, Tx) error) error {
	p, ed, err := d.pool(ctx)
	if err != nil {
		return err
	}
	ctx = context.WithValue(ctx, inside{}, true)
	return d.classify(ed, p.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return fn(ctx, Tx{IDB: tx, Now: d.clock.Now(), Edition: ed})
	}))
}

// errDryRun rolls a dry run back.
var errDryRun = errors.New("db: dry run")

// DryRun runs fn as InTx does and rolls back what it did. It returns what fn returned.
func (d *DB) DryRun(ctx context.Context, fn func(context.Context, Tx) error) error {
	err := d.InTx(ctx, func(ctx context.Context, tx Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

func (d *DB) classify(ed *edition.Edition, err error) error {
	d.noteLogin(ed.ID, err)
	err = Classify(err)
	if errors.Is(err, ErrIsolation) {
		d.isolation.Add(1)
	}
	return err
}

func (d *DB) pool(ctx context.Context) (*bun.DB, *edition.Edition, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, nil, err
	}
	if ctx.Value(inside{}) != nil {
		return nil, nil, ErrNested
	}
	p, err := d.Pool(ed.ID)
	if err != nil {
		return nil, nil, fmt.Errorf("%w (edition %s)", err, ed.ID)
	}
	return p, ed, nil
}
