package app

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// accepting is a browser that asks for a kind of answer.
func (b *browser) accepting(media string) *browser {
	c := *b
	c.header = http.Header{"Accept": {media}}
	return &c
}

const people = "text/html,application/xhtml+xml;q=0.9"

// refused checks that an answer is a refusal as all calls have it, whose body repeats the status.
func refused(t *testing.T, what string, r response, status int, code string) {
	t.Helper()
	var body struct {
		Success *bool
		Error   string
		Status  int
	}
	err := json.Unmarshal([]byte(r.Body), &body)
	if err != nil || r.Status != status || body.Status != status || body.Error != code || body.Success == nil ||
		*body.Success || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		t.Errorf("%s: %d %s %.200s (%v), want %d %s", what, r.Status, r.Header.Get("Content-Type"), r.Body, err, status, code)
	}
}

// A call that is not known is refused as calls are, whatever the client would like to see.
func TestUnknownCallsAreRefusedAsCalls(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	for _, media := range []string{"", "application/json", people} {
		b := p.browser("standard").accepting(media)
		for _, path := range []string{
			"/content/nope", "/content", "/content/post/99999", "/api/nope", "/api", "/fns/nope",
			"/user/nope", "/user/invoice/a/b/c", "/wp-json/wp/v2/posts",
		} {
			refused(t, "GET "+path+" as "+media, b.get(path), http.StatusNotFound, "NOT_FOUND")
		}
		refused(t, "POST /fns/nope as "+media, b.post("/fns/nope", map[string]any{}), http.StatusNotFound, "NOT_FOUND")
	}
	b := p.browser("standard")
	refused(t, "a wrong call", b.get("/content/most_read_posts?limit=x"), http.StatusBadRequest, "INVALID_ARGS")
	if r := b.get("/content/editors_picks/"); r.Status != http.StatusMovedPermanently ||
		r.Header.Get("Location") != "/content/editors_picks" {
		t.Errorf("a call with a slash: %d %s", r.Status, r.Header.Get("Location"))
	}
	if r := b.accepting(people).get("/nope"); r.Status != http.StatusNotFound || !strings.Contains(r.Body, "<html") {
		t.Errorf("a page that is not there: %d %.100s", r.Status, r.Body)
	}
}

