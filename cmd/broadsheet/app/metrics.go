package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// gauges turns the counters that the parts keep anyway into one screen of metrics, read at
// the time of asking.
type gauges struct{ app *App }

var (
	descPages   = desc("pagecache_answers_total", "Answers of the page cache by outcome.", "outcome")
	descBytes   = desc("pagecache_bytes", "Bytes the page cache holds.")
	descRenders = desc("renders_total", "Renders by result.", "result")
	descRuntime = desc("render_runtimes", "JavaScript runtimes by state.", "state")
	descPool    = desc("db_connections", "Connections of an edition's pool by state.", "edition", "state")
	descWaits   = desc("db_waits_total", "Times that work waited for a connection.", "edition")
	descApart   = desc("db_isolation_errors_total",
		"Queries that reached for what is not their edition's. Each was refused, and is a bug.")
	descMail     = desc("mail_emails_total", "Emails by outcome.", "result")
	descQueue    = desc("queue_up", "1 while the queue takes an edition's work.", "edition")
	descOutbox   = desc("outbox_age_seconds", "Age of the oldest work that is due and not done.", "edition", "queue")
	descWaiting  = desc("outbox_waiting", "Work that is due and not done.", "edition")
	descDead     = desc("outbox_dead", "Work that was given up and waits for a person.", "edition")
	descJobs     = desc("jobs_total", "Runs of jobs by result.", "edition", "result")
	descRuns     = desc("tick_runs_total", "Runs of periodic work, one for each edition; by the leader alone.", "tick")
	descTicks    = desc("tick_failures_total", "Failed runs of periodic work.", "tick")
	descLastTick = desc("tick_last_failed",
		"1 if the last run of periodic work failed, in any edition; at the leader alone.", "tick")
	descKept  = desc("retention_removed_total", "Rows that were kept for long enough and removed.", "edition", "rule")
	descNight = desc("retention_finished_timestamp_seconds",
		"When an edition's retention was enforced for the last time; it is every night.", "edition")
	descDrift = desc("billing_drift_age_seconds", "For how long a subscription has been known not to be as the "+
		"payment provider has it; 0 for none.", "edition")
	descMissed = desc("billing_webhooks_missed", "Messages of the last hours that the payment provider has made and that "+
		"have not arrived.", "edition")
	descPaused  = desc("outgoing_paused", "1 while calls to a server pause because it has failed time after time.", "to")
	descReviews = desc("billing_reviews_waiting", "Length of the review queue, see `broadsheet review list`.", "edition",
		"kind")
	descLines = desc("billing_bank_lines_waiting",
		"Payments of bank statements that wait for a person: `broadsheet bank list`.", "edition")
	descFailing = desc("billing_documents_failing",
		"Documents that cannot be drawn, or of which the email was given up: `broadsheet invoice redraw`.", "edition")
	descLeads    = desc("scheduler_leader", "1 where this process keeps the time for all.")
	descReady    = desc("ready", "1 while the process is ready, as /readyz says.")
	descDatabase = desc("database_up", "1 while Postgres answers the process, as /readyz says.")
	descNotices  = desc("notices_connected", "1 while notices of changes arrive.")
	descEdition  = desc("editions", "Editions that are served.")
)

// described are all descriptions, in the order of this file.
var described []*prometheus.Desc

func desc(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("broadsheet_"+name, help, labels, nil)
	described = append(described, d)
	return d
}

func newMetrics(a *App) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauges{a}, a.observed.webhookLag, a.observed.refusedWebhooks, a.observed.loginEmails)
	return r
}

// Describe implements prometheus.Collector.
func (g gauges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range described {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (g gauges) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	count := func(d *prometheus.Desc, v uint64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	a := g.app
	state := a.readiness(context.WithoutCancel(a.ctx))
	gauge(descReady, boolValue(state.Ready))
	gauge(descDatabase, boolValue(state.Database == "up"))
	gauge(descEdition, float64(len(a.registry.All())))
	gauge(descNotices, boolValue(a.hub.Connected()))
	for to, paused := range a.breakers.Paused() {
		gauge(descPaused, boolValue(paused), to)
	}
	for id, s := range a.DB.Stats() {
		gauge(descPool, float64(s.InUse), id, "in_use")
		gauge(descPool, float64(s.Idle), id, "idle")
		count(descWaits, uint64(max(0, s.WaitCount)), id)
	}
	count(descApart, a.DB.Isolation())
	if a.sender != nil {
		s := a.sender.Stats()
		count(descMail, s.Sent, "sent")
		count(descMail, s.Failed, "failed")
		count(descMail, s.Bounced, "bounced")
		count(descMail, s.Dropped, "dropped")
	}
	if a.cache != nil {
		s := a.cache.Stats()
		count(descPages, s.Hits, "hit")
		count(descPages, s.Stale, "stale")
		count(descPages, s.Misses, "miss")
		count(descPages, s.Errors, "error")
		gauge(descBytes, float64(s.Bytes))
	}
	if a.renderer != nil {
		s := a.renderer.Stats()
		count(descRenders, s.Renders-min(s.Renders, s.Failures), "ok")
		count(descRenders, s.Failures, "failed")
		count(descRenders, s.Timeouts, "timeout")
		count(descRenders, s.Busy, "busy")
		count(descRenders, s.Paused, "paused")
		gauge(descRuntime, float64(s.Idle), "idle")
		gauge(descRuntime, float64(s.Size-s.Idle), "busy")
	}
	// The leader counts these; counts of a process that led before do not change any more.
	if a.Billing != nil && a.worker != nil && a.worker.Leads() {
		for id, age := range a.Billing.Reconciliation.DriftAges() {
			gauge(descDrift, age.Seconds(), id)
		}
		for id, n := range a.Billing.Reconciliation.Missed() {
			gauge(descMissed, float64(n), id)
		}
		for id, numbers := range a.Billing.Invoices.Failing() {
			gauge(descFailing, float64(len(numbers)), id)
		}
		for id, w := range a.Billing.Reconciliation.WaitingForPersons() {
			gauge(descLines, float64(w.BankLines), id)
			for kind, n := range w.Reviews {
				gauge(descReviews, float64(n), id, kind)
			}
		}
	}
	if a.worker != nil {
		gauge(descLeads, boolValue(a.worker.Leads()))
		for id, s := range a.worker.Stats() {
			gauge(descQueue, boolValue(s.QueueUp), id)
			if b := s.Backlog; b != nil {
				gauge(descOutbox, b.Age.Seconds(), id, "all")
				gauge(descOutbox, b.AgeLogin.Seconds(), id, "login")
				gauge(descWaiting, float64(b.Waiting), id)
				gauge(descDead, float64(b.Dead), id)
			}
			count(descJobs, s.Done, id, "done")
			count(descJobs, s.Failed, id, "failed")
			count(descJobs, s.Redriven, id, "redriven")
		}
		for tick, n := range a.worker.PeriodicRuns() {
			count(descRuns, n, tick)
		}
		for tick, n := range a.worker.PeriodicFailures() {
			count(descTicks, n, tick)
		}
		for tick, failed := range a.worker.PeriodicFailed() {
			gauge(descLastTick, boolValue(failed), tick)
		}
		for of, n := range a.retention.Removed() {
			count(descKept, n, of.Edition, of.Rule)
		}
		for id, at := range a.retention.Finished() {
			gauge(descNight, float64(at.Unix()), id)
		}
	}
}

func boolValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
