// Package jobs does the work that the outbox asks for, and what is due at intervals. Postgres holds the truth: a row
// is done when its done_at says so. Redis and asynq only carry row numbers to whichever worker is free; losing them
// costs a delay, never a fact, and a duplicate delivery finds the row claimed or done.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/trace"
)

// Editions is the registry, as far as the workers need it.
type Editions interface {
	All() []*edition.Edition
	Get(id string) (*edition.Edition, bool)
	OnChange(fn func(edition.Change))
}

// Options of a Worker. Zero values take the defaults named here.
type Options struct {
	RedisURL    string // redis://:password@host:port/0, rediss, redis-sentinel
	Log         *slog.Logger
	Trace       *trace.Tracer // of jobs; nil for none
	Concurrency int           // jobs at once, per edition and besides logins; default 8

	// Poll is how often the queue is asked for work while there is some, and how often the outbox is looked at while
	// Listening is false; default 250 ms.
	Poll time.Duration
	// Listening reports whether Look is called when the outbox of an edition has changed; nil means that it is not.
	Listening   func() bool
	Sweep       time.Duration // how often the outbox is looked at all the same, default 30 s
	Rest        time.Duration // how long an edition without work keeps its workers, default 15 s
	DirectAfter time.Duration // age at which what a reader awaits is done without the queue, default 3 s
	Redrive     time.Duration // twice the time a hand-over should take, default that of the queue
	Timeout     time.Duration // of one job, default 60 s
	Backoff     time.Duration // after the first failure, doubled by each further one, default 5 s
	Attempts    int           // failures that a row has at least before it is given up, default 12
	// Time since it was due that a row has at least before it is given up, default four days.
	Patience            time.Duration
	PeriodicTimeout     time.Duration // of one edition's run of a periodic job, default 5 min
	Shutdown            time.Duration // time that running jobs get to end, default 25 s
	LeaderCheck         time.Duration // how often leadership is sought or confirmed, default 2 s
	PeriodicConcurrency int           // that run at once in an edition, default 2
	PeriodicEditions    int           // in which one of them runs at once, default 16
}

func (o *Options) setDefaults() {
	orElse(&o.Log, slog.New(slog.DiscardHandler))
	orElse(&o.Concurrency, 8)
	orElse(&o.Poll, 250*time.Millisecond)
	orElse(&o.Sweep, 30*time.Second)
	orElse(&o.Rest, 15*time.Second)
	if o.Listening == nil {
		o.Listening = func() bool { return false }
	}
	orElse(&o.DirectAfter, 3*time.Second)
	orElse(&o.Timeout, time.Minute)
	orElse(&o.Backoff, 5*time.Second)
	orElse(&o.Attempts, 12)
	orElse(&o.Patience, 4*24*time.Hour)
	orElse(&o.PeriodicTimeout, 5*time.Minute)
	orElse(&o.Shutdown, 25*time.Second)
	orElse(&o.LeaderCheck, 2*time.Second)
	orElse(&o.PeriodicConcurrency, 2)
	orElse(&o.PeriodicEditions, 16)
}

