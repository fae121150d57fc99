package app

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// several is two `serve` behind nginx with configs/nginx, and two `work`, on one Postgres and one Redis.
type several struct {
	*fleet
	serves, works []*member
	nginx         func() *http.Client
	ed            *edition.Edition
}

// newSeveral starts them, with further settings.
func newSeveral(t testing.TB, settings ...string) *several {
	t.Helper()
	s := &several{fleet: newFleetWith(t, fleetOptions{address: "https://{host}"})}
	s.publish(3, false)
	s.publish(3, true)
	s.ed, _ = s.app.registry.Get("standard")
	s.settings = append(s.settings, "BROADSHEET_WEB_TRUSTED_PROXIES=127.0.0.1", "BROADSHEET_RENDER_TIMEOUT=20s")
	s.settings = append(s.settings, settings...)
	for range 2 {
		s.serves = append(s.serves, s.member(t, "serve"))
		s.works = append(s.works, s.member(t, "work"))
	}
	s.nginx = exampleNginxFor(t, s.serves[0].site, s.serves[1].site)
	for _, m := range append(s.serves, s.works...) {
		m.ready()
	}
	return s
}

// reader is a browser of the edition, with a network of its own, that reaches nginx.
func (s *several) reader(network string) *browser {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	b := &browser{t: s.t, origin: s.ed.Origin, client: s.nginx()}
	b.header = http.Header{"User-Agent": {userAgent}, "X-Forwarded-For": {network}}
	b.client.Jar, b.client.CheckRedirect = jar, func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	return b
}

// straight asks one process what a proxy would ask of it.
type straight struct{ address string }

// RoundTrip implements http.RoundTripper.
func (s straight) RoundTrip(r *http.Request) (*http.Response, error) {
	inner := r.Clone(r.Context())
	inner.Host, inner.URL.Scheme, inner.URL.Host = r.URL.Host, "http", s.address
	return http.DefaultTransport.RoundTrip(inner)
}

// at is the same browser, with the same cookies, whose requests all come to one process.
func (b *browser) at(m *member) *browser {
	client := *b.client
	client.Transport = straight{m.site}
	return &browser{t: b.t, origin: b.origin, header: b.header, client: &client}
}

// soonerThan holds that a change shows sooner than a copy grows old by itself. Where the machine is so slow that this
// cannot be told, it is tried again.
func soonerThan(t *testing.T, copies time.Duration, round func(n int) (shows func() bool)) {
	t.Helper()
	var took time.Duration
	for n := range 5 {
		began := time.Now()
		wait.Until(t, "the change shows", round(n))
		if took = time.Since(began); took < copies {
			return
		}
	}
	t.Errorf("the change took %s, as long as copies live (%s)", took, copies)
}

// Two processes of each kind are one paper: what happens at one counts at the other.
func TestSeveralProcessesAreOnePaper(t *testing.T) {
	t.Parallel()
	clock := t.TempDir() + "/clock"
	s := newSeveral(t, clockFile+"="+clock)
	t.Run("a change is on all pages", s.changesShow)
	t.Run("what a job publishes is on all pages", s.publicationsShow)
	t.Run("a session counts everywhere, and ends everywhere", s.sessionsAreShared)
	t.Run("limits are common", s.limitsAreCommon)
	t.Run("a login is approved at another process", func(t *testing.T) { s.approvals(t, clock) })
	t.Run("streams hear of what happens elsewhere", s.streamsHear)
	t.Run("one worker keeps the time", s.oneKeepsTime)
}

// pagesLive is how long a page is given from memory when no notice comes.
const pagesLive = time.Minute

// everywhere reports whether both processes, and nginx for a reader, answer with a text.
func (s *several) everywhere(b *browser, path, text string) bool {
	for _, where := range []*browser{b, b.at(s.serves[0]), b.at(s.serves[1])} {
		if r, err := where.try(http.MethodGet, path, "", ""); err != nil || r.Status != http.StatusOK ||
			!strings.Contains(r.Body, text) {
			return false
		}
	}
	return true
}

// remember asks both until they answer from memory.
func (s *several) remember(t *testing.T, b *browser, path string) {
	t.Helper()
	for _, m := range s.serves {
		wait.Until(t, path+" is in memory", func() bool { return b.at(m).get(path).Header.Get("X-Cache") == "hit" })
	}
}

// save writes a post in the process of the test, which is a third one.
func (s *several) save(t *testing.T, change func(*content.Draft)) {
	t.Helper()
	d := s.articles(s.ed, 1, false)[0]
	change(&d)
	if _, err := s.app.content.SavePosts(edition.With(context.Background(), s.ed), []content.Draft{d}); err != nil {
		t.Fatal(err)
	}
}

func (s *several) changesShow(t *testing.T) {
	reader := s.reader("192.0.2.1")
	reader.header.Set("Cookie", "anything=1") // nginx keeps pages for those without cookies, for a minute
	const article = "/1/article-false-0"
	soonerThan(t, pagesLive, func(n int) func() bool {
		for _, path := range []string{article, "/"} {
			s.remember(t, reader, path)
		}
		title := fmt.Sprintf("Changed for the %dth time", n+4)
		s.save(t, func(d *content.Draft) { d.Title = title })
		return func() bool {
			return s.everywhere(reader, article, title) && s.everywhere(reader, "/", title)
		}
	})
}

