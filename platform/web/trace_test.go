package web

import (
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"example.org/broadsheet/platform/testkit/collector"
	"example.org/broadsheet/platform/trace/otlp"
)

// A trace of somebody else is gone on with where a trusted proxy names it, recorded or not as that says, and nowhere
// else.
func TestTracesOfTrustedProxies(t *testing.T) {
	t.Parallel()
	const (
		caller   = "0123456789abcdef0123456789abcdef"
		recorded = "00-" + caller + "-0123456789abcdef-01"
		ignored  = "00-" + caller + "-0123456789abcdef-00"
	)
	for name, tc := range map[string]struct {
		header  string
		trusted bool
		spans   int
		joins   bool
	}{
		"trusted":              {recorded, true, 1, true},
		"trusted, not sampled": {ignored, true, 0, false},
		"not trusted":          {recorded, false, 1, false},
		"not trusted, ignored": {ignored, false, 1, false},
		"no header":            {"", true, 1, false},
		"nonsense":             {"00-" + caller, true, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			traces := collector.Start(t)
			tracer, err := otlp.Open(t.Context(), traces.URL, "test", slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			var lines strings.Builder
			record := NewRecord(prometheus.NewRegistry(), slog.New(slog.NewTextHandler(&lines, nil)), "all", tracer)
			e := gin.New()
			e.Use(record.Requests)
			h := record.Traced(e, func(*http.Request) bool { return tc.trusted })
			r := httptest.NewRequest("SECRET", "/", nil)
			if tc.header != "" {
				r.Header.Set("Traceparent", tc.header)
			}
			h.ServeHTTP(httptest.NewRecorder(), r)
			if err := tracer.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			spans := traces.Spans()
			if len(spans) != tc.spans {
				t.Fatalf("got %d spans, want %d", len(spans), tc.spans)
			}
			if tc.spans == 0 {
				if strings.Contains(lines.String(), "trace_id") {
					t.Errorf("a trace that nobody has, in %s", lines.String())
				}
				return
			}
			if id := hex.EncodeToString(spans[0].TraceId); !strings.Contains(lines.String(), " trace_id="+id+"\n") {
				t.Errorf("want trace %s in %s", id, lines.String())
			}
			if joins := hex.EncodeToString(spans[0].TraceId) == caller; joins != tc.joins {
				t.Errorf("trace %x: got %t, want %t", spans[0].TraceId, joins, tc.joins)
			}
			if spans[0].Name != "HTTP" {
				t.Errorf("named %q by its method", spans[0].Name)
			}
		})
	}
}

// Without a tracer nothing stands before the handler.
func TestNothingIsTracedByDefault(t *testing.T) {
	t.Parallel()
	record := NewRecord(prometheus.NewRegistry(), slog.New(slog.DiscardHandler), "all", nil)
	next := http.NewServeMux()
	if got := record.Traced(next, nil); got != http.Handler(next) {
		t.Errorf("got %T, want the handler itself", got)
	}
}
