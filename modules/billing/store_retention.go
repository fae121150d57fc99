package billing

import (
	"time"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/retention"
)

const (
	unpaidRetention     = 90 * 24 * time.Hour
	messageRetention    = 90 * 24 * time.Hour // the provider sends one again for three days, and lists them for thirty
	grantRetention      = 365 * 24 * time.Hour
	couponRetention     = 365 * 24 * time.Hour
	trialGrantRetention = 2 * 365 * 24 * time.Hour
	withdrawalRetention = 3 * 365 * 24 * time.Hour
	answerRetention     = 365 * 24 * time.Hour
	driftRetention      = 365 * 24 * time.Hour
	reviewRetention     = 3 * 365 * 24 * time.Hour
)

// retentions is how long this module keeps what. Reminders go before the subscriptions that they belong to, and that a
// document is void before it.
var retentions = []retention.Rule{
	{
		Name: "billing_drafts", Rows: "billing data that a form was refused with", Kept: invoice.FormDraftTTL,
		Where: "x.kept_at < ?0",
	},
	{
		Name: "billing_intents.unpaid", Rows: "checkouts that came to nothing", Kept: unpaidRetention,
		Where: "x.state IN ('expired', 'failed') AND x.settled_at < ?0",
	},
	{
		Name: "billing_events", Rows: "messages of the payment provider, after their work was done", Kept: messageRetention,
		Where: "x.done_at < ?0",
	},
	{
		Name: "billing_grants", Rows: "access that was given away, after its end", Kept: grantRetention,
		Where: "x.until < ?0",
	},
	{
		Name: "billing_wishes", Rows: "offers and codes that were asked for without a login, after their end",
		Where: "x.expires_at < ?0",
	},
	{
		Name: "billing_withdrawals.unsent", Rows: "withdrawals from a contract that were begun and not sent",
		Kept: 24 * time.Hour, Where: "x.received_at IS NULL AND x.created_at < ?0",
	},
	{
		Name: "billing_withdrawals", Rows: "withdrawals from a contract, also those that nobody has confirmed",
		Kept: withdrawalRetention, Where: "(x.state IN ('none', 'done') OR x.confirmed_at IS NULL) AND x.received_at < ?0",
	},
	{
		Name: "billing_gifts.unpaid", Rows: "gifts that were not paid for", Kept: unpaidRetention,
		Where: "x.state = 'expired' AND x.settled_at < ?0",
	},
	{
		Name: "billing_gifts", Rows: "gifts that were paid for", Years: (*edition.Edition).YearsOfAccounts,
		Where: "x.state IN ('paid', 'refunded') AND x.settled_at < ?0",
	},
	{
		Name: "billing_coupons", Rows: "codes and who has redeemed them, after their end", Kept: couponRetention,
		Where: "x.valid_until < ?0",
	},
	{Name: "billing_promises", Rows: "promises of a trial", Kept: trialGrantRetention, Where: "x.promised_at < ?0"},
	{
		Name: "billing_drift", Rows: "subscriptions that were not as the provider had them, after they were repaired",
		Kept: driftRetention, Where: "x.repaired_at < ?0",
	},
	{
		Name: "billing_vat_numbers", Rows: "answers of the register of VAT numbers", Kept: answerRetention,
		Where: "x.asked_at < ?0",
	},
	{
		Name: "billing_parked", Rows: "payments that somebody had to look at, after that", Kept: reviewRetention,
		Where: "x.resolved_at < ?0",
	},
	{
		Name: "billing_disputes", Rows: "disputes about payments, after they were decided",
		Years: (*edition.Edition).YearsOfAccounts, Where: "x.state NOT IN ('inquiry', 'open') AND x.updated_at < ?0",
	},
	{
		Name: "billing_invoices", Rows: "copies of invoices", Years: (*edition.Edition).YearsOfAccounts,
		Where: "x.created_at < ?0",
	},
	{
		Name: "billing_bank_lines", Rows: "payments of bank statements, after they were paired or given back",
		Years: (*edition.Edition).YearsOfAccounts, Where: "x.settled_at < ?0",
	},
	{
		Name: "billing_statements", Rows: "which bank statements were read", Years: (*edition.Edition).YearsOfAccounts,
		Where: "x.imported_at < ?0",
	},
	{
		Name: "billing_transfers", Rows: "orders by bank transfer, with their pro-forma invoice", Years: (*edition.Edition).
			YearsOfAccounts,
		Where: `x.settled_at < ?0 AND x.created_at < ?0 AND NOT EXISTS (SELECT FROM billing_bank_lines l WHERE ` +
			`l.transfer_id = x.id)`,
	},
	{
		Name: "billing_voids", Rows: "that a pro-forma invoice is void, with it", Years: (*edition.Edition).YearsOfAccounts,
		Where: "x.document_id IN (SELECT d.id FROM billing_documents d WHERE d.issued_at < ?0)",
	},
	{
		Name: "billing_documents", Rows: "invoices, pro-forma invoices and credit notes",
		Years: (*edition.Edition).YearsOfAccounts, Where: "x.issued_at < ?0", Setting: "billing.kept_since",
	},
	{
		Name: "billing_intents", Rows: "orders that were paid", Years: (*edition.Edition).YearsOfAccounts,
		Where: "x.state = 'paid' AND x.settled_at < ?0",
	},
	{
		Name: "billing_reminders", Rows: "that the end of a trial or of access was told, with its subscription",
		Years: (*edition.Edition).YearsOfAccounts,
		Where: "x.subscription_id IN (SELECT s.id FROM billing_subscriptions s WHERE " + endedBefore("s") + ")",
	},
	{
		Name: "billing_price_changes", Rows: "that another price was told, with its subscription", Years: (*edition.Edition).
			YearsOfAccounts,
		Where: "x.subscription_id IN (SELECT s.id FROM billing_subscriptions s WHERE " + endedBefore("s") + ")",
	},
	{
		Name: "billing_changes", Rows: "changes of subscriptions that their readers asked for",
		Years: (*edition.Edition).YearsOfAccounts, Where: "x.settled_at < ?0",
	},
	{
		Name: "billing_subscriptions", Rows: "subscriptions and trials, after their end",
		Years: (*edition.Edition).YearsOfAccounts, Where: endedBefore("x"),
	},
	{
		Name: "billing_customers", Rows: "whose customer at the provider a reader is, once no order and no payment is kept",
		Years: (*edition.Edition).YearsOfAccounts,
		Where: `x.created_at < ?0 AND NOT EXISTS (SELECT FROM billing_subscriptions s WHERE s.reader_id = x.reader_id)
			AND NOT EXISTS (SELECT FROM billing_documents d WHERE d.reader_id = x.reader_id) AND NOT EXISTS (SELECT FROM ` +
			`billing_invoices i WHERE i.reader_id = x.reader_id) AND NOT EXISTS (SELECT FROM billing_intents p WHERE ` +
			`p.reader_id = x.reader_id)`,
	},
}

func endedBefore(sub string) string {
	return sub + ".status IN ('canceled', 'incomplete_expired', 'ended') AND coalesce(" + sub +
		".ended_at, " + sub + ".period_end) < ?0"
}
