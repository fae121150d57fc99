package billing

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
)

// refund gives back a part of the newest paid invoice, or all that is left of it.
// refundLast gives back what was paid by the latest invoice of all, or a part of it.
func (p *env) refundLast(amount string) {
	p.t.Helper()
	p.refundInvoice(p.listed("invoices?status=paid&limit=1")[0]["id"].(string), amount)
}

func TestEveryPaymentHasItsInvoice(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.post(1, "/fns/user-data-set", `{"data":{`+strings.Replace(eva, "Eva@Example.org", "reader1@example.org", 1)+`}}`)
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	list := p.documents("true")
	if len(list) != 1 {
		t.Fatalf("%d documents", len(list))
	}
	d := list[0]
	if d.Kind != invoice.TaxInvoice || d.Total != 100 || d.Paid != 100 || d.Net != 81 || d.VAT != 19 ||
		d.Currency != "EUR" ||
		d.Method != invoice.ByCard || d.Status() != "paid" ||
		d.Customer.Name != "Eva Nová" || d.Customer.PostalCode != "811 01" ||
		d.Lines[0].Name != p.ed.Product(access.Monthly).Name ||
		d.Lines[0].From == "" || d.Order != "000001" {
		t.Errorf("%+v", d)
	}
	messages := p.sent("invoice")
	if len(messages) != 1 || !strings.Contains(fmt.Sprint(messages[0].Subject), d.Number) ||
		!strings.Contains(fmt.Sprint(messages[0].Blocks), "/account/invoice/in_") {
		t.Errorf("%d emails, %.300s", len(messages), fmt.Sprint(messages))
	}

	p.advance(28*24*time.Hour + 2*time.Hour) // the provider bills, and charges an hour later
	p.work()
	p.advance(28 * 24 * time.Hour)
	p.work()
	var totals []int64
	for _, d := range p.documents("d.kind = 'FV'") {
		totals = append(totals, d.Total)
	}
	if fmt.Sprint(totals) != "[100 796 796]" {
		t.Errorf("%v, the provider says %v", totals, p.paid())
	}
	p.whole(invoice.TaxInvoice, 3)
}

func TestRefundsHaveTheirCreditNotes(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	of := p.documents("true")[0]
	p.refundLast("2000")
	p.work()
	p.refundLast("")
	p.work()
	notes := p.documents("d.kind = 'CN'")
	if len(notes) != 2 || notes[0].Total != 2000 || notes[1].Total != 6900 || notes[0].Net+notes[1].Net != of.Net {
		t.Fatalf("%+v", notes)
	}
	for _, n := range notes {
		if n.RefersTo != of.ID || n.Refers.Number != of.Number || n.Taxes[0].Permille != of.Taxes[0].Permille ||
			n.Customer != of.Customer {
			t.Errorf("%+v", n)
		}
	}
	if len(p.sent("credit")) != 2 {
		t.Errorf("%+v", p.sent("credit"))
	}

	p = newEnv(t)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	p.refundLast("")
	p.work()
	of = p.documents("d.kind = 'FV'")[0]
	if notes := p.documents("d.kind = 'CN'"); len(notes) != 1 || notes[0].Total != 8900 || notes[0].Net != of.Net ||
		notes[0].VAT != of.VAT || notes[0].Lines[0] != of.Lines[0] {
		t.Errorf("%+v", notes)
	}
}

// Messages that come five times, in no order, or never: there is one document for each payment, and one for each
// refund.
func TestDocumentsAreMadeOnceWhateverIsTold(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	p.refundLast("100")
	p.work()
	var list []struct{ ID string }
	p.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT id FROM billing_events ORDER BY id").Scan(ctx, &list)
	})
	done := make(chan error)
	for range 5 {
		for _, e := range list {
			go func() { done <- p.shop.Subscriptions.ProcessEvent(p.ctx, event.ProviderReported{EventID: e.ID}) }()
		}
	}
	for range 5 * len(list) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_documents"); n != 2 {
		t.Errorf("%d documents", n)
	}
	p.whole(invoice.TaxInvoice, 1)
	p.whole(invoice.CreditNote, 1)

	p.refundLast("200") // nobody is told
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	if err := p.box.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	p.view(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("DELETE FROM outbox WHERE event = 'billing.provider_reported' AND done_at IS NULL").Exec(ctx)
		return err
	})
	if err := p.shop.Reconciliation.All(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.whole(invoice.CreditNote, 2)
}

