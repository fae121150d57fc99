package billing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/payqr"
	"example.org/broadsheet/platform/testkit"
)

// statementFormat is a statement of the version and the entries that it is formatted with.
const statementFormat = `<?xml version="1.0" encoding="UTF-8"?><Document ` +
	`xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.%s"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>S1</Id><Acct><Id><IBAN>SK8999520000001987426375</IBAN></Id></Acct>%s</Stmt></BkToCstmrStmt></Document>`

func takesTransfers(d *edition.Document) { d.Flags["bank_transfer"] = true }

// orders has a reader order the year and returns the order.
func (p *env) orders(reader int64) transfer.Order {
	p.t.Helper()
	to, err := p.shop.Subscriptions.Pay(p.ctx, reader,
		subscription.Order{Product: access.Yearly, Method: transfer.MethodIBAN})
	if err != nil || !strings.HasPrefix(to, "/account/transfer?slip=") {
		p.t.Fatalf("%q, %v", to, err)
	}
	return p.transferOf(reader)
}

// transferOf is the newest order of a reader.
func (p *env) transferOf(reader int64) transfer.Order {
	p.t.Helper()
	var list []transfer.Order
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		list, err = transfer.Select(ctx, tx, "reader_id = ? ORDER BY id DESC LIMIT 1", reader)
		return err
	})
	if len(list) == 0 {
		p.t.Fatalf("reader %d has no order", reader)
	}
	return list[0]
}

// came is a payment as a statement has it.
type came struct{ ref, amount, currency, day, id string }

func (p *env) entry(c came) string {
	if c.amount == "" {
		c.amount = "89.00"
	}
	if c.currency == "" {
		c.currency = "EUR"
	}
	if c.day == "" {
		c.day = p.db.Now().In(p.ed.Location).Format(time.DateOnly)
	}
	return fmt.Sprintf(`<Ntry><Amt Ccy="%s">%s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>%s</Dt>`+
		`</BookgDt><AcctSvcrRef>%s</AcctSvcrRef><NtryDtls><TxDtls>
		<Refs><EndToEndId>%s</EndToEndId></Refs><RltdPties><Dbtr><Nm>Mara Kvetná</Nm></Dbtr><DbtrAcct><Id>`+
		`<IBAN>SK3112000000198742637541</IBAN></Id></DbtrAcct></RltdPties></TxDtls></NtryDtls></Ntry>`,
		c.currency, c.amount, c.day, c.id, c.ref)
}

func (p *env) statement(list ...came) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(p.entry(c))
	}
	return strings.Replace(fmt.Sprintf(statementFormat, "02", b.String()), "SK8999520000001987426375", p.ed.Bank.IBAN, 1)
}

func (p *env) imports(list ...came) transfer.Counts {
	p.t.Helper()
	out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(p.statement(list...)), false)
	if err != nil {
		p.t.Fatal(err)
	}
	return out.Counts
}

