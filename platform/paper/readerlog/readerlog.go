// Package readerlog names the actions of readers that the log of readers keeps. A module that sees an action notes it
// by one of the values here, so that a name which the log does not know does not compile.
package readerlog

import "context"

// Action is a kind of action. The zero Action is none.
type Action struct{ name string }

// Actions that are kept.
var (
	LoggedOut    = Action{"user_used_logout"}
	OpenedFree   = Action{"article_opened"}
	OpenedLocked = Action{"locked_article_opened"}
	CreditUsed   = Action{"article_credit_used"}
	ReadFull     = Action{"article_read_full"}
)

// String returns the name by which browsers and the database know an action.
func (a Action) String() string { return a.name }

// Parse returns the action with a name, and whether there is one.
func Parse(name string) (Action, bool) {
	for _, a := range []Action{LoggedOut, OpenedFree, OpenedLocked, CreditUsed, ReadFull} {
		if a.name == name {
			return a, true
		}
	}
	return Action{}, false
}

// Note takes down an action of a signed-in reader of the edition of ctx. metaValue is the id of an article, publishDate
// its date. It neither waits nor fails.
type Note func(ctx context.Context, readerID int64, action Action, metaValue, publishDate string)
