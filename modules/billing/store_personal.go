package billing

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
)

// exportTables is what a reader's export has of this module.
var exportTables = []privacy.Query{
	{Name: "subscriptions", SQL: `SELECT id, provider_id, product, status, trial, amount, paid, currency, period_start,
		period_end, cancel_at_period_end, started_at, ended_at, paused, resumes_at, next_product, refunded, disputed
		FROM billing_subscriptions WHERE reader_id = ?0 ORDER BY id`},
	{Name: "payments", SQL: "SELECT product, intro, shown, state, created_at, settled_at FROM billing_intents WHERE " +
		"reader_id = ?0 ORDER BY id"},
	{Name: "subscription_changes", SQL: "SELECT kind, product, periods, amount, at, state, created_at, settled_at FROM " +
		"billing_changes WHERE reader_id = ?0 ORDER BY id"},
	{Name: "price_changes", SQL: `SELECT c.amount, c.was, c.from_at, c.told_at, c.applied_at FROM billing_price_changes c
		JOIN billing_subscriptions s ON s.id = c.subscription_id WHERE s.reader_id = ?0 ORDER BY c.id`},
	{Name: "customer", SQL: "SELECT provider_id, created_at FROM billing_customers WHERE reader_id = ?0"},
	{Name: "invoices", SQL: "SELECT number, status, product, total, paid, currency, created_at FROM billing_invoices " +
		"WHERE reader_id = ?0 ORDER BY id"},
	{Name: "documents", SQL: `SELECT number, kind, total, currency, issued_at, snapshot->>'customer' AS customer,
		snapshot->>'lines' AS lines
		FROM billing_documents WHERE reader_id = ?0 ORDER BY id`},
	{Name: "invoice_data", SQL: `SELECT client_type, name, email, line1, line2, city, postal_code, country,
		company_name, company_ico, company_dic, company_ic_dph, updated_at
		FROM billing_invoice_data WHERE reader_id = ?0`},
	{Name: "disputes", SQL: "SELECT provider_id, amount, currency, state, opened_at, shut_at, shut_until, given_at FROM " +
		"billing_disputes WHERE reader_id = ?0 ORDER BY opened_at, provider_id"},
	{Name: "given_access", SQL: "SELECT until, reason, product, granted_at FROM billing_grants WHERE reader_id = ?0 " +
		"ORDER BY id"},
	{Name: "coupons", SQL: "SELECT c.product, c.periods, r.redeemed_at, r.until FROM billing_redemptions r JOIN " +
		"billing_coupons c ON c.id = r.coupon_id WHERE r.reader_id = ?0 ORDER BY r.redeemed_at"},
	{Name: "gifts", SQL: "SELECT product, amount, currency, buyer_name, email, message, state, created_at, send_at FROM " +
		"billing_gifts WHERE buyer_email = ?1 AND created_at >= ?3 AND created_at < ?2 ORDER BY id"},
	{Name: "transfers", SQL: "SELECT product, amount, currency, shown, reference, state, created_at, due_at, starts_at, " +
		"ends_at, settled_at FROM billing_transfers WHERE reader_id = ?0 ORDER BY id"},
	{Name: "bank_payments", SQL: `SELECT l.booked, l.amount, l.currency, l.payer, l.payer_iban, l.given, l.state FROM
		billing_bank_lines l
		JOIN billing_transfers o ON o.id = l.transfer_id WHERE o.reader_id = ?0 ORDER BY l.id`},
	{Name: "withdrawals", SQL: "SELECT name, email, contract, state, product, received_at, concluded_at, amount, " +
		"currency, settled_at FROM billing_withdrawals WHERE email = ?1 AND created_at >= ?3 AND created_at < ?2 ORDER BY " +
		"id"},
	{Name: "offers", SQL: "SELECT product, created_at, expires_at FROM billing_wishes WHERE email = ?1 AND created_at " +
		">= ?3 AND created_at < ?2 ORDER BY id"},
}

// eraseStatements is what is removed of a reader who leaves. A checkout that came to nothing proves nothing.
var eraseStatements = []string{
	"DELETE FROM billing_intents WHERE reader_id = ?0 AND state IN ('expired', 'failed')",
	"UPDATE billing_intents SET url = '', referrer = '/' WHERE reader_id = ?0",
	"DELETE FROM billing_readers WHERE reader_id = ?0",
	"DELETE FROM billing_invoice_data WHERE reader_id = ?0",
	"DELETE FROM billing_drafts WHERE reader_id = ?0",
	"DELETE FROM billing_grants WHERE reader_id = ?0",
	"DELETE FROM billing_redemptions WHERE reader_id = ?0",
	"UPDATE billing_transfers SET left_at = ?2 WHERE reader_id = ?0 AND left_at IS NULL",
	// What waits for a person keeps the account to which it may have to go back.
	`UPDATE billing_bank_lines SET payer = '', payer_iban = '', given = '', numbers = numbers[1:3] || ''::text WHERE ` +
		`state <> 'queued' AND transfer_id IN (SELECT id FROM billing_transfers WHERE reader_id = ?0)`,
	"DELETE FROM billing_gifts WHERE buyer_email = ?1 AND created_at < ?2 AND state = 'expired'",
	"UPDATE billing_gifts SET buyer_email = '', buyer_name = '', message = '' WHERE buyer_email = ?1 AND created_at < ?2",
	"UPDATE billing_gifts SET email = '', message = '' WHERE email = ?1 AND created_at < ?2",
	"DELETE FROM billing_withdrawals WHERE email = ?1 AND created_at < ?2 AND received_at IS NULL",
	"UPDATE billing_withdrawals SET name = '', email = '' WHERE email = ?1 AND created_at < ?2",
	"DELETE FROM billing_wishes WHERE email = ?1 AND created_at < ?2",
}

func deleteTrialGrants(ctx context.Context, tx db.Tx, person string, before time.Time) error {
	_, err := tx.NewRaw("DELETE FROM billing_promises WHERE person = ? AND promised_at < ?", person, before).Exec(ctx)
	return err
}