func (p *env) lines() []transfer.Line {
	p.t.Helper()
	list, err := p.shop.Transfers.Lines(p.ctx, true)
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

// A year by transfer: nothing opens before the money has come, and then everything happens once.
func TestAYearByTransfer(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(7)
	if again := p.orders(7); again.ID != o.ID || p.count("SELECT count(*) FROM billing_transfers") != 1 {
		t.Error("asking again makes another order")
	}
	pf := p.documents("d.kind = 'PF'")
	if len(pf) != 1 || pf[0].Total != 8900 || pf[0].Reference != o.Reference || pf[0].Method != invoice.ByTransfer ||
		!pf[0].Pending() ||
		pf[0].Due != p.db.Now().In(p.ed.Location).AddDate(0, 0, 14).Format(time.DateOnly) ||
		pf[0].Customer.Email != "reader7@example.org" {
		t.Fatalf("%+v", pf)
	}
	if until, _, _, _ := p.standing(7); !until.IsZero() {
		t.Error("an order opens before it is paid")
	}
	p.work()
	if l := p.sent("proforma"); len(l) != 1 || !strings.Contains(fmt.Sprint(l[0].Blocks), o.Reference) ||
		!strings.Contains(fmt.Sprint(l[0].Blocks), "/account/transfer?slip=") {
		t.Fatalf("%+v", l)
	}
	c := came{ref: "/VS" + o.Reference + "/SS/KS", id: "B1"}
	if out := p.imports(c); out != (transfer.Counts{Matched: 1}) {
		t.Fatalf("%+v", out)
	}
	if out := p.imports(c); out != (transfer.Counts{Known: 1, Again: true}) {
		t.Fatalf("%+v", out)
	}
	if out := p.imports(came{ref: "other", id: "B0"}, c); out != (transfer.Counts{Known: 1, Queued: 1}) {
		t.Fatalf("a file that overlaps: %+v", out)
	}
	p.work()
	want := edition.Interval{Unit: "year", Count: 1}.Add(p.db.Now(), 1)
	if until, product, trial, _ := p.standing(7); until.Sub(want).Abs() > time.Minute ||
		product != access.Yearly || trial {
		t.Errorf("%s %s %t, not until %s", until, product, trial, want)
	}
	fv := p.documents("d.kind = 'FV'")
	if len(fv) != 1 || fv[0].RefersTo != pf[0].ID || fv[0].Paid != 8900 || fv[0].Method != invoice.ByTransfer ||
		fv[0].Refers.Number != pf[0].Number || fv[0].Lines[0].From == "" {
		t.Fatalf("%+v", fv)
	}
	for kind, n := range map[string]int{"proforma": 1, "invoice": 1, "payment": 1, "renewal": 0} {
		if got := len(p.sent(kind)); got != n {
			t.Errorf("%d emails of kind %s, not %d", got, kind, n)
		}
	}
	if _, err := p.shop.Subscriptions.Pay(p.ctx, 7,
		subscription.Order{Product: access.Yearly, Method: transfer.MethodIBAN}); !errors.Is(err,
		access.ErrHasSubscription) {
		t.Errorf("a second year at once: %v", err)
	}
	if _, err := p.shop.Subscriptions.Pay(p.ctx, 7,
		subscription.Order{Product: access.Monthly, Method: "card"}); !errors.Is(err,
		access.ErrHasSubscription) {
		t.Errorf("a card beside it: %v", err)
	}
	list, err := p.shop.Subscriptions.InvoiceList(p.ctx, 7)
	if err != nil || len(list) != 1 || list[0].Status != "paid" || list[0].Transfer != o.Reference {
		t.Errorf("%+v %v", list, err)
	}
	for what, fn := range map[string]func(context.Context) error{
		"notices": p.shop.Subscriptions.SweepNotices,
		"prices":  p.shop.Subscriptions.SweepPrices, "reconcile": p.shop.Reconciliation.All,
		"touched": p.shop.Reconciliation.Changed,
	} {
		if err := fn(p.ctx); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	p.advance(366 * day)
	if err := p.shop.Reconciliation.Changed(p.ctx); err != nil {
		t.Error(err)
	}
	if until, _, _, _ := p.standing(7); !until.IsZero() {
		t.Errorf("what was paid for is over, and access goes on until %s", until)
	}
	if n := p.count("SELECT count(*) FROM billing_syncs"); n != 0 {
		t.Errorf("the card provider was asked %d times about what it knows nothing of", n)
	}
	p.whole(invoice.ProForma, 1)
	p.whole(invoice.TaxInvoice, 1)
}

// Whatever does not fit goes to a person, and opens nothing.
func TestWhatDoesNotFitIsQueued(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o, void, twice, carded := p.orders(1), p.orders(2), p.orders(3), p.orders(4)
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		return transfer.VoidOf(ctx, tx, 2)
	}); err != nil {
		t.Fatal(err)
	}
	p.imports(came{ref: twice.Reference, id: "first"})
	p.view(func(ctx context.Context, tx db.Tx) error { // a card that is older than the rule which calls orders off
		_, err := tx.NewRaw(`INSERT INTO billing_subscriptions (reader_id, provider_id, product, status, period_start,
			period_end, started_at, updated_at)
			VALUES (4, 'sub_4', 'product_monthly', 'active', ?0, ?1, ?0, ?0)`, tx.Now, tx.Now.AddDate(0, 1, 0)).Exec(ctx)
		return err
	})
	for i, c := range []struct {
		came
		why   string
		order int64
	}{
		{came{ref: o.Reference, amount: "88.99"}, transfer.ReasonAmount, o.ID},
		{came{ref: o.Reference, amount: "89.01"}, transfer.ReasonAmount, o.ID},
		{came{ref: o.Reference, currency: "CZK"}, transfer.ReasonCurrency, o.ID},
		{came{ref: "2600009998"}, transfer.ReasonUnknown, 0},
		{came{ref: "predplatné"}, transfer.ReasonUnknown, 0},
		{came{ref: o.Reference[:9]}, transfer.ReasonUnknown, 0},
		{came{ref: o.Reference + "0"}, transfer.ReasonUnknown, 0},
		{came{ref: o.Reference + " " + void.Reference}, transfer.ReasonAmbiguous, 0},
		{came{ref: void.Reference}, transfer.ReasonVoid, void.ID},
		{came{ref: twice.Reference}, transfer.ReasonPaid, twice.ID},
		{came{ref: carded.Reference}, transfer.ReasonSubscription, carded.ID},
		{came{ref: o.Reference, day: "1999-01-01"}, transfer.ReasonRate, o.ID},
	} {
		c.id = fmt.Sprintf("Q%d", i)
		if out := p.imports(c.came); out != (transfer.Counts{Queued: 1}) {
			t.Errorf("%+v: %+v", c, out)
			continue
		}
		l := p.lines()
		if got := l[len(l)-1]; got.Reason != c.why || got.TransferID != c.order || got.State != transfer.LineQueued ||
			got.PayerIBAN == "" {
			t.Errorf("%s for %s, not %s", got.Reason, c.ref, c.why)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_documents WHERE kind = 'FV'"); n != 1 {
		t.Errorf("%d invoices", n)
	}
	if p.transferOf(1).State != transfer.StateOpen {
		t.Error("an order is paid by what does not fit")
	}
}

// A person's actions can be taken back, leave their documents, and a rehearsal leaves nothing.
func TestTheDeskTakesBack(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(5)
	p.imports(came{ref: "neviem", amount: "90.00", id: "D1"})
	id := p.lines()[0].ID
	if _, err := p.shop.Transfers.Match(p.ctx, id, o.Reference, false, false); !errors.Is(err, transfer.ErrHindered) {
		t.Errorf("another amount: %v", err)
	}
	if l, err := p.shop.Transfers.Match(p.ctx, id, "pf-"+p.db.Now().Format("2006")+"-000001", true, true); err != nil ||
		l.State != transfer.LineMatched ||
		l.ReaderID != 5 {
		t.Errorf("%+v %v", l, err)
	}
	if l := p.lines()[0]; l.State != transfer.LineQueued || p.transferOf(5).State != transfer.StateOpen ||
		p.count("SELECT count(*) FROM billing_documents") != 1 {
		t.Fatalf("a rehearsal has done something: %+v", l)
	}
	for round := 1; round <= 2; round++ {
		if l, err := p.shop.Transfers.Match(p.ctx, id, o.Reference, true, false); err != nil ||
			l.State != transfer.LineMatched {
			t.Fatalf("%+v %v", l, err)
		}
		if until, _, _, _ := p.standing(5); !until.After(p.db.Now().AddDate(0, 11, 0)) {
			t.Errorf("round %d: paid, and open until %s", round, until)
		}
		if _, err := p.shop.Transfers.Match(p.ctx, id, o.Reference, true, false); !errors.Is(err, transfer.ErrNotNow) {
			t.Errorf("%v", err)
		}
		p.work()
		if l, err := p.shop.Transfers.Unmatch(p.ctx, id, false); err != nil || l.State != transfer.LineQueued ||
			l.Reason != transfer.ReasonUnmatched {
			t.Fatalf("%+v %v", l, err)
		}
		if until, _, _, _ := p.standing(5); !until.IsZero() {
			t.Errorf("round %d: taken back, and open until %s", round, until)
		}
		p.work()
	}
	fv, cn := p.documents("d.kind = 'FV'"), p.documents("d.kind = 'CN'")
	if len(fv) != 2 || len(cn) != 2 || fv[0].Total != 9000 || cn[0].Total != 9000 || cn[1].RefersTo != fv[1].ID {
		t.Errorf("%d invoices, %d credit notes", len(fv), len(cn))
	}
	if out := p.imports(came{ref: o.Reference, id: "D2"}); out.Queued != 1 ||
		p.lines()[1].Reason != transfer.ReasonReversed {
		t.Errorf("%+v", out)
	}
	if l, err := p.shop.Transfers.Refund(p.ctx, id, false); err != nil || l.State != transfer.LineRefunded {
		t.Fatalf("%+v %v", l, err)
	}
	if _, err := p.shop.Transfers.Refund(p.ctx, id, false); !errors.Is(err, transfer.ErrNothing) {
		t.Errorf("%v", err)
	}
	if l, err := p.shop.Transfers.Unmatch(p.ctx, id, false); err != nil || l.State != transfer.LineQueued {
		t.Fatalf("%+v %v", l, err)
	}
	for _, err := range []error{
		func() error { _, err := p.shop.Transfers.Unmatch(p.ctx, 99, false); return err }(),
		func() error { _, err := p.shop.Transfers.Match(p.ctx, id, "2600099999", true, false); return err }(),
	} {
		if !errors.Is(err, transfer.ErrNoLine) && !errors.Is(err, transfer.ErrNoOrder) {
			t.Errorf("%v", err)
		}
	}
	if next := p.orders(5); next.ID == o.ID {
		t.Error("nobody can order after a payment was taken back")
	}
	p.whole(invoice.TaxInvoice, 2)
	p.whole(invoice.CreditNote, 2)
}

// Two people read the same file at once, several times over: each payment counts once.
func TestOneImportWins(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	var file []came
	for reader := int64(1); reader <= 12; reader++ {
		file = append(file, came{ref: p.orders(reader).Reference, id: fmt.Sprint(reader)},
			came{ref: "nobody", id: fmt.Sprint("x", reader)})
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var sum transfer.Counts
	for range 4 {
		wg.Go(func() {
			out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(p.statement(file...)), false)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			sum.Matched, sum.Queued, sum.Known = sum.Matched+out.Matched, sum.Queued+out.Queued, sum.Known+out.Known
		})
	}
	wg.Wait()
	if sum != (transfer.Counts{Matched: 12, Queued: 12, Known: 72}) {
		t.Errorf("%+v", sum)
	}
	p.whole(invoice.TaxInvoice, 12)
	if n := p.count("SELECT count(*) FROM billing_subscriptions WHERE transfer AND status = 'active'"); n != 12 {
		t.Errorf("%d subscriptions", n)
	}
}

// However statements overlap and in whatever order they come, the end is the same.
func TestStatementsInAnyOrderEndEqual(t *testing.T) {
	t.Parallel()
	papers := newEnvs(t, 2, takesTransfers)
	random := rand.New(rand.NewPCG(5, uint64(time.Now().UnixNano())))
	ends := make([]string, len(papers))
	for i, p := range papers {
		kinds := []came{}
		for reader := int64(1); reader <= 20; reader++ {
			o := p.orders(reader)
			switch reader % 5 {
			case 0: // twice, as two payments
				kinds = append(kinds, came{ref: o.Reference, id: fmt.Sprint("a", reader)},
					came{ref: o.Reference, id: fmt.Sprint("b", reader)})
			case 1:
				kinds = append(kinds, came{ref: o.Reference, amount: "8.90", id: fmt.Sprint(reader)})
			case 2: // two that nothing tells apart
				kinds = append(kinds, came{ref: "nobody", day: "2026-11-20"}, came{ref: "nobody", day: "2026-11-20"})
			default:
				kinds = append(kinds, came{ref: o.Reference, id: fmt.Sprint(reader)})
			}
		}
		for range 12 {
			random.Shuffle(len(kinds), func(a, b int) { kinds[a], kinds[b] = kinds[b], kinds[a] })
			p.imports(kinds[:random.IntN(len(kinds))]...)
		}
		p.imports(kinds...)
		var rows []string
		p.view(func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw(`SELECT 'order ' || reader_id || ' ' || state || ' ' || payments FROM billing_transfers
				UNION ALL SELECT 'line ' || state || ' ' || reason || ' ' || count(*) FROM billing_bank_lines GROUP BY state, reason
				UNION ALL SELECT 'document ' || reader_id || ' ' || kind || ' ' || total || ' ' || count(*) FROM
				billing_documents GROUP BY reader_id, kind, total`).Scan(ctx, &rows)
		})
		slices.Sort(rows)
		ends[i] = strings.Join(rows, "\n")
		p.whole(invoice.TaxInvoice, 12)
	}
	if ends[0] != ends[1] || !strings.Contains(ends[0], "line queued "+transfer.ReasonUnknown+" 8") ||
		!strings.Contains(ends[0], "line queued "+transfer.ReasonPaid+" 4") {
		t.Errorf("two orders of the same statements end differently:\n%s\n\n%s", ends[0], ends[1])
	}
}

