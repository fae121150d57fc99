package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestOpenOperators_Host(t *testing.T) {
	t.Parallel()
	machine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	o, err := openOperators(t.Context(), "127.0.0.1:0", []string{"ops.example", "Metrics.Example."})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	var page http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	o.app.Store(&page)
	for host, want := range map[string]int{
		"127.0.0.1": 200, "127.0.0.1:9090": 200, "[::1]:9090": 200, "10.1.2.3:9090": 200, "localhost:9090": 200,
		"sk.localhost:8080": 200, machine: 200, strings.ToUpper(machine) + ":9090": 200, "ops.example": 200,
		"OPS.example:9090": 200, "ops.example.": 200, "metrics.example:1": 200,
		"evil.example": 421, "evil.example:9090": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421,
		"evil-localhost": 421, "xn--ops.example": 421, "ops.example.evil.example": 421, "": 421, "127.1.evil": 421,
	} {
		for path, health := range map[string]bool{
			"/status": false, "/metrics": false, "/debug/pprof/": false, "/status/jobs": false, "/": false, "/livez": true,
			"/readyz": true, "/readyz/../status": false,
		} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			w := httptest.NewRecorder()
			o.server.Handler.ServeHTTP(w, r)
			if status := map[bool]int{true: 200, false: want}[health]; w.Code != status {
				t.Errorf("%q, %s: got %d, want %d", host, path, w.Code, status)
			}
		}
	}
}
