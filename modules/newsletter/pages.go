package newsletter

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// listsData is NewslettersData of openapi.yaml.
type listsData struct {
	Lists    []Choice `json:"lists"`
	SignedIn bool     `json:"signedIn"`
	Email    string   `json:"email,omitempty"` // as it was typed, when the form was refused
}

// savedForm is what a plain form was refused with.
type savedForm struct {
	Email string   `json:"email"`
	Lists []string `json:"lists"`
}

// stepData is NewsletterStepData of openapi.yaml.
type stepData struct {
	Step  string   `json:"step"`  // sent, confirm, settings, leave, expired, or broken for a link that is of no use
	Token string   `json:"token"` // of the page's form; "" where a session speaks for the reader
	Email string   `json:"email"` // masked where the link alone does
	Lists []Choice `json:"lists"`
	List  string   `json:"list"` // name of the one to leave
	Done  string   `json:"done"` // what has just been done: saved, confirmed, left, sent
}

// Pages are the pages of choosing and leaving.
func (m *Module) Pages() page.Sources {
	return page.Sources{
		edition.Newsletters:    {Load: m.listsPage, PersonalToReaders: true},
		edition.NewsletterStep: {Load: m.stepPage, Query: []string{"token", "saved"}, Personal: true},
	}
}

func (m *Module) listsPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	if len(ed.Newsletters) == 0 {
		return nil, web.ErrNotFound
	}
	p := own(ed, r, "newsletters", listsData{Lists: choices(ed, nil), SignedIn: r.Tier != page.Anonymous})
	p.NoStore, p.Meta.Robots = false, ""
	return p, nil
}

func (m *Module) stepPage(ctx context.Context, r *page.Request) (_ *page.Page, err error) {
	ed := r.Edition
	d := stepData{Step: r.Params["step"], Token: r.Query.Get("token"), Lists: []Choice{}}
	switch d.Step {
	case stepChoose:
		return chooseStep(ctx, ed, r), nil
	case stepSent:
	case stepConfirm:
		err = m.confirmStep(ctx, &d)
	case stepSettings:
		if d.Token == "" && session.ReaderID(ctx) == 0 {
			to := ed.Href(edition.Login) + "?referrer=" + r.Path
			return &page.Page{Status: http.StatusFound, Redirect: to, NoStore: true}, nil
		}
		err = m.settingsStep(ctx, &d, r.Query.Get("saved"))
	case stepLeave:
		err = m.leaveStep(ctx, &d)
	default:
		return nil, web.ErrNotFound
	}
	if errors.Is(err, errExpired) { // whoever holds it sees neither address nor settings
		d, err = stepData{Step: "expired", Token: d.Token, Lists: []Choice{}}, nil
		if r.Query.Get("saved") == "sent" {
			d.Done = "sent"
		}
	}
	if errors.Is(err, ErrLink) {
		d, err = stepData{Step: "broken", Lists: []Choice{}}, nil
	}
	if err != nil {
		return nil, err
	}
	return own(ed, r, "newsletterStep", d), nil
}

// confirmStep looks at a link that confirms and uses nothing up: mail scanners open links too.
func (m *Module) confirmStep(ctx context.Context, d *stepData) error {
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		l, ok := m.open(tx.Edition, toConfirm, d.Token)
		if !ok {
			return ErrLink
		}
		r, err := findRequest(ctx, tx, l.id)
		if err != nil {
			return err
		}
		if r == nil || (r.UsedAt.IsZero() && !tx.Now.Before(r.ExpiresAt)) {
			return ErrLink
		}
		s, err := findSubscriber(ctx, tx, r.SubscriberID)
		if err != nil {
			return err
		}
		if s == nil {
			return ErrLink
		}
		d.Email = mask(s.Email)
		for _, c := range choices(tx.Edition, r.Lists) {
			if c.Chosen {
				d.Lists = append(d.Lists, c)
			}
		}
		if !r.UsedAt.IsZero() {
			d.Done = "confirmed"
		}
		return nil
	})
}

// chooseStep is the page of all newsletters again, with what was typed and chosen when its plain form was refused: that
// is one browser's own, and the page itself is kept for all.
func chooseStep(ctx context.Context, ed *edition.Edition, r *page.Request) *page.Page {
	if len(ed.Newsletters) == 0 || session.ReaderID(ctx) != 0 {
		return &page.Page{Status: http.StatusFound, Redirect: ed.Href(edition.Newsletters), NoStore: true}
	}
	var in savedForm
	if json.Unmarshal([]byte(web.SavedForm(ctx, formCookie)), &in) != nil {
		in = savedForm{}
	}
	return own(ed, r, "newsletters", listsData{Lists: choices(ed, in.Lists), Email: in.Email})
}

func (m *Module) settingsStep(ctx context.Context, d *stepData, saved string) (err error) {
	var s Settings
	if d.Token != "" {
		s, err = m.SettingsOf(ctx, d.Token)
	} else {
		s, err = m.ReaderSettings(ctx, session.ReaderID(ctx))
	}
	d.Email, d.Lists = s.Email, s.Lists
	switch saved {
	case "confirmed":
		d.Done = saved
	case "1":
		d.Done = "saved"
	}
	return err
}

func (m *Module) leaveStep(ctx context.Context, d *stepData) error {
	l, err := m.LeavingOf(ctx, d.Token)
	d.List, d.Email = l.List, l.Mail
	if l.Left {
		d.Done = "left"
	}
	return err
}

// own is a page that no cache keeps and no search engine lists.
func own(ed *edition.Edition, r *page.Request, words string, data any) *page.Page {
	name := map[string]any{"Name": ed.Name}
	return &page.Page{NoStore: true, Data: data, Meta: page.Meta{
		Title: i18n.T(ed, "page."+words+".title", name), Description: i18n.T(ed, "page."+words+".description", name),
		Canonical: ed.URL(r.Path), Robots: "noindex",
	}}
}
