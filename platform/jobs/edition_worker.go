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
// occupy.
type editionWorker struct {
	w       *Worker
	id      string
	log     *slog.Logger
	cancel  context.CancelFunc
	relayer sync.WaitGroup
	servers []*asynq.Server
	direct  chan struct{} // a place for each job that runs without the queue
	counts  counters
	away    atomic.Pointer[time.Time] // when the queue took nothing at the last try; nil while it is there
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
		w: w, id: id, log: w.opts.Log.With("edition", id), cancel: cancel,
		direct: make(chan struct{}, loginWorkers),
	}
	for _, s := range []struct {
		queues  map[string]int
		workers int
		check   time.Duration
	}{
		{map[string]int{queueName(id, queueLogin): 1}, loginWorkers, w.opts.Poll},
		{map[string]int{queueName(id, queueBulk): 1}, bulkWorkers, w.opts.Poll},
		// A post that is due is to be seen within a second.
		{
			map[string]int{queueName(id, queueMail): weights[queueMail], queueName(id, queueDefault): weights[queueDefault]},
			w.opts.Concurrency, w.opts.Poll,
		},
	} {
		server := asynq.NewServerFromRedisClient(w.redis, asynq.Config{
			Queues: s.queues, Concurrency: s.workers, TaskCheckInterval: s.check, ShutdownTimeout: w.opts.Shutdown,
			Logger: &quietLog{log: l.log}, LogLevel: asynq.WarnLevel,
			// Running jobs outlive the signal to stop; the shutdown timeout is what ends them.
			BaseContext: func() context.Context { return context.WithoutCancel(ctx) },
		})
		if err := server.Start(asynq.HandlerFunc(l.handle)); err != nil { // a new server is not running and not closed
			l.log.Error("no worker", "error", err)
			continue
		}
		l.servers = append(l.servers, server)
	}
	l.relayer.Go(func() { l.relayForever(ctx) })
	return l
}

// end stops taking up work and waits for what runs.
func (l *editionWorker) end() {
	l.cancel()
	l.relayer.Wait()
	var all sync.WaitGroup
	for _, s := range l.servers {
		all.Go(s.Shutdown)
	}
	all.Wait()
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
