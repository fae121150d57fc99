package typed

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const england = "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"

// lineCases are texts of one line, and their clean forms.
var lineCases = []struct{ name, in, want string }{
	{"plain", "Ján Novák", "Ján Novák"},
	{"blanks around and between", "  Ján \t Novák\n", "Ján Novák"},
	{"line ends", "Ján\r\nNovák\u2028\u2029\u0085x", "Ján Novák x"},
	{"unusual blanks", "a\u00a0b\u202fc\u2003d\u3000e\u1680f\u205fg\u2800h", "a b c d e f g h"},
	{"decomposed accents", "Ja\u0301n", "Ján"},
	{"zero width space", "No\u200bvák\u200b", "Novák"},
	{"byte order mark", "\ufeffNovák", "Novák"},
	{"soft hyphen", "No\u00advák", "Novák"},
	{"word joiner", "No\u2060vák", "Novák"},
	{"bidi marks without need", "\u200eNovák\u200f\u061c", "Novák"},
	{"right-to-left override", "a\u202egpj.exe", "agpj.exe"},
	{"isolates", "\u2066a\u2067b\u2068c\u2069", "abc"},
	{"embeddings", "\u202aa\u202bb\u202c\u202d", "ab"},
	{"controls", "a\x00\x07\x1b[31mb\x7f\u009b", "a[31mb"},
	{"joiner between Latin letters", "a\u200db\u200cc", "abc"},
	{"joiner before an accent", "e\u200d\u0301", "é"},
	{"fillers", "\u3164\u115f\u1160\uffa0a", "a"},
	{"grapheme joiner", "a\u034fb", "ab"},
	{"private letters", "a\ue000\uf8ff\U000F0000b", "ab"},
	{"noncharacters", "a\ufdd0\uffffb", "ab"},
	{"object of an editor", "a\ufffcb", "ab"},
	{"tags without a flag", "a\U000E0061\U000E0062\U000E007Fb", "ab"},
	{"deprecated formats", "a\u206a\u206f\u2061\u2064\ufff9b", "ab"},
	{"selector after a letter", "a\ufe0fb\ufe00\U000E0100", "ab"},
	{"replacement stays visible", "a\ufffdb", "a\ufffdb"},
	{"nothing visible", "\u200b\u2060\ufeff\u00ad \u3164", ""},
	{"piled up accents", "a" + strings.Repeat("\u0316", 50), "a" + strings.Repeat("\u0316", maxMarks)},

	{"emoji", "Ada 😀", "Ada 😀"},
	{"family", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
	{"couple with heart", "👩\u200d❤\ufe0f\u200d👨", "👩\u200d❤\ufe0f\u200d👨"},
	{"skin and profession", "👩🏽\u200d🚀", "👩🏽\u200d🚀"},
	{"profession with sign", "🕵🏽\u200d♀\ufe0f", "🕵🏽\u200d♀\ufe0f"},
	{"head shaking", "🙂\u200d↔\ufe0f", "🙂\u200d↔\ufe0f"},
	{"rainbow flag", "🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"},
	{"black cat, polar bear", "🐈\u200d⬛ 🐻\u200d❄\ufe0f", "🐈\u200d⬛ 🐻\u200d❄\ufe0f"},
	{"red heart", "Eva ❤\ufe0f", "Eva ❤\ufe0f"},
	{"heart as text", "Eva ♥\ufe0e", "Eva ♥\ufe0e"},
	{"keycap", "1\ufe0f\u20e3 #\ufe0f\u20e3", "1\ufe0f\u20e3 #\ufe0f\u20e3"},
	{"flag of a country", "🇸🇰", "🇸🇰"},
	{"flag of England", england, england},
	{"flag with unfinished tags", "\U0001F3F4\U000E0067\U000E0062x", "\U0001F3F4x"},
	{"emoji newer than the tables", "a\U0001FAEA\u200d\U0001FAEB", "a\U0001FAEA\u200d\U0001FAEB"},
	{"joiner at the end of an emoji", "👨\u200d", "👨"},
	{"joiner before a letter", "👨\u200da", "👨a"},
	{"joiner twice", "👨\u200d\u200d👩", "👨\u200d👩"},
	{"selector twice", "❤\ufe0f\ufe0f", "❤\ufe0f"},
	{"space inside an emoji", "👨\u200b\u200d👩", "👨\u200d👩"},

	{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
	{"Arabic with vowel signs", "بِ\u200cك", "بِ\u200cك"},
	{"Hindi", "क्\u200dष र्\u200dय", "क्\u200dष र्\u200dय"},
	{"Sinhala", "ශ්\u200dරී", "ශ්\u200dරී"},
	{"Bengali", "ক্\u200cষ", "ক্\u200cষ"},
	{"non-joiner twice", "می\u200c\u200cخواهم", "می\u200cخواهم"},
	{"Khmer with breaks", "ខ្ញុំ\u200bទៅ", "ខ្ញុំ\u200bទៅ"},
	{"Thai with a break at the end", "ไทย\u200b", "ไทย"},
	{"marks in Hebrew", "שלום!\u200f abc", "שלום!\u200f abc"},
	{"Arabic number sign", "\u0600١٢", "\u0600١٢"},
	{"ideograph with a variant", "葛\U000E0100城", "葛\U000E0100城"},
	{"ideograph above U+FFFF", "𠮷野", "𠮷野"},
	{"Vietnamese", "Nguye\u0302\u0303n", "Nguyễn"},
	{"Mongolian selector", "ᠠ\u180bᠡ", "ᠠ\u180bᠡ"},
}

func TestLine(t *testing.T) {
	t.Parallel()
	for _, c := range lineCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := Line(c.in, 100); got != c.want || err != nil {
				t.Errorf("Line(%+q) = %+q, %v; want %+q", c.in, got, err, c.want)
			}
		})
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"line ends", "a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh", "a\nb\nc\nd\ne\nf\ng\nh"},
		{"empty lines", "a\n\n\n\nb", "a\n\nb"},
		{"empty lines with blanks", "a \n \u00a0\n\u200b\n\n b", "a\n\n b"},
		{"around", "\n\n a\n \n", "a"},
		{"tab", "a\tb", "a b"},
		{"family", "Krásne sviatky 👨\u200d👩\u200d👧\nJana", "Krásne sviatky 👨\u200d👩\u200d👧\nJana"},
		{"two blanks stay", "a  b", "a  b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := Lines(c.in, 100); got != c.want || err != nil {
				t.Errorf("Lines(%+q) = %+q, %v; want %+q", c.in, got, err, c.want)
			}
		})
	}
}

