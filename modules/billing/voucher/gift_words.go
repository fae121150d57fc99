package voucher

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"

	"example.org/broadsheet/platform/fault"
)

// ErrLink is a text of a gift with an address in it. The paper's own mail domain carries it to anybody, so it may lead
// nowhere.
var ErrLink = fault.New(fault.Invalid, "LINK_NOT_ALLOWED")

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

// hasAddress reports whether mailboxes would make a link of a part of a text: of the address of a page or a mailbox.
func hasAddress(text string) bool {
	text = fullStops.Replace(norm.NFKC.String(text))
	if lower := strings.ToLower(text); strings.Contains(lower, "://") || strings.Contains(lower, "www.") {
		return true
	}
	for _, m := range hostLike.FindAllStringSubmatch(text, -1) {
		hosts := []string{m[2]}
		if m[1] == "" && m[3] == "" {
			hosts = sentences(m[2])
		}
		if slices.ContainsFunc(hosts, isHost) {
			return true
		}
	}
	return false
}

// fullStops are the full stops of East Asian keyboards, which browsers take for those of a host.
var fullStops = strings.NewReplacer("。", ".", "｡", ".")

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
	_, known := publicsuffix.PublicSuffix(host)
	return known
}
