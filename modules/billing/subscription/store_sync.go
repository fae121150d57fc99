package subscription

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// drawTicket numbers a look at a subscription.
func drawTicket(ctx context.Context, tx db.Tx, providerID string) (n int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_syncs (provider_id, drawn) VALUES (?, 1)
		ON CONFLICT (provider_id) DO UPDATE SET drawn = billing_syncs.drawn + 1 RETURNING drawn`, providerID).Scan(ctx, &n)
	return n, err
}

// lockTicket locks the subscription and reports whether no later look has been written yet.
func lockTicket(ctx context.Context, tx db.Tx, providerID string, ticket int64) (fresh bool, err error) {
	if _, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended('billing.subscription:' || ?, 0))", providerID).
		Exec(ctx); err != nil {
		return false, err
	}
	err = tx.NewRaw("SELECT written < ? FROM billing_syncs WHERE provider_id = ?", ticket, providerID).Scan(ctx, &fresh)
	return fresh, err
}

func markTicket(ctx context.Context, tx db.Tx, providerID string, ticket int64) error {
	_, err := tx.NewRaw("UPDATE billing_syncs SET written = ? WHERE provider_id = ?", ticket, providerID).Exec(ctx)
	return err
}

// putEvent stores a message; known says that it was stored before.
func putEvent(ctx context.Context, tx db.Tx, e stripe.Event) (known bool, err error) {
	res, err := tx.NewRaw(`INSERT INTO billing_events (id, type, object, object_id, created_at, received_at) VALUES (?,
		?, ?, ?, ?, ?)
		ON CONFLICT (id) DO NOTHING`, e.ID, e.Type, e.Object, e.ObjectID, e.Created, tx.Now).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 0, err
}

func findEvent(ctx context.Context, tx db.Tx, id string) (object, objectID string, err error) {
	err = tx.NewRaw("SELECT object, object_id FROM billing_events WHERE id = ?", id).Scan(ctx, &object, &objectID)
	return object, objectID, err
}

// doneEvent marks a message as acted upon and returns how long ago the provider has made it.
func doneEvent(ctx context.Context, tx db.Tx, id string) (lag time.Duration, err error) {
	var created time.Time
	err = tx.NewRaw("UPDATE billing_events SET done_at = ? WHERE id = ? RETURNING created_at", tx.Now, id).
		Scan(ctx, &created)
	return max(0, tx.Now.Sub(created)), err
}

// noteCharge writes what went back of an invoice that is known. What was refunded stays refunded; a dispute can be won.
func noteCharge(ctx context.Context, tx db.Tx, in stripe.Invoice) error {
	_, err := tx.NewRaw(`UPDATE billing_invoices SET refunded = greatest(refunded, ?0), disputed = ?1,
		updated_at = ?2
		WHERE provider_id = ?3 AND (refunded < ?0 OR disputed <> ?1)`, in.Refunded, in.Disputed, tx.Now, in.ProviderID).
		Exec(ctx)
	return err
}

// findInvoiceReader is whose an invoice is; 0 for one that is not known.
func findInvoiceReader(ctx context.Context, tx db.Tx, providerID string) (readerID int64, err error) {
	err = tx.NewRaw("SELECT coalesce((SELECT reader_id FROM billing_invoices WHERE provider_id = ?), 0)", providerID).
		Scan(ctx, &readerID)
	return readerID, err
}
