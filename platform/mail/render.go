package mail

import (
	"cmp"
	_ "embed"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/typography"
)

//go:embed message.html
var htmlSource string

var htmlTemplate = template.Must(template.New("email").Funcs(template.FuncMap{
	"css": func(s string) template.CSS { return template.CSS(s) }, //nolint:gosec // of the template's own
	"image": func(s string) template.URL {
		return template.URL("cid:" + url.PathEscape(strings.TrimPrefix(s, "cid:"))) //nolint:gosec // a file of the email
	},
}).Parse(htmlSource))

// sheet is what the template prints.
type sheet struct {
	*Message
	Lang, Masthead, Tagline, Home string
	Blocks                        []Block // shadows the email's
	Footer                        []string
	Ways                          []way
	theme
}

// way is a link in the footer of an email to many.
type way struct{ Label, URL string }

func newSheet(ed *edition.Edition, l *Message) sheet {
	s, why := ed.Supplier, cmp.Or(l.Why, i18n.T(ed, "mail.footer.why", map[string]any{"Name": ed.Name}))
	var ways []way
	if l.List != nil {
		why = i18n.T(ed, "mail.list.why", map[string]any{"List": l.List.Name, "Name": ed.Name})
		ways = []way{
			{i18n.T(ed, "mail.list.leave", nil), l.List.Leave},
			{i18n.T(ed, "mail.list.settings", nil), l.List.Settings},
		}
	}
	out := sheet{
		Message: l, Blocks: l.Blocks, theme: themeOf(ed.Theme), Lang: ed.IntlLocale, Masthead: ed.Name, Tagline: ed.Tagline,
		Home: ed.URL("/"),
		Footer: []string{
			why,
			i18n.T(ed, "mail.footer.help", map[string]any{"Email": ed.SupportEmail}),
			s.Name + ", " + s.Street + ", " + s.Postal + " " + s.City,
		},
		Ways: ways,
	}
	if s.Register != "" { // which emails of companies must have in some countries
		out.Footer = append(out.Footer, s.Register)
	}
	return out
}

// HTML renders the email as a page that fetches nothing: its pictures come with it.
func HTML(ed *edition.Edition, l *Message) (string, error) {
	var b strings.Builder
	s := newSheet(ed, l)
	s.typeset()
	err := htmlTemplate.Execute(&b, s)
	return readable(b.String()), err
}

// typeset sets all words that are read; what is copied stays as it is.
func (s *sheet) typeset() {
	set := func(texts ...*string) {
		for _, t := range texts {
			*t = typography.Text(s.Lang, *t)
		}
	}
	s.Blocks = slices.Clone(s.Blocks)
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Kind == "code" {
			continue
		}
		set(&b.Text, &b.Title, &b.Label, &b.Note)
	}
	for i := range s.Footer {
		set(&s.Footer[i])
	}
	for i := range s.Ways {
		set(&s.Ways[i].Label)
	}
	set(&s.Tagline)
}

// width is what a line of the text version holds.
const width = 72

// Text renders the same email for readers of plain text.
func Text(ed *edition.Edition, l *Message) string {
	s := newSheet(ed, l)
	var b strings.Builder
	part := func(text string) { b.WriteString(text + "\n\n") }
	part(s.Masthead + "\n" + strings.Repeat("-", utf8.RuneCountInString(s.Masthead)))
	for _, block := range l.Blocks {
		switch block.Kind {
		case "code":
			part("    " + block.Text)
		case "picture":
		case "facts":
			var lines []string
			for _, f := range block.Facts {
				lines = append(lines, wrap(f.Label+": "+f.Value))
			}
			part(strings.Join(lines, "\n"))
		case "button":
			part(wrap(block.Text+":") + "\n" + block.URL)
		case "section":
			part(wrap(block.Text) + "\n" + strings.Repeat("-", min(utf8.RuneCountInString(block.Text), width)))
		case "story":
			part(storyText(block))
		case "heading":
			part(wrap(block.Text) + "\n" + strings.Repeat("=", min(utf8.RuneCountInString(block.Text), width)))
		default:
			part(wrap(block.Text))
		}
	}
	b.WriteString("-- \n") // the usual mark of a signature
	for _, line := range s.Footer {
		b.WriteString(wrap(line) + "\n")
	}
	for _, w := range s.Ways {
		b.WriteString("\n" + wrap(w.Label+":") + "\n" + w.URL + "\n")
	}
	return readable(b.String())
}

func storyText(b Block) string {
	lines := []string{wrap(b.Title)}
	if b.Label != "" {
		lines = slices.Insert(lines, 0, wrap(b.Label))
	}
	for _, text := range []string{b.Text, b.Note} {
		if text != "" {
			lines = append(lines, wrap(text))
		}
	}
	return strings.Join(append(lines, b.URL), "\n")
}

// wrap breaks lines at spaces; a word that is longer than a line, as an address is, stays whole.
func wrap(text string) string {
	var lines []string
	for paragraph := range strings.SplitSeq(typography.Plain(text), "\n") {
		line, length := "", 0
		for word := range strings.FieldsSeq(paragraph) {
			n := utf8.RuneCountInString(word)
			if length > 0 && length+1+n > width {
				lines = append(lines, line)
				line, length = "", 0
			}
			if length > 0 {
				line += " "
				length++
			}
			line += word
			length += n
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
