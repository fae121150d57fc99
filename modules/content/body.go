package content

import (
	"context"
	"fmt"
	"io"
	"strings"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/page"
)

// Words of the paywall.
const (
	accessOpen   = "open"
	accessCredit = "credit"
	accessLocked = "locked"

	reasonFree         = "free"
	reasonSubscription = "subscription"
	reasonLogin        = "login"
	reasonLimit        = "limit"
	reasonVideo        = "video"
)

// Body is the text of a post. It has no JSON and no String of its own: reveal alone gives out its words.
type Body struct {
	post       int64
	html       string
	video      string
	locked     bool
	kind       post.Type
	paragraphs int
}

// Format keeps the text out of logs and error messages.
func (b Body) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, fmt.Sprintf("body of post %d", b.post)) // a State reports its own failures
}

// Access is what the paywall has said about one post.
type Access struct {
	post   int64
	level  string
	reason string
}

// may reports whether the access opens this body.
func (a Access) may(b Body) bool {
	if a.post != b.post || (a.level != accessOpen && a.level != accessCredit) {
		return false
	}
	return !b.locked || a.reason != reasonFree // "free" was said of a post that was not locked then
}

// Text is what a reader gets of a body.
type Text struct {
	HTML       string
	Video      string // address, or "" when withheld
	Paragraphs int    // of the whole
	Withheld   int    // of these
	Minutes    int    // that reading the whole takes
	Open       bool
}

// reveal is the one place where a body becomes words.
func (m *Module) reveal(b Body, a Access) Text {
	t := Text{Paragraphs: b.paragraphs, Minutes: markup.ReadingMinutes(b.html)}
	if a.may(b) {
		t.Open, t.HTML, t.Video = true, b.html, b.video
		if e, ok := markup.EmbedOf(b.video); ok && !strings.Contains(b.html, e.Opening()) {
			t.HTML = e.HTML() + "\n" + b.html
		}
		return t
	}
	preview, _, withheld := m.paywall.Preview(b.html)
	if b.html != "" && withheld < 1 {
		preview, withheld = "", max(b.paragraphs, 1) // a preview that keeps nothing back is none
	}
	t.HTML, t.Withheld = preview, withheld
	return t
}

// decide lets the paywall decide for the reader of the session; with spend a credit is used where one is needed.
func (m *Module) decide(ctx context.Context, readerID, postID int64, kind post.Type, locked,
	spend bool,
) (Access, error) {
	decide := m.paywall.Decide
	if spend {
		decide = m.paywall.Open
	}
	level, reason, _, err := decide(ctx, readerID, postID, string(kind), locked)
	if err != nil {
		return Access{post: postID, level: accessLocked, reason: reasonLimit}, err
	}
	a := Access{post: postID, level: level, reason: reason}
	if !spend && level == accessCredit {
		// A look costs nothing and therefore shows nothing that costs: else a prefetch would be free reading.
		a.level, a.reason = accessLocked, reasonLimit
	}
	return a, nil
}

// tierAccess is what holds for everybody who gets the page of a tier.
func tierAccess(tier page.Tier, b Body) Access {
	a := Access{post: b.post, level: accessLocked, reason: reasonLogin}
	switch {
	case !b.locked:
		a.level, a.reason = accessOpen, reasonFree
	case tier == page.Entitled && b.kind == post.TypeVideo:
		a.level, a.reason = accessOpen, reasonVideo
	case tier == page.Entitled:
		a.level, a.reason = accessOpen, reasonSubscription
	case tier == page.Member:
		a.reason = reasonLimit
	}
	return a
}
