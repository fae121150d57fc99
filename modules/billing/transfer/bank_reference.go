package transfer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/payqr"
)

var (
	digitsIn = regexp.MustCompile(`[0-9]+`)
	rfIn     = regexp.MustCompile(`RF[0-9]{12}`)
	// proFormaIn is the number of a pre-invoice: PF-2026-000039, PF-AT-2026-000039.
	proFormaIn = regexp.MustCompile(`(?:^|[^A-Z0-9])PF[-/ ]*([A-Z]{1,10}[-/ ]*)?([0-9]{4})[-/ ]*([0-9]{6})(?:$|[^0-9])`)
	// between are the letters that people put into a number.
	between = regexp.MustCompile(`[\s\p{Pd}./_·]+`)
	// fieldMark begins a part of a text that a bank has taken from an older format: ?20, ?21.
	fieldMark = regexp.MustCompile(`\?[0-9]{2}`)
)

// writings returns the ways in which the texts of a payment are read: as they are, without white space, without all
// that people put into numbers, and without the marks of banks.
func writings(l camt.Payment) (list []string) {
	for _, text := range append(slices.Clone(l.References), strings.Split(l.Text, "\n")...) {
		text = strings.ToUpper(norm.NFKC.String(text))
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, text)
		for _, s := range []string{text, fieldMark.ReplaceAllString(text, "")} {
			list = append(list, s, strings.Join(strings.Fields(s), ""), between.ReplaceAllString(s, ""))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ReferencesIn returns the references that a payment may mean, wherever in its texts. A number is looked at whole: a
// part of a longer one is no reference. One that lacks the letters or zeros around it counts in all its forms.
func ReferencesIn(l camt.Payment) []string {
	found := []string{}
	add := func(s string) {
		if !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for _, s := range writings(l) {
		for _, run := range digitsIn.FindAllString(s, -1) {
			bare := strings.TrimLeft(run, "0")
			padded := strings.Repeat("0", max(0, 27-len(bare))) + bare
			switch {
			case len(run) == 10 || len(bare) == 10:
				symbol := run[len(run)-10:]
				add(symbol)
				if isSymbol(symbol) {
					rf, _ := payqr.RF(symbol)
					qrr, _ := payqr.QRR(symbol)
					add(rf)
					add(qrr)
				}
			case len(bare) > 10 && payqr.ValidQRR(padded):
				add(padded)
			}
			if len(run) == 12 && payqr.ValidRF("RF"+run) {
				add("RF" + run)
			}
		}
		for _, rf := range rfIn.FindAllString(s, -1) {
			if payqr.ValidRF(rf) {
				add(rf)
			}
		}
	}
	return found
}

// isSymbol reports whether the last digit of a symbol fits the others.
func isSymbol(symbol string) bool {
	all, err := payqr.QRR(symbol[:9])
	return err == nil && all[26] == symbol[9]
}

// proFormasIn returns the numbers of pre-invoices that a payment names.
func proFormasIn(l camt.Payment) (found []string) {
	for _, s := range writings(l) {
		for _, at := range proFormaIn.FindAllStringSubmatch(s, -1) {
			parts := []string{"PF", strings.Trim(at[1], "-/ "), at[2], at[3]}
			found = append(found, strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "-"))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")

// forms are the ways in which a word may be written without marks.
func forms(word string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ReplaceAll(word, "ß", "ss")))
	return []string{plain, umlauts.Replace(norm.NFC.String(word))}
}

func wordsOf(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r)
	}), func(word string) bool { return len(word) < 3 })
}

// isBuyer reports whether the name of a payer is that of a buyer: all words of a name of two words or more, or of a
// company, are in it, or all of its own in the buyer's.
func isBuyer(payer string, b invoice.Buyer) bool {
	within := func(a, b []string) bool {
		return !slices.ContainsFunc(a, func(word string) bool {
			return !slices.ContainsFunc(b, func(other string) bool {
				return slices.ContainsFunc(forms(word), func(form string) bool { return slices.Contains(forms(other), form) })
			})
		})
	}
	local, _, _ := strings.Cut(b.Email, "@")
	words := wordsOf(payer)
	for i, name := range []string{b.Company, b.Name, local} {
		its, least := wordsOf(name), 2
		if i == 0 {
			least = 1
		}
		if len(its) >= least && within(its, words) || len(words) >= 2 && within(words, its) {
			return true
		}
	}
	return false
}
