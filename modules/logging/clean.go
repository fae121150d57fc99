package logging

import (
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// clean makes a text harmless: one line of at most limit characters, without secrets and addresses of people.
func clean(s string, limit int) string {
	return typed.Excerpt(web.Redact(typed.Excerpt(s, len(s))), limit)
}