// What is not paid is asked for again on its day, once, and void two weeks later; what comes then waits for a person.
func TestTransfersThatDoNotCome(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(3)
	sweep := func() {
		t.Helper()
		for range 2 {
			if err := p.shop.Transfers.Sweep(p.ctx); err != nil {
				t.Fatal(err)
			}
		}
		p.work()
	}
	p.advance(o.DueAt.Add(-time.Minute).Sub(p.db.Now()))
	if sweep(); len(p.sent("transfer_due")) != 0 {
		t.Error("the reminder is early")
	}
	p.advance(time.Hour)
	if sweep(); len(p.sent("transfer_due")) != 1 ||
		p.count("SELECT count(*) FROM outbox WHERE event = 'billing.transfer_due'") != 1 {
		t.Error("there is no reminder, or more than one")
	}
	p.advance(14 * day)
	if sweep(); p.transferOf(3).State != transfer.StateOpen {
		t.Error("a payment of the last day is not waited for")
	}
	p.advance(day)
	sweep()
	list, err := p.shop.Subscriptions.InvoiceList(p.ctx, 3)
	if err != nil || p.transferOf(3).State != transfer.StateVoid || len(list) != 1 || list[0].Status != "void" ||
		len(p.sent("transfer_due")) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if out := p.imports(came{ref: o.Reference}); out.Queued != 1 || p.lines()[0].Reason != transfer.ReasonVoid {
		t.Errorf("%+v", out)
	}
	if l, err := p.shop.Transfers.Match(p.ctx, p.lines()[0].ID, o.Reference, false, false); err != nil ||
		l.State != transfer.LineMatched {
		t.Errorf("a person cannot accept it: %v", err)
	}
	late := p.orders(6) // workers that stood still for weeks send no reminder of what is void
	p.advance(60 * day)
	if sweep(); p.transferOf(6).State != transfer.StateVoid || len(p.sent("transfer_due")) != 1 {
		t.Errorf("order %d was caught up wrongly", late.ID)
	}
}

