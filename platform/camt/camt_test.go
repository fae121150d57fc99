package camt

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

const camtHead = `<?xml version="1.0" encoding="UTF-8"?><Document ` +
	`xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.%s"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>S1</Id><Acct><Id><IBAN>SK8999520000001987426375</IBAN></Id></Acct>%s</Stmt></BkToCstmrStmt></Document>`

const (
	plainEntry = `<Ntry><Amt Ccy="EUR">89.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt>` +
		`</BookgDt><AcctSvcrRef>B1</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>/VS2026000042/SS/KS</EndToEndId></Refs><RltdPties><Dbtr><Nm>Mara Kvetná</Nm>` +
		`</Dbtr><DbtrAcct><Id><IBAN>SK3112000000198742637541</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>predplatne</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
	newerEntry = `<Ntry><Amt Ccy="CHF">90.5</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt>` +
		`<DtTm>2026-11-20T23:30:00+01:00</DtTm></BookgDt>
<NtryDtls><TxDtls><Amt Ccy="CHF">90.50</Amt><RltdPties><Dbtr><Pty><Nm>Urs Beispiel</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>210000000003139471430009017</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls>` +
		`</Ntry>`
	collectionEntry = `<Ntry><Amt Ccy="EUR">178</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt>` +
		`<Dt>2026-11-20</Dt></BookgDt><NtryDtls>
<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">89</Amt></TxAmt></AmtDtls></TxDtls><TxDtls><AmtDtls><TxAmt><Amt ` +
		`Ccy="EUR">89.00000</Amt></TxAmt></AmtDtls></TxDtls></NtryDtls></Ntry>`
	reversedEntry = `<Ntry><Amt Ccy="EUR">89.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd>` +
		`<Sts>BOOK</Sts><BookgDt><Dt>2026-11-21</Dt></BookgDt></Ntry>`
	chargedEntry = `<Ntry><Amt Ccy="EUR">84.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>` +
		`<BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls><TxDtls><AmtDtls><TxAmt><Amt ` +
		`Ccy="EUR">89.00</Amt></TxAmt></AmtDtls></TxDtls></NtryDtls></Ntry>`
	nettedEntry = `<Ntry><Amt Ccy="EUR">11.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt>` +
		`<Dt>2026-11-20</Dt></BookgDt><NtryDtls>
<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">100</Amt></TxAmt></AmtDtls></TxDtls><TxDtls><AmtDtls><TxAmt><Amt ` +
		`Ccy="EUR">89</Amt></TxAmt></AmtDtls><CdtDbtInd>CRDT</CdtDbtInd></TxDtls></NtryDtls></Ntry>`
	pendingEntry = `<Ntry><Amt Ccy="EUR">89.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts></Ntry>`
)

func readTest(t *testing.T, version string, entries ...string) []Payment {
	t.Helper()
	lines, err := Read(strings.NewReader(fmt.Sprintf(camtHead, version, strings.Join(entries, ""))))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestReadCamt(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	got := readTest(t, "02", plainEntry, pendingEntry)
	want := Payment{
		ID: got[0].ID, Account: "SK8999520000001987426375", Credit: true, Amount: 8900, Currency: "EUR", Booked: day,
		Payer:     "Mara Kvetná",
		PayerIBAN: "SK3112000000198742637541", References: []string{"/VS2026000042/SS/KS"}, Text: "predplatne",
	}
	if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v", got)
	}
	if got := readTest(t, "08", newerEntry); len(got) != 1 || got[0].Amount != 9050 || got[0].Payer != "Urs Beispiel" ||
		got[0].References[0] != "210000000003139471430009017" || !got[0].Booked.Equal(day) {
		t.Errorf("%+v", got)
	}
	if got := readTest(t, "02", reversedEntry); len(got) != 1 || got[0].Credit || !got[0].Reversal {
		t.Errorf("money that went back counts as paid: %+v", got)
	}
	if got := readTest(t, "02", strings.Replace(reversedEntry, "DBIT", "CRDT", 1)); len(got) != 1 || !got[0].Credit ||
		!got[0].Reversal {
		t.Errorf("money that came back to us counts as gone: %+v", got)
	}
	if got := readTest(t, "02", chargedEntry); len(got) != 1 || got[0].Amount != 8400 || got[0].Currency != "EUR" {
		t.Errorf("what was sent counts, not what came: %+v", got)
	}
	if got := readTest(t, "02", nettedEntry); len(got) != 2 || got[0].Credit || !got[1].Credit {
		t.Errorf("a collection of both directions: %+v", got)
	}
}

