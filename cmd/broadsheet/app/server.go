package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"example.org/broadsheet/platform/onewrite"
)

// drainTimeout is how long running requests get when the process ends.
const drainTimeout = 15 * time.Second

// server is an http.Server that does not wait for slow senders.
func server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
		ConnContext:       onewrite.Context,
		ConnState:         onewrite.Idle,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
}

// listen opens a listener and says what is wrong with the address otherwise. It turns off multipath TCP, Go's default:
// Linux refuses the filter that drain needs on such a listener.
func listen(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
	lc.SetMultipathTCP(false)
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	return l, nil
}

// isStopping reports whether the process was told to stop.
func (a *App) isStopping() bool {
	select {
	case <-a.stopping:
		return true
	default:
		return false // also where nobody tells
	}
}

// closeConnections has clients and proxies close their connections once the process was told to stop, so that at its
// end none is open on which a request may be on its way.
func (a *App) closeConnections(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.isStopping() {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// firstRequestTime is how long a new connection gets at the end to send its request: net/http closes it without an
// answer if Shutdown begins before the request has been read.
const firstRequestTime = time.Second

// newConns are the connections of a server that have sent nothing so far.
type newConns struct{ sync.Map }

// watch is for http.Server's ConnState.
func (n *newConns) watch(c net.Conn, s http.ConnState) {
	if s == http.StateNew {
		n.Store(c, nil)
	} else {
		n.Delete(c)
	}
}

// wait returns once all of them have sent something, or their time is up. It looks twice, because one may have been
// accepted but not reported yet, and pauses after that: net/http checks for a shutdown just after it reports the state.
func (n *newConns) wait() {
	const pause = 10 * time.Millisecond
	began := time.Now()
	for calm := 0; calm < 2 && time.Since(began) < firstRequestTime; time.Sleep(pause) {
		calm++
		n.Range(func(any, any) bool { calm = 0; return false })
	}
}

// serveUntil serves until ctx ends, then lets running requests finish.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	var unsent newConns
	s := server(h)
	hook := s.ConnState
	s.ConnState = func(c net.Conn, state http.ConnState) {
		unsent.watch(c, state)
		hook(c, state)
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(onewrite.Listener(l)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	drain(l)
	unsent.wait()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := s.Shutdown(stop); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("requests were cut off: %w", err)
	}
	return nil
}