// The next year is asked for two weeks before the end, once, and goes on where the first one ends.
func TestTheNextYear(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	p.imports(came{ref: p.orders(8).Reference, id: "1"}, came{ref: p.orders(9).Reference, id: "2"})
	first, _, _, _ := p.standing(8)
	sweep := func() {
		t.Helper()
		for range 2 {
			// First, so that it would take the renewal if it were its own.
			if err := p.shop.Subscriptions.SweepNotices(p.ctx); err != nil {
				t.Fatal(err)
			}
			if err := p.shop.Transfers.Sweep(p.ctx); err != nil {
				t.Fatal(err)
			}
			if err := p.shop.Subscriptions.SweepTrials(p.ctx); err != nil {
				t.Fatal(err)
			}
		}
		p.work()
	}
	p.advance(first.AddDate(0, 0, -14).Add(-time.Hour).Sub(p.db.Now()))
	if sweep(); len(p.documents("d.kind = 'PF'")) != 2 {
		t.Error("it is asked for early")
	}
	p.advance(2 * time.Hour)
	sweep()
	next := p.transferOf(8)
	if pf := p.documents("d.kind = 'PF'"); len(pf) != 4 || !next.Renews || next.State != transfer.StateOpen ||
		len(p.sent("proforma")) != 2 || len(p.sent("renewal")) != 0 {
		t.Fatalf("%d pre-invoices, %+v", len(pf), next)
	}
	if text := fmt.Sprint(p.sent("proforma")[1].Blocks); !strings.Contains(text, "čoskoro skončí") {
		t.Errorf("the email does not say that it is for another year: %s", text)
	}
	p.imports(came{ref: next.Reference, id: "3"})
	p.work()
	if until, _, _, _ := p.standing(8); !until.Equal(first.AddDate(1, 0, 0)) {
		t.Errorf("until %s, not a year after %s", until, first)
	}
	if s := p.subscriptions(8); len(s) != 1 || len(p.sent("payment")) != 2 || len(p.sent("invoice")) != 3 {
		t.Errorf("%d subscriptions, %d emails of thanks, %d invoices", len(s), len(p.sent("payment")),
			len(p.sent("invoice")))
	}
	// Taken back, the first year stays.
	if _, err := p.shop.Transfers.Unmatch(p.ctx, 1, false); !errors.Is(err, transfer.ErrLaterPayment) {
		t.Errorf("the first year was taken from under the second: %v", err)
	}
	lines := p.lines() // of the last weeks
	id := lines[len(lines)-1].ID
	if _, err := p.shop.Transfers.Unmatch(p.ctx, id, false); err != nil {
		t.Fatal(err)
	}
	if until, _, _, _ := p.standing(8); !until.Equal(first) {
		t.Errorf("until %s, not %s", until, first)
	}
	p.advance(15 * day)
	sweep()
	if until, _, _, _ := p.standing(9); !until.IsZero() || p.subscriptions(9)[0].Status != stripe.Ended ||
		len(p.sent("access_ended")) != 2 {
		t.Errorf("who has not paid reads until %s; %d emails", until, len(p.sent("access_ended")))
	}
	// Late, the second year begins when it is paid.
	p.imports(came{ref: p.transferOf(9).Reference, id: "4"})
	if until, _, _, _ := p.standing(9); until.Sub(p.db.Now().AddDate(1, 0, 0)).Abs() > time.Minute {
		t.Errorf("until %s", until)
	}
}

