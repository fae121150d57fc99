package camt

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const (
	ownAccount = "SK8999520000001987426375"
	camtHead   = `<?xml version="1.0" encoding="UTF-8"?><Document ` +
		`xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.%s"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>S1</Id><Acct><Id><IBAN>` + ownAccount + `</IBAN></Id></Acct>%s</Stmt></BkToCstmrStmt></Document>`
	plainEntry = `<Ntry><Amt Ccy="EUR">89.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt>` +
		`</BookgDt><AcctSvcrRef>B1</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>/VS2026000042/SS/KS</EndToEndId></Refs><RltdPties><Dbtr><Nm>Mara Kvetná</Nm>` +
		`</Dbtr><DbtrAcct><Id><IBAN>SK3112000000198742637541</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>predplatne</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
)

func file(version string, entries ...string) string {
	return fmt.Sprintf(camtHead, version, strings.Join(entries, ""))
}

func readTest(t *testing.T, text string) File {
	t.Helper()
	f, err := Read(strings.NewReader(text), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRead(t *testing.T) {
	t.Parallel()
	for v := 2; v <= 13; v++ {
		got := readTest(t, file(fmt.Sprintf("%02d", v), plainEntry))
		want := []Payment{{
			ID: got.Payments[0].ID, Stmt: 1, Entry: 1, Account: ownAccount, Credit: true, Amount: 8900, Currency: "EUR",
			Booked: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Payer: "Mara Kvetná", PayerIBAN: "SK3112000000198742637541",
			Numbers:    Numbers{Entry: "B1", EndToEnd: "/VS2026000042/SS/KS"},
			References: []string{"/VS2026000042/SS/KS"}, Text: "predplatne",
		}}
		if !reflect.DeepEqual(got.Payments, want) || got.Entries != 1 || len(got.Notes) > 0 {
			t.Errorf("version %d: got %+v, want %+v", v, got, want)
		}
	}
}

func TestRead_Charsets(t *testing.T) {
	t.Parallel()
	const name = "Mara Kvetná"
	text := file("08", plainEntry)
	as := func(in encoding.Encoding, name string) string {
		t.Helper()
		out, err := in.NewEncoder().String(strings.Replace(text, `"UTF-8"`, `"`+name+`"`, 1))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	undeclared := strings.Replace(text, `<?xml version="1.0" encoding="UTF-8"?>`, "", 1)
	for label, c := range map[string]struct{ text, payer string }{
		"UTF-8":                {text, name},
		"no declaration":       {undeclared, name},
		"byte order mark":      {"\xef\xbb\xbf" + text, name},
		"mark and white space": {"\xef\xbb\xbf\r\n " + text, name},
		"ISO-8859-1":           {as(charmap.ISO8859_1, "ISO-8859-1"), name},
		"iso-8859-15":          {as(charmap.ISO8859_15, "iso-8859-15"), name},
		"ISO-8859-2":           {as(charmap.ISO8859_2, "ISO-8859-2"), name},
		"windows-1250":         {as(charmap.Windows1250, "windows-1250"), name},
		"windows-1252":         {as(charmap.Windows1252, "Windows-1252"), name},
		"IBM852":               {as(charmap.CodePage852, "IBM852"), name},
		"latin1":               {as(charmap.ISO8859_1, "latin1"), name},
		"single quotes":        {strings.Replace(as(charmap.ISO8859_1, "X"), `"X"`, `'ISO-8859-1'`, 1), name},
		"Shift_JIS": {
			strings.Replace(strings.Replace(text, "UTF-8", "Shift_JIS", 1), name,
				must(japanese.ShiftJIS.NewEncoder().String("山田")), 1), "山田",
		},
		"UTF-16LE with a mark":   {as(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "UTF-16"), name},
		"UTF-16BE with a mark":   {as(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "UTF-16"), name},
		"UTF-16LE":               {as(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "UTF-16LE"), name},
		"UTF-16BE":               {as(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be"), name},
		"UTF-32":                 {as(utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "UTF-32"), name},
		"UTF-8 that says UTF-16": {strings.Replace(text, "UTF-8", "UTF-16", 1), name},
		"unknown":                {strings.Replace(text, "UTF-8", "x-bank", 1), name},
		"another than it says":   {as(charmap.ISO8859_1, "UTF-8"), "Mara Kvetn\uFFFD"},
		"a wrong byte":           {strings.Replace(text, "ná", "n\xff", 1), "Mara Kvetn\uFFFD"},
		"a control":              {strings.Replace(text, "ná", "n\x01\x1b", 1), "Mara Kvetn\uFFFD\uFFFD"},
		"a control by number":    {strings.Replace(text, "ná", "n&#x1B;&#11;", 1), "Mara Kvetn\uFFFD\uFFFD"},
		"a surrogate by number":  {strings.Replace(text, "ná", "n&#xD83D;", 1), "Mara Kvetn\uFFFD"},
		"an ampersand":           {strings.Replace(text, "Mara", "A & B&C", 1), "A & B&C Kvetná"},
		"an unknown entity":      {strings.Replace(text, "Mara", "A&nbsp;B", 1), "A&nbsp;B Kvetná"},
		"a less-than sign":       {strings.Replace(text, "Mara", "1 < 2 <3", 1), "1 < 2 <3 Kvetná"},
		"XML 1.1":                {strings.Replace(text, `version="1.0"`, `version="1.1"`, 1), name},
		"a comment and CDATA":    {strings.Replace(text, "Mara", "<!-- <Ntry> --><![CDATA[Mara]]>", 1), name},
		"a type declaration":     {strings.Replace(text, "?>", `?><!DOCTYPE Document [<!ENTITY a "b">]>`, 1), name},
	} {
		f, err := Read(strings.NewReader(c.text), time.UTC)
		if err != nil || len(f.Payments) != 1 || f.Payments[0].Payer != c.payer || f.Payments[0].Problem != "" {
			t.Errorf("%s: got %+v, %v, want %q", label, f, err, c.payer)
		}
	}
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

func archive(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		out, err := w.Create(files[i])
		if err == nil {
			_, err = out.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRead_Envelopes(t *testing.T) {
	t.Parallel()
	text := file("08", plainEntry)
	_, content, _ := strings.Cut(text, "<Document")
	document := "<Document" + content
	other := strings.NewReplacer("<Id>S1</Id>", "<Id>S2</Id>", "B1", "B2").Replace(document)
	notification := strings.NewReplacer("BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn", "Stmt>", "Ntfctn>").Replace(document)
	bare := document[strings.Index(document, "<BkTo"):strings.Index(document, "</Document>")]
	prefixed := strings.NewReplacer("</", "</n2:", "<", "<n2:", "xmlns=", "xmlns:n2=").Replace(document)
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(document)
	for name, c := range map[string]struct {
		text     string
		payments int
		notes    int
	}{
		"business header": {`<BizMsg xmlns:h="urn:iso:std:iso:20022:tech:xsd:head.001.001.01"><h:AppHdr><h:Fr>BANK</h:Fr>` +
			`</h:AppHdr>` + document + `</BizMsg>`, 1, 0},
		"SWIFT": {`<Saa:DataPDU xmlns:Saa="urn:swift:saa:xsd:saa.2.0"><Saa:Body><AppHdr/>` + document +
			`</Saa:Body></Saa:DataPDU>`, 1, 0},
		"SOAP": {`<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><x>` + document +
			`</x></soap:Body></soap:Envelope>`, 1, 0},
		"CDATA":                      {`<Reply><File><![CDATA[` + text + `]]></File></Reply>`, 1, 0},
		"escaped":                    {`<Reply><File>` + escaped + `</File></Reply>`, 1, 0},
		"several documents":          {`<Files>` + document + other + `</Files>`, 2, 0},
		"one after the other":        {text + "\n" + strings.Replace(text, "S1", "S2", 1), 2, 0},
		"a notification beside":      {`<Files>` + notification + document + `</Files>`, 1, 1},
		"no Document":                {bare, 1, 0},
		"text before it":             {"Content-Type: text/xml\r\n\r\n" + text, 1, 0},
		"prefixes":                   {prefixed, 1, 0},
		"archive":                    {archive(t, "b.xml", text, "dir/a.xml", other, "__MACOSX/._a", "x"), 2, 0},
		"archive and a notification": {archive(t, "a.xml", notification, "b.xml", text), 1, 1},
		"the same statement twice":   {archive(t, "a.xml", text, "b.xml", text), 2, 0},
	} {
		f, err := Read(strings.NewReader(c.text), time.UTC)
		if name == "archive and a notification" && err != nil {
			err = nil // it is named in the error, too
		}
		if err != nil || len(f.Payments) != c.payments || len(f.Notes) != c.notes {
			t.Errorf("%s: got %+v, %v, want %d payments", name, f, err, c.payments)
		}
		for i, p := range f.Payments {
			if p.Account != ownAccount || p.Amount != 8900 || p.Stmt != i+1 {
				t.Errorf("%s: got %+v", name, p)
			}
		}
	}
}

// A part that cannot be read does not stop the others: what is read is returned beside the error.
func TestRead_Parts(t *testing.T) {
	t.Parallel()
	text := file("08", plainEntry, strings.Replace(plainEntry, "B1", "B2", 1), strings.Replace(plainEntry, "B1", "B3", 1))
	second := strings.Index(text, "B2")
	change := func(old, with string) string {
		return text[:second] + strings.Replace(text[second:], old, with, 1)
	}
	for name, c := range map[string]struct {
		text     string
		payments int
		problems int
		fails    bool
	}{
		"cut off within an entry":   {text[:second+40], 1, 0, true},
		"cut off between entries":   {text[:strings.LastIndex(text, "<Ntry>")], 2, 0, true},
		"cut off at the end":        {text[:len(text)-5], 3, 0, true},
		"an element without an end": {change("</Ustrd>", ""), 3, 1, false},
		"an entry without an end":   {change("</Ntry>", ""), 3, 1, false},
		"the last without an end":   {strings.Replace(text, "</Ntry></Stmt>", "</Stmt>", 1), 3, 1, false},
		"an address in a text":      {change("predplatne", "jan <jan@vzor.example> platba"), 3, 1, false},
		"]]> in a text":             {change("predplatne", "a]]>b"), 3, 1, false},
		"elements within elements":  {change("predplatne", strings.Repeat("<a>", 500)), 3, 1, false},
		"a file of an archive":      {archive(t, "a.xml", "%PDF-1.7", "b.xml", text, "c.xml", "%PDF-1.7"), 3, 0, true},
		"no XML in an archive":      {archive(t, "a.xml", text, "read me.txt", "hello"), 3, 0, false},
		"a word before the end":     {strings.Replace(text, "</Document>", "</Docment>", 1), 3, 0, true},
	} {
		f, err := Read(strings.NewReader(c.text), time.UTC)
		if (err != nil) != c.fails || err != nil && !errors.Is(err, ErrRest) {
			t.Errorf("%s: got the error %v, want %t", name, err, c.fails)
		}
		problems := 0
		for _, p := range f.Payments {
			if p.Problem != "" {
				problems++
			}
		}
		if len(f.Payments) != c.payments || problems != c.problems || len(f.Notes) < c.problems {
			t.Errorf("%s: got %d payments, %d with problems, want %d and %d: %+v", name, len(f.Payments), problems, c.payments,
				c.problems, f)
		}
	}
}

// The sums of the payments of a collection are at any of three places, in all of its payments or only in some. Those
// count that are the sum of the entry together.
func TestRead_Sums(t *testing.T) {
	t.Parallel()
	const (
		booked = "<AmtDtls><TxAmt><Amt Ccy=%q>%s</Amt></TxAmt></AmtDtls>"
		sent   = "<AmtDtls><InstdAmt><Amt Ccy=%q>%s</Amt></InstdAmt></AmtDtls>"
		plain  = "<Amt Ccy=%q>%s</Amt>"
	)
	at := func(form, currency, sum string) string { return fmt.Sprintf(form, currency, sum) }
	both := func(ownCurrency, own, bookedCurrency, sum string) string {
		return at(plain, ownCurrency, own) + at(booked, bookedCurrency, sum)
	}
	for name, c := range map[string]struct {
		details []string
		splits  bool // into 30 and 59
	}{
		"own":                   {[]string{at(plain, "EUR", "30"), at(plain, "EUR", "59")}, true},
		"booked":                {[]string{at(booked, "EUR", "30"), at(booked, "EUR", "59")}, true},
		"sent":                  {[]string{at(sent, "EUR", "30"), at(sent, "EUR", "59")}, true},
		"each elsewhere":        {[]string{at(sent, "EUR", "30"), at(plain, "EUR", "59")}, true},
		"own after charges":     {[]string{both("EUR", "29", "EUR", "30"), both("EUR", "58", "EUR", "59")}, true},
		"own in another money":  {[]string{both("CZK", "750", "EUR", "30"), at(booked, "EUR", "59")}, true},
		"own is that of all":    {[]string{both("EUR", "89", "EUR", "30"), both("EUR", "89", "EUR", "59")}, true},
		"sent in another money": {[]string{at(booked, "EUR", "30") + at(sent, "CZK", "750"), at(sent, "EUR", "59")}, true},
		"too little":            {[]string{at(plain, "EUR", "30"), at(plain, "EUR", "58")}, false},
		"one without":           {[]string{at(plain, "EUR", "89"), ""}, false},
		"another money":         {[]string{at(plain, "CZK", "30"), at(plain, "CZK", "59")}, false},
		"no number":             {[]string{at(plain, "EUR", "30,00"), at(plain, "EUR", "59,00")}, false},
	} {
		details := ""
		for _, d := range c.details {
			details += "<TxDtls>" + d + "</TxDtls>"
		}
		start, end := strings.Index(plainEntry, "<TxDtls>"), strings.Index(plainEntry, "</NtryDtls>")
		f := readTest(t, file("08", plainEntry[:start]+details+plainEntry[end:]))
		got, want := []int64{}, []int64{8900}
		if c.splits {
			want = []int64{3000, 5900}
		}
		for _, p := range f.Payments {
			if got = append(got, p.Amount); p.Undivided == c.splits {
				t.Errorf("%s: got %+v, want it split: %t", name, p, c.splits)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestRead_NoStatement(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<a>", 20_000)
	var bomb bytes.Buffer
	w := zip.NewWriter(&bomb)
	out := must2(w.Create("a.xml"))
	for range 70 {
		_, _ = out.Write(make([]byte, 1<<20))
	}
	_ = w.Close()
	for name, c := range map[string]struct{ text, says string }{
		"nothing":                    {"", "no statement"},
		"another file":               {"<html></html>", "no statement"},
		"no statement":               {`<Document><BkToCstmrStmt></BkToCstmrStmt></Document>`, "no statement"},
		"camt.052":                   {`<Document><BkToCstmrAcctRpt><Rpt/></BkToCstmrAcctRpt></Document>`, "camt.052"},
		"camt.054":                   {`<Document><BkToCstmrDbtCdtNtfctn/></Document>`, "camt.054"},
		"pain.001":                   {`<Document><CstmrCdtTrfInitn/></Document>`, "CstmrCdtTrfInitn"},
		"PDF":                        {"%PDF-1.7\n", "a PDF"},
		"gzip":                       {"\x1f\x8b\x08", "gzip"},
		"MT940":                      {"\r\n:20:STARTUMS\r\n:25:1", "MT940"},
		"archive in an archive":      {archive(t, "a.zip", archive(t, "a.xml", "x")), "archive in an archive"},
		"empty archive":              {archive(t), "no statement"},
		"half an archive":            {"PK\x03\x04abc", "zip"},
		"archive that is too large":  {bomb.String(), "MiB"},
		"too large":                  {strings.Repeat(" ", MaxSize+1), "MiB"},
		"elements within elements":   {deep, "too deep"},
		"skipped ones, too":          {"<Document><BkToCstmrStmt><Stmt><Bal>" + deep, "too deep"},
		"entities within entities":   {`<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;&b;</a>`, "no statement"},
		"an attribute without end":   {`<a b="` + strings.Repeat("x", 1<<20), "EOF"},
		"text that only looks alike": {`<a>BkToCstmrStmt &lt;</a>`, "EOF"},
	} {
		f, err := Read(strings.NewReader(c.text), time.UTC)
		if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrRest) || !strings.Contains(err.Error(), c.says) ||
			len(f.Payments) > 0 {
			t.Errorf("%s: got %+v, %v, want an error with %q", name, f, err, c.says)
		}
	}
}

