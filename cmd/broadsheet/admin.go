package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// adminHandler answers what operators and orchestrators ask; it listens apart from readers.
func (a *App) adminHandler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /livez", livez)
	m.HandleFunc("GET /readyz", a.readyz)
	m.Handle("GET /metrics", promhttp.HandlerFor(a.metrics, promhttp.HandlerOpts{}))
	return m
}

func livez(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// readyz is ready when Postgres answers. A missing Redis delays letters and does not stop reading,
// so it is told and does not take the process out of service.
func (a *App) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	state := struct {
		Ready    bool   `json:"ready"`
		Database string `json:"database"`
		Queue    string `json:"queue"`
		Editions int    `json:"editions"`
		Notices  bool   `json:"notices"`
		// Refused are editions whose login the database refuses, as with another secret than theirs.
		Refused []string `json:"refused,omitempty"`
	}{Ready: true, Database: "up", Queue: "up", Editions: len(a.registry.All()), Notices: a.hub.Connected()}
	status := http.StatusOK
	var both sync.WaitGroup
	both.Go(func() {
		if err := a.db.Ping(ctx); err != nil {
			state.Ready, state.Database, status = false, "down", http.StatusServiceUnavailable
			return
		}
		if state.Refused = a.db.RefusedLogins(ctx); len(state.Refused) > 0 {
			state.Ready, status = false, http.StatusServiceUnavailable
		}
	})
	both.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond) // who asks must have the answer within a second
		defer cancel()
		if err := a.worker.Ping(ctx); err != nil {
			state.Queue = "down"
		}
	})
	both.Wait()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(state)
}
