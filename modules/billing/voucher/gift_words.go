package voucher

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"example.org/broadsheet/platform/fault"
)

// ErrLink is a text of a gift with an address in it. The paper's own mail domain carries it to anybody, so it may lead
// nowhere.
var ErrLink = fault.New(fault.Invalid, "LINK_NOT_ALLOWED")

// hostLike are words with a period between emails or digits, as names of hosts have them.
var hostLike = regexp.MustCompile(`[\p{L}\p{N}](?:[\p{L}\p{N}-]*\.)+\p{L}[\p{L}\p{N}-]+`)

// hasAddress reports whether mailboxes would make a link of something in a text: an address of a page or of a mailbox.
func hasAddress(text string) bool {
	text = strings.ToLower(text)
	if strings.Contains(text, "://") || strings.Contains(text, "www.") {
		return true
	}
	for _, host := range hostLike.FindAllString(text, -1) {
		if _, known := publicsuffix.PublicSuffix(host); known {
			return true
		}
	}
	return false
}

// plainLines reports whether a text consists of lines that can be printed.
func plainLines(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && !unicode.IsGraphic(r)
	}) < 0
}