func must2[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestParseAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, currency string
		want           int64 // -1 for an error
	}{
		{"89.00", "EUR", 8900},
		{"89", "EUR", 8900},
		{"89.", "EUR", 8900},
		{".5", "EUR", 50},
		{"+89.5", "EUR", 8950},
		{" 89.00\n", "EUR", 8900},
		{"000000000000089.00", "EUR", 8900},
		{"00000000000000000000000000000089.000000000000000000000", "EUR", 8900},
		{"0", "EUR", 0},
		{"-0.00", "EUR", 0},
		{"0.01", "EUR", 1},
		{"9999999999999.99", "EUR", 999999999999999},
		{"1200", "JPY", 1200},
		{"1200.00", "JPY", 1200},
		{"1200.5", "JPY", -1},
		{"12.345", "KWD", 12345},
		{"12.3", "TND", 12300},
		{"12.3456", "BHD", -1},
		{"89.001", "EUR", -1},
		{"-89.00", "EUR", -1},
		{"+-89", "EUR", -1},
		{"89,00", "EUR", -1},
		{"1 089.00", "EUR", -1},
		{"1'089.00", "CHF", -1},
		{"8.9e1", "EUR", -1},
		{"0x59", "EUR", -1},
		{"NaN", "EUR", -1},
		{"INF", "EUR", -1},
		{"", "EUR", -1},
		{".", "EUR", -1},
		{"+", "EUR", -1},
		{"٨٩", "EUR", -1},
		{"10000000000000", "EUR", -1},
		{"89.00", "", -1},
		{"89.00", "eur", -1},
		{"89.00", "EURO", -1},
	} {
		got, err := parseAmount(amount{c.text, c.currency})
		if err != nil {
			got = -1
		}
		if got != c.want {
			t.Errorf("%q %s: got %d, %v, want %d", c.text, c.currency, got, err, c.want)
		}
	}
}

