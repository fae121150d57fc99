package mailbox

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// path is where the mailbox lives on every host.
const path = "/_dev/mail/"

//go:embed page.html page.css page.js
var files embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{"clock": clockTime, "size": humanSize}).
	ParseFS(files, "page.html"))

func (m *Mailbox) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_dev/mail.json", m.getJSON)
	mux.HandleFunc("GET /_dev/mail", m.getPage)
	mux.HandleFunc("DELETE /_dev/mail", m.deleteAll)
	mux.HandleFunc("GET "+path+"{id}", m.getPage)
	mux.HandleFunc("GET "+path+"{id}/attachments/{n}", m.getAttachment)
	mux.HandleFunc("GET "+path+"{id}/source", m.getSource)
	mux.HandleFunc("POST "+path+"faults", m.postFaults)
	for _, name := range []string{"page.css", "page.js"} {
		mux.HandleFunc("GET "+path+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, name) })
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		// Mails style themselves and show pictures; they run nothing.
		header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "+
			"img-src * data:; font-src * data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'")
		mux.ServeHTTP(w, r)
	})
}

// stateHeader is no ETag, which a compressing layer in between would change.
const stateHeader = "X-Mailbox-State"

// state changes with every mail that comes or goes, so that a page knows when to look again.
func (m *Mailbox) state() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return fmt.Sprintf("%x-%d-%d", m.last, len(m.messages), m.changes)
}

// getJSON returns all emails, or only those to one address: /_dev/mail.json?to=jana@example.org.
func (m *Mailbox) getJSON(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(stateHeader, m.state())
	if r.Method == http.MethodHead { // the page asks every other second
		return
	}
	mails := m.Messages()
	if to := r.URL.Query().Get("to"); to != "" {
		mails = slices.DeleteFunc(mails, func(msg Message) bool { return !slices.Contains(msg.To, to) })
	}
	m.writeJSON(w, http.StatusOK, mails)
}

func (m *Mailbox) writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		m.log.Debug("a reader of the mailbox left", "error", err)
	}
}

func (m *Mailbox) deleteAll(w http.ResponseWriter, _ *http.Request) {
	if err := m.Clear(); err != nil {
		m.writeJSON(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (m *Mailbox) postFaults(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Code  int    `json:"code"`
		Times int    `json:"times"`
		Delay string `json:"delay"`
		Keep  bool   `json:"keep"`
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<10))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&body)
	var delay time.Duration
	if err == nil && body.Delay != "" {
		delay, err = time.ParseDuration(body.Delay)
	}
	if err == nil && (body.Times < 0 || delay < 0 || body.Code != 0 && (body.Code < 400 || body.Code > 599)) {
		err = fmt.Errorf("code is 0 or 400 to 599, times and delay are not negative")
	}
	if err != nil {
		m.writeJSON(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	m.SetFault(Fault{Code: body.Code, Times: body.Times, Delay: delay, Keep: body.Keep})
	w.WriteHeader(http.StatusNoContent)
}

// view is what the page shows: the list, and one mail in one of its forms.
type view struct {
	Messages []Message
	Open     *Message
	Chosen   bool // by its address, not as the newest
	Form     string
	Forms    []string
	Document string // the HTML of the mail as a document of its own
	State    string
}

func (m *Mailbox) getPage(w http.ResponseWriter, r *http.Request) {
	v := view{State: m.state(), Messages: m.Messages()}
	if id := r.PathValue("id"); id != "" {
		msg, found := m.Message(id)
		if !found {
			http.Error(w, "This mail is not in the mailbox any more.", http.StatusNotFound)
			return
		}
		v.Open, v.Chosen = &msg, true
	} else if len(v.Messages) > 0 {
		v.Open = &v.Messages[0]
	}
	if v.Open != nil {
		v.Forms = v.Open.forms()
		if v.Form = r.URL.Query().Get("view"); !slices.Contains(v.Forms, v.Form) {
			v.Form = v.Forms[0]
		}
		v.Document = v.Open.document()
	}
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
		m.log.ErrorContext(r.Context(), "mailbox page", "error", err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if _, err := b.WriteTo(w); err != nil {
		m.log.DebugContext(r.Context(), "a reader of the mailbox left", "error", err)
	}
}

// forms are the ways to look at the mail, the best one first.
func (m Message) forms() (forms []string) {
	if m.HTML != "" {
		forms = append(forms, "html")
	}
	if m.Text != "" || m.HTML == "" {
		forms = append(forms, "text")
	}
	return append(forms, "headers")
}

// document lets links of the mail open in a tab of their own, and pictures that it brings along appear.
func (m Message) document() string {
	document := m.HTML
	for _, a := range m.Attachments {
		if a.ContentID != "" {
			document = strings.ReplaceAll(document, "cid:"+a.ContentID, a.URL)
		}
	}
	return `<base target="_blank">` + document
}

// HeaderNames are the names of the mail's headers in order.
func (m Message) HeaderNames() []string {
	names := make([]string, 0, len(m.Headers))
	for name := range m.Headers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (m *Mailbox) getAttachment(w http.ResponseWriter, r *http.Request) {
	msg, _ := m.Message(r.PathValue("id")) // an unknown one has no attachments
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 0 || n >= len(msg.Attachments) {
		http.NotFound(w, r)
		return
	}
	a := msg.Attachments[n]
	disposition := "attachment"
	if kind, _, _ := strings.Cut(a.Type, "/"); kind == "image" && a.Type != "image/svg+xml" ||
		a.Type == "application/pdf" {
		disposition = "inline"
	}
	w.Header().Set("Content-Type", a.Type)
	w.Header().Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": a.Name}))
	http.ServeContent(w, r, "", msg.Received, bytes.NewReader(a.content))
}

func (m *Mailbox) getSource(w http.ResponseWriter, r *http.Request) {
	msg, found := m.Message(r.PathValue("id"))
	if !found {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "message/rfc822")
	w.Header().Set("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": msg.ID + extension}))
	http.ServeContent(w, r, "", msg.Received, bytes.NewReader(msg.raw))
}

// clockTime is a time as people on this machine read it: the day only when it is not today.
func clockTime(t time.Time) string {
	t = t.Local()
	if t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2 Jan 15:04")
}

func humanSize(bytes int) string {
	if bytes < 1<<10 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f kB", float64(bytes)/(1<<10))
}
