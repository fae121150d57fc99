package app

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
)

// named finds parameters and members that say whose or which: a new call that has one is covered by its name.
var named = regexp.MustCompile(`(?i)^(id|parent|handle|.*_id|.*Id|user_hash|user_token|session_id)$`)

// everybodys are what readers may do to the comments of others.
var everybodys = regexp.MustCompile(`^/api/comment/\{commentId\}/(like|report)$`)

// theirs are the values of a name that lead to the victim's things, each with one of the same shape that leads nowhere.
func (o *owner) theirs(name string) (pairs [][2]any) {
	const nobody = 987654
	switch strings.ToLower(name) {
	case "user_hash", "user_token", "handle":
		return [][2]any{{o.handle, strings.Repeat("B", len(o.handle))}, {o.token, strings.Repeat("B", len(o.token)-1) + "A"}}
	case "session_id":
		return [][2]any{{o.checkout, "cs_test_nobodys"}}
	case "invoiceid":
		return [][2]any{{o.invoice, "in_" + strings.Repeat("B", len(o.invoice)-3)}}
	case "user_id", "reader_id":
		return [][2]any{{o.reader, nobody}}
	case "commentid", "parent":
		return [][2]any{{o.comment, nobody}}
	}
	return [][2]any{{o.reader, nobody}, {o.session, nobody}, {o.comment, nobody}}
}

// signedOut is the answer about a payment to a browser that is not logged in as the payer.
const signedOut = `{"referrer":"/","state":"signedOut","success":true}`

var requestID = regexp.MustCompile(`"request_id":"[^"]*",?`)

// withoutRequestID is an answer without what is another each time.
func withoutRequestID(r response) string { return requestID.ReplaceAllString(r.Body, "") }

// Every call with a name of whose or which, in its path, query or body, is asked for the victim's by another reader and
// by a visitor: nothing of the victim's changes or is shown, and the answer is the one for what does not exist.
func (a *target) askForForeign(t *testing.T) {
	before := a.state(a.victim.reader)
	asked := 0
	for _, c := range a.calls() {
		if everybodys.MatchString(c.path) || strings.HasSuffix(c.path, "/live") {
			continue
		}
		names := map[string]bool{}
		c.request(func(name string) (any, bool) {
			if named.MatchString(name) {
				names[name] = true
			}
			return nil, false
		})
		for name := range names {
			for who, b := range map[string]*browser{"another reader": a.attacker, "a visitor": a.away()} {
				ask := func(value any) response {
					path, body := c.request(func(n string) (any, bool) { return value, n == name })
					if c.method == http.MethodGet {
						return b.get(path)
					}
					return b.post(path, body)
				}
				for _, pair := range a.victim.theirs(name) {
					asked++
					got, nothing := ask(pair[0]), ask(pair[1])
					// The id of a checkout is a secret of the browser that paid: it shows that the payment came, and no more.
					alike := !c.ofReaders(name) || c.path == "/fns/payment-status" && withoutRequestID(got) == signedOut
					if found := a.victim.shows(got); len(found) > 0 {
						t.Errorf("%s %s by %s with %s shows %v", c.method, c.path, who, name, found)
					}
					if !alike && (got.Status != nothing.Status || withoutRequestID(got) != withoutRequestID(nothing)) {
						t.Errorf("%s %s by %s: %s of another is %d %.200s, one of nobody is %d %.200s", c.method, c.path, who, name,
							got.Status, got.Body, nothing.Status, nothing.Body)
					}
					if !alike && got.Status < http.StatusBadRequest && !strings.Contains(got.Body, `"INVALID_HASH"`) &&
						!strings.Contains(got.Body, `"state":"unknown"`) {
						t.Errorf("%s %s by %s: %s of another is %d %.200s", c.method, c.path, who, name, got.Status, got.Body)
					}
					if after := a.state(a.victim.reader); after != before {
						t.Fatalf("%s %s by %s with %s has changed\n%s\nto\n%s", c.method, c.path, who, name, before, after)
					}
				}
			}
		}
	}
	if asked < 60 {
		t.Errorf("only %d things were asked for", asked)
	}
	ed, _ := a.app.registry.Get(a.id)
	for _, pattern := range ed.Routes.Paths() { // pages show what is whose too
		if !strings.Contains(pattern, "Id") && !strings.HasPrefix(pattern, "/payment") &&
			!strings.HasPrefix(pattern, "/account") {
			continue
		}
		for _, path := range pageAddresses(pattern, a.victim) {
			for _, b := range []*browser{a.attacker, a.away()} {
				for _, at := range []string{path, "/api/page?url=" + url.QueryEscape(path)} {
					r := b.get(at)
					for _, what := range a.victim.shows(r) {
						if what == "the address" || what == "the session" { // the others stand in the address that was asked for
							t.Errorf("%s shows %s", at, what)
						}
					}
				}
			}
		}
	}
	if own := a.victim.get("/fns/payment-status?session_id=" + a.victim.checkout); own.Status != http.StatusOK {
		t.Errorf("the payment is not even its payer's: %d %s", own.Status, own.Body)
	}
	if own := a.victim.get("/fns/user-can-read-article?user_hash=" + a.victim.handle); !strings.Contains(own.Body,
		`"success":true`) {
		t.Errorf("the record is not even its reader's: %d %s", own.Status, own.Body)
	}
}

