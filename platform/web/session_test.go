package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit/wait"
)

// While sessions cannot be looked up, what lies in memory is given to their readers as to visitors, soon; the look
// goes on, so that the next request finds the session. Whatever else is asked for waits longer, and a session that is
// not known opens nothing.
func TestSessionsThatTakeLong(t *testing.T) {
	t.Parallel()
	known := make(chan struct{})
	authenticate := func(ctx context.Context, token string) (session.Session, bool, error) {
		select {
		case <-known:
		case <-ctx.Done():
			return session.Session{ID: 1, ReaderID: 7}, true, ctx.Err() // no look that failed opens anything
		}
		if token == "panics" {
			panic("no")
		}
		return session.Session{ID: 1, ReaderID: 7}, token == "good", nil
	}
	e := site(t, Cookies{}.Sessions(authenticate, func(c *gin.Context) bool { return c.Request.URL.Path == "/at-hand" }))
	for _, path := range []string{"/at-hand", "/call"} {
		e.Any(path, func(c *gin.Context) { c.JSON(http.StatusOK, session.ReaderID(c.Request.Context())) })
	}
	ask := func(method, path, token string) (*httptest.ResponseRecorder, time.Duration) {
		r := httptest.NewRequest(method, path, nil)
		r.AddCookie(&http.Cookie{Name: "session", Value: token})
		w, began := httptest.NewRecorder(), time.Now()
		e.ServeHTTP(w, r)
		return w, time.Since(began)
	}
	if w, took := ask(http.MethodGet, "/at-hand", "good"); w.Code != http.StatusOK || w.Body.String() != "0" ||
		took < sessionHurry || took > sessionPatience {
		t.Errorf("at hand: %d %s after %s", w.Code, w.Body, took)
	}
	if w, took := ask(http.MethodGet, "/call", "good"); w.Code != http.StatusOK || w.Body.String() != "0" ||
		took < sessionPatience {
		t.Errorf("a call: %d %s after %s", w.Code, w.Body, took)
	}
	if w, _ := ask(http.MethodPost, "/at-hand", "good"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a change: %d %s", w.Code, w.Body)
	}
	close(known)
	for token, want := range map[string]string{"good": "7", "unknown": "0", "panics": "0"} {
		if w, _ := ask(http.MethodGet, "/at-hand", token); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %s", token, w.Code, w.Body)
		}
	}
}

// Where looking takes long as a rule, a reader is waited for: a subscriber must not be shown what is locked because the
// database is far away.
func TestSessionsOfASlowDatabase(t *testing.T) {
	t.Parallel()
	l := lookUps{authenticate: func(context.Context, string) (session.Session, bool, error) {
		time.Sleep(sessionHurry + 200*time.Millisecond)
		return session.Session{ReaderID: 7}, true, nil
	}}
	atHand := func() bool { return true }
	if _, _, err := l.look(t.Context(), "x", atHand); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the first: %v", err)
	}
	wait.Until(t, "the first has taken its time", func() bool { return l.usual.Load() != 0 })
	if s, ok, err := l.look(t.Context(), "x", atHand); s.ReaderID != 7 || !ok || err != nil {
		t.Errorf("the second: %+v %t %v", s, ok, err)
	}
}
