package newsletter

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// purpose is what a link of an email opens. A link of one purpose is none of another.
type purpose string

const (
	toConfirm  purpose = "confirm"  // a request
	toSettings purpose = "settings" // a subscriber's lists
	toLeave    purpose = "leave"    // one list of a subscriber
)

// link is what a token says: whose, and of which list.
type link struct {
	id    int64
	list  string    // of toLeave
	until time.Time // of toSettings: when it expires; zero in links of before there was an end
}

// token signs a link for one edition. It holds no address and needs no row: it works as long as the row it names is
// there, and one to the settings until it expires. One to leave a list never does.
func (m *Module) token(ed *edition.Edition, p purpose, l link) string {
	about := l.list
	if p == toSettings {
		about = strconv.FormatInt(l.until.Unix(), 36)
	}
	return m.key.Sign(ed.ID, string(p), strconv.FormatInt(l.id, 36)+"."+about)
}

// open reads a token; false when we did not make it for this edition and purpose.
func (m *Module) open(ed *edition.Edition, p purpose, token string) (l link, ok bool) {
	text, ok := m.key.Open(ed.ID, string(p), token)
	if !ok {
		return l, false
	}
	id, about, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(id, 36, 64)
	l = link{id: n, list: about}
	if p == toSettings {
		l.list = ""
		if until, err := strconv.ParseInt(about, 36, 64); err == nil {
			l.until = time.Unix(until, 0)
		}
	}
	return l, err == nil && n > 0
}

// steps are the pages below that of all newsletters.
const (
	stepChoose   = "choose" // the form again, with what was typed
	stepSent     = "sent"
	stepConfirm  = "confirm"
	stepSettings = "settings"
	stepLeave    = "leave"
)

// LeavePath is what a mailbox calls, by itself and with no origin; the same in all editions, and for ever.
const LeavePath = "/fns/newsletters/leave"

// address is the path of a step, with a token.
func address(ed *edition.Edition, step, token string) string {
	return ed.Href(edition.NewsletterStep, step) + "?token=" + url.QueryEscape(token)
}
