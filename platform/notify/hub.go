package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

const (
	// defaultQuiet is how long the connection goes unasked whether it lives, however much it hears: a broken network is
	// silent too, and the server ends sessions that say nothing. Until that is noticed, copies are not told to go: who
	// has just paid can be refused.
	defaultQuiet = 10 * time.Second
	answersIn    = 5 * time.Second
	firstBackoff = 100 * time.Millisecond
	longBackoff  = 10 * time.Second
)

// Hub hands the server's notices to whoever asked for their topic.
type Hub struct {
	config func() *pgx.ConnConfig
	quiet  time.Duration
	log    *slog.Logger

	mu         sync.Mutex
	topics     map[string][]*listener
	resets     []*listener
	connection int // counts them, so that a slow reset of an old one does not speak for the present one
	connected  bool
	running    sync.WaitGroup
}

// NewHub makes a hub that is silent until Listen runs.
func NewHub(d *db.DB, log *slog.Logger) *Hub {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Hub{config: d.ListenConfig, quiet: defaultQuiet, log: log, topics: map[string][]*listener{}}
}

// On calls fn for every notice of a topic, in their order, one at a time. It waits for no other listener, and none
// waits for it.
func (h *Hub) On(topic string, fn func(Message)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics[topic] = append(h.topics[topic], &listener{fn: fn, running: &h.running})
}

// OnReset calls fn whenever a connection starts, because earlier notices may have been missed. It waits for no other
// listener.
func (h *Hub) OnReset(fn func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resets = append(h.resets, &listener{fn: func(Message) { fn() }, running: &h.running})
}

// Follow reloads the registry when it has changed.
func (h *Hub) Follow(ctx context.Context, r *edition.Registry) {
	reload := func() {
		if err := r.Load(ctx); err != nil && ctx.Err() == nil {
			h.log.ErrorContext(ctx, "the registry cannot be reloaded", "error", err)
		}
	}
	h.On(Editions, func(Message) { reload() })
	h.OnReset(reload)
}

// Connected reports whether notices arrive at present and the functions of OnReset have run.
func (h *Hub) Connected() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.connected
}

// Listen receives notices until ctx ends, on a connection of its own that it renews when it breaks. No listener runs
// after it has returned.
func (h *Hub) Listen(ctx context.Context) {
	defer h.drain()
	wait := firstBackoff
	for ctx.Err() == nil {
		began := time.Now()
		err := h.session(ctx)
		h.disconnect()
		if ctx.Err() != nil {
			return
		}
		h.log.WarnContext(ctx, "not listening to the database", "error", err)
		if time.Since(began) > longBackoff {
			wait = firstBackoff
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		wait = min(2*wait, longBackoff)
	}
}

// session listens on one connection until that breaks.
func (h *Hub) session(ctx context.Context) (err error) {
	conn, err := pgx.ConnectConfig(ctx, h.config())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it is broken or no longer wanted
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{Channel}.Sanitize()); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	h.reset()
	for asked := time.Now(); ; {
		wait, cancel := context.WithDeadline(ctx, asked.Add(h.quiet))
		n, err := conn.WaitForNotification(wait)
		silent := wait.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
			h.deliver(n.Payload)
		case silent && !conn.IsClosed():
			if err := h.ping(ctx, conn); err != nil {
				return err
			}
			asked = time.Now()
		default:
			return err
		}
	}
}

func (h *Hub) ping(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, answersIn)
	defer cancel()
	return conn.Ping(ctx)
}

func (h *Hub) deliver(payload string) {
	var m Message
	if err := json.Unmarshal([]byte(payload), &m); err != nil || m.Topic == "" {
		h.log.Warn("a notice that cannot be read", "payload", payload, "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.topics[m.Topic] {
		l.add(m, nil)
	}
}

// reset starts the functions of OnReset for a new connection, which counts as connected when all have run.
func (h *Hub) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.connection++
	this, left := h.connection, len(h.resets)
	h.connected = left == 0
	for _, l := range h.resets {
		l.add(Message{}, func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			left--
			h.connected = h.connected || left == 0 && h.connection == this
		})
	}
}

func (h *Hub) disconnect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.connection++
	h.connected = false
}

// drain drops the notices that still wait, and returns when no listener runs.
func (h *Hub) drain() {
	h.mu.Lock()
	for _, list := range h.topics {
		for _, l := range list {
			l.drop()
		}
	}
	for _, l := range h.resets {
		l.drop()
	}
	h.mu.Unlock()
	h.running.Wait()
}
