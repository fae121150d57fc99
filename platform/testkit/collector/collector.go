// Package collector takes the traces that a test sends.
package collector

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector takes OpenTelemetry traces over OTLP/HTTP.
type Collector struct {
	URL string // endpoint, as the settings name it

	mu       sync.Mutex
	services []string
	spans    []*tracepb.Span
}

// Start starts a collector that ends with the test.
func Start(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := c.take(r); err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("a request that is no trace: %s %v", r.URL.Path, err)
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(s.Close)
	c.URL = s.URL
	return c
}

func (c *Collector) take(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	var sent collectorpb.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &sent); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range sent.ResourceSpans {
		c.services = append(c.services, Attribute(resource.Resource.Attributes, "service.name").GetStringValue())
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
	return nil
}

// Spans returns what has come so far.
func (c *Collector) Spans() []*tracepb.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Services returns the names of the processes from which spans have come.
func (c *Collector) Services() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(c.services)))
}

// Attribute finds an attribute by its name; nil if there is none.
func Attribute(list []*commonpb.KeyValue, name string) *commonpb.AnyValue {
	for _, a := range list {
		if a.Key == name {
			return a.Value
		}
	}
	return nil
}
