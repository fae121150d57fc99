package mail

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// anyLetters are texts as people, providers and broken programs write them.
var anyLetters = map[string]string{
	"ascii":               "Ada Lovelace",
	"punctuation":         `Ada "the first" Lovelace, O'Neill & Sons; (x) <y> \ @ [z] : .`,
	"accents":             "Žofia Ďurčová – „noviny“",
	"emoji":               "Ada 😀 👩‍👩‍👧 🏳️‍🌈 🇸🇰",
	"maths":               "𝓐𝓭𝓪",
	"cjk":                 "𠮷野家 李小龙 김철수",
	"right to left":       "علي שלום",
	"directions":          "Ada \u202egnp.exe\u202c \u2066a\u2069 \u200f",
	"nul":                 "Ada\x00Lovelace",
	"controls":            "Ada\x1b[2J\x07\u009b\x7f Lovelace",
	"line breaks":         "Ada\r\nBcc: all@evil.example\r\n\r\n<b>body</b>\u2028x\u0085y",
	"lone surrogate":      "Ada \xed\xa0\x80 Lovelace",
	"invalid":             "Ada \xff\xfe\xc3 Lovelace",
	"encoded word":        "=?utf-8?q?=0D=0ABcc:_all@evil.example?=",
	"half of one":         "a =?utf-8?q?b",
	"long word":           strings.Repeat("a", 10_000),
	"long text":           strings.Repeat("lorem ipsum ", 1000),
	"long emoji":          strings.Repeat("😀", 10_000),
	"long accents":        strings.Repeat("áé í", 2500),
	"invisible":           "\u200b\u202e\ufeff",
	"blank":               " \t\u00a0\u3000",
	"a dot":               ".",
	"folder":              `../..\x:y*?|"<>/.pdf`,
	"no-break":            "5\u00a0€ e\u2011mail",
	"marks":               "Z" + strings.Repeat("\u0351", 50),
	"percent and quotes":  `%0d%0a"; filename*=utf-8''x.exe; a="`,
	"replaced and object": "\ufffd\ufffc\ue000",
}

func lettersEdition(tb testing.TB) *edition.Edition {
	tb.Helper()
	ed, err := edition.New(testkit.Document(1), "")
	if err != nil {
		tb.Fatal(err)
	}
	return ed
}

// An email holds any letters at every place at which people write them, and never ends with an error because of them.
func TestEmail_anyLetters(t *testing.T) {
	t.Parallel()
	for name, text := range anyLetters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkLetters(t, lettersEdition(t), text)
		})
	}
}

// FuzzEmail looks for letters with which an email cannot be sent, or says something else.
func FuzzEmail(f *testing.F) {
	for _, text := range anyLetters {
		f.Add(text)
	}
	ed := lettersEdition(f)
	f.Fuzz(func(t *testing.T, text string) { checkLetters(t, ed, text) })
}

// checkLetters writes an email that has a text everywhere, and reads it as the program of a reader does.
func checkLetters(t *testing.T, ed *edition.Edition, text string) {
	t.Helper()
	other := *ed
	other.Name, other.Mail.FromName, other.Tagline, other.Supplier.Name = text, text, text, text
	l := Message{
		Kind: "gift", Key: "gift:1", To: "eva@reader.test", Subject: "A " + text, Preview: text, Why: text,
		Blocks: []Block{
			Heading(text), Paragraph(text), Code(text), Facts(Fact{text, text}), Note(text), Section(text),
			Button(text, "https://sk.test/x"), Story(text, text, text, text, "https://sk.test/y"),
		},
		Files: []File{{Name: text + ".pdf", Type: "application/pdf", Body: []byte("%PDF")}},
		List: &List{
			ID: "morning", Name: "L" + text, Leave: "https://sk.test/leave?token=a", Settings: "https://sk.test/settings",
		},
	}
	if err := l.check(); err != nil {
		t.Fatal(err)
	}
	m, err := compose(&other, &l, "1@sk.test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if _, err := m.WriteTo(&raw); err != nil {
		t.Fatal(err)
	}
	checkRaw(t, raw.Bytes())
	read, err := netmail.ReadMessage(&raw)
	if err != nil {
		t.Fatal(err)
	}
	checkHeaders(t, read.Header, text)
	checkParts(t, read.Header.Get("Content-Type"), read.Body, text)
}

