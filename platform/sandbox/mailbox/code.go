package mailbox

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

var (
	codeAlone  = regexp.MustCompile(`(?m)^[\s*]*(\d{3})[ \x{a0}-]?(\d{3})[\s*]*$`)
	codeAmong  = regexp.MustCompile(`(?:^|[\s(„"':])(\d{3})[ \x{a0}-]?(\d{3})(?:[\s).,;“"']|$)`)
	addressish = regexp.MustCompile(`\S+://\S+`)
)

// findCode finds the code of a login mail: six digits in the subject or alone on a line, else the only six that stand
// by themselves.
func findCode(subject, text string) string {
	if found := codeAlone.FindStringSubmatch(text); found != nil {
		return found[1] + found[2]
	}
	if found := codeAmong.FindStringSubmatch(subject); found != nil {
		return found[1] + found[2]
	}
	codes := map[string]bool{}
	code := ""
	for _, found := range codeAmong.FindAllStringSubmatch(addressish.ReplaceAllString(text, ""), -1) {
		code = found[1] + found[2]
		codes[code] = true
	}
	if len(codes) != 1 {
		return ""
	}
	return code
}

// plain is the text of the mail, taken from the HTML where there is no other.
func (m Message) plain() string {
	if m.Text != "" {
		return m.Text
	}
	var b strings.Builder
	hidden := 0
	for tokens := html.NewTokenizer(strings.NewReader(m.HTML)); ; {
		switch tokens.Next() {
		case html.ErrorToken: // the end
			return b.String()
		case html.StartTagToken:
			if name, _ := tokens.TagName(); isHidden(string(name)) {
				hidden++
			}
		case html.EndTagToken:
			if name, _ := tokens.TagName(); isHidden(string(name)) {
				hidden--
			}
			b.WriteByte('\n')
		case html.TextToken:
			if hidden == 0 {
				b.Write(tokens.Text())
			}
		}
	}
}

func isHidden(tag string) bool { return tag == "style" || tag == "script" || tag == "title" }
