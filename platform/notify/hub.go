package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
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

	mu        sync.RWMutex
	topics    map[string][]func(Message)
	resets    []func()
	connected atomic.Bool
}

// NewHub makes a hub that is silent until Listen runs.
func NewHub(d *db.DB, log *slog.Logger) *Hub {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Hub{config: d.ListenConfig, quiet: defaultQuiet, log: log, topics: map[string][]func(Message){}}
}

// On calls fn for every notice of a topic, one after the other; fn must be quick.
func (h *Hub) On(topic string, fn func(Message)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics[topic] = append(h.topics[topic], fn)
}

// OnReset calls fn whenever a connection begins: what was told before may have been missed.
func (h *Hub) OnReset(fn func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resets = append(h.resets, fn)
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
func (h *Hub) Connected() bool { return h.connected.Load() }

// Listen receives notices until ctx ends, on a connection of its own that it renews when it breaks.
func (h *Hub) Listen(ctx context.Context) {
	wait := firstBackoff
	for ctx.Err() == nil {
		began := time.Now()
		err := h.session(ctx)
		h.connected.Store(false)
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
	h.mu.RLock()
	resets := h.resets
	h.mu.RUnlock()
	for _, fn := range resets {
		fn()
	}
	h.connected.Store(true)
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
	h.mu.RLock()
	list := h.topics[m.Topic]
	h.mu.RUnlock()
	for _, fn := range list {
		fn(m)
	}
}
