package billing

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit"
)

var yearSeed = flag.Uint64("year.seed", 2027, "what TestAYear draws its readers' days from")

// year is three papers with a payment provider, a mail server and a worker that is killed every week. Their one clock
// stands still but for the test.
type year struct {
	t       *testing.T
	rand    *rand.Rand
	clock   *clock.Clock
	box     *sandbox.Sandbox
	mail    *mailbox.Mailbox
	papers  []*env
	lives   []*life
	place   workplace
	worker  *process
	kills   int // of workers in the midst of something
	jobs    int
	extra   int // copies of emails
	checked int // answers about access that were compared
}

// The days of the test, and when in each day (UTC) the clock stands. The second is in the next day of all papers, and
// on the last one in their next year.
const yearDays = 381

var (
	firstDay   = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	timesOfDay = []time.Duration{10*time.Hour + 50*time.Minute, 23*time.Hour + 20*time.Minute}
)

// yearEvents are what a shop's endpoint asks its provider for.
var yearEvents = append(slices.Clone(stripe.ChangeEvents), "checkout.session.completed", "checkout.session.expired")

func newYear(t *testing.T) *year {
	t.Helper()
	gin.SetMode(gin.TestMode)
	ctxs, d := testkit.Editions(t, testkit.MaxEditions, yearDocument)
	y := &year{t: t, rand: rand.New(rand.NewPCG(*yearSeed, 7)), clock: testkit.Clock(d)}
	y.clock.Stop(firstDay)
	var err error
	if y.box, err = sandbox.New(sandbox.Options{
		Dir: t.TempDir(), Clock: y.clock, Volatile: true,
		Retries: []time.Duration{},
	}); err != nil {
		t.Fatal(err)
	}
	if y.mail, err = mailbox.New(mailbox.Options{Keep: 100_000}); err != nil {
		t.Fatal(err)
	}
	hosted := httptest.NewServer(y.box.Handler())
	for _, ctx := range ctxs {
		p := &env{t: t, ctx: ctx, db: d, box: y.box, hosted: hosted}
		if p.ed, err = edition.From(ctx); err != nil {
			t.Fatal(err)
		}
		p.shop = p.module()
		p.site = httptest.NewServer(p.handler())
		if err := y.box.AddAccount(sandbox.Account{
			SecretKey: p.keys().SecretKey, Name: p.ed.Name, WebhookURL: p.site.URL + "/webhooks/stripe", WebhookSecret: p.keys().
					WebhookSecret, Events: yearEvents,
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.shop.Subscriptions.SyncPrices(ctx); err != nil {
			t.Fatal(err)
		}
		y.papers = append(y.papers, p)
		reader := int64(0)
		for k := range yearKinds {
			for range yearKinds[k].count {
				reader++
				at := firstDay.AddDate(0, 0, y.rand.IntN(yearKinds[k].last+1)).Add(timesOfDay[y.rand.IntN(len(timesOfDay))])
				if reader == 1 { // whose thirteenth renewal is in the first hour of the new year
					at = firstDay.Add(timesOfDay[1])
				}
				y.lives = append(y.lives, &life{env: p, year: y, reader: reader, kind: &yearKinds[k], from: at})
			}
		}
	}
	y.place = workplace{DSN: d.Config().ConnString(), API: y.box.BaseURL(), SMTP: y.mail.URL()}
	y.worker = y.hire()
	t.Cleanup(func() {
		y.worker.kill()
		if err := y.box.Close(); err != nil {
			t.Error(err)
		}
		hosted.Close()
		for _, p := range y.papers {
			p.site.Close()
		}
		if err := y.mail.Close(); err != nil {
			t.Error(err)
		}
	})
	return y
}

// process is a worker that runs on its own.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func (y *year) hire() *process {
	y.t.Helper()
	place, err := json.Marshal(y.place)
	if err != nil {
		y.t.Fatal(err)
	}
	p := &process{cmd: exec.CommandContext(context.WithoutCancel(y.t.Context()), os.Args[0])}
	p.cmd.Env, p.cmd.Stderr = append(os.Environ(), workplaceKey+"="+string(place)), os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		y.t.Fatal(err)
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		y.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		y.t.Fatal(err)
	}
	p.lines = bufio.NewScanner(out)
	p.lines.Buffer(nil, 1<<20)
	return p
}

// kill ends a worker as a power cut does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // it was killed
}

