package app

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/pprof"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"example.org/broadsheet/cmd/broadsheet/status"
	"example.org/broadsheet/platform/paper/edition"
)

// adminHandler answers what operators and orchestrators ask; it listens apart from readers.
func (a *App) adminHandler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /livez", livez)
	m.HandleFunc("GET /readyz", a.readyz)
	m.Handle("GET /metrics", promhttp.HandlerFor(a.metrics, promhttp.HandlerOpts{}))
	page := a.statusPage()
	m.Handle(status.Path, page)
	m.Handle(status.Path+"/", page)
	m.Handle("GET "+status.Path+".css", page)
	m.Handle("GET /{$}", http.RedirectHandler(status.Path, http.StatusFound))
	m.HandleFunc("GET /debug/pprof/", pprof.Index)
	m.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	m.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return m
}

func livez(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

const (
	readyWithin = 700 * time.Millisecond // who asks must have the answer within a second, whatever hangs
	readySample = 4                      // editions that are asked at once: each costs a connection
)

// readiness is what /readyz says.
type readiness struct {
	Ready    bool   `json:"ready"`
	Database string `json:"database"`
	Queue    string `json:"queue"`
	Editions int    `json:"editions"`
	Notices  bool   `json:"notices"`
	// Editions whose login the database refuses, as with another secret than theirs.
	Refused     []string `json:"refused,omitempty"`
	Unreachable []string `json:"unreachable,omitempty"` // editions that get no connection
	Stopping    bool     `json:"stopping,omitempty"`
}

// readyz is ready when Postgres answers the editions, for without their connections no page can be made. A missing
// Redis delays emails and does not stop reading, so it is told and does not take the process out of service.
func (a *App) readyz(w http.ResponseWriter, r *http.Request) {
	s := a.readiness(r.Context())
	w.Header().Set("Content-Type", "application/json")
	if !s.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(s)
}

// readiness asks all parts at once.
func (a *App) readiness(ctx context.Context) readiness {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	refused := make(chan []string, 1)
	go func() { refused <- a.DB.RefusedLogins(ctx) }()
	queue, owner := probe(ctx, a.worker.Ping), a.answers.probe(ctx, "", a.DB.Ping)
	asked := a.sample()
	editions := make([]<-chan error, len(asked))
	for i, ed := range asked {
		editions[i] = a.answers.probe(ctx, ed.ID, func(ctx context.Context) error { return a.DB.Reach(ctx, ed.ID) })
	}
	s := readiness{
		Queue: "up", Database: "up", Editions: len(a.registry.All()), Notices: a.hub.Connected(),
		Stopping: a.isStopping(),
	}
	for i, ed := range asked {
		if <-editions[i] != nil {
			s.Unreachable = append(s.Unreachable, ed.ID)
		}
	}
	select {
	case s.Refused = <-refused:
	case <-ctx.Done(): // the owner's connection hangs as well
	}
	// A few editions without a connection must not take the others out of service.
	if <-owner != nil || 2*len(s.Unreachable) > len(asked) {
		s.Database = "down"
	}
	if <-queue != nil {
		s.Queue = "down"
	}
	s.Ready = s.Database == "up" && len(s.Refused) == 0 && !s.Stopping
	return s
}

// sample takes some of many editions, other ones each time.
func (a *App) sample() []*edition.Edition {
	all := a.registry.All()
	if len(all) <= readySample {
		return all
	}
	first := rand.IntN(len(all)) //nolint:gosec // no secret
	return slices.Concat(all[first:], all[:first])[:readySample]
}
