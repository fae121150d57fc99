// Package newsletter mails readers what they have asked for: the morning brief, the weekly topic, breaking news. An
// address is asked to confirm before it gets anything, and leaves with one click and no login.
package newsletter

import (
	"fmt"
	"slices"
	"time"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// ErrLink is a link of an email that is not one of ours, or is of no use any more.
var ErrLink = fault.New(fault.Gone, "INVALID_LINK")

// errExpired is a link to the settings that was good. Its page offers to mail another one.
var errExpired = fmt.Errorf("the link has expired: %w", ErrLink)

// ErrNoList means that no newsletter was chosen.
var ErrNoList = fault.New(fault.Malformed, "NEWSLETTER_MISSING")

// ErrSent means that an issue was sent already.
var ErrSent = fault.New(fault.Conflict, "ALREADY_SENT")

// Lives and sizes.
const (
	requestTTL  = 7 * 24 * time.Hour  // of the link that confirms
	settingsTTL = 30 * 24 * time.Hour // of the link to the settings
	requestKept = 30 * 24 * time.Hour // then one who never confirmed is forgotten
	issuesKept  = 90 * 24 * time.Hour // with their recipients
	logKept     = 3 * 365 * 24 * time.Hour
	maxLate     = 6 * time.Hour // a brief that could not be sent by then is not sent that day
	usefulFor   = 12 * time.Hour
	batchSize   = 50
	maxStories  = 10
	maxMinutes  = 5
)

// Ways by which readers come and go, as the log names them.
const (
	viaForm      = "form"
	viaMail      = "mail"
	viaAccount   = "account"
	viaSettings  = "settings"
	viaOneClick  = "one-click"
	viaComplaint = "complaint"
)

// Visitor is the browser that asks.
type Visitor struct {
	ReaderID int64  // 0 for a visitor
	IP       string // kept as its network alone
	Agent    string // "Firefox, Linux"
}

// Choice is a list, and whether a reader gets it.
type Choice struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Schedule    string `json:"schedule"` // in words: "every day at 6:00"
	Chosen      bool   `json:"chosen"`
}

// Story is an article as emails show it: never a text of its body.
type Story struct {
	Label  string `json:"label,omitempty"` // its section
	Title  string `json:"title"`
	Text   string `json:"text,omitempty"` // the excerpt
	URL    string `json:"url"`            // path
	Locked bool   `json:"locked,omitempty"`
}

// known keeps those of the ids that are lists of the edition, each once.
func known(ed *edition.Edition, ids []string) []string {
	out := []string{}
	for _, id := range ids {
		if ed.Newsletter(id) != nil && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
