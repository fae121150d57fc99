// Package mail sends emails: one source for HTML and text, each email once.
package mail

import (
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Message is one mail to one reader.
type Message struct {
	Kind      string // "login": for the log
	Key       string // one email a key, for ever: "login:17"
	To        string // bare address
	ReplyTo   string // bare address that answers go to; "" is the edition's
	Subject   string
	Preview   string // what a mailbox shows beside the subject; "" leaves it to the mailbox
	Why       string // why it was sent, for the footer; "" where it is about an account
	Blocks    []Block
	Files     []File    // attached; MaxFiles at most together
	ExpiresAt time.Time // from a minute before it on, the email is not sent; zero means always useful
	List      *List     // an email to many; nil for one that its reader has asked for or is owed
}

// File is attached to an email.
type File struct {
	Name string // "FV-2026-000117.pdf"
	Type string // media type
	Body []byte

	Inline bool // shown by a Picture block of its name, not attached
}

// MaxFiles bounds what is attached to an email, in bytes; encoded it is a third more. Mail servers take 10 MiB and
// more.
const MaxFiles = 2 << 20

// List is what an email to many says of the list that it belongs to (RFC 2369, 2919, 8058).
type List struct {
	ID       string // "morning": with the domain of the sender it is the List-Id
	Name     string
	Leave    string // address that ends the subscription by POST, without a question
	Settings string // page on which the reader chooses among all lists
}

// Block is one part of an email, made by Heading, Paragraph, Code, Button, Note, Section, Facts, Picture or Story.
type Block struct {
	Kind  string // the template's and the text's choice
	Text  string
	URL   string
	Title string // of a story
	Label string // above the title of a story: its section
	Note  string // behind the text of a story
	Facts []Fact
}

// Fact is a line of a table: what it is, and what to copy.
type Fact struct{ Label, Value string }

// Heading opens an email or a part of it.
func Heading(text string) Block { return Block{Kind: "heading", Text: text} }

// Paragraph is running text.
func Paragraph(text string) Block { return Block{Kind: "paragraph", Text: text} }

// Code is what the reader copies: set large, alone on its line.
func Code(text string) Block { return Block{Kind: "code", Text: text} }

// Facts are values with their names, as on a payment slip.
func Facts(facts ...Fact) Block { return Block{Kind: "facts", Facts: facts} }

// Picture shows an inline file of the email; who sees no pictures reads its text, and the text version leaves it out.
func Picture(name, text string) Block { return Block{Kind: "picture", URL: "cid:" + name, Text: text} }

// longCode is from how many characters on a code is set smaller, so that a phone shows it on a line or two.
const longCode = 14

// Long reports whether a code is too long to be set large.
func (b Block) Long() bool { return utf8.RuneCountInString(b.Text) >= longCode }

// Button is a link to act on; its address stands in the text version.
func Button(label, to string) Block { return Block{Kind: "button", Text: label, URL: to} }

// Note is small print.
func Note(text string) Block { return Block{Kind: "note", Text: text} }

// Section begins a part of an email that has several.
func Section(text string) Block { return Block{Kind: "section", Text: text} }

// Story is an article to read: its headline leads there, label stands above it, text and note below it; all but the
// title may be empty.
func Story(label, title, text, note, to string) Block {
	return Block{Kind: "story", Label: label, Title: title, Text: text, Note: note, URL: to}
}

// leastLife is how long an email must still be of use when it is sent: a login that ends before its reader has opened
// the email is worse than no email.
const leastLife = time.Minute

// late reports whether an email is of no use any more.
func (l *Message) late(now time.Time) bool {
	return !l.ExpiresAt.IsZero() && l.ExpiresAt.Sub(now) < leastLife
}

// errUnsendable is an email that no repetition will mend.
var errUnsendable = errors.New("mail: an email that cannot be sent")

func (l *Message) check() error {
	for name, v := range map[string]string{"kind": l.Kind, "key": l.Key, "subject": l.Subject} {
		if strings.TrimSpace(v) == "" {
			return fmt.Errorf("%w: no %s", errUnsendable, name)
		}
	}
	if a, err := netmail.ParseAddress(l.To); err != nil || a.Address != l.To {
		return fmt.Errorf("%w: %q is not an address", errUnsendable, l.To)
	}
	if a, err := netmail.ParseAddress(l.ReplyTo); l.ReplyTo != "" && (err != nil || a.Address != l.ReplyTo) {
		return fmt.Errorf("%w: answers to %q, which is not an address", errUnsendable, l.ReplyTo)
	}
	size := 0
	for _, f := range l.Files {
		if size += len(f.Body); f.Name == "" || f.Type == "" ||
			f.Inline && f.Name != url.PathEscape(f.Name) {
			return fmt.Errorf("%w: a file %q of type %q", errUnsendable, f.Name, f.Type)
		}
	}
	if size > MaxFiles {
		return fmt.Errorf("%w: files of %d bytes", errUnsendable, size)
	}
	if len(l.Blocks) == 0 {
		return fmt.Errorf("%w: it is empty", errUnsendable)
	}
	for _, b := range l.Blocks {
		if b.Kind == "picture" && !slices.ContainsFunc(l.Files, func(f File) bool {
			return f.Inline && "cid:"+f.Name == b.URL
		}) {
			return fmt.Errorf("%w: a picture of %q, which is no inline file of it", errUnsendable, b.URL)
		}
		if (b.Kind == "button" || b.Kind == "story") && !isAddress(b.URL) {
			return fmt.Errorf("%w: a %s to %q", errUnsendable, b.Kind, b.URL)
		}
	}
	if l.List != nil &&
		(strings.TrimSpace(l.List.ID) == "" || strings.TrimSpace(l.List.Name) == "" || !isAddress(l.List.Leave) ||
			!isAddress(l.List.Settings)) {
		return fmt.Errorf("%w: its list has no id, no name, or no address to leave it", errUnsendable)
	}
	return nil
}

func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && !strings.ContainsAny(s, "\r\n<> ")
}