// checkRaw holds what servers demand of an email: ASCII in lines of at most 998 bytes that end with CR LF.
func checkRaw(t *testing.T, raw []byte) {
	t.Helper()
	for line := range bytes.SplitSeq(raw, []byte("\r\n")) {
		if len(line) > 998 {
			t.Errorf("a line of %d bytes: %.80q", len(line), line)
		}
		if bytes.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsControl(r) && r != '\t' }) {
			t.Errorf("a line that is not plain: %.120q", line)
		}
	}
}

func checkHeaders(t *testing.T, h netmail.Header, text string) {
	t.Helper()
	if len(h) != 15 {
		t.Errorf("got %d headers, want 15: %v", len(h), h)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(h.Get("Subject"))
	if err != nil || letters(subject) != letters("A "+text) {
		t.Errorf("subject: got %.200q, want %.200q, %v", subject, "A "+text, err)
	}
	from, err := h.AddressList("From")
	if err != nil || len(from) != 1 || !isBeginning(from[0].Name, text, "at.test") {
		t.Errorf("from: got %v from %.200q, %v", from, h.Get("From"), err)
	}
	if to, err := h.AddressList("To"); err != nil || len(to) != 1 || to[0].Address != "eva@reader.test" {
		t.Errorf("to: got %v, %v", to, err)
	}
	// A List-Id reads like an address without an "@".
	list, err := netmail.ParseAddress(strings.Replace(h.Get("List-Id"), "<morning.", "<morning@", 1))
	if err != nil || !strings.HasPrefix(list.Address, "morning@") || !isBeginning(list.Name, "L"+text, "") {
		t.Errorf("list: got %v from %.200q, %v", list, h.Get("List-Id"), err)
	}
}

func checkParts(t *testing.T, contentType string, body io.Reader, text string) {
	t.Helper()
	var names []string
	var walk func(contentType string, body io.Reader)
	walk = func(contentType string, body io.Reader) {
		media, params, err := mime.ParseMediaType(contentType)
		if err != nil || !strings.HasPrefix(media, "multipart/") {
			t.Fatalf("got %q, %v, want parts", contentType, err)
		}
		r := multipart.NewReader(body, params["boundary"])
		for {
			p, err := r.NextRawPart()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkPart(t, p, walk, &names)
		}
	}
	walk(contentType, body)
	if len(names) != 1 || !strings.HasSuffix(names[0], ".pdf") || strings.ContainsAny(names[0], "/\\\r\n\x00\"") ||
		len(names[0]) > 255 {
		t.Errorf("files: got %.300q, want one whose name is %.100q", names, text)
	}
}

func checkPart(t *testing.T, p *multipart.Part, walk func(string, io.Reader), names *[]string) {
	t.Helper()
	contentType := p.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		t.Errorf("a part of type %.200q: %v", contentType, err)
	case strings.HasPrefix(media, "multipart/"):
		walk(contentType, p)
	case strings.HasPrefix(media, "text/"):
		b, err := io.ReadAll(quotedprintable.NewReader(p))
		text := strings.ReplaceAll(string(b), "\r\n", "\n")
		if err != nil || !utf8.ValidString(text) || strings.ContainsFunc(text, isHarmful) {
			t.Errorf("%s: its text is not plain: %v, %.300q", media, err, text)
		}
	default:
		*names = append(*names, p.FileName())
	}
}

// isHarmful reports whether no text of an email may have a character.
func isHarmful(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// letters are the characters of a text that are seen, one byte that is no text being one that is seen.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Mn,
			unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) ||
			strings.ContainsRune("\ufffc\u2011-\u2800", r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// isBeginning reports whether a name is a text, or the beginning of a long one; instead stands for one of which nothing
// is seen.
func isBeginning(name, text, instead string) bool {
	got, want := letters(name), letters(text)
	return got == want || len([]rune(got)) >= 50 && strings.HasPrefix(want, got) ||
		want == "" && strings.HasPrefix(name, instead)
}
