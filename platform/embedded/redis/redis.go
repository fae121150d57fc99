// Package redis runs an in-process Redis for development and tests. It keeps nothing: whatever is in it
// must be able to be lost.
package redis

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// tick is how late a key may expire: the server has no clock of its own.
const tick = 200 * time.Millisecond

// Server is a running Redis on a loopback port, behind a password.
type Server struct {
	redis    *miniredis.Miniredis
	password string
	log      *slog.Logger
	stop     chan struct{}
	ticking  sync.WaitGroup
	once     sync.Once
}

// Start starts a server on a free loopback port. log may be nil.
func Start(log *slog.Logger) (*Server, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Server{redis: miniredis.NewMiniRedis(), password: rand.Text(), log: log, stop: make(chan struct{})}
	s.redis.RequireAuth(s.password) // the port is open to every user of the machine
	if err := s.redis.Start(); err != nil {
		return nil, fmt.Errorf("embedded redis: %w", err)
	}
	s.ticking.Go(s.runClock)
	log.Info("redis ready", "addr", s.Addr())
	return s, nil
}

// runClock lets keys expire: without it a lock that was taken for a minute would be held for ever.
func (s *Server) runClock() {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for last := time.Now(); ; {
		select {
		case <-s.stop:
			return
		case <-ticker.C:
			now := time.Now()
			s.redis.FastForward(now.Sub(last))
			last = now
		}
	}
}

// Addr is the server's host:port.
func (s *Server) Addr() string { return s.redis.Addr() }

// Password is the one that clients have to give; it is new with every start.
func (s *Server) Password() string { return s.password }

// URL is address and password in one: redis://:password@host:port/0.
func (s *Server) URL() string {
	u := url.URL{Scheme: "redis", User: url.UserPassword("", s.password), Host: s.Addr(), Path: "/0"}
	return u.String()
}

// FlushAll empties the server, as a loss of Redis does.
func (s *Server) FlushAll() { s.redis.FlushAll() }

// Pause makes the server unreachable until Resume, for tests of an outage. What it holds stays.
func (s *Server) Pause() { s.redis.Close() }

// Resume ends a Pause on the same address.
func (s *Server) Resume() error { return s.redis.Restart() }

// Close stops the server and loses what it holds. It may be called again.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.stop)
		s.ticking.Wait()
		s.redis.Close()
	})
}
