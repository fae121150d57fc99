package billing

import (
	"strings"
	"testing"
	"time"
)

// imported reads a statement in which some words are others.
func (p *paper) imported(text string, change ...string) Imported {
	p.t.Helper()
	out, err := p.shop.ImportStatement(p.ctx, strings.NewReader(strings.NewReplacer(change...).Replace(text)), false)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// An entry says itself which way its money goes; that it takes back another one is for a person.
func TestReversals(t *testing.T) {
	t.Parallel()
	p := newPaper(t, takesTransfers)
	bounced, open := p.orders(1), p.orders(2)
	p.imports(came{ref: bounced.Reference, id: "1"})
	out := p.imported(p.statement(came{ref: bounced.Reference, id: "2"}, came{ref: "nobody", id: "3"}), "<Sts>", "<RvslInd>true</RvslInd><Sts>", "CRDT", "DBIT")
	if out != (Imported{Queued: 2}) {
		t.Errorf("money that the bank has taken away: %+v", out)
	}
	out = p.imported(p.statement(came{ref: open.Reference, id: "4"}, came{ref: "nobody", id: "5"}), "<Sts>", "<RvslInd>true</RvslInd><Sts>")
	if out != (Imported{Queued: 2}) {
		t.Errorf("money of ours that came back: %+v", out)
	}
	for i, want := range []BankLine{
		{State: lineMatched, Credit: true}, {State: lineQueued, Reason: whyReturned, TransferID: bounced.ID}, {State: lineQueued, Reason: whyReversal},
		{State: lineQueued, Reason: whyReversal, Credit: true, TransferID: open.ID}, {State: lineQueued, Reason: whyReversal, Credit: true},
	} {
		if l := p.lines()[i]; l.State != want.State || l.Reason != want.Reason || l.Credit != want.Credit || want.TransferID != 0 && l.TransferID != want.TransferID {
			t.Errorf("line %d: %+v, not %+v", i, l, want)
		}
	}
	if p.transferOf(2).State != transferOpen {
		t.Error("money of ours that came back pays an order")
	}
	if _, err := p.shop.RefundLine(p.ctx, p.lines()[1].ID, false); err != nil || p.transferOf(1).State != transferReversed {
		t.Errorf("a payment that bounced can not be taken from its order: %v", err)
	}
}

// What was booked has to be the sum of the order, whatever the payer has sent.
func TestChargesAreNoPartOfAPayment(t *testing.T) {
	t.Parallel()
	p := newPaper(t, takesTransfers)
	o := p.orders(1)
	sent := `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">89.00</Amt></TxAmt></AmtDtls>`
	if out := p.imported(p.statement(came{ref: o.Reference, amount: "84.00"}), "<TxDtls>", sent); out != (Imported{Queued: 1}) || p.lines()[0].Reason != whyAmount || p.lines()[0].Amount != 8400 {
		t.Errorf("%+v %+v", out, p.lines())
	}
	if out := p.imported(p.statement(came{ref: o.Reference}), "<TxDtls>", strings.Replace(sent, "89.00", "94.00", 1)); out != (Imported{Matched: 1}) {
		t.Errorf("%+v", out)
	}
}

// Two equal payments of one payer and day, which the bank does not number, are never taken for one: in one statement they are two,
// in two statements the second is a doubt, and the same statement can be read again.
func TestEqualPaymentsAreNotLost(t *testing.T) {
	t.Parallel()
	p := newPaper(t, takesTransfers)
	o, other := p.orders(1), p.orders(2)
	c := came{ref: o.Reference, day: p.db.Now().Format(time.DateOnly)}
	first := p.statement(c)
	if out := p.imported(first); out != (Imported{Matched: 1}) {
		t.Fatalf("%+v", out)
	}
	for _, text := range []string{first, p.statement(came{ref: other.Reference, id: "B7"}, c)} {
		if out := p.imported(text); out.Known != 1 {
			t.Errorf("the same statement again: %+v", out)
		}
	}
	if out := p.imported(p.statement(c, c)); out != (Imported{Known: 1, Queued: 1}) || p.lines()[2].Reason != whyPaid {
		t.Errorf("two of one statement: %+v %+v", out, p.lines())
	}
	for range 2 {
		if out := p.imported(first, "<Id>S1</Id>", "<Id>S2</Id>"); out.Queued+out.Known != 1 {
			t.Errorf("%+v", out)
		}
	}
	if l := p.lines(); len(l) != 4 || l[3].Reason != whyDoubt || l[3].TransferID != o.ID {
		t.Fatalf("an equal payment of another statement: %+v", l)
	}
	// With a number of the bank's, statements may overlap as they like.
	c.ref, c.id = "nobody", "B8"
	p.imported(p.statement(c), "<Id>S1</Id>", "<Id>S5</Id>")
	if out := p.imported(p.statement(c), "<Id>S1</Id>", "<Id>S6</Id>"); out != (Imported{Known: 1}) {
		t.Errorf("%+v", out)
	}
}
