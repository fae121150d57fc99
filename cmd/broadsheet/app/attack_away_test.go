package app

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// foreignReturns are ways back that have led browsers off a site or into a script: all that browsers forgive in an
// address, around one host of somebody else.
func foreignReturns() (all []string) {
	for _, slashes := range []string{
		"//", "///", "////", `/\`, `\/`, `\\`, `/\/`, "/%5c", "/%2f", "/%2F%2F", "/%255c",
		"/%252f", "/\t/", "/\n/", "/\r\n/", "/%09/", "/%0a/", "/%0d%0a/", "/ /", "/\x00/", "/./", "/.//", "/..//", "/a/..//",
		"/%2e%2e//", "/%2e/%2f", "/;//", "/\u2028/", "/\u00a0/", "/\u0085/",
	} {
		all = append(all, slashes+"evil.example", slashes+"evil.example/%2e%2e")
	}
	for _, scheme := range []string{
		"https:", "http:", "HTTPS:", "https:/", "https:///", `https:\\`,
		"https://sk.localhost@", "//sk.localhost@", "//sk.localhost%40", "https://sk.localhost.", "//sk.localhost.", "ftp://",
		"ws://", "view-source:https://", " https://", "\thttps://", "\x01https://", "//\t", "//user:pass@",
		"//evil%E3%80%82example/", "//xn--evil-", "http://[::ffff:203.0.113.1]#",
	} {
		all = append(all, scheme+"evil.example")
	}
	return append(all, "javascript:alert(1)//evil.example", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)",
		"java\nscript:alert(1)", "\x01javascript:alert(1)", " javascript:alert(1)", "javascript://evil.example/%0aalert(1)",
		"data:text/html,<script>alert(1)</script>", "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
		"vbscript:alert(1)", "blob:https://evil.example/1", "file:///etc/passwd", `/"><script>alert(1)</script>`,
		"/' onfocus=alert(1) autofocus x='", "/%0d%0aLocation:%20https://evil.example", "/\r\nLocation: https://evil.example",
		"/%0d%0aSet-Cookie:evil=1", "/\r\nSet-Cookie: evil=1")
}

