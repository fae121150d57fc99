package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
)

// sharedCache is a cache in front of the paper that does what answers allow, and no more: RFC 9111 as a shared cache
// reads it. What it keeps is never too old.
type sharedCache struct {
	next http.Handler
	mu   sync.Mutex
	kept map[string][]cachedAnswer
	hits int
}

type cachedAnswer struct {
	asked    http.Header // of the request that it answered
	vary     []string
	response *httptest.ResponseRecorder
}

var ages = regexp.MustCompile(`(?:s-maxage|max-age)=(\d+)`)

// cacheable reports whether everybody may get the answer to one.
func cacheable(r *http.Request, h http.Header) bool {
	control := strings.ToLower(strings.Join(h.Values("Cache-Control"), ","))
	age := ages.FindStringSubmatch(control)
	if age == nil || strings.Contains(control, "private") || strings.Contains(control, "no-store") ||
		strings.Contains(control, "no-cache") || h.Get("Vary") == "*" {
		return false
	}
	seconds, _ := strconv.Atoi(age[1])
	return seconds > 0 && (r.Header.Get("Authorization") == "" || strings.Contains(control, "public"))
}

func (c *sharedCache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Host + r.URL.RequestURI()
	if r.Method == http.MethodGet {
		if hit := c.find(key, r.Header); hit != nil {
			writeRecorded(w, hit)
			return
		}
	}
	got := httptest.NewRecorder()
	asked := r.Header.Clone()
	c.next.ServeHTTP(got, r)
	if r.Method == http.MethodGet && cacheable(r, got.Header()) {
		c.mu.Lock()
		c.kept[key] = append(c.kept[key],
			cachedAnswer{asked, strings.FieldsFunc(strings.Join(got.Header().Values("Vary"), ","), func(r rune) bool {
				return r == ',' || r == ' '
			}), got})
		c.mu.Unlock()
	}
	writeRecorded(w, got)
}

func (c *sharedCache) find(key string, asked http.Header) *httptest.ResponseRecorder {
	c.mu.Lock()
	defer c.mu.Unlock()
next:
	for _, k := range c.kept[key] {
		for _, name := range k.vary {
			if fmt.Sprint(k.asked.Values(name)) != fmt.Sprint(asked.Values(name)) {
				continue next
			}
		}
		c.hits++
		return k.response
	}
	return nil
}

func writeRecorded(w http.ResponseWriter, from *httptest.ResponseRecorder) {
	for name, values := range from.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(from.Code)
	_, _ = w.Write(from.Body.Bytes())
}

// behind is a browser that comes by way of a proxy.
func (a *target) behind(proxy *httptest.Server, like *browser) *browser {
	b := a.copyOf(like)
	at := proxy.Listener.Addr().String()
	b.client.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, at)
	}}
	return b
}

// Two readers and a visitor read everything there is through one cache, the reader with something to lose first: nobody
// is given what is another's, and no answer that a cache may keep sets a cookie or is about a person.
func (a *target) readThroughCache(t *testing.T) {
	paper, err := url.Parse(a.url)
	if err != nil {
		t.Fatal(err)
	}
	cache := &sharedCache{
		kept: map[string][]cachedAnswer{},
		next: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(paper)
			r.Out.Host = r.In.Host
		}},
	}
	proxy := httptest.NewServer(cache)
	defer proxy.Close()
	ed, _ := a.app.registry.Get(a.id)
	for _, who := range []struct {
		name string
		*browser
		own bool
	}{
		{"the reader", a.behind(proxy, a.victim.browser), true},
		{"another reader", a.behind(proxy, a.attacker), false},
		{"a visitor", a.behind(proxy, a.away()), false},
	} {
		personal, shared := 0, 0
		visit := func(path string, r response) {
			// The marks of what is withheld show whose copy of an article it is; the paid one is the first reader's alone.
			if !who.own {
				for _, tok := range lockedTokens(r.Body) {
					if who.name == "a visitor" {
						t.Errorf("%s: %s shows %s", who.name, path, tok)
					}
				}
			}
			found := a.victim.shows(r)
			if len(found) > 0 {
				personal++
			}
			if len(found) > 0 && !who.own {
				t.Errorf("%s: %s shows %v", who.name, path, found)
			}
			kept := cacheable(&http.Request{Header: http.Header{}}, r.Header)
			if kept {
				shared++
			}
			if kept && (len(found) > 0 || len(r.Header.Values("Set-Cookie")) > 0 || r.Header.Get("Clear-Site-Data") != "") {
				t.Errorf("%s: a cache may keep %s, which shows %v and sets %v", who.name, path, found,
					r.Header.Values("Set-Cookie"))
			}
			if r.Header.Get("Cache-Control") == "" && r.Status < http.StatusMultipleChoices {
				t.Errorf("%s: %s does not say who may keep it", who.name, path)
			}
		}
		for _, path := range a.everything(t, ed) {
			visit(path, who.get(path))
		}
		if who.own && personal < 3 || who.name == "a visitor" && shared < 50 {
			t.Errorf("%s saw %d answers about a person and %d for everybody", who.name, personal, shared)
		}
	}
	if cache.hits < 15 {
		t.Errorf("the cache has answered %d times only", cache.hits)
	}
}

