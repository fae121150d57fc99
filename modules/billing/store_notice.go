package billing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/event"
)

// claimDue takes the letters about failed payments that are due, once however many ask, and returns the last of each subscription.
func claimDue(ctx context.Context, tx db.Tx) ([]event.Overdue, error) {
	var rows []struct {
		SubscriptionID int64
		PeriodEnd      time.Time
		Kind           string
	}
	var days []string
	for _, d := range dueDays {
		days = append(days, fmt.Sprintf("('due_%d', %d)", d, 24*d))
	}
	err := tx.NewRaw(`INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at)
		SELECT s.id, d.kind, s.period_end, ?0 FROM billing_subscriptions s, (VALUES `+strings.Join(days, ", ")+`) d (kind, hours)
		WHERE s.status IN ('past_due', 'unpaid') AND NOT s.trial AND s.period_start + make_interval(hours => d.hours) <= ?0
		ON CONFLICT DO NOTHING RETURNING subscription_id, period_end, kind`, tx.Now).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	last := map[int64]event.Overdue{}
	for _, r := range rows {
		d := event.Overdue{SubscriptionID: r.SubscriptionID, PeriodEnd: r.PeriodEnd.UTC()}
		if _, err := fmt.Sscanf(r.Kind, "due_%d", &d.Day); err != nil {
			return nil, err
		}
		if had, ok := last[r.SubscriptionID]; !ok || had.Day < d.Day {
			last[r.SubscriptionID] = d
		}
	}
	list := make([]event.Overdue, 0, len(last))
	for _, d := range last {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b event.Overdue) int { return int(a.SubscriptionID - b.SubscriptionID) })
	return list, nil
}

// claimRenewals takes the renewals that are to be announced by now.
func claimRenewals(ctx context.Context, tx db.Tx, a announced) (list []event.Renewal, err error) {
	err = tx.NewRaw(`INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at)
		SELECT id, 'renewal', period_end, ?0 FROM billing_subscriptions
		WHERE status = 'active' AND NOT trial AND NOT cancel_at_period_end AND NOT paused AND NOT uncovered AND period_end > ?0 AND period_end <= ?1
			AND (product = ANY (string_to_array(?3, ' ')) OR period_end <= ?2 AND (paid < amount OR product || ':' || amount = ANY (string_to_array(?4, ' '))))
		ON CONFLICT DO NOTHING RETURNING subscription_id, period_end`, tx.Now, tx.Now.Add(yearBefore), tx.Now.Add(fullPriceBefore),
		strings.Join(a.Years, " "), strings.Join(a.Intros, " ")).Scan(ctx, &list)
	return list, err
}
