package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// A proxy overwrites or extends X-Forwarded-For, and passes on any other header as a reader has sent it.
func TestOnlyForwardedForNamesTheClient(t *testing.T) {
	p := startApp(t)
	said := captureLog(t)
	behind := func(trusted ...string) (*App, http.Handler) {
		a, cfg := *p.app, *p.app.cfg
		cfg.Web.TrustedProxies = trusted
		a.cfg, a.metrics = &cfg, newMetrics(&a)
		h, err := a.handler()
		if err != nil {
			t.Fatal(err)
		}
		return &a, h
	}
	from := func(header string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, p.browser("standard").origin+"/robots.txt", nil)
		r.RemoteAddr = "127.0.0.1:4711"
		r.Header.Set(header, "203.0.113.7")
		return r
	}
	a, h := behind("127.0.0.1")
	for header, want := range map[string]string{"X-Forwarded-For": "203.0.113.7", "X-Real-IP": "127.0.0.1"} {
		c := gin.CreateTestContextOnly(httptest.NewRecorder(), a.engine)
		c.Request = from(header)
		if ip := c.ClientIP(); ip != want {
			t.Errorf("%s: the client is %s, want %s", header, ip, want)
		}
	}
	h.ServeHTTP(httptest.NewRecorder(), from("X-Forwarded-For"))
	if strings.Contains(said(), "not trusted") {
		t.Errorf("a proxy that is trusted: %s", said())
	}
	_, h = behind()
	h.ServeHTTP(httptest.NewRecorder(), from("X-Forwarded-For"))
	if !strings.Contains(said(), "BROADSHEET_WEB_TRUSTED_PROXIES") {
		t.Errorf("a proxy that is not trusted: %s", said())
	}
}