func TestParseDay(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 3600)
	for _, c := range []struct{ text, want string }{
		{"2026-11-20", "2026-11-20"},
		{"2026-11-20Z", "2026-11-20"},
		{"2026-11-20+01:00", "2026-11-20"},
		{"2026-11-20-11:00", "2026-11-20"},
		{"2026-11-20T10:00:00", "2026-11-20"},
		{"2026-11-20T23:59:59.999999", "2026-11-20"},
		{"2026-11-20T24:00:00", "2026-11-21"},
		{"2026-12-31T24:00:00.000+01:00", "2027-01-01"},
		{"2026-11-20T10:00:00Z", "2026-11-20"},
		{"2026-11-20T23:00:00Z", "2026-11-21"},
		{"2026-11-20T23:30:00.123+01:00", "2026-11-20"},
		{"2026-11-20T00:30:00+14:00", "2026-11-19"},
		{"2028-02-29", "2028-02-29"},
		{"2026-02-29", ""},
		{"2026-13-01", ""},
		{"20.11.2026", ""},
		{"20261120", ""},
		{"2026-11-20 10:00:00", ""},
		{"2026-11-20+0100", ""},
		{"2026-11-20x", ""},
		{"", ""},
	} {
		day, err := parseDay(c.text, zone)
		got := ""
		if err == nil {
			got = day.Format(time.DateOnly)
		}
		if got != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.text, got, err, c.want)
		}
	}
}

