package camt

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// otherDecimals are the currencies of ISO 4217 that do not have two decimals.
var otherDecimals = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0,
	"UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
	"CLF": 4, "UYW": 4,
}

// Decimals returns how many decimals the minor unit of a currency has.
func Decimals(currency string) int {
	if n, ok := otherDecimals[currency]; ok {
		return n
	}
	return 2
}

var (
	decimal  = regexp.MustCompile(`^\+?0*([0-9]*)(?:\.([0-9]*))?$`)
	zero     = regexp.MustCompile(`^-[0.]+$`)
	currency = regexp.MustCompile(`^[A-Z]{3}$`)
)

// ParseAmount reads a decimal of XML Schema into minor units of a currency. Smaller parts than these must be zero.
func ParseAmount(value, currency string) (int64, error) { return parseAmount(amount{value, currency}) }

func parseAmount(a amount) (int64, error) {
	value, code := strings.TrimSpace(a.Value), strings.TrimSpace(a.Currency)
	if !currency.MatchString(code) {
		return 0, fmt.Errorf("%q is no currency", clip(code, 20))
	}
	wrong := fmt.Errorf("%q is no amount in %s", clip(value, 40), code)
	if zero.MatchString(value) {
		value = value[1:]
	}
	found := decimal.FindStringSubmatch(value)
	if found == nil || strings.Trim(value, "+.") == "" {
		return 0, wrong
	}
	places := Decimals(code)
	part := strings.TrimRight(found[2], "0")
	if len(part) > places || len(found[1]) > 13 {
		return 0, wrong
	}
	return strconv.ParseInt("0"+found[1]+part+strings.Repeat("0", places-len(part)), 10, 64)
}

// moment is a day or a point in time, as BookgDt and ValDt have them.
type moment struct {
	Day  string `xml:"Dt"`
	Time string `xml:"DtTm"`
}

func (m moment) text() string {
	if day := strings.TrimSpace(m.Day); day != "" {
		return day
	}
	return strings.TrimSpace(m.Time)
}

var (
	dayForm = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:Z|[+-][0-9]{2}:[0-9]{2})?$`)
	endOf   = regexp.MustCompile(`T24:00:00(?:\.0+)?`)
)

// parseDay reads a date or a dateTime of XML Schema, with or without a zone. A date is the day that it names; a point
// in time is on the day that it falls on in zone, or, without a zone of its own, on the day that it names.
func parseDay(text string, zone *time.Location) (time.Time, error) {
	if found := dayForm.FindStringSubmatch(text); found != nil {
		return time.Parse(time.DateOnly, found[1])
	}
	next := 0
	if endOf.MatchString(text) {
		text, next = endOf.ReplaceAllString(text, "T00:00:00"), 1
	}
	at, err := time.Parse("2006-01-02T15:04:05", text)
	if err != nil {
		if at, err = time.Parse(time.RFC3339, text); err != nil {
			return time.Time{}, fmt.Errorf("%q is no date", clip(text, 40))
		}
		if zone != nil {
			at = at.In(zone)
		}
	}
	return time.Date(at.Year(), at.Month(), at.Day()+next, 0, 0, 0, 0, time.UTC), nil
}

// clip cuts a text to size bytes, at a letter.
func clip(s string, size int) string {
	if len(s) <= size {
		return s
	}
	if size <= 0 {
		return ""
	}
	return strings.ToValidUTF8(s[:size], "") + "…"
}
