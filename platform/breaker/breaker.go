// Package breaker pauses calls to an external server that fails time after time: waiting for it would only delay a
// reader and hold a worker and a connection.
package breaker

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"example.org/broadsheet/platform/trace"
)

const (
	failures = 5                // in a row, after which calls pause
	pause    = 10 * time.Second // after which one call is tried, unless a Set has another
)

// ErrPaused means that a call was not made, because the ones just before it failed.
var ErrPaused = errors.New("breaker: calls pause, the server has failed time after time")

// ServerError is the error of a call that a server failed, or that was not made because its calls pause.
type ServerError struct {
	Server string    // name of its breaker
	Began  time.Time // when the call was to be made
	Err    error
}

// Error implements error.
func (e *ServerError) Error() string { return e.Err.Error() }

// Unwrap returns the error without the name.
func (e *ServerError) Unwrap() error { return e.Err }

// Set holds a breaker for each server by name. The zero value is ready for use.
type Set struct {
	Log   *slog.Logger  // nil discards
	Pause time.Duration // until one call is tried; 0 is ten seconds
	// OnRecovery is called with the name of a server when a call succeeds after a pause; nil for nothing. It must return
	// at once, and call no breaker.
	OnRecovery func(server string)

	mu       sync.Mutex
	breakers map[string]*Breaker
}

// Breaker guards the calls to one server.
type Breaker struct {
	name    string
	circuit *gobreaker.CircuitBreaker[struct{}]
}

// To returns the breaker of a name, the same for every caller; a nil Set returns a new one each time.
func (s *Set) To(name string) *Breaker {
	if s == nil {
		return (&Set{}).newBreaker(name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.breakers == nil {
		s.breakers = map[string]*Breaker{}
	}
	if s.breakers[name] == nil {
		s.breakers[name] = s.newBreaker(name)
	}
	return s.breakers[name]
}

// Paused reports for each breaker whether its calls pause.
func (s *Set) Paused() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	paused := make(map[string]bool, len(s.breakers))
	for name, b := range s.breakers {
		paused[name] = b.circuit.State() == gobreaker.StateOpen
	}
	return paused
}

func (s *Set) newBreaker(name string) *Breaker {
	log := s.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Breaker{name, gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name: name, Timeout: cmp.Or(s.Pause, pause),
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= failures },
		IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) }, // the caller has left
		OnStateChange: func(_ string, _, to gobreaker.State) {
			log.Warn("circuit breaker changed", "server", name, "state", to.String())
			if to == gobreaker.StateClosed && s.OnRecovery != nil {
				s.OnRecovery(name)
			}
		},
	})}
}

// Do makes a call, or returns ErrPaused while calls pause. failed reports whether the call's error is a failure of the
// server; other errors, and nil, count as success. ErrPaused and failures of the server are wrapped in a ServerError.
func (b *Breaker) Do(call func() error, failed func(error) bool) error {
	began := time.Now()
	answer, err := b.try(call, failed)
	if err != nil {
		return &ServerError{b.name, began, err}
	}
	return answer
}

// try makes a call and returns its error, and ErrPaused or the error again if it is the server's.
func (b *Breaker) try(call func() error, failed func(error) bool) (answer, ofServer error) {
	_, err := b.circuit.Execute(func() (struct{}, error) {
		if answer = call(); answer != nil && failed(answer) {
			return struct{}{}, answer
		}
		return struct{}{}, nil
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return ErrPaused, ErrPaused
	}
	return answer, err
}

// errServer stands for an answer with a status from 500 on.
var errServer = errors.New("breaker: the server has failed")

// Client returns an HTTP client that waits at most for the given time. A timeout and a status from 500 on are failures.
func (b *Breaker) Client(patience time.Duration) *http.Client {
	return &http.Client{Timeout: patience, Transport: b.Transport(http.DefaultTransport)}
}

// Transport guards and traces the requests of a client that has limits of its own. That there is no answer, and a
// status from 500 on, are failures.
func (b *Breaker) Transport(next http.RoundTripper) http.RoundTripper {
	return trace.Transport(b.name, transport{b, next})
}

type transport struct {
	breaker *Breaker
	next    http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	err, _ = t.breaker.try(func() (err error) {
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
