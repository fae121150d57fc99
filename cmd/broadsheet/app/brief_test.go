package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/paywall"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
)

// countingMail is a mail server that outlives the paper, and counts.
type countingMail struct {
	mu     sync.Mutex
	got    map[string]int // emails, by recipient
	ids    map[string]bool
	total  int
	sample string
	wait   time.Duration
}

type countingSession struct {
	c  *countingMail
	to string
}

func (c *countingMail) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &countingSession{c: c}, nil
}

func (s *countingSession) Mail(string, *smtp.MailOptions) error      { return nil }
func (s *countingSession) Rcpt(to string, _ *smtp.RcptOptions) error { s.to = to; return nil }
func (s *countingSession) Reset()                                    {}
func (s *countingSession) Logout() error                             { return nil }
func (s *countingSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	time.Sleep(s.c.wait)
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.c.got[s.to]++
	s.c.ids[m.Header.Get("Message-ID")] = true
	s.c.total++
	s.c.sample = string(raw)
	return nil
}

func (c *countingMail) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

func newCounter(t testing.TB, wait time.Duration) (c *countingMail, url string) {
	t.Helper()
	c = &countingMail{got: map[string]int{}, ids: map[string]bool{}, wait: wait}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(c)
	server.ErrorLog = log.New(io.Discard, "", 0) // a paper that is killed says no good-bye
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return c, "smtp://" + l.Addr().String()
}

// subscribers writes articles and n readers of the brief into the first edition of a running paper.
func (p *process) subscribers(n int) {
	p.t.Helper()
	cfg, err := config.Load("")
	if err != nil {
		p.t.Fatal(err)
	}
	cfg.Data.Dir = p.dir
	d, _, stop, err := OpenDatabase(context.Background(), cfg, &clock.Clock{}, db.Options{MaxConns: 2})
	if err != nil {
		p.t.Fatal(err)
	}
	defer stop()
	editions := edition.NewRegistry(d, "http://{host}", slog.Default())
	if err := editions.Load(context.Background()); err != nil {
		p.t.Fatal(err)
	}
	ed, _ := editions.Get("standard")
	ctx, posts := edition.With(context.Background(), ed), content.New(content.Deps{DB: d, Preview: paywall.Preview})
	if _, err := posts.SaveAuthor(ctx, catalog.Author{Slug: "jana", Name: "Jana"}); err != nil {
		p.t.Fatal(err)
	}
	var drafts []content.Draft
	for i := range 12 {
		drafts = append(drafts, content.Draft{
			Source: "test", SourceID: fmt.Sprint(i), Type: post.TypeArticle, Status: post.StatusPublished,
			Slug: fmt.Sprint("a-", i), Locked: i%2 == 0,
			Title: fmt.Sprintf("Titulok číslo %d, ktorý má dĺžku skutočného titulku", i), Excerpt: strings.Repeat("Perex. ", 20),
			Body:       strings.Repeat("<p>HIDDEN text</p>", 8),
			Categories: []string{"politika"}, Authors: []string{"jana"}, Published: time.Now().
					Add(-time.Duration(i+1) * time.Millisecond),
		})
	}
	if _, err := posts.SavePosts(ctx, drafts); err != nil {
		p.t.Fatal(err)
	}
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.NewRaw("INSERT INTO newsletter_subscribers (email, created_at, confirmed_at) SELECT 'reader' || i "+
			"|| '@example.org', ?0, ?0 FROM generate_series(1, ?1) i", tx.Now, n).Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewRaw("INSERT INTO newsletter_subscriptions (subscriber_id, list, since) SELECT id, 'morning', ? "+
			"FROM newsletter_subscribers", tx.Now).Exec(ctx)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// nextHour is when it is that hour next: of the same day, if that is still to come.
func nextHour(now time.Time, hour int) time.Time {
	next := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	if !next.After(now) {
		return next.AddDate(0, 0, 1)
	}
	return next
}

// toMorning moves the paper's clock to a little after the next six o'clock of its edition.
func (p *process) toMorning(b *browser) {
	p.t.Helper()
	zone, err := time.LoadLocation("Europe/Bratislava")
	if err != nil {
		p.t.Fatal(err)
	}
	now := time.Now().In(zone)
	if r := b.post("/_dev/clock",
		map[string]string{"advance": nextHour(now, 6).Add(time.Minute).Sub(now).Round(time.Second).String()}); r.Status !=
		http.StatusOK {
		p.t.Fatalf("moving the clock: %d %s", r.Status, r.Body)
	}
}

// pass moves the clock that a paper finds when it starts.
func (p *process) pass(d time.Duration) {
	p.t.Helper()
	file := filepath.Join(p.dir, "clock")
	b, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	by, err := time.ParseDuration(string(b))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte((by + d).String()), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// memory is what the process holds now and the most that it held, in MiB.
func (p *process) memory() (now, peak float64) {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, 0 // only Linux tells
	}
	for name, into := range map[string]*float64{"VmRSS:": &now, "VmHWM:": &peak} {
		_, words, _ := strings.Cut(string(status), name)
		if _, err := fmt.Sscan(words, into); err != nil {
			p.t.Fatal(err)
		}
		*into /= 1024
	}
	return now, peak
}

// briefResult is how an issue went out.
type briefResult struct {
	took              time.Duration
	early, late, peak float64 // MiB
}

// runBrief sends the morning brief to n readers while the paper is killed twice and its Redis is emptied once, and
// holds that each of them got it once. pass may let time pass for a paper that is dead; with killed, the paper dies a
// third time when Redis is emptied.
func runBrief(t testing.TB, n int, wait time.Duration, pass func(*process), killed bool) (s briefResult) {
	server, err := redis.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	office, mailURL := newCounter(t, wait)
	p := &process{
		t: t, dir: dataFolder(t), port: testkit.FreePort(t),
		env: []string{"BROADSHEET_REDIS_URL=" + server.URL(), "BROADSHEET_MAIL_URL=" + mailURL},
	}
	p.apart()
	c := openRedisQueue(t, server.URL())
	p.start()
	b := p.browser()
	p.subscribers(n)
	p.toMorning(b)
	begun := time.Now()
	measure := func(into *float64) {
		now, peak := p.memory()
		*into, s.peak = now, max(s.peak, peak)
	}
	reach := func(part int) {
		for office.count() < n*part/10 {
			if time.Since(begun) > 10*time.Minute {
				t.Fatalf("%d of %d emails in ten minutes", office.count(), n)
			}
			time.Sleep(time.Millisecond)
		}
	}
	// kill ends the paper while the server has its next email in hand: not in the instant between two writes in which an
	// email to many is missed rather than doubled (db.Ahead).
	kill := func() {
		office.mu.Lock()
		defer office.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		p.kill()
	}
	reach(2)
	measure(&s.early)
	kill()
	pass(p)
	p.start()
	reach(4)
	kill()
	pass(p)
	p.start()
	reach(6)
	if killed {
		kill()
		c.flush()
		p.pass(15 * time.Minute) // longer than a third hand-over is waited for
		p.start()
	} else {
		c.flush()
	}
	reach(9)
	measure(&s.late)
	for done := false; !done; time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > 10*time.Minute {
			t.Fatalf("%d of %d emails in ten minutes", office.count(), n)
		}
		done = true
		for _, w := range p.undone() {
			done = done && w.Event != string(event.NewsletterBatch) && w.Event != string(event.NewsletterDue)
		}
	}
	s.took = time.Since(begun)
	office.mu.Lock()
	defer office.mu.Unlock()
	missing, doubled := 0, 0
	for i := range n {
		switch office.got[fmt.Sprintf("reader%d@example.org", i+1)] {
		case 0:
			missing++
		case 1:
		default:
			doubled++
		}
	}
	if doubled > 0 || missing > 0 || len(office.ids) != n {
		t.Errorf("of %d readers %d got no brief and %d got several; %d emails, %d Message-IDs", n, missing, doubled,
			office.total, len(office.ids))
	}
	if strings.Contains(office.sample, "HIDDEN") ||
		!strings.Contains(office.sample, "List-Unsubscribe-Post: List-Unsubscribe=One-Click") {
		t.Errorf("a brief that is not one:\n%.3000s", office.sample)
	}
	return s
}

