package web

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
)

// Text refuses a request whose query or plain form has the character zero, or whose form has bytes that are no UTF-8.
// No text has them, and Postgres takes neither. Old links may have a query in another encoding, which a page leaves
// alone. Text runs after Body; Bind does the same for JSON.
func Text() gin.HandlerFunc {
	return func(c *gin.Context) {
		if field, is := find(c.Request.URL.Query(), hasZero); is {
			Fail(c, ErrInvalidArgs.On(field))
			return
		}
		if !IsForm(c) || c.Request.ParseForm() != nil { // whoever reads the form learns what is wrong with it
			return
		}
		if field, is := find(c.Request.PostForm, func(s string) bool { return hasZero(s) || !utf8.ValidString(s) }); is {
			Fail(c, ErrInvalidArgs.On(strings.ToValidUTF8(field, "")))
		}
	}
}

func hasZero(s string) bool { return strings.ContainsRune(s, 0) }

// find returns a field with a text for which wrong is true; its name is "" if the name itself is such a text.
func find(values url.Values, wrong func(string) bool) (field string, is bool) {
	for name, all := range values {
		if wrong(name) {
			return "", true
		}
		if slices.ContainsFunc(all, wrong) {
			return name, true
		}
	}
	return "", false
}

// escapes are those of a JSON text.
var escapes = regexp.MustCompile(`(?s)\\(?:u[0-9a-fA-F]{4}|.)`)

// isText reports whether a JSON body is UTF-8 without halves of characters (lone surrogates), which encoding/json would
// replace without an error.
func isText(body []byte) bool {
	if !utf8.Valid(body) {
		return false
	}
	open := -1 // where the second half of a character must begin
	for _, at := range escapes.FindAllIndex(body, -1) {
		half := rune(0)
		if n, err := strconv.ParseUint(string(body[at[0]+2:at[1]]), 16, 16); err == nil {
			half = rune(n)
		}
		switch second := half >= 0xDC00 && half <= 0xDFFF; {
		case second != (open == at[0]), open >= 0 && open != at[0]:
			return false
		case half >= 0xD800 && half <= 0xDBFF:
			open = at[1]
		default:
			open = -1
		}
	}
	return open < 0
}
