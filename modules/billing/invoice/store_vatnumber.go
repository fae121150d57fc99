package invoice

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// findVATAnswer returns nil when the register has never answered for a number.
func findVATAnswer(ctx context.Context, tx db.Tx, number string) (*VATAnswer, error) {
	a := new(VATAnswer)
	return db.One(a,
		tx.NewRaw("SELECT number, valid, consultation, asked_at FROM billing_vat_numbers WHERE number = ?", number).
			Scan(ctx, a))
}

// putVATAnswer keeps the newest answer.
func putVATAnswer(ctx context.Context, tx db.Tx, a VATAnswer) error {
	_, err := tx.NewRaw(`INSERT INTO billing_vat_numbers AS n (number, valid, consultation, asked_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (number) DO UPDATE SET valid = excluded.valid, consultation = excluded.consultation, asked_at =
		excluded.asked_at
		WHERE n.asked_at <= excluded.asked_at`, a.Number, a.Valid, a.Consultation, a.AskedAt).Exec(ctx)
	return err
}

// listCompaniesThatPay are the companies with a VAT number and a subscription that is not over, or an order that waits
// for a transfer.
func listCompaniesThatPay(ctx context.Context, tx db.Tx) (list []Buyer, err error) {
	err = tx.NewRaw(`SELECT client_type, country, company_ic_dph AS icdph FROM billing_invoice_data d WHERE client_type
		= 'company' AND company_ic_dph <> ''
		AND (EXISTS (SELECT FROM billing_subscriptions s WHERE s.reader_id = d.reader_id AND NOT s.trial AND s.status NOT
		IN ('canceled', 'incomplete_expired'))
			OR EXISTS (SELECT FROM billing_transfers o WHERE o.reader_id = d.reader_id AND o.state = 'open'))
		ORDER BY reader_id`).Scan(ctx, &list)
	return list, err
}
