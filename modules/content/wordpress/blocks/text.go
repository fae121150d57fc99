package blocks

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Plain is the words of a bit of HTML, on one line.
func Plain(s string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(s, " "))), " ")
}

// ParseID reads the number of something of the site; 0 where it is none.
func ParseID(s string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
