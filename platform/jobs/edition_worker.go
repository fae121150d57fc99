package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"

	"example.org/broadsheet/platform/paper/edition"
)

// editionWorker is one edition's part of a worker: its relay and its asynq servers. An asynq server takes its queues
// when it is made, so a new edition gets servers of its own; that also gives each edition workers that no other can
// occupy. A server asks Redis for work several times a second, so an edition has servers only while it has work.
type editionWorker struct {
	w        *Worker
	id       string
	log      *slog.Logger
	ctx      context.Context //nolint:containedctx // of the relay: servers begin and end while it runs
	cancel   context.CancelFunc
	wake     chan struct{} // the outbox has changed; one token is enough
	relayer  sync.WaitGroup
	direct   chan struct{} // a place for each job that runs without the queue
	handing  sync.Mutex    // held while rows are handed over
	counts   counters
	delays   delays
	last     atomic.Pointer[looked]    // the backlog; nil if the last look failed
	measured time.Time                 // when the relay last looked at all that is open
	away     atomic.Pointer[time.Time] // when the queue took nothing at the last try; nil while it is there

	mu      sync.Mutex
	servers []*asynq.Server // none while there is no work
	busy    time.Time       // when there was last some
}

// envelope is what travels through Redis.
type envelope struct {
	Edition string `json:"edition"`
	Event   string `json:"event"`
	ID      int64  `json:"id"`
}

// taskType is the one kind of task: everything else is in Postgres.
const taskType = "outbox"

func (w *Worker) begin(ctx context.Context, id string) *editionWorker {
	ctx, cancel := context.WithCancel(ctx)
	l := &editionWorker{
		w: w, id: id, log: w.opts.Log.With("edition", id), ctx: ctx, cancel: cancel,
		wake: make(chan struct{}, 1), direct: make(chan struct{}, loginWorkers),
	}
	l.relayer.Go(func() { l.relayForever(ctx) })
	return l
}

// serve has servers take up what the queue has for the edition, for as long as there is more.
func (l *editionWorker) serve() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy = time.Now()
	if len(l.servers) > 0 || l.ctx.Err() != nil {
		return
	}
	for _, s := range []struct {
		queues  map[string]int
		workers int
	}{
		{map[string]int{queueName(l.id, queueLogin): 1}, loginWorkers},
		{map[string]int{queueName(l.id, queueBulk): 1}, bulkWorkers},
		{
			map[string]int{queueName(l.id, queueMail): weights[queueMail], queueName(l.id, queueDefault): weights[queueDefault]},
			l.w.opts.Concurrency,
		},
	} {
		server := asynq.NewServerFromRedisClient(l.w.redis, asynq.Config{
			Queues: s.queues, Concurrency: s.workers, TaskCheckInterval: l.w.opts.Poll, ShutdownTimeout: l.w.opts.Shutdown,
			Logger: &quietLog{log: l.log}, LogLevel: asynq.WarnLevel,
			// Running jobs outlive the signal to stop; the shutdown timeout is what ends them.
			BaseContext: func() context.Context { return context.WithoutCancel(l.ctx) },
		})
		if err := server.Start(asynq.HandlerFunc(l.handle)); err != nil { // a new server is not running and not closed
			l.log.Error("no worker", "error", err)
			continue
		}
		l.servers = append(l.servers, server)
	}
}

// rest ends the servers when they have had nothing to do for a while.
func (l *editionWorker) rest() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.servers) == 0 || time.Since(l.busy) < l.w.opts.Rest {
		return
	}
	idle := l.servers
	l.servers = nil
	l.relayer.Go(func() { shutdown(idle) })
}

// untilRest is how long the edition's servers still have if nothing comes; false where it has none.
func (l *editionWorker) untilRest() (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(0, l.w.opts.Rest-time.Since(l.busy)), len(l.servers) > 0
}

// shutdown waits for what runs.
func shutdown(servers []*asynq.Server) {
	var all sync.WaitGroup
	for _, s := range servers {
		all.Go(s.Shutdown)
	}
	all.Wait()
}

// look has the relay look at the outbox now.
func (l *editionWorker) look() {
	select {
	case l.wake <- struct{}{}:
	default: // it is about to
	}
}

// end stops taking up work and waits for what runs.
func (l *editionWorker) end() {
	l.cancel()
	l.relayer.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	shutdown(l.servers)
}

// handle does one delivery. Whatever becomes of it is written to Postgres, so that asynq has nothing to retry.
func (l *editionWorker) handle(ctx context.Context, t *asynq.Task) error {
	var e envelope
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return fmt.Errorf("jobs: %w: %w", err, asynq.SkipRetry)
	}
	ed, ok := l.w.editions.Get(e.Edition)
	if !ok || e.Edition != l.id {
		return fmt.Errorf("jobs: no edition %q: %w", e.Edition, asynq.SkipRetry)
	}
	l.work(edition.With(ctx, ed), e.ID)
	return nil
}

// quietLog passes asynq's complaints on, but not the same one again and again while Redis is away.
type quietLog struct {
	log  *slog.Logger
	mu   sync.Mutex
	last time.Time
}

func (q *quietLog) say(args []any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if now := time.Now(); now.Sub(q.last) > 10*time.Second {
		q.last = now
		q.log.Warn("queue: " + fmt.Sprint(args...))
	}
}

// Debug implements asynq.Logger, as do the others.
func (q *quietLog) Debug(...any) {}

// Info is dropped too.
func (q *quietLog) Info(...any) {}

// Warn passes a complaint on.
func (q *quietLog) Warn(args ...any) { q.say(args) }

// Error passes a complaint on.
func (q *quietLog) Error(args ...any) { q.say(args) }

// Fatal does not end the process: what asynq cannot do is done again.
func (q *quietLog) Fatal(args ...any) { q.say(args) }
