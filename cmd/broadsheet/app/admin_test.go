package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// Operators are told what is there and what is not: without a database the process is not ready, without a queue it is.
func TestOperatorsAreTold(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.signIn(p.browser("standard"), "reader@example.org")
	ask := func(a *App, path string) (int, string) {
		w := httptest.NewRecorder()
		a.adminHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	type state struct {
		Ready           bool
		Database, Queue string
		Editions        int
		Notices         bool
	}
	ready := func(a *App) (code int, s state) {
		code, body := ask(a, "/readyz")
		if err := json.Unmarshal([]byte(body), &s); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		return code, s
	}
	says := func(line string) func() bool {
		return func() bool {
			code, body := ask(p.app, "/metrics")
			return code == http.StatusOK && strings.Contains(body, "\n"+line+"\n")
		}
	}
	if code, body := ask(p.app, "/livez"); code != http.StatusOK || body != "ok\n" {
		t.Errorf("livez: %d %q", code, body)
	}
	const profile = "/debug/pprof/goroutine?debug=1"
	if code, body := ask(p.app, profile); code != http.StatusOK || !strings.Contains(body, "TestOperatorsAreTold") {
		t.Errorf("profiles: %d %.200s", code, body)
	}
	families, err := p.app.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := promlint.NewWithMetricFamilies(families).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("names of metrics: %v, %v", problems, err)
	}
	good := state{true, "up", "up", len(p.app.registry.All()), true}
	wait.Until(t, "notices arrive", p.app.hub.Connected)
	if code, s := ready(p.app); code != http.StatusOK || s != good {
		t.Errorf("readyz: %d %+v", code, s)
	}
	for _, line := range []string{
		`broadsheet_queue_up{edition="standard"} 1`, `broadsheet_mail_emails_total{result="sent"} 1`,
		`broadsheet_mail_emails_total{result="failed"} 0`,
		`broadsheet_db_isolation_errors_total 0`, `broadsheet_outbox_dead{edition="standard"} 0`,
		`broadsheet_outbox_age_seconds{edition="standard",queue="login"} 0`, `broadsheet_ready 1`, `broadsheet_database_up 1`,
		`broadsheet_tick_last_failed{tick="retention"} 0`,
	} {
		wait.Until(t, line, says(line))
	}

	ed, _ := p.app.registry.Get("standard")
	err = p.app.DB.Run(edition.With(t.Context(), ed), func(ctx context.Context, tx db.Tx) error {
		_, err := tx.ExecContext(ctx, "SELECT * FROM ed_standard_at.outbox")
		return err
	})
	if err == nil || !says(`broadsheet_db_isolation_errors_total 1`)() {
		t.Errorf("a query of one edition for another's rows is not counted: %v", err)
	}

	p.redis.Pause()
	alone := good
	alone.Queue = "down"
	if code, s := ready(p.app); code != http.StatusOK || s != alone {
		t.Errorf("readyz without a queue: %d %+v", code, s)
	}
	wait.Until(t, "the queue is known to be away", says(`broadsheet_queue_up{edition="standard"} 0`))
	if err := p.redis.Resume(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the queue is known to be back", says(`broadsheet_queue_up{edition="standard"} 1`))

	gone, err := db.Open("postgres://nobody@127.0.0.1:1/none", p.clock, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gone.Close() })
	without := *p.app
	without.DB = gone
	dark := good
	dark.Ready, dark.Database = false, "down"
	if code, s := ready(&without); code != http.StatusServiceUnavailable || s != dark {
		t.Errorf("readyz without a database: %d %+v", code, s)
	}
	without.metrics = newMetrics(&without)
	for _, line := range []string{"broadsheet_ready 0", "broadsheet_database_up 0"} {
		if _, body := ask(&without, "/metrics"); !strings.Contains(body, "\n"+line+"\n") {
			t.Errorf("got no line %s in the metrics without a database, want it", line)
		}
	}
}
