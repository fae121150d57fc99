package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// Text refuses a request whose query or plain form has the character zero, which no text has and no text in Postgres
// can have. It stands behind Body. What JSON has in its fields is for those who read them, who name the field.
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