// pageAddresses are addresses of a page with the victim's numbers in it.
func pageAddresses(pattern string, o *owner) (all []string) {
	for _, n := range []any{o.reader, o.session, o.comment, o.invoice} {
		path := routeParam.ReplaceAllString(pattern, fmt.Sprint(n))
		all = append(all, path+"?session_id="+url.QueryEscape(o.checkout)+"&user_id="+fmt.Sprint(o.reader)+
			"&user_hash="+o.handle)
	}
	return all
}

// ofReaders reports whether what a name of this call leads to belongs to a reader, and not to everybody.
func (c operation) ofReaders(name string) bool {
	return slices.Contains([]string{
		"user_id", "reader_id", "user_hash", "user_token", "session_id", "commentId",
		"invoiceId",
	}, name) || strings.HasPrefix(c.path, "/user/")
}

// hostile are requests that a browser sends for another site's page, or that no browser of these years sends at all.
var hostile = []struct {
	name   string
	media  string
	header map[string]string // "" takes a header away
}{
	{
		"another site's form", "application/x-www-form-urlencoded",
		map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
	},
	{
		"another site's form, of an old browser", "application/x-www-form-urlencoded",
		map[string]string{"Origin": "https://evil.example"},
	},
	{"a form of a sandboxed page", "application/x-www-form-urlencoded", map[string]string{"Origin": "null"}},
	{
		"a form of a neighbour's host", "application/x-www-form-urlencoded",
		map[string]string{"Origin": "http://www.sk.localhost", "Sec-Fetch-Site": "same-site"},
	},
	{
		"a form of a host that begins alike", "application/x-www-form-urlencoded",
		map[string]string{"Origin": "http://sk.localhost.evil.example"},
	},
	{"a form of nowhere", "application/x-www-form-urlencoded", map[string]string{"Origin": ""}},
	{
		"a form of nowhere, with a referrer", "application/x-www-form-urlencoded",
		map[string]string{"Origin": "", "Referer": "https://evil.example/"},
	},
	{
		"another site's upload", "multipart/form-data; boundary=b",
		map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
	},
	{"an upload of nowhere", "multipart/form-data; boundary=b", map[string]string{"Origin": ""}},
	{
		"another site's text that is JSON", "text/plain",
		map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
	},
	{"text that is JSON, of nowhere", "text/plain", map[string]string{"Origin": ""}},
	{"what has no media type, of nowhere", "", map[string]string{"Origin": ""}},
	{"text whose media type cannot be read, of nowhere", "text/plain; application/json", map[string]string{"Origin": ""}},
	{
		"a form whose media type cannot be read, of nowhere", "application/x-www-form-urlencoded;;",
		map[string]string{"Origin": ""},
	},
	{
		"another site's script", "application/json",
		map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
	},
	{
		"another site's script that hides where it is", "application/json",
		map[string]string{"Origin": "", "Sec-Fetch-Site": "cross-site"},
	},
	{
		"a frame of another edition", "application/x-www-form-urlencoded",
		map[string]string{"Origin": "http://at.localhost", "Sec-Fetch-Site": "same-site"},
	},
}