// A card and a transfer of one reader: whichever comes first counts, the other is given back or waits for a person.
func TestCardAndTransfer(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(5)
	p.buy(p.order(5, access.Monthly), goodCard)
	p.work()
	if p.transferOf(5).State != transfer.StateVoid {
		t.Error("who has paid by card is still asked for a transfer")
	}
	if out := p.imports(came{ref: o.Reference}); out.Queued != 1 {
		t.Errorf("%+v", out)
	}
	checkout := p.order(6, access.Monthly)
	p.imports(came{ref: p.orders(6).Reference})
	p.buy(checkout, goodCard)
	p.work()
	if err := p.shop.Reconciliation.All(p.ctx); err != nil {
		t.Fatal(err)
	}
	if s := p.subscriptions(6); len(s) != 2 || !s[0].Transfer || s[0].Status != stripe.Active ||
		s[1].Status != stripe.Canceled {
		t.Errorf("%+v", s)
	}
	if n := len(p.listed("refunds?limit=10")); n != 1 {
		t.Errorf("%d refunds of a second subscription", n)
	}
}

// What is about subscriptions at the card provider leaves those by transfer alone: changes, prices for all, codes that
// move payments.
func TestTheCardProviderIsNotAsked(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers, func(d *edition.Document) { d.Billing.Products[1].ForAllFrom = "2026-01-01" })
	p.imports(came{ref: p.orders(5).Reference})
	if err := p.shop.Subscriptions.Change(p.ctx, 5, subscription.Change{Kind: access.ChangeCancel}); !errors.Is(err,
		access.ErrState) {
		t.Errorf("a change: %v", err)
	}
	codes, err := voucher.CreateCoupons(p.ctx, p.db,
		voucher.Batch{Name: "x", Product: access.Yearly, Count: 1, Periods: 1, Uses: 1, Until: p.db.Now().AddDate(0, 6, 0)})
	if err != nil {
		t.Fatal(err)
	}
	before, _, _, _ := p.standing(5)
	until, err := p.shop.vouchers.Redeem(p.ctx, 5, codes[0], "n")
	if err != nil || until.Sub(before.AddDate(1, 0, 0)).Abs() > time.Minute {
		t.Errorf("%s %v", until, err)
	}
	p.work()
	p.view(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE billing_subscriptions SET amount = 5000").Exec(ctx)
		return err
	})
	p.advance(before.AddDate(0, 0, -40).Sub(p.db.Now()))
	if err := p.shop.Subscriptions.SweepPrices(p.ctx); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"billing_price_changes", "billing_parked", "billing_syncs", "billing_changes"} {
		if n := p.count("SELECT count(*) FROM " + table); n != 0 {
			t.Errorf("%d rows of %s", n, table)
		}
	}
}