// The same statement names its payments alike, whatever is around them; equal ones in it are two.
func TestRead_IDs(t *testing.T) {
	t.Parallel()
	unnumbered := strings.Replace(plainEntry, "B1", "NONREF", 1)
	ids := func(id string, entries ...string) (list []string) {
		f := readTest(t, strings.Replace(file("02", entries...), "<Id>S1</Id>", id, 1))
		for _, p := range f.Payments {
			list = append(list, p.ID)
		}
		return list
	}
	const own = "<Id>S1</Id>"
	first := ids(own, unnumbered)
	again := ids(own, plainEntry, strings.Replace(unnumbered, "predplatne", " pred\n platne ", 1), unnumbered)
	if first[0] != again[1] || again[1] == again[2] {
		t.Errorf("got %v and %v for the same statement", first, again)
	}
	for _, other := range []string{
		"<Id>S2</Id>", own + "<StmtPgntn><PgNb>2</PgNb></StmtPgntn>", own + "<ElctrncSeqNb>2</ElctrncSeqNb>",
		own + "<LglSeqNb>2</LglSeqNb>", own + "<CreDtTm>2026-11-21T06:00:00</CreDtTm>",
		own + "<FrToDt><FrDtTm>2026-11-21T00:00:00</FrDtTm></FrToDt>",
		own + "<FrToDt><ToDtTm>2026-11-21T00:00:00</ToDtTm></FrToDt>",
	} {
		if ids(other, unnumbered)[0] == first[0] {
			t.Errorf("%s: the payment of another statement has the same id", other)
		}
	}
	text := file("02", unnumbered)
	if f := readTest(t, text+text); f.Payments[0].ID != f.Payments[1].ID {
		t.Error("one statement that is in a file twice has two payments")
	}
	text = strings.Replace(text, own, "", 1)
	if f := readTest(t, text+text); f.Payments[0].ID == f.Payments[1].ID {
		t.Error("two statements without an id are one")
	}
}

