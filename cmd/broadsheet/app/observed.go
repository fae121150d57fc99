package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/platform/paper/edition"
)

// observed are metrics of what modules report when it happens; gauges reads all others when it is asked.
type observed struct {
	webhookLag      *prometheus.HistogramVec
	refusedWebhooks *prometheus.CounterVec
	loginEmails     *prometheus.CounterVec
}

func newObserved() *observed {
	return &observed{
		webhookLag: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "broadsheet_billing_webhook_lag_seconds",
			Help:    "Age of a message of the payment provider when it was acted upon.",
			Buckets: []float64{1, 2, 5, 10, 30, 60, 300, 900, 3600, 14400},
		}, []string{"edition"}),
		refusedWebhooks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "broadsheet_billing_webhooks_refused_total",
			Help: "Messages to the webhooks that were refused, by reason: unsigned, signature (another secret), time, content.",
		}, []string{"edition", "reason"}),
		loginEmails: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "broadsheet_login_emails_total",
			Help: "Login emails that were requested, and those that have opened a session, by the domain of the address.",
		}, []string{"edition", "domain", "result"}),
	}
}

func (o *observed) webhook(editionID string, lag time.Duration) {
	o.webhookLag.WithLabelValues(editionID).Observe(lag.Seconds())
}

// editions begins the counts of refused webhooks of new editions: a count that begins above zero has not increased.
func (o *observed) editions(c edition.Change) {
	for _, ed := range c.Added {
		for _, why := range []stripe.Refusal{
			stripe.RefusedUnsigned, stripe.RefusedSignature, stripe.RefusedTime, stripe.RefusedContent,
		} {
			o.refusedWebhooks.WithLabelValues(ed.ID, string(why))
		}
	}
}

func (o *observed) refusedWebhook(editionID string, why stripe.Refusal) {
	o.refusedWebhooks.WithLabelValues(editionID, string(why)).Inc()
}

// loginEmail counts a login email. Both results of a domain begin together: none used is a number too.
func (o *observed) loginEmail(editionID, domain, result string) {
	for _, r := range []string{identity.EmailRequested, identity.EmailUsed} {
		o.loginEmails.WithLabelValues(editionID, domain, r)
	}
	o.loginEmails.WithLabelValues(editionID, domain, result).Inc()
}
