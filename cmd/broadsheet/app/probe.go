package app

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// staleAfter is how long the last answer of a slow database counts. Over a line of a few hundred
// milliseconds no question is answered within readyWithin, yet pages are made, and those in memory are given at once:
// to take every process out of service would be the outage.
const staleAfter = 5 * time.Second

// answers remembers when each part of the database has answered last, and asks each once at a time.
type answers struct {
	asking singleflight.Group
	mu     sync.Mutex
	last   map[string]time.Time
}

// probe asks in the background, for at most staleAfter. The channel gets the error, or nil when ctx ends first and the
// part has answered within staleAfter.
func (s *answers) probe(ctx context.Context, part string, ask func(context.Context) error) <-chan error {
	result := s.asking.DoChan(part, func() (any, error) {
		long, cancel := context.WithTimeout(context.WithoutCancel(ctx), staleAfter)
		defer cancel()
		err := ask(long)
		if err == nil {
			s.note(part)
		}
		return nil, err
	})
	in := make(chan error, 1)
	go func() {
		select {
		case r := <-result:
			in <- r.Err
		case <-ctx.Done():
			if s.answered(part) {
				in <- nil
				return
			}
			in <- ctx.Err()
		}
	}()
	return in
}

func (s *answers) note(part string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		s.last = map[string]time.Time{}
	}
	s.last[part] = time.Now()
}

func (s *answers) answered(part string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.last[part]
	return ok && time.Since(at) < staleAfter
}

// probe hands over what ask returns, or ctx's error when that comes first: not everything that hangs minds the context.
func probe(ctx context.Context, ask func(context.Context) error) <-chan error {
	result, in := make(chan error, 1), make(chan error, 1)
	go func() { result <- ask(ctx) }()
	go func() {
		select {
		case err := <-result:
			in <- err
		case <-ctx.Done():
			in <- ctx.Err()
		}
	}()
	return in
}
