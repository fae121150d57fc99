package identity

import (
	"slices"
	"strings"
)

// What is counted of a login email.
const (
	EmailRequested = "requested"
	EmailUsed      = "used" // its link or its code has opened a session
)

// countedDomains are the large providers of mailboxes where the editions are read. What happens at one of them, such as
// emails that are taken for spam, is seen in its own number.
var countedDomains = []string{
	"gmail.com", "azet.sk", "zoznam.sk", "centrum.sk", "post.sk", "seznam.cz", "gmx.at", "gmx.ch", "bluewin.ch",
	"outlook.com", "yahoo.com", "icloud.com",
}

// otherDomain counts for all domains that are not among the known ones: anybody may type any.
const otherDomain = "other"

// countedDomain is the domain of an address, as metrics name it.
func countedDomain(email string) string {
	_, domain, _ := strings.Cut(email, "@")
	if slices.Contains(countedDomains, domain) {
		return domain
	}
	return otherDomain
}