func TestRead_Accounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ account, want string }{
		"IBAN":             {"<IBAN>" + ownAccount + "</IBAN>", ownAccount},
		"IBAN with blanks": {"<IBAN> sk89 9952 0000 0019 8742 6375\n</IBAN>", ownAccount},
		"another id":       {"<Othr><Id>5555-x</Id></Othr>", "5555-X"},
		"no id":            {"", ""},
	} {
		f := readTest(t, strings.Replace(file("08", plainEntry), "<IBAN>"+ownAccount+"</IBAN>", c.account, 1))
		if len(f.Payments) != 1 || f.Payments[0].Account != c.want || !slices.Equal(f.Accounts, []string{c.want}) {
			t.Errorf("%s: got %+v, want %q", name, f, c.want)
		}
	}
}

// Texts of any length are cut, so that a payment stays small.
func TestRead_LongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Ž9 ", 1<<20)
	f := readTest(t, file("08", strings.NewReplacer("predplatne", long, "Mara", long).Replace(plainEntry)))
	if p := f.Payments[0]; len(p.Text) > maxGiven+3 || len(p.Payer) > 303 || p.Problem != "" {
		t.Errorf("got %d and %d bytes", len(p.Text), len(p.Payer))
	}
	f = readTest(t, file("08", strings.Repeat(strings.Replace(plainEntry, "89.00", "x", 1), 1000)))
	if f.Entries != 1000 || len(f.Payments) != 1000 || len(f.Notes) != 200 {
		t.Errorf("got %d entries, %d payments, %d notes", f.Entries, len(f.Payments), len(f.Notes))
	}
}

