package pagecache

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
)

var longBody = strings.Repeat(`<article><h3>Ľúbostný “list”</h3><p>text & text</p></article>`, 200)

func sealed(t testing.TB, tier string, e *Entry) *Entry {
	t.Helper()
	c, _ := newCache(t, nil)
	e, _, err := c.Fetch(t.Context(), Key{Edition: "north", Path: "/", Tier: tier}, func(context.Context) (*Entry, error) {
		return e, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func get(e *Entry, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Serve(w, r, e)
	return w
}

func TestContentNegotiation(t *testing.T) {
	t.Parallel()
	page := sealed(t, Anonymous, html(longBody))
	get(page, "Accept-Encoding", "br") // it is made
	for accept, coding := range map[string]string{
		"":                                "",
		"gzip, deflate, br, zstd":         "br",
		"gzip, deflate":                   "gzip",
		"x-gzip":                          "gzip",
		"GZIP;Q=1":                        "gzip",
		"br;q=0, gzip":                    "gzip",
		"br;q=0.000, gzip;q=0.001":        "gzip",
		"br;q=0.5, gzip;q=0.8":            "gzip",
		"br;q=0.8,gzip;q=0.8":             "br",
		"br ; q=0.9 , gzip ; q=0.2":       "br",
		"*":                               "br",
		"*;q=0.5, br;q=0":                 "gzip",
		"*;q=0":                           "",
		"identity;q=0, *;q=0":             "",
		"identity":                        "",
		"identity, br;q=0.5":              "",
		"identity;q=0.2, gzip;q=0.5":      "gzip",
		"deflate, zstd":                   "",
		"brotli":                          "",
		"br;q=2":                          "",
		"br;q=abc, gzip;q=0.1234":         "",
		"br;q=1.5":                        "br",
		"br;q=":                           "",
		"br;level=3;q=0, gzip;q=0.5":      "gzip",
		",,, ;;; , br":                    "br",
		strings.Repeat("x,", 3000) + "br": "br",
	} {
		var w *httptest.ResponseRecorder
		if accept == "" {
			w = get(page)
		} else {
			w = get(page, "Accept-Encoding", accept)
		}
		length := w.Body.Len()
		var body io.Reader = w.Body
		switch got := w.Header().Get("Content-Encoding"); {
		case got != coding:
			t.Errorf("%.40q: got %q, want %q", accept, got, coding)
			continue
		case got == "br":
			body = brotli.NewReader(w.Body)
		case got == "gzip":
			body, _ = gzip.NewReader(w.Body)
		}
		if plain, err := io.ReadAll(body); err != nil || string(plain) != longBody {
			t.Errorf("%.40q: the body did not survive: %v", accept, err)
		}
		if w.Header().Get("Content-Length") != strconv.Itoa(length) || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%.40q: %v", accept, w.Header())
		}
	}
	two := get(page, "Accept-Encoding", "br;q=0", "Accept-Encoding", "gzip")
	if got := two.Header().Get("Content-Encoding"); got != "gzip" {
		t.Errorf("two lines: %q", got)
	}
	for name, e := range map[string]*Entry{
		"short":   sealed(t, Anonymous, html("short")),
		"picture": sealed(t, Anonymous, &Entry{Header: http.Header{"Content-Type": {"image/png"}}, Body: []byte(longBody)}),
	} {
		if got := get(e, "Accept-Encoding", "br, gzip").Header().Get("Content-Encoding"); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The second answer is in brotli, the first only for a client that accepts nothing else. The ETag of the first answer
// stays valid.
func TestBrotliFromTheSecondAnswerOn(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string][2]string{
		"gzip, br": {"gzip", "br"}, "br": {"br", "br"}, "gzip": {"gzip", "gzip"}, "identity": {"", ""},
		"br, gzip;q=0": {"br", "br"}, "br, gzip;q=0.1": {"gzip", "br"},
	} {
		page := sealed(t, Anonymous, html(longBody))
		first := get(page, "Accept-Encoding", accept)
		second := get(page, "Accept-Encoding", accept)
		got := [2]string{first.Header().Get("Content-Encoding"), second.Header().Get("Content-Encoding")}
		if got != want {
			t.Errorf("%s: got %q, want %q", accept, got, want)
		}
		tag := first.Header().Get("Etag")
		again := get(page, "Accept-Encoding", accept, "If-None-Match", tag)
		if again.Code != http.StatusNotModified || again.Header().Get("Etag") != tag {
			t.Errorf("%s with the first tag: got %d %s, want 304 %s", accept, again.Code, again.Header().Get("Etag"), tag)
		}
	}
	once := html(longBody)
	once.NoStore = true
	once = sealed(t, Anonymous, once)
	get(once, "Accept-Encoding", "gzip, br")
	if got := get(once, "Accept-Encoding", "gzip, br").Header().Get("Content-Encoding"); got != "gzip" {
		t.Errorf("an answer that is not kept: got %q, want gzip", got)
	}
	page := sealed(t, Anonymous, html(longBody))
	tag := get(page, "Accept-Encoding", "gzip").Header().Get("Etag")
	if w := get(page, "Accept-Encoding", "gzip;q=0", "If-None-Match", tag); w.Code != http.StatusOK {
		t.Errorf("the tag of a coding that is refused: got %d, want 200", w.Code)
	}
}

func TestValidation(t *testing.T) {
	t.Parallel()
	page := sealed(t, Anonymous, html(longBody))
	tag := get(page).Header().Get("Etag")
	brTag := get(page, "Accept-Encoding", "br").Header().Get("Etag")
	if tag == brTag || strings.HasPrefix(tag, "W/") || len(tag) < 20 {
		t.Fatalf("tags %s and %s", tag, brTag)
	}
	for header, status := range map[string]int{
		tag:                     304,
		"W/" + tag:              304,
		"*":                     304,
		`"a", W/"b" ,` + tag:    304,
		brTag:                   200,
		`"a"`:                   200,
		strings.Trim(tag, `"`):  200,
		"w/" + tag:              200,
		"":                      200,
		`"a` + tag[1:]:          200,
		tag[:len(tag)-1] + `b"`: 200,
	} {
		w := get(page, "If-None-Match", header)
		if w.Code != status || (status == 304) != (w.Body.Len() == 0) {
			t.Errorf("%s: %d with %d bytes", header, w.Code, w.Body.Len())
		}
		for name, want := range map[string]string{"Etag": tag, "Cache-Control": Public, "Vary": "Accept-Encoding"} {
			if w.Header().Get(name) != want {
				t.Errorf("%s: %s is %q", header, name, w.Header().Get(name))
			}
		}
		if status == 304 && (w.Header().Get("Content-Length") != "" || w.Header().Get("Content-Type") != "") {
			t.Errorf("%s: 304 with %v", header, w.Header())
		}
	}
	if w := get(page, "Accept-Encoding", "br", "If-None-Match", brTag); w.Code != 304 ||
		w.Header().Get("Content-Encoding") != "" {
		t.Errorf("brotli: %d %v", w.Code, w.Header())
	}
	missing := html(longBody)
	missing.Status = 404
	missing = sealed(t, Anonymous, missing)
	if w := get(missing, "If-None-Match", "*"); w.Code != 404 {
		t.Errorf("a missing page answered %d", w.Code)
	}
	if member := sealed(t, "member", html(longBody)); get(member).Header().Get("Etag") == tag {
		t.Error("two tiers with one ETag")
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	page := sealed(t, Anonymous, html(longBody))
	w := httptest.NewRecorder()
	Serve(w, httptest.NewRequest(http.MethodHead, "/", http.NoBody), page)
	if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != strconv.Itoa(len(longBody)) {
		t.Errorf("%d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

func TestCacheControl(t *testing.T) {
	t.Parallel()
	with := func(change func(*Entry)) *Entry { e := html(longBody); change(e); return e }
	for name, tc := range map[string]struct {
		tier string
		e    *Entry
		want string
	}{
		"anonymous": {Anonymous, html("a"), Public},
		"member":    {"member", html("a"), Private},
		"no tier":   {"", html("a"), Private},
		"NoStore":   {Anonymous, with(func(e *Entry) { e.NoStore = true }), Private},
		"its own":   {Anonymous, with(func(e *Entry) { e.CacheControl = "public, max-age=600" }), "public, max-age=600"},
		"in Header": {Anonymous, with(func(e *Entry) { e.Header.Set("Cache-Control", "public, max-age=9") }), Public},
	} {
		e := sealed(t, tc.tier, tc.e)
		if got := get(e).Header().Get("Cache-Control"); got != tc.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	page := sealed(t, Anonymous, html(longBody))
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	w := httptest.NewRecorder()
	ServePrivate(w, r, page)
	if got := w.Header().Get("Cache-Control"); got != Private {
		t.Errorf("with a session: %q", got)
	}
	w = httptest.NewRecorder()
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "secret"})
	Serve(w, r, page)
	if got := w.Header().Get("Cache-Control"); got != Private {
		t.Errorf("beside a cookie: %q", got)
	}
	if got := get(page).Header().Get("Cache-Control"); got != Public {
		t.Errorf("afterwards: %q", got)
	}
	unseen := httptest.NewRecorder()
	Serve(unseen, r, html("made by hand"))
	if unseen.Body.String() != "made by hand" || unseen.Header().Get("Cache-Control") != Private {
		t.Errorf("an entry that no cache has seen: %q %v", unseen.Body, unseen.Header())
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	e := html(longBody)
	e.VaryCookie = true
	e.Header["link"] = []string{"</a.css>; rel=preload", "</b.css>; rel=preload"}
	e.Header.Set("Content-Length", "1")
	e = sealed(t, Anonymous, e)
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	w := httptest.NewRecorder()
	w.Header().Set("Vary", "Origin")
	w.Header().Set("X-Request-Id", "7")
	Serve(w, r, e)
	if got := strings.Join(w.Header().Values("Vary"), ", "); got != "Origin, Accept-Encoding, Cookie" {
		t.Errorf("Vary %q", got)
	}
	if w.Header().Get("X-Request-Id") != "7" || len(w.Header().Values("Link")) != 2 ||
		w.Header().Get("Content-Length") != strconv.Itoa(len(longBody)) {
		t.Errorf("%v", w.Header())
	}
	// What a handler adds to its answer must not reach the next one.
	w.Header().Add("Link", "</c.css>; rel=preload")
	w.Header().Add("Vary", "Accept")
	if again := get(e); len(again.Header().Values("Link")) != 2 ||
		again.Header().Get("Vary") != "Accept-Encoding, Cookie" {
		t.Errorf("%v", again.Header())
	}
}

// discard is a ResponseWriter that costs nothing itself.
type discard struct{ h http.Header }

func (d *discard) Header() http.Header         { return d.h }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

func BenchmarkHit(b *testing.B) {
	c, _ := newCache(b, func(c *Config) { c.Now = time.Now })
	body := []byte(strings.Repeat(longBody, 17)) // about 216 KB, a front page
	key := Key{Edition: "north", Path: "/", Tier: Anonymous}
	fill := Fill(func(context.Context) (*Entry, error) {
		e := html(string(body))
		for i := range 120 {
			e.Tags = append(e.Tags, "post:"+strconv.Itoa(i))
		}
		return e, nil
	})
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	hit := func(b *testing.B, w *discard) {
		clear(w.h)
		e, _, err := c.Fetch(b.Context(), key, fill)
		if err != nil {
			b.Fatal(err)
		}
		Serve(w, r, e)
	}
	w := &discard{http.Header{}}
	b.Run("cache", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			hit(b, w)
		}
	})
	b.Run("cache after an invalidation elsewhere", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Invalidate("north", "post:999")
			hit(b, w)
		}
	})
	b.Run("cache in parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			w := &discard{http.Header{}}
			for pb.Next() {
				hit(b, w)
			}
		})
	})
	e, _, _ := c.Fetch(b.Context(), key, fill)
	b.Run("http.ServeContent", func(b *testing.B) {
		b.ReportAllocs()
		sent := e.inBrotli(false)
		for b.Loop() {
			clear(w.h)
			w.h.Set("Content-Type", "text/html; charset=utf-8")
			w.h.Set("Content-Encoding", "br")
			w.h.Set("Etag", sent.etag[0])
			w.h.Set("Cache-Control", Public)
			w.h.Set("Vary", "Accept-Encoding")
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(sent.body))
		}
	})
	b.Run("seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			html(string(body)).seal(Anonymous)
		}
	})
}

func FuzzAcceptEncoding(f *testing.F) {
	for _, s := range []string{"br, gzip;q=0.5", "*;q=0", "br;q=1.000;x", ";;,,q="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range readAccept([]string{s, s}) {
			if w < 0 || w > 1000 {
				t.Fatalf("%q: weight %d", s, w)
			}
		}
		matches([]string{s}, `"x"`)
	})
}
