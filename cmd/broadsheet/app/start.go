package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"example.org/broadsheet/platform/db"
)

// Pauses between the tries of a process that starts without a database: short for one that is starting as well, and
// never so long that its coming back goes unnoticed.
const (
	firstPause  = 250 * time.Millisecond
	longestWait = 5 * time.Second
)

// awaitDatabase runs a step of the start until the database lets it: after a reboot both may start at once, and a
// server without a free connection soon has one. What no waiting mends, such as a wrong password, ends the start.
func awaitDatabase(ctx context.Context, step func(context.Context) error) error {
	for pause := firstPause; ; pause = min(2*pause, longestWait) {
		err := step(ctx)
		if err == nil || ctx.Err() != nil || !errors.Is(db.Classify(err), db.ErrBusy) {
			return err
		}
		slog.WarnContext(ctx, "waiting for the database", "error", err, "again_in", pause)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// bounded gives a step an end, because a server may take a connection and say nothing.
func bounded(step func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, handlerTimeout)
		defer cancel()
		return step(ctx)
	}
}

// operators is the listener that says how a process is, from before it has what it needs until its work has ended.
type operators struct {
	server *http.Server // nil where no address is configured
	app    atomic.Pointer[http.Handler]
}

func openOperators(ctx context.Context, address string, hosts []string) (*operators, error) {
	o := &operators{}
	if address == "" {
		return o, nil
	}
	l, err := listenAfter(ctx, address)
	if err != nil {
		return nil, err
	}
	o.server = server(newOperatorHosts(address, hosts).guard(o))
	go func() {
		if err := o.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			slog.ErrorContext(ctx, "the operators' listener has ended", "error", err)
		}
	}()
	return o, nil
}

// listenAfter is listen for a process that takes the place of one that was told to stop: it waits until that one has
// ended.
func listenAfter(ctx context.Context, address string) (net.Listener, error) {
	for said := false; ; said = true {
		l, err := listen(ctx, address)
		if !errors.Is(err, syscall.EADDRINUSE) {
			return l, err
		}
		if !stoppingAt(ctx, address) {
			return listen(ctx, address) // it may have ended just now
		}
		if !said {
			slog.WarnContext(ctx, "waiting for the process that has the address to end", "address", address)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stoppingAt reports whether a process of the paper that was told to stop answers operators at an address.
func stoppingAt(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return false
	}
	r.Close = true
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return false
	}
	defer res.Body.Close() //nolint:errcheck // read as far as it matters
	var s readiness
	return json.NewDecoder(res.Body).Decode(&s) == nil && s.Stopping
}

// started hands over to an application that has all it needs.
func (o *operators) started(a *App) {
	h := a.adminHandler()
	o.app.Store(&h)
}

// ServeHTTP says that the process lives and is not ready, until it has started.
func (o *operators) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := o.app.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	if r.URL.Path == "/livez" {
		livez(w, r)
		return
	}
	if r.URL.Path == "/metrics" {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write([]byte("# TYPE broadsheet_ready gauge\nbroadsheet_ready 0\n"))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = json.NewEncoder(w).Encode(map[string]bool{"ready": false, "starting": true})
}

// Close ends the listener.
func (o *operators) Close() {
	if o.server != nil {
		_ = o.server.Close() // nobody's answer is worth waiting for
	}
}
