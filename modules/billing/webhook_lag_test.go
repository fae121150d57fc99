package billing

import (
	"slices"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
)

// The age of each message is told when it is acted upon, from when the provider has made it, and once.
func TestWebhookLag(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	var mu sync.Mutex
	var lags []time.Duration
	p.restart(func(d *Deps) {
		d.ObserveWebhook = func(editionID string, lag time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			if editionID != p.ed.ID {
				t.Errorf("a message of %q", editionID)
			}
			lags = append(lags, lag)
		}
	})
	p.buy(p.order(1, access.Monthly), goodCard)
	p.advance(2 * time.Hour)
	p.work()
	mu.Lock()
	defer mu.Unlock()
	if n := p.count("SELECT count(*) FROM billing_events WHERE done_at IS NOT NULL"); n == 0 || n != len(lags) {
		t.Fatalf("%d messages were acted upon, %d told", n, len(lags))
	}
	if most := slices.Max(lags); most < 2*time.Hour || most > 3*time.Hour {
		t.Errorf("got %v, want two hours for what was made before the pause", lags)
	}
}