func orElse[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Worker relays, works and keeps time for all editions. Any number of them may run.
type Worker struct {
	db        *db.DB
	editions  Editions
	listeners event.Registry
	opts      Options
	redis     redis.UniversalClient
	client    *asynq.Client
	periodics []*periodic
	leader    atomic.Bool
	away      atomic.Bool // the queue, as far as anybody has tried
	turns     sync.Map    // of periodic jobs, by edition: chan struct{}

	mark, server string // in the queue, when it was last asked; only ask touches them, one call after the other

	mu      sync.Mutex
	workers map[string]*editionWorker // by edition
	ending  sync.WaitGroup            // edition workers that still finish their jobs
	ctx     context.Context           //nolint:containedctx // of Run: edition workers follow the registry, not a caller
}

// New makes a worker; it touches neither Redis nor Postgres before Run.
func New(d *db.DB, editions Editions, listeners event.Registry, o Options) (*Worker, error) {
	o.setDefaults()
	client, err := openRedis(o.RedisURL)
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	w := &Worker{
		db: d, editions: editions, listeners: listeners, opts: o, redis: client,
		workers: map[string]*editionWorker{},
	}
	w.client = asynq.NewClientFromRedisClient(client)
	return w, nil
}

// Run works until ctx ends, then lets running jobs end and returns. It may be called once.
func (w *Worker) Run(ctx context.Context) error {
	w.mu.Lock()
	w.ctx = ctx
	w.mu.Unlock()
	first := w.ask(ctx) // before anything is handed over: a queue that is new has its mark then
	w.editions.OnChange(w.follow)
	var keeper sync.WaitGroup
	keeper.Go(func() { w.keepTime(ctx) })
	keeper.Go(func() { w.probe(ctx, first) })
	<-ctx.Done()
	keeper.Wait()
	w.mu.Lock()
	workers := w.workers
	w.workers = map[string]*editionWorker{}
	w.mu.Unlock()
	for _, l := range workers {
		w.ending.Go(l.end)
	}
	w.ending.Wait() // asynq's servers panic when their connection is closed under them
	return w.redis.Close()
}

// follow gives each edition its worker, without a restart.
func (w *Worker) follow(c edition.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx == nil || w.ctx.Err() != nil {
		return
	}
	for _, ed := range c.Added {
		if w.workers[ed.ID] == nil {
			w.workers[ed.ID] = w.begin(w.ctx, ed.ID)
		}
	}
	for _, ed := range c.Removed {
		if l := w.workers[ed.ID]; l != nil {
			delete(w.workers, ed.ID)
			w.ending.Go(l.end) // it waits for running jobs; the registry must not
		}
	}
}

// Look has the outbox of an edition looked at now; of all when id is "". It is called when a notice says that work has
// come, and when notices may have been missed.
func (w *Worker) Look(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id != "" {
		if l := w.workers[id]; l != nil {
			l.look()
		}
		return
	}
	for _, l := range w.workers {
		l.look()
	}
}

// probeEvery is how often the queue is asked whether it is there.
const probeEvery = 5 * time.Second

// answer is what the queue has said.
type answer struct {
	asked time.Time
	lost  time.Time // what it was given until then may be lost; zero: it has all
	err   error     // it did not answer
}

// ask asks the queue whether it is there, and still has what it was given.
func (w *Worker) ask(ctx context.Context) answer {
	a := answer{asked: w.db.Now()}
	ctx, cancel := context.WithTimeout(ctx, enqueueTimeout)
	defer cancel()
	a.lost, a.err = w.lost(ctx)
	return a
}

// probe acts on an answer of the queue and goes on asking: while nothing is due, nobody else would notice that it went
// and came.
func (w *Worker) probe(ctx context.Context, a answer) {
	for ctx.Err() == nil {
		if !a.lost.IsZero() {
			w.opts.Log.InfoContext(ctx, "the queue is empty or new; what it held is handed over again")
		}
		w.mu.Lock()
		workers := slices.Collect(maps.Values(w.workers))
		w.mu.Unlock()
		for _, l := range workers {
			if !a.lost.IsZero() {
				l.forget(a.lost)
			}
			l.hear(ctx, a.asked, a.err)
		}
		sleep(ctx, probeEvery, nil)
		a = w.ask(ctx)
	}
}

// Ping asks the queue whether it is there; it may be called where nothing is worked on.
func (w *Worker) Ping(ctx context.Context) error { return w.redis.Ping(ctx).Err() }

// RunDueNow does at once what is due by the clock: every periodic job, and the relay of every edition. It is for a
// clock that was moved; jobs that are handed over run soon after.
func (w *Worker) RunDueNow(ctx context.Context) error {
	for _, t := range w.periodics {
		w.fire(ctx, t)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, l := range w.workers {
		_, err := l.relay(ctx)
		errs = append(errs, err)
		l.look() // by the new time
	}
	return errors.Join(errs...)
}
