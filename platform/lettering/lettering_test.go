package lettering_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/broadsheet/platform/lettering"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"Slovak":                {"Ľubomíra Žďárska", "Ľubomíra Žďárska"},
		"marks are composed":    {"L\u030cubica", "Ľubica"},
		"smiley":                {"Ada 😀", "Ada 😀"},
		"gift":                  {"Ján 🎁", "Ján \uFFFD"},
		"family":                {"Eva 👨\u200d👩\u200d👧", "Eva \uFFFD"},
		"flag":                  {"🇸🇰", "\uFFFD"},
		"heart":                 {"Eva ❤️", "Eva ❤"},
		"mathematical letters":  {"𝓐𝓭𝓪 𝔹𝕠", "Ada 𝔹𝕠"},
		"full width":            {"ＡＢＣ", "ＡＢＣ"},
		"Han beyond 16 bits":    {"𠮷野家", "\uFFFD野家"},
		"Arabic":                {"علي", "علي"},
		"joiner of Persian":     {"می\u200cخواهم", "می\u200cخواهم"},
		"reversed on purpose":   {"a\u202Eb\u202Cc\u2066d", "abcd"},
		"never seen":            {"\uFEFFa\u00ADb\u200Bc\U000E0041", "abc"},
		"controls":              {"a\x00b\x1b[2Jc\u0085", "a b [2Jc "},
		"no text":               {"a\xff\xc3b\xed\xa0\x80", "a\uFFFDb\uFFFD"},
		"private and no letter": {"\uE000\uFFFE\U0010FFFF", "\uFFFD\uFFFD\uFFFD"},
		"many marks":            {"Z" + strings.Repeat("\u0335", 80), "Z" + strings.Repeat("\u0335", 4) + "\uFFFD"},
		"lines":                 {"a\nb", "a\nb"},
		"hieroglyphs":           {"𓀀𓀁", "\uFFFD\uFFFD"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := lettering.Visible(c.text)
			if got != c.want {
				t.Errorf("Visible(%q) = %q, want %q", c.text, got, c.want)
			}
			if again := lettering.Visible(got); again != got {
				t.Errorf("the second time, %q becomes %q", got, again)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Eva Nová, Žižkova 3": true, "Ελένη Юлия": true, "1 234,50 €": true, "李": false, "😀": false, "שלום": false,
		"e\u0327\u0301": false,
	} {
		if got := lettering.Plain(text); got != want {
			t.Errorf("Plain(%q) = %v, want %v", text, got, want)
		}
	}
}

// paths counts what is drawn, and notes where each letter begins.
type paths struct {
	begun, closed int
	left, right   float64
}

func (p *paths) at(x float64)                                { p.left, p.right = min(p.left, x), max(p.right, x) }
func (p *paths) MoveTo(x, _ float64)                         { p.begun++; p.at(x) }
func (p *paths) LineTo(x, _ float64)                         { p.at(x) }
func (p *paths) CurveBezierCubicTo(_, _, _, _, x, _ float64) { p.at(x) }
func (p *paths) ClosePath()                                  { p.closed++ }

func TestShape(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"Chinese": "李小龙", "Arabic": "علي محمد", "Hebrew": "דוד לוי", "Thai": "สมชาย ใจดี", "Hindi": "राजेश कुमार",
		"Georgian": "გიორგი", "Vietnamese": "Nguyễn Thị Hồng", "Korean": "김철수", "smiley": "Ada 😀", "mixed": "Café שלום 12 李",
		"Armenian": "Արամ", "Ethiopic": "ተስፋዬ", "missing": lettering.Missing,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := lettering.Shape(lettering.Visible(text), 10, 1000)
			if len(lines) != 1 || lines[0].Text != text || lines[0].Width <= 0 {
				t.Fatalf("got %+v", lines)
			}
			var p paths
			lines[0].Draw(&p, 0, 0)
			if p.begun == 0 || p.begun != p.closed || p.left < -5 || p.right > lines[0].Width+5 {
				t.Errorf("drawn: %+v of a width of %v", p, lines[0].Width)
			}
		})
	}
}

// Words that are wider than a line are broken, and nothing is lost.
func TestShape_Lines(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("😀", 200), strings.Repeat("漢", 300), strings.Repeat("سلام ", 100), strings.Repeat("ẞắ", 150), "a\n漢\n",
	} {
		lines := lettering.Shape(text, 10, 90)
		var all strings.Builder
		for _, l := range lines {
			all.WriteString(l.Text)
			if l.Width > 90+10 {
				t.Errorf("a line of %q is %v wide", text[:8], l.Width)
			}
		}
		if want := strings.ReplaceAll(text, "\n", ""); all.String() != want {
			t.Errorf("got %q, want %q", all.String(), want)
		}
	}
}

// starts notes where each closed path of a drawing begins.
type starts struct{ xs []float64 }

func (s *starts) MoveTo(x, _ float64)                       { s.xs = append(s.xs, x) }
func (*starts) LineTo(_, _ float64)                         {}
func (*starts) CurveBezierCubicTo(_, _, _, _, _, _ float64) {}
func (*starts) ClosePath()                                  {}

// Letters of a script from right to left are drawn so: of a yod and a mem, which has an inside, the mem is at the left.
func TestShape_RightToLeft(t *testing.T) {
	t.Parallel()
	mem := lettering.Shape("ם", 10, 1000)[0].Width
	var s starts
	lettering.Shape("ים", 10, 1000)[0].Draw(&s, 0, 0)
	left := 0
	for _, x := range s.xs {
		if x < mem {
			left++
		}
	}
	if left != 2 || len(s.xs) != 3 {
		t.Errorf("of %d paths, %d begin in the width of a mem from the left; want 2 of 3", len(s.xs), left)
	}
	// What opens in such a text stands at its right, and looks like what closes in others.
	var mirrored, closing starts
	text := lettering.Shape("(ם", 10, 1000)[0]
	text.Draw(&mirrored, 0, 0)
	other := lettering.Shape(")", 10, 1000)[0]
	other.Draw(&closing, text.Width-other.Width, 0)
	if last := slices.Max(mirrored.xs); len(closing.xs) != 1 || math.Abs(last-closing.xs[0]) > 0.05 {
		t.Errorf("the bracket is drawn from %v, want from %v", last, closing.xs)
	}
}

func TestShape_Order(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ada 李": "Ada 李", "דוד": "דוד"[4:6] + "דוד"[2:4] + "דוד"[0:2], "אב 12": "12 בא", "Café אב 12!": "Café 12 בא!",
		"(אב)": ")בא(", "אב Café": "Café בא",
	} {
		if got := lettering.Shape(text, 10, 1000)[0].Seen; got != want {
			t.Errorf("%q is seen as %q, want %q", text, got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, s := range []string{
		"Ada 😀", "𝓐𝓭𝓪", "李小龙", "علي", "a\x00\xff", "\u202Ea",
		"👨\u200d👩\u200d👧", "Z\u0335\u0335\u0335\u0335\u0335", "می\u200cخ", "\n\n", "\r\n",
		"क्\u200dष", "\u0600\u0601", "\u115F\u1160", "\U0001F1F8", "\u0000", strings.Repeat("漢", 50),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := lettering.Visible(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Visible(%q) = %q is no text", s, got)
		}
		if strings.Trim(got, " \n") == "" && strings.ContainsAny(s, "abc") {
			t.Errorf("Visible(%q) = %q shows nothing", s, got)
		}
		for _, l := range lettering.Shape(got, 10, 90) {
			l.Draw(&paths{}, 0, 0)
		}
	})
}
