package billing

import (
	"context"
	"sync"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
)

// standing is what follows from all subscriptions of a reader. It holds instants, not answers, so that a copy of it
// stays right while time passes.
type standing struct {
	until     time.Time // end of the running period
	tolerated time.Time // end of access while a renewal is on its way
	granted   time.Time // end of access that was given away
	gift      string    // what that shows as
	lastEnd   time.Time // of any access that the reader has ever had
	dismissed time.Time // the notice about it was closed
	product   string
	trial     bool
}

// at answers for an instant.
func (s standing) at(now time.Time) (until time.Time, product string, trial, reminderDue bool) {
	switch {
	case s.until.After(now):
		until = s.until
	case s.tolerated.After(now):
		until = s.tolerated
	case s.granted.After(now):
		return s.granted, s.gift, false, false
	default:
		due := !s.lastEnd.IsZero() && !s.lastEnd.After(now) && s.dismissed.Before(s.lastEnd)
		return time.Time{}, NoProduct, false, due
	}
	if s.granted.After(until) {
		until = s.granted
	}
	return until, s.product, s.trial, false
}

// ActiveUntil is when a reader's access ends, by payment, trial or grace; zero when there is none.
func (m *Module) ActiveUntil(ctx context.Context, readerID int64) (time.Time, error) {
	until, _, _, _, err := m.Standing(ctx, readerID)
	return until, err
}

// Standing says until when a reader has access (zero: none), through which product, whether that is a trial, and
// whether the notice that access has ended is still to be shown.
func (m *Module) Standing(ctx context.Context,
	readerID int64,
) (until time.Time, product string, trial, reminderDue bool, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return time.Time{}, NoProduct, false, false, err
	}
	if readerID <= 0 {
		return time.Time{}, NoProduct, false, false, nil
	}
	now := m.db.Now()
	key := standingKey{ed.ID, readerID}
	s, ok, generation := m.cache.get(key, now)
	if !ok {
		if s, err = m.loadStanding(ctx, readerID); err != nil {
			return time.Time{}, NoProduct, false, false, err
		}
		m.cache.put(key, s, now, generation)
	}
	until, product, trial, reminderDue = s.at(now)
	return until, product, trial, reminderDue, nil
}

func (m *Module) loadStanding(ctx context.Context, readerID int64) (s standing, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		s, err = readStanding(ctx, tx, readerID)
		return err
	})
	return s, err
}

func readStanding(ctx context.Context, tx db.Tx, readerID int64) (s standing, err error) {
	list, err := selectSubscriptions(ctx, tx, "reader_id = ? ORDER BY id", readerID)
	if err != nil {
		return s, err
	}
	for _, sub := range list {
		s.add(sub, tx.Edition.Billing.GraceDays)
	}
	grants, err := listGrants(ctx, tx, readerID)
	if err != nil {
		return s, err
	}
	for _, g := range grants {
		if g.Until.After(s.granted) {
			s.granted, s.gift = g.Until, g.Product
		}
		s.lastEnd = later(s.lastEnd, g.Until)
	}
	s.dismissed, err = findDismissed(ctx, tx, readerID)
	return s, err
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (s *standing) add(sub subscription, graceDays int) {
	until, tolerated := sub.access(graceDays)
	end := tolerated
	if end.IsZero() && sub.Status.Final() {
		end = sub.closed(graceDays)
	}
	if end.IsZero() && (sub.Status == stripe.Unpaid || sub.Status == stripe.Paused || sub.Uncovered) {
		end = sub.PeriodStart
	}
	// That is no end.
	if pausing := sub.Status.Live() && (sub.Paused || sub.calledOff()); end.After(s.lastEnd) && !pausing {
		s.lastEnd = end
	}
	if tolerated.After(s.tolerated) {
		s.until, s.tolerated, s.product, s.trial = until, tolerated, sub.Product, sub.Trial
	}
}

// DismissReminder notes that a reader has closed the notice that access has ended; false takes it back. It counts for
// this end: after a further subscription there is a further notice.
func (m *Module) DismissReminder(ctx context.Context, readerID int64, dismissed bool) error {
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := putDismissed(ctx, tx, readerID, dismissed); err != nil {
			return err
		}
		return standingChanged(ctx, tx, readerID)
	})
	if err == nil {
		m.cache.forget(readerID) // the next answer here should know, before the notice has gone round
	}
	return err
}

// Forget drops what is remembered of readers, in every edition that has such an id.
func (m *Module) Forget(readerIDs ...int64) { m.cache.forget(readerIDs...) }

// ForgetAll drops all that is remembered.
func (m *Module) ForgetAll() { m.cache.forgetAll() }

const (
	maxStandings  = 50_000
	standingFresh = time.Minute // bounds what a lost notice can cost
)

type standingKey struct {
	edition string
	reader  int64
}

type remembered struct {
	standing
	at time.Time
}

// standings remembers what was read, until it is told that it changed.
type standings struct {
	mu         sync.Mutex
	all        map[standingKey]remembered
	editions   map[string]bool
	generation uint64
}

func newStandings() *standings {
	return &standings{all: map[standingKey]remembered{}, editions: map[string]bool{}}
}

func (c *standings) get(k standingKey, now time.Time) (standing, bool, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.all[k]
	return r.standing, ok && now.Sub(r.at) < standingFresh, c.generation
}

// put remembers what was read, unless something was forgotten since: it may have been read before the change.
func (c *standings) put(k standingKey, s standing, now time.Time, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.generation != generation {
		return
	}
	for old := range c.all {
		if len(c.all) < maxStandings {
			break
		}
		delete(c.all, old)
	}
	c.editions[k.edition] = true
	c.all[k] = remembered{s, now}
}

func (c *standings) forget(readers ...int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	for _, id := range readers {
		for ed := range c.editions {
			delete(c.all, standingKey{ed, id})
		}
	}
}

func (c *standings) forgetAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	clear(c.all)
}
