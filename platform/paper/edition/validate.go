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
)

// Shapes of what modules name in their sections as well.
var (
	WordShape = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	SlugShape = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	HostShape = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)
)

var (
	idShape    = regexp.MustCompile(`^[a-z][a-z0-9_]{1,40}$`)
	keyShape   = regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-z0-9-]+)?$`)
	emptyShape = regexp.MustCompile(`^([a-z0-9-]+)?$`)
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
)

// check checks what the document says; its shape is known to be right.
func (c *Checker) check(d *Document) {
	c.Matches("id", d.ID, idShape, "such as standard_at")
	for key, v := range map[string]string{
		"name": d.Name, "tagline": d.Tagline, "description": d.Description, "mail.from_name": d.Mail.FromName,
	} {
		c.Filled(key, v)
	}
	c.hosts(d.Hosts)
	c.place(d)
	if d.MinutesLayout != "" {
		c.Choice("minutes_layout", d.MinutesLayout)
	}
	table := c.routes(d)
	c.categories(d)
	if table != nil {
		c.menus(d, table)
		c.redirects(d, table)
	}
	c.addresses(d)
	c.Between("career_count", int64(d.CareerCount), 0, 999)
	c.flags(d.Flags)
	for _, section := range sections {
		section(c, d)
	}
}

func (c *Checker) flags(flags map[string]bool) {
	for name := range flags {
		c.oneOf("flags."+name, name, flagNames)
	}
	for _, name := range flagNames {
		if _, ok := flags[name]; !ok {
			c.Fail("flags."+name, "is missing")
		}
	}
}

func (c *Checker) hosts(hosts []string) {
	if len(hosts) == 0 {
		c.Fail("hosts", "at least one is needed")
	}
	seen := map[string]string{}
	for i, h := range hosts {
		key := fmt.Sprintf("hosts[%d]", i)
		if len(h) > 253 || !HostShape.MatchString(h) {
			c.Fail(key, "%q is not a host name in lower case, without scheme, port or final dot", h)
		}
		c.Unique(seen, key, h)
	}
}

func (c *Checker) place(d *Document) {
	c.Choice("locale", d.Locale)
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
	c.Matches("theme", d.Theme, WordShape, "such as at")
	c.Matches("suffix", d.Suffix, emptyShape, "such as at, or empty")
}

// routes builds the table of paths, or says why it cannot.
func (c *Checker) routes(d *Document) *Table {
	t, err := NewTable(d.RouteSet, d.Paths)
	if err != nil {
		key, text, _ := strings.Cut(err.Error(), ": ")
		c.Fail(key, "%s", text)
		return nil
	}
	return t
}

func (c *Checker) categories(d *Document) {
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

func (c *Checker) category(at string, cat Category, keys, slugs map[string]string) {
	c.Matches(at+".key", cat.Key, keyShape, "such as politics.europe")
	c.Matches(at+".slug", cat.Slug, SlugShape, "such as umela-inteligencia")
	c.Filled(at+".name", cat.Name)
	c.Unique(keys, at+".key", cat.Key)
	c.Unique(slugs, at+".slug", cat.Slug)
}

func (c *Checker) menus(d *Document, t *Table) {
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
		c.Filled(at+".name", e.Name)
		c.Matches(at+".host", e.Host, HostShape, "such as news.example")
	}
	for i, col := range d.Menus.Footer {
		at := fmt.Sprintf("menus.footer[%d]", i)
		c.Filled(at+".title", col.Title)
		check(at+".items", col.Items)
	}
	for i, s := range d.Social {
		at := fmt.Sprintf("social[%d]", i)
		c.Choice(at+".icon", s.Icon)
		if s.Icon == "rss" && s.URL == FeedPath {
			continue // the edition's own feed is no page
		}
		c.link(at+".url", s.URL, t)
	}
}

// FeedPath is the address of an edition's feed.
const FeedPath = "/rss"

func (c *Checker) menuItem(at string, it MenuItem, t *Table, slugs map[string]bool) {
	c.Filled(at+".name", it.Name)
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
func (c *Checker) link(key, v string, t *Table) {
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

func (c *Checker) redirects(d *Document, t *Table) {
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

func (c *Checker) addresses(d *Document) {
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
}
