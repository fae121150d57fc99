package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"example.org/broadsheet/locales"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
)

// SmokeTest looks whether an edition that nobody is served yet would work: it answers its own pages in this process, on
// the edition's own login, and asks no other service. It writes what `serve` would write at its start.
func SmokeTest(ctx context.Context, settings *config.Config, d *db.DB, ed *edition.Edition) error {
	cfg := *settings
	cfg.Mail.URL, cfg.Mail.RequireTLS, cfg.Redis.URL, cfg.Tracing.Endpoint = noMailServer, true, noRedis, ""
	cfg.Render.Runtimes = 1
	ctx, cancel := context.WithCancel(edition.With(ctx, ed))
	defer cancel()
	none := func(string) (stripe.Keys, error) { return stripe.Keys{}, nil }
	load := func(context.Context) error { return nil }
	a, err := newAppOf(ctx, &cfg, "serve", d, none, edition.NewRegistryOf(d, ed, nil), load)
	if err != nil {
		return fmt.Errorf("smoke test: %w", err)
	}
	defer a.Close(ctx)
	h, err := a.handler()
	if err != nil {
		return fmt.Errorf("smoke test: %w", err)
	}
	s := smoke{a, h, ed}
	for _, c := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"the edition's login", s.login},
		{"words", s.words},
		{"prices", s.prices},
		{"fonts", s.fonts},
		{"pages", s.pages},
	} {
		if err := c.run(ctx); err != nil {
			return fmt.Errorf("smoke test: %s: %w", c.name, err)
		}
	}
	return nil
}

// noRedis is where nobody listens: what is tried out hands over no work.
const noRedis = "redis://127.0.0.1:1/0"

type smoke struct {
	app     *App
	handler http.Handler
	ed      *edition.Edition
}

// login writes the categories and reads them back.
func (s smoke) login(ctx context.Context) error {
	if err := s.app.content.SyncCategories(ctx); err != nil {
		return err
	}
	want, got := 0, 0
	s.ed.Walk(func(_, _ *edition.Category) { want++ })
	err := s.app.DB.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT count(*) FROM content_categories").Scan(ctx, &got)
	})
	if err == nil && got < want {
		err = fmt.Errorf("%d of %d categories can be read", got, want)
	}
	return err
}

// words looks for what the edition's language lacks.
func (s smoke) words(context.Context) error {
	w, err := i18n.Load(locales.FS)
	if err != nil {
		return err
	}
	for _, wrong := range w.Check() {
		if strings.HasPrefix(wrong, s.ed.Locale) {
			err = errors.Join(err, errors.New(wrong))
		}
	}
	return err
}

// prices looks whether readers can be told what everything costs.
func (s smoke) prices(context.Context) error {
	for i := range s.ed.Billing.Products {
		p := &s.ed.Billing.Products[i]
		// Words that there are not stand in the text by their id.
		if text := offer.Price(s.ed, p); text == "" || strings.Contains(text, "offer.") {
			return fmt.Errorf("that of %s reads %q", p.Type, text)
		}
	}
	return nil
}

// fonts asks for what the browser needs for the front page, and for a picture that text is drawn on.
func (s smoke) fonts(ctx context.Context) error {
	files := s.app.assets.For(edition.Front, s.ed)
	if len(files.Fonts) == 0 {
		return errors.New("the front page has none")
	}
	for _, path := range append(append(append(files.Fonts, files.CSS...), files.JS...), files.Entry, brand.CardPath) {
		if _, err := s.get(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// pages asks for what the first visitors ask for. A page that could not be rendered is answered all the same, and the
// browser renders it; that is for a bad moment, and no way to begin.
func (s smoke) pages(ctx context.Context) error {
	for _, p := range []struct{ path, has string }{
		{s.ed.Href(edition.Front), "<main"},
		{s.ed.Href(edition.Login), "<main"},
		{s.ed.Href(edition.Registration), "<main"},
		{edition.FeedPath, "<rss"},
		{"/robots.txt", "Sitemap: " + s.ed.Origin + "/"},
	} {
		if p.path == "" {
			continue // the edition has no such page
		}
		body, err := s.get(ctx, p.path)
		if err != nil {
			return err
		}
		if !strings.Contains(body, p.has) {
			return fmt.Errorf("%s: it cannot be rendered: there is no %q in it", p.path, p.has)
		}
	}
	return nil
}

func (s smoke) get(ctx context.Context, path string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, path, http.NoBody)
	if err != nil {
		return "", err
	}
	r.Host, r.RemoteAddr, r.RequestURI = s.ed.Hosts[0], "127.0.0.1:0", path
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return "", fmt.Errorf("%s: it is answered with %d", path, w.Code)
	}
	return w.Body.String(), nil
}
