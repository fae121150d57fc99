package edition

import (
	"cmp"
	"time"
)

// Document is tenants/<id>.yaml. Every key is known; an unknown or missing one is an
// error that names file, key and line; "omitempty" marks the keys that may be left out.
// Money is in minor units (cents).
type Document struct {
	ID           string   `mapstructure:"id"`   // "standard_at": [a-z][a-z0-9_]{1,40}
	Name         string   `mapstructure:"name"` // masthead
	Tagline      string   `mapstructure:"tagline"`
	Description  string   `mapstructure:"description"`   // of the front page, for search engines
	Hosts        []string `mapstructure:"hosts"`         // first is canonical; lower case, no port
	Locale       string   `mapstructure:"locale"`        // sk, de, en: language of the words
	IntlLocale   string   `mapstructure:"intl_locale"`   // sk-SK, de-AT, de-CH: overlay and html lang
	NumberLocale string   `mapstructure:"number_locale"` // how amounts are written
	TimeZone     string   `mapstructure:"time_zone"`
	Theme        string   `mapstructure:"theme"` // sk, at, ch
	RouteSet     string   `mapstructure:"route_set"`
	// Route id → pattern, over the route set's; "" removes.
	Paths        map[string]string `mapstructure:"paths,omitempty"`
	Redirects    map[string]string `mapstructure:"redirects,omitempty"` // old path (lower case) → path, answered with 301
	Categories   []Category        `mapstructure:"categories"`
	Menus        Menus             `mapstructure:"menus"`
	Social       []SocialLink      `mapstructure:"social"`
	SupportEmail string            `mapstructure:"support_email"`
	CareerCount  int               `mapstructure:"career_count"`
	Suffix       string            `mapstructure:"suffix,omitempty"` // of the comments frame: "", "at", "ch"
	// Slug of the static page with the code of discussions.
	Conduct  string   `mapstructure:"discussion_code,omitempty"`
	Supplier Supplier `mapstructure:"supplier"`
	Bank     Bank     `mapstructure:"bank"`
	Meter    Meter    `mapstructure:"meter"`

	// Reader (default) or list: whether short news can be leafed through.
	MinutesLayout string          `mapstructure:"minutes_layout,omitempty"`
	Billing       Billing         `mapstructure:"billing"`
	Identity      Identity        `mapstructure:"identity"`
	Consent       Consent         `mapstructure:"consent"`
	Mail          Mail            `mapstructure:"mail"`
	Newsletters   []Newsletter    `mapstructure:"newsletters,omitempty"`
	Flags         map[string]bool `mapstructure:"flags"`
}

// Category is a node of the category tree. Key gives colour and meaning and is the same in
// all editions ("politics"); Slug stands in addresses.
type Category struct {
	Key         string     `mapstructure:"key" json:"key"`
	Slug        string     `mapstructure:"slug" json:"slug"`
	Name        string     `mapstructure:"name" json:"name"`
	Description string     `mapstructure:"description,omitempty" json:"description,omitempty"`
	Children    []Category `mapstructure:"children,omitempty" json:"children,omitempty"`
}

// MenuItem names a page of this edition (Route with Params) or an address (URL).
type MenuItem struct {
	Name   string            `mapstructure:"name"`
	Route  string            `mapstructure:"route,omitempty"`
	Params map[string]string `mapstructure:"params,omitempty"`
	URL    string            `mapstructure:"url,omitempty"`
}

// Param returns a parameter of the item's page by the name that the route has for it; a document's names have no case.
func (it MenuItem) Param(name string) string { return lookupFold(it.Params, name) }

// Menus are the edition's menus.
type Menus struct {
	Main   []MenuItem   `mapstructure:"main"`
	Footer []MenuColumn `mapstructure:"footer"`
	// Editions are those that readers can go over to, this one among them.
	Editions []Link `mapstructure:"editions,omitempty"`
}

// Link names an edition by its host.
type Link struct {
	Name string `mapstructure:"name"`
	Host string `mapstructure:"host"`
}

// MenuColumn is a titled list of the footer.
type MenuColumn struct {
	Title string     `mapstructure:"title"`
	Items []MenuItem `mapstructure:"items"`
}

// SocialLink is one of facebook, instagram, twitter, tiktok, telegram, youtube, rss.
type SocialLink struct {
	Icon string `mapstructure:"icon" json:"icon"`
	URL  string `mapstructure:"url" json:"url"`
}

// Supplier is the company that sells and invoices.
type Supplier struct {
	Name    string `mapstructure:"name"`
	Street  string `mapstructure:"street"`
	City    string `mapstructure:"city"`
	Postal  string `mapstructure:"postal_code"`
	Country string `mapstructure:"country"` // ISO 3166-1 alpha-2
	Company string `mapstructure:"company_id"`
	Tax     string `mapstructure:"tax_id"`
	VAT     string `mapstructure:"vat_id,omitempty"`

	// Its entry in the commercial register, as documents and emails have it.
	Register string `mapstructure:"register,omitempty"`
}

