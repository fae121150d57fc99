package billing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// behindQR is the account that the statements of a QR-IBAN name.
const behindQR = "CH9300762011623852957"

// imported reads a statement in which some words are others.
func (p *env) imported(text string, change ...string) transfer.Counts {
	p.t.Helper()
	out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(strings.NewReplacer(change...).Replace(text)), false)
	if err != nil {
		p.t.Fatal(err)
	}
	return out.Counts
}

// An entry says itself which way its money goes; that it takes back another one is for a person.
func TestReversals(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	bounced, open := p.orders(1), p.orders(2)
	p.imports(came{ref: bounced.Reference, id: "1"})
	out := p.imported(p.statement(came{ref: bounced.Reference, id: "2"}, came{ref: "nobody", id: "3"}), "<Sts>",
		"<RvslInd>true</RvslInd><Sts>", "CRDT", "DBIT")
	if out != (transfer.Counts{Queued: 2}) {
		t.Errorf("money that the bank has taken away: %+v", out)
	}
	out = p.imported(p.statement(came{ref: open.Reference, id: "4"}, came{ref: "nobody", id: "5"}), "<Sts>",
		"<RvslInd>true</RvslInd><Sts>")
	if out != (transfer.Counts{Queued: 2}) {
		t.Errorf("money of ours that came back: %+v", out)
	}
	for i, want := range []transfer.Line{
		{State: transfer.LineMatched, Credit: true},
		{State: transfer.LineQueued, Reason: transfer.ReasonReturned, TransferID: bounced.ID},
		{State: transfer.LineQueued, Reason: transfer.ReasonReversal},
		{State: transfer.LineQueued, Reason: transfer.ReasonReversal, Credit: true, TransferID: open.ID},
		{State: transfer.LineQueued, Reason: transfer.ReasonReversal, Credit: true},
	} {
		if l := p.lines()[i]; l.State != want.State || l.Reason != want.Reason || l.Credit != want.Credit ||
			want.TransferID != 0 && l.TransferID != want.TransferID {
			t.Errorf("line %d: %+v, not %+v", i, l, want)
		}
	}
	if p.transferOf(2).State != transfer.StateOpen {
		t.Error("money of ours that came back pays an order")
	}
	if _, err := p.shop.Transfers.Refund(p.ctx, p.lines()[1].ID, false); err != nil ||
		p.transferOf(1).State != transfer.StateReversed {
		t.Errorf("a payment that bounced cannot be taken from its order: %v", err)
	}
}

// What was booked has to be the sum of the order, whatever the payer has sent.
func TestChargesAreNoPartOfAPayment(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(1)
	sent := `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">89.00</Amt></TxAmt></AmtDtls>`
	if out := p.imported(p.statement(came{ref: o.Reference, amount: "84.00"}), "<TxDtls>",
		sent); out != (transfer.Counts{Queued: 1}) || p.lines()[0].Reason != transfer.ReasonAmount ||
		p.lines()[0].Amount != 8400 {
		t.Errorf("%+v %+v", out, p.lines())
	}
	if out := p.imported(p.statement(came{ref: o.Reference}), "<TxDtls>",
		strings.Replace(sent, "89.00", "94.00", 1)); out != (transfer.Counts{Matched: 1}) {
		t.Errorf("%+v", out)
	}
}

// Two equal payments of one payer and day, which the bank does not number, are never taken for one: in one statement
// they are two, in two statements the second is a doubt, and the same statement can be read again.
func TestEqualPaymentsAreNotLost(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o, other := p.orders(1), p.orders(2)
	c := came{ref: o.Reference, day: p.db.Now().Format(time.DateOnly)}
	first := p.statement(c)
	if out := p.imported(first); out != (transfer.Counts{Matched: 1}) {
		t.Fatalf("%+v", out)
	}
	for _, text := range []string{first, p.statement(came{ref: other.Reference, id: "B7"}, c)} {
		if out := p.imported(text); out.Known != 1 {
			t.Errorf("the same statement again: %+v", out)
		}
	}
	if out := p.imported(p.statement(c, c)); out != (transfer.Counts{Known: 1, Queued: 1}) ||
		p.lines()[2].Reason != transfer.ReasonPaid {
		t.Errorf("two of one statement: %+v %+v", out, p.lines())
	}
	for range 2 {
		if out := p.imported(first, "<Id>S1</Id>", "<Id>S2</Id>"); out.Queued+out.Known != 1 {
			t.Errorf("%+v", out)
		}
	}
	if l := p.lines(); len(l) != 4 || l[3].Reason != transfer.ReasonDoubt || l[3].TransferID != o.ID {
		t.Fatalf("an equal payment of another statement: %+v", l)
	}
	// With a number of the bank's, statements may overlap as they like.
	c.ref, c.id = "nobody", "B8"
	p.imported(p.statement(c), "<Id>S1</Id>", "<Id>S5</Id>")
	if out := p.imported(p.statement(c), "<Id>S1</Id>", "<Id>S6</Id>"); out != (transfer.Counts{Known: 1}) {
		t.Errorf("%+v", out)
	}
}

