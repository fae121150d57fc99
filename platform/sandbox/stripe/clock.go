package sandbox

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// timed is an object that something happens to by itself.
type timed interface {
	entity
	// dueAt is when the next thing happens, in epoch seconds; 0: nothing will.
	dueAt() int64
	// rank orders what falls due in the same second: a phase changes before its first invoice is written.
	rank() int
	fallDue(t *tx)
}

var errNothingDue = errors.New("nothing is due")

// Advance makes everything happen that falls due until then, in the order of time: renewals, phases of schedules,
// retries of payments, expiries. Webhooks are queued; Flush waits for them.
func (s *Sandbox) Advance(to time.Time) error {
	var errs []error
	for _, a := range s.all() {
		if err := a.settle(to); err != nil {
			errs = append(errs, fmt.Errorf("account %s: %w", a.name(), err))
		}
		a.wakeCourier()
	}
	return errors.Join(errs...)
}

// tick keeps the sandbox up with its clock where nobody advances it.
func (s *Sandbox) tick() {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-every.C:
			if err := s.Advance(s.opts.Clock.Now()); err != nil {
				s.log.Error("payment sandbox: time-driven work failed", "error", err)
			}
		}
	}
}

// settle works off what is due, one transaction each.
func (a *account) settle(to time.Time) error {
	for {
		err := a.settleOne(to.Unix())
		if errors.Is(err, errNothingDue) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (a *account) settleOne(to int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	id, at := a.nextDue()
	if at > to {
		return errNothingDue
	}
	return a.commit(time.Unix(at, 0), origin{}, func(t *tx) error {
		e, _ := t.find(id).(timed)
		e.fallDue(t)
		if e.dueAt() != 0 && e.dueAt() <= at && e.dueAt() == a.due[id].at {
			return fmt.Errorf("%s stays due at %d", id, at)
		}
		return nil
	})
}

// due is when and in which place of that second an object wants attention.
type due struct {
	at    int64
	rank  int
	birth int
}

func (a *account) nextDue() (id string, at int64) {
	first := due{at: math.MaxInt64}
	for other, d := range a.due {
		if d.at < first.at || d.at == first.at && (d.rank < first.rank || d.rank == first.rank && d.birth < first.birth) {
			id, first = other, d
		}
	}
	return id, first.at
}
