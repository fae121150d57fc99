package invoice

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// FuzzWritePDF draws a document with a text wherever somebody may have typed one.
func FuzzWritePDF(f *testing.F) {
	ed, err := edition.New(testkit.Document(0), "test")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{
		"Eva Nová", "Ada 😀", "𝓐𝓭𝓪", "𠮷野", "李小龙", "علي 12", "דוד (לוי)", "สมชาย",
		"a\x00\xff\xed\xa0\x80", "\u202Ea\u202C",
		"👨\u200d👩\u200d👧", "\u2028\u2029",
		"Z\u0335\u0335\u0335\u0335\u0335", "(\\)\r\n\t",
		strings.Repeat("W", 300), strings.Repeat("漢", 300), strings.Repeat("a ", 300), "\\)",
		"\uFEFF\u200B", "क्\u200dष", "\U0010FFFF\uE000",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 { // what a form takes is less
			return
		}
		l := Line{Name: s, Category: VATStandard, Permille: 230, Gross: 8900}
		draft := Draft{
			Kind:     ProForma,
			Customer: Buyer{Name: s, Company: s, Line1: s, Line2: s, City: s, PostalCode: s, Country: s, Email: s},
			Lines:    []Line{l}, Currency: "EUR", Order: s, Method: ByTransfer, Reference: s,
		}
		snapshot, err := draft.Snapshot(ed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		d := Document{Kind: ProForma, Number: "PF-2026-000001", Snapshot: snapshot}
		if err := d.WritePDF(io.Discard, ed); err != nil {
			t.Errorf("with %q: %v", s, err)
		}
		if err := d.WriteUBL(io.Discard); err != nil {
			t.Errorf("with %q: %v", s, err)
		}
	})
}
