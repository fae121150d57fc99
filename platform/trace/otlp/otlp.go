// Package otlp sends traces over OTLP/HTTP. It is apart from platform/trace because it links half a hundred packages,
// and most that make spans send none.
package otlp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"example.org/broadsheet/platform/trace"
)

// tracesPath is where a collector takes traces, if the endpoint names no path.
const tracesPath = "/v1/traces"

// Open returns a Tracer that sends to an endpoint such as http://127.0.0.1:4318, or nil for "". service names the
// process. The variables of the OpenTelemetry specification apply on top of it: OTEL_TRACES_SAMPLER,
// OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES and so on.
func Open(ctx context.Context, endpoint, service string, log *slog.Logger) (*trace.Tracer, error) {
	if endpoint == "" {
		return nil, nil
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = tracesPath
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(u.String()))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	res, err := resource.New(ctx, resource.WithAttributes(semconv.ServiceName(service)), resource.WithTelemetrySDK(),
		resource.WithHost(), resource.WithFromEnv())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("trace: %w", err), exporter.Shutdown(ctx))
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.WarnContext(ctx, "traces not sent", "error", err) }))
	p := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(res))
	return trace.New(p), nil
}