// resolveAddress is where a browser goes that follows an address on a page of ours: it drops white space around and
// line breaks within, and takes backslashes for slashes.
func resolveAddress(origin, address string) string {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	before, query, asked := strings.Cut(address, "?")
	if i := strings.IndexByte(before, '#'); i >= 0 {
		before, asked = before[:i], false
	}
	address = strings.ReplaceAll(before, `\`, "/")
	if asked {
		address += "?" + query
	}
	for strings.HasPrefix(address, "///") {
		address = address[1:]
	}
	base, err := url.Parse(origin + "/account/login")
	if err != nil {
		return err.Error()
	}
	to, err := base.Parse(address)
	if err != nil {
		return "no address: " + err.Error()
	}
	return to.Scheme + "://" + to.Host
}

// away names what in an answer leads to the lure's site or into a script: a header, a member of the JSON, or an
// attribute.
func (b *browser) away(r response) (found []string) {
	check := func(where, address string) {
		to := resolveAddress(b.origin, address)
		if !strings.HasPrefix(to, "http") && !strings.HasPrefix(to, "mailto:") || strings.Contains(to, "evil") ||
			strings.HasPrefix(to, "no address") {
			found = append(found, where+" "+address+" → "+to)
		}
	}
	for _, to := range r.Header.Values("Location") {
		if resolveAddress(b.origin, to) != b.origin {
			found = append(found, "Location "+to)
		}
	}
	if strings.Contains(fmt.Sprint(r.Header.Values("Set-Cookie"), r.Header.Values("Refresh")), "evil") {
		found = append(found, fmt.Sprint("headers ", r.Header))
	}
	for _, m := range regexp.MustCompile(`"(?:redirect|referrer)":"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(r.Body, -1) {
		check("member", strings.NewReplacer(`\u0026`, "&", `\\`, `\`, `\u003c`, "<", `\u003e`, ">").Replace(m[1]))
	}
	if !strings.Contains(r.Header.Get("Content-Type"), "html") {
		return found
	}
	z := html.NewTokenizer(strings.NewReader(r.Body))
	for z.Next() != html.ErrorToken {
		tok := z.Token()
		attributes := map[string]string{}
		for _, at := range tok.Attr {
			attributes[at.Key] = at.Val
		}
		for key, value := range attributes {
			if strings.HasPrefix(key, "on") {
				found = append(found, key+"="+value)
			}
			if key == "href" || key == "src" || key == "action" || key == "formaction" {
				check(key, value)
			}
		}
		if name := attributes["name"]; tok.Data == "input" &&
			(name == "referrer" || name == "back" || name == "next" || name == "return") {
			check("field "+name, attributes["value"])
		}
		if tok.Data == "script" && strings.Contains(r.Body, "<script>alert(1)") {
			found = append(found, "a script")
		}
	}
	return found
}

// ways are the names under which calls and pages take the place to go back to, and those by which others do.
var ways = []string{
	"referrer", "back", "next", "return", "return_to", "return_url", "redirect", "redirect_uri", "url",
	"continue", "goto", "to",
}

// Wherever an address is taken that a reader is led to afterwards, no lure leads off the paper: not by a page's query,
// not by a call's members, not by a form, not by the header that names the page before.
func (a *target) leadAway(t *testing.T) {
	baits := foreignReturns()
	if len(baits) < 60 {
		t.Fatalf("%d lures", len(baits))
	}
	ed, _ := a.app.registry.Get(a.id)
	a.next(time.Hour)
	visitor := a.away()
	report := func(where, bait string, b *browser, r response) {
		t.Helper()
		if r.Status >= http.StatusInternalServerError {
			t.Errorf("%s with %q: %d", where, bait, r.Status)
		}
		for _, f := range b.away(r) {
			t.Errorf("%s with %q: %s", where, bait, f)
		}
	}
	query := func(bait string) string {
		q := url.Values{
			"status": {"PAYMENT_SUCCESS"}, "type": {"thankyou-login"}, "email": {"a@example.org"},
			"product_type": {"product_monthly"},
		}
		for _, w := range ways {
			q.Set(w, bait)
		}
		return "?" + q.Encode()
	}
	still := map[string]bool{} // calls that lead nowhere at all
	for i, bait := range baits {
		report("an address that is tidied", bait, visitor, visitor.get("/account/login/"+query(bait)))
		if i%3 == 0 { // documents are made of the same data, and take longer
			report("/account/login", bait, visitor, visitor.get("/account/login"+query(bait)))
			report("/account of a reader", bait, a.attacker, a.attacker.get("/account"+query(bait)))
		}
		for _, path := range []string{
			"/account/login", "/account/registration", "/account/sent", "/account",
			"/payment/success", "/search", "/account/consent", ed.DiscussionPath(1),
		} {
			at := "/api/page?url=" + url.QueryEscape(path+query(bait))
			report("the data of "+path, bait, visitor, visitor.get(at))
			report("the data of "+path+" of a reader", bait, a.attacker, a.attacker.get(at))
		}
		report("a page's data", bait, visitor, visitor.get("/api/page?url="+url.QueryEscape(bait)))
		sender := a.away()
		for _, b := range []*browser{sender, a.attacker} {
			b.header.Set("Referer", strings.Map(func(r rune) rune {
				if r < ' ' || r == 0x7f {
					return -1
				}
				return r
			}, bait))
		}
		for _, c := range a.calls() {
			if c.method == http.MethodGet || still[c.path] || c.path == "/api/logout" ||
				strings.HasSuffix(c.path, "/sessions/end") {
				continue
			}
			path, body := c.request(func(name string) (any, bool) {
				v, ok := map[string]any{
					"email": "lured", "consent": "necessary", "code": "12", "commentId": 987654, "articleId": 1,
					"product_type": "none",
				}[name]
				return v, ok
			})
			for _, w := range ways {
				body[w] = bait
			}
			leads := false
			for who, b := range map[string]*browser{"a visitor": sender, "a reader": a.attacker} {
				r := b.form(path, asForm(body))
				leads = leads || r.Header.Get("Location") != "" || strings.Contains(r.Body, "redirect")
				report("the form of "+c.path+" by "+who, bait, b, r)
				if to := r.Header.Get("Location"); i%10 == 0 && strings.HasPrefix(to, "/account/login") {
					report("the page after "+c.path, bait, b, b.get(to))
				}
			}
			still[c.path] = !leads
		}
	}
	a.attacker.header.Del("Referer")
	if len(still) < 10 {
		t.Errorf("%d calls were asked", len(still))
	}
}

// The mail of a login keeps the way back too; what it leads to is the paper.
func (a *target) leadAwayByMail(t *testing.T) {
	for i, bait := range foreignReturns() {
		if i%8 != 0 {
			continue
		}
		b, address, asked := a.away(), fmt.Sprintf("lured-%d@example.org", i), time.Now().Add(-time.Millisecond)
		if r := b.post("/fns/user-login",
			map[string]any{
				"payload": map[string]string{"email": address, "referrer": bait},
				"type":    "login",
			}); r.Status != http.StatusOK || len(b.away(r)) > 0 {
			t.Errorf("%q: %d %s", bait, r.Status, r.Body)
		}
		code, hash := canaries{}.rememberEmail(a.mailWithCode(address, asked))
		for _, r := range []response{
			a.away().post("/api/security-login", map[string]any{"user_hash": hash, "confirm": true, "referrer": bait}),
			b.post("/api/login-code-validation", map[string]string{"email": address, "code": code, "referrer": bait}),
		} {
			if found := b.away(r); len(found) > 0 || r.Status != http.StatusOK {
				t.Errorf("%q: %d %v", bait, r.Status, found)
			}
		}
	}
}

// raw sends bytes as they are: what no client library would.
func (a *target) raw(t *testing.T, request string) response {
	t.Helper()
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).Dial("tcp", "127.0.0.1:"+a.port)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // read to the end
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	defer res.Body.Close() //nolint:errcheck // read to the end
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{res.StatusCode, res.Header, string(body)}
}

// An address that is tidied, or that is an old one, is tidied within the paper, whatever it begins with.
func (a *target) leadAwayByPath(t *testing.T) {
	b := a.away()
	host := strings.TrimPrefix(b.origin, "http://")
	for _, bait := range foreignReturns() {
		line, _, _ := strings.Cut(bait, "?")
		if strings.ContainsFunc(line, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			continue // no request line
		}
		for _, end := range []string{"/", "//"} { // only these are tidied
			path := line + end
			if !strings.HasPrefix(path, "/") {
				path = "/" + path
			}
			r := a.raw(t, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if to := r.Header.Get("Location"); to != "" && resolveAddress(b.origin, to) != b.origin {
				t.Errorf("%s leads to %s", path, to)
			}
		}
	}
	a.leadAwayByMail(t)
}

// claimed are headers that say the paper were at another host; the own name stands for %s.
var claimed = []struct {
	name, line, headers string
	answered            bool // as the edition
}{
	{"another host", "%p", "Host: evil.example", false},
	{"a host that begins alike", "%p", "Host: %h.evil.example", false},
	{"a host that ends alike", "%p", "Host: evil-%h", false},
	{"a port of another", "%p", "Host: %h:6666", true},
	{"capitals and a dot", "%p", "Host: %H.:6666", true},
	{"a forwarded host", "%p", "Host: %h\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: " +
		"https\r\nX-Forwarded-Port: 6666\r\nX-Forwarded-Prefix: //evil.example", true},
	{"hosts by other names", "%p", "Host: %h\r\nForwarded: host=evil.example;proto=https\r\nX-Host: " +
		"evil.example\r\nX-Forwarded-Server: evil.example\r\nX-Http-Host-Override: evil.example\r\nX-Original-Host: " +
		"evil.example", true},
	{"addresses by other names", "%p", "Host: %h\r\nX-Original-Url: http://evil.example/\r\nX-Rewrite-Url: " +
		"//evil.example/\r\nReferer: http://evil.example/", true},
	{"a whole address of another", "http://evil.example%p", "Host: %h", false},
	{"a whole address of ours", "http://%h%p", "Host: evil.example", true},
	{"two hosts", "%p", "Host: %h\r\nHost: evil.example", false},
	{"a host with a name before it", "%p", "Host: evil.example@%h", false},
	{"a host with a path", "%p", "Host: %h/evil.example", false},
}

// No header makes the paper write another host than its own: not into a page, a file, a redirect or an email.
func (a *target) claimHosts(t *testing.T) {
	b := a.away()
	ed, _ := a.app.registry.Get(a.id)
	host := ed.Hosts[0]
	paths := []string{
		"/", "/account/login/", "/383574", "/sitemap.xml", "/robots.txt", "/rss", "/article-true-0",
		"/account/login", "/api/page?url=/", "/.well-known/security.txt", "/opensearch.xml",
	}
	for i, c := range claimed {
		fit := func(s, path string) string {
			return strings.NewReplacer("%h", host, "%H", strings.ToUpper(host), "%p", path).Replace(s)
		}
		poisoned := func(where string, r response) {
			t.Helper()
			text := r.Body + fmt.Sprint(r.Header)
			for _, word := range []string{"evil", ":6666", "//" + strings.ToUpper(host)} {
				if strings.Contains(text, word) {
					at := strings.Index(text, word)
					t.Errorf("%s: %s has %q", c.name, where, text[max(0, at-80):min(len(text), at+80)])
				}
			}
		}
		for _, path := range paths {
			r := a.raw(t, "GET "+fit(c.line, path)+" HTTP/1.1\r\n"+fit(c.headers, path)+"\r\nConnection: close\r\n\r\n")
			poisoned(path, r)
			if (r.Status < http.StatusBadRequest || r.Status == http.StatusNotFound) != c.answered {
				t.Errorf("%s: %s is %d", c.name, path, r.Status)
			}
		}
		address, asked := fmt.Sprintf("host-%d@example.org", i), time.Now().Add(-time.Millisecond)
		body := asJSON(t, map[string]string{"email": address, "type": "login"})
		r := a.raw(t,
			fmt.Sprintf("POST %s HTTP/1.1\r\n%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: "+
				"close\r\n\r\n%s", fit(c.line, "/fns/user-login"), fit(c.headers, ""), len(body), body))
		poisoned("the call", r)
		if (r.Status == http.StatusOK) != c.answered {
			t.Errorf("%s: asking for a mail: %d %s", c.name, r.Status, r.Body)
		}
		if r.Status != http.StatusOK {
			continue
		}
		m := a.mailTo(address, asked)
		for _, found := range regexp.MustCompile(`https?://[^\s"<>]+`).FindAllString(m.Text+"\n"+m.HTML, -1) {
			if !strings.HasPrefix(found, b.origin+"/") && found != b.origin && !strings.HasPrefix(found, "http://www.w3.org/") {
				t.Errorf("%s: the email leads to %s", c.name, found)
			}
		}
		if !strings.Contains(m.Text, b.origin+"/security-check#hash=") {
			t.Errorf("%s: the email has no link: %s", c.name, m.Text)
		}
	}
}
