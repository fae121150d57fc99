package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// Who goes before the answer has come is no failure for operators to look at; work that somebody else has broken off is
// one.
func TestWhoLeavesIsNoFailure(t *testing.T) { // not parallel: it reads the log of all
	var said bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil)))
	defer slog.SetDefault(before)

	e := site(t)
	e.GET("/", Do(func(*gin.Context) error { return fmt.Errorf("asking the database: %w", context.Canceled) }))
	for _, c := range []struct {
		left   bool
		status int
		logged bool
	}{{true, statusLeft, false}, {false, http.StatusInternalServerError, true}} {
		said.Reset()
		ctx, leave := context.WithCancel(t.Context())
		if c.left {
			leave()
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
		leave()
		if w.Code != c.status || strings.Contains(said.String(), "request failed") != c.logged {
			t.Errorf("left %t: %d, want %d; the log says %q", c.left, w.Code, c.status, said.String())
		}
	}
}
