package breaker

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// server answers as its state says, and counts.
type server struct {
	status int // 0: none
	err    error
	called int
}

func (s *server) RoundTrip(*http.Request) (*http.Response, error) {
	s.called++
	if s.status == 0 {
		return nil, s.err
	}
	return &http.Response{StatusCode: s.status, Body: io.NopCloser(strings.NewReader(""))}, nil
}

func TestCallsPause(t *testing.T) {
	t.Parallel()
	away := errors.New("no route to host")
	for name, c := range map[string]struct {
		status int
		err    error
		pauses bool
	}{
		"no answer":           {err: away, pauses: true},
		"too late an answer":  {err: context.DeadlineExceeded, pauses: true},
		"it has failed":       {status: http.StatusBadGateway, pauses: true},
		"the caller has left": {err: context.Canceled},
		"it says no":          {status: http.StatusPaymentRequired},
		"it has enough":       {status: http.StatusTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				set := &Set{}
				s := &server{status: c.status, err: c.err}
				ask := func() (int, error) {
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://provider.example/", nil)
					if err != nil {
						t.Fatal(err)
					}
					res, err := transport{set.To("provider"), s}.RoundTrip(r)
					if res == nil {
						return 0, err
					}
					return res.StatusCode, errors.Join(err, res.Body.Close())
				}
				for i := range failures {
					if status, err := ask(); status != c.status || !errors.Is(err, c.err) {
						t.Fatalf("call %d: %d %v", i+1, status, err)
					}
				}
				if set.Paused()["provider"] != c.pauses {
					t.Errorf("paused: %v", set.Paused())
				}
				if _, err := ask(); errors.Is(err, ErrPaused) != c.pauses || (s.called == failures) != c.pauses {
					t.Fatalf("after %d failures: %v, %d calls", failures, err, s.called)
				}
				if !c.pauses {
					return
				}
				other := &server{status: http.StatusOK}
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://register.example/", nil)
				if res, err := (transport{set.To("register"), other}).RoundTrip(r); err != nil || res.Body.Close() != nil {
					t.Errorf("another server pays for it: %v", err)
				}
				time.Sleep(pause + time.Second)
				if _, err := ask(); errors.Is(err, ErrPaused) {
					t.Error("it is not tried again")
				}
				if _, err := ask(); !errors.Is(err, ErrPaused) {
					t.Errorf("one failed try opens the line: %v", err)
				}
				time.Sleep(pause + time.Second)
				s.status = http.StatusOK
				for range failures {
					if status, err := ask(); status != http.StatusOK || err != nil {
						t.Errorf("it is well: %d %v", status, err)
					}
				}
				if set.Paused()["provider"] {
					t.Error("it is well, and said to pause")
				}
			})
		})
	}
}

func TestFailuresInARow(t *testing.T) {
	t.Parallel()
	set := &Set{}
	s := &server{}
	for i := range 4 * failures {
		s.status = http.StatusInternalServerError
		if i%failures == failures-1 {
			s.status = http.StatusOK
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://provider.example/", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := transport{set.To("provider"), s}.RoundTrip(r)
		if err != nil || res.Body.Close() != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
	}
}
