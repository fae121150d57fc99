// Package discussion is what readers say about an article: threads of two levels, who may write in them, and those who
// look after them.
package discussion

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"time"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// What writing can be answered, besides web's codes.
var (
	ErrNotSubscribed = fault.New(fault.Forbidden, "SUBSCRIPTION_REQUIRED")
	ErrBanned        = fault.New(fault.Forbidden, "DISCUSSION_BANNED") // params: until, RFC 3339, and reason
	ErrNoComment     = fault.New(fault.Gone, "COMMENT_GONE")           // never was, taken back, hidden, or somebody else's
	ErrEmpty         = fault.New(fault.Invalid, "COMMENT_EMPTY")
	ErrTooLong       = fault.New(fault.Invalid, "COMMENT_TOO_LONG") // params: max
	ErrTooManyLinks  = fault.New(fault.Invalid, "TOO_MANY_LINKS")   // params: max
	ErrEditTooLate   = fault.New(fault.Gone, "EDIT_TOO_LATE")
	ErrNotModerator  = fault.New(fault.Forbidden, "NOT_MODERATOR")
)

// Bounds (docs/discussion.md).
const (
	maxText        = 2000 // letters
	maxLinks       = 2
	maxReason      = 500
	editableFor    = 5 * time.Minute
	maxBan         = 3650 * 24 * time.Hour
	threadsAPage   = 20
	repliesAThread = 20 // that are shown at once
	draftKept      = 7 * 24 * time.Hour
	reportKept     = 365 * 24 * time.Hour // after it was settled
	banKept        = 365 * 24 * time.Hour // after its end
	logKept        = 3 * 365 * 24 * time.Hour
)

// What a reader may do how often.
var (
	commentsOfReader = limit.Budget{Name: "discussion.write", Max: 10, Window: 5 * time.Minute}
	editsOfReader    = limit.Budget{Name: "discussion.edit", Max: 20, Window: 5 * time.Minute}
	likesOfReader    = limit.Budget{Name: "discussion.like", Max: 120, Window: time.Hour}
	reportsOfReader  = limit.Budget{Name: "discussion.report", Max: 20, Window: time.Hour}
)

// reportReasons are what a reader can find wrong with a comment.
var reportReasons = []string{"insult", "hate", "spam", "false", "privacy", "other"}

// link finds what a browser or a reader would take for an address.
var link = regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)\S`)

// ParseText reads a comment: plain text in one form, without invisible characters that mean nothing and without those
// that change the direction of the text after them. It returns ErrEmpty, ErrTooLong or ErrTooManyLinks.
func ParseText(s string) (string, error) {
	s, err := typed.Lines(s, maxText)
	switch {
	case errors.Is(err, typed.ErrTooLong):
		return "", ErrTooLong.On("text").With("max", maxText)
	case err != nil:
		return "", web.ErrInvalidArgs.On("text").Because(err)
	case s == "":
		return "", ErrEmpty.On("text")
	case len(link.FindAllString(s, -1)) > maxLinks:
		return "", ErrTooManyLinks.On("text").With("max", maxLinks)
	}
	return s, nil
}

// parseReason reads the reason of a measure or a report: one paragraph.
func parseReason(field, s string) (string, error) {
	s, err := typed.Line(s, maxReason)
	if err != nil {
		return "", web.ErrInvalidArgs.On(field).Because(err)
	}
	return s, nil
}

// onceOf names what was sent: the same key with the same words is one comment, however often it arrives.
func onceOf(in Comment) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %q", in.Key, in.PostID, in.ParentID, in.Text))
	return sum[:16]
}

// Comment is what a reader sends.
type Comment struct {
	PostID   int64
	ParentID int64 // a comment of the thread that is answered; 0 opens a thread
	ReaderID int64
	Text     string
	Key      string // of the sender's choice, one for each comment
}

// Ban keeps a reader from writing.
type Ban struct {
	Until  time.Time `json:"until"`
	Reason string    `json:"reason"`
}

func (b *Ban) fault() error {
	return ErrBanned.With("until", b.Until.UTC().Format(time.RFC3339)).With("reason", b.Reason)
}
