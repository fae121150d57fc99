package app

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/newsletter"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

const previewsPath = "/_dev/mail/previews"

// previewTo and previewAt are whom and when the emails of the preview are for.
const previewTo = "reader@example.org"

var previewAt = time.Date(2026, time.November, 21, 6, 0, 0, 0, time.UTC)

// previewer is a module that sends emails.
type previewer interface {
	Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview
}

// previewEmails are all emails of the paper with made-up contents, as they are written at an instant.
func previewEmails(ed *edition.Edition, at time.Time, modules ...previewer) (all []mail.Preview) {
	for _, m := range modules {
		all = append(all, m.Previews(ed, previewTo, at)...)
	}
	return all
}

func (a *App) emailPreviews(ed *edition.Edition) []mail.Preview {
	return previewEmails(ed, previewAt, a.Identity, a.Billing, a.newsletter)
}

// inLanguage is an edition with its words in a language, which need not be its own.
func inLanguage(ed *edition.Edition, lang string) *edition.Edition {
	spoken := *ed
	if spoken.Locale != lang {
		spoken.Locale, spoken.IntlLocale = lang, lang
	}
	return &spoken
}

// previewEdition is the edition of a host, with its words in a language.
func (d *dev) previewEdition(r *http.Request, lang string) (*edition.Edition, bool) {
	ed, ok := d.app.registry.Lookup(r.Host)
	if all := d.app.registry.All(); !ok && len(all) > 0 {
		ed, ok = all[0], true
	}
	if !ok || !slices.Contains(i18n.Languages, lang) {
		return nil, false
	}
	return inLanguage(ed, lang), true
}

// previews lists all emails of the paper, from the same templates as those that are sent.
func (d *dev) previews(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ` +
		`content="width=device-width"><title>All emails</title>` +
		`<style>:root{color-scheme:light dark}body{font:17px/1.5 Georgia,serif;max-width:46em;margin:6vh auto;padding:0 ` +
		`20px}h1{font-size:32px}` +
		`table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8886;padding:10px 12px 10px ` +
		`0;text-align:left;vertical-align:top}a{display:inline-block;padding:4px 0}</style>` +
		`<h1>All emails</h1><p><a href="/_dev/mail">What was sent</a></p><table><tr><th scope="col">Email</th>`)
	for _, lang := range i18n.Languages {
		fmt.Fprintf(&b, `<th scope="col">%s</th>`, lang)
	}
	b.WriteString("</tr>")
	ed, ok := d.previewEdition(r, i18n.Languages[0])
	if !ok {
		http.Error(w, "there is no edition", http.StatusNotFound)
		return
	}
	for _, p := range d.app.emailPreviews(ed) {
		fmt.Fprintf(&b, `<tr><th scope="row">%s</th>`, html.EscapeString(p.Name))
		for _, lang := range i18n.Languages {
			to := previewsPath + "/" + lang + "/" + p.Name
			fmt.Fprintf(&b, `<td><a href="%s.html">HTML</a> · <a href="%s.txt">text</a></td>`, to, to)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table></html>")
	writePreview(w, "text/html; charset=utf-8", b.String())
}

// preview shows one email as HTML or as text.
func (d *dev) preview(w http.ResponseWriter, r *http.Request) {
	lang := r.PathValue("lang")
	name, form, _ := strings.Cut(r.PathValue("name"), ".")
	if ed, ok := d.previewEdition(r, lang); ok {
		for _, p := range d.app.emailPreviews(ed) {
			if p.Name != name {
				continue
			}
			page, err := mail.HTML(ed, &p.Message)
			switch {
			case err != nil:
				http.Error(w, err.Error(), http.StatusInternalServerError)
			case form == "txt":
				writePreview(w, "text/plain; charset=utf-8", p.Message.Subject+"\n\n"+mail.Text(ed, &p.Message))
			default:
				for _, f := range p.Message.Files {
					if f.Inline { // which a browser has no way to
						page = strings.ReplaceAll(page, "cid:"+f.Name,
							"data:"+f.Type+";base64,"+base64.StdEncoding.EncodeToString(f.Body))
					}
				}
				writePreview(w, "text/html; charset=utf-8", page)
			}
			return
		}
	}
	http.NotFound(w, r)
}

func writePreview(w http.ResponseWriter, media, body string) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(body)) //nolint:gosec // an email of ours, rendered by a template that escapes
}

// sendBreaking sends a post to a list of breaking news of the host's edition, as `newsletter send` does.
func (d *dev) sendBreaking(w http.ResponseWriter, r *http.Request) {
	var in struct {
		List string `json:"list"`
		Post int64  `json:"post"`
	}
	ed, ok := d.app.registry.Lookup(r.Host)
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&in); err != nil || !ok {
		answer(w, http.StatusBadRequest,
			map[string]string{"error": `send {"list": "breaking", "post": 1} to an edition's host`})
		return
	}
	if err := newsletter.Break(edition.With(r.Context(), ed), d.app.DB, Stories{d.app.content}, in.List,
		in.Post); err != nil {
		answer(w, http.StatusConflict, map[string]string{"error": err.Error()})
		return
	}
	answer(w, http.StatusOK, map[string]bool{"success": true})
}
