package newsletter

import (
	"context"
	"errors"
	"net/http"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// listsData is NewslettersData of openapi.yaml.
type listsData struct {
	Lists    []Choice `json:"lists"`
	SignedIn bool     `json:"signedIn"`
}

// stepData is NewsletterStepData of openapi.yaml.
type stepData struct {
	Step  string   `json:"step"`  // sent, confirm, settings, leave, or broken for a link that is of no use
	Token string   `json:"token"` // of the page's form; "" where a session speaks for the reader
	Email string   `json:"email"` // masked where the link alone does
	Lists []Choice `json:"lists"`
	List  string   `json:"list"` // name of the one to leave
	Done  string   `json:"done"` // what has just been done: saved, confirmed, left
}

// Pages are the pages of choosing and leaving.
func (m *Module) Pages() page.Sources {
	return page.Sources{
		edition.Newsletters:    {Load: m.listsPage},
		edition.NewsletterStep: {Load: m.stepPage, Query: []string{"token", "saved"}, Personal: true},
	}
}

func (m *Module) listsPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	if len(ed.Newsletters) == 0 {
		return nil, web.ErrNotFound
	}
	p := own(ed, r, "newsletters", listsData{choices(ed, nil), r.Tier != page.Anonymous})
	p.NoStore, p.Meta.Robots = false, ""
	return p, nil
}

func (m *Module) stepPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	d := stepData{Step: r.Params["step"], Token: r.Query.Get("token"), Lists: []Choice{}}
	switch d.Step {
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
	return m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
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
