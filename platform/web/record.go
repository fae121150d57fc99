package web

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"example.org/broadsheet/platform/trace"
)

// Record counts, logs and traces requests.
type Record struct {
	trace *trace.Tracer // nil while tracing is off
	log   *slog.Logger
	which string        // of the lines are written: "all", "sampled", "off"
	count atomic.Uint64 // of lines, where they are sampled
	took  *prometheus.HistogramVec
	known sync.Map // observed → prometheus.Observer
}

// observed are the labels of a time. Paths are not among them: a crawler that invents addresses must not invent time
// series.
type observed struct {
	edition string
	class   int
}

// NewRecord makes a record. which lines it logs is "all", "sampled", for one in a hundred and all that failed in the
// server, or "off". Requests are traced with t, which may be nil.
func NewRecord(r prometheus.Registerer, log *slog.Logger, which string, t *trace.Tracer) *Record {
	rec := &Record{trace: t, log: log, which: which, took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "broadsheet_http_request_duration_seconds", Help: "Time to answer a request.",
		Buckets: []float64{.0005, .001, .005, .01, .05, .1, .25, .5, 1, 2.5, 5},
	}, []string{"edition", "class"})}
	r.MustRegister(rec.took)
	return rec
}

// Requests records every request.
func (rec *Record) Requests(c *gin.Context) {
	start := time.Now()
	c.Next()
	ctx := c.Request.Context()
	a := answered{
		id: RequestID(ctx), edition: editionID(ctx), method: c.Request.Method, status: c.Writer.Status(),
		bytes: c.Writer.Size(), took: time.Since(start), cache: c.Writer.Header().Get("X-Cache"), route: rec.route(c),
	}
	rec.add(ctx, a, func() slog.Handler { return rec.handlerFor(a, LogPath(ctx, c.Request.URL)) })
}

// answered is a request and how it was answered.
type answered struct {
	id, edition, method string
	status, bytes       int
	took                time.Duration
	cache               string
	route               string // template of the path; "" where there is none, and while tracing is off
}

// handlerFor returns the log's handler for answers with the same edition, method, path and outcome, which it formats
// once for all their lines.
func (rec *Record) handlerFor(a answered, path string) slog.Handler {
	return rec.log.Handler().WithAttrs([]slog.Attr{
		slog.String("edition", a.edition),
		slog.String("method", a.method),
		slog.String("path", path),
		slog.String("cache", a.cache),
	})
}

// add counts a request and writes its line, without bodies, cookies, codes or addresses of people.
func (rec *Record) add(ctx context.Context, a answered, handler func() slog.Handler) {
	rec.observer(observed{a.edition, a.status / 100}).Observe(a.took.Seconds())
	if rec.trace != nil {
		describe(ctx, a)
	}
	if rec.which == "off" || !rec.log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	if rec.which == "sampled" && rec.count.Add(1)%sampleOf != 0 && a.status < http.StatusInternalServerError {
		return
	}
	// To the handler itself: a logger would look up the line of source, which costs as much as writing the line.
	r := slog.NewRecord(time.Now(), slog.LevelInfo, AccessMessage, 0)
	r.AddAttrs(
		slog.String("request_id", a.id),
		slog.Int("status", a.status),
		slog.Int("bytes", a.bytes),
		slog.Duration("took", a.took),
	)
	if rec.trace != nil {
		if id := trace.ID(ctx); id != "" {
			r.AddAttrs(slog.String("trace_id", id))
		}
	}
	_ = handler().Handle(ctx, r) // as a logger does
}

func (rec *Record) observer(o observed) prometheus.Observer {
	if v, ok := rec.known.Load(o); ok {
		return v.(prometheus.Observer)
	}
	v, _ := rec.known.LoadOrStore(o, rec.took.WithLabelValues(o.edition, strconv.Itoa(o.class)+"xx"))
	return v.(prometheus.Observer)
}
