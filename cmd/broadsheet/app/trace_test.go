package app

import (
	"bytes"
	"net/http"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/collector"
	"example.org/broadsheet/platform/testkit/wait"
)

// traceGoroutines counts the goroutines of the OpenTelemetry SDK.
func traceGoroutines(t *testing.T) int {
	t.Helper()
	var all bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&all, 2); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, stack := range strings.Split(all.String(), "\n\n") {
		if strings.Contains(stack, "go.opentelemetry.io/") {
			n++
		}
	}
	return n
}

// text is an attribute of a span as text, "" where it has none.
func text(s *tracepb.Span, name string) string {
	return collector.Attribute(s.Attributes, name).GetStringValue()
}

// A collector gets the spans of a page, of a login and of a purchase, with the queries, the email and the calls to the
// payment provider below them; nothing in them names a person or opens anything. Without a collector there is nothing.
func TestRequestsAndJobsAreTraced(t *testing.T) {
	const id, address = "standard", "traced.reader@example.org"
	off := startApp(t)
	if off.app.tracer != nil {
		t.Error("there is a tracer, and nobody asked for one")
	}
	if r := off.browser(id).get("/"); r.Status != http.StatusOK {
		t.Fatal(r.Status)
	}
	if n := traceGoroutines(t); n != 0 {
		t.Errorf("%d goroutines of tracing, want none", n)
	}
	off.stop()

	traces := collector.Start(t)
	p := startAppWith(t, func(cfg *config.Config) { cfg.Tracing.Endpoint = traces.URL })
	if n := traceGoroutines(t); n == 0 {
		t.Error("no goroutine of tracing, want the exporter's")
	}
	p.publish(2, true)
	ed, _ := p.app.registry.Get(id)
	b := p.browser(id)
	path := p.firstArticle(t, b, id)
	first := b.get(path)
	b.get(path) // has it remembered
	again := b.get(path)
	if again.Header.Get("X-Cache") != "hit" {
		t.Fatalf("%s: not from memory: %s", path, again.Header.Get("X-Cache"))
	}
	asked := time.Now()
	p.signIn(b, address)
	code := p.mailWithCode(address, asked).Code
	buy(t, b)
	wait.Until(t, "access", func() bool { return subscribed(b) })
	last := b.get("/")
	p.stop() // sends what waits
	spans := traces.Spans()
	spanOf(t, spans, last)
	if got := traces.Services(); !slices.Equal(got, []string{"broadsheet-dev"}) {
		t.Errorf("spans of %v", got)
	}

	template := "GET " + ed.Routes.Path(edition.Article)
	for name, r := range map[string]response{"made": first, "from memory": again} {
		s := spanOf(t, spans, r)
		if s.Name != template || text(s, "http.route") != ed.Routes.Path(edition.Article) ||
			text(s, "broadsheet.edition") != id ||
			collector.Attribute(s.Attributes, "http.response.status_code").GetIntValue() != http.StatusOK ||
			s.Kind != tracepb.Span_SPAN_KIND_SERVER || len(s.ParentSpanId) != 0 {
			t.Errorf("%s: got %s", name, s)
		}
	}
	queries := 0
	for _, s := range children(spans, spanOf(t, spans, first)) {
		if text(s, "db.system.name") == "" {
			continue
		}
		queries++
		if text(s, "db.namespace") != edition.SchemaOf(id) {
			t.Errorf("a query of %s in %q", id, text(s, "db.namespace"))
		}
		if q := text(s, "db.query.text"); !strings.Contains(q, " ") && !slices.Contains([]string{"BEGIN", "COMMIT"}, q) {
			t.Errorf("a query %q", q)
		}
	}
	if queries == 0 {
		t.Errorf("no query below %s", template)
	}
	if s := spanOf(t, spans, again); len(children(spans, s)) != 0 {
		t.Errorf("%v below a page from memory", children(spans, s))
	}
	mail := spansNamed(spans, "job identity.login_requested")
	if len(mail) == 0 || len(below(spans, mail[0], "SMTP")) != 1 || text(mail[0], "broadsheet.edition") != id {
		t.Errorf("the job of the login email: %v", mail)
	}
	calls := spansNamed(spans, "POST payment provider")
	if len(calls) == 0 || !slices.ContainsFunc(calls, func(s *tracepb.Span) bool {
		return text(s, "url.template") == "/v1/checkout/sessions" && len(s.ParentSpanId) > 0
	}) {
		t.Errorf("no checkout was made: %v", calls)
	}
	if len(spansNamed(spans, "COMMIT")) == 0 || len(spansNamed(spans, "periodic retention")) == 0 {
		t.Error("no COMMIT, or no periodic job")
	}
	for _, s := range spans {
		for _, secret := range []string{"traced.reader", code, "payer@", "4242", path} {
			if said := words(s); strings.Contains(said, secret) {
				t.Errorf("%q in %q", secret, said)
			}
		}
	}
}

// spanOf finds the span of a request by the id that its answer has.
func spanOf(t *testing.T, spans []*tracepb.Span, r response) *tracepb.Span {
	t.Helper()
	for _, s := range spans {
		if id := text(s, "broadsheet.request_id"); id != "" && id == r.Header.Get("X-Request-Id") {
			return s
		}
	}
	t.Fatalf("no span of request %s among %d", r.Header.Get("X-Request-Id"), len(spans))
	return nil
}

// words are all texts of a span but the id of its request.
func words(s *tracepb.Span) string {
	all := []string{s.Name, s.Status.GetMessage()}
	lists := [][]*commonpb.KeyValue{s.Attributes}
	for _, e := range s.Events {
		all, lists = append(all, e.Name), append(lists, e.Attributes)
	}
	for _, list := range lists {
		for _, a := range list {
			if a.Key != "broadsheet.request_id" {
				all = append(all, a.Value.GetStringValue())
			}
		}
	}
	return strings.Join(all, "\n")
}

func spansNamed(spans []*tracepb.Span, name string) (list []*tracepb.Span) {
	for _, s := range spans {
		if s.Name == name {
			list = append(list, s)
		}
	}
	return list
}

func children(spans []*tracepb.Span, of *tracepb.Span) (list []*tracepb.Span) {
	for _, s := range spans {
		if bytes.Equal(s.ParentSpanId, of.SpanId) && bytes.Equal(s.TraceId, of.TraceId) {
			list = append(list, s)
		}
	}
	return list
}

func below(spans []*tracepb.Span, of *tracepb.Span, name string) []*tracepb.Span {
	return spansNamed(children(spans, of), name)
}