// apart gives the paper a database that does not die with it, as in production.
func (p *process) apart() {
	p.t.Helper()
	ctx := context.Background()
	pg, err := postgres.Start(ctx, postgres.Options{Dir: p.dir})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = pg.Stop(ctx) })
	if err := pg.EnsureDatabase(ctx, database); err != nil {
		p.t.Fatal(err)
	}
	p.env = append(p.env, "BROADSHEET_DATABASE_URL="+pg.DSN(database),
		"BROADSHEET_SECRET=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b")
}

// The morning brief comes once to every reader, whenever the paper dies and whatever Redis forgets.
func TestTheBriefComesOnce(t *testing.T) {
	t.Parallel()
	// Claims are not waited for: they run out while the paper is dead, since the clock of one that lives is not to jump
	// over them.
	pass := func(p *process) { p.pass(2 * time.Minute) }
	s := runBrief(t, 300, 12*time.Millisecond, pass, true)
	t.Logf("sent in %v, %.0f MiB at most", s.took.Round(time.Millisecond), s.peak)
}

// BenchmarkBrief sends the brief to ten thousand readers through two kills and a flush of Redis, without moving the
// clock.
func BenchmarkBrief(b *testing.B) {
	for range b.N {
		s := runBrief(b, 10_000, 0, func(*process) {}, false)
		b.ReportMetric(s.took.Seconds(), "s")
		b.ReportMetric(10_000/s.took.Seconds(), "emails/s")
		b.ReportMetric(s.early, "early-MiB")
		b.ReportMetric(s.late, "late-MiB")
		b.ReportMetric(s.peak, "peak-MiB")
	}
}
