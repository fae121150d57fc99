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
	knownTTL    = 365 * 24 * time.Hour
)

var (
	knownEmailsAnHour     = limit.Budget{Name: "identity.known.mail.hour", Max: 5, Window: time.Hour}
	knownEmailsADay       = limit.Budget{Name: "identity.known.mail.day", Max: 10, Window: 24 * time.Hour}
	knownWrongCodesAnHour = limit.Budget{Name: "identity.known.wrong.hour", Max: 10, Window: time.Hour}
	knownWrongCodesADay   = limit.Budget{Name: "identity.known.wrong.day", Max: 20, Window: 24 * time.Hour}
)

// emailBudgets are what a login mail to an address is counted against: what strangers use up too, or what this browser
// has alone.
func emailBudgets(mark, email, network string) []limit.Use {
	if mark != "" {
		return []limit.Use{{Budget: knownEmailsAnHour, Key: mark}, {Budget: knownEmailsADay, Key: mark}}
	}
	return []limit.Use{
		{Budget: emailsOfNetwork, Key: network},
		{Budget: emailsAnHour, Key: email},
		{Budget: emailsADay, Key: email},
	}
}

// wrongCodeBudgets are what wrong codes for an address are counted against.
func wrongCodeBudgets(ed *edition.Edition, mark, email string) []limit.Use {
	if mark != "" {
		return []limit.Use{{Budget: knownWrongCodesAnHour, Key: mark}, {Budget: knownWrongCodesADay, Key: mark}}
	}
	return []limit.Use{
		{Budget: wrongCodesAnHour, Key: email},
		{Budget: wrongCodesADay, Key: email},
		wrongCodesOfEdition(ed),
	}
}
