// Package paywall decides who reads what: it is the one place that knows when a locked article opens, what is shown of
// it when it does not, and how many a reader without a subscription has opened in this period.
package paywall

import (
	"fmt"
	"time"
)

// Access is what a reader gets of an article.
const (
	Open   = "open"   // all of it
	Credit = "credit" // all of it, for one of the period's free articles
	Locked = "locked" // the preview
)

// Reason says why.
const (
	Free         = "free"         // not locked
	Subscription = "subscription" // the reader has one
	ByCredit     = "credit"       // opened in this period, or there is a credit left for it
	Login        = "login"        // nobody is signed in
	Limit        = "limit"        // no credit is left, or it is not known whether one is
	Video        = "video"        // signed-in readers watch videos freely
)

// videoKind is the post type that opens without a credit.
const videoKind = "video"

// facts are all that a decision depends on.
type facts struct {
	Locked     bool   `json:"locked"`     // the article is for subscribers
	Kind       string `json:"kind"`       // its post type
	SignedIn   bool   `json:"signed_in"`  // somebody is
	Subscribed bool   `json:"subscribed"` // their access has not ended
	Known      bool   `json:"known"`      // the record of opened articles could be read
	Opened     bool   `json:"opened"`     // the article is in it
	Used       int    `json:"used"`       // articles in it
	Limit      int    `json:"limit"`      // articles a period
}

// verdict is the answer to facts. Left counts the credits that remain when nothing more is opened.
type verdict struct {
	Access string `json:"access"`
	Reason string `json:"reason"`
	Left   int    `json:"left"`
}

// decide is the rule. What is not known is locked.
func decide(f facts) verdict {
	left := 0
	if f.Known {
		left = max(f.Limit-f.Used, 0)
	}
	switch {
	case !f.Locked:
		return verdict{Open, Free, 0}
	case !f.SignedIn:
		return verdict{Locked, Login, 0}
	case f.Subscribed:
		return verdict{Open, Subscription, 0}
	case f.Kind == videoKind:
		return verdict{Open, Video, 0}
	case f.Known && f.Opened, left > 0:
		return verdict{Credit, ByCredit, left}
	}
	return verdict{Locked, Limit, 0}
}

// Periods of a meter.
const (
	week  = "week"
	month = "month"
)

// periodKey names the period of an instant in a zone: the ISO week or the calendar month.
func periodKey(period string, at time.Time, zone *time.Location) (string, error) {
	at = at.In(zone)
	switch period {
	case week:
		year, n := at.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, n), nil
	case month:
		return at.Format("2006-01"), nil
	}
	return "", fmt.Errorf("paywall: a meter by %q", period)
}
