// Package status shows operators how the paper is, on one page: the process, and each edition with what is wrong and
// what to do. Work that was given up is tried again, or dropped, from there.
package status

import (
	"context"
	_ "embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Paper is what the page is about. Process describes this process; Persons says what waits for somebody in an edition,
// as far as this process knows; Documents names the invoices of the edition of ctx that fail.
type Paper struct {
	DB       *db.DB
	Registry *edition.Registry
	Process  func(context.Context) Process
	Persons  func(editionID string) []string

	Documents func(context.Context) ([]string, error)
}

// Process is one `serve` or `work`.
type Process struct {
	Role, Host string
	Started    time.Time
	Facts      []Fact
}

// Fact is one thing that is well or not.
type Fact struct {
	Well   bool
	Text   string
	Advice string // what to do where it is not well
}

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	style []byte

	page = template.Must(template.New("page").Parse(pageText))
)

// Path is where the page is on the operators' listener.
const Path = "/status"

// patience bounds the looks at all editions: the page must come also while the database hangs.
const patience = 5 * time.Second

// Handler serves the page, and takes its forms.
func (p *Paper) Handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET "+Path, func(w http.ResponseWriter, r *http.Request) {
		p.show(w, r, http.StatusOK, notices[r.URL.Query().Get("done")])
	})
	m.HandleFunc("GET "+Path+".css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(style) // nobody is left to tell
	})
	m.HandleFunc("POST "+Path+"/jobs", p.postJobs)
	return http.NewCrossOriginProtection().Handler(m)
}

// view is the page's data.
type view struct {
	Process  Process
	Editions []editionView
	Notice   string
	Now      time.Time
	Wrong    int // editions that are not well
	Well     bool
	Refresh  bool // by itself: not while somebody may be typing
}

func (p *Paper) show(w http.ResponseWriter, r *http.Request, code int, notice string) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	v := view{Process: p.Process(ctx), Editions: p.editions(ctx), Notice: notice, Now: time.Now()}
	v.Well = true
	for _, f := range v.Process.Facts {
		v.Well = v.Well && f.Well
	}
	v.Refresh = notice == ""
	for _, e := range v.Editions {
		if !e.Well {
			v.Wrong++
		}
		v.Refresh = v.Refresh && len(e.Dead) == 0
	}
	v.Well = v.Well && v.Wrong == 0
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; "+
		"base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	if err := page.Execute(w, v); err != nil {
		slog.WarnContext(ctx, "the status page was not sent whole", "error", err)
	}
}
