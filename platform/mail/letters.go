package mail

import (
	"cmp"
	"encoding/base64"
	"mime"
	netmail "net/mail"
	"path"
	"strings"
	"unicode"

	gomail "github.com/wneessen/go-mail"

	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/typography"
)

const (
	// maxName bounds the names of senders and lists, in characters: programs show fewer.
	maxName = 200
	// maxFileName bounds the name of a file without its ending, in bytes: encoded, it must fit in one line of 998.
	maxFileName = 150
	// maxWord is from how many bytes on a word is encoded, so that lines can be broken in it.
	maxWord = 70
)

// singleLine returns a text as it can be in a header: one line, without characters that are never seen.
func singleLine(text string) string { return typed.Shown(typography.Plain(text)) }

// subject returns the value of the header Subject for a single line. It encodes also what only looks encoded.
func subject(text string) string {
	long := false
	for word := range strings.FieldsSeq(text) {
		long = long || len(word) > maxWord
	}
	if !long && !strings.Contains(text, "=?") {
		return mime.QEncoding.Encode("utf-8", text)
	}
	var words []string
	for text != "" {
		part := typed.Cut(text, 45) // which makes a word of 72 bytes; one has at most 75
		words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(part))+"?=")
		text = text[len(part):]
	}
	return strings.Join(words, " ")
}

// address returns an address with a name, or with another name if nothing of it is seen.
func address(name, other, to string) *netmail.Address {
	return &netmail.Address{Name: cmp.Or(typed.Excerpt(typography.Plain(name), maxName), other), Address: to}
}

// listID returns the value of the header List-Id: a name and an id that looks like a domain.
func listID(name, id string) string {
	const nowhere = "a@a"
	return strings.TrimSuffix(address(name, "", nowhere).String(), "<"+nowhere+">") + "<" + id + ">"
}

// fileName returns the name of a file as every system can store it.
func fileName(name string) string {
	name = singleLine(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name))
	ending := path.Ext(name)
	if len(ending) > 8 {
		ending = ""
	}
	name = strings.Trim(typed.Cut(strings.TrimSuffix(name, ending), maxFileName), " .")
	return cmp.Or(name, "file") + ending
}

// named says the name of an attached file as RFC 2231 has it, which is how mail programs read letters beyond ASCII.
func named(name string) gomail.FileOption {
	disposition := mime.FormatMediaType("attachment", map[string]string{"filename": name})
	return func(f *gomail.File) { f.Header.Set(string(gomail.HeaderContentDisposition), disposition) }
}

// readable returns the body of an email without characters that no reader sees and that programs act upon: controls,
// what turns the direction of the letters after it, bytes that are no text.
func readable(body string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', unicode.IsControl(r) && r != '\n' && r != '\t':
			return -1
		}
		return r
	}, strings.ToValidUTF8(body, "\uFFFD"))
}
