package app

import (
	"context"
	"net/http"
	"net/http/httptest"
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

// A damaged invoice stops no export, and is named wherever operators look.
func TestInvoiceRedraw(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	storeInvoice(ctx, t, d)
	if err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO billing_documents (source, issuer, kind, year, n, number, reader_id, total,
			currency, issued_at, snapshot) VALUES ('x', 'x', 'FV', 2020, 2, 'FV-2020-000002', 7, 8900, 'EUR', now(), '[]')`).
			Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	day := d.Now().In(ed.Location).Format("2006-01-02")
	for _, c := range []struct{ args, says, err string }{
		{
			"invoice export --from " + day + " --to " + day + " --out " + t.TempDir() + "/a.zip", "a.zip: 2 documents",
			"incomplete",
		},
		{"invoice redraw FV-2020-000001 --dry-run", "FV-2020-000001 is drawn", ""},
		{
			"invoice redraw FV-2020-000002 --dry-run", "FV-2020-000002 cannot be drawn: billing: the document is damaged",
			"1 document",
		},
		{"invoice redraw", "", "reason"},
		{"invoice redraw --reason test", "no email about a document was given up", ""},
		{"invoice redraw FV-1 --reason test", "", "no document FV-1"},
	} {
		out, err := p.command(append(strings.Fields(c.args), "--edition", id)...)
		if !strings.Contains(out, c.says) || (err != nil) != (c.err != "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.args, out, err)
		}
	}
	if err := p.app.Billing.Invoices.CheckDocuments(ctx); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	p.app.adminHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/status", nil))
	if !strings.Contains(w.Body.String(), "1 invoices cannot be drawn or mailed: FV-2020-000002") {
		t.Errorf("the page does not name it: %s", w.Body)
	}
	if n := p.gauges()["broadsheet_billing_documents_failing standard"]; n != 1 {
		t.Errorf("the metric is %v", n)
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
