package access

import (
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
)

func TestAccess(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 10, 12, 8, 0, 0, 0, time.UTC)
	end := start.AddDate(0, 0, 28)
	for _, c := range []struct {
		name             string
		s                Subscription
		until, tolerated time.Time
	}{
		{"active", Subscription{Status: stripe.Active}, end, end.AddDate(0, 0, 7)},
		{"active, cancelled for the end", Subscription{Status: stripe.Active, CancelAtPeriodEnd: true}, end, end},
		{"trial", Subscription{Status: stripe.Trialing, Trial: true}, end, end},
		{"payment overdue", Subscription{Status: stripe.PastDue}, start.AddDate(0, 0, 7), start.AddDate(0, 0, 7)},
		{"unpaid", Subscription{Status: stripe.Unpaid}, time.Time{}, time.Time{}},
		{"canceled", Subscription{Status: stripe.Canceled}, time.Time{}, time.Time{}},
		{"paused", Subscription{Status: stripe.Paused}, time.Time{}, time.Time{}},
		{"incomplete", Subscription{Status: stripe.Incomplete}, time.Time{}, time.Time{}},
		{"never paid", Subscription{Status: stripe.IncompleteExpired}, time.Time{}, time.Time{}},
		{"over", Subscription{Status: stripe.Ended, Trial: true}, time.Time{}, time.Time{}},
		{"a word that the provider invents later", Subscription{Status: "suspended"}, time.Time{}, time.Time{}},
	} {
		c.s.PeriodStart, c.s.PeriodEnd = start, end
		if until, tolerated := c.s.Ends(7); !until.Equal(c.until) || !tolerated.Equal(c.tolerated) {
			t.Errorf("%s: %s, %s", c.name, until, tolerated)
		}
	}
	short := Subscription{Status: stripe.PastDue, PeriodStart: start, PeriodEnd: start.AddDate(0, 0, 3)}
	if until, _ := short.Ends(7); !until.Equal(short.PeriodEnd) {
		t.Errorf("grace beyond the period: %s", until)
	}
}

// What is remembered is forgotten when it is told to, also by a reading that began before the change.
func TestEntitlementsForget(t *testing.T) {
	t.Parallel()
	now := time.Now()
	c := newCache()
	a, b := cacheKey{"a", 1}, cacheKey{"b", 1}
	_, _, before := c.get(a, now)
	c.put(a, Entitlement{spans: []span{{product: "x"}}}, now, before)
	c.put(b, Entitlement{spans: []span{{product: "x"}}}, now, before)
	if s, ok, _ := c.get(a, now); !ok || len(s.spans) != 1 {
		t.Error("not remembered")
	}
	c.forget(1)
	for _, k := range []cacheKey{a, b} {
		if _, ok, _ := c.get(k, now); ok {
			t.Errorf("%v is still remembered", k)
		}
	}
	c.put(a, Entitlement{}, now, before)
	if _, ok, _ := c.get(a, now); ok {
		t.Error("an old reading was remembered")
	}
	_, _, g := c.get(a, now)
	c.put(a, Entitlement{}, now, g)
	if _, ok, _ := c.get(a, now.Add(cacheTTL)); ok {
		t.Error("remembered for ever")
	}
	c.forgetAll()
	if _, ok, _ := c.get(a, now); ok {
		t.Error("not all forgotten")
	}
	_, _, g = c.get(a, now)
	for i := range int64(maxCached + 10) {
		c.put(cacheKey{"a", i}, Entitlement{}, now, g)
	}
	if len(c.all) > maxCached {
		t.Errorf("%d remembered", len(c.all))
	}
}
