package invoice

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
)

// FindBuyer returns nil when there is none, and when it was set.
func FindBuyer(ctx context.Context, tx db.Tx, readerID int64) (*Buyer, time.Time, error) {
	var d Buyer
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
	d.ICDPH = CleanTaxNumber(d.Country, d.ICDPH) // older versions kept it as it was typed
	return &d, at, nil
}

func putBuyer(ctx context.Context, tx db.Tx, readerID int64, d Buyer) error {
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

// MoveBuyer has the invoices that go to a reader's address go to another one.
func MoveBuyer(ctx context.Context, tx db.Tx, readerID int64, from, to string) error {
	_, err := tx.NewRaw("UPDATE billing_invoice_data SET email = ?, updated_at = ? WHERE reader_id = ? AND lower(email) "+
		"= lower(?)", to, tx.Now, readerID, from).Exec(ctx)
	return err
}

// FindFormDraft returns nil when there is none that is fresh.
func FindFormDraft(ctx context.Context, tx db.Tx, readerID int64) (*Buyer, error) {
	var text []byte
	err := tx.NewRaw("SELECT data FROM billing_drafts WHERE reader_id = ? AND kept_at > ?", readerID,
		tx.Now.Add(-FormDraftTTL)).Scan(ctx, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var d Buyer
	return &d, json.Unmarshal(text, &d)
}

func putFormDraft(ctx context.Context, tx db.Tx, readerID int64, d Buyer) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw(`INSERT INTO billing_drafts (reader_id, data, kept_at) VALUES (?, ?, ?)
		ON CONFLICT (reader_id) DO UPDATE SET data = excluded.data, kept_at = excluded.kept_at`, readerID, string(text),
		tx.Now).Exec(ctx)
	return err
}

func deleteFormDraft(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw("DELETE FROM billing_drafts WHERE reader_id = ?", readerID).Exec(ctx)
	return err
}
