// Package consent keeps what readers and visitors agreed to, with the proof of what they were shown.
package consent

import (
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// Choice is an answer to the question about cookies.
type Choice string

// The choices.
const (
	All       Choice = "all"
	Necessary Choice = "necessary"
)

// categories are the kinds of cookies that a choice allows.
var categories = map[Choice][]string{
	All:       {"necessary", "measurement", "embeds"},
	Necessary: {"necessary"},
}

const (
	// asksAgainAfter is how long a choice about cookies holds.
	asksAgainAfter = 365 * 24 * time.Hour
	// visitorsKept is how long the proof of a visitor's choice is kept: as long as it can hold, and a year to dispute it.
	visitorsKept = 2 * asksAgainAfter
	// laterTTL is how long a reader who answered "later" is left in peace.
	laterTTL = 7 * 24 * time.Hour
)

// What readers answer to the documents; anything else is a list of the documents they accept.
const (
	agreedTrue  = "true"
	agreedFalse = "false"
	agreedLater = "later"
	undefined   = "undefined"
)

// terms is a reader's answer to the documents.
type terms struct {
	action    string   // true, false, later, documents
	documents []string // accepted ones
}

// parseTerms reads "true", "false", "later", or accepted documents; false means that it is none of these.
func parseTerms(ed *edition.Edition, values []string) (terms, bool) {
	var all, asked []string
	for _, d := range ed.Consent.Documents {
		all = append(all, d.ID)
	}
	for _, d := range ed.Consent.Asked() {
		asked = append(asked, d.ID)
	}
	if len(values) == 1 {
		switch values[0] {
		case agreedTrue:
			return terms{agreedTrue, asked}, true
		case agreedFalse, agreedLater:
			return terms{values[0], []string{}}, true
		}
		values = strings.FieldsFunc(values[0], func(r rune) bool { return r == ',' || r == ' ' })
	}
	var accepted []string
	for _, v := range values {
		if !slices.Contains(all, v) {
			return terms{}, false
		}
		if !slices.Contains(accepted, v) {
			accepted = append(accepted, v)
		}
	}
	return terms{"documents", accepted}, len(accepted) > 0
}

// cookie is the answer as a cookie holds it: "privacy+terms.1a2b3c4d", with a mark of the versions.
func (t terms) cookie(ed *edition.Edition) string {
	answer := t.action
	if answer == "documents" {
		answer = strings.Join(t.documents, "+")
	}
	return answer + "." + text{words: versions(ed)}.hash()[:8]
}

// known reports whether a text is a choice about cookies.
func known(choice string) bool {
	_, ok := categories[Choice(choice)]
	return ok
}

// first is the only choice of a list that was checked to hold one.
func first(values []string) Choice {
	if len(values) == 0 {
		return ""
	}
	return Choice(values[0])
}

// covers reports whether a form that named documents, as "id@version" separated by spaces, named all that readers are
// asked about.
func covers(ed *edition.Edition, named string) bool {
	list := strings.Fields(named)
	asked := strings.Fields(versions(ed))
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(d string) bool { return !slices.Contains(list, d) })
}

// versions names the documents that are asked about with their versions: when one of them changes, readers are asked
// again.
func versions(ed *edition.Edition) string {
	var v []string
	for _, d := range ed.Consent.Asked() {
		v = append(v, d.ID+"@"+d.Version)
	}
	return strings.Join(v, " ")
}