// Bank is the supplier's account for transfers.
type Bank struct {
	Name string `mapstructure:"name"`
	IBAN string `mapstructure:"iban"`
	BIC  string `mapstructure:"bic"`
	// Of the account as its statements name it, where iban is a QR-IBAN.
	Booked string `mapstructure:"account_iban,omitempty"`
}

// Account is the IBAN of the account as the bank's statements name it.
func (b Bank) Account() string { return cmp.Or(b.Booked, b.IBAN) }

// Meter says how much locked text a reader without a subscription may open.
type Meter struct {
	Limit          int    `mapstructure:"limit"`           // articles per period
	Period         string `mapstructure:"period"`          // week or month, in the edition's zone
	AnonymousLimit int    `mapstructure:"anonymous_limit"` // 0: visitors always log in
	Videos         int    `mapstructure:"videos"`
}

// Billing holds what is sold.
type Billing struct {
	Currency  string    `mapstructure:"currency"` // EUR, CHF
	Products  []Product `mapstructure:"products"`
	Trial     Trial     `mapstructure:"trial"`
	GraceDays int       `mapstructure:"grace_days"` // access while a payment is overdue
	// Emails in the numbers of documents, where editions share a supplier: "AT" for FV-AT-2026-000001.
	Series string `mapstructure:"series,omitempty"`
	// "2027-01-01": payments before that day have their invoices elsewhere.
	Since string `mapstructure:"invoices_from,omitempty"`
	OSS   bool   `mapstructure:"oss,omitempty"` // consumers in other countries of the Union pay the VAT of theirs

	RefundKeepsAccess bool `mapstructure:"refund_keeps_access,omitempty"` // a period that was paid back in full stays open
}

// Numbers tells whose invoices share their numbers: those of editions of which it is the same.
func (d *Document) Numbers() string { return d.Supplier.Company + " " + d.Billing.Series }

// Transfers names the account into which readers pay, as its statements do; "" where no transfers are taken. Editions
// of which it is the same would give equal references.
func (d *Document) Transfers() string {
	if !d.Flags["bank_transfer"] {
		return ""
	}
	return d.Bank.Account()
}

// Product is one offer of the account page.
type Product struct {
	Type        string   `mapstructure:"type"` // product_monthly, product_yearly, no_product
	Name        string   `mapstructure:"name"`
	Badge       string   `mapstructure:"badge,omitempty"`
	Description string   `mapstructure:"description"` // Markdown
	Tooltip     string   `mapstructure:"tooltip,omitempty"`
	Order       int      `mapstructure:"order"`
	Sold        *bool    `mapstructure:"sold,omitempty"` // false: nobody can order it any more; who has it keeps it
	Amount      int64    `mapstructure:"amount"`         // minor units a period; 0 for no_product
	Interval    Interval `mapstructure:"interval,omitempty"`
	Intro       *Intro   `mapstructure:"intro,omitempty"`
	// Day, 2027-02-01, from which the amount counts for whoever has bought before, too.
	ForAllFrom string `mapstructure:"for_all_from,omitempty"`
}

// IsSold reports whether the product can be ordered.
func (p *Product) IsSold() bool { return p.Sold == nil || *p.Sold }

// AllFrom is the beginning of the day from which the amount counts for whoever has bought before; zero for never.
func (p *Product) AllFrom(zone *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, p.ForAllFrom, zone)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Interval is a billing period: Count units of week, month or year.
type Interval struct {
	Unit  string `mapstructure:"unit"`
	Count int    `mapstructure:"count"`
}

// Add returns the end of n intervals that begin at t. Weeks are 168 hours each. Months and years end on the same day of
// the calendar of t's time zone, or on the last day of the month if it has no such day: a month from 31 January ends on
// 28 February. The payment provider counts so in UTC; what an edition counts itself is in the edition's time zone.
func (i Interval) Add(t time.Time, n int) time.Time {
	switch i.Unit {
	case "week":
		return t.Add(time.Duration(i.Count*n) * 7 * 24 * time.Hour)
	case "month":
		return addMonths(t, i.Count*n)
	}
	return addMonths(t, 12*i.Count*n)
}

// Next returns the n-th end of an interval after t, where the intervals are counted from an anchor: months that are
// counted from 31 January end on 28 February and on 31 March.
func (i Interval) Next(anchor, t time.Time, n int) time.Time {
	if i.Unit == "week" || anchor.After(t) {
		return i.Add(t, n)
	}
	passed := 0
	for i.Add(anchor, passed+1).Sub(t) <= 0 {
		passed++
	}
	return i.Add(anchor, passed+n)
}

// addMonths keeps the day of the month and the time of day, as far as the month has them.
func addMonths(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, 0, 0, 0, 0, t.Location())
	last := time.Date(first.Year(), first.Month()+1, 0, 0, 0, 0, 0, t.Location()).Day()
	return time.Date(first.Year(), first.Month(), min(t.Day(), last), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(),
		t.Location())
}

