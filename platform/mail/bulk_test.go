package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// sorting is a mail server that treats recipients differently, and counts who calls.
type sorting struct {
	mu    sync.Mutex
	got   map[string]int // emails taken, by recipient
	calls int
	rcpt  map[string]error
	data  map[string]error
	cut   map[string]bool // takes the email, and breaks the line instead of answering
	wait  time.Duration
}

type call struct {
	s    *sorting
	conn *smtp.Conn
	to   string
}

func (s *sorting) NewSession(c *smtp.Conn) (smtp.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return &call{s: s, conn: c}, nil
}

func (c *call) Mail(string, *smtp.MailOptions) error { return nil }
func (c *call) Reset()                               { c.to = "" }
func (c *call) Logout() error                        { return nil }
func (c *call) Rcpt(to string, _ *smtp.RcptOptions) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.to = to
	return c.s.rcpt[to]
}

func (c *call) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	if err != nil {
		return err
	}
	time.Sleep(c.s.wait)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if err := c.s.data[c.to]; err != nil {
		return err
	}
	c.s.got[c.to]++
	if c.s.cut[c.to] {
		return c.conn.Conn().Close()
	}
	return nil
}

func (s *sorting) arrived(n int) string { return fmt.Sprint(s.got[to(n)]) }

func to(n int) string { return fmt.Sprintf("r%d@reader.test", n) }

func sort(t *testing.T) (*sorting, string) {
	t.Helper()
	s := &sorting{got: map[string]int{}, rcpt: map[string]error{}, data: map[string]error{}, cut: map[string]bool{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(s)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return s, "smtp://" + l.Addr().String()
}

func toMany(n int) []Message {
	list := make([]Message, n)
	for i := range list {
		list[i] = Message{
			Kind: "newsletter", Key: fmt.Sprintf("newsletter:1:%d", i), To: to(i), Subject: "Ráno",
			Blocks: []Block{Story("Doma", "Titulok", "Perex", "", "https://sk.test/1")},
			List: &List{
				ID: "morning", Name: "Ráno", Leave: "https://sk.test/leave?token=x",
				Settings: "https://sk.test/settings?token=x",
			},
		}
	}
	return list
}

func TestBulk(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	server, url := sort(t)
	s := sender(t, d, url)
	server.rcpt[to(1)] = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	server.rcpt[to(2)] = &smtp.SMTPError{Code: 450, EnhancedCode: smtp.EnhancedCode{4, 2, 0}, Message: "busy"}
	server.data[to(3)] = &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "looks like spam"}
	server.data[to(4)] = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "later"}
	server.cut[to(5)] = true
	messages := toMany(10)
	messages[6].Subject = ""
	messages[7].ExpiresAt = d.Now().Add(-time.Minute)
	if err := s.Bulk(ctx, messages); err == nil || jobs.IsSkip(err) || errors.Is(err, ErrInFlight) ||
		strings.Contains(err.Error(), "@reader.test") {
		t.Errorf("first: %v", err)
	}
	server.rcpt, server.data, server.cut = map[string]error{}, map[string]error{}, map[string]bool{}
	for range 3 {
		if err := s.Bulk(ctx, messages); err != nil {
			t.Errorf("again: %v", err)
		}
	}
	for n, want := range []string{"1", "0", "1", "0", "1", "1", "0", "0", "1", "1"} {
		if got := server.arrived(n); got != want {
			t.Errorf("email %d arrived %s times, want %s", n, got, want)
		}
	}
	states := map[int]string{
		0: stateSent, 1: stateBounced, 2: stateSent, 3: stateBounced, 4: stateSent, 5: stateHanded,
		7: stateDropped, 9: stateSent,
	}
	for n, want := range states {
		if state, _, text := logged(ctx, t, d, messages[n].Key); state != want || strings.Contains(text, "@reader") {
			t.Errorf("email %d is %s (%s), want %s", n, state, text, want)
		}
	}
	if server.calls > 6 {
		t.Errorf("the server was called %d times", server.calls)
	}
}

