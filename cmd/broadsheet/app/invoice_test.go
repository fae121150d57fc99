package app

import (
	"context"
	"strings"
	"testing"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// A wrong buyer is corrected from the command line, with a trace, once.
func TestInvoiceCorrect(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	storeInvoice(ctx, t, d)
	const fv = oldInvoice
	for _, c := range []struct {
		args  []string
		says  string
		err   string
		trace int64
	}{
		{args: []string{fv, "--reason", "r"}, err: "--from-account"},
		{args: []string{fv, "--company", "Lipa", "--from-account", "--reason", "r"}, err: "--from-account"},
		{args: []string{fv, "--company", "Lipa"}, err: "--reason"},
		{args: []string{"FV-2026-000009", "--company", "Lipa", "--reason", "r"}, err: "no invoice"},
		{
			args: []string{fv, "--company", "Lipa", "--reason", "r", "--dry-run"},
			says: "nothing is changed: FV-2020-000001 (Eva Nová) is taken back by CN-",
		},
		{
			args: []string{fv, "--company", "Lipa", "--company-id", "99123456", "--reason", "asked", "--operator", "jana"},
			says: "(Lipa)\nbase 72,36 €, VAT 16,64 €, total 89,00 €", trace: 1,
		},
		{
			args: []string{fv, "--company", "Lipa", "--company-id", "99123456", "--reason", "asked"},
			says: "done before: FV-2020-000001",
		},
	} {
		before := corrections(ctx, t, d)
		out, err := p.command(append(append([]string{"invoice", "correct"}, c.args...), "--edition", id)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(strings.ReplaceAll(out, "\u00a0", " "), c.says) {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
		if got := corrections(ctx, t, d) - before; got != c.trace {
			t.Errorf("%v leaves %d traces, not %d", c.args, got, c.trace)
		}
	}
	if n := queryNumber(ctx, t, d, "SELECT count(*) FROM billing_documents WHERE source LIKE 'correct:%'"); n != 2 {
		t.Errorf("%d documents", n)
	}
}

func corrections(ctx context.Context, t *testing.T, d *db.DB) int64 {
	t.Helper()
	return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit WHERE action = 'invoice-correct'")
}

const oldInvoice = "FV-2020-000001"

// storeInvoice stores an invoice of another year.
func storeInvoice(ctx context.Context, t *testing.T, d *db.DB) {
	t.Helper()
	if err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO billing_documents (source, issuer, kind, year, n, number, reader_id, total,
			currency, issued_at, snapshot)
			VALUES ('invoice:in_1', ?0, 'FV', 2020, 1, '`+oldInvoice+`', 7, 8900, 'EUR', now(), ?1)`,
			tx.Edition.Supplier.Company,
			`{"supplier": {}, "customer": {"name": "Eva Nová", "email": "eva@example.org", "country": "SK"},
			"lines": [{"name": "Ročné predplatné", "category": "S", "permille": 230, "gross": 8900, "net": 7236}], "taxes": `+
				`[{"category": "S", "permille": 230, "net": 7236, "vat": 1664}],
			"net": 7236, "vat": 1664, "total": 8900, "paid": 8900, "currency": "EUR", "issued": "2026-11-22", "delivered": `+
				`"2026-11-22", "due": "2026-11-22", "order": "1", "ordered": "2026-11-22", "method": "card"}`).Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
