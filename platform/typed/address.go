package typed

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// hostLike are labels with a full stop between them, as names of hosts have them, with the characters around that only
// an address has.
var hostLike = regexp.MustCompile(`(@?)([\p{L}\p{N}](?:[\p{L}\p{N}-]*\.)(?:[\p{L}\p{N}-]+\.)*\p{L}[\p{L}\p{N}-]+)` +
	`(/|:\d|[?#][\p{L}\p{N}]|@)?`)

// commonDomains are the top-level domains of most addresses. With any other one a capital after the full stop is the
// beginning of a sentence ("babka.Je to", "Thanks.It was") or of the form of a firm ("Co.AG"): people leave the blank
// out, and nearly every short word is the domain of some country.
var commonDomains = func() map[string]bool {
	set := map[string]bool{}
	for _, d := range strings.Fields("com net org info biz edu gov mil int eu sk cz pl hu de at ch fr nl uk ua ru cn jp " +
		"io ai tv cc ws gg gd gl ly tk ml ga cf gq xyz online site website shop store app dev club click link icu vip pro " +
		"cloud tech space host press blog email") {
		set[d] = true
	}
	return set
}()

// unlisted are top-level domains that are not in the public list, and have pages in some networks.
var unlisted = []string{"example", "onion", "localhost"}

// HasAddress reports whether mailboxes would make a link of a part of a text: of the address of a page, a mailbox or a
// machine. The paper mails no text of a stranger in which it finds one.
func HasAddress(text string) bool {
	text = unhidden(text)
	return hasLink(text) || hasHost(text, sentences)
}

// HasLink is HasAddress, but for a bare name of a host: some firms are called like their pages, and abbreviations in
// streets look like them.
func HasLink(text string) bool { return hasLink(unhidden(text)) }

// hidden are the full stops of East Asian keyboards, which browsers take for those of a host, and the characters of an
// address as browsers encode them.
var hidden = strings.NewReplacer("。", ".", "｡", ".", "%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%3a", ":",
	"%3A", ":", "%40", "@")

// unhidden is a text as it is looked at: without characters that have no shape, in the letters that browsers read.
func unhidden(text string) string {
	text = strings.Map(func(r rune) rune {
		if ignorable(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
	return hidden.Replace(norm.NFKC.String(text))
}

func hasLink(text string) bool {
	lower := strings.ToLower(text)
	return strings.Contains(lower, "://") || strings.Contains(lower, "www.") || mailbox.MatchString(text) ||
		hasMachine(text) || hasHost(text, func(string) []string { return nil })
}

// mailbox is an address in any domain, known or not.
var mailbox = regexp.MustCompile(`[\p{L}\p{N}]@(?:[\p{L}\p{N}-]+\.)+\p{L}{2}|[\p{L}\p{N}]@\[`)

// machines are four numbers with full stops between them, and their neighbours.
var machines = regexp.MustCompile(`(^|[^\d.])(\d{1,3}(?:\.\d{1,3}){3})(/|:\d|[?#][\p{L}\p{N}])?($|\.?(?:[^\d.]|$))`)

// hasMachine reports whether a text has an address of version 4 or 6 of the Internet Protocol. A number whose parts
// begin with a zero, as those of telephones do, is none unless a path follows it.
func hasMachine(text string) bool {
	for _, m := range machines.FindAllStringSubmatch(text, -1) {
		if _, err := netip.ParseAddr(m[2]); err == nil || m[3] != "" {
			return true
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`[]()<>"'„“”‚‘’,;!?/`, r)
	}), func(word string) bool {
		if !strings.ContainsAny(word, "0123456789") {
			return false
		}
		a, err := netip.ParseAddr(strings.TrimRight(word, ".:"))
		return err == nil && a.Is6()
	})
}

// hasHost reports whether a text has the name of a host. bare returns what of a name that nothing follows may be one.
func hasHost(text string, bare func(string) []string) bool {
	for _, m := range hostLike.FindAllStringSubmatch(text, -1) {
		hosts := []string{m[2]}
		if m[1] == "" && m[3] == "" {
			hosts = bare(m[2])
		}
		if slices.ContainsFunc(hosts, isHost) {
			return true
		}
	}
	return false
}

// sentences splits a text without blanks at each full stop that ends a sentence or a number.
func sentences(text string) (parts []string) {
	labels := strings.Split(text, ".")
	part := labels[0]
	for i, label := range labels[1:] {
		first, _ := utf8.DecodeRuneInString(label)
		ends := unicode.IsUpper(first) || strings.Trim(labels[i], "0123456789") == ""
		if ends && !commonDomains[strings.ToLower(label)] {
			parts = append(parts, part)
			part = label
			continue
		}
		part += "." + label
	}
	return append(parts, part)
}

// isHost reports whether a text is the name of a host in a public domain.
func isHost(text string) bool {
	host, err := idna.Lookup.ToASCII(text)
	if err != nil || !strings.Contains(host, ".") {
		return false
	}
	suffix, known := publicsuffix.PublicSuffix(host)
	return known || slices.Contains(unlisted, suffix)
}