// order has the worker do what is due, and returns when it is idle. It is killed in the job of a number, if it gets
// there; 0: never.
func (y *year) order(most time.Duration, killIn int) (killed bool) {
	y.t.Helper()
	if _, err := fmt.Fprintln(y.worker.in, y.clock.Now().UnixNano(), int64(most)); err != nil {
		y.t.Fatal(err)
	}
	for n := 0; y.worker.lines.Scan(); {
		word, rest, _ := strings.Cut(y.worker.lines.Text(), " ")
		switch word {
		case "idle":
			return false
		case "error":
			y.t.Errorf("%s: the worker says %s", y.clock.Now().Format(time.DateTime), rest)
		case "job":
			y.jobs++
			if n++; n == killIn {
				time.Sleep(time.Duration(y.rand.IntN(6000)) * time.Microsecond) // somewhere in it, or in the next
				y.worker.kill()
				y.kills++
				y.worker = y.hire()
				return true
			}
		default:
			y.t.Errorf("the worker says %q", y.worker.lines.Text())
		}
	}
	y.t.Fatalf("%s: the worker has ended: %v", y.clock.Now().Format(time.DateTime), y.worker.lines.Err())
	return false
}

// at moves the clock, and the provider with it.
func (y *year) at(now time.Time) {
	y.t.Helper()
	y.clock.Stop(now)
	if err := y.box.Advance(now); err != nil {
		y.t.Fatal(err)
	}
}

// settle has everything done that is due now.
func (y *year) settle(most time.Duration, killIn int) {
	y.t.Helper()
	for round := 0; ; round++ {
		ctx, cancel := context.WithTimeout(y.t.Context(), time.Minute)
		err := y.box.Flush(ctx)
		cancel()
		if err != nil {
			y.t.Fatal(err)
		}
		if round > 0 && !y.open() {
			break
		}
		if round == 50 {
			y.t.Fatalf("%s: the outbox is never empty", y.clock.Now().Format(time.DateTime))
		}
		if y.order(most, killIn) {
			y.at(y.clock.Now().Add(2 * time.Minute)) // what the dead one held is free again
		} else if round > 0 {
			most = 0
		}
		killIn = 0
	}
}

// open reports whether something is due in an outbox.
func (y *year) open() bool {
	for _, p := range y.papers {
		if p.count("SELECT count(*) FROM outbox WHERE done_at IS NULL AND dead_at IS NULL AND next_at <= ?",
			y.clock.Now()) > 0 {
			return true
		}
	}
	return false
}

// messageTo is the text of an email with a code that a person has got from a paper.
func (y *year) messageTo(p *env, email string) string {
	for _, m := range y.mail.Messages() {
		if slices.Contains(m.To, email) && strings.Contains(m.From, p.ed.Mail.From) && codeShape.MatchString(m.Text) {
			return m.Text
		}
	}
	y.t.Fatalf("%s has no email of %s with a code", email, p.ed.ID)
	return ""
}

// A year of three hundred readers, day by day, through both changes of the hour and into the next year, with a worker
// that is killed every week: every email comes once, every payment has one invoice and every refund one credit note,
// everybody reads who has paid and nobody else, and the books are those of the provider.
func TestAYear(t *testing.T) {
	t.Parallel()
	y := newYear(t)
	t.Logf("seed %d (-year.seed)", *yearSeed)
	for day := range yearDays {
		for i, hour := range timesOfDay {
			now := firstDay.AddDate(0, 0, day).Add(hour)
			y.at(now)
			busy := y.act(now)
			most, killIn := time.Hour, 0
			if i > 0 {
				most = 15 * time.Minute
			}
			if i == 0 && day%7 == 6 {
				most, killIn = 24*time.Hour, 1+y.rand.IntN(6)
			}
			y.settle(most, killIn)
			y.access(day, busy)
		}
		if t.Failed() {
			t.Fatalf("after %s", firstDay.AddDate(0, 0, day).Format(time.DateOnly))
		}
	}
	y.messages()
	y.ledger()
	t.Logf("%d jobs, %d workers killed in the midst of one, %d emails, of which %d came once more, %d answers about "+
		"access", y.jobs, y.kills, len(y.mail.Messages()), y.extra, y.checked)
	if y.kills < 20 || y.checked < 5000 {
		t.Error("too little has happened to prove anything")
	}
}

// act has everybody do what they do now, and returns who has done something.
func (y *year) act(now time.Time) (busy []*life) {
	for _, l := range y.lives {
		for _, s := range l.kind.steps {
			if l.from.AddDate(0, 0, s.after).Equal(now) {
				s.do(l)
				busy = append(busy, l)
			}
		}
	}
	return busy
}

func (p *env) rows(list any, query string, args ...any) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query, args...).Scan(ctx, list) })
}
