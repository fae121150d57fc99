package subscription

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
)

// reminder says of which subscriptions readers are to be told. Its parts are SQL of s; in them ?0 is the instant of the
// sweep, and args are ?4 and on.
type reminder struct {
	kinds  []string // "('due_3', 72)": a kind, and the hours after at from which it is due
	at     string   // column that has an index, in whose order they are taken
	period string   // column that makes the email of one period another one than that of the next
	where  string
	args   []any
}

// claim is an email that nobody else will send.
type claim struct {
	SubscriptionID int64
	At             time.Time
	Period         time.Time
	Kind           string // "" where somebody else was faster
}

// SweepBatch is how many subscriptions one transaction of a sweep takes.
const SweepBatch = 1000

// claimSome takes the next subscriptions after a mark, with all their emails that are due and that nobody has taken.
// What another sweep or a writer holds at the moment is left to it, or to the next sweep. OFFSET 0 keeps the planner
// from reading all reminders that there ever were for each batch.
func claimSome(ctx context.Context, tx db.Tx, r reminder, after claim) (list []claim, err error) {
	kinds := "(VALUES " + strings.Join(r.kinds, ", ") + ") d (kind, hours)"
	err = tx.NewRaw(fmt.Sprintf(`WITH due AS MATERIALIZED (
			SELECT s.id, s.%[2]s AS at, s.%[3]s AS period FROM billing_subscriptions s
			WHERE %[4]s AND s.%[2]s >= ?1 AND (s.%[2]s, s.id) > (?1, ?2) AND EXISTS (SELECT FROM %[1]s
				WHERE (d.hours = 0 OR s.%[2]s + make_interval(hours => d.hours) <= ?0)
				AND NOT EXISTS (SELECT FROM billing_reminders r WHERE (r.subscription_id, r.kind, r.period_end) = (s.id, d.kind,
				s.%[3]s) OFFSET 0))
			ORDER BY s.%[2]s, s.id LIMIT ?3 FOR NO KEY UPDATE SKIP LOCKED),
		claimed AS (INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at)
			SELECT due.id, d.kind, due.period, ?0 FROM due, %[1]s WHERE d.hours = 0 OR due.at + make_interval(hours =>
			d.hours) <= ?0
			ON CONFLICT DO NOTHING RETURNING subscription_id, kind)
		SELECT due.id AS subscription_id, due.at, due.period, coalesce(claimed.kind, '') AS kind
		FROM due LEFT JOIN claimed ON claimed.subscription_id = due.id ORDER BY due.at, due.id, claimed.kind`,
		kinds, r.at, r.period, r.where), append([]any{tx.Now, after.At, after.SubscriptionID, SweepBatch}, r.args...)...).
		Scan(ctx, &list)
	return list, err
}

// trialEndings are the trials that are about to end.
func trialEndings(now time.Time) reminder {
	return reminder{
		kinds: []string{"('trial_ending', 0)"}, at: "period_end", period: "period_end",
		where: "s.trial AND s.status = 'trialing' AND s.period_end > ?0 AND s.period_end <= ?4",
		args:  []any{now.Add(RemindBefore)},
	}
}

// accessEnds are each reader's last subscription, where it has ended not long ago.
func accessEnds(now time.Time) reminder {
	return reminder{
		kinds: []string{"('access_ended', 0)"}, at: "ended_at", period: "ended_at",
		where: `s.status IN ('ended', 'canceled') AND s.ended_at <= ?0 AND s.ended_at > ?4
			AND NOT EXISTS (SELECT FROM billing_subscriptions o WHERE o.reader_id = s.reader_id AND o.id <> s.id
				AND (o.status IN ('active', 'trialing', 'past_due') OR (o.ended_at, o.id) > (s.ended_at, s.id)))`,
		args: []any{now.Add(-email.MaxNoticeDelay)},
	}
}

// failedPayments are the subscriptions whose running period is not paid for.
func failedPayments() reminder {
	r := reminder{
		at: "period_start", period: "period_end",
		where: "s.status IN ('past_due', 'unpaid') AND NOT s.trial AND s.period_start <= ?0",
	}
	for _, d := range dueDays {
		r.kinds = append(r.kinds, fmt.Sprintf("('due_%d', %d)", d, 24*d))
	}
	return r
}

// renewals are those that are to be announced by now. A first payment that was ordered in its last week needs no other
// email.
func renewals(now time.Time, a announced) reminder {
	return reminder{
		kinds: []string{"('renewal', 0)"}, at: "period_end", period: "period_end",
		where: `s.status IN ('active', 'trialing') AND NOT s.trial AND NOT s.transfer AND NOT s.cancel_at_period_end AND ` +
			`NOT s.paused AND s.period_end > ?0 AND s.period_end <= ?4
			AND (s.paid_from IS NULL OR s.paid_from < s.period_end OR s.started_at <= s.period_end - interval '7 days')
			AND (s.product = ANY (string_to_array(?6, ' ')) OR s.period_end <= ?5 AND (s.status = 'trialing' OR s.uncovered ` +
			`OR s.paid < s.amount - s.amount_off - round(s.amount * s.percent_off / 100) OR s.product || ':' || s.amount = ` +
			`ANY (string_to_array(?7, ' '))))`,
		args: []any{
			now.Add(transfer.YearBefore), now.Add(fullPriceBefore), strings.Join(a.Years, " "),
			strings.Join(a.Intros, " "),
		},
	}
}

// endSomeTrials ends what is over and returns whose it was.
func endSomeTrials(ctx context.Context, tx db.Tx) (readers []int64, err error) {
	err = tx.NewRaw(`UPDATE billing_subscriptions SET status = 'ended', ended_at = period_end, updated_at = ?0
		WHERE id IN (SELECT id FROM billing_subscriptions WHERE trial AND status = 'trialing' AND period_end <= ?0
			ORDER BY period_end, id LIMIT ?1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING reader_id`, tx.Now, SweepBatch).
		Scan(ctx, &readers)
	return readers, err
}
