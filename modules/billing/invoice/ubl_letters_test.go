package invoice

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/typed"
)

// FuzzWriteUBL writes a document with a text wherever somebody may have typed one, and reads it again.
func FuzzWriteUBL(f *testing.F) {
	ed, err := edition.New(testkit.Document(0), "test")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{
		"Eva Nová", "Ada 😀", "𝓐𝓭𝓪", "李小龙", "علي 12", "a\x00\xff\xed\xa0\x80", "\ufffe\uffff\U0010FFFF\uE000",
		"\u202Ea\u202C", "\u2028\u2029", "\r\n\t", "a\r\nb\tc", "]]>&amp;<!--", `"'<a b="c">`, "\x01\x08\x0b\x0c\x0e\x1f",
		"\u0085\u009f\x7f", " x ", "\u200b", "", strings.Repeat("😀", 10_000),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		draft := Draft{
			Kind: ProForma,
			Customer: Buyer{
				Name: s, Company: s, Line1: s, Line2: s, City: s, PostalCode: s, Country: "SK", Email: "eva@reader.test", ICO: s,
				DIC: s, ICDPH: s,
			},
			Lines: []Line{{Name: s, Category: VATStandard, Permille: 230, Gross: 8900}}, Currency: "EUR", Order: "1",
			Method: ByTransfer, Reference: s,
		}
		snapshot, err := draft.Snapshot(ed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		d := Document{Kind: ProForma, Number: "PF-2026-000001", Snapshot: snapshot}
		var out bytes.Buffer
		if err := d.WriteUBL(&out); err != nil {
			t.Fatal(err)
		}
		texts := textsOf(t, &out)
		if want := typed.Shown(s); want != "" && !slices.Contains(texts, want) {
			t.Errorf("%.100q is not in the file: %.500q", want, texts)
		}
	})
}

// textsOf reads XML, and returns what is in the elements that hold no others.
func textsOf(t *testing.T, r io.Reader) (texts []string) {
	t.Helper()
	text, leaf := "", false
	for d := xml.NewDecoder(r); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		switch token := token.(type) {
		case nil:
			t.Fatal(err)
		case xml.StartElement:
			text, leaf = "", true
		case xml.CharData:
			text += string(token)
		case xml.EndElement:
			if !leaf {
				continue
			}
			if text == "" || text != strings.TrimSpace(text) || strings.ContainsFunc(text, isHidden) {
				t.Errorf("%s holds %.100q", token.Name.Local, text)
			}
			texts, leaf = append(texts, text), false
		}
	}
}

func isHidden(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
