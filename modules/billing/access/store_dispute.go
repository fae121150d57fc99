package access

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// disputeRow is a dispute as the database has it.
type disputeRow struct {
	Dispute
	ShutAt, ShutUntil, EndedAt, GivenAt bun.NullTime
}

func selectDisputes(ctx context.Context, tx db.Tx, where string, args ...any) ([]Dispute, error) {
	var rows []disputeRow
	err := tx.NewRaw(`SELECT provider_id, charge, subscription, paid, coalesce(reader_id, 0) AS reader_id, amount,
			currency, state, opened_at, shut_at, shut_until, ended_at, given_at
		FROM billing_disputes WHERE `+where, args...).Scan(ctx, &rows)
	list := make([]Dispute, len(rows))
	for i, r := range rows {
		list[i] = r.Dispute
		list[i].ShutAt, list[i].ShutUntil = r.ShutAt.UTC(), r.ShutUntil.UTC()
		list[i].EndedAt, list[i].GivenAt = r.EndedAt.UTC(), r.GivenAt.UTC()
	}
	return list, err
}

func findDispute(ctx context.Context, tx db.Tx, id string) (*Dispute, error) {
	list, err := selectDisputes(ctx, tx, "provider_id = ? FOR UPDATE", id)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// FindDispute returns a dispute; nil if it is not known.
func FindDispute(ctx context.Context, tx db.Tx, id string) (*Dispute, error) {
	return findDispute(ctx, tx, id)
}

func putDispute(ctx context.Context, tx db.Tx, d Dispute) error {
	null := func(t time.Time) bun.NullTime { return bun.NullTime{Time: t} }
	_, err := tx.NewRaw(`INSERT INTO billing_disputes (provider_id, charge, subscription, paid, reader_id, amount,
			currency, state, opened_at, updated_at, shut_at, shut_until, ended_at, given_at)
		VALUES (?, ?, ?, ?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (provider_id) DO UPDATE SET amount = excluded.amount, state = excluded.state,
			updated_at = excluded.updated_at, shut_at = excluded.shut_at, shut_until = excluded.shut_until,
			ended_at = excluded.ended_at, given_at = excluded.given_at`,
		d.ProviderID, d.Charge, d.Subscription, d.Paid, d.ReaderID, d.Amount, d.Currency, string(d.State), d.OpenedAt,
		tx.Now, null(d.ShutAt), null(d.ShutUntil), null(d.EndedAt), null(d.GivenAt)).Exec(ctx)
	return err
}

// OwesEnd reports whether a subscription is still to be ended at the provider because a payment of it is gone.
func OwesEnd(ctx context.Context, tx db.Tx, subscription string) (owes bool, err error) {
	err = tx.NewRaw(`SELECT EXISTS (SELECT FROM billing_disputes
		WHERE subscription = ? AND subscription <> '' AND state IN ('open', 'lost') AND ended_at IS NULL)`, subscription).
		Scan(ctx, &owes)
	return owes, err
}

// MarkEnded notes that a subscription was ended because payments of it are gone.
func MarkEnded(ctx context.Context, tx db.Tx, subscription string) error {
	_, err := tx.NewRaw(`UPDATE billing_disputes SET ended_at = ?, updated_at = ?
		WHERE subscription = ? AND state IN ('open', 'lost') AND ended_at IS NULL`, tx.Now, tx.Now, subscription).Exec(ctx)
	return err
}

// UnsettledCharges returns the charges of disputes that are not decided, and of those that still ask for something.
func UnsettledCharges(ctx context.Context, tx db.Tx) (charges []string, err error) {
	err = tx.NewRaw(`SELECT charge FROM billing_disputes WHERE state IN ('inquiry', 'open')
		UNION SELECT charge FROM billing_disputes WHERE subscription <> '' AND state = 'lost' AND ended_at IS NULL`).
		Scan(ctx, &charges)
	return charges, err
}
