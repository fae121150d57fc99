package subscription

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// Intent is one attempt to pay.
type Intent struct {
	ID        int64
	ReaderID  int64
	Product   string
	Intro     bool
	Person    string
	Referrer  string
	SessionID string
	URL       string
	State     string
	Shown     string    // above the button
	Given     time.Time // until when the reader reads without paying; the first payment is due then
	CreatedAt time.Time
	ExpiresAt time.Time

	outdated bool // the reader was shown something else since
}

// paidFrom is when the first payment is due; zero: at once.
func (in Intent) paidFrom() time.Time { return access.PaidFrom(in.Given, in.CreatedAt) }

// States of an intent.
const (
	intentOpen    = "open"
	intentPaid    = "paid"
	intentExpired = "expired"
	intentFailed  = "failed"
)

const intentColumns = `id, reader_id, product, intro, person, referrer, coalesce(session_id, '') AS session_id, url, ` +
	`state, created_at, expires_at,
	shown, coalesce(given_until, '0001-01-01 00:00:00+00') AS given`

// FindIntent returns nil when there is none.
func FindIntent(ctx context.Context, tx db.Tx, where string, args ...any) (*Intent, error) {
	var in Intent
	err := tx.NewRaw("SELECT "+intentColumns+" FROM billing_intents WHERE "+where, args...).Scan(ctx, &in)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &in, err
}

func insertIntent(ctx context.Context, tx db.Tx, in Intent) (*Intent, error) {
	err := tx.NewRaw(`INSERT INTO billing_intents (reader_id, product, intro, person, referrer, shown, created_at,
		expires_at, given_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING id, created_at`, in.ReaderID, in.Product, in.Intro, in.Person, in.Referrer, in.Shown,
		tx.Now.Truncate(time.Second), tx.Now.Add(access.IntentTTL), bun.NullTime{Time: in.Given}).
		Scan(ctx, &in.ID, &in.CreatedAt)
	return &in, err
}

func setCheckout(ctx context.Context, tx db.Tx, id int64, c stripe.Checkout) error {
	_, err := tx.NewRaw("UPDATE billing_intents SET session_id = ?, url = ? WHERE id = ?", c.ID, c.URL, id).Exec(ctx)
	return err
}

// settleIntent ends an open intent; one that has ended stays as it is.
func settleIntent(ctx context.Context, tx db.Tx, id int64, state string) error {
	_, err := tx.NewRaw("UPDATE billing_intents SET state = ?, settled_at = ? WHERE id = ? AND state = 'open'", state,
		tx.Now, id).Exec(ctx)
	return err
}

// payIntent notes that the reader's intent has led to a subscription, even when it was given up before, and returns
// whose introductory price it was; "" for an intent that is not theirs.
func payIntent(ctx context.Context, tx db.Tx, id, readerID int64) (person string, err error) {
	err = tx.NewRaw(`UPDATE billing_intents SET state = 'paid', settled_at = coalesce(settled_at, ?)
		WHERE id = ? AND reader_id = ? RETURNING person`, tx.Now, id, readerID).Scan(ctx, &person)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return person, err
}

func listOpenIntents(ctx context.Context, tx db.Tx, before time.Time) (list []Intent, err error) {
	err = tx.NewRaw("SELECT "+intentColumns+" FROM billing_intents WHERE state = 'open' AND created_at <= ? ORDER BY id "+
		"LIMIT 200", before).Scan(ctx, &list)
	return list, err
}
