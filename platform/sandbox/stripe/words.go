package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// languages are those of the pages; the first is for everybody else.
var languages = []string{"en", "sk", "de"}

// language picks a language out of a locale (de-AT) or an Accept-Language header.
func language(wanted string) string {
	for part := range strings.SplitSeq(wanted, ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		tag, _, _ = strings.Cut(tag, "-")
		for _, l := range languages {
			if strings.EqualFold(tag, l) {
				return l
			}
		}
	}
	return languages[0]
}

// word is a text in a language; one that is not there shows its key.
func word(lang, key string, args ...any) string {
	format, ok := words[key][lang]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// money is an amount as people of that language write it.
func money(lang string, minor int64, currency string) string {
	sign := ""
	if minor < 0 {
		sign, minor = "−", -minor
	}
	whole := strconv.FormatInt(minor/100, 10)
	separator, point := "\u00a0", ","
	switch lang {
	case "en":
		separator, point = ",", "."
	case "de":
		separator = "."
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + separator + whole[at:]
	}
	number := fmt.Sprintf("%s%s%s%02d", sign, whole, point, minor%100)
	symbol, known := map[string]string{"eur": "€", "usd": "$", "gbp": "£"}[currency]
	if !known {
		symbol = strings.ToUpper(currency)
	}
	switch {
	case lang != "en":
		return number + "\u00a0" + symbol
	case known:
		return sign + symbol + strings.TrimPrefix(number, sign)
	default:
		return symbol + "\u00a0" + number
	}
}

// date is a day as people of that language write it.
func date(lang string, at int64, zone *time.Location) string {
	t := time.Unix(at, 0).In(zone)
	if lang == "en" {
		return t.Format("2 January 2006")
	}
	return t.Format("02.01.2006")
}

// every is the rhythm of a price in words: every 4 weeks.
func every(lang string, r *recurring) string {
	switch {
	case r.Count == 1:
		return word(lang, "every."+r.Interval+".one")
	case r.Count < 5:
		return word(lang, "every."+r.Interval+".few", r.Count)
	default:
		return word(lang, "every."+r.Interval+".many", r.Count)
	}
}
