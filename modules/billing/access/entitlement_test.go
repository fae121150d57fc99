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
