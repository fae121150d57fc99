package pagecache

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// The values of Cache-Control.
const (
	Public  = "public, max-age=60, stale-while-revalidate=300, " + StaleIfError
	Private = "private, no-store"

	// Checked is Public for an answer that soon stops being right: caches ask each time whether it still is.
	Checked = "public, no-cache"

	// StaleIfError lets caches elsewhere give an answer out in an outage for as long as this one does.
	StaleIfError = "stale-if-error=43200"

	// outside is how long caches elsewhere may keep an answer by Public.
	outside = 360 * time.Second
)

// Entry is one complete answer. It must not be changed once it was returned from a fill or served.
type Entry struct {
	Status int         // 200 unless set
	Header http.Header // Content-Type and whatever else belongs to the page; never Set-Cookie
	Body   []byte
	Tags   []string // what it shows: "post:17", "category:politika", "front"

	NoStore      bool   // answer the requests at hand, keep nothing
	CacheControl string // Public for the anonymous tier unless NoStore, else Private, unless set
	VaryCookie   bool   // adds Cookie to Vary
	Dated        bool   // says since when it has been as it is, for readers of feeds

	Until time.Time // when it stops being right by itself, such as the end of the day that it calls today; zero for never

	CreatedAt time.Time // when its fill began

	once   sync.Once
	public []string // values of Cache-Control
	fixed  []field
	forms  [2]form // identity and gzip
	brotli brotliForm

	modified time.Time // of a Dated entry that is kept, in whole seconds

	key      Key
	tagIndex *tagIndex
	asOf     uint64        // invalidations before the fill began
	checked  atomic.Uint64 // 1 + the invalidations that worst takes into account
	worst    atomic.Int32
	since    atomic.Int64 // Unix nanoseconds of the invalidation that made it outdated
	nextFill atomic.Int64 // Unix nanoseconds
}

// field is a header line in the form that http.Header keeps, so that answering copies a pointer.
type field struct {
	name   string
	values []string
}

// form is the body in one content coding, with the header lines that depend on it.
type form struct {
	coding int
	body   []byte
	etag   []string // one value, quoted; nil where there is no such form
	fields []field
}

// brotliForm is made for the second client that accepts it: many pages are read once before they change, and to
// compress one takes a sixth of the time that it takes to make it.
type brotliForm struct {
	hash  string // of the body; "" where brotli is not worth it
	asked atomic.Bool
	once  sync.Once
	made  atomic.Pointer[form]
}

const (
	identity = iota
	gzipped
	brotlied
)

var codingNames = [3]string{gzipped: "gzip", brotlied: "br"}

var private = []string{Private}

// Key names an answer that a cache has filled.
func (e *Entry) Key() Key { return e.key }

// expired reports whether the answer has stopped being right by itself.
func (e *Entry) expired(now time.Time) bool { return !e.Until.IsZero() && !now.Before(e.Until) }

// seal makes the forms of the entry.
func (e *Entry) seal(tier string) { e.once.Do(func() { e.prepare(tier) }) }

func (e *Entry) prepare(tier string) {
	if e.Status == 0 {
		e.Status = http.StatusOK
	}
	if e.CacheControl == "" {
		e.CacheControl = Private
		if tier == Anonymous && !e.NoStore {
			e.CacheControl = Public
		}
	}
	e.public = only(e.CacheControl)
	vary := "Accept-Encoding"
	if e.VaryCookie {
		vary += ", Cookie"
	}
	e.fixed = append(e.fixed, field{"Vary", only(vary)})
	for name, values := range e.Header {
		switch name = http.CanonicalHeaderKey(name); name {
		case "Vary", "Cache-Control", "Content-Length", "Content-Encoding", "Etag", "Last-Modified", "Set-Cookie":
		default:
			e.fixed = append(e.fixed, field{name, values[:len(values):len(values)]})
		}
	}

	sum := sha256.New()
	_, _ = io.WriteString(sum, tier+"\x00")
	_, _ = sum.Write(e.Body)
	hash := base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:18])
	e.forms[identity] = newForm(e.Body, hash, identity)
	if len(e.Body) < 512 || !compressible(e.Header.Get("Content-Type")) {
		return
	}
	body := compress(&gzips, e.Body)
	if len(body) >= len(e.Body) {
		return
	}
	e.forms[gzipped] = newForm(body, hash, gzipped)
	if !e.NoStore { // which answers a few requests: not worth the better coding
		e.brotli.hash = hash
	}
}

