package billing

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/lettering"
)

// names are of people who read papers, in the letters that they write them with.
var names = []string{
	"Ľubomíra Žďárska", "Jürgen Groß", "Ελένη Παπαδοπούλου", "Юлія Ткаченко", "Nguyễn Thị Ánh", "გიორგი ბერიძე",
	"Արամ Պետրոսյան",
	"สมชาย ใจดี", "李小龙 (Bruce)", "山田 はなこ", "김철수", "علي محمد، 12", "דוד לוי 12", "राजेश कुमार", "ተስፋዬ",
	"Ada 😀", "Ján 🎁 Novák", "👨‍👩‍👧", "𝓐𝓭𝓪 𝕃𝕠𝕧𝕖", "𠮷野",
	"a\u202Eb\u202Cc", "\x00\x1b[2J\u0085", "\xff\xed\xa0\x80", "\uFFFE\U0010FFFF\uE000",
	"Z\u0335\u0321\u0335\u0321\u0335\u0321", "\u200B\uFEFF\u00AD", strings.Repeat("W", 120), strings.Repeat("漢", 120),
	strings.Repeat("😀", 120), strings.Repeat("ع", 120), "a\nb\r\nc\td", "\u2028\u2029", "(\\)", "",
}

// named is a document with a text wherever somebody may have typed one.
func named(d *invoice.Document, text string) *invoice.Document {
	out := *d
	c := &out.Customer
	for _, f := range []*string{&c.Name, &c.Company, &c.Line1, &c.Line2, &c.City, &c.ICO, &c.DIC, &c.Email} {
		*f = text
	}
	out.Supplier.Name, out.Supplier.Bank, out.Order, out.Reference = text, text, text, text
	out.Lines = append([]invoice.Line{}, d.Lines...)
	out.Lines[0].Name = text
	return &out
}

func TestWritePDF_AnyLetters(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	all := samples(t, p.ed)
	for _, kind := range []string{"a pre-invoice", "all is given back"} {
		for _, name := range names {
			var got, want bytes.Buffer
			if err := errors.Join(named(all[kind], name).WritePDF(&got, p.ed),
				named(all[kind], lettering.Visible(name)).WritePDF(&want, p.ed)); err != nil {
				t.Errorf("%s with %q: %v", kind, name, err)
			}
			if lettering.Visible(name) != "" && !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s with %q is not drawn as with %q", kind, name, lettering.Visible(name))
			}
		}
	}
	d := *all["a pre-invoice"]
	d.Lines = nil
	for _, name := range names {
		d.Lines = append(d.Lines, invoice.Line{Name: name})
	}
	var first, second bytes.Buffer
	if err := errors.Join(d.WritePDF(&first, p.ed), d.WritePDF(&second, p.ed)); err != nil ||
		!bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("the same document is drawn in two ways: %v", err)
	}
	if file := os.Getenv("BROADSHEET_TEST_PDF"); file != "" { // to look at
		if err := os.WriteFile(file, first.Bytes(), 0o600); err != nil {
			t.Error(err)
		}
	}
	text := textOfPDF(t, &d, p.ed)
	for _, want := range []string{"Ľubomíra Žďárska", "李小龙", "12 יול דוד", "Ada \uFFFD", "[2J"} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no text %q:\n%s", want, text)
		}
	}
}