// An address that refused its email for ever gets none of the next issue; one that refused the text does.
func TestARefusalSuppresses(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	server, url := sort(t)
	s := sender(t, d, url)
	server.rcpt[to(0)] = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	server.data[to(1)] = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "spam"}
	if err := s.Bulk(ctx, toMany(3)); err != nil {
		t.Fatal(err)
	}
	server.rcpt, server.data = map[string]error{}, map[string]error{}
	next := toMany(3)
	for i := range next {
		next[i].Key += ":next"
	}
	if err := s.Bulk(ctx, next); err != nil {
		t.Fatal(err)
	}
	if got := server.arrived(0) + server.arrived(1) + server.arrived(2); got != "012" {
		t.Errorf("emails arrived: %s", got)
	}
	// An email that its reader waits for goes out all the same.
	login := message()
	login.To = to(0)
	if err := s.Send(ctx, login); err != nil || server.arrived(0) != "1" {
		t.Errorf("login: %v, arrived %s", err, server.arrived(0))
	}
}

// Workers that are given the same emails at once send each one once, and say so where they have to come again.
func TestBulkAtOnce(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	server, url := sort(t)
	server.wait = 2 * time.Millisecond
	s := sender(t, d, url)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if err := s.Bulk(ctx, toMany(40)); err != nil && !errors.Is(err, ErrInFlight) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for n := range 40 {
		if got := server.arrived(n); got != "1" {
			t.Errorf("email %d arrived %s times", n, got)
		}
	}
}

// What a killed worker had claimed and not sent goes out when its claim has run out; what it had handed over does not.
func TestAfterAKill(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	server, url := sort(t)
	s := sender(t, d, url)
	messages := toMany(4)
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		for i, state := range []string{stateClaimed, stateHanded, stateSent} {
			_, err := tx.NewRaw(`INSERT INTO mail_log (dedupe_key, kind, recipient, message_id, state, created_at, `+
				`claimed_at) VALUES (?, 'newsletter', ?, 'x', ?, ?4, ?4)`,
				messages[i].Key, messages[i].To, state, nil, tx.Now).Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Bulk(ctx, messages); !errors.Is(err, ErrInFlight) || server.arrived(3) != "1" || server.arrived(0) != "0" {
		t.Errorf("at once: %v, %v", err, server.got)
	}
	testkit.Clock(d).Advance(bulkLease)
	if err := s.Bulk(ctx, messages); err != nil {
		t.Error(err)
	}
	for n, want := range []string{"1", "0", "0", "1"} {
		if got := server.arrived(n); got != want {
			t.Errorf("email %d arrived %s times, want %s", n, got, want)
		}
	}
}

func TestAServerThatIsAway(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	if err := sender(t, d, "smtp://127.0.0.1:1").Bulk(ctx, toMany(5)); err == nil || jobs.IsSkip(err) {
		t.Fatalf("got %v", err)
	}
	server, url := sort(t)
	if err := sender(t, d, url).Bulk(ctx, toMany(5)); err != nil || len(server.got) != 5 {
		t.Errorf("at once after it: %v, %d arrived", err, len(server.got))
	}
	if err := sender(t, d, url).Bulk(ctx, toMany(BulkMost+1)); err == nil {
		t.Error("too many at once are taken")
	}
}

// Complaints about a newsletter are not held against login mails where both come from addresses of their own.
func TestEmailsToManyHaveASender(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{"": "noreply@sk.test", "brief@news.sk.test": "brief@news.sk.test"} {
		ctx, d := testkit.Edition(t, func(doc *edition.Document) { doc.Mail.ListFrom = list })
		office := &postOffice{}
		s := sender(t, d, "smtp://"+open(t, office))
		if err := errors.Join(s.Bulk(ctx, toMany(1)), s.Send(ctx, message())); err != nil || len(office.messages()) != 2 {
			t.Fatal(office.messages(), err)
		}
		if got := office.from; !slices.Equal(got, []string{want, "noreply@sk.test"}) {
			t.Errorf("envelopes from %v", got)
		}
		for i, from := range []string{want, "noreply@sk.test"} {
			if got := office.messages()[i]; !strings.Contains(got, "<"+from+">") {
				t.Errorf("email %d is not from %s:\n%.400s", i+1, from, got)
			}
		}
	}
}
