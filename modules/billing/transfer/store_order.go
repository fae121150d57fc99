package transfer

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
)

const transferColumns = `id, reader_id, product, amount, currency, coalesce(reference, '') AS reference, ` +
	`coalesce(document_id, 0) AS document_id, state, renews, created_at,
	due_at, void_at, coalesce(subscription_id, 0) AS subscription_id, coalesce(starts_at, created_at) AS starts_at, ` +
	`coalesce(ends_at, created_at) AS ends_at, payments`

// Select returns the orders that a condition holds for.
func Select(ctx context.Context, tx db.Tx, where string, args ...any) (list []Order, err error) {
	err = tx.NewRaw("SELECT "+transferColumns+" FROM billing_transfers WHERE "+where, args...).Scan(ctx, &list)
	for i := range list {
		for _, t := range []*time.Time{
			&list[i].CreatedAt, &list[i].DueAt, &list[i].VoidAt, &list[i].StartsAt,
			&list[i].EndsAt,
		} {
			*t = t.UTC()
		}
	}
	return list, err
}

// Find returns nil when there is none.
func Find(ctx context.Context, tx db.Tx, where string, args ...any) (*Order, error) {
	list, err := Select(ctx, tx, where, args...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

func insert(ctx context.Context, tx db.Tx, o *Order) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_transfers (reader_id, product, amount, currency, renews, shown, created_at, `+
		`due_at, void_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		o.ReaderID, o.Product, o.Amount, o.Currency, o.Renews, o.Shown, o.CreatedAt, o.DueAt, o.VoidAt).Scan(ctx, &id)
	return id, err
}

func setReference(ctx context.Context, tx db.Tx, o *Order) error {
	_, err := tx.NewRaw("UPDATE billing_transfers SET reference = ?, document_id = ? WHERE id = ?", o.Reference,
		o.DocumentID, o.ID).Exec(ctx)
	return err
}

func settle(ctx context.Context, tx db.Tx, id int64, state string) error {
	_, err := tx.NewRaw("UPDATE billing_transfers SET state = ?, settled_at = ? WHERE id = ?", state, tx.Now, id).Exec(ctx)
	return err
}

func markPaid(ctx context.Context, tx db.Tx, o *Order) error {
	_, err := tx.NewRaw("UPDATE billing_transfers SET state = 'paid', subscription_id = ?, starts_at = ?, ends_at = ?, "+
		"payments = ?, settled_at = ? WHERE id = ?",
		o.SubscriptionID, o.StartsAt, o.EndsAt, o.Payments, tx.Now, o.ID).Exec(ctx)
	return err
}

// putSubscription writes a subscription that is paid by transfer.
func putSubscription(ctx context.Context, tx db.Tx, s *access.Subscription) (id int64, err error) {
	if s.ID == 0 {
		err = tx.NewRaw(`INSERT INTO billing_subscriptions (reader_id, product, status, amount, paid, currency,
			period_start, period_end, started_at, updated_at, transfer)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, true) RETURNING id`,
			s.ReaderID, s.Product, string(s.Status), s.Amount, s.Paid, s.Currency, s.PeriodStart, s.PeriodEnd, s.StartedAt,
			tx.Now).Scan(ctx, &id)
		return id, err
	}
	_, err = tx.NewRaw("UPDATE billing_subscriptions SET product = ?, status = ?, amount = ?, paid = ?, period_end = ?, "+
		"ended_at = ?, uncovered = ?, updated_at = ? WHERE id = ?",
		s.Product, string(s.Status), s.Amount, s.Paid, s.PeriodEnd, bun.NullTime{Time: s.EndedAt}, s.Uncovered, tx.Now, s.ID).
		Exec(ctx)
	return s.ID, err
}

const endTransferred = "UPDATE billing_subscriptions SET status = 'ended', ended_at = period_end, updated_at = ?0 " +
	"WHERE transfer AND status = 'active' AND period_end <= ?0"

// EndOf ends what a reader has paid for by transfer and what is over. The reader is locked.
func EndOf(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw(endTransferred+" AND reader_id = ?1", tx.Now, readerID).Exec(ctx)
	return err
}

// endTransfers ends all that is over, and returns whose it was.
func endTransfers(ctx context.Context, tx db.Tx) (readers []int64, err error) {
	err = tx.NewRaw(endTransferred+" RETURNING reader_id", tx.Now).Scan(ctx, &readers)
	return readers, err
}

// Forget ends what a reader who leaves has paid for by transfer.
func Forget(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw(`UPDATE billing_subscriptions SET status = 'ended', ended_at = least(period_end, ?0), uncovered
		= true, updated_at = ?0
		WHERE transfer AND status = 'active' AND reader_id = ?1`, tx.Now, readerID).Exec(ctx)
	return err
}

// claimTransferReminders takes the orders that are due today and not paid, once however many ask.
func claimTransferReminders(ctx context.Context, tx db.Tx) (ids []int64, err error) {
	err = tx.NewRaw("UPDATE billing_transfers SET reminded_at = ?0 WHERE state = 'open' AND reminded_at IS NULL AND "+
		"due_at <= ?0 RETURNING id", tx.Now).Scan(ctx, &ids)
	return ids, err
}

// covered is until when a subscription and what was given in addition open reading.
const covered = "greatest(period_end, (SELECT max(g.until) FROM billing_grants g WHERE g.reader_id = " +
	"billing_subscriptions.reader_id))"

// listEnding are the subscriptions by transfer for the next year of which nobody has been asked yet. One that has ended
// while the workers stood still, or something that was given went on, is among them.
func listEnding(ctx context.Context, tx db.Tx) ([]access.Subscription, error) {
	return access.Select(ctx, tx, `transfer AND (status = 'active' OR status = 'ended' AND NOT uncovered) AND `+
		`period_end <= ?1 AND `+covered+` > ?0 AND `+covered+` <= ?1
		AND NOT EXISTS (SELECT FROM billing_reminders r WHERE r.subscription_id = billing_subscriptions.id AND r.kind = `+
		`'renewal' AND r.period_end = `+covered+`)
		AND NOT EXISTS (SELECT FROM billing_subscriptions o WHERE o.reader_id = billing_subscriptions.reader_id AND o.id > `+
		`billing_subscriptions.id AND NOT o.trial)
		ORDER BY period_end, id LIMIT 1000`, tx.Now.Add(-YearBefore), tx.Now.Add(YearBefore))
}

// claimRenewal reports whether nobody else asks for the year after a day.
func claimRenewal(ctx context.Context, tx db.Tx, subscriptionID int64, end time.Time) (bool, error) {
	var id int64
	err := tx.NewRaw("INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at) VALUES (?, "+
		"'renewal', ?, ?) ON CONFLICT DO NOTHING RETURNING subscription_id",
		subscriptionID, end, tx.Now).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
