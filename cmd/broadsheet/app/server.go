package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
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

// listen opens a listener and says what is wrong with the address otherwise.
func listen(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
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

// serveUntil serves until ctx ends, then lets running requests finish.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	s := server(h)
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(onewrite.Listener(l)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	drain(l)
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := s.Shutdown(stop); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("requests were cut off: %w", err)
	}
	return nil
}
