package billing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

var (
	// wantedEntry is an entry of the files in testdata, with the outcomes that it must have before it.
	wantedEntry = regexp.MustCompile(`(?s)<!-- want: ([^>]*) -->\s*(<(?:\w+:)?Ntry>.*?</(?:\w+:)?Ntry>)`)
	placeholder = regexp.MustCompile(`\{(\w+) (\d+)\}`)
)

// filled writes orders of the edition's readers into a text: {symbol 7} is the number within the reference of reader 7.
func (p *env) filled(text string) string {
	p.t.Helper()
	orders := map[string]transfer.Order{}
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		at := placeholder.FindStringSubmatch(found)
		id, _ := strconv.ParseInt(at[2], 10, 64)
		o, ok := orders[at[2]]
		if !ok {
			if at[1] == "name" || at[1] == "proforma" {
				if a := p.post(id, "/fns/user-data-set", fmt.Sprintf(`{"data":{"email":"reader%d@example.org",`+
					`"name":"Žofia Kľúčová","country":"SK"}}`, id)); a.Status != 200 {
					p.t.Fatal(a)
				}
			}
			o = p.orders(id)
			orders[at[2]] = o
			if at[1] == "void" {
				p.view(func(ctx context.Context, tx db.Tx) error { return transfer.VoidOf(ctx, tx, id) })
			}
		}
		symbol := o.Reference
		switch {
		case strings.HasPrefix(symbol, "RF"):
			symbol = symbol[4:]
		case len(symbol) == 27:
			symbol = symbol[16:26]
		}
		grouped := invoice.Grouped(o.Reference)
		switch at[1] {
		case "reference":
			return o.Reference
		case "grouped":
			return grouped
		case "lower":
			return strings.ToLower(grouped)
		case "dashed":
			return strings.NewReplacer(" ", "-", "\u00a0", "-").Replace(grouped)
		case "digits":
			return strings.TrimPrefix(o.Reference, "RF")
		case "bare":
			return strings.TrimLeft(o.Reference, "0")
		case "spaced":
			return symbol[:2] + " " + symbol[2:5] + " " + symbol[5:]
		case "head":
			return symbol[:4]
		case "tail":
			return symbol[4:]
		case "name":
			return "KLUCOVA ZOFIA"
		case "proforma":
			return p.documents(fmt.Sprint("d.id = ", o.DocumentID))[0].Number
		}
		return symbol
	})
}

// outcomes are those of the payments that are newer than a line: the reason why each waits, or that it has paid, and
// the reader whose order that is.
func outcomes(list []transfer.Line, after int64) (all []string) {
	for _, l := range list {
		if l.ID <= after {
			continue
		}
		text := "paid"
		if l.State == transfer.LineQueued {
			text = "queued " + l.Reason
		}
		if l.ReaderID != 0 {
			text += fmt.Sprint(" ", l.ReaderID)
		}
		all = append(all, text)
	}
	return all
}

