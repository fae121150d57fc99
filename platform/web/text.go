package web

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// Text refuses a request whose query or plain form has the character zero, which no text has and no text in Postgres can have. It
// stands behind Body; Bind does the same for JSON.
func Text() gin.HandlerFunc {
	return func(c *gin.Context) {
		if field, is := zeroIn(c.Request.URL.Query()); is {
			Fail(c, ErrInvalidArgs.On(field))
			return
		}
		if !IsForm(c) || c.Request.ParseForm() != nil { // whoever reads the form learns what is wrong with it
			return
		}
		if field, is := zeroIn(c.Request.PostForm); is {
			Fail(c, ErrInvalidArgs.On(field))
		}
	}
}

// zeroIn finds a field with the character zero; its name is "" where the name itself has it.
func zeroIn(values url.Values) (field string, is bool) {
	for name, all := range values {
		if strings.ContainsRune(name, 0) {
			return "", true
		}
		if slices.ContainsFunc(all, func(s string) bool { return strings.ContainsRune(s, 0) }) {
			return name, true
		}
	}
	return "", false
}

// zeroInJSON reports whether a text of JSON has the character zero, which can only stand there escaped.
func zeroInJSON(b []byte) bool {
	for {
		i := bytes.Index(b, []byte(`\u0000`))
		if i < 0 {
			return false
		}
		escapes := i - len(bytes.TrimRight(b[:i], `\`))
		if escapes%2 == 0 {
			return true
		}
		b = b[i+1:]
	}
}