// Every entry is in exactly one place, whatever a file holds.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		head, rest, _ := strings.Cut(string(text), "<!-- want")
		for _, entry := range strings.Split(rest, "<!-- want") {
			_, entry, _ = strings.Cut(entry, "-->")
			f.Add([]byte(head + entry))
		}
	}
	f.Add([]byte(file("08", plainEntry)))
	f.Add([]byte(file("08", strings.Replace(plainEntry, "EUR", "euro", 1))))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, text []byte) {
		out, err := Read(bytes.NewReader(text), time.UTC)
		if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrRest) {
			t.Error(err)
		}
		entries := map[int]bool{}
		for i, p := range out.Payments {
			entries[p.Entry] = true
			if i > 0 && p.Entry < out.Payments[i-1].Entry {
				t.Errorf("the payments are in disorder: %+v", p)
			}
			if p.Stmt < 1 || p.Stmt > len(out.Accounts) || out.Accounts[p.Stmt-1] != p.Account {
				t.Errorf("a payment of no statement: %+v", p)
			}
			if p.Currency != "" && !currency.MatchString(p.Currency) {
				t.Errorf("got the currency %q", p.Currency)
			}
			if p.Amount < 0 || !p.Announced && (p.ID == "" || p.Amount > 0 && p.Currency == "") ||
				len(p.Text) > maxGiven+8 || !p.Booked.IsZero() && p.Problem == "" && p.Currency == "" && !p.Announced {
				t.Errorf("%+v", p)
			}
		}
		if len(entries) != out.Entries {
			t.Errorf("got %d entries, %d of them are in a payment", out.Entries, len(entries))
		}
	})
}
