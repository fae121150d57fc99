package command

import (
	"strconv"
	"strings"
	"unicode"
)

// orDash stands for nothing in a table.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// singleLine returns a text of other people on one line and without letters that a terminal would act upon: controls,
// and marks that change the direction of the letters after them.
func singleLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsControl(r):
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
