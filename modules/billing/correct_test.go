package billing

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
)

func toCompany(d *invoice.Buyer) { d.Company, d.ICO = "Lipa, s. r. o.", "99123456" }

// A wrong buyer is corrected by two documents that add up to nothing, once, and refunds go on from the new invoice.
func TestAWrongBuyerIsCorrected(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	of := p.documents("true")[0]

	if c, err := p.shop.Invoices.Correct(p.ctx, of.Number, toCompany, "", true); err != nil || c.NewInvoice == "" ||
		c.Total != 8900 {
		t.Errorf("a dry run: %+v, %v", c, err)
	}
	if n := p.count("SELECT count(*) FROM billing_documents"); n != 1 {
		t.Errorf("%d documents after a dry run", n)
	}

	var all sync.WaitGroup
	for range 8 { // as impatient people do
		all.Go(func() {
			if c, err := p.shop.Invoices.Correct(p.ctx, of.Number, toCompany, "books@example.org", false); err != nil ||
				c.Now != "Lipa, s. r. o." {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
	all.Wait()
	p.work()
	list := p.documents("true")
	if len(list) != 3 {
		t.Fatalf("%d documents", len(list))
	}
	credit, fresh := list[1], list[2]
	if credit.Kind != invoice.CreditNote || credit.Customer != of.Customer || credit.Total != of.Total ||
		credit.Net != of.Net ||
		credit.Refers.Number != of.Number || !credit.OtherBuyer {
		t.Errorf("%+v", credit)
	}
	if fresh.Kind != invoice.TaxInvoice || fresh.Customer.Company != "Lipa, s. r. o." ||
		fresh.Customer.ClientType != invoice.Company ||
		fresh.Customer.Email != of.Customer.Email || fresh.Total != of.Total ||
		fresh.Net != of.Net || fresh.Refers.Number != of.Number || fresh.Delivered != of.Delivered ||
		fresh.Lines[0].From != of.Lines[0].From || !fresh.OtherBuyer {
		t.Errorf("%+v", fresh)
	}
	p.whole(invoice.TaxInvoice, 2)
	p.whole(invoice.CreditNote, 1)
	for _, d := range list {
		if broken := brokenRules(xmlOf(t, &d)); len(broken) > 0 {
			t.Errorf("%s: %v", d.Number, broken)
		}
	}
	if text := textOfPDF(t, &credit, p.ed); strings.Contains(text, "Vrátené") ||
		!strings.Contains(text, "Peniaze sa nevracajú") {
		t.Error(text)
	}
	messages := p.sent("invoice")
	if len(messages) != 2 || len(p.sent("credit")) != 0 || messages[1].To != "books@example.org" ||
		len(messages[1].Files) != 2 ||
		messages[1].Files[0].Name != fresh.Number+".pdf" || messages[1].Files[1].Name != credit.Number+".pdf" ||
		!strings.Contains(fmt.Sprint(messages[1].Blocks), of.Number) {
		t.Errorf("%d emails: %.600s", len(messages), fmt.Sprint(messages[len(messages)-1]))
	}
	until, _, _, _ := p.standing(1)
	if !until.After(p.db.Now()) {
		t.Error("the reader reads no more")
	}

	if _, err := p.shop.Invoices.Correct(p.ctx, of.Number, func(d *invoice.Buyer) {
		d.Company = "Another"
	}, "", false); err == nil || !strings.Contains(err.Error(), fresh.Number) {
		t.Errorf("another buyer for what was corrected: %v", err)
	}
	known := func() invoice.Settled {
		var all map[string]invoice.Settled
		p.view(func(ctx context.Context, tx db.Tx) (err error) {
			all, err = invoice.SettledByProvider(ctx, tx, []string{of.Provider})
			return err
		})
		return all[of.Provider]
	}
	if s := known(); !s.Invoiced || s.Credited != 0 {
		t.Errorf("the reconciler takes a correction for a refund: %+v", s)
	}
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		return invoice.CreditRefund(ctx, tx, &of, invoice.Refund{ID: "re_1", Sum: 900, At: tx.Now})
	}); err != nil {
		t.Fatal(err)
	}
	back := p.documents("d.source = 'refund:re_1'")[0]
	if back.Refers.Number != fresh.Number || back.Customer.Company != "Lipa, s. r. o." || back.Total != 900 ||
		known().Credited != 900 {
		t.Errorf("%+v, %+v", back, known())
	}

	// A second mistake is corrected on the invoice that stands, over what is left of it.
	again, err := p.shop.Invoices.Correct(p.ctx, fresh.Number, func(d *invoice.Buyer) {
		d.Company = "Lipa plus, s. r. o."
	}, "", false)
	if err != nil || again.Total != 8000 {
		t.Errorf("%+v, %v", again, err)
	}
	sum := p.count("SELECT sum(CASE kind WHEN 'CN' THEN -total ELSE total END)::bigint FROM billing_documents")
	if sum != 8000 {
		t.Errorf("the documents add up to %d", sum)
	}
}

func TestWhatIsNotCorrected(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	of := p.issue(p.sold("invoice:1", 796))
	due := p.sold("order:1", 8900)
	due.Kind, due.Method, due.Paid = invoice.ProForma, invoice.ByTransfer, false
	waits := p.issue(due)
	gone := p.issue(p.sold("invoice:2", 796))
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		return invoice.CreditRefund(ctx, tx, gone, invoice.Refund{ID: "re_1", Sum: 796, At: tx.Now})
	}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		number string
		change func(*invoice.Buyer)
		mailTo string
		says   string
	}{
		"a number of nothing":   {"FV-2000-000001", toCompany, "", "no invoice"},
		"a pre-invoice":         {waits.Number, toCompany, "", "only a tax invoice"},
		"one that is paid back": {gone.Number, toCompany, "", "given back"},
		"the same buyer":        {of.Number, func(*invoice.Buyer) {}, "", "already"},
		"an empty account":      {of.Number, nil, "", "no invoice data"},
		"a strange country":     {of.Number, func(d *invoice.Buyer) { d.Country = "Nowhere" }, "", "country"},
		"a strange address":     {of.Number, toCompany, "books", "no address"},
	} {
		if got, err := p.shop.Invoices.Correct(p.ctx, c.number, c.change, c.mailTo, false); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_documents"); n != 4 {
		t.Errorf("%d documents", n)
	}
	if a := p.post(7, "/fns/user-data-set", `{"data":{`+strings.Replace(eva, "Eva  Nová", "Eva Iná", 1)+
		`}}`); a.Status != 200 {
		t.Fatal(a)
	}
	for _, again := range []bool{false, true} {
		if c, err := p.shop.Invoices.Correct(p.ctx, of.Number, nil, "", false); err != nil || c.Now != "Eva Iná" ||
			c.Was != "Eva Nová" || c.Again != again {
			t.Errorf("from the account: %+v, %v", c, err)
		}
	}
}

// A number that the register knows by now takes the VAT off an invoice whose buyer stays; once it has, there is nothing
// to correct.
func TestWrongVATIsCorrected(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	r := &register{good: map[string]bool{goodNumber: true}, away: true}
	p.shop.Invoices.Register = r
	p.post(1, "/fns/user-data-set", companyAs("AT", "1010", goodNumber))
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	of := p.documents("true")[0]
	if _, err := p.shop.Invoices.Correct(p.ctx, of.Number, nil, "", false); err == nil {
		t.Error("an invoice was corrected for the same buyer with the same VAT")
	}
	r.leave(false)
	c, err := p.shop.Invoices.Correct(p.ctx, of.Number, nil, "", false)
	if err != nil || !c.ReverseCharged || c.VAT != 0 || c.Net != 8900 || c.Total != 8900 {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, err := p.shop.Invoices.Correct(p.ctx, c.NewInvoice, nil, "", false); err == nil {
		t.Error("it was corrected twice")
	}
	for _, d := range p.documents("true") {
		if broken := brokenRules(xmlOf(t, &d)); len(broken) > 0 {
			t.Errorf("%s: %v", d.Number, broken)
		}
	}
}
