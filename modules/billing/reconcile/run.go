package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// comparedAtOnce is after how many things a round writes down what it has found, and how far it is.
const comparedAtOnce = 25

// Run is one comparison with the provider, in stages. It may take several runs: each has minutes, and begins
// where the last one was interrupted.
type Run struct {
	Name       string
	Stage      int
	Position   string // of the last thing that was compared in the stage; "" for none
	BeganAt    time.Time
	FinishedAt time.Time // zero while it is not through

	wrong []error // with single things, in this run
}

// stage compares what comes after the round's position. It returns an error that ends the run, and keeps the place.
type stage func(context.Context, *stripe.Account, *Run) error

// run runs the stages of a round that are left, or all of a new one. What is wrong with one thing is told, and
// holds up no other.
func (s *Service) run(ctx context.Context, acc *stripe.Account, name string, stages ...stage) error {
	var r *Run
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if r, err = FindRun(ctx, tx, name); err == nil && (r == nil || !r.FinishedAt.IsZero() || r.Stage >= len(stages)) {
			r = &Run{Name: name, BeganAt: tx.Now}
		}
		return err
	})
	if err != nil {
		return err
	}
	for r.Stage < len(stages) {
		if err := stages[r.Stage](ctx, acc, r); err != nil {
			return errors.Join(append(r.wrong, err)...)
		}
		r.Stage, r.Position = r.Stage+1, ""
		if r.Stage == len(stages) {
			r.FinishedAt = s.db.Now()
		}
		if err := s.savePosition(ctx, r, nil); err != nil {
			return errors.Join(append(r.wrong, err)...)
		}
	}
	return errors.Join(r.wrong...)
}

// savePosition writes down what was found, and how far the round is. It does so also where the time of the run is over
// just now.
func (s *Service) savePosition(ctx context.Context, r *Run, found []Drift) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepWithin)
	defer cancel()
	// Two rounds that write down the same things in different orders would wait for each other.
	slices.SortFunc(found, func(a, b Drift) int { return strings.Compare(a.ProviderID, b.ProviderID) })
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, d := range found {
			if err := putDrift(ctx, tx, d); err != nil {
				return err
			}
		}
		return PutRun(ctx, tx, r)
	})
}

// walk takes sorted ids from the round's position on. What one of them finds is repaired before the next ones are
// taken.
func (s *Service) walk(ctx context.Context, r *Run, ids []string,
	one func(context.Context, string) (*Drift, error),
) error {
	from, there := slices.BinarySearch(ids, r.Position)
	if there {
		from++
	}
	for some := range slices.Chunk(ids[from:], comparedAtOnce) {
		var found []Drift
		for _, id := range some {
			d, err := one(ctx, id)
			if ctx.Err() != nil {
				break
			}
			if d != nil {
				found = append(found, *d)
			}
			if err != nil {
				r.wrong = append(r.wrong, fmt.Errorf("billing: comparing %s: %w", id, err))
			}
			r.Position = id
		}
		if err := s.record(ctx, r, found); err != nil {
			return err
		}
	}
	return nil
}

// record writes down what was found and how far the round is, and repairs what was found. It returns an error where the
// run is over; what is not repaired by then is written down, and tried again like all drift.
func (s *Service) record(ctx context.Context, r *Run, found []Drift) error {
	if err := errors.Join(s.savePosition(ctx, r, found), ctx.Err()); err != nil {
		return err
	}
	r.wrong = append(r.wrong, s.Repair(ctx, found))
	return ctx.Err()
}

// keepWithin is how long it may take to write down what a run that is over has found.
const keepWithin = 5 * time.Second
