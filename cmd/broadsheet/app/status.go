package app

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.org/broadsheet/cmd/broadsheet/status"
)

// began is when this process did.
var began = time.Now()

// statusPage is the page for operators.
func (a *App) statusPage() http.Handler {
	host, _ := os.Hostname() // a machine without a name has none to show
	p := status.Paper{
		DB: a.DB, Registry: a.registry, Persons: a.waitsForPersons, Documents: a.Billing.Invoices.FailingNow,
	}
	p.Process = func(ctx context.Context) status.Process {
		return status.Process{Role: a.role, Host: host, Started: began, Facts: a.facts(ctx)}
	}
	return p.Handler()
}

// facts say how this process is.
func (a *App) facts(ctx context.Context) (facts []status.Fact) {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	add := func(well bool, text, otherwise, advice string) {
		if !well {
			text = otherwise
		}
		facts = append(facts, status.Fact{Well: well, Text: text, Advice: advice})
	}
	database, queue := probe(ctx, a.DB.Ping), probe(ctx, a.worker.Ping)
	add(<-database == nil, "Postgres answers.", "Postgres does not answer.",
		"Pages in memory are served meanwhile. broadsheet doctor says more.")
	add(<-queue == nil, "Redis answers.", "Redis does not answer.",
		"Emails are late, except logins; reading goes on, and nothing is lost.")
	add(a.hub.Connected(), "Changes of other processes arrive.", "Changes of other processes do not arrive.",
		"Pages may be a minute old. Is Postgres reached without a pooler?")
	for to, paused := range a.breakers.Paused() {
		if paused {
			add(false, "", fmt.Sprintf("Calls to %s fail time after time.", to), "One call in ten seconds is tried.")
		}
	}
	if a.isStopping() {
		add(false, "", "It was told to stop.", "")
	}
	return facts
}

// waitsForPersons says what an edition has for somebody to look at, as far as this process has counted it.
func (a *App) waitsForPersons(id string) (texts []string) {
	w, known := a.Billing.Reconciliation.WaitingForPersons()[id]
	if !known {
		return nil
	}
	reviews := 0
	for _, n := range w.Reviews {
		reviews += n
	}
	if reviews > 0 {
		texts = append(texts, fmt.Sprintf("%d card payments wait for somebody.", reviews))
	}
	if w.BankLines > 0 {
		texts = append(texts, fmt.Sprintf("%d bank payments wait for somebody.", w.BankLines))
	}
	return texts
}