func (s *several) publicationsShow(t *testing.T) {
	reader := s.reader("192.0.2.2")
	reader.header.Set("Cookie", "anything=1")
	soonerThan(t, pagesLive, func(n int) func() bool {
		title := fmt.Sprintf("Out at its hour %d", n)
		s.remember(t, reader, "/")
		s.save(t, func(d *content.Draft) {
			d.SourceID, d.Slug, d.Title = fmt.Sprint("due-", n), fmt.Sprint("due-", n), title
			d.Published = time.Now().Add(3 * time.Second)
		})
		return func() bool { return s.everywhere(reader, "/", title) }
	})
}

// isIn reports whether a browser is signed in, where its requests come to.
func (b *browser) isIn(address string) bool {
	r, err := b.try(http.MethodGet, "/user/me/", "", "")
	return err == nil && r.Status == http.StatusOK && strings.Contains(r.Body, address)
}

// sessionsLive is how long a process takes a session for valid when no notice comes.
const sessionsLive = 5 * time.Second

func (s *several) sessionsAreShared(t *testing.T) {
	first, second := s.serves[0], s.serves[1]
	soonerThan(t, sessionsLive, func(n int) func() bool {
		address := fmt.Sprintf("shared%d@example.org", n)
		b := s.reader(fmt.Sprintf("192.0.2.%d", 10+n))
		s.signIn(b.at(first), address)
		if !b.at(second).isIn(address) || !b.isIn(address) {
			t.Errorf("a session of one process is none of the other")
		}
		kept := s.reader("192.0.2.3") // a copy of the cookies, as logging out clears them
		for _, c := range cookies(b) {
			kept.header.Add("Cookie", c.String())
		}
		for _, m := range s.serves {
			if !kept.at(m).isIn(address) {
				t.Errorf("a copy of the cookies opens no session")
			}
		}
		if r := b.at(second).post("/api/logout", map[string]string{}); r.Status != http.StatusOK {
			t.Fatalf("logging out: %d %s", r.Status, r.Body)
		}
		return func() bool { return !kept.at(first).isIn(address) && !kept.at(second).isIn(address) }
	})
}

// A network may try thirty codes in five minutes, whichever process it asks.
func (s *several) limitsAreCommon(t *testing.T) {
	const window, most = 5 * time.Minute, 30
	for n := range 5 {
		b := s.reader(fmt.Sprintf("198.51.100.%d", n+1))
		began := time.Now().Truncate(window)
		compared := map[*member]int{}
		for i := range 2*most + 2 {
			m := s.serves[i%2]
			if b.at(m).enter(fmt.Sprintf("nobody-%d-%d@example.org", n, i), "123456") == "INVALID_CODE" {
				compared[m]++
			}
		}
		if !time.Now().Truncate(window).Equal(began) {
			continue // half of it counted against another window
		}
		if compared[s.serves[0]] != most/2 || compared[s.serves[1]] != most/2 {
			t.Errorf("a network has tried %d codes at one process and %d at the other, want %d at each",
				compared[s.serves[0]], compared[s.serves[1]], most/2)
		}
		return
	}
	t.Error("no five minutes were enough for one try")
}

// A reader who is signed in at one process answers a login that another one asks about.
func (s *several) approvals(t *testing.T, clock string) {
	const address = "approves@example.org"
	first, second := s.serves[0], s.serves[1]
	at := s.reader("192.0.2.4")
	s.signIn(at.at(first), address)
	stepClock(t, clock, 61*time.Second) // within a minute no second email is sent
	time.Sleep(200 * time.Millisecond)  // processes look at their clocks twenty times a second
	home := s.reader("192.0.2.5")
	if r := home.at(second).post("/fns/user-login", map[string]any{
		"payload": map[string]string{"email": address, "referrer": "/"}, "type": "login",
	}); r.Status != http.StatusOK {
		t.Fatalf("asking for a login: %d %s", r.Status, r.Body)
	}
	var waits struct {
		Status string
		Number int
	}
	home.at(second).post("/api/login-approval", map[string]string{}).json(t, &waits)
	if waits.Status != "pending" {
		t.Fatalf("a login that nobody has answered is %q", waits.Status)
	}
	var id int64
	attempts := s.ed.Schema + ".identity_login_attempts"
	if err := s.app.DB.Core().NewRaw("SELECT max(id) FROM "+attempts+" WHERE email = ?", address).
		Scan(t.Context(), &id); err != nil {
		t.Fatal(err)
	}
	if r := at.at(first).post("/fns/login-approval",
		map[string]any{"id": id, "approve": true, "number": waits.Number}); r.Status != http.StatusOK {
		t.Fatalf("approving: %d %s", r.Status, r.Body)
	}
	if r := home.at(second).post("/api/login-approval", map[string]string{}); r.Status != http.StatusOK ||
		!home.at(second).isIn(address) || !home.at(first).isIn(address) {
		t.Errorf("a login that was approved: %d %s", r.Status, r.Body)
	}
}
