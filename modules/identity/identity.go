// Package identity is accounts and logins. A reader is an email address and logs in by a link or a code that is emailed
// to it, by a passkey, or by a yes on another device; a session keeps the browser logged in.
//
// It imports its rooms (sessions, passkey, personaldata, help, commentname, legacy, reader, secret, emailaddr) and
// platform. Begin with module.go for what it needs, and with logIn in login.go, which every login goes through.
package identity

import (
	"time"
)

// Purpose is what a login email says.
type Purpose string

// The purposes. Uninvited says that the edition is by invitation; such an email opens nothing.
const (
	Login        Purpose = "login"
	Registration Purpose = "registration"
	Uninvited    Purpose = "uninvited"
)

// ParsePurpose reads what a form asks for; absent means login.
func ParsePurpose(s string) (Purpose, bool) {
	switch p := Purpose(s); p {
	case "":
		return Login, true
	case Login, Registration:
		return p, true
	}
	return "", false
}

// Lives and limits.
const (
	attemptsKept = 24 * time.Hour // after that nobody is told why a link or a code fails
)

// OpenedSession is a new session: the token goes into the browser's cookie and is stored nowhere.
type OpenedSession struct {
	Token    string
	Handle   string // public name of the session
	Until    time.Time
	Referrer string // local path to go to
	First    bool   // nobody has logged in to this account before
	Known    string // marks of this browser's readers, for a cookie of its own

	OfferPasskey bool // the reader may be asked to make one

	ReaderID int64
	Agreed   string // documents that this browser's form has named, see Agreements
}

// Entitlement is what a reader has paid for, as billing knows it.
type Entitlement struct {
	Until       time.Time // end of access; zero for none
	Product     string    // product_monthly, product_yearly; "" for none
	Trial       bool
	ReminderDue bool // access has ended, and the reader has not put the notice of it aside
}
