package web

import (
	"net/netip"
	"regexp"
	"strings"
	"unicode"
)

// secrets are named values, as they stand in addresses, in headers and in JSON.
var secrets = regexp.MustCompile(`(?i)\b((?:user_hash|hash|code|coupon_code|email|token|user_token|session_id|` +
	`session|logged_user|card|wish|statement|document_key|slip)["']?\s*[=:]\s*["']?)[^\s&"',;)]+`)

// people are mail addresses, also where the @ was encoded, once or more often.
var people = regexp.MustCompile(`[^\s<>"'(),;:=&/?]+(?:@|%(?:25)*40)[^\s<>"'(),;:=&]+\.[a-zA-Z]{2,}`)

// tokens are runs as long as what 256 random bits are written as.
var tokens = regexp.MustCompile(`[A-Za-z0-9_-]{40,}`)

// bare takes out a run that is a secret, whatever it is called. Names of articles and files are written in small
// letters.
func bare(run string) string {
	if strings.ToLower(run) == run || strings.ToUpper(run) == run {
		return run
	}
	return "-"
}

// Redact takes out of a text for a log what identifies or lets in a person: secrets, named or not, and mail addresses,
// wherever they stand.
func Redact(s string) string {
	// What an expression cannot find is not searched for: nearly every address in a log is without any of it.
	if strings.ContainsAny(s, "=:") {
		s = secrets.ReplaceAllString(s, "$1-")
	}
	if strings.ContainsFunc(s, unicode.IsUpper) {
		s = tokens.ReplaceAllStringFunc(s, bare)
	}
	if strings.ContainsAny(s, "@%") {
		s = people.ReplaceAllString(s, "-@-")
	}
	return s
}

// TruncateIP cuts an address to what says little about a person: an IPv4 /24 or an IPv6 /48; "" for what is none.
func TruncateIP(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ""
	}
	a = a.Unmap()
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}