// The statements of a QR-IBAN name the account behind it, and no other one of the country will do.
func TestStatementsOfAQRIBAN(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers, func(d *edition.Document) {
		d.Bank.IBAN, d.Bank.Booked, d.Supplier.Country, d.Supplier.Postal = "CH4431999123000889012", behindQR, "CH", "8005"
	})
	o := p.orders(1)
	text := p.statement(came{ref: o.Reference})
	for _, other := range []string{"CH8199812000198742637", "SK3112000000198742637541"} {
		if out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(strings.Replace(text, p.ed.Bank.IBAN, other, 1)),
			false); !errors.Is(err, transfer.ErrStatement) {
			t.Errorf("%s: %+v %v", other, out, err)
		}
	}
	if out := p.imported(text, "<IBAN>"+p.ed.Bank.IBAN, "<IBAN>"+behindQR); out != (transfer.Counts{Matched: 1}) {
		t.Errorf("%+v", out)
	}
}

// A company that orders by transfer is asked about when it orders and when it pays, and every day in between.
func TestVATNumbersOfTransfers(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	r := &register{good: map[string]bool{goodNumber: true}}
	p.shop.Invoices.Register = r
	if a := p.post(1, "/fns/user-data-set", companyAs("AT", "1010", goodNumber)); a.Status != 200 {
		t.Fatal(a)
	}
	asked := func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.asked)
	}
	o := p.orders(1)
	if pf := p.documents("d.kind = 'PF'")[0]; pf.Lines[0].Category != invoice.VATReverse || asked() != 1 {
		t.Errorf("an order: %s after %d questions", pf.Lines[0].Category, asked())
	}
	p.advance(25 * day)
	if err := p.shop.Invoices.CheckVATNumbers(p.ctx); err != nil || asked() != 2 {
		t.Errorf("an open order: %d questions, %v", asked(), err)
	}
	p.view(func(ctx context.Context, tx db.Tx) error { // an answer that is too old
		_, err := tx.NewRaw("UPDATE billing_vat_numbers SET asked_at = ?", tx.Now.AddDate(0, 0, -31)).Exec(ctx)
		return err
	})
	if out := p.imports(came{ref: o.Reference}); out != (transfer.Counts{Matched: 1}) {
		t.Fatalf("%+v", out)
	}
	if fv := p.documents("d.kind = 'FV'")[0]; fv.Lines[0].Category != invoice.VATReverse || asked() != 3 {
		t.Errorf("a payment: %s after %d questions", fv.Lines[0].Category, asked())
	}
	if _, err := p.shop.Transfers.Unmatch(p.ctx, 1, false); err != nil {
		t.Fatal(err)
	}
	p.advance(31 * day)
	if _, err := p.shop.Transfers.Match(p.ctx, 1, o.Reference, false, false); err != nil {
		t.Fatal(err)
	}
	if fv := p.documents("d.kind = 'FV'"); len(fv) != 2 || fv[1].Lines[0].Category != invoice.VATReverse || asked() != 4 {
		t.Errorf("a payment that a person has paired: %s after %d questions", fv[1].Lines[0].Category, asked())
	}
}