// Each entry of the files that are written as banks write them has the outcome that the file names: imported by itself,
// with all others, and once more.
func TestImport_EntriesOfBanks(t *testing.T) {
	t.Parallel()
	home := func(country, postal, iban, account string) func(*edition.Document) {
		return func(d *edition.Document) {
			d.Bank.IBAN, d.Bank.Booked, d.Supplier.Country, d.Supplier.Postal = iban, account, country, postal
		}
	}
	tried, uncounted := 0, 0
	for _, c := range []struct {
		file  string
		place func(*edition.Document)
	}{
		{"sk", func(d *edition.Document) { d.Bank.IBAN, d.Bank.Booked = "SK8999520000001987426375", "" }},
		{"at", home("AT", "1010", "AT879993000198742637", "")},
		{"ch", home("CH", "8005", "CH4431999123000889012", behindQR)},
	} {
		raw, err := os.ReadFile(filepath.Join("../../platform/camt/testdata", c.file+".xml"))
		if err != nil {
			t.Fatal(err)
		}
		papers := newEnvs(t, 2, takesTransfers, c.place)
		p, whole := papers[0], papers[1]
		text := p.filled(string(raw))
		entries := wantedEntry.FindAllStringSubmatchIndex(text, -1)
		head, foot := text[:entries[0][0]], text[entries[len(entries)-1][1]:]
		counted := transfer.Counts{}
		for n, at := range entries {
			want, entry, before := text[at[2]:at[3]], text[at[4]:at[5]], int64(0)
			if l := p.lines(); len(l) > 0 {
				before = l[len(l)-1].ID
			}
			out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(head+entry+foot), false)
			if err != nil {
				t.Errorf("%s: entry %d: %v", c.file, n+1, err)
			}
			tried++
			if out.Entries != 1 || out.Counts.Entries() != 1 {
				uncounted++
			}
			got := strings.Join(outcomes(p.lines(), before), "; ")
			switch {
			case out.Left > 0:
				got += "left"
			case out.Announced > 0:
				got += "announced"
			}
			if got != want {
				t.Errorf("%s: entry %d: got %q, want %q:\n%s", c.file, n+1, got, want, entry)
			}
			counted.Matched += out.Matched
			counted.Queued += out.Queued
			counted.Left += out.Left
			counted.Announced += out.Announced
			counted.Split += out.Split
		}
		all, err := whole.shop.Transfers.Import(whole.ctx, strings.NewReader(whole.filled(string(raw))), false)
		if err != nil || all.Counts != counted || all.Entries != len(entries) || all.Counts.Entries() != len(entries) {
			t.Errorf("%s: together: got %+v %v, want %+v", c.file, all, err, counted)
		}
		again := p.imported(text)
		if want := (transfer.Counts{
			Known: counted.Matched + counted.Queued, Left: counted.Left, Announced: counted.Announced, Split: counted.Split,
		}); again != want {
			t.Errorf("%s: once more: got %+v, want %+v", c.file, again, want)
		}
	}
	t.Logf("entries tried: %d, entries in no count: %d", tried, uncounted)
	if tried < 60 || uncounted > 0 {
		t.Errorf("got %d entries tried, %d in no count, want at least 60 and 0", tried, uncounted)
	}
}