func TestLine_refused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"invalid UTF-8", "a\xffb", ErrNotText},
		{"half a character", "\xc3", ErrNotText},
		{"surrogate", "\xed\xa0\x80", ErrNotText},
		{"too long", strings.Repeat("č", 11), ErrTooLong},
		{"long enough", strings.Repeat("č", 10), nil},
		{"short when it is clean", strings.Repeat("c\u030c", 10) + "\u200b", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, clean := range []func(string, int) (string, error){Line, Lines} {
				if _, err := clean(c.in, 10); !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
			}
		})
	}
}

func TestEmail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"plain", "jana@example.org", "jana@example.org"},
		{"invisible characters", "\ufeffja\u00adna\u200b@exam\u2060ple.org\u200e", "jana@example.org"},
		{"full width", "ｊａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ", "jana@example.org"},
		{"blanks around", "\u00a0jana@example.org\n", "jana@example.org"},
		{"blank inside stays", "ja na@example.org", "ja na@example.org"},
		{"second line stays", "jana@example.org\r\nBcc: x@y.example", "jana@example.org Bcc: x@y.example"},
		{"joiner of a Sinhala domain", "a@ශ්\u200dරී.example", "a@ශ්\u200dරී.example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := Email(c.in); got != c.want || err != nil {
				t.Errorf("Email(%+q) = %+q, %v; want %+q", c.in, got, err, c.want)
			}
		})
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"plain", "K7QF-2MXD", "K7QF2MXD"},
		{"lower case", "k7qf-2mxd", "K7QF2MXD"},
		{"blanks", " K7QF\u00a02MXD\n", "K7QF2MXD"},
		{"invisible characters", "\ufeffK7\u200bQF\u00ad2M\u2060XD\u200e", "K7QF2MXD"},
		{"minus", "K7QF\u22122MXD", "K7QF2MXD"},
		{"dashes", "K7–QF—2M‐X‑D", "K7QF2MXD"},
		{"full width", "Ｋ７ＱＦ－２ｍｘｄ", "K7QF2MXD"},
		{"quotation marks", "„K7QF-2MXD“", "K7QF2MXD"},
		{"guillemets, apostrophes", "«K7QF» '2MXD'", "K7QF2MXD"},
		{"comma after it", "K7QF-2MXD,", "K7QF2MXD"},
		{"full stop after it", "K7QF-2MXD.", "K7QF2MXD"},
		{"brackets", "(K7QF_2MXD)", "K7QF2MXD"},
		{"selector of an emoji keyboard", "1\ufe0f2\ufe0f3", "123"},
		{"digits of Arabic", "١٢٣ ۴۵۶", "123456"},
		{"digits of Devanagari", "१२३", "123"},
		{"mathematical digits", "𝟏𝟚𝟥", "123"},
		{"line ends", "12\r\n34\u202856", "123456"},
		{"other letters stay", "kód: 123", "KÓD123"},
		{"an accent is no ornament", "1\u03012", ""},
		{"invalid bytes do not vanish", "12\xff3", ""},
		{"nothing", " -\u200b„“", ""},
		{"too long", strings.Repeat("1", maxCode+1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Code(c.in); got != c.want {
				t.Errorf("Code(%+q) = %+q, want %+q", c.in, got, c.want)
			}
		})
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"short", "a\r\nb", "a b"},
		{"invalid bytes", "a\xffb", "a\ufffdb"},
		{"cut", "čučoriedka", "čučor"},
		{"cut at a blank", "abcd efg", "abcd"},
		{"forged line", "x\nlevel", "x lev"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Excerpt(c.in, 5); got != c.want {
				t.Errorf("Excerpt(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"shorter", "abc", "abc"},
		{"as long", "abcd", "abcd"},
		{"between two letters", "abčde", "abč"},
		{"inside a letter", "abcčd", "abc"},
		{"inside an emoji", "a😀b", "a"},
		{"invalid bytes", "a\xffbcde", "abc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Cut(c.in, 4); got != c.want {
				t.Errorf("Cut(%q, 4) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// FuzzClean holds for any text: a clean text is valid, within its bound, in one form, and clean.
func FuzzClean(f *testing.F) {
	for _, c := range lineCases {
		f.Add(c.in)
	}
	for _, s := range []string{
		"\x00", "\xff", "a\u0344\u0374", "\u1160\u0316\u200d\u0301", "e\u200d\u0301\n\u0301", "\u2126",
	} {
		f.Add(s)
	}
	const maxRunes = 50
	f.Fuzz(func(t *testing.T, s string) {
		for name, clean := range map[string]func(string) (string, error){
			"Line":    func(s string) (string, error) { return Line(s, maxRunes) },
			"Lines":   func(s string) (string, error) { return Lines(s, maxRunes) },
			"Email":   Email,
			"Code":    func(s string) (string, error) { return Code(s), nil },
			"Excerpt": func(s string) (string, error) { return Excerpt(s, maxRunes), nil },
		} {
			got, err := clean(s)
			if err != nil {
				if got != "" {
					t.Fatalf("%s(%+q) = %+q beside %v", name, s, got, err)
				}
				continue
			}
			if again, err := clean(got); again != got || err != nil {
				t.Fatalf("%s(%+q) = %+q, and of that %+q, %v", name, s, got, again, err)
			}
			if !utf8.ValidString(got) || !norm.NFC.IsNormalString(got) {
				t.Fatalf("%s(%+q) = %+q: invalid, or not in NFC", name, s, got)
			}
			if n := utf8.RuneCountInString(got); n > maxRunes && (name == "Line" || name == "Lines" || name == "Excerpt") {
				t.Fatalf("%s(%+q) has %d characters", name, s, n)
			}
			if strings.ContainsFunc(got, func(r rune) bool {
				return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) && r >= '\u202a'
			}) {
				t.Fatalf("%s(%+q) = %+q has a control", name, s, got)
			}
		}
		if got := Cut(s, maxRunes); len(got) > maxRunes || !utf8.ValidString(got) {
			t.Fatalf("Cut(%+q) = %+q", s, got)
		}
	})
}
