package pages

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"example.org/broadsheet/platform/paper/edition"
)

// lineBreaks end a line in text and in JavaScript. A mail program or a hand that copies puts them into an address; no
// page has any, and no pattern of the app's router takes them.
var lineBreaks = regexp.MustCompile(`(?i:%0[ad]|%e2%80%a[89])`)

// tidy returns where an address really is: without line breaks, without a trailing slash, in the case in which the
// edition writes its paths, or where the edition's document sends an old one, with any words behind an old number.
func tidy(ed *edition.Edition, path string) string {
	if strings.Contains(path, "%") {
		path = lineBreaks.ReplaceAllString(path, "")
	}
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	home := "/" + strings.Join(parts, "/")
	if to, ok := ed.Redirects[strings.ToLower(home)]; ok {
		return to
	}
	if len(parts) == 2 && strings.Trim(parts[0], "0123456789") == "" {
		if to, ok := ed.Redirects["/"+parts[0]]; ok {
			return to
		}
	}
	return ed.Routes.Fold(home)
}

// withQuery keeps a visitor's query over a redirect, but for what is spent, unless the target has one.
func withQuery(to, query string, spent ...string) string {
	if len(spent) > 0 {
		parts := slices.DeleteFunc(strings.Split(query, "&"), func(part string) bool {
			name, _, _ := strings.Cut(part, "=")
			name, err := url.QueryUnescape(name)
			return err == nil && slices.Contains(spent, name)
		})
		query = strings.Join(parts, "&") // as it was written, and in its order
	}
	if query == "" || strings.Contains(to, "?") {
		return to
	}
	path, fragment, found := strings.Cut(to, "#")
	if found {
		return path + "?" + query + "#" + fragment
	}
	return to + "?" + query
}
