// Package identity knows who reads: readers are their e-mail address, they log in by a link or a code that is mailed
// to it, and a session keeps them known to one browser.
package identity

import (
	"time"
)

// Purpose is what a login mail says.
type Purpose string

// The purposes. Uninvited tells somebody that the edition is by invitation; such a mail opens nothing.
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
	attemptKept = 24 * time.Hour // after that nobody is told why a link or a code fails
)

// Opened is a new session: the token goes into the browser's cookie and is stored nowhere.
type Opened struct {
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
