package edition

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// link is a menu item with its address found.
type link struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type column struct {
	Title string `json:"title"`
	Items []link `json:"items"`
}

// public is the part of the document that browsers get. What is not named here stays on the server.
func (e *Edition) public() ([]byte, error) {
	paths := map[Route]*string{}
	for r, p := range e.Routes.Paths() {
		paths[r] = nil
		if p != "" {
			paths[r] = &p
		}
	}
	main, err := e.links(e.Menus.Main)
	if err != nil {
		return nil, fmt.Errorf("menus.main: %w", err)
	}
	footer := []column{}
	for _, c := range e.Menus.Footer {
		items, err := e.links(c.Items)
		if err != nil {
			return nil, fmt.Errorf("menus.footer: %w", err)
		}
		footer = append(footer, column{c.Title, items})
	}
	menus := map[string]any{"main": main, "footer": footer, "social": orEmpty(e.Social)}
	if editions := e.siblings(); len(editions) > 0 {
		menus["editions"] = editions
	}
	host, _ := url.Parse(e.Origin) // a template that cannot be parsed leaves the configured host
	name := e.Hosts[0]
	if host != nil && host.Host != "" {
		name = host.Host
	}
	flags := map[string]bool{}
	for k, v := range e.Flags {
		flags[camel(k)] = v
	}
	return json.Marshal(map[string]any{
		"id": e.ID, "name": e.Name, "tagline": e.Tagline,
		"locale": e.Locale, "intlLocale": e.IntlLocale, "numberLocale": e.NumberLocale, "timeZone": e.TimeZone,
		"theme": e.Theme, "origin": e.Origin, "host": name,
		"routeSet": e.RouteSet, "paths": paths,
		"categories":  orEmpty(e.Categories),
		"menus":       menus,
		"limits":      map[string]any{"freeArticles": e.Meter.Limit, "period": e.Meter.Period, "freeVideos": e.Meter.Videos},
		"careerCount": e.CareerCount, "commentSuffix": e.Suffix, "flags": flags, "supportEmail": e.SupportEmail,
		"consent": map[string]any{
			"cookieVersion": e.Consent.CookieVersion, "documents": orEmpty(e.Consent.Documents),
			"accordions": orEmpty(e.Consent.Accordions), "rejectLogsOut": e.Consent.RejectLogsOut,
		},
	})
}

// siblings are the links to the front pages of the editions of the menu, on origins like this one's.
func (e *Edition) siblings() (out []link) {
	for _, s := range e.Menus.Editions {
		out = append(out, link{s.Name, strings.Replace(e.Origin, e.Hosts[0], s.Host, 1) + "/"})
	}
	return out
}

func (e *Edition) links(items []MenuItem) ([]link, error) {
	out := []link{}
	for _, it := range items {
		to, err := it.address(e.Routes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", it.Name, err)
		}
		out = append(out, link{it.Name, to})
	}
	return out, nil
}

// address is the item's URL, or the path of its route.
func (it MenuItem) address(t *Table) (string, error) {
	if it.URL != "" {
		return it.URL, nil
	}
	r, ok := findRoute(it.Route)
	if !ok {
		return "", fmt.Errorf("there is no route %q", it.Route)
	}
	var values []string
	for _, s := range segments(t.Path(r)) {
		if name, isParam := strings.CutPrefix(s, ":"); isParam {
			v := lookupFold(it.Params, name)
			if v == "" {
				return "", fmt.Errorf("route %s needs the parameter %s", r, name)
			}
			values = append(values, v)
		}
	}
	if len(values) != len(it.Params) {
		return "", fmt.Errorf("route %s has the parameters %v, not %v", r, params(t.Path(r)), it.Params)
	}
	if to := t.Href(r, values...); to != "" {
		return to, nil
	}
	return "", fmt.Errorf("this edition has no page %s", r)
}

// findRoute finds a route whatever the case of its letters: keys of a document arrive in lower case.
func findRoute(name string) (Route, bool) {
	for r := range standard {
		if strings.EqualFold(string(r), name) {
			return r, true
		}
	}
	return "", false
}

func lookupFold(m map[string]string, name string) string {
	for k, v := range m {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// camel turns a document's key into the browser's: bank_transfer, bankTransfer.
func camel(key string) string {
	var b strings.Builder
	up := false
	for _, r := range key {
		switch {
		case r == '_':
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// orEmpty makes an absent list [] in JSON.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
