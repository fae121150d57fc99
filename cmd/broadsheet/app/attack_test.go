package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/testkit/wait"
)

// target is a paper under attack: one edition, a reader whose things are to be had, and the reader who wants them.
type target struct {
	coupons int // that were made
	*testApp
	id       string
	doc      *openapi3.T
	pool     *bun.DB
	victim   *owner
	attacker *browser
	guard    *browser // of the discussions, once it is wanted
	networks int
}

// owner is a reader with something of everything.
type owner struct {
	*browser
	address, handle, token, checkout, invoice string
	reader, session, comment                  int64
}

// Whoever attacks the whole paper as a reader, as a visitor, from another site, from many networks or with a cache in
// front of it: gets nothing that is not theirs, and changes nothing. One paper for all, as it takes its time to start.
func TestAttacks(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(6, true)
	p.lockEverything()
	const id = "standard"
	pool, err := p.app.DB.Pool(id)
	if err != nil {
		t.Fatal(err)
	}
	a := &target{testApp: p, id: id, doc: apiDescription(t), pool: pool}
	a.victim = a.own("victim@example.org", "Viera.V")
	a.attacker = a.away()
	a.login(a.attacker, "attacker@example.org")
	for _, attack := range []struct {
		name string
		run  func(*target, *testing.T)
	}{
		{"scanners open an email's link to leave", (*target).leaveByLooking},
		{"a link is opened by machines", (*target).scanLinks},
		{"codes are guessed", (*target).guessCodes},
		{"one mail is used fifty times at once", (*target).useAtOnce},
		{"mails that are no good any more", (*target).useOldMails},
		{"addresses are harvested", (*target).harvest},
		{"what belongs to another reader", (*target).askForForeign},
		{"another site calls", (*target).callFromElsewhere},
		{"another site follows links", (*target).lookFromElsewhere},
		{"ways back that lead away", (*target).leadAway},
		{"paths that lead away", (*target).leadAwayByPath},
		{"a false host", (*target).claimHosts},
		{"a cache in front", (*target).readThroughCache},
		{"addresses that look like files", (*target).deceiveCaches},
		{"a session that was planted", (*target).plantSession},
		{"a session that is over", (*target).replaySession},
		{"a right that was taken away", (*target).keepRight},
	} {
		t.Run(attack.name, func(t *testing.T) { attack.run(a, t) })
	}
}

// away is a browser in a network of its own: all of 127/8 is this machine.
func (a *target) away() *browser {
	a.networks++
	return a.at(fmt.Sprintf("127.77.%d.%d", a.networks/250, 1+a.networks%250))
}

func (a *target) at(ip string) *browser {
	b := a.browser(a.id)
	d := &net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	b.client.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return d.DialContext(ctx, network, "127.0.0.1:"+a.port)
	}}
	return b
}

// own signs a reader in who pays, has a name and has written.
func (a *target) own(address, name string) *owner {
	a.t.Helper()
	o := &owner{browser: a.away(), address: address}
	a.login(o.browser, address)
	var mine struct {
		ID int64 `json:"user_id"`
	}
	o.get("/user/me/").json(a.t, &mine)
	o.reader = mine.ID
	buy(a.t, o.browser)
	wait.Until(a.t, "the subscription counts", func() bool { return subscribed(o.browser) })
	if r := o.post("/fns/user-comment-name", map[string]string{"comment_name": name}); r.Status != http.StatusOK {
		a.t.Fatalf("the name %s: %d %s", name, r.Status, r.Body)
	}
	o.comment = o.say(1, "Written by "+name)
	for n, v := range a.cookiesOf(o.browser) {
		switch n {
		case "logged_user":
			o.handle = v
		case "session":
			o.token = v
		}
	}
	a.scan("SELECT id FROM identity_sessions WHERE reader_id = ?", &o.session, o.reader)
	a.scan("SELECT session_id FROM billing_intents WHERE reader_id = ? ORDER BY id DESC LIMIT 1", &o.checkout, o.reader)
	a.scan("SELECT provider_id FROM billing_documents WHERE reader_id = ? ORDER BY id DESC LIMIT 1", &o.invoice, o.reader)
	return o
}

func (a *target) cookiesOf(b *browser) map[string]string {
	got := map[string]string{}
	u, _ := url.Parse(b.origin)
	for _, c := range b.client.Jar.Cookies(u) {
		got[c.Name] = c.Value
	}
	return got
}

// copyOf is another browser with the cookies of one: what a thief has.
func (a *target) copyOf(b *browser) *browser {
	thief := a.away()
	u, _ := url.Parse(b.origin)
	thief.client.Jar.SetCookies(u, b.client.Jar.Cookies(u))
	return thief
}

