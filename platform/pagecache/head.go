package pagecache

import (
	"bytes"
	"net/http"
	"sync/atomic"

	"example.org/broadsheet/platform/onewrite"
)

// Head answers many requests with the same lines. It writes them down once for each form of an answer, to be sent as
// they are. Safe for concurrent use.
type Head struct {
	fields  []field
	private bool
	written [len(codingNames)]atomic.Pointer[headText]
}

// headText is the head of one form of an answer.
type headText struct {
	etag                       *string // of the form, which tells them apart
	lines                      []byte  // but for the next two
	contentType, contentLength []string
}

// NewHead makes the head of answers that have the lines of h besides their own. private is for requests with a session:
// no cache on the way may keep the answer.
func NewHead(h http.Header, private bool) *Head {
	p := &Head{private: private}
	for name, values := range h {
		p.fields = append(p.fields, field{name, values[:len(values):len(values)]})
	}
	return p
}

// Serve answers as the functions of the package do.
func (p *Head) Serve(w http.ResponseWriter, r *http.Request, e *Entry) (status, bytes int) {
	e.seal("")
	f, has := e.choose(r)
	h := w.Header()
	if !has && e.Status == http.StatusOK && r.Method == http.MethodGet {
		if t := p.text(e, f); len(t.contentType) > 0 && onewrite.AddHead(r.Context(), t.lines) {
			h["Content-Type"], h["Content-Length"] = t.contentType, t.contentLength
			return e.Status, f.send(r.Context(), w)
		}
	}
	for i := range p.fields {
		h[p.fields[i].name] = p.fields[i].values
	}
	return e.answerWith(w, r, f, has, p.private)
}

// text returns the head of an answer in one form.
func (p *Head) text(e *Entry, f *form) *headText {
	place := &p.written[f.coding]
	if t := place.Load(); t != nil && t.etag == &f.etag[0] {
		return t
	}
	h := http.Header{}
	for i := range p.fields {
		h[p.fields[i].name] = p.fields[i].values
	}
	e.setHead(h, f, p.private)
	t := &headText{etag: &f.etag[0], contentType: h["Content-Type"], contentLength: h["Content-Length"]}
	delete(h, "Content-Type")
	delete(h, "Content-Length")
	var lines bytes.Buffer
	_ = h.Write(&lines) // a buffer takes everything
	t.lines = lines.Bytes()
	place.Store(t)
	return t
}
