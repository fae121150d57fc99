// Package emailaddr reads email addresses: it brings them into the one form in which they are compared and mailed,
// refuses what pretends to be another name, and applies an edition's list of domains.
//
// It imports platform alone. Begin with Parse.
package emailaddr

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/typed"
)

// What an address can be answered.
var (
	ErrInvalid         = fault.New(fault.Invalid, "INVALID_EMAIL")
	ErrForbiddenDomain = fault.New(fault.Invalid, "FORBIDDEN_DOMAIN")
)

// domains maps and checks names as browsers do before they look one up.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true), idna.CheckHyphens(true),
	idna.CheckJoiners(true), idna.VerifyDNSLength(true))

// Parse returns an address in the one form in which it is compared and mailed: without invisible characters, in lower
// case, its domain in ASCII. The local part is ASCII; quoted ones, address literals and names that look like another
// name are refused.
func Parse(s string) (string, error) {
	s, err := typed.Email(s)
	s = strings.ToLower(s)
	at := strings.LastIndexByte(s, '@')
	if err != nil || at < 1 {
		return "", ErrInvalid.On("email")
	}
	local, domain := s[:at], s[at+1:]
	if !localPart(local) {
		return "", ErrInvalid.On("email")
	}
	ascii, err := domains.ToASCII(domain)
	if err != nil || !strings.Contains(ascii, ".") || len(local)+1+len(ascii) > 254 || !oneScript(ascii) {
		return "", ErrInvalid.On("email")
	}
	last := ascii[strings.LastIndexByte(ascii, '.')+1:]
	if !strings.ContainsFunc(last, unicode.IsLetter) { // an IP address
		return "", ErrInvalid.On("email")
	}
	return local + "@" + ascii, nil
}

// localPart wants a dot-atom (RFC 5322, 3.2.3) of at most 64 bytes.
func localPart(s string) bool {
	if len(s) > 64 || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") || strings.Contains(s, "..") {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune(".!#$%&'*+/=?^_`{|}~-", r) {
			return false
		}
	}
	return s != ""
}

// Latin is the letters of the languages around here; more exotic Latin ones serve to look like these.
var Latin = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 'a', Hi: 'z', Stride: 1},
	{Lo: 0xdf, Hi: 0xf6, Stride: 1},
	{Lo: 0xf8, Hi: 0x130, Stride: 1},
	{Lo: 0x132, Hi: 0x137, Stride: 1},
	{Lo: 0x139, Hi: 0x148, Stride: 1},
	{Lo: 0x14a, Hi: 0x17e, Stride: 1},
	{Lo: 0x218, Hi: 0x21b, Stride: 1},
}}

// oneScript reports whether all letters of a domain are of one script: a Cyrillic "a" in a Latin name is a disguise.
func oneScript(ascii string) bool {
	name, err := idna.ToUnicode(ascii)
	if err != nil {
		return false
	}
	script := ""
	for _, r := range name {
		if !unicode.IsLetter(r) {
			if r > unicode.MaxASCII && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Mc, r) {
				return false
			}
			continue
		}
		of := scriptOf(r)
		if of == "" || (script != "" && script != of) {
			return false
		}
		script = of
	}
	return true
}

// scriptOf names the script of a letter; the three of Japanese count as one. "" is one that no name should have.
func scriptOf(r rune) string {
	if unicode.Is(unicode.Latin, r) {
		if unicode.Is(Latin, r) {
			return "Latin"
		}
		return ""
	}
	for _, name := range []string{
		"Cyrillic", "Greek", "Arabic", "Hebrew", "Armenian", "Georgian", "Devanagari",
		"Thai", "Hangul",
	} {
		if unicode.Is(unicode.Scripts[name], r) {
			return name
		}
	}
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return "Japanese"
	}
	return ""
}

// CheckDomain applies the edition's list. Domains are compared whole: one that merely ends like a listed one is
// another.
func CheckDomain(ed *edition.Edition, email string) error {
	_, domain, _ := strings.Cut(email, "@")
	listed := slices.ContainsFunc(ed.Identity.DomainList, func(d string) bool {
		d = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(d)), "@")
		if ascii, err := domains.ToASCII(d); err == nil {
			d = ascii
		}
		return d == domain
	})
	if (ed.Identity.Domains == "block" && listed) || (ed.Identity.Domains == "allow" && !listed) {
		return ErrForbiddenDomain.On("email")
	}
	return nil
}

// Mask shows enough of an address for its owner to know it: j•••@example.org.
func Mask(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	return local[:1] + "•••@" + domain
}
