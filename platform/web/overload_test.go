package web

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// site is an engine of one edition.
func site(t *testing.T, handlers ...gin.HandlerFunc) *gin.Engine {
	t.Helper()
	ed, err := edition.New(testkit.Document(0), testkit.Origin)
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.Use(Identify(func(*http.Request) bool {
		return false
	}, ClientIP(e)), Recover(), Editions(func(string) (*edition.Edition, bool) { return ed, true }))
	e.Use(handlers...)
	return e
}

func ask(e *gin.Engine, method, path, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

const (
	script  = "*/*"
	browser = "text/html,application/xhtml+xml,*/*;q=0.8"
)

// Who comes while all places are taken is told when to come again, a person in words; what is at hand is given all the
// same, and a place that is left is free.
func TestOverload(t *testing.T) {
	t.Parallel()
	e := site(t, NewRunning(2).InFlight(func(c *gin.Context) bool { return c.Request.URL.Path == "/at-hand" }))
	begun, end := make(chan struct{}), make(chan struct{})
	e.GET("/slow", func(c *gin.Context) { begun <- struct{}{}; <-end; c.Status(http.StatusNoContent) })
	for _, path := range []string{"/quick", "/at-hand"} {
		e.Match([]string{http.MethodGet, http.MethodPost}, path, func(c *gin.Context) { c.Status(http.StatusNoContent) })
	}
	done := make(chan int, 2)
	for range 2 {
		go func() { done <- ask(e, http.MethodGet, "/slow", script).Code }()
		<-begun
	}
	if w := ask(e, http.MethodGet, "/quick", script); w.Code != http.StatusServiceUnavailable ||
		w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"error":"OVERLOADED"`) {
		t.Errorf("a script is told %d %v %s", w.Code, w.Header(), w.Body)
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		w := ask(e, method, "/quick", browser)
		said := w.Body.String()
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") ||
			!strings.Contains(said, "priveľa čitateľov") || w.Header().Get("Cache-Control") != "private, no-store" ||
			strings.Contains(said, "OVERLOADED") {
			t.Errorf("a person is told %d %v %s", w.Code, w.Header(), said)
		}
		_, style, _ := strings.Cut(said, "<style>")
		style, _, _ = strings.Cut(style, "</style>")
		sum := sha256.Sum256([]byte(style))
		if policy := w.Header().Get("Content-Security-Policy"); style == "" ||
			!strings.Contains(policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") ||
			strings.Contains(policy, "script-src") {
			t.Errorf("the page's own style is not allowed, or scripts are: %s", policy)
		}
		if again := strings.Contains(said, `href="/quick"`); again != (method == http.MethodGet) {
			t.Errorf("%s is offered again: %t", method, again)
		}
	}
	if w := ask(e, http.MethodGet, "/at-hand", script); w.Code != http.StatusNoContent {
		t.Errorf("what is at hand is refused with %d", w.Code)
	}
	close(end)
	for range 2 {
		if code := <-done; code != http.StatusNoContent {
			t.Errorf("a request that had a place ended with %d", code)
		}
	}
	if w := ask(e, http.MethodGet, "/quick", script); w.Code != http.StatusNoContent {
		t.Errorf("the places are not free again: %d", w.Code)
	}
}

// A request that runs out of its time is answered: come again.
func TestDeadline(t *testing.T) {
	t.Parallel()
	e := site(t, Deadline(20*time.Millisecond))
	e.GET("/", Do(func(c *gin.Context) error {
		<-c.Request.Context().Done()
		return fmt.Errorf("reading: %w", context.Cause(c.Request.Context()))
	}))
	for accept, holds := range map[string]string{script: `"error":"OVERLOADED"`, browser: "<h1>"} {
		if w := ask(e, http.MethodGet, "/", accept); w.Code != http.StatusServiceUnavailable ||
			w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), holds) {
			t.Errorf("%s is told %d %v %s", accept, w.Code, w.Header(), w.Body)
		}
	}
}

// A body is there before anything waits for it: a slow one is refused after a while, one that is too large where it is
// read, and any other arrives whole, on a connection that goes on.
func TestBodiesAreReadFirst(t *testing.T) {
	t.Parallel()
	const patience = 100 * time.Millisecond
	e := site(t, Body(64, patience))
	e.POST("/", Do(func(c *gin.Context) error {
		time.Sleep(2 * patience) // the time of the body is not that of the answer
		var in struct{ Text string }
		if err := Bind(c, &in); err != nil {
			return err
		}
		if err := c.Request.Context().Err(); err != nil {
			return err
		}
		return OK(c, gin.H{"text": in.Text})
	}))
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	answers := bufio.NewReader(conn)
	for _, c := range []struct {
		name, body string
		length     int
		status     int
		says       string
	}{
		{"whole", `{"text": "all of it"}`, 21, http.StatusOK, "all of it"},
		{"again, on the same connection", `{"text": "and again"}`, 21, http.StatusOK, "and again"},
		{"slow", `{`, 21, http.StatusBadRequest, "INVALID_ARGS"},
	} {
		if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "+
			"%d\r\n\r\n%s", c.length, c.body); err != nil {
			t.Fatal(err)
		}
		if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		r, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		said, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err != nil || r.StatusCode != c.status || !strings.Contains(string(said), c.says) {
			t.Errorf("%s: %d %s %v", c.name, r.StatusCode, said, err)
		}
	}
	r, err := http.Post(s.URL, "application/json", strings.NewReader(`{"text": "`+strings.Repeat("x", 100)+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d %s", r.StatusCode, said)
	}
}
