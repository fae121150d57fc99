package billing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// sold is a draft of a paid invoice over a sum at the rate of the paper's supplier.
func (p *env) sold(source string, gross int64) invoice.Draft {
	p.t.Helper()
	l, err := p.shop.Invoices.Taxed(p.ed, nil, "2026-11-21", invoice.Line{Name: "Ročné predplatné", Gross: gross})
	if err != nil {
		p.t.Fatal(err)
	}
	return invoice.Draft{
		Kind: invoice.TaxInvoice, Source: source, ReaderID: 7,
		Customer: invoice.Buyer{ClientType: invoice.Individual, Name: "Eva Nová", Email: "eva@example.org"},
		Lines:    []invoice.Line{l}, Currency: "EUR", Delivered: p.db.Now(), Order: "17", OrderedAt: p.db.Now(),
		Method: invoice.ByCard, Paid: true,
	}
}

func (p *env) issue(d invoice.Draft) (out *invoice.Document) {
	p.t.Helper()
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) (err error) {
		out, err = invoice.Issue(ctx, tx, d)
		return err
	}); err != nil {
		p.t.Fatal(err)
	}
	return out
}

func (p *env) documents(where string, args ...any) (list []invoice.Document) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		list, err = invoice.Select(ctx, tx, where+" ORDER BY d.id", args...)
		return err
	})
	return list
}

// whole looks that the numbers of a series are 1 to n, in the order of their days.
func (p *env) whole(kind invoice.Kind, n int) {
	p.t.Helper()
	list := p.documents("d.kind = ?", string(kind))
	if len(list) != n {
		p.t.Errorf("%d documents of %s, not %d", len(list), kind, n)
	}
	seen := map[string]bool{}
	for i, d := range list {
		seen[d.Number] = true
		if i > 0 && d.IssuedAt.Before(list[i-1].IssuedAt) && d.Number > list[i-1].Number {
			p.t.Errorf("%s is older than %s", d.Number, list[i-1].Number)
		}
	}
	years := map[int]int64{}
	for _, d := range list {
		years[d.IssuedAt.In(p.ed.Location).Year()]++
	}
	for year, count := range years {
		for i := range count {
			if want := kind.Number(p.ed, year, i+1); !seen[want] {
				p.t.Errorf("there is no %s", want)
			}
		}
	}
	if err := p.shop.Invoices.CheckSeries(p.ctx); err != nil {
		p.t.Error(err)
	}
}

// The bases, the VAT that stands on a document and its rounding: five sums at six rates.
func TestDocumentsAreTheSumThatWasCharged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ gross, permille, net, vat, rounding int64 }{
		{100, 230, 81, 19, 0},
		{796, 230, 647, 149, 0},
		{8900, 230, 7236, 1664, 0},
		{9900, 230, 8049, 1851, 0},
		{99900, 230, 81220, 18681, -1},
		{100, 50, 95, 5, 0},
		{796, 50, 758, 38, 0},
		{8900, 50, 8476, 424, 0},
		{9900, 50, 9429, 471, 0},
		{99900, 50, 95143, 4757, 0},
		{100, 100, 91, 9, 0},
		{796, 100, 724, 72, 0},
		{8900, 100, 8091, 809, 0},
		{9900, 100, 9000, 900, 0},
		{99900, 100, 90818, 9082, 0},
		{100, 200, 83, 17, 0},
		{796, 200, 663, 133, 0},
		{8900, 200, 7417, 1483, 0},
		{9900, 200, 8250, 1650, 0},
		{99900, 200, 83250, 16650, 0},
		{100, 26, 97, 3, 0},
		{796, 26, 776, 20, 0},
		{8900, 26, 8674, 226, 0},
		{9900, 26, 9649, 251, 0},
		{99900, 26, 97368, 2532, 0},
		{100, 81, 93, 8, -1},
		{796, 81, 736, 60, 0},
		{8900, 81, 8233, 667, 0},
		{9900, 81, 9158, 742, 0},
		{99900, 81, 92414, 7486, 0},
	} {
		s := invoice.Snapshot{Lines: []invoice.Line{{Gross: c.gross, Category: invoice.VATStandard, Permille: c.permille}}}
		s.Sum()
		if s.Net != c.net || s.VAT != c.vat || s.Rounding != c.rounding || s.Total != c.gross ||
			s.Net+s.VAT+s.Rounding != c.gross {
			t.Errorf("%d at %d: %d + %d + %d = %d, want %d + %d + %d", c.gross, c.permille, s.Net, s.VAT, s.Rounding, s.Total,
				c.net, c.vat, c.rounding)
		}
	}
}

