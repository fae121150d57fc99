package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// documentEntry renders a page into a whole document. When the render fails the document
// keeps its head and its data, the browser renders, and the answer is not kept.
func (s *Server) documentEntry(ctx context.Context, ed *edition.Edition, p *page.Page) (*pagecache.Entry, error) {
	full, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	app, renderErr := s.Renderer.Page(ctx, ed.ID, full)
	boot := full
	if renderErr != nil {
		path, _, _ := strings.Cut(p.URL, "?") // the query may name a person
		s.Log.ErrorContext(ctx, "render failed", "edition", ed.ID, "route", p.Route, "path", web.Redact(path),
			"error", renderErr)
	} else if boot, err = withoutBody(p, full); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(len(app) + len(boot) + 16<<10)
	if err := writeDocument(&b, ed, p, s.Assets, app, boot); err != nil {
		return nil, err
	}
	h := http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Content-Language": {ed.IntlLocale}}
	if links := preloadHeader(s.Assets.For(p.Route, ed)); links != "" {
		h["Link"] = []string{links}
	}
	return &pagecache.Entry{
		// A reader who has just logged in must not be shown what the browser kept for the visitor.
		VaryCookie: true,
		Status:     p.Status, Header: h, Body: b.Bytes(), Tags: p.Tags,
		NoStore: p.NoStore || renderErr != nil,
		Until:   until(ed, p),
	}, nil
}

// withoutBody leaves an article's text out of the data that goes along with its own HTML.
func withoutBody(p *page.Page, full []byte) ([]byte, error) {
	var outer struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(full, &outer); err != nil || len(outer.Data["body"]) < 2 {
		return full, nil //nolint:nilerr // data that is no object has no body to leave out
	}
	outer.Data["body"] = json.RawMessage(`""`)
	slim := *p
	slim.Data = outer.Data
	return json.Marshal(&slim)
}

func writeDocument(b *bytes.Buffer, ed *edition.Edition, p *page.Page, a *Assets, app, boot []byte) error {
	files := a.For(p.Route, ed)
	modules, err := json.Marshal(files.JS)
	if err != nil {
		return err
	}
	b.WriteString("<!doctype html>\n<html lang=\"")
	b.WriteString(html.EscapeString(ed.IntlLocale))
	b.WriteString("\" data-edition=\"" + html.EscapeString(ed.ID) + "\" data-theme=\"" + html.EscapeString(ed.Theme) +
		"\">\n<head>\n")
	if err := writeHead(b, ed, p, files); err != nil {
		return err
	}
	b.WriteString("</head>\n<body>\n<div id=\"app\">")
	b.Write(app)
	b.WriteString("</div>\n")
	if len(app) == 0 {
		writeNoScript(b, p)
	}
	b.WriteString(`<script type="application/json" id="bootstrap">{"edition":`)
	b.Write(ed.Public)
	b.WriteString(`,"page":`)
	b.Write(boot)
	b.WriteString("}</script>\n<script type=\"application/json\" id=\"modules\">")
	b.Write(modules)
	// Style, type and picture come first: the entry is small, and fetches the modules when the page is shown.
	b.WriteString("</script>\n<script type=\"module\" fetchpriority=\"low\" src=\"" + files.Entry +
		"\"></script>\n</body>\n</html>\n")
	return nil
}

// writeNoScript gives the text to a reader without scripts when the server could not render.
func writeNoScript(b *bytes.Buffer, p *page.Page) {
	raw, err := json.Marshal(p.Data)
	if err != nil {
		return
	}
	var d struct {
		Body string `json:"body"`
	}
	if json.Unmarshal(raw, &d) != nil || d.Body == "" {
		return
	}
	b.WriteString("<noscript><article><h1>" + html.EscapeString(p.Meta.Title) + "</h1>")
	b.WriteString(d.Body) // safe HTML of the store, which knows no noscript
	b.WriteString("</article></noscript>\n")
}

// errorPage answers an error of a page as a page.
func (s *Server) errorPage(c *gin.Context, ed *edition.Edition, err error) error {
	f := web.Fault(err)
	if f.Kind == fault.NotFound || web.Left(c, err) {
		return err
	}
	if errors.Is(err, web.ErrTooMany) {
		c.Header("Retry-After", strconv.Itoa(rendersAtOnce/rendersASecond/2))
		web.ErrorPage(c, ed, f)
		return nil
	}
	s.Log.ErrorContext(c.Request.Context(), "page failed", "request_id", web.RequestID(c.Request.Context()),
		"edition", ed.ID, "path", web.LogPath(c.Request.Context(), c.Request.URL), "error", err)
	if int(f.Kind) < http.StatusInternalServerError {
		f = fault.ErrInternal // an address that was followed is nobody's mistake
	}
	web.ErrorPage(c, ed, f)
	return nil
}
