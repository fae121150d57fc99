package app

import (
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/platform/testkit/wait"
)

// Login emails are counted by the domain of a large provider, and whether they have opened a session; messages of the
// payment provider by their age.
func TestLoginsAndWebhooksAreMeasured(t *testing.T) {
	t.Parallel()
	const id = "standard"
	p := startApp(t)
	b := p.browser(id)
	p.signIn(b, "reader@gmail.com")
	if r := p.browser(id).post("/fns/user-login", map[string]any{
		"payload": map[string]string{"email": "reader@elsewhere.example.org", "referrer": "/"}, "type": "login",
	}); r.Status != http.StatusOK {
		t.Fatal(r.Status, r.Body)
	}
	for _, want := range []struct {
		domain, result string
		n              float64
	}{
		{"gmail.com", identity.EmailRequested, 1},
		{"gmail.com", identity.EmailUsed, 1},
		{"other", identity.EmailRequested, 1},
		{"other", identity.EmailUsed, 0},
	} {
		got := testutil.ToFloat64(p.app.observed.loginEmails.WithLabelValues(id, want.domain, want.result))
		if got != want.n {
			t.Errorf("%s %s: got %v, want %v", want.domain, want.result, got, want.n)
		}
	}
	buy(t, b)
	const lag = "broadsheet_billing_webhook_lag_seconds"
	var sum float64
	wait.Until(t, "messages are acted upon", func() bool {
		families, err := p.app.metrics.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() == lag && f.Metric[0].Histogram.GetSampleCount() > 0 {
				sum = f.Metric[0].Histogram.GetSampleSum()
				return true
			}
		}
		return false
	})
	if sum > time.Hour.Seconds() {
		t.Errorf("messages of just now are %v s old", sum)
	}
	families, err := p.app.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := promlint.NewWithMetricFamilies(families).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("names of metrics: %v, %v", problems, err)
	}
}
