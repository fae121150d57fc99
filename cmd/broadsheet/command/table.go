package command

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// printf writes a line, or a row of a table, for people: like fmt.Fprintf, but each text among args is a single line.
func printf(out io.Writer, format string, args ...any) {
	for i, a := range args {
		if kind := reflect.ValueOf(a).Kind(); kind < reflect.Bool || kind > reflect.Complex128 { // no number
			args[i] = singleLine(fmt.Sprint(a))
		}
	}
	fmt.Fprintf(out, format, args...)
}

// orDash stands for nothing in a table.
func orDash(s string) string {
	if s = singleLine(s); s == "" {
		return "-"
	}
	return s
}

// singleLine returns a text of other people on one line and without letters that a terminal would act upon: controls,
// and marks that change the direction of the letters after them.
func singleLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(harmless, strings.ToValidUTF8(s, "\uFFFD"))), " ")
}

// printError writes an error, which may be several lines.
func printError(out io.Writer, err error) {
	fmt.Fprintln(plainWriter{out}, "broadsheet: "+err.Error())
}

// plainWriter writes reports, each at once, without letters that a terminal would act upon.
type plainWriter struct{ out io.Writer }

// Write implements io.Writer.
func (w plainWriter) Write(report []byte) (int, error) {
	_, err := io.WriteString(w.out, strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return harmless(r)
	}, strings.ToValidUTF8(string(report), "\uFFFD")))
	return len(report), err
}

func harmless(r rune) rune {
	switch {
	case unicode.Is(unicode.Cf, r):
		return -1
	case unicode.IsControl(r):
		return ' '
	}
	return r
}

// quantity is a number of things, with the words for one and for any other number.
func quantity(n int, one, other string) string {
	if n == 1 {
		other = one
	}
	return strconv.Itoa(n) + " " + other
}