// An address that is known says which methods it has.
func TestAddressesSayTheirMethods(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	b := p.browser("standard")
	for call, want := range map[string]string{
		"POST /": "GET, HEAD", "PUT /minuta": "GET, HEAD", "DELETE /category/politika": "GET, HEAD",
		"PATCH /account/login": "GET, HEAD", "FOO /Kontakty/": "GET, HEAD",
		"OPTIONS /1/article": "GET, HEAD", "TRACE /": "GET, HEAD", "POST /rss": "GET, HEAD",
		"DELETE /robots.txt": "GET, HEAD", "POST /content/editors_picks": "GET, HEAD",
		"GET /fns/user-login": "POST", "PUT /fns/user-login": "POST", "HEAD /fns/user-login": "POST",
		"DELETE /api/env-vars": "GET, HEAD", "GET /webhooks/stripe": "POST",
	} {
		method, path, _ := strings.Cut(call, " ")
		r := b.do(method, path, "", "")
		got := strings.Split(r.Header.Get("Allow"), ", ")
		slices.Sort(got)
		if r.Status != http.StatusMethodNotAllowed || strings.Join(got, ", ") != want {
			t.Errorf("%s: %d, Allow %q, want %q", call, r.Status, r.Header.Get("Allow"), want)
		} else if method != http.MethodHead {
			refused(t, call, r, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		}
	}
	for _, call := range []string{"POST /nope", "PUT /content/nope", "DELETE /two/words"} {
		method, path, _ := strings.Cut(call, " ")
		if r := b.do(method, path, "", ""); r.Status != http.StatusNotFound || r.Header.Get("Allow") != "" {
			t.Errorf("%s: %d, Allow %q", call, r.Status, r.Header.Get("Allow"))
		}
	}
	if r := b.get("/account/login"); r.Status != http.StatusOK || r.Header.Get("Allow") != "" {
		t.Errorf("a page: %d, Allow %q", r.Status, r.Header.Get("Allow"))
	}
}

// HEAD is GET without the body, also where nothing is.
func TestHeadIsGetWithoutTheBody(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	b := p.browser("standard")
	// The client asks for a compressed GET by itself, and for no HEAD.
	b.header.Set("Accept-Encoding", "identity")
	own := []string{"X-Request-Id", "Date", "X-Cache", "Content-Length"} // of the very request
	for _, path := range []string{
		"/", "/nope", "/static/nope", "/nope/", "/Minuta", "/1", "/1/article-false-0",
		"/account/profile", "/content/editors_picks", "/content/nope", "/api/env-vars", "/api/page?url=%2Fnope", "/rss",
		"/rss/category/nope", "/assets/nope.js", "/img/nope", "/robots.txt", "/2019/05/22/x/",
	} {
		b.get(path) // from here on it may be kept
		get, head := b.get(path), b.do(http.MethodHead, path, "", "")
		for _, name := range own {
			get.Header.Del(name)
			head.Header.Del(name)
		}
		if head.Status != get.Status || head.Body != "" {
			t.Errorf("%s: HEAD %d with %d bytes, GET %d", path, head.Status, len(head.Body), get.Status)
		}
		for name, want := range get.Header {
			if got := head.Header[name]; !slices.Equal(got, want) {
				t.Errorf("%s: HEAD says %s %q, GET %q", path, name, got, want)
			}
		}
		for name := range head.Header {
			if get.Header[name] == nil {
				t.Errorf("%s: only HEAD says %s", path, name)
			}
		}
	}
}

// At a host that is no edition's, people get a page in their language, and programs JSON; neither learns of an edition.
func TestUnknownHostsAnswerPeopleToo(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	b := p.browser("standard")
	b.origin = strings.Replace(b.origin, "sk.", "www.sk.", 1)
	refused(t, "a program", b.get("/"), http.StatusMisdirectedRequest, "UNKNOWN_EDITION")
	for languages, want := range map[string]string{
		"sk-SK,sk;q=0.9": `lang="sk"`, "de-AT,en;q=0.5": `lang="de"`, "fr,hu;q=0.8": `lang="en"`, "": `lang="en"`,
		"de;q=0.5,en": `lang="en"`, ";;;": `lang="en"`,
	} {
		c := b.accepting(people)
		c.header.Set("Accept-Language", languages)
		r := c.get("/1/article")
		if r.Status != http.StatusMisdirectedRequest || !strings.Contains(r.Body, want) ||
			!strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") ||
			r.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%q: %d %v %.200s", languages, r.Status, r.Header, r.Body)
		}
		for _, ed := range p.app.registry.All() {
			if strings.Contains(r.Body, ed.Name) || strings.Contains(r.Body, ed.Origin) {
				t.Errorf("%q: the page names %s", languages, ed.ID)
			}
		}
	}
}

// Whom a page is not for goes to the front page, or to the login and back, with all of the query.
func TestGuardsKeepTheWholeQuery(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	visitor, reader := p.browser("standard"), p.browser("standard")
	p.signIn(reader, "guarded@example.org")
	for _, c := range []struct {
		b        *browser
		path, to string
	}{
		{visitor, "/account/focus?type=comment_name", "/account/login?referrer=%2Faccount%2Ffocus%3Ftype%3Dcomment_name"},
		{
			visitor, "/account/focus?type=invoice_data&x=1",
			"/account/login?referrer=%2Faccount%2Ffocus%3Ftype%3Dinvoice_data%26x%3D1",
		},
		{
			visitor, "/account/profile?x=1&status=EMAIL_SENT",
			"/account/login?referrer=%2Faccount%2Fprofile%3Fx%3D1&status=EMAIL_SENT",
		},
		{visitor, "/account/invoice/1?x=1", "/account/login?referrer=%2Faccount%2Finvoice%2F1%3Fx%3D1"},
		{reader, "/account/login?email=a%40example.org&x=1", "/?email=a%40example.org&x=1"},
		{reader, "/account/registration?referrer=%2F1", "/?referrer=%2F1"},
		{reader, "/security-check?x=1", "/?x=1"},
	} {
		if r := c.b.get(c.path); r.Status != http.StatusFound || r.Header.Get("Location") != c.to {
			t.Errorf("%s: %d %s, want %s", c.path, r.Status, r.Header.Get("Location"), c.to)
		}
	}
}