// inBrotli returns the body in brotli; nil where there is none, or not yet and the client accepts another coding.
func (e *Entry) inBrotli(others bool) *form {
	if f := e.brotli.made.Load(); f != nil {
		return f
	}
	if e.brotli.hash == "" || !e.brotli.asked.Swap(true) && others {
		return nil
	}
	e.brotli.once.Do(func() {
		if body := compress(&brotlis, e.Body); len(body) < len(e.Body) {
			f := newForm(body, e.brotli.hash, brotlied)
			e.brotli.made.Store(&f)
		}
	})
	return e.brotli.made.Load()
}

// date finds out since when the answer has been as it is: since the fill of the one before it, if that was the same.
// Two answers never have the same second, for a client that has the first would not get the other.
func (e *Entry) date(old *Entry) {
	e.modified = e.CreatedAt.Truncate(time.Second)
	if old != nil && !old.modified.IsZero() {
		if old.Status == e.Status && old.forms[identity].etag[0] == e.forms[identity].etag[0] {
			e.modified = old.modified
		} else if !e.modified.After(old.modified) {
			e.modified = old.modified.Add(time.Second)
		}
	}
	e.fixed = append(e.fixed, field{"Last-Modified", only(e.modified.UTC().Format(http.TimeFormat))})
}

// newForm makes the lines of one coding. A strong ETag names bytes, so each coding has its own.
func newForm(body []byte, hash string, coding int) form {
	f := form{coding: coding, body: body, etag: only(`"` + hash + `"`)}
	if name := codingNames[coding]; name != "" {
		f.etag = only(`"` + hash + "-" + name + `"`)
		f.fields = append(f.fields, field{"Content-Encoding", only(name)})
	}
	f.fields = append(f.fields, field{"Content-Length", only(strconv.Itoa(len(body)))})
	return f
}

func only(value string) []string { return []string{value} }

// transient tells an answer that stands in for a page (one that could not be
// rendered, say) from one that says what happened to it.
func (e *Entry) transient() bool {
	return e.Status == http.StatusOK || e.Status >= http.StatusInternalServerError
}

func (e *Entry) weight() int {
	n := 1024 // the entry itself, its key and its place in the cache
	for _, f := range e.forms {
		n += len(f.body)
	}
	if e.brotli.hash != "" {
		n += len(e.forms[gzipped].body) // at most that much, once it is made
	}
	for _, f := range e.fixed {
		for _, v := range f.values {
			n += len(f.name) + len(v) + 48
		}
	}
	for _, tag := range e.Tags {
		n += len(tag) + 16
	}
	return n
}

func compressible(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.TrimSpace(strings.ToLower(kind))
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") ||
		strings.HasSuffix(kind, "xml") || strings.HasSuffix(kind, "javascript")
}

// compressor is what both libraries' writers have in common.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// Writers are large, so they are used again. Quality 5 of brotli is the last
// that costs less than rendering does.
var (
	gzips = sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(io.Discard, gzip.DefaultCompression)
		if err != nil {
			panic(err) // the level is a constant
		}
		return w
	}}
	brotlis = sync.Pool{New: func() any { return brotli.NewWriterLevel(io.Discard, 5) }}
)

// worthIt is from how many bytes on an answer is compressed that is made for one reader.
const worthIt = 1 << 10

// Compress returns a body in the coding that an answer for one reader is sent in, and the name of that coding: "" where
// the request takes no gzip, or where there is little to gain.
func Compress(r *http.Request, body []byte) (coded []byte, coding string) {
	q := readAccept(r.Header["Accept-Encoding"])
	if len(body) < worthIt || q[gzipped] == 0 || q[gzipped] < q[identity] {
		return body, ""
	}
	if coded = compress(&gzips, body); len(coded) >= len(body) {
		return body, ""
	}
	return coded, "gzip"
}

func compress(pool *sync.Pool, body []byte) []byte {
	w := pool.Get().(compressor)
	defer pool.Put(w)
	var buf bytes.Buffer
	w.Reset(&buf)
	_, _ = w.Write(body) // into memory, which does not fail
	_ = w.Close()
	return bytes.Clone(buf.Bytes())
}