// A payment that was recorded for the wrong order is taken from it, and its reader is told so: no money is on its way
// to them.
func TestUnmatchedPaymentIsToldAsItIs(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	p.imports(came{ref: p.orders(5).Reference})
	p.work()
	line := p.lines()[0].ID
	if _, err := p.shop.Transfers.Unmatch(p.ctx, line, false); err != nil {
		t.Fatal(err)
	}
	p.work()
	text := p.messageText("credit")
	for _, want := range []string{
		"omylom", "89,00", "FV-", "Prístup, ktorý otvorila, sa skončil",
		"žiadne peniaze sa preto nevracajú",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "na ceste") || strings.Contains(text, "vraciame 89") {
		t.Error(text)
	}
	if _, err := p.shop.Transfers.Match(p.ctx, line, p.transferOf(5).Reference, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := p.shop.Transfers.Refund(p.ctx, line, false); err != nil {
		t.Fatal(err)
	}
	p.work()
	if all := p.sent("credit"); len(all) != 2 || !strings.Contains(all[1].Blocks[0].Text, "na ceste") {
		t.Errorf("a payment that was given back: %+v", all)
	}
}

// An email says what the bank's form calls the reference, as the document does, and has the account in groups of four.
func TestTheMailOfATransferNamesItsReference(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(5)
	p.work()
	l := p.sent("proforma")[0]
	if !slices.ContainsFunc(l.Files, func(f mail.File) bool {
		return f.Inline && bytes.HasPrefix(f.Body, []byte("\x89PNG"))
	}) {
		t.Error("it has no payment code")
	}
	text := mail.Text(p.ed, &l)
	for _, want := range []string{"Variabilný symbol: " + o.Reference, "IBAN: " + invoice.Grouped(p.ed.Bank.IBAN)} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// The profile says that an order waits for its money, and leads to its details, until it is paid.
func TestTheProfileNamesAWaitingTransfer(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(5)
	if w := p.state(5).Waits; w == nil || w.Amount != 8900 || !w.Due.Equal(o.DueAt) ||
		!strings.HasPrefix(w.URL, "/account/transfer?slip=") {
		t.Errorf("%+v", w)
	}
	p.imports(came{ref: o.Reference})
	if w := p.state(5).Waits; w != nil || p.state(6).Waits != nil {
		t.Errorf("%+v", w)
	}
}

// Who withdraws within fourteen days stops reading, and the money waits to be sent back.
func TestWithdrawalFromATransfer(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	p.imports(came{ref: p.orders(5).Reference})
	link, err := p.shop.Withdrawals.State(p.ctx,
		withdrawal.Request{
			Name: "Eva Nová", Email: "reader5@example.org",
			Contract: withdrawal.OfSubscription,
		}, "n")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.shop.Withdrawals.Withdraw(p.ctx, link, 5); err != nil {
		t.Fatal(err)
	}
	p.work()
	if until, _, _, _ := p.standing(5); !until.IsZero() {
		t.Errorf("reads until %s", until)
	}
	l := p.lines()[0]
	if l.State != transfer.LineQueued || l.Reason != transfer.ReasonWithdrawn || len(p.documents("d.kind = 'CN'")) != 1 ||
		len(p.sent("withdrawal")) != 1 {
		t.Errorf("%+v", l)
	}
}

// What cannot be read changes nothing; a rehearsal says what would be and leaves nothing.
func TestImportsThatAreNone(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(5)
	good := p.statement(came{ref: o.Reference, id: "1"}, came{ref: o.Reference, id: "2"})
	for name, text := range map[string]string{
		"no statement":       "<html/>",
		"of another account": strings.Replace(good, p.ed.Bank.IBAN, "SK8999520000001987426375", 1),
		"cut off":            good[:300],
	} {
		if out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(text), false); err == nil || out.Matched > 0 {
			t.Errorf("%s: %+v", name, out)
		}
	}
	out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(good), true)
	if err != nil || out.Counts != (transfer.Counts{Matched: 1, Queued: 1}) {
		t.Errorf("%+v %v", out, err)
	}
	if n := p.count("SELECT count(*) FROM billing_bank_lines") +
		p.count("SELECT count(*) FROM billing_documents WHERE kind = 'FV'") +
		p.count("SELECT count(*) FROM billing_statements"); n != 0 {
		t.Errorf("%d rows are left of a rehearsal", n)
	}
	p.shop.Invoices.Rates = nil
	if _, err := p.shop.Subscriptions.Pay(p.ctx, 6,
		subscription.Order{Product: access.Yearly, Method: transfer.MethodIBAN}); !errors.Is(err,
		access.ErrTransferFailed) {
		t.Errorf("without a rate of VAT: %v", err)
	}
	if _, err := p.shop.Subscriptions.Pay(p.ctx, 6,
		subscription.Order{Product: access.Monthly, Method: transfer.MethodIBAN}); !errors.Is(err,
		access.ErrTransferFailed) {
		t.Errorf("a month by transfer: %v", err)
	}
	testkit.Retain(p.ctx, t, p.db, p.shop.Retentions())
}

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ iban, want string }{
		{"SK3112000000198742637541", "2600000420"},
		{"AT879993000198742637", "RF902600000420"},
		{"CH8199812000198742637", "RF902600000420"},
		{"CH4431999123000889012", "000000000000000026000004200"},
	} {
		got, err := transfer.ReferenceFor(c.iban, 2026, 42)
		if err != nil || got != c.want {
			t.Errorf("%s: %s %v", c.iban, got, err)
		}
		spaced := invoice.Grouped(got)
		for _, text := range []string{
			got, spaced, "Rechnung " + got + " Danke", "/VS" + got + "/SS/KS",
			strings.ToLower(spaced),
		} {
			if found := transfer.ReferencesIn(camt.Payment{Text: text}); !slices.Contains(found, got) {
				t.Errorf("%q names %v, not %s", text, found, got)
			}
		}
		// One wrong digit, or two in each other's place, is another number.
		if kind, _ := invoice.ReferenceForm(c.iban); kind == "symbol" {
			for i := range got {
				for d := '0'; d <= '9'; d++ {
					if typo := got[:i] + string(d) + got[i+1:]; typo != got && checks(typo) {
						t.Errorf("%s passes for %s", typo, got)
					}
				}
			}
		}
	}
	if _, err := transfer.ReferenceFor("SK3112000000198742637541", 2026, 10_000_000); err == nil {
		t.Error("there are more orders than numbers")
	}
}

// checks reports whether the last digit of a symbol fits the others.
func checks(symbol string) bool {
	all, err := payqr.QRR(symbol[:9])
	return err == nil && all[26] == symbol[9]
}
