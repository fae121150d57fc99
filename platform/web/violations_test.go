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

func reports(t *testing.T) (send func(body string) int, log *bytes.Buffer) {
	t.Helper()
	log = &bytes.Buffer{}
	e := site(t)
	e.POST(ViolationsPath, Violations(slog.New(slog.NewTextHandler(log, nil))))
	return func(body string) int {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodPost, ViolationsPath, strings.NewReader(body)))
		return w.Code
	}, log
}

// Both kinds of reports say on which page what was refused, and nothing of who read it or of a link that signs in.
func TestViolationsAreLogged(t *testing.T) {
	t.Parallel()
	send, log := reports(t)
	for name, c := range map[string]struct{ body, want string }{
		"report-uri": {
			`{"csp-report":{"document-uri":"https://sk.test/17/a?user_hash=SECRET","effective-directive":"img-src",` +
				`"blocked-uri":"https://tracker.example/p?id=SECRET"}}`,
			"path=/17/a directive=img-src blocked=https://tracker.example\n",
		},
		"report-to": {
			`[{"type":"csp-violation","body":{"documentURL":"https://sk.test/security-check%23hash=SECRET",` +
				`"effectiveDirective":"script-src-elem","blockedURL":"inline"}},` +
				`{"type":"deprecation","body":{"documentURL":"https://sk.test/SECRET"}}]`,
			"directive=script-src-elem blocked=inline\n",
		},
		"one that is none": {`{"x":1}`, ""},
		"no JSON":          {`SECRET`, ""},
		"one that is large": {`{"csp-report":{"document-uri":"https://sk.test/SECRET","x":"` +
			strings.Repeat("a", violationBody) + `"}}`, ""},
		"one with a newline": {`{"csp-report":{"document-uri":"https://sk.test/a\nlevel=ERROR","effective-directive":"` +
			strings.Repeat("d", 500) + `"}}`, ""},
	} {
		log.Reset()
		if code := send(c.body); code != http.StatusNoContent {
			t.Errorf("%s: %d", name, code)
		}
		if got := log.String(); !strings.Contains(got, c.want) || strings.Contains(got, "SECRET") ||
			strings.Count(got, "\n") > 1 || len(got) > 500 {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestViolationsDoNotFillTheLog(t *testing.T) {
	t.Parallel()
	send, log := reports(t)
	for i := range 5 * violationsOnce {
		send(fmt.Sprintf(`[%[1]s,%[1]s]`,
			fmt.Sprintf(`{"type":"csp-violation","body":{"documentURL":"https://sk.test/%d"}}`, i)))
	}
	if n := strings.Count(log.String(), "\n"); n < violationsOnce || n > violationsOnce+2 {
		t.Errorf("%d lines", n)
	}
}

// What is ours is for our pages alone; what others may show says so. A policy tells where to report what it refuses.
func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	e := site(t, NewPolicy(true, "https://pay.example").Security)
	nothing := func(c *gin.Context) { c.Status(http.StatusNoContent) }
	e.GET("/page", nothing)
	e.Group("/", ForAll).GET("/picture", nothing)
	for path, want := range map[string]string{"/page": "same-origin", "/picture": "cross-origin"} {
		h := ask(e, http.MethodGet, path, browser).Header()
		if got := h.Get("Cross-Origin-Resource-Policy"); got != want {
			t.Errorf("%s: %q", path, got)
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "form-action 'self' https://pay.example; report-uri "+ViolationsPath+
			"; report-to csp") || !strings.Contains(policy, "; script-src 'self'; ") ||
			strings.Contains(policy, "%!") ||
			h.Get("Reporting-Endpoints") != `csp="`+ViolationsPath+`"` {
			t.Errorf("%s: %s, %s", path, policy, h.Get("Reporting-Endpoints"))
		}
		// An edition's host may be a domain whose other hosts are not the paper's, and have no certificate.
		if got, want := h.Get("Strict-Transport-Security"), "max-age=31536000"; got != want {
			t.Errorf("%s: Strict-Transport-Security %q, want %q", path, got, want)
		}
	}
}