// everything is an address of each route, with what a page holds beside it.
func (a *target) everything(t *testing.T, ed *edition.Edition) (all []string) {
	t.Helper()
	values := routeValues(ed.Categories[0].Slug)
	for _, pattern := range ed.Routes.Paths() {
		if pattern == "" {
			continue
		}
		path := expandRoute(t, pattern, values)[0]
		all = append(all, path, "/api/page?url="+url.QueryEscape(path))
	}
	for _, r := range a.app.engine.Routes() {
		if r.Method == http.MethodGet && !binaryRoutes.MatchString(r.Path) && r.Path != "/api/page" {
			query := "?id=1&email=a@example.org"
			if strings.Contains(r.Path, "payment") { // elsewhere it would only be repeated
				query += "&session_id=" + a.victim.checkout
			}
			all = append(all, expandRoute(t, r.Path, values)[0]+query)
		}
	}
	slices.Sort(all)
	return all
}

// A cache that goes by the end of an address, whatever the answer says, is told nothing of a person at any address that
// ends like a file.
func (a *target) deceiveCaches(t *testing.T) {
	host := strings.TrimPrefix(a.victim.origin, "http://")
	cookie := "Cookie: session=" + a.victim.token + "; logged_user=" + a.victim.handle + "\r\n"
	ask := func(path string) response {
		return a.raw(t, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\n"+cookie+"Connection: close\r\n\r\n")
	}
	places := []string{
		"/account/profile", "/user/me/", "/user/me", "/user/sessions", "/fns/newsletters/settings",
		"/fns/user-can-read-article", "/payment/success",
	}
	told := 0
	for _, place := range places {
		if len(a.victim.shows(ask(place))) > 0 {
			told++
		}
		bare := strings.TrimSuffix(place, "/")
		for _, prefix := range []string{"/assets/..%2f..", "/assets/%2e%2e", "/img/..%2f.."} {
			if r := ask(prefix + bare); len(a.victim.shows(r)) > 0 {
				t.Errorf("%s shows %v", prefix+bare, a.victim.shows(r))
			}
		}
		for _, end := range []string{
			"/x.css", ".css", "/x.js", ".js", "/x.png", ";x.css", "/;x.css", "%2fx.css",
			"/..%2fx.css", "%00.css", "%0a.css", "%09.css", "%20.css", "%23x.css", "%3fx.css", "/%2e%2e/x.css", "%252fx.css",
			"/.css", "//x.css", `\x.css`, "/./x.css", "%2ejs", "/favicon.ico", "/robots.txt", "/index.html",
		} {
			if r := ask(bare + end); len(a.victim.shows(r)) > 0 {
				t.Errorf("%s shows %v", bare+end, a.victim.shows(r))
			}
		}
	}
	if told < 2 {
		t.Errorf("%d of the places tell the reader of themselves: nothing was deceived", told)
	}
}
