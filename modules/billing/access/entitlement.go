package access

import (
	"context"
	"sync"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Entitlement is what follows from all subscriptions of a reader. It holds instants, not answers, so that a copy of it
// stays right while time passes.
type Entitlement struct {
	Until        time.Time // end of the running period
	Tolerated    time.Time // end of access while a renewal is on its way
	GrantedUntil time.Time // end of access that was given away
	Gift         string    // what that shows as
	LastEnd      time.Time // of any access that the reader has ever had
	dismissed    time.Time // the notice about it was closed
	product      string
	Trial        bool
}

// at answers for an instant.
func (s Entitlement) at(now time.Time) (until time.Time, product string, trial, reminderDue bool) {
	switch {
	case s.Until.After(now):
		until = s.Until
	case s.Tolerated.After(now):
		until = s.Tolerated
	case s.GrantedUntil.After(now):
		return s.GrantedUntil, s.Gift, false, false
	default:
		due := !s.LastEnd.IsZero() && !s.LastEnd.After(now) && s.dismissed.Before(s.LastEnd)
		return time.Time{}, NoProduct, false, due
	}
	if s.GrantedUntil.After(until) {
		until = s.GrantedUntil
	}
	return until, s.product, s.Trial, false
}

// ActiveUntil is when a reader's access ends, by payment, trial or grace; zero when there is none.
func (s *Service) ActiveUntil(ctx context.Context, readerID int64) (time.Time, error) {
	until, _, _, _, err := s.Entitlement(ctx, readerID)
	return until, err
}

// Entitlement says until when a reader has access (zero: none), through which product, whether that is a trial, and
// whether the notice that access has ended is still to be shown.
func (s *Service) Entitlement(ctx context.Context,
	readerID int64,
) (until time.Time, product string, trial, reminderDue bool, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return time.Time{}, NoProduct, false, false, err
	}
	if readerID <= 0 {
		return time.Time{}, NoProduct, false, false, nil
	}
	now := s.db.Now()
	key := cacheKey{ed.ID, readerID}
	e, ok, generation := s.cache.get(key, now)
	if !ok {
		if e, err = s.load(ctx, readerID); err != nil {
			return time.Time{}, NoProduct, false, false, err
		}
		s.cache.put(key, e, now, generation)
	}
	until, product, trial, reminderDue = e.at(now)
	return until, product, trial, reminderDue, nil
}

func (s *Service) load(ctx context.Context, readerID int64) (e Entitlement, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		e, err = ReadEntitlement(ctx, tx, readerID)
		return err
	})
	return e, err
}

// ReadEntitlement works out what a reader may read, in a transaction.
func ReadEntitlement(ctx context.Context, tx db.Tx, readerID int64) (s Entitlement, err error) {
	list, err := Select(ctx, tx, "reader_id = ? ORDER BY id", readerID)
	if err != nil {
		return s, err
	}
	for _, sub := range list {
		s.Add(sub, tx.Edition.Billing.GraceDays)
	}
	grants, err := listGrants(ctx, tx, readerID)
	if err != nil {
		return s, err
	}
	for _, g := range grants {
		if g.Until.After(s.GrantedUntil) {
			s.GrantedUntil, s.Gift = g.Until, g.Product
		}
		s.LastEnd = Later(s.LastEnd, g.Until)
	}
	s.dismissed, err = findDismissed(ctx, tx, readerID)
	return s, err
}

// Later returns the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Add has a subscription count.
func (s *Entitlement) Add(sub Subscription, graceDays int) {
	until, tolerated := sub.Ends(graceDays)
	end := tolerated
	if end.IsZero() && sub.Status.Final() {
		end = sub.AccessEnded(graceDays)
	}
	if end.IsZero() && (sub.Status == stripe.Unpaid || sub.Status == stripe.Paused || sub.Uncovered) {
		end = sub.PeriodStart
	}
	// That is no end.
	if pausing := sub.Status.Live() && (sub.Paused || sub.calledOff()); end.After(s.LastEnd) && !pausing {
		s.LastEnd = end
	}
	if tolerated.After(s.Tolerated) {
		s.Until, s.Tolerated, s.product, s.Trial = until, tolerated, sub.Product, sub.Trial
	}
}

// DismissReminder notes that a reader has closed the notice that access has ended; false takes it back. It counts for
// this end: after a further subscription there is a further notice.
func (s *Service) DismissReminder(ctx context.Context, readerID int64, dismissed bool) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := putDismissed(ctx, tx, readerID, dismissed); err != nil {
			return err
		}
		return Changed(ctx, tx, readerID)
	})
	if err == nil {
		s.cache.forget(readerID) // the next answer here should know, before the notice has gone round
	}
	return err
}

// Forget drops what is remembered of readers, in every edition that has such an id.
func (s *Service) Forget(readerIDs ...int64) { s.cache.forget(readerIDs...) }

// ForgetAll drops all that is remembered.
func (s *Service) ForgetAll() { s.cache.forgetAll() }

const (
	maxCached = 50_000
	cacheTTL  = time.Minute // bounds what a lost notice can cost
)

type cacheKey struct {
	edition string
	reader  int64
}

type cacheEntry struct {
	Entitlement
	at time.Time
}

// cache remembers what was read, until it is told that it changed.
type cache struct {
	mu         sync.Mutex
	all        map[cacheKey]cacheEntry
	editions   map[string]bool
	generation uint64
}

func newCache() *cache {
	return &cache{all: map[cacheKey]cacheEntry{}, editions: map[string]bool{}}
}

func (c *cache) get(k cacheKey, now time.Time) (Entitlement, bool, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.all[k]
	return r.Entitlement, ok && now.Sub(r.at) < cacheTTL, c.generation
}

// put remembers what was read, unless something was forgotten since: it may have been read before the change.
func (c *cache) put(k cacheKey, s Entitlement, now time.Time, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.generation != generation {
		return
	}
	for old := range c.all {
		if len(c.all) < maxCached {
			break
		}
		delete(c.all, old)
	}
	c.editions[k.edition] = true
	c.all[k] = cacheEntry{s, now}
}

func (c *cache) forget(readers ...int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	for _, id := range readers {
		for ed := range c.editions {
			delete(c.all, cacheKey{ed, id})
		}
	}
}

func (c *cache) forgetAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	clear(c.all)
}