// mailboxes may call from any page and from none: the mailbox itself presses an email's button to leave a list (RFC
// 8058), and the token of the email says who leaves.
const mailboxes = "/fns/newsletters/leave"

// Every call that changes something, in every way in which another site can make a browser send it with the reader's
// cookies or without: refused, and nothing is changed. So is its address with GET.
func (a *target) callFromElsewhere(t *testing.T) {
	before := a.state(a.victim.reader)
	sent, posts := 0, map[string]bool{}
	for _, r := range a.app.engine.Routes() {
		if r.Method == http.MethodGet || r.Method == http.MethodHead || strings.HasPrefix(r.Path, "/webhooks/") ||
			r.Path == "/fns/csp-report" {
			continue
		}
		posts[r.Path] = true
	}
	for _, c := range a.calls() {
		route := ginPath(c.path)
		if c.method == http.MethodGet || !posts[route] {
			continue
		}
		delete(posts, route)
		path, body := c.request(func(name string) (any, bool) {
			v, ok := map[string]any{
				"email": a.victim.address, "commentId": a.victim.comment, "articleId": 1,
				"id": a.victim.session, "user_id": a.victim.reader, "code": "123456", "consent": "all",
			}[name]
			return v, ok
		})
		for _, h := range hostile {
			if c.path == mailboxes {
				continue
			}
			for _, b := range []*browser{a.copyOf(a.victim.browser), a.away()} { // with its cookies, and to log it in
				for name, value := range h.header {
					if b.header[name] = []string{value}; value == "" {
						b.header[name] = nil
					}
				}
				text := asJSON(t, body)
				if strings.Contains(h.media, "form") {
					text = asForm(body).Encode()
				}
				r := b.do(c.method, path, h.media, text)
				sent++
				if r.Status != http.StatusForbidden && r.Status != http.StatusUnsupportedMediaType &&
					r.Status != http.StatusMethodNotAllowed {
					t.Errorf("%s %s by %s: %d %.200s", c.method, path, h.name, r.Status, r.Body)
				}
				if got := r.Header.Values("Set-Cookie"); len(got) > 0 {
					t.Errorf("%s %s by %s sets %v", c.method, path, h.name, got)
				}
			}
		}
		// Text that is JSON is no JSON from our own pages either: only so is a preflight certain.
		if c.path != "/api/logout" && c.path != mailboxes { // which read no body
			if r := a.copyOf(a.victim.browser).do(c.method, path, "text/plain",
				asJSON(t, body)); r.Status < http.StatusBadRequest {
				t.Errorf("%s %s takes text for JSON: %d %.200s", c.method, path, r.Status, r.Body)
			}
		}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			b := a.copyOf(a.victim.browser)
			b.header.Set("X-HTTP-Method-Override", c.method)
			b.header.Set("X-Method-Override", c.method)
			separator := "?"
			if strings.Contains(path, "?") {
				separator = "&"
			}
			got := b.do(method, path+separator+"_method="+c.method+"&"+asForm(body).Encode(), "", "")
			// An address with a number may be an old one of an article; it is no call in any case.
			if item := a.doc.Paths.Value(c.path); item.Get == nil && got.Status < http.StatusMultipleChoices {
				t.Errorf("%s %s: %d %.200s", method, path, got.Status, got.Body)
			}
		}
		if c.path == "/api/logout" && a.victim.who() != a.victim.address {
			t.Fatal("the reader was logged out")
		}
		if after := a.state(a.victim.reader); after != before {
			t.Fatalf("%s %s has changed\n%s\nto\n%s", c.method, path, before, after)
		}
	}
	if len(posts) > 0 {
		t.Errorf("nobody has attacked %v", posts)
	}
	if sent < 500 {
		t.Errorf("only %d requests were sent", sent)
	}
}

