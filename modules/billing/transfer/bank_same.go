package transfer

import (
	"slices"
	"strings"

	"example.org/broadsheet/platform/camt"
)

// storedLine is what tells a payment that is known from others of its account, day, sum and direction.
type storedLine struct {
	ID        int64
	Entry     string   // camt.Payment.ID
	Numbers   []string // entry, detail, transaction, end to end; nil if they were not noted
	Payer     string
	PayerIBAN string
	Given     string
}

// likeness is how alike two payments of one account, day, sum and direction are.
type likeness int

const (
	another  likeness = iota
	doubtful          // a person has to look
	same
)

func numbersOf(n camt.Numbers) []string {
	return []string{n.Entry, n.Detail, n.Transaction, n.EndToEnd}
}

// compare reports how alike a payment and one that is known are. The bank's number decides, the most exact one that
// both have. A number that comes with another payer, or with the reference of another order, may have been given twice:
// that is doubtful. Without a number of the bank in both, payments that are alike in all else are doubtful, too.
func compare(l camt.Payment, s storedLine) likeness {
	if l.ID == s.Entry {
		return same
	}
	given := givenWith(l)
	if len(s.Numbers) != 4 {
		if contradict(l, s) {
			return another
		}
		return doubtful
	}
	ours := numbersOf(l.Numbers)
	differ := false
	for i := range ours {
		differ = differ || ours[i] != "" && s.Numbers[i] != "" && ours[i] != s.Numbers[i]
	}
	for _, i := range []int{1, 2, 0} { // detail, transaction, entry
		switch {
		case ours[i] == "" || s.Numbers[i] == "":
			continue
		case ours[i] != s.Numbers[i]:
			return another
		case differ || contradict(l, s):
			return doubtful
		}
		return same
	}
	if differ || contradict(l, s) || squeeze(given) != squeeze(s.Given) {
		return another
	}
	return doubtful
}

// contradict reports whether two payments have other payers, or name other orders.
func contradict(l camt.Payment, s storedLine) bool {
	if l.PayerIBAN != "" && s.PayerIBAN != "" {
		if l.PayerIBAN != s.PayerIBAN {
			return true
		}
	} else if a, b := squeeze(l.Payer), squeeze(s.Payer); a != "" && b != "" && !strings.Contains(a, b) &&
		!strings.Contains(b, a) {
		return true
	}
	ours, theirs := ReferencesIn(l), ReferencesIn(camt.Payment{Text: s.Given})
	return len(ours) > 0 && len(theirs) > 0 &&
		!slices.ContainsFunc(ours, func(ref string) bool { return slices.Contains(theirs, ref) })
}

// closest finds the known payment that a payment is most like.
func closest(l camt.Payment, list []storedLine) (found storedLine, like likeness) {
	for _, s := range list {
		if got := compare(l, s); got > like || got == like && like == same && s.Entry == l.ID {
			found, like = s, got
		}
	}
	return found, like
}

// claims are the known payments that payments of a statement were found to be: each can be one of them only, since two
// payments of one statement are two.
type claims map[claim]bool

type claim struct {
	stmt int
	line int64
}

// givenWith is all text that came with a payment.
func givenWith(l camt.Payment) string {
	return strings.TrimSpace(strings.Join(append(slices.Clone(l.References), l.Text), "\n"))
}

func squeeze(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }
