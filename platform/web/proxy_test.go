package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

func TestUntrustedProxiesAreNamedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e := gin.New()
	e.Use(UntrustedProxies([]string{"10.1.0.0/16", "192.0.2.7"}, slog.New(slog.NewTextHandler(&log, nil))))
	e.GET("/", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	ask := func(remote, forwarded string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = remote + ":4711"
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		e.ServeHTTP(httptest.NewRecorder(), r)
	}
	ask("127.0.0.1", "")
	ask("10.1.2.3", "203.0.113.1")
	ask("192.0.2.7", "203.0.113.1")
	if log.Len() > 0 {
		t.Errorf("without need: %s", &log)
	}
	for range 3 {
		ask("127.0.0.1", "203.0.113.1")
	}
	if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "address=127.0.0.1") ||
		!strings.Contains(said, "BROADSHEET_WEB_TRUSTED_PROXIES") {
		t.Errorf("log: %s", said)
	}
	for n := range 100 {
		ask(fmt.Sprintf("198.51.100.%d", n), "203.0.113.1")
	}
	if n := strings.Count(log.String(), "\n"); n != untrustedMost {
		t.Errorf("%d lines", n)
	}
}
