// Package consent keeps what readers and visitors agreed to, with the proof of what they were shown.
package consent

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/platform/edition"
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
	var all []string
	for _, d := range ed.Consent.Documents {
		all = append(all, d.ID)
	}
	if len(values) == 1 {
		switch values[0] {
		case agreedTrue:
			return terms{agreedTrue, all}, true
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

// versions names all documents with their versions: when one of them changes, readers are asked again.
func versions(ed *edition.Edition) string {
	var v []string
	for _, d := range ed.Consent.Documents {
		v = append(v, d.ID+"@"+d.Version)
	}
	return strings.Join(v, " ")
}

// network cuts an address to what says little about a person: IPv4 /24, IPv6 /48.
func network(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ""
	}
	a = a.Unmap()
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}
