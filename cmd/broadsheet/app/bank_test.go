package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// bankFile writes a statement of an account with one payment.
func bankFile(t *testing.T, account, reference, id, amount string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "statement.xml")
	text := fmt.Sprintf(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct>`+
		`<Id><IBAN>%s</IBAN></Id></Acct>
		<Ntry><Amt Ccy="EUR">%s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>%s</Dt></BookgDt>`+
		`<AcctSvcrRef>%s</AcctSvcrRef>
		<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Urs Beispiel</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>%s</Ustrd>`+
		`</RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
		account, amount, time.Now().Format(time.DateOnly), id, reference)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A reader orders by transfer without a script, the statement is imported, and the desk's commands leave their trace.
func TestBankCommands(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	b := p.browser(id)
	p.signIn(b, "transfer@example.org")
	r := b.form("/fns/stripe-payment",
		url.Values{"product_type": {"product_yearly"}, "payment_method": {"iban"}, "referrer": {"/"}})
	if r.Status != http.StatusSeeOther || !strings.Contains(r.Header.Get("Location"), "/account/transfer?slip=") {
		t.Fatalf("%d %s", r.Status, r.Header.Get("Location"))
	}
	var ref string
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT reference FROM billing_transfers").Scan(ctx, &ref)
	}); err != nil {
		t.Fatal(err)
	}
	page := b.get(r.Header.Get("Location"))
	for _, want := range []string{ref, "SK89 9952 0000 0019 8742 6375", "89,00", "/fns/transfer-code?slip="} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	good, odd := bankFile(t, ed.Bank.IBAN, "VS "+ref, "B1", "89.00"),
		bankFile(t, ed.Bank.IBAN, "bez symbolu", "B2", "12.00")
	entries := func() int64 { return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit") }
	reads := func() bool {
		var me struct{ Expiration int64 }
		b.get("/user/me/").json(t, &me)
		return me.Expiration > time.Now().AddDate(0, 11, 0).Unix()
	}
	for _, c := range []struct {
		args  []string
		says  string
		err   string
		trace int64
		reads bool
	}{
		{args: []string{"import", good + "x"}, err: "no such file"},
		{args: []string{"import", bankFile(t, "AT879993000198742637", ref, "B1", "89.00")}, err: "the edition's is"},
		{args: []string{"import", good, "--dry-run"}, says: "nothing is changed: 1 payments paired"},
		{args: []string{"import", odd}, says: "0 payments paired, 1 in the queue"},
		{args: []string{"list"}, says: "unknown_reference"},
		{args: []string{"match", "2", ref, "--any-amount"}, err: "--reason"},
		{args: []string{"match", "2", ref, "--reason", "by phone"}, err: "--any-amount"},
		{args: []string{"match", "x", ref, "--reason", "by phone"}, err: "bank list"},
		{args: []string{"match", "99", ref, "--reason", "by phone"}, err: "no such payment"},
		{
			args: []string{"match", "2", ref, "--any-amount", "--reason", "by phone", "--dry-run"},
			says: "nothing is changed: payment 2",
		},
		{args: []string{"dismiss", "2", "--reason", "an advertiser"}, says: "is dismissed", trace: 1},
		{args: []string{"dismiss", "2", "--reason", "an advertiser"}, err: "not in the queue"},
		{args: []string{"match", "2", ref, "--any-amount", "--reason", "by phone"}, err: "not in the queue"},
		{args: []string{"list", "--all"}, says: "dismissed"},
		{args: []string{"unmatch", "2", "--reason", "a reader after all"}, says: "waits in the queue", trace: 1},
		{
			args: []string{"refund", "2", "--reason", "wrong account", "--operator", "jana"},
			says: "noted as paid back", trace: 1,
		},
		{args: []string{"import", good}, says: "1 payments paired, 0 in the queue", reads: true},
		{args: []string{"import", good}, says: "this file was read before", reads: true},
		{args: []string{"list", "--all"}, says: "matched", reads: true},
		{
			args: []string{"unmatch", "3", "--reason", "of another reader", "--dry-run"},
			says: "waits in the queue", reads: true,
		},
		{args: []string{"unmatch", "3", "--reason", "of another reader"}, says: "waits in the queue", trace: 1},
		{args: []string{"match", "3", ref, "--reason", "it was right"}, says: "order " + ref, trace: 1, reads: true},
	} {
		before := entries()
		out, err := p.command(append(append([]string{"bank"}, c.args...), "--edition", id)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out, c.says) {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
		if got := entries() - before; got != c.trace {
			t.Errorf("%v leaves %d traces, not %d", c.args, got, c.trace)
		}
		wait.Until(t, strings.Join(c.args, " ")+" counts", func() bool { return reads() == c.reads })
	}
	if n := queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit WHERE operator = 'command:jana' AND action = "+
		"'bank-refund' AND reason = 'wrong account'"); n != 1 {
		t.Error("the audit log does not say who has sent money back, and why")
	}
}