// The bank's number decides which payments are the same, however else they are written in another statement.
func TestImport_SameNumber(t *testing.T) {
	t.Parallel()
	const (
		known = "known"
		doubt = "queued perhaps_known"
		paid  = "queued paid_before"

		entryNumber = "<AcctSvcrRef>N1</AcctSvcrRef>"
	)
	p := newEnv(t, takesTransfers)
	reader := int64(0)
	for name, c := range map[string]struct {
		change []string // of the statement that came first
		want   string
	}{
		"more text":                {[]string{"</NtryDtls>", "</NtryDtls><AddtlNtryInf>SEPA</AddtlNtryInf>"}, known},
		"other text":               {[]string{"za noviny", "PREDPLATNE"}, known},
		"white space":              {[]string{"za noviny", "za  no\nviny"}, known},
		"no text":                  {[]string{"<RmtInf><Ustrd>za noviny</Ustrd></RmtInf>", ""}, known},
		"another form of the name": {[]string{"Eva Malá", "MALÁ EVA"}, known},
		"no payer":                 {[]string{"<RltdPties>", "<Other>", "</RltdPties>", "</Other>"}, known},
		"another version":          {[]string{"BOOK", "<Cd>BOOK</Cd>", "<Nm>", "<Pty><Nm>", "</Nm>", "</Nm></Pty>"}, known},
		"amount in other digits":   {[]string{">89.00<", ">0089.000<"}, known},
		"day with a zone":          {[]string{"<Dt>2026-11-27<", "<Dt>2026-11-27+01:00<"}, known},
		"number at the detail":     {[]string{entryNumber, "", "<Refs>", "<Refs>" + entryNumber}, known},
		"number at both":           {[]string{"<Refs>", "<Refs>" + entryNumber}, known},
		"one more number":          {[]string{"<Refs>", "<Refs><TxId>T1</TxId>"}, known},
		"another number":           {[]string{"N1", "N2"}, paid},
		"another payer":            {[]string{"SK6807200002891987426353", "SK5702000000009876543210"}, doubt},
		"another id of the payer":  {[]string{"E2E-1", "E2E-2"}, doubt},
		"another sum":              {[]string{">89.00<", ">89.01<"}, paid},
		"another day":              {[]string{"2026-11-27<", "2026-11-26<"}, paid},
		"no number":                {[]string{entryNumber, ""}, doubt},
		"no number and other text": {[]string{entryNumber, "", "za noviny", "za darček"}, paid},
	} {
		reader++
		entry := `<Ntry><Amt Ccy="EUR">89.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-27</Dt>` +
			`</BookgDt><AcctSvcrRef>N1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E2E-1</EndToEndId><InstrId>` +
			p.orders(reader).Reference + `</InstrId></Refs><RltdPties><Dbtr><Nm>Eva Malá</Nm></Dbtr><DbtrAcct><Id>` +
			`<IBAN>SK6807200002891987426353</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>za noviny</Ustrd></RmtInf>` +
			`</TxDtls></NtryDtls></Ntry>`
		entry = strings.ReplaceAll(entry, "N1", fmt.Sprint("N1-", reader))
		for i := range c.change {
			for _, number := range []string{"N1", "N2"} {
				c.change[i] = strings.ReplaceAll(c.change[i], number, fmt.Sprint(number, "-", reader))
			}
		}
		text := p.statement()
		at := strings.Index(text, "</Stmt>")
		text = text[:at] + entry + text[at:]
		if out := p.imported(text, "S1", fmt.Sprint("A", reader)); out != (transfer.Counts{Matched: 1}) {
			t.Fatalf("%s: %+v", name, out)
		}
		before := p.lines()
		for range 2 { // the second time, nothing changes
			out := p.imported(text, append([]string{"S1", fmt.Sprint("B", reader)}, c.change...)...)
			if out.Known+out.Queued != 1 || out.Payments() != 1 {
				t.Errorf("%s: got %+v", name, out)
			}
		}
		got := strings.Join(outcomes(p.lines(), before[len(before)-1].ID), "; ")
		if want := fmt.Sprint(c.want, " ", reader); got != want && (got != "" || c.want != known) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// One number for several payments of one statement does not lose any of them.
func TestImport_NumberGivenTwice(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	a, b := p.orders(1), p.orders(2)
	two := p.statement(came{ref: a.Reference, id: "0815"}, came{ref: b.Reference, id: "0815"}, came{ref: "x", id: "0815"},
		came{ref: "x", id: "0815"})
	if out := p.imported(two); out != (transfer.Counts{Matched: 2, Queued: 2}) {
		t.Errorf("two payments with one number: %+v", out)
	}
	if out := p.imported(two, "<Id>S1</Id>", "<Id>S2</Id>"); out != (transfer.Counts{Known: 4}) {
		t.Errorf("another statement with both: %+v", out)
	}
	third := p.orders(3)
	if out := p.imported(p.statement(came{ref: third.Reference, id: "0815"}), "<Id>S1</Id>", "<Id>S3</Id>"); out !=
		(transfer.Counts{Queued: 1}) || p.lines()[4].Reason != transfer.ReasonDoubt || p.lines()[4].TransferID != third.ID {
		t.Errorf("another statement with one more: %+v %+v", out, p.lines())
	}
}

// A payment that cannot be stored does not stop the others, and a part that cannot be read neither.
func TestImport_GoesOn(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	a, b := p.orders(1), p.orders(2)
	p.view(func(ctx context.Context, tx db.Tx) error { // the pre-invoice of the first one is lost
		_, err := tx.NewRaw("UPDATE billing_transfers SET document_id = NULL WHERE id = ?", a.ID).Exec(ctx)
		return err
	})
	text := p.statement(came{ref: a.Reference, id: "1"}, came{ref: b.Reference, id: "2"}, came{ref: "x", id: "3"})
	for _, want := range []transfer.Counts{{Failed: 1, Matched: 1, Queued: 1}, {Failed: 1, Known: 2}} {
		out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(text), false)
		if err == nil || out.Counts != want {
			t.Errorf("got %+v %v, want %+v", out, err, want)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_statements"); n != 0 {
		t.Error("the file counts as read to its end")
	}
	cut := p.statement(came{ref: p.orders(4).Reference, id: "4"}, came{ref: "y", id: "5"})
	out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(cut[:len(cut)-90]), false)
	if err == nil || out.Counts != (transfer.Counts{Matched: 1}) {
		t.Errorf("a file that is cut off: got %+v %v", out, err)
	}
	if out := p.imported(cut); out != (transfer.Counts{Known: 1, Queued: 1}) {
		t.Errorf("the whole of it: got %+v", out)
	}
}

// Other accounts in a file are counted and left; a file without ours is refused.
func TestImport_OtherAccounts(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(1)
	ours := p.statement(came{ref: o.Reference, id: "1"})
	ours = ours[strings.Index(ours, "<Stmt>") : strings.Index(ours, "</Stmt>")+len("</Stmt>")]
	iban := "<IBAN>" + p.ed.Bank.IBAN + "</IBAN>"
	card := strings.Replace(ours, iban, "<Othr><Id>4444-card</Id></Othr>", 1)
	sister := strings.Replace(ours, iban, "<IBAN>SK8999520000001987426375</IBAN>", 1)
	nameless := strings.Replace(ours, iban, "", 1)
	file := func(list ...string) string {
		return "<Document><BkToCstmrStmt>" + strings.Join(list, "") + "</BkToCstmrStmt></Document>"
	}
	for name, text := range map[string]string{
		"a card": file(card), "a sister": file(sister), "no id": file(nameless), "all": file(card, sister, nameless),
	} {
		if out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(text), false); !errors.Is(err,
			transfer.ErrStatement) || out.Payments() > 0 {
			t.Errorf("%s: got %+v %v", name, out, err)
		}
	}
	if out := p.imported(file(card, ours, sister, nameless)); out != (transfer.Counts{Matched: 1, Elsewhere: 3}) {
		t.Errorf("got %+v", out)
	}
}

