package command

import (
	"strconv"
	"strings"
)

// orDash stands for nothing in a table.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// singleLine is what somebody else has written, on one line and without what a terminal would act upon.
func singleLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// quantity is a number of things, with the words for one and for any other number.
func quantity(n int, one, other string) string {
	if n == 1 {
		other = one
	}
	return strconv.Itoa(n) + " " + other
}
