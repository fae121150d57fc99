package billing

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// sendSigned posts a message to the webhook, signed with a secret at an instant; an empty secret signs nothing.
func (p *env) sendSigned(secret string, at time.Time, body string) int {
	p.t.Helper()
	header := ""
	if secret != "" {
		signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{
			Payload: []byte(body), Secret: secret, Timestamp: at,
		})
		header = signed.Header
	}
	return p.send(0, http.MethodPost, "/webhooks/stripe", "application/json", body, "Stripe-Signature", header).Status
}

func TestReceive_Refused(t *testing.T) {
	t.Parallel()
	papers := newEnvs(t, 2)
	p := papers[0]
	var logged lockedBuffer
	var mu sync.Mutex
	counted := map[stripe.Refusal]int{}
	p.restart(func(d *Deps) {
		d.Log = slog.New(slog.NewTextHandler(&logged, nil))
		d.ObserveRefused = func(editionID string, why stripe.Refusal) {
			mu.Lock()
			defer mu.Unlock()
			if editionID != p.ed.ID {
				t.Errorf("got a message of edition %q, want %q", editionID, p.ed.ID)
			}
			counted[why]++
		}
	})
	const body = `{"id":"evt_9","object":"event","type":"invoice.paid","created":1,` +
		`"data":{"object":{"id":"in_1","object":"invoice"}}}`
	now, right, foreign := time.Now(), p.keys().WebhookSecret, papers[1].keys().WebhookSecret
	for _, c := range []struct {
		secret string
		at     time.Time
		body   string
		want   int
	}{
		{foreign, now, body, 400},
		{foreign, now, body, 400},
		{"whsec_test", now, body, 400},
		{"", now, body, 400},
		{right, now.Add(-time.Hour), body, 400},
		{right, now.Add(time.Hour), body, 400},
		{right, now, "[]", 400},
		{right, now, body, 200},
	} {
		if got := p.sendSigned(c.secret, c.at, c.body); got != c.want {
			t.Errorf("%q at %s: got %d, want %d", c.secret, c.at, got, c.want)
		}
	}
	want := map[stripe.Refusal]int{
		stripe.RefusedSignature: 3, stripe.RefusedUnsigned: 1, stripe.RefusedTime: 2, stripe.RefusedContent: 1,
	}
	if !maps.Equal(counted, want) {
		t.Errorf("got %v counted, want %v", counted, want)
	}
	if n := strings.Count(logged.String(), "a webhook was refused"); n != 1 {
		t.Errorf("got %d lines in the log, want one a minute:\n%s", n, &logged)
	}
	for _, want := range []string{"level=WARN", "edition=" + p.ed.ID, "reason=signature", "stripe:"} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("got %s, want %q in it", &logged, want)
		}
	}
	for _, secret := range []string{right, foreign} {
		if strings.Contains(logged.String(), secret) {
			t.Error("got a secret in the log, want none")
		}
	}
}

func TestMissed(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	missed := func() int {
		t.Helper()
		if err := p.shop.Reconciliation.Changed(p.ctx); err != nil {
			t.Fatal(err)
		}
		return p.shop.Reconciliation.Missed()[p.ed.ID]
	}
	if got := missed(); got != 0 {
		t.Fatalf("got %d missed, want 0: all have arrived", got)
	}
	lost := p.count("SELECT count(*) FROM billing_events WHERE type IN ('invoice.paid', 'customer.subscription.created')")
	p.view(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("DELETE FROM billing_events WHERE type IN ('invoice.paid', 'customer.subscription.created')").
			Exec(ctx)
		return err
	})
	if got := missed(); got != 0 {
		t.Errorf("got %d missed within a minute, want 0: they may still come", got)
	}
	p.advance(time.Hour)
	if got := missed(); got != lost || lost == 0 {
		t.Errorf("got %d missed after an hour, want %d", got, lost)
	}
	p.advance(6 * time.Hour)
	if got := missed(); got != 0 {
		t.Errorf("got %d missed after seven hours, want 0: they say nothing of the present", got)
	}
}