// The same payment has the same id in every file, whatever stands around it; two that look alike are two.
func TestPaymentsAreToldApart(t *testing.T) {
	t.Parallel()
	alone, among := readTest(t, "02", plainEntry), readTest(t, "02", newerEntry, plainEntry, collectionEntry)
	if alone[0].ID != among[1].ID {
		t.Error("the id depends on the file")
	}
	ids := map[string]bool{}
	for _, l := range among {
		ids[l.ID] = true
	}
	if len(among) != 4 || len(ids) != 4 {
		t.Errorf("%d payments with %d ids", len(among), len(ids))
	}
}

// What the bank does not number is told apart by the statement, and by nothing else of the file.
func TestPaymentsWithoutANumberAreToldApart(t *testing.T) {
	t.Parallel()
	unnumbered := strings.Replace(plainEntry, "B1", "NONREF", 1)
	read := func(id string, entries ...string) []Payment {
		text := strings.Replace(fmt.Sprintf(camtHead, "02", strings.Join(entries, "")), "<Id>S1</Id>", id, 1)
		lines, err := Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	first, again := read("<Id>S1</Id>", unnumbered), read("<Id>S1</Id>", newerEntry, unnumbered, unnumbered)
	if first[0].ID != again[1].ID || again[1].ID == again[2].ID || !first[0].Unnumbered {
		t.Error("the same statement names its payments otherwise")
	}
	for _, other := range []string{
		"<Id>S2</Id>", "<Id>S1</Id><StmtPgntn><PgNb>2</PgNb></StmtPgntn>", "<Id>S1</Id><ElctrncSeqNb>2</ElctrncSeqNb>",
		"<Id>S1</Id><LglSeqNb>2</LglSeqNb>",
		"<Id>S1</Id><CreDtTm>2026-11-21T06:00:00</CreDtTm>", "<Id>S1</Id><FrToDt><FrDtTm>2026-11-21T00:00:00</FrDtTm></" +
			"FrToDt>", "<Id>S1</Id><FrToDt><ToDtTm>2026-11-21T00:00:00</ToDtTm></FrToDt>",
	} {
		if read(other, unnumbered)[0].ID == first[0].ID {
			t.Errorf("%s: the payment of another statement is the same", other)
		}
		if numbered := read(other, plainEntry)[0]; numbered.Unnumbered || numbered.ID != readTest(t, "02", plainEntry)[0].ID {
			t.Errorf("%s: a payment that the bank numbers is another one", other)
		}
	}
}

func TestWhatIsNoStatement(t *testing.T) {
	t.Parallel()
	change := func(old, with string) string {
		return fmt.Sprintf(camtHead, "02", strings.Replace(plainEntry, old, with, 1))
	}
	for name, text := range map[string]string{
		"nothing":           "",
		"another file":      "<html></html>",
		"no statement":      `<Document><BkToCstmrStmt></BkToCstmrStmt></Document>`,
		"cut off":           change("", "")[:600],
		"no account":        strings.Replace(change("", ""), "SK8999520000001987426375", "", 1),
		"a comma":           change("89.00", "89,00"),
		"a negative amount": change("89.00", "-89.00"),
		"thousandths":       change("89.00", "89.001"),
		"no currency":       change(`Ccy="EUR"`, ""),
		"no sign":           change("CRDT", "PLUS"),
		"no day":            change("2026-11-20", "20.11.2026"),
		"another direction": fmt.Sprintf(camtHead, "02",
			strings.ReplaceAll(strings.Replace(collectionEntry, "CRDT", "DBIT", 1), "</AmtDtls></TxDtls>",
				"</AmtDtls><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>")),
		"a sum that is none": fmt.Sprintf(camtHead, "02", strings.Replace(collectionEntry, "178", "179", 1)),
	} {
		if lines, err := Read(strings.NewReader(text)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, %v", name, lines, err)
		}
	}
}

func FuzzReadCamt(f *testing.F) {
	for _, e := range []string{plainEntry, newerEntry, collectionEntry, reversedEntry} {
		f.Add(fmt.Sprintf(camtHead, "02", e))
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := Read(strings.NewReader(text))
		for _, l := range lines {
			if err != nil || l.Amount < 0 || l.ID == "" || l.Account == "" {
				t.Errorf("%+v, %v", l, err)
			}
		}
	})
}
