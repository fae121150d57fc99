package identity

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// loginData is LoginData of openapi.yaml.
type loginData struct {
	Email    string `json:"email"`
	Referrer string `json:"referrer"`

	InApp     string      `json:"inApp,omitempty"`
	Forgotten *helpFields `json:"forgotten,omitempty"` // as it was typed, when that form was refused
}

// sentData is SentData of openapi.yaml.
type sentData struct {
	Type     string `json:"type"`
	Email    string `json:"email"`
	Inbox    string `json:"inbox,omitempty"`
	Referrer string `json:"referrer"`
	InApp    string `json:"inApp,omitempty"`
	Number   int    `json:"number,omitempty"` // to choose where the reader is signed in
}

// sentTypes are what can have been sent.
var sentTypes = []string{
	"thankyou-login", "thankyou-registration", "thankyou-campaign",
	"thankyou-coupon", "login-code",
}

// sentTransfer is an order by bank transfer: what was mailed about it is a page of the reader's.
const sentTransfer = "payment-method-iban"

// transferStep is the step of selling that shows a reader's order by bank transfer.
const transferStep = "transfer"

// inboxes are where the customers of mail providers read.
var inboxes = map[string]string{
	"gmail.com": "https://mail.google.com/", "googlemail.com": "https://mail.google.com/",
	"outlook.com": "https://outlook.live.com/mail/", "hotmail.com": "https://outlook.live.com/mail/",
	"live.com":  "https://outlook.live.com/mail/",
	"yahoo.com": "https://mail.yahoo.com/", "yahoo.de": "https://mail.yahoo.com/",
	"icloud.com": "https://www.icloud.com/mail", "me.com": "https://www.icloud.com/mail",
	"proton.me": "https://mail.proton.me/", "protonmail.com": "https://mail.proton.me/",
	"seznam.cz": "https://email.seznam.cz/", "email.cz": "https://email.seznam.cz/",
	"centrum.sk": "https://mail.centrum.sk/",
	"gmx.net":    "https://www.gmx.net/", "gmx.de": "https://www.gmx.net/", "gmx.at": "https://www.gmx.at/",
	"gmx.ch": "https://www.gmx.ch/",
	"web.de": "https://web.de/", "t-online.de": "https://email.t-online.de/",
}

// Pages are the pages of logging in and out.
func (m *Module) Pages() page.Sources {
	return page.Sources{
		edition.Login: {Load: guestsOnly(loginPage("login")), Query: []string{"email", "referrer"}, Personal: true},
		edition.Registration: {
			Load: guestsOnly(loginPage("registration")), Query: []string{"email", "referrer"},
			Personal: true,
		},
		edition.Sent: {
			Load: redirectOrders(guestsOnly(m.sentPage)), Query: []string{"type", "email", "referrer"},
			Personal: true, Spent: []string{"type"},
		},
		edition.SecurityCheck: {Load: guestsOnly(plainPage("securityCheck"))},
		edition.Logout:        {Load: plainPage("logout")},
		edition.EmailChange:   {Load: m.addressPage, Query: []string{"token", "passkey"}, Personal: true},
		edition.Profile:       {Load: readersOnly(m.profilePage), Personal: true},
		edition.Focus:         {Load: readersOnly(m.focusPage), Query: []string{"type"}, Personal: true},
	}
}

type load = func(context.Context, *page.Request) (*page.Page, error)

// guestsOnly redirects a signed-in reader to the front page; the query goes along.
func guestsOnly(next load) load {
	return func(ctx context.Context, r *page.Request) (*page.Page, error) {
		if r.Tier != page.Anonymous {
			return redirectTo("/"), nil
		}
		return next(ctx, r)
	}
}

// readersOnly redirects a visitor who is not signed in to the login, which leads back.
func readersOnly(next load) load {
	return func(ctx context.Context, r *page.Request) (*page.Page, error) {
		if err := web.SessionFailure(ctx); err != nil {
			return nil, err
		}
		if session.ReaderID(ctx) != 0 {
			return next(ctx, r)
		}
		ed, err := edition.From(ctx)
		if err != nil {
			return nil, err
		}
		return page.LoginFirst(ed, r), nil
	}
}

// redirectTo is a redirect for this visitor, now.
func redirectTo(to string) *page.Page {
	return &page.Page{Status: http.StatusFound, Redirect: to, NoStore: true}
}

// privatePage is a page that no cache keeps and no search engine lists.
func privatePage(r *page.Request, words string, data any) *page.Page {
	ed := r.Edition
	name := map[string]any{"Name": ed.Name}
	return &page.Page{NoStore: true, Data: data, Meta: page.Meta{
		Title: i18n.T(ed, "page."+words+".title", name), Description: i18n.T(ed, "page."+words+".description", name),
		Canonical: ed.URL(r.Path), Robots: "noindex",
	}}
}

func plainPage(words string) load {
	return func(ctx context.Context, r *page.Request) (*page.Page, error) {
		return privatePage(r, words, struct{}{}), nil
	}
}

func loginPage(words string) load {
	return func(ctx context.Context, r *page.Request) (*page.Page, error) {
		d := loginData{Email: emailOf(r), Referrer: web.LocalPath(r.Query.Get("referrer")), InApp: r.InApp}
		if r.Query.Get("status") != "" {
			d.Email, d.Forgotten = cmp.Or(d.Email, web.SavedForm(ctx, emailForm)), helpDraft(ctx)
		}
		return privatePage(r, words, d), nil
	}
}

// redirectOrders sends a reader who has ordered by bank transfer to the page of the order, and a visitor to the login:
// a visitor who has ordered nothing learns nothing about an email.
func redirectOrders(next load) load {
	transfer := readersOnly(func(ctx context.Context, _ *page.Request) (*page.Page, error) {
		ed, err := edition.From(ctx)
		if err != nil {
			return nil, err
		}
		return redirectTo(ed.Href(edition.Sale, transferStep)), nil
	})
	return func(ctx context.Context, r *page.Request) (*page.Page, error) {
		if r.Query.Get("type") == sentTransfer {
			return transfer(ctx, r)
		}
		return next(ctx, r)
	}
}

// sentPage says that an email was sent, and takes its code: only where this browser has requested one, and for the same
// address.
func (m *Module) sentPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	kind := r.Query.Get("type")
	if !slices.Contains(sentTypes, kind) || pendingLoginOf(ctx) == "" || emailOf(r) == "" {
		ed, err := edition.From(ctx)
		if err != nil {
			return nil, err
		}
		return redirectTo(ed.Href(edition.Login)), nil
	}
	d := sentData{Type: kind, Email: emailOf(r), Referrer: web.LocalPath(r.Query.Get("referrer")), InApp: r.InApp}
	_, domain, _ := strings.Cut(d.Email, "@")
	d.Inbox = inboxes[domain]
	var err error
	if d.Number, err = m.PendingNumber(ctx, pendingLoginOf(ctx)); err != nil {
		return nil, err
	}
	return privatePage(r, "sent", d), nil
}

// emailOf is the address of the query, "" when that is none.
func emailOf(r *page.Request) string {
	email, err := emailaddr.Parse(r.Query.Get("email"))
	if err != nil {
		return ""
	}
	return email
}
