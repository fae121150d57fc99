package doctor

import (
	"cmp"
	"context"
	"errors"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
)

// oldestRedis is the first major version with all commands that the queue sends.
const oldestRedis = 6

// unset is what is found of an address that serve and work need. Where the database is dev's own, so is the rest.
func (p *Paper) unset(setting string) Finding {
	found := warn
	if p.Config.Database.URL != "" {
		found = problem
	}
	return found("serve and work need "+setting+".", "none is set; dev has its own")
}

// queue looks at Redis: whether it answers, and keeps what it is given.
func queue(ctx context.Context, p *Paper) []Finding {
	if p.Config.Redis.URL == "" {
		return []Finding{p.unset("BROADSHEET_REDIS_URL")}
	}
	s, err := jobs.ExamineRedis(ctx, p.Config.Redis.URL)
	if err != nil {
		return []Finding{problem("Is redis.url right, and is Redis running? Emails are late without it; reading goes on.",
			"%v", err)}
	}
	var found []Finding
	if major, _, _ := strings.Cut(s.Version, "."); s.Version != "" {
		if n, err := strconv.Atoi(major); err == nil && n < oldestRedis {
			found = append(found, problem("Install Redis 6.2 or newer.", "version %s is too old", s.Version))
		}
	}
	switch {
	case s.Policy == "":
		found = append(found, warn("Make sure that maxmemory-policy is noeviction.", "its settings cannot be read"))
	case s.Policy != "noeviction":
		found = append(found, warn("CONFIG SET maxmemory-policy noeviction, and the same in redis.conf.",
			"maxmemory-policy is %s: work that it drops is handed over again minutes later", s.Policy))
	}
	if s.Policy != "" && !s.Persists {
		found = append(found, warn("appendonly yes in redis.conf.",
			"it keeps nothing on disk: after its restart all work is handed over again"))
	}
	return or(found, "version %s, %s", s.Version, s.Policy)
}

// mailServer signs in at the mail server, and sends nothing.
func mailServer(ctx context.Context, p *Paper) []Finding {
	if p.Config.Mail.URL == "" {
		return []Finding{p.unset("BROADSHEET_MAIL_URL")}
	}
	tls := mail.RequireTLS
	if !p.Config.Mail.RequireTLS {
		tls = mail.AllowPlaintext
	}
	s, err := mail.New(p.Database, p.Config.Mail.URL, tls, nil, nil)
	if err == nil {
		err = s.Greet(ctx)
	}
	if err != nil {
		return []Finding{problem("Nobody can log in without emails. Are address, login and mail.require_tls right?",
			"%v", err)}
	}
	return fine("takes our emails")
}

// mailRecords looks for the records by which other mail servers tell our emails from forged ones.
func mailRecords(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	seen := map[string]bool{}
	for _, ed := range p.Registry.All() {
		_, domain, ok := strings.Cut(ed.Mail.From, "@")
		if !ok || seen[domain] || Private(domain) {
			continue
		}
		seen[domain] = true
		for _, r := range records(domain, p.Config.Mail.DKIMSelector) {
			texts, err := p.resolver().LookupTXT(ctx, r.name)
			if unknown(err) || err == nil && !slices.ContainsFunc(texts, r.shape.MatchString) {
				found = append(found, warn("Add a TXT record at "+r.name+" with "+r.says+".",
					"%s has no %s record: its emails may be taken for forged ones", domain, r.kind))
			} else if err != nil {
				found = append(found, warn("", "%s: %v", r.name, err))
			}
		}
	}
	return or(found, "right for each domain of a sender (%d)", len(seen))
}

// record is a text that the domain of a sender should have.
type record struct {
	kind, name string
	shape      *regexp.Regexp
	says       string // what stands in it
}

var (
	spfShape   = regexp.MustCompile(`^v=spf1( |$)`)
	dmarcShape = regexp.MustCompile(`^v=DMARC1\s*;`)
	dkimShape  = regexp.MustCompile(`\bp=[A-Za-z0-9+/]`) // "p=" alone revokes a key
)

func records(domain, selector string) []record {
	all := []record{
		{"SPF", domain, spfShape, "v=spf1 and the mail servers"},
		{"DMARC", "_dmarc." + domain, dmarcShape, "v=DMARC1; and a policy"},
	}
	if selector != "" {
		all = append(all, record{
			"DKIM", selector + "._domainkey." + domain, dkimShape, "the key with which the mail server signs",
		})
	}
	return all
}

func (p *Paper) resolver() *net.Resolver { return cmp.Or(p.Resolver, net.DefaultResolver) }

// hosts looks whether the names of the editions lead anywhere.
func hosts(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	n := 0
	for _, ed := range p.Registry.All() {
		for _, h := range ed.Hosts {
			if Private(h) {
				continue
			}
			n++
			if _, err := p.resolver().LookupHost(ctx, h); err != nil {
				found = append(found, warn("Let the name lead to the proxy, or take it out of the edition's hosts.",
					"%s of %s: %v", h, ed.ID, err))
			}
		}
	}
	return or(found, "each leads somewhere (%d public)", n)
}

// Private reports whether a name is for one machine, or for examples, and has no records.
func Private(name string) bool {
	for _, end := range []string{"localhost", "test", "example", "invalid", "local", "internal"} {
		if name == end || strings.HasSuffix(name, "."+end) {
			return true
		}
	}
	return false
}

func unknown(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}
