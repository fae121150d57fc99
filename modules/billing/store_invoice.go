package billing

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
)

// findInvoiceData returns nil when there is none, and when it was set.
func findInvoiceData(ctx context.Context, tx db.Tx, readerID int64) (*InvoiceData, time.Time, error) {
	var d InvoiceData
	var at time.Time
	err := tx.NewRaw(`SELECT client_type, name, email, line1, line2, city, postal_code, country, company_name,
		company_ico, company_dic, company_ic_dph, updated_at
		FROM billing_invoice_data WHERE reader_id = ?`, readerID).
		Scan(ctx, &d.ClientType, &d.Name, &d.Email, &d.Line1, &d.Line2, &d.City,
			&d.PostalCode, &d.Country, &d.Company, &d.ICO, &d.DIC, &d.ICDPH, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, at, nil
	}
	if err != nil {
		return nil, at, err
	}
	return &d, at, nil
}

// findPayer returns nil when the reader has set nothing.
func findPayer(ctx context.Context, tx db.Tx, readerID int64) (*payer, error) {
	d, at, err := findInvoiceData(ctx, tx, readerID)
	if err != nil || d == nil {
		return nil, err
	}
	p := d.payer(tx.Edition, at)
	return &p, nil
}

func putInvoiceData(ctx context.Context, tx db.Tx, readerID int64, d InvoiceData) error {
	_, err := tx.NewRaw(`INSERT INTO billing_invoice_data (reader_id, client_type, name, email, line1, line2, city,
		postal_code, country,
			company_name, company_ico, company_dic, company_ic_dph, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (reader_id) DO UPDATE SET client_type = excluded.client_type, name = excluded.name, email =
		excluded.email,
			line1 = excluded.line1, line2 = excluded.line2, city = excluded.city, postal_code = excluded.postal_code, country
			= excluded.country,
			company_name = excluded.company_name, company_ico = excluded.company_ico, company_dic = excluded.company_dic,
			company_ic_dph = excluded.company_ic_dph, updated_at = excluded.updated_at`,
		readerID, d.ClientType, d.Name, d.Email, d.Line1, d.Line2, d.City, d.PostalCode, d.Country, d.Company, d.ICO, d.DIC,
		d.ICDPH, tx.Now).Exec(ctx)
	return err
}

// moveInvoiceData has the invoices that go to a reader's address go to another one.
func moveInvoiceData(ctx context.Context, tx db.Tx, readerID int64, from, to string) error {
	_, err := tx.NewRaw("UPDATE billing_invoice_data SET email = ?, updated_at = ? WHERE reader_id = ? AND lower(email) "+
		"= lower(?)", to, tx.Now, readerID, from).Exec(ctx)
	return err
}

// findDraft returns nil when there is none that is fresh.
func findDraft(ctx context.Context, tx db.Tx, readerID int64) (*InvoiceData, error) {
	var text []byte
	err := tx.NewRaw("SELECT data FROM billing_drafts WHERE reader_id = ? AND kept_at > ?", readerID,
		tx.Now.Add(-draftLife)).Scan(ctx, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var d InvoiceData
	return &d, json.Unmarshal(text, &d)
}

func putDraft(ctx context.Context, tx db.Tx, readerID int64, d InvoiceData) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw(`INSERT INTO billing_drafts (reader_id, data, kept_at) VALUES (?, ?, ?)
		ON CONFLICT (reader_id) DO UPDATE SET data = excluded.data, kept_at = excluded.kept_at`, readerID, string(text),
		tx.Now).Exec(ctx)
	return err
}

func deleteDraft(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw("DELETE FROM billing_drafts WHERE reader_id = ?", readerID).Exec(ctx)
	return err
}

func putInvoice(ctx context.Context, tx db.Tx, readerID int64, in invoice) error {
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
func listUndocumented(ctx context.Context, tx db.Tx, readerID int64) (list []invoice, err error) {
	err = tx.NewRaw(`SELECT id, provider_id, number, status, product, total, paid, refunded, disputed, currency,
		created_at FROM billing_invoices i
		WHERE reader_id = ? AND NOT EXISTS (SELECT FROM billing_documents d WHERE d.provider_id = i.provider_id AND d.kind
		= 'FV')
		ORDER BY created_at DESC, id DESC LIMIT 500`, readerID).Scan(ctx, &list)
	return list, err
}
