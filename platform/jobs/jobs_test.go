package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// shelf is a registry that a test fills.
type shelf struct {
	mu        sync.Mutex
	list      []*edition.Edition
	listeners []func(edition.Change)
}

func (s *shelf) All() []*edition.Edition {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*edition.Edition(nil), s.list...)
}

func (s *shelf) Get(id string) (*edition.Edition, bool) {
	for _, e := range s.All() {
		if e.ID == id {
			return e, true
		}
	}
	return nil, false
}

func (s *shelf) OnChange(fn func(edition.Change)) {
	fn(edition.Change{Added: s.All()})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, fn)
}

func (s *shelf) change(c edition.Change, list []*edition.Edition) {
	s.mu.Lock()
	s.list = list
	fns := s.listeners
	s.mu.Unlock()
	for _, fn := range fns {
		fn(c)
	}
}

func shelve(t *testing.T, ctxs ...context.Context) *shelf {
	t.Helper()
	s := &shelf{}
	for _, ctx := range ctxs {
		ed, err := edition.From(ctx)
		if err != nil {
			t.Fatal(err)
		}
		s.list = append(s.list, ed)
	}
	return s
}

func startRedis(t *testing.T) *redis.Server {
	t.Helper()
	s, err := redis.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func quick(url string) Options {
	return Options{
		RedisURL: url, Log: slog.New(slog.DiscardHandler), Poll: 10 * time.Millisecond, DirectAfter: 50 * time.Millisecond,
		Backoff: 20 * time.Millisecond, Attempts: 4, Patience: time.Millisecond, Shutdown: 10 * time.Second,
		LeaderCheck: 20 * time.Millisecond,
	}
}

// run starts a worker and returns what ends it.
func run(t *testing.T, w *Worker, err error) (stop func()) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func tell(ctx context.Context, t *testing.T, d *db.DB, ids ...int64) {
	t.Helper()
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, id := range ids {
			if err := outbox.Tell(ctx, tx, event.EntitlementChanged, event.Entitlement{ReaderID: id}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func count(ctx context.Context, t *testing.T, d *db.DB, where string) (n int) {
	t.Helper()
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT count(*) FROM outbox WHERE "+where).Scan(ctx, &n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// ledger counts runs by edition and post.
type ledger struct {
	mu   sync.Mutex
	runs map[string]int
}

func (l *ledger) note(ctx context.Context, p event.Entitlement) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runs == nil {
		l.runs = map[string]int{}
	}
	l.runs[fmt.Sprint(ed.ID, " ", p.ReaderID)]++
	return nil
}

func (l *ledger) total() (keys, runs int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.runs {
		runs += n
	}
	return len(l.runs), runs
}

func listening(fn func(context.Context, event.Entitlement) error) event.Registry {
	r := event.Registry{}
	event.On(r, event.EntitlementChanged, fn)
	return r
}

func numbers(n int) (ids []int64) {
	for i := range n {
		ids = append(ids, int64(i+1))
	}
	return ids
}

func TestTwoProcessesDoEverythingOnce(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 3)
	var l ledger
	for _, ctx := range ctxs {
		tell(ctx, t, d, numbers(100)...)
	}
	url, s := startRedis(t).URL(), shelve(t, ctxs...)
	for range 2 {
		p := testkit.Process(t, d)
		for _, ed := range s.All() {
			p.Attach(ed.ID, ed.Schema)
		}
		w, err := New(p, s, listening(l.note), quick(url))
		run(t, w, err)
	}
	for _, ctx := range ctxs {
		wait.Until(t, "all done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 100 })
	}
	if keys, runs := l.total(); keys != 300 || runs != 300 {
		t.Errorf("%d facts, %d runs", keys, runs)
	}
	for _, ctx := range ctxs {
		if n := count(ctx, t, d, "drives <> 1"); n != 0 {
			t.Errorf("%d rows were handed over more than once", n)
		}
	}
}

// A delivery that comes twice, or late, finds the row claimed or done.
func TestCopiesOfADeliveryRunOnce(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	var l ledger
	w, err := New(d, shelve(t, ctx), listening(func(ctx context.Context, p event.Entitlement) error {
		time.Sleep(50 * time.Millisecond)
		return l.note(ctx, p)
	}), quick("redis://127.0.0.1:1/0"))
	if err != nil {
		t.Fatal(err)
	}
	tell(ctx, t, d, 1)
	worker := &editionWorker{w: w, id: "test_sk", log: w.opts.Log}
	body, err := json.Marshal(envelope{"test_sk", string(event.EntitlementChanged), 1})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := worker.handle(t.Context(), asynq.NewTask(taskType, body)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := worker.handle(t.Context(), asynq.NewTask(taskType, body)); err != nil {
		t.Error(err)
	}
	if _, runs := l.total(); runs != 1 {
		t.Errorf("%d runs", runs)
	}
	for _, bad := range []string{"{", `{"edition":"nowhere","id":1}`} {
		if err := worker.handle(t.Context(), asynq.NewTask(taskType, []byte(bad))); !errors.Is(err, asynq.SkipRetry) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestAFlushedQueueLosesNothing(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	r := startRedis(t)
	var l ledger
	o := quick(r.URL())
	o.Redrive, o.Concurrency = 300*time.Millisecond, 1
	w, err := New(d, shelve(t, ctx), listening(func(ctx context.Context, p event.Entitlement) error {
		time.Sleep(5 * time.Millisecond)
		return l.note(ctx, p)
	}), o)
	tell(ctx, t, d, numbers(60)...)
	run(t, w, err)
	wait.Until(t, "all handed over", func() bool { return count(ctx, t, d, "enqueued_at IS NULL") == 0 })
	r.FlushAll()
	if left := count(ctx, t, d, "done_at IS NULL"); left == 0 {
		t.Fatal("everything was done before the loss")
	}
	wait.Until(t, "all done", func() bool { return count(ctx, t, d, "done_at IS NULL") == 0 })
	if keys, runs := l.total(); keys != 60 || runs != 60 {
		t.Errorf("%d facts, %d runs", keys, runs)
	}
	if s := w.Stats()["test_sk"]; s.Redriven == 0 || s.Done != 60 {
		t.Errorf("stats %+v", s)
	}
}

func TestWithoutAQueueWhatReadersAwaitIsDone(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	r := startRedis(t)
	var posts ledger
	var logins, payments atomic.Int64
	listeners := listening(posts.note)
	event.On(listeners, event.ProviderEvent, func(context.Context, event.ProviderReported) error {
		payments.Add(1)
		return nil
	})
	event.On(listeners, event.LoginMail, func(context.Context, event.LoginRequested) error { logins.Add(1); return nil })
	w, err := New(d, shelve(t, ctx), listeners, quick(r.URL()))
	r.Pause()
	tell(ctx, t, d, 1, 2)
	if err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		return errors.Join(outbox.Tell(ctx, tx, event.LoginMail, event.LoginRequested{AttemptID: 7}),
			outbox.Tell(ctx, tx, event.ProviderEvent, event.ProviderReported{}))
	}); err != nil {
		t.Fatal(err)
	}
	run(t, w, err)
	wait.Until(t, "what is awaited is done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 2 })
	if _, runs := posts.total(); runs != 0 || logins.Load() != 1 || payments.Load() != 1 {
		t.Errorf("%d posts, %d logins, %d payments", runs, logins.Load(), payments.Load())
	}
	if s := w.Stats()["test_sk"]; s.QueueUp || s.Direct != 2 {
		t.Errorf("stats %+v", s)
	}
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the rest is done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 4 })
	if _, runs := posts.total(); runs != 2 || logins.Load() != 1 || payments.Load() != 1 {
		t.Errorf("%d posts, %d logins, %d payments", runs, logins.Load(), payments.Load())
	}
}

func TestFailuresAreRepeatedThenGivenUp(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	var mu sync.Mutex
	runs, mended := map[int64]int{}, false
	w, err := New(d, shelve(t, ctx), listening(func(_ context.Context, p event.Entitlement) error {
		mu.Lock()
		defer mu.Unlock()
		runs[p.ReaderID]++
		switch {
		case mended:
			return nil
		case p.ReaderID == 1 && runs[1] < 3:
			return errors.New("not yet")
		case p.ReaderID == 2:
			return Skip(fmt.Errorf("never: %w", errors.New("no such address")))
		case p.ReaderID == 3:
			panic("boom")
		}
		return nil
	}), quick(startRedis(t).URL()))
	run(t, w, err)
	tell(ctx, t, d, 1, 2, 3)
	wait.Until(t, "one done, two dead", func() bool {
		return count(ctx, t, d, "done_at IS NOT NULL") == 1 && count(ctx, t, d, "dead_at IS NOT NULL") == 2
	})
	mu.Lock()
	if got := fmt.Sprint(runs); got != "map[1:3 2:1 3:4]" {
		t.Errorf("runs %s", got)
	}
	mended = true
	mu.Unlock()
	dead, err := Dead(ctx, d, 10)
	if err != nil || len(dead) != 2 {
		t.Fatalf("%+v, %v", dead, err)
	}
	if dead[0].LastError != "panic: boom" || dead[0].Attempts != 4 || dead[1].LastError != "never: no such address" {
		t.Errorf("dead %+v", dead)
	}
	if n, err := Requeue(ctx, d, dead[1].ID); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	wait.Until(t, "one is brought back", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 2 })
	if n, err := Requeue(ctx, d); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	wait.Until(t, "all are brought back", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 3 })
}

// A failure that says by when another try makes sense is tried by then, however often it has failed.
func TestAFailureMayNameItsNextTry(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	o := quick(startRedis(t).URL())
	o.Backoff = time.Hour
	var runs atomic.Int64
	w, err := New(d, shelve(t, ctx), listening(func(context.Context, event.Entitlement) error {
		if runs.Add(1) < 4 {
			return fmt.Errorf("mail: %w", RetryWithin(errors.New("somebody has it"), 10*time.Millisecond))
		}
		return nil
	}), o)
	run(t, w, err)
	tell(ctx, t, d, 1)
	wait.Until(t, "done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 1 })
	if RetryWithin(nil, time.Second) != nil {
		t.Error("no error became one")
	}
}

func TestABusyEditionDoesNotHoldUpAnother(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	block := make(chan struct{})
	defer close(block)
	o := quick(startRedis(t).URL())
	o.Concurrency = 2
	w, err := New(d, shelve(t, ctxs...), listening(func(ctx context.Context, _ event.Entitlement) error {
		if ed, _ := edition.From(ctx); ed.ID == "test_sk" {
			select {
			case <-block:
			case <-ctx.Done():
			}
		}
		return nil
	}), o)
	tell(ctxs[0], t, d, numbers(50)...)
	run(t, w, err)
	wait.Until(t, "all handed over", func() bool { return count(ctxs[0], t, d, "enqueued_at IS NULL") == 0 })
	tell(ctxs[1], t, d, numbers(20)...)
	wait.Until(t, "the other edition is done", func() bool { return count(ctxs[1], t, d, "done_at IS NOT NULL") == 20 })
	if n := count(ctxs[0], t, d, "done_at IS NOT NULL"); n != 0 {
		t.Errorf("%d of the busy edition's are done", n)
	}
}

func TestEditionsComeAndGo(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	s, both := shelve(t, ctxs[0]), shelve(t, ctxs...).All()
	var l ledger
	w, err := New(d, s, listening(l.note), quick(startRedis(t).URL()))
	run(t, w, err)
	tell(ctxs[1], t, d, 1)
	tell(ctxs[0], t, d, 1)
	wait.Until(t, "the first is served", func() bool { return count(ctxs[0], t, d, "done_at IS NOT NULL") == 1 })
	s.change(edition.Change{Added: both[1:]}, both)
	wait.Until(t, "the new one is served", func() bool { return count(ctxs[1], t, d, "done_at IS NOT NULL") == 1 })
	s.change(edition.Change{Removed: both[:1]}, both[1:])
	tell(ctxs[0], t, d, 2)
	tell(ctxs[1], t, d, 2)
	wait.Until(t, "the other goes on", func() bool { return count(ctxs[1], t, d, "done_at IS NOT NULL") == 2 })
	if n := count(ctxs[0], t, d, "done_at IS NOT NULL"); n != 1 {
		t.Errorf("a removed edition is served: %d", n)
	}
}

func TestRunningJobsEndBeforeTheWorkerDoes(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*shelf){
		"of an edition":        func(*shelf) {},
		"of a removed edition": func(s *shelf) { s.change(edition.Change{Removed: s.All()}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			begun := make(chan struct{})
			s := shelve(t, ctx)
			w, err := New(d, s, listening(func(ctx context.Context, _ event.Entitlement) error {
				close(begun)
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(200 * time.Millisecond):
					return nil
				}
			}), quick(startRedis(t).URL()))
			stop := run(t, w, err)
			tell(ctx, t, d, 1)
			<-begun
			before(s)
			stop()
			if n := count(ctx, t, d, "done_at IS NOT NULL"); n != 1 {
				t.Error("the job was cut off")
			}
		})
	}
}

func TestTheClockMakesRowsDue(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	var l ledger
	w, err := New(d, shelve(t, ctx), listening(l.note), quick(startRedis(t).URL()))
	var ticks atomic.Int64
	w.Every("test.tick", time.Hour, func(context.Context) error { ticks.Add(1); return nil })
	run(t, w, err)
	if err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		return outbox.Later(ctx, tx, event.EntitlementChanged, event.Entitlement{ReaderID: 1}, tx.Now.Add(72*time.Hour))
	}); err != nil {
		t.Fatal(err)
	}
	tell(ctx, t, d, 2)
	wait.Until(t, "what is due is done", func() bool {
		return count(ctx, t, d, "done_at IS NOT NULL") == 1 && ticks.Load() == 1
	})
	testkit.Clock(d).Advance(71 * time.Hour)
	if err := w.RunDueNow(ctx); err != nil {
		t.Fatal(err)
	}
	if n := ticks.Load(); n != 2 {
		t.Errorf("%d ticks", n)
	}
	time.Sleep(100 * time.Millisecond)
	if n := count(ctx, t, d, "enqueued_at IS NULL"); n != 1 {
		t.Errorf("%d rows wait an hour before their time", n)
	}
	testkit.Clock(d).Advance(time.Hour)
	if err := w.RunDueNow(ctx); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the later row is done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 2 })
}
