package sandbox

import (
	"net/url"
	"strings"
)

// hostedPath is where the hosted pages and controls live on every host.
const hostedPath = "/_dev/stripe/"

// merchant keeps what an account has learned: on which site its customers are.
type merchant struct {
	Meta
	Site string `json:"site"` // scheme and host
}

func (*merchant) kind() string { return "merchant" }

// visit remembers the site that a customer is sent back to, and returns the origin of the pages.
func (t *tx) visit(address string) string {
	m := load[merchant](t, text(t.acc.id))
	if m == nil {
		m = add(t, "", &merchant{Meta: Meta{ID: t.acc.id}})
	}
	m.Site = originOf(address)
	return t.site()
}

// site is the origin for pages that no request names one for.
func (t *tx) site() string {
	if pages := t.acc.box.pages; pages != "" {
		return pages
	}
	if m := load[merchant](t, text(t.acc.id)); m != nil {
		return m.Site
	}
	if site := t.acc.cfg.SiteURL; site != "" {
		return strings.TrimRight(site, "/")
	}
	return originOf(t.acc.cfg.WebhookURL)
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// webAddress reads an absolute http(s) address that must be sent.
func (p params) webAddress(name string) string {
	v := p.need(name)
	if v == "" {
		return ""
	}
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		p.refuse(invalid(p.node.kids[name].path, "Not a valid URL: %s", v).coded("url_invalid"))
	}
	return v
}
