package pagecache

import (
	"context"
	"io"
	"net/http"
	"strings"

	"example.org/broadsheet/platform/onewrite"
)

// Serve answers a GET or HEAD with the entry, in the coding that suits the
// request, or with 304 where the client has it already. It returns the status and the bytes of the body.
func Serve(w http.ResponseWriter, r *http.Request, e *Entry) (status, bytes int) {
	return e.answer(w, r, false)
}

// ServePrivate is Serve for a request with a session: no cache on the way may keep the answer.
func ServePrivate(w http.ResponseWriter, r *http.Request, e *Entry) (status, bytes int) {
	return e.answer(w, r, true)
}

func (e *Entry) answer(w http.ResponseWriter, r *http.Request, personal bool) (status, bytes int) {
	e.seal("") // for an entry that no cache has seen
	f, has := e.choose(r)
	return e.answerWith(w, r, f, has, personal)
}

func (e *Entry) answerWith(w http.ResponseWriter, r *http.Request, f *form, has, personal bool) (status, bytes int) {
	h := w.Header()
	e.setHead(h, f, personal)
	if has {
		delete(h, "Content-Type")
		delete(h, "Content-Encoding")
		delete(h, "Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified, 0
	}
	w.WriteHeader(e.Status)
	if r.Method != http.MethodHead {
		bytes = f.send(r.Context(), w)
	}
	return e.Status, bytes
}

// setHead sets the lines of an answer in one form.
func (e *Entry) setHead(h http.Header, f *form, personal bool) {
	before := h["Vary"]
	for i := range e.fixed {
		h[e.fixed[i].name] = e.fixed[i].values
	}
	if len(before) > 0 {
		h["Vary"] = append(before[:len(before):len(before)], h["Vary"]...)
	}
	h["Cache-Control"] = e.public
	// A shared cache would hand a cookie to everybody.
	if personal || len(h["Set-Cookie"]) > 0 {
		h["Cache-Control"] = private
	}
	h["Etag"] = f.etag
	for i := range f.fields {
		h[f.fields[i].name] = f.fields[i].values
	}
}

// send writes the body, and returns how many bytes of it.
func (f *form) send(ctx context.Context, w io.Writer) int {
	if len(f.body) >= onewrite.Buffer {
		onewrite.Join(ctx)
	}
	bytes, _ := w.Write(f.body) // the client has gone, and nobody is left to tell
	return bytes
}

// choose finds the form for a request, and whether the client has it already.
func (e *Entry) choose(r *http.Request) (f *form, has bool) {
	f, accepted := e.likedBest(r.Header["Accept-Encoding"])
	if held := e.clientHas(r, f, accepted); held != nil {
		return held, true
	}
	return f, false
}

// clientHas returns the form of this answer that the client has, nil for none: the chosen one, or another that it
// accepts, as the first answer was in gzip where later ones are in brotli. A date counts only where no tag was sent.
func (e *Entry) clientHas(r *http.Request, chosen *form, accepted [3]int) *form {
	if e.Status != http.StatusOK {
		return nil
	}
	if tags, sent := r.Header["If-None-Match"]; sent {
		if matches(tags, chosen.etag[0]) {
			return chosen
		}
		for coding := range e.forms {
			if f := &e.forms[coding]; f.etag != nil && accepted[coding] > 0 && matches(tags, f.etag[0]) {
				return f
			}
		}
		return nil
	}
	if e.modified.IsZero() {
		return nil
	}
	if since, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err != nil || e.modified.After(since) {
		return nil
	}
	return chosen
}

// likedBest picks the form that the client likes best; among equals the smallest. It returns the weights of all codings
// too. What a client refuses in vain is sent plain: a page that it may be able to read beats an error that it cannot.
func (e *Entry) likedBest(accept []string) (best *form, accepted [3]int) {
	best = &e.forms[identity]
	if len(accept) == 0 {
		return best, accepted
	}
	accepted = readAccept(accept)
	likes := accepted[identity]
	if e.forms[gzipped].etag != nil && accepted[gzipped] > 0 && accepted[gzipped] >= likes {
		best, likes = &e.forms[gzipped], accepted[gzipped]
	}
	if accepted[brotlied] > 0 && accepted[brotlied] >= likes {
		if f := e.inBrotli(accepted[gzipped] > 0); f != nil {
			best = f
		}
	}
	return best, accepted
}

// readAccept returns the weight of each coding in thousandths. Identity that
// is not named is acceptable, but less so than anything that is.
func readAccept(lines []string) [3]int {
	const unnamed = -1
	q, star := [3]int{unnamed, unnamed, unnamed}, unnamed
	for _, line := range lines {
		for line != "" {
			var item string
			item, line, _ = strings.Cut(line, ",")
			name, params, _ := strings.Cut(item, ";")
			weight := readWeight(params)
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, "br"):
				q[brotlied] = weight
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				q[gzipped] = weight
			case strings.EqualFold(name, "identity"):
				q[identity] = weight
			case name == "*":
				star = weight
			}
		}
	}
	for i := range q {
		if q[i] == unnamed {
			q[i] = max(star, 0)
		}
	}
	return q
}

// readWeight reads "q=0.5"; no weight is 1, and one that cannot be read is 0.
func readWeight(params string) int {
	for params != "" {
		var param string
		param, params, _ = strings.Cut(params, ";")
		name, value, _ := strings.Cut(param, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		value = strings.TrimSpace(value)
		whole, fraction, _ := strings.Cut(value, ".")
		if whole != "0" && whole != "1" || len(fraction) > 3 {
			return 0
		}
		weight := int(whole[0]-'0') * 1000
		for i, scale := 0, 100; i < len(fraction); i, scale = i+1, scale/10 {
			if fraction[i] < '0' || fraction[i] > '9' {
				return 0
			}
			weight += int(fraction[i]-'0') * scale
		}
		return min(weight, 1000)
	}
	return 1000
}

// matches compares weakly, as If-None-Match asks for. Our tags hold no comma.
func matches(lines []string, etag string) bool {
	for _, line := range lines {
		for line != "" {
			var item string
			item, line, _ = strings.Cut(line, ",")
			item = strings.TrimSpace(item)
			if item == "*" || strings.TrimPrefix(item, "W/") == etag {
				return true
			}
		}
	}
	return false
}
