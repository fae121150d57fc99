package web

import (
	"net/netip"
	"regexp"
)

// secrets are named values, as they stand in addresses, in headers and in JSON.
var secrets = regexp.MustCompile(`(?i)\b((?:user_hash|hash|code|coupon_code|email|token|user_token|session_id|session|logged_user|card|wish|statement|document_key|slip)["']?\s*[=:]\s*["']?)[^\s&"',;)]+`)

// people are mail addresses, also where the @ was encoded, once or more often.
var people = regexp.MustCompile(`[^\s<>"'(),;:=&/?]+(?:@|%(?:25)*40)[^\s<>"'(),;:=&]+\.[a-zA-Z]{2,}`)

// Redact takes out of a text for a log what identifies or lets in a person: named secrets and mail addresses, wherever they stand.
func Redact(s string) string {
	return people.ReplaceAllString(secrets.ReplaceAllString(s, "$1-"), "-@-")
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
