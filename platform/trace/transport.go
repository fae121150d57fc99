package trace

import (
	"net/http"
	"regexp"
	"strings"

	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	otrace "go.opentelemetry.io/otel/trace"
)

// Transport adds a span for each call that is made within a trace. peer names the server: "payment provider". Nothing
// of the trace is told to it.
func Transport(peer string, next http.RoundTripper) http.RoundTripper { return transport{peer, next} }

type transport struct {
	peer string
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !otrace.SpanFromContext(r.Context()).IsRecording() {
		return t.next.RoundTrip(r)
	}
	ctx, span := Start(r.Context(), r.Method+" "+t.peer, otrace.SpanKindClient,
		semconv.HTTPRequestMethodKey.String(r.Method), semconv.ServerAddress(r.URL.Hostname()),
		semconv.URLTemplate(pathTemplate(r.URL.Path)))
	res, err := t.next.RoundTrip(r.WithContext(ctx))
	if err == nil {
		span.SetAttributes(semconv.HTTPResponseStatusCode(res.StatusCode))
		if res.StatusCode >= http.StatusBadRequest {
			span.SetStatus(codes.Error, "")
		}
	}
	End(span, err)
	return res, err
}

// word is a part of a path that names a kind of thing; others are ids.
var word = regexp.MustCompile(`^(v\d+|[a-z]+(_[a-z]+)*)?$`)

// pathTemplate is a path without its ids.
func pathTemplate(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if !word.MatchString(part) {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}