func (a *target) scan(query string, into any, args ...any) {
	a.t.Helper()
	if err := a.pool.NewRaw(query, args...).Scan(context.Background(), into); err != nil {
		a.t.Fatal(query, ": ", err)
	}
}

// state is a sum of every row that is a reader's, in whatever table it stands.
func (a *target) state(reader int64) string {
	a.t.Helper()
	var tables []string
	a.scan(`SELECT table_name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = `+
		`'reader_id' ORDER BY 1`, &tables)
	if len(tables) < 8 {
		a.t.Fatalf("readers have things in %v only", tables)
	}
	var parts []string
	for _, name := range tables {
		parts = append(parts, "SELECT '"+name+" ' || t::text AS line FROM "+name+" t WHERE reader_id = "+fmt.Sprint(reader))
	}
	parts = append(parts, "SELECT 'identity_readers ' || t::text FROM identity_readers t WHERE id = "+fmt.Sprint(reader))
	var lines []string
	a.scan(strings.Join(parts, " UNION ALL ")+" ORDER BY line", &lines)
	return strings.Join(lines, "\n")
}

// advance moves the clock of the paper.
func (a *target) advance(by time.Duration) {
	a.t.Helper()
	if r := a.browser(a.id).post("/_dev/clock", map[string]string{"advance": by.String()}); r.Status != http.StatusOK {
		a.t.Fatalf("%d %s", r.Status, r.Body)
	}
}

// next moves the clock to the beginning of the next hour or day: budgets are counted in such windows.
func (a *target) next(window time.Duration) {
	a.t.Helper()
	now := a.app.clock.Now()
	a.advance(now.Truncate(window).Add(window + time.Second).Sub(now).Round(time.Second))
}

// mailed asks for a login mail and returns what it carries.
func (a *target) mailed(b *browser, address string) (code, hash string) {
	a.t.Helper()
	asked := time.Now().Add(-time.Millisecond)
	if r := b.post("/fns/user-login",
		map[string]any{
			"payload": map[string]string{"email": address, "referrer": "/"},
			"type":    "login",
		}); r.Status != http.StatusOK {
		a.t.Fatalf("asking for a mail: %d %s", r.Status, r.Body)
	}
	return canaries{}.rememberEmail(a.mailWithCode(address, asked))
}

// login signs a reader in by a code that was mailed just now, not by one of the second before.
func (a *target) login(b *browser, address string) {
	a.t.Helper()
	code, _ := a.mailed(b, address)
	if refusal := b.enter(address, code); refusal != "" {
		a.t.Fatalf("%s is not signed in: %s", address, refusal)
	}
}

// enter types a code, open follows a link; both return the code of a refusal, "" for a session.
func (b *browser) enter(address, code string) string {
	b.t.Helper()
	return b.refusal(b.post("/api/login-code-validation",
		map[string]string{"email": address, "code": code, "referrer": "/", "type": "login"}))
}

func (b *browser) open(hash string) string {
	b.t.Helper()
	return b.refusal(b.post("/api/security-login", map[string]any{"user_hash": hash, "confirm": true}))
}

func (b *browser) refusal(r response) string {
	b.t.Helper()
	var a struct {
		Error string `json:"error"`
		Data  struct {
			Redirect string `json:"redirect"`
		} `json:"data"`
	}
	r.json(b.t, &a)
	session := slices.ContainsFunc(r.Header.Values("Set-Cookie"), func(c string) bool {
		return strings.HasPrefix(c, "session=")
	})
	if session != (r.Status == http.StatusOK) || session != (a.Error == "") || session != (a.Data.Redirect != "") {
		b.t.Errorf("%d %s with cookies %v", r.Status, r.Body, r.Header.Values("Set-Cookie"))
	}
	return a.Error
}

// who is the address of the reader that a browser is, "" for nobody.
func (b *browser) who() string {
	b.t.Helper()
	var me struct {
		Email string `json:"email"`
	}
	b.get("/user/me/").json(b.t, &me)
	return me.Email
}

// sessions is how many sessions an address has ever had.
func (a *target) sessions(address string) (n int) {
	a.t.Helper()
	a.scan("SELECT count(*) FROM identity_sessions s JOIN identity_readers r ON r.id = s.reader_id WHERE r.email = ?", &n,
		address)
	return n
}

// secrets are what nobody but a reader may see of them.
func (o *owner) secrets() map[string]string {
	return map[string]string{
		"the address": o.address, "the handle": o.handle, "the session": o.token,
		"the checkout": o.checkout,
	}
}

// shows names the secrets that an answer holds.
func (o *owner) shows(r response) (found []string) {
	text := r.Body + fmt.Sprint(r.Header)
	for what, secret := range o.secrets() {
		if strings.Contains(text, secret) || strings.Contains(text, url.QueryEscape(secret)) {
			found = append(found, what)
		}
	}
	return found
}