// ginPath is a path of the description as the router has it.
func ginPath(path string) string {
	return regexp.MustCompile(`\{(\w+)\}`).ReplaceAllString(path, ":$1")
}

// providers are where the payment provider's own pages lead a reader back to: another site, after which the provider is
// asked how the subscription stands. Whoever leads there makes the truth known earlier, and nothing else.
var providers = map[string]bool{"/fns/billing-portal/back": true}

// No address that a picture or a link of another site can lead to changes anything for the reader whose cookies go
// along, though reading goes on.
func (a *target) lookFromElsewhere(t *testing.T) {
	before := a.state(a.victim.reader)
	b := a.copyOf(a.victim.browser)
	b.header.Set("Sec-Fetch-Site", "cross-site")
	b.header.Set("Referer", "https://evil.example/")
	for _, c := range a.calls() {
		if c.method != http.MethodGet || strings.HasSuffix(c.path, "/live") || providers[c.path] {
			continue
		}
		path, _ := c.request(func(name string) (any, bool) {
			v, ok := map[string]any{
				"url": "/account/logout", "is_logout": true, "id": 999, "email": a.victim.address,
				"user_hash": a.victim.handle, "session_id": a.victim.checkout,
			}[name]
			return v, ok
		})
		r := b.get(path)
		if strings.Contains(path, "is_logout") && r.Status != http.StatusForbidden {
			t.Errorf("%s: %d", path, r.Status)
		}
		if after := a.state(a.victim.reader); after != before {
			t.Fatalf("%s has changed\n%s\nto\n%s", path, before, after)
		}
		if a.victim.who() != a.victim.address {
			t.Fatalf("%s has logged the reader out", path)
		}
	}
	ed, _ := a.app.registry.Get(a.id)
	b.get(ed.Href(edition.Logout))
	if a.victim.who() != a.victim.address {
		t.Error("the page of logging out logs out by being looked at")
	}
}

// An email's link to leave is looked at by scanners; only the mailbox's POST leaves.
func (a *target) leaveByLooking(t *testing.T) {
	if r := a.victim.post("/fns/newsletters/settings",
		map[string]any{"lists": []string{"breaking"}}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if out, err := a.command("newsletter", "send", "breaking", "--edition", a.id, "--post", "1"); err != nil {
		t.Fatal(err, out)
	}
	m := a.from(a.id, a.victim.address, mailboxes)
	path := strings.Trim(strings.TrimPrefix(strings.Trim(m.Headers["List-Unsubscribe"][0], "<>"), a.attacker.origin), " ")
	if got := m.Headers["List-Unsubscribe-Post"]; len(got) != 1 || got[0] != "List-Unsubscribe=One-Click" {
		t.Errorf("List-Unsubscribe-Post: %v", got)
	}
	wants := func() (n int) {
		a.scan("SELECT count(*) FROM newsletter_subscriptions", &n)
		return n
	}
	before, scanner := wants(), a.away()
	for range 20 {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			r := scanner.do(method, path, "", "")
			if to := r.Header.Get("Location"); to != "" {
				scanner.do(method, to, "", "")
			}
		}
	}
	if got := wants(); got != before || before == 0 {
		t.Fatalf("%d of %d subscriptions are left after looking", got, before)
	}
	mailbox := a.away()
	mailbox.header["Origin"] = nil
	if r := mailbox.do(http.MethodPost, path, "application/x-www-form-urlencoded",
		"List-Unsubscribe=One-Click"); r.Status != http.StatusOK || len(r.Header.Values("Set-Cookie")) > 0 {
		t.Errorf("the mailbox's button: %d %s", r.Status, r.Body)
	}
	if got := wants(); got != before-1 {
		t.Errorf("%d of %d subscriptions are left after one click", got, before)
	}
}
