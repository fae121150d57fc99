// Package outgoing lets calls to other houses' servers pause when one fails time after time: who waits for it would
// only keep a reader waiting, and a worker and a connection busy.
package outgoing

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"
)

const (
	failures = 5                // in a row, after which calls pause
	pause    = 10 * time.Second // after which one call is tried
)

// ErrPaused is that a call was not made: the ones before it failed, and not long ago.
var ErrPaused = errors.New("outgoing: calls pause, the server has failed time after time")

// Lines are the servers that are called, by name. The zero value is ready for use.
type Lines struct {
	Log *slog.Logger // nil discards

	mu    sync.Mutex
	lines map[string]*Line
}

// Line is one server.
type Line struct {
	breaker *gobreaker.CircuitBreaker[struct{}]
}

// To returns the line of a name, the same for all who ask; a nil Lines has a new one for each.
func (l *Lines) To(name string) *Line {
	if l == nil {
		return newLine(name, nil)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == nil {
		l.lines = map[string]*Line{}
	}
	if l.lines[name] == nil {
		l.lines[name] = newLine(name, l.Log)
	}
	return l.lines[name]
}

// Paused tells of each line whether its calls pause.
func (l *Lines) Paused() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	paused := make(map[string]bool, len(l.lines))
	for name, line := range l.lines {
		paused[name] = line.breaker.State() == gobreaker.StateOpen
	}
	return paused
}

func newLine(name string, log *slog.Logger) *Line {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Line{gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name: name, Timeout: pause,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= failures },
		IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) }, // who asked has left
		OnStateChange: func(_ string, _, to gobreaker.State) {
			log.Warn("calls to a server", "to", name, "state", to.String())
		},
	})}
}

// Do makes a call, unless calls pause. ill tells of its error whether it says that the server is not well; other
// errors, and nil, say that it is.
func (l *Line) Do(call func() error, ill func(error) bool) error {
	var answer error
	_, err := l.breaker.Execute(func() (struct{}, error) {
		if answer = call(); answer != nil && ill(answer) {
			return struct{}{}, answer
		}
		return struct{}{}, nil
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return ErrPaused
	}
	return answer
}

// errServer is an answer that says that the server is not well.
var errServer = errors.New("outgoing: the server has failed")

// Client is a client of HTTP for the line, which waits so long for an answer. What does not come, or has a status from
// 500 on, is a failure.
func (l *Line) Client(patience time.Duration) *http.Client {
	return &http.Client{Timeout: patience, Transport: transport{l, http.DefaultTransport}}
}

type transport struct {
	line *Line
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	err = t.line.Do(func() (err error) {
		res, err = t.next.RoundTrip(r) //nolint:bodyclose // the caller's
		if err == nil && res.StatusCode >= http.StatusInternalServerError {
			return errServer
		}
		return err
	}, func(error) bool { return true })
	if errors.Is(err, errServer) {
		return res, nil
	}
	return res, err
}