// A payment whose document cannot be made opens what was paid for; the reconciler makes the document once it can be.
func TestNoRateIsNoReasonToKeepAReaderOut(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	rates := p.shop.Invoices.Rates
	p.shop.Invoices.Rates = nil
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	if until, _, _, _ := p.standing(1); !until.After(p.db.Now()) {
		t.Error("the reader has paid, and cannot read")
	}
	if n := p.count("SELECT count(*) FROM billing_documents"); n != 0 {
		t.Errorf("%d documents without a rate", n)
	}
	p.shop.Invoices.Rates = rates
	if err := p.shop.Reconciliation.All(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.whole(invoice.TaxInvoice, 1)
}

// What was paid and what was given back by way of the customer's balance is on an invoice to the cent.
func TestSalesOfManyLines(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	d, err := p.shop.Subscriptions.InvoiceDraft(p.ed, &access.Subscription{ReaderID: 1, Product: access.Yearly},
		stripe.Subscription{ID: "sub_1"}, stripe.Sale{
			ID: "in_1", Currency: "EUR", Paid: 8000, PaidAt: p.db.Now(),
			Lines: []stripe.SaleLine{
				{Name: "Unused time", Gross: -500},
				{Product: access.Yearly, Gross: 8900},
				{Name: "nothing"},
			},
		}, invoice.Buyer{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Snapshot(p.ed, p.db.Now())
	if err != nil || s.Total != 8000 || len(s.Lines) != 3 || s.Lines[0].Net != -407 || s.Net+s.VAT+s.Rounding != 8000 ||
		s.Lines[2].Gross != -400 {
		t.Errorf("%+v, %v", s, err)
	}
}

// The provider is asked for the sales since an instant, that one included, and for no older ones.
func TestRecentSalesAreOfTheirTime(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Yearly)
	p.advance(40 * 24 * time.Hour)
	p.subscribe(2, access.Yearly)
	var paid []time.Time
	recent := func(since time.Time) int {
		t.Helper()
		paid = nil
		if err := p.account().RecentSales(p.ctx, since, func(s stripe.Sale) { paid = append(paid, s.PaidAt) }); err != nil {
			t.Fatal(err)
		}
		return len(paid)
	}
	if n := recent(time.Time{}); n != 2 || !paid[1].Before(paid[0]) {
		t.Fatalf("got %v, want two, the newest first", paid)
	}
	newest := paid[0]
	if n := recent(newest); n != 1 {
		t.Errorf("since the newest: got %d sales, want 1", n)
	}
	if n := recent(newest.Add(time.Second)); n != 0 {
		t.Errorf("after the newest: got %d sales, want 0", n)
	}
}

// Editions that share an account make documents of their own sales alone.
func TestSalesOfAnotherEdition(t *testing.T) {
	t.Parallel()
	papers := newEnvs(t, 2)
	p, neighbour := papers[0], papers[1]
	p.buy(p.order(1, access.Yearly), goodCard)
	keys := p.keys()
	neighbour.restart(func(d *Deps) { d.Provider = func(string) (stripe.Keys, error) { return keys, nil } })
	acc, err := stripe.NewAccounts(func(string) (stripe.Keys, error) { return keys, nil }, nil).Account(neighbour.ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // before and after it is documented where it belongs
		if list, err := neighbour.shop.Reconciliation.Undocumented(neighbour.ctx, acc); err != nil || len(list) != 0 {
			t.Errorf("the neighbour misses documents of %v (%v)", list, err)
		}
		if err := neighbour.shop.Reconciliation.All(neighbour.ctx); err != nil {
			t.Error(err)
		}
		p.work()
	}
	p.whole(invoice.TaxInvoice, 1)
	neighbour.whole(invoice.TaxInvoice, 0)
}

// What was paid before the edition's invoices were made here has none; the rest has, in numbers with the edition's
// emails.
func TestInvoicesFromADayOn(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.ed.Billing.Since = p.db.Now().In(p.ed.Location).AddDate(0, 0, 10).Format(time.DateOnly)
	p.ed.Billing.Series = "B"
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	if err := p.shop.Reconciliation.All(p.ctx); err != nil {
		t.Fatal(err)
	}
	if n := len(p.documents("true")); n != 0 {
		t.Errorf("%d invoices for what has them elsewhere", n)
	}
	p.advance(28*day + time.Hour)
	p.work()
	if list := p.documents("true"); len(list) != 1 || list[0].Total != 796 ||
		!strings.HasPrefix(list[0].Number, "FV-B-20") {
		t.Errorf("%+v", list)
	}
	p.whole(invoice.TaxInvoice, 1)
}
