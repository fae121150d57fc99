package mail

import (
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

var accentIn = regexp.MustCompile(`--accent: light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)`)

// Emails have the colours of the edition's pages.
func TestThemesAreThoseOfThePages(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"": "sk", "sk": "sk", "at": "at", "ch": "ch", "unheard-of": "sk"} {
		css, err := os.ReadFile("../../frontend/src/styles/themes/" + file + ".css")
		found := accentIn.FindSubmatch(css)
		if err != nil || found == nil {
			t.Fatal(file, err)
		}
		got := themeOf(name)
		if string(got.Light.Accent) != string(found[1]) || string(got.Dark.Accent) != string(found[2]) {
			t.Errorf("%q: %v, not %s", name, got, found[1:])
		}
	}
}

func TestEmailsLookLikeTheirEdition(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t, func(d *edition.Document) { d.Theme = "at" })
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l := Message{Subject: "Predmet", Blocks: []Block{
		Heading("Dohoda o 5 % v Bratislave"),
		Paragraph("Faktúra FV-2026-000117 z 22. novembra príde e-mailom na a@e-mail.example."), Code("RF18 2600 0000 0011"),
		Facts(Fact{"IBAN", "SK89 9952 0000"}), Picture("code.png", "QR kód"),
		Story("V meste", "Most v zime", "O 3 dni", "", "https://sk.test/1"),
	}}
	html, err := HTML(ed, &l)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"#0f5a4a", "#74c7ae", "Newsreader", "Public Sans", "o\u00a05\u00a0% v\u00a0Bratislave",
		"FV\u20112026\u2011000117 z\u00a022.\u00a0novembra", "e\u2011mailom", "a@e-mail.example",
		"RF18 2600 0000 0011", "SK89 9952 0000", `src="cid:code.png"`, `alt="QR kód"`, "Most v\u00a0zime",
		"table-layout:fixed",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, bad := range []string{"#a3182b", "ZgotmplZ", "https://fonts", "&#34;,", "url("} {
		if strings.Contains(html, bad) {
			t.Errorf("there is %q", bad)
		}
	}
	text := Text(ed, &l)
	if strings.ContainsAny(text, "\u00a0\u2011") || !strings.Contains(text, "IBAN: SK89 9952 0000") ||
		strings.Contains(text, "cid:") {
		t.Errorf("the text: %q", text)
	}
	if l.Blocks[0].Text != "Dohoda o 5 % v Bratislave" {
		t.Error("the email itself was changed")
	}
}

// A picture comes with the email, and is not listed among its attachments.
func TestPicturesComeWithTheEmail(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	office := &postOffice{}
	s := sender(t, d, "smtp://"+open(t, office))
	l := message()
	l.Blocks = append(l.Blocks, Picture("code.png", "QR"))
	if err := s.Send(ctx, l); err == nil {
		t.Error("a picture that is not there was sent")
	}
	l.Files = []File{{"code.png", "image/png", []byte("PNG"), true}}
	if err := s.Send(ctx, l); err != nil {
		t.Fatal(err)
	}
	m, err := netmail.ReadMessage(strings.NewReader(office.messages()[0]))
	if err != nil {
		t.Fatal(err)
	}
	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	var walk func(media string, params map[string]string, r *multipart.Reader)
	walk = func(_ string, _ map[string]string, r *multipart.Reader) {
		for {
			p, err := r.NextPart()
			if err != nil {
				return
			}
			kind, inner, _ := mime.ParseMediaType(p.Header.Get("Content-Type"))
			if strings.HasPrefix(kind, "multipart/") {
				walk(kind, inner, multipart.NewReader(p, inner["boundary"]))
			}
			if kind == "image/png" {
				found = p.Header.Get("Content-Id") == "<code.png>" &&
					strings.HasPrefix(p.Header.Get("Content-Disposition"), "inline")
			}
		}
	}
	walk(media, params, multipart.NewReader(m.Body, params["boundary"]))
	if !found {
		t.Errorf("no picture in\n%s", office.messages()[0])
	}
}