// What was given back in parts adds up, base by base, to the invoice.
func TestCreditsAddUp(t *testing.T) {
	t.Parallel()
	for _, parts := range [][]int64{{99900}, {1, 99899}, {33300, 33300, 33300}, {796, 100, 99004}} {
		of := invoice.Document{Number: "FV-2026-000001", Snapshot: invoice.Snapshot{Lines: []invoice.Line{
			{Name: "a", Gross: 80000, Category: invoice.VATStandard, Permille: 230},
			{Name: "b", Gross: 20000, Category: invoice.VATStandard, Permille: 50},
			{Name: "c", Gross: -100, Category: invoice.VATStandard, Permille: 230},
		}}}
		of.Sum()
		var before []invoice.Document
		var net, vat, total int64
		for _, part := range parts {
			c := invoice.Document{Snapshot: invoice.Snapshot{Lines: of.Credit(part, before, "back")}}
			c.Sum()
			if c.Total != part || c.Net+c.VAT+c.Rounding != part {
				t.Errorf("%v: %+v is not %d", parts, c.Snapshot, part)
			}
			before, net, vat, total = append(before, c), net+c.Net, vat+c.VAT, total+c.Total
		}
		if net != of.Net || vat != of.VAT || total != of.Total {
			t.Errorf("%v: bases of %d, VAT of %d and sums of %d, want %d, %d and %d", parts, net, vat, total, of.Net, of.VAT,
				of.Total)
		}
		if more := of.Credit(1, before, "back"); more != nil {
			t.Errorf("%v: a cent more is given back: %v", parts, more)
		}
	}
}

var errRolledBack = errors.New("rolled back")

// 50 at once, of which many roll back, leave no number out and give none twice, and say the same source once.
func TestNumbersHaveNoGap(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			for round := range 3 {
				d := p.sold(fmt.Sprintf("invoice:in_%d", i/2*10+round), 796) // two ask for each
				fails := (i+round)%3 == 0
				err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
					if _, err := invoice.Issue(ctx, tx, d); err != nil {
						return err
					}
					if fails {
						return errRolledBack
					}
					return nil
				})
				if fails != errors.Is(err, errRolledBack) || err != nil && !fails {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
	n := p.count("SELECT count(DISTINCT source) FROM billing_documents")
	if n < 60 {
		t.Errorf("%d documents: the test shows little", n)
	}
	p.whole(invoice.TaxInvoice, n)
	if payload := p.count("SELECT count(*) FROM outbox WHERE event = 'billing.document_issued'"); payload != n {
		t.Errorf("%d emails of %d documents", payload, n)
	}
}

// Each kind counts by itself, and begins anew in the year of the edition's own time zone.
func TestSeriesOfKindsAndYears(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	year := p.db.Now().In(p.ed.Location).Year()
	p.advance(time.Date(year+1, 1, 1, 0, 0, 0, 0, p.ed.Location).Add(-time.Minute).Sub(p.db.Now()))
	proformaDraft := p.sold("order:1", 8900)
	proformaDraft.Kind, proformaDraft.Method, proformaDraft.Paid, proformaDraft.Provider = invoice.ProForma,
		invoice.ByTransfer, false, ""
	numbers := []string{
		p.issue(p.sold("invoice:1", 100)).Number, p.issue(proformaDraft).Number,
		p.issue(p.sold("invoice:2", 100)).Number,
	}
	p.advance(2 * time.Minute)
	numbers = append(numbers, p.issue(p.sold("invoice:3", 100)).Number, p.issue(p.sold("invoice:2", 999)).Number)
	want := fmt.Sprintf("FV-%[1]d-000001 PF-%[1]d-000001 FV-%[1]d-000002 FV-%[2]d-000001 FV-%[1]d-000002", year, year+1)
	if got := strings.Join(numbers, " "); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	p.view(func(ctx context.Context, tx db.Tx) error {
		d, err := invoice.Find(ctx, tx, "d.kind = 'PF'")
		if err != nil || d.Status() != "draft" {
			t.Errorf("%+v, %v", d, err)
			return err
		}
		if err := invoice.Void(ctx, tx, d); err != nil {
			return err
		}
		again, err := invoice.Find(ctx, tx, "d.kind = 'PF'")
		if again.Status() != "void" || again.Number != d.Number {
			t.Errorf("after it was made void: %+v", again)
		}
		paid, _ := invoice.Find(ctx, tx, "d.kind = 'FV'")
		if voidErr := invoice.Void(ctx, tx, paid); !errors.Is(voidErr, invoice.ErrNotVoidable) {
			t.Errorf("a tax invoice is void: %v", voidErr)
		}
		return err
	})
}

