package sandbox

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"strings"
)

//go:embed pages/*.html pages/page.css pages/words.json
var pageFiles embed.FS

var templates = template.Must(template.New("").ParseFS(pageFiles, "pages/*.html"))

// Handler serves the hosted pages and the controls below /_dev/stripe/.
func (s *Sandbox) Handler() http.Handler {
	mux := http.NewServeMux()
	page := func(pattern string, h func(*visit) error) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+hostedPath+path, func(w http.ResponseWriter, r *http.Request) { s.visit(w, r, h) })
	}
	page("GET checkout/{id}", showCheckout)
	page("POST checkout/{id}", payCheckoutPage)
	page("GET checkout/{id}/challenge", showCheckoutChallenge)
	page("POST checkout/{id}/challenge", answerCheckoutChallenge)
	page("GET challenge/{id}", showIntentChallenge)
	page("POST challenge/{id}", answerIntentChallenge)
	page("GET invoice/{id}/{secret}", showInvoice)
	page("POST invoice/{id}/{secret}", payInvoicePage)
	page("GET portal/{id}", showPortal)
	page("POST portal/{id}/cancel", cancelInPortal)
	page("POST portal/{id}/resume", resumeInPortal)
	page("POST portal/{id}/card", cardInPortal)
	page("GET portal/{id}/challenge", showPortalChallenge)
	page("POST portal/{id}/challenge", answerPortalChallenge)
	mux.HandleFunc("GET "+hostedPath+"page.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "pages/page.css")
	})
	mux.HandleFunc("GET "+hostedPath+"faults", s.getFaults)
	mux.HandleFunc("POST "+hostedPath+"faults", s.postFaults)
	mux.HandleFunc("GET "+hostedPath+"deliveries", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, s.Deliveries())
	})
	return http.NewCrossOriginProtection().Handler(mux)
}

// visit is one request to a hosted page.
type visit struct {
	box  *Sandbox
	acc  *account
	w    http.ResponseWriter
	r    *http.Request
	id   string
	lang string
}

var errNoPage = errors.New("no such page")

// maxForm bounds what a hosted page is sent.
const maxForm = 64 << 10

func (s *Sandbox) visit(w http.ResponseWriter, r *http.Request, h func(*visit) error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	id, _, _ := strings.Cut(r.PathValue("id"), "_secret_")
	v := &visit{box: s, acc: s.holder(id), w: w, r: r, id: id, lang: language(r.Header.Get("Accept-Language"))}
	err := errNoPage
	if v.acc != nil {
		if err = r.ParseForm(); err == nil {
			err = h(v)
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, errNoPage):
		v.show(http.StatusNotFound, "message.html", &pageView{Heading: "gone.title", Text: "gone.text"})
	default:
		s.log.ErrorContext(r.Context(), "payment sandbox: hosted page failed", "path", r.URL.Path, "error", err)
		v.show(http.StatusInternalServerError, "message.html", &pageView{Heading: "broken.title", Text: "broken.text"})
	}
}

// change runs fn as a transaction; a refused payment is kept and handed back.
func (v *visit) change(fn func(*tx) error) error { return v.acc.update(origin{}, fn) }

// look runs fn without keeping what it does.
func (v *visit) look(fn func(*tx) error) error {
	if err := v.acc.settle(v.box.opts.Clock.Now()); err != nil {
		return err
	}
	_, err := v.acc.read(func(t *tx) (reply, error) { return reply{}, fn(t) })
	return err
}

// speak chooses the language that the merchant asked for, or else the browser's.
func (v *visit) speak(locale text) {
	if l := language(string(locale)); locale != "" && locale != "auto" {
		v.lang = l
	}
}

// redirect leads to another hosted page on the visitor's own host.
func (v *visit) redirect(path string) error {
	http.Redirect(v.w, v.r, hostedPath+path, http.StatusSeeOther)
	return nil
}

func (v *visit) leave(address string) error {
	http.Redirect(v.w, v.r, address, http.StatusSeeOther)
	return nil
}

// pageView is what every page shows.
type pageView struct {
	Lang     string
	Merchant string
	Heading  string // a key of the words
	Text     string // a key of the words
	Back     string
	Page     any
}

// W is a text in the language of the page.
func (p *pageView) W(key string, args ...any) string { return word(p.Lang, key, args...) }

// With hands the page and parts of it to a template that shows the parts.
func (p *pageView) With(parts ...any) []any { return append([]any{p}, parts...) }

func (v *visit) show(status int, name string, p *pageView, sites ...string) {
	p.Lang = v.lang
	if v.acc != nil {
		p.Merchant = v.acc.name()
	}
	var page bytes.Buffer
	if err := templates.ExecuteTemplate(&page, name, p); err != nil {
		v.box.log.Error("payment sandbox: page not rendered", "page", name, "error", err)
		http.Error(v.w, "The page could not be shown.", http.StatusInternalServerError)
		return
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "+
		"form-action 'self' "+strings.Join(sites, " "))
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	v.w.WriteHeader(status)
	_, _ = v.w.Write(page.Bytes())
}

// words are the texts of the pages by key and language.
var words = func() map[string]map[string]string {
	data, err := pageFiles.ReadFile("pages/words.json")
	if err != nil {
		panic(err)
	}
	var all map[string]map[string]string
	if err := json.Unmarshal(data, &all); err != nil {
		panic(err)
	}
	return all
}()
