package render

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Renderer is a pool of runtimes that hold the bundle; safe for concurrent use.
type Renderer struct {
	cfg      Config
	start    func() (engine, error)
	idle     chan *worker
	stop     chan struct{}
	editions editions
	breaker  breaker
	count    counters

	mu      sync.RWMutex
	closed  bool
	working sync.WaitGroup // renders and replacements under way
}

// worker is one runtime with what it has been told so far.
type worker struct {
	engine
	editions map[string]uint64 // version of each edition that the runtime holds
	renders  int
}

// New starts the runtimes; a bundle that does not load or does not keep the contract is an error.
func New(cfg Config) (*Renderer, error) {
	cfg.setDefaults()
	start, err := newQuickJS(cfg)
	if err != nil {
		return nil, err
	}
	r := &Renderer{
		cfg:     cfg,
		start:   start,
		idle:    make(chan *worker, cfg.Size),
		stop:    make(chan struct{}),
		breaker: breaker{now: cfg.Now, trips: map[route]*trip{}},
	}
	for range cfg.Size {
		w, err := r.newWorker()
		if err != nil {
			r.Close()
			return nil, err
		}
		r.idle <- w
	}
	return r, nil
}

// Close ends the renderer: waiting callers get ErrClosed, running renders end first.
func (r *Renderer) Close() {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.closed = true
	close(r.stop)
	r.mu.Unlock()
	r.working.Wait()
	for {
		select {
		case w := <-r.idle:
			w.close()
		default:
			return
		}
	}
}

// begin counts a piece of work that Close has to wait for.
func (r *Renderer) begin() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		return false
	}
	r.working.Add(1)
	return true
}

func (r *Renderer) newWorker() (*worker, error) {
	e, err := r.start()
	if err != nil {
		return nil, err
	}
	return &worker{engine: e, editions: map[string]uint64{}}, nil
}

func (r *Renderer) acquire(ctx context.Context) (*worker, error) {
	select {
	case <-r.stop:
		return nil, ErrClosed
	case w := <-r.idle:
		return w, nil
	default:
	}
	r.count.waiting.Add(1)
	defer r.count.waiting.Add(-1)
	patience := time.NewTimer(r.cfg.QueueTimeout)
	defer patience.Stop()
	select {
	case w := <-r.idle:
		return w, nil
	case <-patience.C:
		r.count.busy.Add(1)
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.stop:
		return nil, ErrClosed
	}
}

// render runs one page on w and gives w back, or a successor where w cannot be trusted any more.
func (r *Renderer) render(ctx context.Context, w *worker, editionID string, pageJSON []byte) ([]byte, error) {
	began := time.Now()
	html, err := r.run(ctx, w, editionID, pageJSON)
	r.count.add(time.Since(began), err)

	// After an interrupt or an engine error React's module state may be half-way.
	var thrown *JSError
	sound := err == nil || errors.As(err, &thrown) || errors.Is(err, ErrUnknownEdition)
	if w.renders++; sound && w.renders < r.cfg.MaxRenders {
		r.idle <- w
	} else {
		r.replace(w)
	}
	return html, err
}

func (r *Renderer) run(ctx context.Context, w *worker, editionID string, pageJSON []byte) (_ []byte, err error) {
	caller := ctx
	until, hurried := caller.Deadline()
	deadline := time.Now().Add(r.cfg.Timeout)
	if hurried = hurried && until.Before(deadline); hurried {
		deadline = until
	}
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()

	// The engine forgets an interrupt that comes before the call; one that
	// comes after it would hit the next page. Hence the flag.
	var mu sync.Mutex
	running := true
	unhook := context.AfterFunc(ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		if running {
			w.interrupt()
		}
	})
	defer func() {
		unhook()
		mu.Lock()
		running = false
		mu.Unlock()
		if p := recover(); p != nil {
			err = fmt.Errorf("render: engine panic: %v", p)
		}
		// The engine's clock may strike a moment before the context's does.
		if errors.Is(err, errInterrupted) || err != nil && ctx.Err() != nil {
			err = stopped(caller, hurried)
		}
	}()

	w.limit(time.Until(deadline))
	if err := r.bringUpToDate(w, editionID); err != nil {
		return nil, err
	}
	w.limit(time.Until(deadline))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	html, err := w.renderPage(editionID, string(pageJSON))
	return []byte(html), err
}

// stopped says why a render ended early: the caller left, had less time than it takes, or it took too long.
func stopped(caller context.Context, hurried bool) error {
	switch {
	case errors.Is(caller.Err(), context.Canceled):
		return context.Canceled
	case hurried:
		return errors.Join(ErrTimeout, context.DeadlineExceeded)
	default:
		return ErrTimeout
	}
}

// bringUpToDate gives w the newest version of an edition.
func (r *Renderer) bringUpToDate(w *worker, id string) error {
	ed, ok := r.editions.get(id)
	if !ok {
		return ErrUnknownEdition
	}
	if w.editions[id] == ed.version {
		return nil
	}
	if err := w.setEdition(ed.json); err != nil {
		return fmt.Errorf("render: edition %s: %w", id, err)
	}
	w.editions[id] = ed.version
	return nil
}

// replace closes old and puts a new runtime in its place, in the background.
func (r *Renderer) replace(old *worker) {
	r.count.recycled.Add(1)
	// The caller is itself counted, so Close cannot have stopped waiting yet.
	r.working.Go(func() {
		old.close()
		for pause := 50 * time.Millisecond; ; pause = min(2*pause, 10*time.Second) {
			w, err := r.newWorker()
			if err == nil {
				r.idle <- w
				return
			}
			r.cfg.Log.Error("no new JavaScript runtime", "err", err, "retry_in", pause)
			select {
			case <-r.stop:
				return
			case <-time.After(pause):
			}
		}
	})
}