func TestDocumentsAreFinal(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.issue(p.sold("invoice:1", 796))
	p.issue(p.sold("invoice:2", 796))
	owner := testkit.OwnerOf(p.ctx, t, p.db) // not even who owns the tables
	for _, statement := range []string{
		"UPDATE billing_documents SET total = 1", "UPDATE billing_documents SET snapshot = '{}'",
		"DELETE FROM billing_documents", "TRUNCATE billing_documents, billing_voids",
		"SELECT set_config('billing.kept_since', '2000-01-01', true); DELETE FROM billing_documents",
		"SELECT set_config('billing.kept_since', '9999-01-01', true); UPDATE billing_documents SET total = 1",
		"SELECT set_config('billing.kept_since', '9999-01-01', true); TRUNCATE billing_documents, billing_voids",
		"UPDATE billing_series SET n = 1", "UPDATE billing_series SET n = n + 2", "UPDATE billing_series SET year = 2001, " +
			"n = n + 1", "DELETE FROM billing_series", "TRUNCATE billing_series",
	} {
		_, err := owner.ExecContext(p.ctx, statement)
		if err == nil || !strings.Contains(err.Error(), "final") && !strings.Contains(err.Error(), "goes on by one") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_documents WHERE total = 796"); n != 2 {
		t.Errorf("%d documents are as they were", n)
	}
}

// The tax point decides, in the edition's time zone, to the second.
func TestRateChangesAtMidnight(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Billing.OSS = true })
	var err error
	if p.shop.Invoices.Rates,
		err = invoice.ParseRates(
		"SK\tnewspaper\t2025-01-01\t230\nSK\tnewspaper\t2027-01-01\t190\nAT\tnewspaper\t2016-01-01\t100"); err != nil {
		t.Fatal(err)
	}
	midnight := time.Date(2027, 1, 1, 0, 0, 0, 0, p.ed.Location)
	of := &access.Subscription{ReaderID: 7, Product: access.Monthly}
	for _, c := range []struct {
		name, country string
		at            time.Time
		category      string
		permille      int64
		err           error
	}{
		{"the last second of the old rate", "SK", midnight.Add(-time.Second), invoice.VATStandard, 230, nil},
		{"the first of the new one", "SK", midnight, invoice.VATStandard, 190, nil},
		{"a consumer who has said nothing", "", midnight, invoice.VATStandard, 190, nil},
		{"a consumer of another country", "AT", midnight, invoice.VATStandard, 100, nil},
		{"from outside the Union", "CH", midnight, invoice.VATOutside, 0, nil},
		{"of a country whose rate nobody knows", "FR", midnight, "", 0, invoice.ErrNoRate},
	} {
		d, err := p.shop.Subscriptions.InvoiceDraft(p.ed, of, stripe.Subscription{ID: "sub_1"}, stripe.Sale{
			ID: "in_1", Currency: "EUR", Paid: 796, PaidAt: c.at,
			Lines: []stripe.SaleLine{{Product: access.Monthly, Gross: 796}},
		}, invoice.Buyer{Country: c.country})
		if !errors.Is(err, c.err) ||
			err == nil && (d.Lines[0].Permille != c.permille || d.Lines[0].Category != c.category) {
			t.Errorf("%s: %+v, %v", c.name, d.Lines, err)
		}
	}
	before := p.issue(p.sold("invoice:old", 796))
	if before.Taxes[0].Permille != 230 {
		t.Fatalf("%+v", before.Taxes)
	}
	p.shop.Invoices.Rates, _ = invoice.ParseRates("SK\tnewspaper\t2020-01-01\t100")
	if again := p.documents("d.id = ?", before.ID)[0]; again.Taxes[0] != before.Taxes[0] {
		t.Errorf("an invoice has changed with the rate: %+v", again.Taxes)
	}
}