// Intro is the introductory price: Amount once, for the first Periods periods.
type Intro struct {
	Amount  int64 `mapstructure:"amount"`
	Periods int   `mapstructure:"periods"`
}

// Whom an edition gives a trial.
const (
	TrialForNone     = "none"
	TrialForCampaign = "campaign"
	TrialForInvited  = "invited"
	TrialForAll      = "all"
)

// Trial is free access that starts at the first login of a reader who was promised one.
type Trial struct {
	Days int    `mapstructure:"days"`
	For  string `mapstructure:"for"` // TrialForNone and its like
	// Until is the last day on which an offer promises it, where it is for a campaign; "" for no last day.
	Until string `mapstructure:"until,omitempty"`
}

// Identity says who may register and how they are known.
type Identity struct {
	Registration string   `mapstructure:"registration"` // open, invite
	Domains      string   `mapstructure:"domains"`      // off, block, allow
	DomainList   []string `mapstructure:"domain_list,omitempty"`
	ExistsMode   string   `mapstructure:"exists_mode"` // honest, always_true
	HandleAlone  bool     `mapstructure:"user_hash_alone"`
	MailAppName  string   `mapstructure:"mail_app_name"` // how the login mail names the paper

	// Surge is the number of login mails, and of questions whether an address is known, that ten minutes may bring though
	// they are more than ten times the usual; 0 is 500.
	Surge int `mapstructure:"surge,omitempty"`

	// SessionVersion makes every session of a lower one be exchanged for a new one at its next visit; raise it to have all
	// changed.
	SessionVersion int `mapstructure:"session_version,omitempty"`
}

// Consent lists the documents of the edition, which of them a reader is asked to agree to, and the version of the
// cookie text.
type Consent struct {
	CookieVersion string            `mapstructure:"cookie_version"`
	Documents     []ConsentDocument `mapstructure:"documents"`
	Accordions    []Accordion       `mapstructure:"accordions"`
	RejectLogsOut bool              `mapstructure:"reject_logs_out,omitempty"` // who rejects the documents is logged out
}

// Accordion is a group of the question about the documents: one of them, in its sections.
type Accordion struct {
	Document string `mapstructure:"document" json:"document"`
	Sections int    `mapstructure:"sections" json:"sections"` // how many the document has
}

// Asked are the documents that a reader is asked to agree to, in the order of the accordions.
func (c Consent) Asked() (asked []ConsentDocument) {
	for _, a := range c.Accordions {
		for _, d := range c.Documents {
			if d.ID == a.Document {
				asked = append(asked, d)
			}
		}
	}
	return asked
}

// ConsentDocument is one text with its version.
type ConsentDocument struct {
	ID      string `mapstructure:"id" json:"id"` // terms, privacy
	Version string `mapstructure:"version" json:"version"`
	Static  string `mapstructure:"static" json:"static"` // slug of the static page
}

// Mail is the sender of the edition's emails.
type Mail struct {
	FromName string `mapstructure:"from_name"`
	From     string `mapstructure:"from"`
	ReplyTo  string `mapstructure:"reply_to,omitempty"`
	// ListFrom sends what goes to many, best from a sub-domain of its own: complaints about a newsletter are then not held
	// against login mails. Without it From does.
	ListFrom string `mapstructure:"list_from,omitempty"`
}

// Sender is the address that an email comes from.
func (m Mail) Sender(toMany bool) string {
	if toMany && m.ListFrom != "" {
		return m.ListFrom
	}
	return m.From
}

// Newsletter is a list that readers subscribe to.
type Newsletter struct {
	ID          string `mapstructure:"id"`   // "morning": stands in addresses, and stays when the name changes
	Kind        string `mapstructure:"kind"` // brief (each day), topic (each week), breaking (when the editors send it)
	Name        string `mapstructure:"name"`
	Description string `mapstructure:"description"`
	At          string `mapstructure:"at,omitempty"`      // "06:00" in the edition's zone; of brief and topic
	Weekday     string `mapstructure:"weekday,omitempty"` // monday … sunday; of topic
}

// Kinds of newsletters.
const (
	NewsletterBrief    = "brief"
	NewsletterTopic    = "topic"
	NewsletterBreaking = "breaking"
)

// Newsletter returns the list of that id, or nil.
func (d *Document) Newsletter(id string) *Newsletter {
	for i := range d.Newsletters {
		if d.Newsletters[i].ID == id {
			return &d.Newsletters[i]
		}
	}
	return nil
}

// Walk visits the category tree, parents first.
func (d *Document) Walk(visit func(c, parent *Category)) {
	var walk func(cs []Category, parent *Category)
	walk = func(cs []Category, parent *Category) {
		for i := range cs {
			visit(&cs[i], parent)
			walk(cs[i].Children, &cs[i])
		}
	}
	walk(d.Categories, nil)
}

// Product returns the offer of that type, or nil.
func (d *Document) Product(kind string) *Product {
	for i := range d.Billing.Products {
		if d.Billing.Products[i].Type == kind {
			return &d.Billing.Products[i]
		}
	}
	return nil
}
