package app

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net"
	"net/http"
	"strings"
	"time"

	"example.org/broadsheet/platform/clock"
)

// devHandler puts the development tools in front of the site. They exist in `dev` alone.
func (d *dev) handler(site http.Handler) http.Handler {
	tools := http.NewServeMux()
	tools.Handle("/_dev/mail", d.mail.Handler())
	tools.Handle("/_dev/mail.json", d.mail.Handler())
	tools.Handle("/_dev/mail/", d.mail.Handler())
	tools.Handle("/_dev/stripe/", d.stripe.Handler())
	tools.HandleFunc("POST /_dev/newsletter", d.sendBreaking)
	tools.HandleFunc("GET "+previewsPath, d.previews)
	tools.HandleFunc("GET "+previewsPath+"/{lang}/{name}", d.preview)
	tools.HandleFunc("POST /_dev/clock", d.advance)
	tools.HandleFunc("GET /_dev/clock", d.showClock)
	tools.Handle("GET "+apiPath+"/", apiViewer())
	tools.Handle("GET "+apiPath, apiViewer())
	tools.Handle("GET "+apiPath+".yaml", apiViewer())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/_dev/") && d.isOurs(r.Host):
			tools.ServeHTTP(w, r)
		case plainLocalhost(r.Host) && r.URL.Path == "/":
			d.index(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	})
}

// isOurs reports whether a host is of this machine or of an edition. A page of elsewhere whose name leads here is
// refused the mailbox, whose emails sign in.
func (d *dev) isOurs(host string) bool {
	_, known := d.app.registry.Lookup(host)
	return known || plainLocalhost(host)
}

func plainLocalhost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// index lists the editions for whoever opens the bare address.
func (d *dev) index(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ` +
		`content="width=device-width">` +
		`<title>Broadsheet</title><style>:root{color-scheme:light dark}body{font:18px/1.6 Georgia,` +
		`serif;max-width:34em;margin:12vh auto;padding:0 20px}` +
		`h1{font-size:34px;margin:0 0 8px}ul{list-style:none;padding:0;border-top:2px solid}li{border-bottom:1px solid ` +
		`#8886;padding:12px 0}small{font:14px system-ui;opacity:.7}</style>` +
		`<h1>Broadsheet</h1><p>The editions of this machine.</p><ul>`)
	for _, ed := range d.app.registry.All() {
		fmt.Fprintf(&b, `<li><a href="%s/">%s</a><br><small>%s · <a href="%s/_dev/mail">mailbox</a> · <a `+
			`href="%s/_dev/api">API</a></small></li>`,
			html.EscapeString(ed.Origin), html.EscapeString(ed.Name), html.EscapeString(ed.Tagline),
			html.EscapeString(ed.Origin), html.EscapeString(ed.Origin))
	}
	b.WriteString("</ul></html>")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(b.String()))
}

type clockState struct {
	Now    time.Time `json:"now"`
	Offset string    `json:"offset"`
}

func stateOf(c *clock.Clock) clockState {
	return clockState{Now: c.Now(), Offset: c.Offset().Round(time.Second).String()}
}

func (d *dev) showClock(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, stateOf(d.app.clock))
}

// webhooksWithin bounds the wait for them; the fault that delays webhooks takes seconds of it.
const webhooksWithin = 30 * time.Second

// advance moves the clock of the application and of the payment sandbox, delivers the webhooks of that time, and runs
// what falls due.
func (d *dev) advance(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Advance string `json:"advance"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&in); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": `send {"advance": "72h"}`})
		return
	}
	by, err := time.ParseDuration(in.Advance)
	if err != nil || by < 0 || by > 2*365*24*time.Hour {
		answer(w, http.StatusBadRequest,
			map[string]string{"error": fmt.Sprintf("%q is not a duration from 0s to 17520h", in.Advance)})
		return
	}
	now := d.app.clock.Advance(by)
	if err := d.saveClock(r.Context()); err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	if err := d.stripe.Advance(now); err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	// What the provider has to say of that time is part of it: who has the answer finds the paper told.
	ctx, cancel := context.WithTimeout(r.Context(), webhooksWithin)
	defer cancel()
	if err := d.stripe.Flush(ctx); err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	if err := d.app.worker.RunDueNow(r.Context()); err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	d.app.dropCopies()
	answer(w, http.StatusOK, stateOf(d.app.clock))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