// A person pairs a payment whose sum the file did not say: it is over that of the order.
func TestMatch_UnreadableAmount(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(1)
	if out := p.imports(came{ref: o.Reference, amount: "89,00"}); out != (transfer.Counts{Queued: 1}) {
		t.Fatalf("%+v", out)
	}
	l, err := p.shop.Transfers.Match(p.ctx, p.lines()[0].ID, o.Reference, false, false)
	if err != nil || l.Amount != 8900 || l.State != transfer.LineMatched || p.transferOf(1).State != transfer.StatePaid {
		t.Errorf("got %+v %v", l, err)
	}
	if fv := p.documents("d.kind = 'FV'"); len(fv) != 1 || fv[0].Total != 8900 {
		t.Errorf("got %+v", fv)
	}
}

// A collection that the bank does not list is paired when a person has said what it consists of.
func TestSplit(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	a, b := p.orders(1), p.orders(2)
	text := p.statement(came{ref: a.Reference, amount: "178.00", id: "C1"})
	collection := []string{"<NtryDtls>", "<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>"}
	if out := p.imported(text, collection...); out != (transfer.Counts{Queued: 1}) {
		t.Fatalf("%+v", out)
	}
	id := p.lines()[0].ID
	if _, err := p.shop.Transfers.Match(p.ctx, id, a.Reference, true, false); !errors.Is(err, transfer.ErrHindered) {
		t.Errorf("the money of several readers pays one order: %v", err)
	}
	for _, sums := range [][]string{{"89.00", "88.00"}, {"178.00", "0"}, {"89,00", "89,00"}, {"267", "-89"}} {
		if _, err := p.shop.Transfers.Split(p.ctx, id, sums, false); !errors.Is(err, transfer.ErrHindered) {
			t.Errorf("%v: got %v", sums, err)
		}
	}
	if _, err := p.shop.Transfers.Split(p.ctx, id, []string{"89", "89.00"}, true); err != nil || len(p.lines()) != 1 {
		t.Errorf("a rehearsal: %v, %+v", err, p.lines())
	}
	if _, err := p.shop.Transfers.Split(p.ctx, id, []string{"89", "89.00"}, false); err != nil {
		t.Fatal(err)
	}
	for i, o := range []transfer.Order{a, b} {
		if _, err := p.shop.Transfers.Match(p.ctx, p.lines()[i+1].ID, o.Reference, false, false); err != nil {
			t.Errorf("part %d: %v", i+1, err)
		}
	}
	if _, err := p.shop.Transfers.Unmatch(p.ctx, id, false); !errors.Is(err, transfer.ErrNothing) {
		t.Errorf("a collection that is split waits again: %v", err)
	}
	if out := p.imported(text, append(collection, "S1", "S2")...); out != (transfer.Counts{Known: 1}) {
		t.Errorf("once more: %+v", out)
	}
	if p.transferOf(1).State != transfer.StatePaid || p.transferOf(2).State != transfer.StatePaid {
		t.Error("the orders are not paid")
	}
}
