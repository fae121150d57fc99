package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// PutInvoice stores the copy of an invoice of the provider.
func PutInvoice(ctx context.Context, tx db.Tx, readerID int64, in stripe.Invoice) error {
	_, err := tx.NewRaw(`INSERT INTO billing_invoices (provider_id, reader_id, number, status, product, total, paid,
		currency, created_at, updated_at, refunded, disputed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (provider_id) DO UPDATE SET number = excluded.number, status = excluded.status, total =
		excluded.total, paid = excluded.paid,
			refunded = excluded.refunded, disputed = excluded.disputed, updated_at = excluded.updated_at`,
		in.ProviderID, readerID, in.Number, in.Status, in.Product, in.Total, in.Paid, in.Currency, in.CreatedAt, tx.Now,
		in.Refunded, in.Disputed).Exec(ctx)
	return err
}

// listUndocumented returns the copies of what the provider has not been paid for, or of which there is no document yet.
func listUndocumented(ctx context.Context, tx db.Tx, readerID int64) (list []stripe.Invoice, err error) {
	err = tx.NewRaw(`SELECT id, provider_id, number, status, product, total, paid, refunded, disputed, currency,
		created_at FROM billing_invoices i
		WHERE reader_id = ? AND NOT EXISTS (SELECT FROM billing_documents d WHERE d.provider_id = i.provider_id AND d.kind
		= 'FV')
		ORDER BY created_at DESC, id DESC LIMIT 500`, readerID).Scan(ctx, &list)
	return list, err
}
