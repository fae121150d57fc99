package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"
)

// A message with another secret than the edition's is counted where operators look.
func TestMetrics_RefusedWebhooks(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const body = `{"id":"evt_9","object":"event","type":"invoice.paid","created":1,"data":{"object":{"id":"in_1"}}}`
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{
		Payload: []byte(body), Secret: "whsec_of_another_edition", Timestamp: time.Now(),
	})
	for range 3 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/webhooks/stripe", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "sk.localhost"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Stripe-Signature", signed.Header)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusBadRequest {
			t.Errorf("got %d, want 400", res.StatusCode)
		}
	}
	w := httptest.NewRecorder()
	p.app.adminHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	const want = `broadsheet_billing_webhooks_refused_total{edition="standard",reason="signature"} 3`
	if !strings.Contains(w.Body.String(), want) {
		t.Errorf("got no line %s in the metrics, want it", want)
	}
}
