package transfer

import (
	"regexp"
	"slices"
	"strings"

	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/payqr"
)

// How references look in what payers and banks write, without spaces. Each is looked for whole: a part of a longer
// number is none.
var (
	symbolIn    = regexp.MustCompile(`(?:^|[^0-9])([0-9]{10})(?:$|[^0-9])`)
	symbolAfter = regexp.MustCompile(`VS[:=]?0*([0-9]{10})(?:$|[^0-9])`)
	rfIn        = regexp.MustCompile(`RF[0-9]{12}`)
	qrrIn       = regexp.MustCompile(`(?:^|[^0-9])([0-9]{27})(?:$|[^0-9])`)
)

// ReferencesIn returns the references that a payment may mean: those that were given as such, and those that stand in
// its words.
func ReferencesIn(l camt.Payment) []string {
	found := []string{}
	add := func(s string) {
		if s != "" && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for _, text := range append(slices.Clone(l.References), l.Text) {
		text = strings.ToUpper(text)
		joined := strings.Join(strings.Fields(text), "")
		for _, s := range []string{text, joined} {
			// Two numbers beside each other share what stands between them, so each search begins where the number has ended.
			for _, shape := range []*regexp.Regexp{symbolIn, symbolAfter, qrrIn} {
				for rest := s; ; {
					at := shape.FindStringSubmatchIndex(rest)
					if at == nil {
						break
					}
					add(rest[at[2]:at[3]])
					rest = rest[at[3]:]
				}
			}
			for _, rf := range rfIn.FindAllString(s, -1) {
				if payqr.ValidRF(rf) {
					add(rf)
				}
			}
		}
	}
	return found
}
