package edition

import (
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"example.org/broadsheet/platform/payqr"
)

var (
	idShape     = regexp.MustCompile(`^[a-z][a-z0-9_]{1,40}$`)
	hostShape   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)
	wordShape   = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	slugShape   = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	keyShape    = regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-z0-9-]+)?$`)
	bicShape    = regexp.MustCompile(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)
	clockShape  = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	seriesShape = regexp.MustCompile(`^[A-Z]{0,4}$`)
	emptyShape  = regexp.MustCompile(`^([a-z0-9-]+)?$`)
)

// What a document may choose from.
var (
	languages      = []string{"sk", "de", "en"}
	socialIcons    = []string{"facebook", "instagram", "twitter", "tiktok", "telegram", "youtube", "rss"}
	periods        = []string{"week", "month"}
	currencies     = []string{"EUR", "CHF"}
	productTypes   = []string{"product_monthly", "product_yearly", "no_product"}
	trialFor       = []string{TrialForNone, TrialForCampaign, TrialForInvited, TrialForAll}
	registrations  = []string{"open", "invite"}
	domainModes    = []string{"off", "block", "allow"}
	existsModes    = []string{"honest", "always_true"}
	newsletters    = []string{NewsletterBrief, NewsletterTopic, NewsletterBreaking}
	weekdays       = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	minutesLayouts = []string{"reader", "list"}
	flagNames      = []string{"subscriptions", "bank_transfer", "comments"}
	// longest is the payment provider's limit of three years, in each unit.
	longest = map[string]int{"week": 156, "month": 36, "year": 3}
)

// check looks at what the document says; its shape is known to be right.
func (c *checker) check(d *Document) {
	c.matches("id", d.ID, idShape, "such as standard_at")
	for key, v := range map[string]string{
		"name": d.Name, "tagline": d.Tagline, "description": d.Description, "consent.cookie_version": d.Consent.CookieVersion,
		"identity.mail_app_name": d.Identity.MailAppName, "mail.from_name": d.Mail.FromName,
		"supplier.name": d.Supplier.Name, "supplier.street": d.Supplier.Street, "supplier.city": d.Supplier.City,
		"supplier.postal_code": d.Supplier.Postal, "supplier.company_id": d.Supplier.Company,
		"supplier.tax_id": d.Supplier.Tax, "bank.name": d.Bank.Name,
	} {
		c.filled(key, v)
	}
	c.hosts(d.Hosts)
	c.place(d)
	if d.MinutesLayout != "" {
		c.oneOf("minutes_layout", d.MinutesLayout, minutesLayouts)
	}
	table := c.routes(d)
	c.categories(d)
	if table != nil {
		c.menus(d, table)
		c.redirects(d, table)
	}
	c.addresses(d)
	c.money(d)
	c.people(d)
	c.newsletters(d)
}

func (c *checker) filled(key, v string) {
	if strings.TrimSpace(v) == "" {
		c.Fail(key, "must not be empty")
	}
}

func (c *checker) matches(key, v string, shape *regexp.Regexp, hint string) {
	if !shape.MatchString(v) {
		c.Fail(key, "%q is not right; it is something %s", v, hint)
	}
}

func (c *checker) oneOf(key, v string, list []string) {
	if !slices.Contains(list, v) {
		c.Fail(key, "%q is none of %s", v, strings.Join(list, ", "))
	}
}

func (c *checker) between(key string, n, low, high int64) {
	if n < low || n > high {
		c.Fail(key, "%d is not between %d and %d", n, low, high)
	}
}

// unique reports the second of two equal values.
func (c *checker) unique(seen map[string]string, key, v string) {
	if first, dup := seen[v]; dup {
		c.Fail(key, "%q is that of %s too", v, first)
		return
	}
	seen[v] = key
}

func (c *checker) hosts(hosts []string) {
	if len(hosts) == 0 {
		c.Fail("hosts", "at least one is needed")
	}
	seen := map[string]string{}
	for i, h := range hosts {
		key := fmt.Sprintf("hosts[%d]", i)
		if len(h) > 253 || !hostShape.MatchString(h) {
			c.Fail(key, "%q is not a host name in lower case, without scheme, port or final dot", h)
		}
		c.unique(seen, key, h)
	}
}

func (c *checker) place(d *Document) {
	c.oneOf("locale", d.Locale, languages)
	for key, v := range map[string]string{"intl_locale": d.IntlLocale, "number_locale": d.NumberLocale} {
		if tag, err := language.Parse(v); err != nil || tag.String() != v {
			c.Fail(key, "%q is not a language tag such as de-AT", v)
		} else if base, _ := tag.Base(); key == "intl_locale" && base.String() != d.Locale {
			c.Fail(key, "%q is not a variety of locale %q", v, d.Locale)
		}
	}
	if _, err := time.LoadLocation(d.TimeZone); err != nil || d.TimeZone == "" || d.TimeZone == "Local" {
		c.Fail("time_zone", "%q is not a zone such as Europe/Vienna", d.TimeZone)
	}
	c.matches("theme", d.Theme, wordShape, "such as at")
	c.matches("suffix", d.Suffix, emptyShape, "such as at, or empty")
}

// routes builds the table of paths, or says why it cannot.
func (c *checker) routes(d *Document) *Table {
	t, err := NewTable(d.RouteSet, d.Paths)
	if err != nil {
		key, text, _ := strings.Cut(err.Error(), ": ")
		c.Fail(key, "%s", text)
		return nil
	}
	return t
}

func (c *checker) categories(d *Document) {
	if len(d.Categories) == 0 {
		c.Fail("categories", "at least one is needed")
	}
	keys, slugs := map[string]string{}, map[string]string{}
	for i, top := range d.Categories {
		at := fmt.Sprintf("categories[%d]", i)
		c.category(at, top, keys, slugs)
		for j, sub := range top.Children {
			below := fmt.Sprintf("%s.children[%d]", at, j)
			c.category(below, sub, keys, slugs)
			if !strings.HasPrefix(sub.Key, top.Key+".") {
				c.Fail(below+".key", "%q must begin with %q", sub.Key, top.Key+".")
			}
			if len(sub.Children) > 0 {
				c.Fail(below+".children", "a subcategory has no subcategories")
			}
		}
	}
}

func (c *checker) category(at string, cat Category, keys, slugs map[string]string) {
	c.matches(at+".key", cat.Key, keyShape, "such as politics.europe")
	c.matches(at+".slug", cat.Slug, slugShape, "such as umela-inteligencia")
	c.filled(at+".name", cat.Name)
	c.unique(keys, at+".key", cat.Key)
	c.unique(slugs, at+".slug", cat.Slug)
}

func (c *checker) menus(d *Document, t *Table) {
	slugs := map[string]bool{}
	d.Walk(func(cat, _ *Category) { slugs[cat.Slug] = true })
	check := func(at string, items []MenuItem) {
		for i, it := range items {
			c.menuItem(fmt.Sprintf("%s[%d]", at, i), it, t, slugs)
		}
	}
	check("menus.main", d.Menus.Main)
	for i, e := range d.Menus.Editions {
		at := fmt.Sprintf("menus.editions[%d]", i)
		c.filled(at+".name", e.Name)
		c.matches(at+".host", e.Host, hostShape, "such as news.example")
	}
	for i, col := range d.Menus.Footer {
		at := fmt.Sprintf("menus.footer[%d]", i)
		c.filled(at+".title", col.Title)
		check(at+".items", col.Items)
	}
	for i, s := range d.Social {
		at := fmt.Sprintf("social[%d]", i)
		c.oneOf(at+".icon", s.Icon, socialIcons)
		if s.Icon == "rss" && s.URL == FeedPath {
			continue // the edition's own feed is no page
		}
		c.link(at+".url", s.URL, t)
	}
}

// FeedPath is the address of an edition's feed.
const FeedPath = "/rss"

func (c *checker) menuItem(at string, it MenuItem, t *Table, slugs map[string]bool) {
	c.filled(at+".name", it.Name)
	if (it.Route == "") == (it.URL == "") {
		c.Fail(at, "give either a route or a url")
		return
	}
	if it.URL != "" {
		c.link(at+".url", it.URL, t)
		return
	}
	if _, err := it.address(t); err != nil {
		c.Fail(at+".route", "%v", err)
		return
	}
	if r, _ := findRoute(it.Route); r == CategoryPage && !slugs[lookupFold(it.Params, "categorySlug")] {
		c.Fail(at+".params", "there is no category %q", lookupFold(it.Params, "categorySlug"))
	}
}

// link wants an https address, or the path of a page of this edition.
func (c *checker) link(key, v string, t *Table) {
	u, err := url.Parse(v)
	switch {
	case err != nil || v == "":
		c.Fail(key, "%q is not an address", v)
	case strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "//"):
		if _, _, ok := t.Match(u.EscapedPath()); !ok {
			c.Fail(key, "%q is the address of no page of this edition", v)
		}
	case u.Scheme != "https" || u.Host == "":
		c.Fail(key, "%q must begin with https:// or be a path such as /account", v)
	}
}

func (c *checker) redirects(d *Document, t *Table) {
	for _, from := range slices.Sorted(maps.Keys(d.Redirects)) {
		key, to := "redirects."+from, d.Redirects[from]
		if _, lower := c.Lines[key]; !lower {
			c.Fail("redirects", "%s: write the old path in lower case", from)
		}
		if !strings.HasPrefix(from, "/") || strings.ContainsAny(from, "?#") {
			c.Fail(key, "%q is not a path such as /383574", from)
		}
		if _, chain := d.Redirects[strings.ToLower(to)]; chain {
			c.Fail(key, "%q is redirected itself", to)
		}
		c.link(key, to, t)
	}
}

func (c *checker) addresses(d *Document) {
	for key, v := range map[string]string{
		"support_email": d.SupportEmail, "mail.from": d.Mail.From,
		"mail.reply_to": d.Mail.ReplyTo, "mail.list_from": d.Mail.ListFrom,
	} {
		if v == "" && (key == "mail.reply_to" || key == "mail.list_from") {
			continue
		}
		if a, err := mail.ParseAddress(v); err != nil || a.Address != v {
			c.Fail(key, "%q is not an e-mail address", v)
		}
	}
	if r, err := language.ParseRegion(d.Supplier.Country); err != nil || !r.IsCountry() ||
		r.String() != d.Supplier.Country {
		c.Fail("supplier.country", "%q is not a country code such as AT", d.Supplier.Country)
	}
	if !validIBAN(d.Bank.IBAN) {
		c.Fail("bank.iban", "%q is not an IBAN: its check digits do not fit; write it without spaces", d.Bank.IBAN)
	}
	switch booked := d.Bank.Booked; {
	case !payqr.IsQRIBAN(d.Bank.IBAN) && booked != "":
		c.Fail("bank.account_iban", "is for a QR-IBAN alone: the statements of other accounts name bank.iban")
	case payqr.IsQRIBAN(d.Bank.IBAN) && (!validIBAN(booked) || payqr.IsQRIBAN(booked) || booked[:2] != d.Bank.IBAN[:2]):
		c.Fail("bank.account_iban", "%q is not the IBAN of the account behind the QR-IBAN: give the one that its "+
			"statements name, without spaces", booked)
	}
	c.matches("bank.bic", d.Bank.BIC, bicShape, "such as RIECSKBX")
}

func (c *checker) people(d *Document) {
	c.between("career_count", int64(d.CareerCount), 0, 999)
	c.oneOf("identity.registration", d.Identity.Registration, registrations)
	c.oneOf("identity.domains", d.Identity.Domains, domainModes)
	c.oneOf("identity.exists_mode", d.Identity.ExistsMode, existsModes)
	c.between("identity.surge", int64(d.Identity.Surge), 0, 1_000_000)
	if d.Identity.Domains != "off" && len(d.Identity.DomainList) == 0 {
		c.Fail("identity.domain_list", "is needed when domains is %s", d.Identity.Domains)
	}
	for i, v := range d.Identity.DomainList {
		c.matches(fmt.Sprintf("identity.domain_list[%d]", i), v, hostShape, "such as mail.example")
	}
	if len(d.Consent.Documents) == 0 {
		c.Fail("consent.documents", "at least one is needed")
	}
	ids := map[string]string{}
	for i, doc := range d.Consent.Documents {
		at := fmt.Sprintf("consent.documents[%d]", i)
		c.matches(at+".id", doc.ID, wordShape, "such as terms")
		c.filled(at+".version", doc.Version)
		c.matches(at+".static", doc.Static, slugShape, "such as privacy-policy")
		c.unique(ids, at+".id", doc.ID)
	}
	c.accordions(d.Consent, ids)
	for name := range d.Flags {
		c.oneOf("flags."+name, name, flagNames)
	}
	for _, name := range flagNames {
		if _, ok := d.Flags[name]; !ok {
			c.Fail("flags."+name, "is missing")
		}
	}
}

// accordions checks what a reader is asked to agree to; known are the ids of the documents.
func (c *checker) accordions(d Consent, known map[string]string) {
	if len(d.Accordions) == 0 {
		c.Fail("consent.accordions", "at least one is needed")
	}
	seen := map[string]string{}
	for i, a := range d.Accordions {
		at := fmt.Sprintf("consent.accordions[%d]", i)
		if _, ok := known[a.Document]; !ok {
			c.Fail(at+".document", "%q is none of the documents", a.Document)
		}
		c.unique(seen, at+".document", a.Document)
		if a.Sections < 1 {
			c.Fail(at+".sections", "must be at least 1")
		}
	}
}

func (c *checker) newsletters(d *Document) {
	ids := map[string]string{}
	for i, n := range d.Newsletters {
		at := fmt.Sprintf("newsletters[%d]", i)
		c.matches(at+".id", n.ID, wordShape, "such as morning")
		c.unique(ids, at+".id", n.ID)
		c.oneOf(at+".kind", n.Kind, newsletters)
		c.filled(at+".name", n.Name)
		c.filled(at+".description", n.Description)
		if n.Kind == NewsletterBreaking {
			if n.At != "" {
				c.Fail(at+".at", "a breaking newsletter has no hour")
			}
		} else {
			c.matches(at+".at", n.At, clockShape, "such as 06:00, in the edition's zone")
		}
		if n.Kind == NewsletterTopic {
			c.oneOf(at+".weekday", n.Weekday, weekdays)
		} else if n.Weekday != "" {
			c.Fail(at+".weekday", "only a newsletter of the kind topic has a weekday")
		}
	}
}
