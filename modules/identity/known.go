package identity

import (
	"time"

	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
)

// A browser in which a reader has signed in gets a mark of it, which says nothing to anybody else. Strangers can use up
// what may be asked for in the name of an address; a browser with its mark has budgets of its own, so that they
// cannot keep its reader out.
const (
	knownCookie = "known"
	knownLife   = 365 * 24 * time.Hour
)

var (
	knownMailsAnHour = limit.Budget{Name: "identity.known.mail.hour", Max: 5, Window: time.Hour}
	knownMailsADay   = limit.Budget{Name: "identity.known.mail.day", Max: 10, Window: 24 * time.Hour}
	knownWrongAnHour = limit.Budget{Name: "identity.known.wrong.hour", Max: 10, Window: time.Hour}
	knownWrongADay   = limit.Budget{Name: "identity.known.wrong.day", Max: 20, Window: 24 * time.Hour}
)

// mailBudgets are what a login mail to an address is counted against: what strangers use up too, or what this browser
// has alone.
func mailBudgets(mark, email, network string) []limit.Use {
	if mark != "" {
		return []limit.Use{{Budget: knownMailsAnHour, Key: mark}, {Budget: knownMailsADay, Key: mark}}
	}
	return []limit.Use{
		{Budget: mailsOfNetwork, Key: network},
		{Budget: mailsAnHour, Key: email},
		{Budget: mailsADay, Key: email},
	}
}

// wrongBudgets are what wrong codes for an address are counted against.
func wrongBudgets(ed *edition.Edition, mark, email string) []limit.Use {
	if mark != "" {
		return []limit.Use{{Budget: knownWrongAnHour, Key: mark}, {Budget: knownWrongADay, Key: mark}}
	}
	return []limit.Use{{Budget: wrongAnHour, Key: email}, {Budget: wrongADay, Key: email}, wrongsOfEdition(ed)}
}
