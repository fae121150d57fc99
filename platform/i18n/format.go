package i18n

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// numbers is how a locale writes amounts; the browser's table is made from the same source, ICU.
type numbers struct {
	group, decimal string
	money          map[string][2]string // by currency: what stands before and after
	even           string               // in the place of no cents; "" for two noughts
}

const nbsp = "\u00a0"

var numberFormats = map[string]numbers{
	"sk":    {nbsp, ",", map[string][2]string{"EUR": {"", nbsp + "€"}, "CHF": {"", nbsp + "CHF"}}, ""},
	"de":    {".", ",", map[string][2]string{"EUR": {"", nbsp + "€"}, "CHF": {"", nbsp + "CHF"}}, ""},
	"de-AT": {nbsp, ",", map[string][2]string{"EUR": {"€" + nbsp, ""}, "CHF": {"CHF" + nbsp, ""}}, ""},
	"de-CH": {"’", ".", map[string][2]string{"EUR": {"EUR" + nbsp, ""}, "CHF": {"CHF" + nbsp, ""}}, "–"},
	"en":    {",", ".", map[string][2]string{"EUR": {"€", ""}, "CHF": {"CHF" + nbsp, ""}}, ""},
}

// numberFormat returns the format of amounts in a locale; a region without an entry follows its language. It is zero
// for a language without an entry, which HasNumbers tells before an edition is served.
func numberFormat(locale string) numbers {
	if f, ok := numberFormats[locale]; ok {
		return f
	}
	base, _, _ := strings.Cut(locale, "-")
	return numberFormats[base]
}

// HasNumbers reports whether amounts can be written in a locale.
func HasNumbers(locale string) bool { return numberFormat(locale).decimal != "" }

// checkFormats returns an error that names what a language of the program lacks besides its texts.
func checkFormats(languages []string) error {
	var errs []error
	for _, lang := range languages {
		_, months := monthNames[lang]
		_, plurals := pluralForms[lang]
		for what, has := range map[string]bool{
			"format of numbers": HasNumbers(lang), "names of months": months, "plural forms": plurals,
		} {
			if !has {
				errs = append(errs, fmt.Errorf("i18n: language %s has no %s", lang, what))
			}
		}
	}
	return errors.Join(errs...)
}

// Date is dd.mm.yyyy in the edition's zone.
func Date(ed *edition.Edition, t time.Time) string { return t.In(ed.Location).Format("02.01.2006") }

// Clock is the time of day in the edition's zone, 14:05.
func Clock(ed *edition.Edition, t time.Time) string { return t.In(ed.Location).Format("15:04") }

// monthNames are those of written dates.
var monthNames = map[string][12]string{
	"sk": {
		"januára", "februára", "marca", "apríla", "mája", "júna", "júla", "augusta", "septembra", "októbra",
		"novembra", "decembra",
	},
	"de": {
		"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
		"November", "Dezember",
	},
	"de-AT": {
		"Jänner", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
		"November", "Dezember",
	},
	"en": {
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December",
	},
}

// LongDate is the day in words, in the edition's zone and language: 1. septembra 2025.
func LongDate(ed *edition.Edition, t time.Time) string {
	t = t.In(ed.Location)
	names, ok := monthNames[ed.IntlLocale]
	if !ok {
		names = monthNames[ed.Lang()]
	}
	dot := "."
	if ed.Lang() == "en" {
		dot = ""
	}
	return strconv.Itoa(t.Day()) + dot + nbsp + names[t.Month()-1] + nbsp + strconv.Itoa(t.Year())
}

// DateTime is Date and Clock.
func DateTime(ed *edition.Edition, t time.Time) string { return Date(ed, t) + " " + Clock(ed, t) }

// Money writes minor units of the edition's currency, as the browser does: 7,96 €.
func Money(ed *edition.Edition, minor int64) string {
	return MoneyIn(ed, minor, ed.Billing.Currency)
}

// Percent writes thousandths as a rate: 2,6 %.
func Percent(ed *edition.Edition, permille int64) string {
	text := strconv.FormatInt(permille/10, 10)
	if permille%10 != 0 {
		text += numberFormat(ed.NumberLocale).decimal + strconv.FormatInt(permille%10, 10)
	}
	return text + nbsp + "%"
}

// MoneyIn is Money in another currency.
func MoneyIn(ed *edition.Edition, minor int64, currency string) string {
	f := numberFormat(ed.NumberLocale)
	affix, ok := f.money[currency]
	if !ok {
		affix = [2]string{"", nbsp + currency}
	}
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	digits := strconv.FormatInt(minor, 10)
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	whole, cents := digits[:len(digits)-2], digits[len(digits)-2:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + f.group + whole[i:]
	}
	if cents == "00" && f.even != "" {
		cents = f.even
	}
	return sign + affix[0] + whole + f.decimal + cents + affix[1]
}