// What was given is read before what is paid: the next year is asked for when that ends, and begins there.
func TestTransfersGoOnAfterWhatWasGiven(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	give := func(reader int64, until time.Time) {
		t.Helper()
		if err := access.Give(p.ctx, p.db, access.Grant{ReaderID: reader, Until: until, Reason: "gift"}); err != nil {
			t.Fatal(err)
		}
	}
	givenUntil := p.db.Now().AddDate(0, 2, 0).Truncate(time.Second)
	give(1, givenUntil)
	p.imports(came{ref: p.orders(1).Reference, id: "1"}, came{ref: p.orders(2).Reference, id: "2"})
	if o := p.transferOf(1); !o.StartsAt.Equal(givenUntil) || !o.EndsAt.Equal(givenUntil.AddDate(1, 0, 0)) {
		t.Errorf("%s to %s, after %s was given", o.StartsAt, o.EndsAt, givenUntil)
	}
	if _, err := p.shop.Transfers.Unmatch(p.ctx, 1, false); err != nil || p.subscriptions(1)[0].Status != stripe.Ended {
		t.Errorf("taken back, it goes on: %+v %v", p.subscriptions(1), err)
	}
	first := p.transferOf(2).EndsAt
	sweep := func(at time.Time, want int) {
		t.Helper()
		p.advance(at.Sub(p.db.Now()))
		for range 2 {
			if err := p.shop.Transfers.Sweep(p.ctx); err != nil {
				t.Fatal(err)
			}
		}
		if n := p.count("SELECT count(*) FROM billing_transfers WHERE renews AND reader_id = 2"); n != want {
			t.Errorf("%s: %d orders for another year, not %d", at, n, want)
		}
	}
	givenUntil = first.AddDate(0, 6, 0)
	p.advance(first.AddDate(0, 0, -10).Sub(p.db.Now()))
	give(2, givenUntil)
	// Given after the sweep has looked who is to be asked.
	if err := p.shop.Transfers.Renew(p.ctx, &p.subscriptions(2)[0], p.ed.Product(access.Yearly)); err != nil {
		t.Fatal(err)
	}
	sweep(first.AddDate(0, 0, -10), 0)
	sweep(first.AddDate(0, 1, 0), 0)
	sweep(givenUntil.AddDate(0, 0, -15), 0)
	sweep(givenUntil.AddDate(0, 0, -13), 1)
	p.imports(came{ref: p.transferOf(2).Reference, id: "3"})
	o := p.transferOf(2)
	if until, _, _, _ := p.standing(2); !o.StartsAt.Equal(givenUntil) || !until.Equal(givenUntil.AddDate(1, 0, 0)) {
		t.Errorf("from %s, until %s", o.StartsAt, until)
	}
}

// A file that is nested without end, or that never ends, is refused before it takes the memory of the process.
func TestStatementsAreBounded(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for name, c := range map[string]struct {
		file io.Reader
		says string
	}{
		"elements within elements": {strings.NewReader(strings.Repeat("<Document>", 20_000)), "too deep"},
		"skipped ones, too": {
			strings.NewReader("<Document><BkToCstmrStmt>" + strings.Repeat("<a>", 20_000)),
			"too deep",
		},
		"a file without an end": {io.MultiReader(strings.NewReader("<Document>"), spaces{}), "more than"},
	} {
		if _, err := p.shop.Transfers.Import(p.ctx, c.file, true); !errors.Is(err, camt.ErrFormat) &&
			!errors.Is(err, transfer.ErrStatement) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spaces are read for ever.
type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// Files that are read at the same time, in any order and also in dry runs, wait for each other and never in a circle.
func TestImport_oppositeOrder(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	var all []came
	for i := range 40 {
		c := came{ref: "nobody", id: fmt.Sprint(i), amount: fmt.Sprintf("%d.00", 10+i)}
		if i%10 == 0 {
			c = came{ref: p.orders(int64(i + 1)).Reference, id: fmt.Sprint(i)}
		}
		all = append(all, c)
	}
	forth := p.statement(all...)
	slices.Reverse(all)
	back := p.statement(all...)
	for round, dry := range [][2]bool{{true, true}, {true, true}, {true, false}, {true, true}} {
		var both sync.WaitGroup
		for i, text := range []string{forth, back} {
			both.Go(func() {
				out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(text), dry[i])
				if err != nil || out.Payments() != len(all) || out.Failed > 0 {
					t.Errorf("round %d, file %d: got %+v, %v; want %d payments", round, i, out.Counts, err, len(all))
				}
			})
		}
		both.Wait()
	}
}
