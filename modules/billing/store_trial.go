package billing

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

func findDismissed(ctx context.Context, tx db.Tx, readerID int64) (time.Time, error) {
	var at bun.NullTime
	err := tx.NewRaw("SELECT reminder_dismissed_at FROM billing_readers WHERE reader_id = ?", readerID).Scan(ctx, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return at.Time, err
}

func putDismissed(ctx context.Context, tx db.Tx, readerID int64, dismissed bool) error {
	at := bun.NullTime{}
	if dismissed {
		at.Time = tx.Now
	}
	_, err := tx.NewRaw(`INSERT INTO billing_readers (reader_id, reminder_dismissed_at) VALUES (?, ?)
		ON CONFLICT (reader_id) DO UPDATE SET reminder_dismissed_at = excluded.reminder_dismissed_at`, readerID, at).Exec(ctx)
	return err
}

func putPromise(ctx context.Context, tx db.Tx, person, source string) error {
	_, err := tx.NewRaw("INSERT INTO billing_promises (person, source, promised_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", person, source, tx.Now).Exec(ctx)
	return err
}

func isPromised(ctx context.Context, tx db.Tx, person, source string) (ok bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_promises WHERE person = ? AND source = ?)", person, source).Scan(ctx, &ok)
	return ok, err
}

// claimReminders takes each trial that is about to end and has not been reminded, once however many ask.
func claimReminders(ctx context.Context, tx db.Tx, until time.Time) (ids []int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at)
		SELECT id, 'trial_ending', period_end, ?0 FROM billing_subscriptions
		WHERE trial AND status = 'trialing' AND period_end <= ?1 AND period_end > ?0
		ON CONFLICT DO NOTHING RETURNING subscription_id`, tx.Now, until).Scan(ctx, &ids)
	return ids, err
}

// endTrials ends what is over and returns whose it was.
func endTrials(ctx context.Context, tx db.Tx) (readers []int64, err error) {
	err = tx.NewRaw(`UPDATE billing_subscriptions SET status = 'ended', ended_at = period_end, updated_at = ?0
		WHERE trial AND status = 'trialing' AND period_end <= ?0 RETURNING reader_id`, tx.Now).Scan(ctx, &readers)
	return readers, err
}

// claimEnded takes each reader's last subscription that has ended since, and of which nobody was told.
func claimEnded(ctx context.Context, tx db.Tx, since time.Time) (ids []int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at)
		SELECT s.id, 'access_ended', s.ended_at, ?0 FROM billing_subscriptions s
		WHERE s.status IN ('ended', 'canceled') AND s.ended_at <= ?0 AND s.ended_at > ?1
			AND NOT EXISTS (SELECT FROM billing_subscriptions o WHERE o.reader_id = s.reader_id AND o.id <> s.id
				AND (o.status IN ('active', 'trialing', 'past_due') OR (o.ended_at, o.id) > (s.ended_at, s.id)))
		ON CONFLICT DO NOTHING RETURNING subscription_id`, tx.Now, since).Scan(ctx, &ids)
	return ids, err
}
