package subscription

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// listOtherPrices are the subscriptions to a product that cost something else than it does now, and whose readers have
// not been told.
func listOtherPrices(ctx context.Context, tx db.Tx, p *edition.Product) ([]access.Subscription, error) {
	intro := int64(0)
	if p.Intro != nil {
		intro = p.Intro.Amount
	}
	least := tx.Now // of a period that is shorter than the notice, the next one will do
	if p.Interval.Unit == "year" {
		least = tx.Now.Add(priceToldBefore)
	}
	return access.Select(ctx, tx, `status = 'active' AND NOT trial AND NOT transfer AND NOT cancel_at_period_end `+
		`AND next_product = '' AND product = ? AND amount NOT IN (?, ?)
		AND period_end BETWEEN ? AND ? AND NOT EXISTS (SELECT FROM billing_price_changes c WHERE c.subscription_id = `+
		`billing_subscriptions.id AND c.amount = ? AND c.was = billing_subscriptions.amount)
		ORDER BY period_end LIMIT 2000`, p.Type, p.Amount, intro, least, tx.Now.Add(priceToldEarlier), p.Amount)
}

// insertPriceChange returns 0 for one that is there.
func insertPriceChange(ctx context.Context, tx db.Tx, c email.PriceChange) (id int64, err error) {
	err = tx.NewRaw("INSERT INTO billing_price_changes (subscription_id, amount, was, from_at, told_at) VALUES (?, ?, "+
		"?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
		c.SubscriptionID, c.Amount, c.Was, c.FromAt, tx.Now).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

const priceColumns = "c.id, c.subscription_id, coalesce(s.provider_id, '') AS provider_id, c.amount, c.was, c.from_at"

// listDuePrices are those whose renewal is the next one, and near.
func listDuePrices(ctx context.Context, tx db.Tx, until time.Time) (list []email.PriceChange, err error) {
	err = tx.NewRaw("SELECT "+priceColumns+` FROM billing_price_changes c JOIN billing_subscriptions s ON s.id = `+
		`c.subscription_id
		WHERE c.applied_at IS NULL AND s.status = 'active' AND s.amount = c.was AND s.period_end >= c.from_at AND `+
		`s.period_end <= ? ORDER BY c.id LIMIT 500`, until).Scan(ctx, &list)
	return list, err
}

// findPriceChange returns nil for none that is still to be made.
func findPriceChange(ctx context.Context, tx db.Tx, where string, args ...any) (*email.PriceChange, error) {
	var c email.PriceChange
	err := tx.NewRaw("SELECT "+priceColumns+" FROM billing_price_changes c JOIN billing_subscriptions s ON s.id = "+
		"c.subscription_id WHERE c.applied_at IS NULL AND s.amount = c.was AND "+where, args...).Scan(ctx, &c)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &c, err
}

func markPriceChange(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE billing_price_changes SET applied_at = ? WHERE id = ? AND applied_at IS NULL", tx.Now, id).
		Exec(ctx)
	return err
}

// markRenewal has a renewal not be announced any more.
func markRenewal(ctx context.Context, tx db.Tx, subscriptionID int64, periodEnd time.Time) error {
	_, err := tx.NewRaw("INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at) VALUES (?, "+
		"'renewal', ?, ?) ON CONFLICT DO NOTHING",
		subscriptionID, periodEnd, tx.Now).Exec(ctx)
	return err
}
