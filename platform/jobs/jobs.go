// Package jobs does the work that the outbox asks for, and what is due at intervals. Postgres holds the truth: a row
// is done when its done_at says so. Redis and asynq only carry row numbers to whichever worker is free; losing them
// costs a delay, never a fact, and a duplicate delivery finds the row claimed or done.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
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
	Concurrency int // jobs at once, per edition and besides logins; default 8

	Poll        time.Duration // how often the outbox is looked at, default 250 ms
	DirectAfter time.Duration // age at which a login is done without a queue that is down, default 3 s
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
}

func (o *Options) setDefaults() {
	orElse(&o.Log, slog.New(slog.DiscardHandler))
	orElse(&o.Concurrency, 8)
	orElse(&o.Poll, 250*time.Millisecond)
	orElse(&o.DirectAfter, 3*time.Second)
	orElse(&o.Timeout, time.Minute)
	orElse(&o.Backoff, 5*time.Second)
	orElse(&o.Attempts, 12)
	orElse(&o.Patience, 4*24*time.Hour)
	orElse(&o.PeriodicTimeout, 5*time.Minute)
	orElse(&o.Shutdown, 25*time.Second)
	orElse(&o.LeaderCheck, 2*time.Second)
	orElse(&o.PeriodicConcurrency, 2)
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
	turns     sync.Map // of periodic jobs, by edition: chan struct{}

	mu      sync.Mutex
	workers map[string]*editionWorker // by edition
	ctx     context.Context           //nolint:containedctx // of Run: edition workers follow the registry, not a caller
}

// New makes a worker; it touches neither Redis nor Postgres before Run.
func New(d *db.DB, editions Editions, listeners event.Registry, o Options) (*Worker, error) {
	o.setDefaults()
	opt, err := asynq.ParseRedisURI(o.RedisURL)
	if err != nil {
		return nil, fmt.Errorf("jobs: the Redis URL cannot be read: %w", err)
	}
	silence.Do(func() { redis.SetLogger(mute{}) })
	client, ok := opt.MakeRedisClient().(*redis.Client)
	if !ok {
		return nil, fmt.Errorf("jobs: the Redis URL names no server")
	}
	// Asynq leaves it out; a server that hangs would keep everybody for longer than they asked for.
	client.Options().ContextTimeoutEnabled = true
	w := &Worker{
		db: d, editions: editions, listeners: listeners, opts: o, redis: client,
		workers: map[string]*editionWorker{},
	}
	w.client = asynq.NewClientFromRedisClient(client)
	return w, nil
}

// mute drops what the Redis client prints for every failed dial: the relay says once that the queue is away.
type mute struct{}

// Printf implements the client's logger.
func (mute) Printf(context.Context, string, ...any) {}

var silence sync.Once

// Run works until ctx ends, then lets running jobs end and returns. It may be called once.
func (w *Worker) Run(ctx context.Context) error {
	w.mu.Lock()
	w.ctx = ctx
	w.mu.Unlock()
	w.editions.OnChange(w.follow)
	var keeper sync.WaitGroup
	keeper.Go(func() { w.keepTime(ctx) })
	<-ctx.Done()
	keeper.Wait()
	w.mu.Lock()
	workers := w.workers
	w.workers = map[string]*editionWorker{}
	w.mu.Unlock()
	var ending sync.WaitGroup
	for _, l := range workers {
		ending.Go(l.end)
	}
	ending.Wait()
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
			go l.end() // it waits for running jobs; the registry must not
		}
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
	}
	return errors.Join(errs...)
}
