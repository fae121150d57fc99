package mail

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// stamping is a mail server that notes when each email arrived, by the clock of the test.
type stamping struct {
	now func() time.Time
	mu  sync.Mutex
	at  map[string][]time.Time // by recipient
}

type stamped struct {
	*stamping
	to string
}

func (s *stamping) NewSession(*smtp.Conn) (smtp.Session, error) { return &stamped{stamping: s}, nil }

func (s *stamped) Mail(string, *smtp.MailOptions) error { return nil }
func (s *stamped) Reset()                               {}
func (s *stamped) Logout() error                        { return nil }
func (s *stamped) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *stamped) Data(r io.Reader) error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[s.to] = append(s.at[s.to], s.now())
	return nil
}

// shelf is a registry of one edition.
type shelf struct{ ed *edition.Edition }

func (s shelf) All() []*edition.Edition                { return []*edition.Edition{s.ed} }
func (s shelf) Get(id string) (*edition.Edition, bool) { return s.ed, id == s.ed.ID }
func (s shelf) OnChange(fn func(edition.Change))       { fn(edition.Change{Added: s.All()}) }

// outage is a mail server that is away, and a worker that sends login emails to it.
type outage struct {
	ctx     context.Context
	t       *testing.T
	d       *db.DB
	address string
	server  *stamping
	asked   []time.Time
}

const (
	loginLife = 10 * time.Minute
	receipt   = "receipt@reader.test"
)

func newOutage(t *testing.T) *outage {
	t.Helper()
	ctx, d := testkit.Edition(t)
	o := &outage{ctx: ctx, t: t, d: d, address: "127.0.0.1:" + testkit.FreePort(t)}
	o.server = &stamping{now: d.Now, at: map[string][]time.Time{}}
	var w *jobs.Worker
	lines := &breaker.Set{Pause: time.Millisecond, OnRecovery: func(server string) { w.Recovered(server) }}
	s, err := New(d, "smtp://"+o.address, RequireTLS, lines.To("mail"), nil)
	if err != nil {
		t.Fatal(err)
	}
	queue, err := redis.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(queue.Close)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r := event.Registry{}
	event.On(r, event.LoginMail, func(ctx context.Context, e event.LoginRequested) error {
		l := message()
		l.Key, l.To = fmt.Sprint("login:", e.AttemptID), reader(int(e.AttemptID))
		l.ExpiresAt = o.asked[e.AttemptID].Add(loginLife)
		return s.Send(ctx, l)
	})
	event.On(r, event.EntitlementChanged, func(ctx context.Context, e event.Entitlement) error {
		l := message()
		l.Key, l.To = fmt.Sprint("receipt:", e.ReaderID), receipt
		return s.Send(ctx, l)
	})
	w, err = jobs.New(d, shelf{ed}, r, jobs.Options{
		RedisURL: queue.URL(), Log: slog.New(slog.DiscardHandler), Poll: 10 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(running) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return o
}

func reader(n int) string { return fmt.Sprintf("reader%d@reader.test", n) }

// askFor asks for a login email.
func (o *outage) askFor() {
	o.t.Helper()
	o.asked = append(o.asked, o.d.Now())
	n := int64(len(o.asked) - 1)
	if err := o.d.InTx(o.ctx, func(ctx context.Context, tx db.Tx) error {
		return outbox.Tell(ctx, tx, event.LoginMail, event.LoginRequested{AttemptID: n})
	}); err != nil {
		o.t.Fatal(err)
	}
	o.settle()
}

// pass has time pass by the clock of the test, and waits until all that is due has been tried. A login that is being
// tried has a claim of more than a minute.
func (o *outage) pass(d time.Duration) {
	o.t.Helper()
	testkit.Clock(o.d).Advance(d)
	o.settle()
}

func (o *outage) settle() {
	o.t.Helper()
	wait.Until(o.t, "all that is due has been tried", func() bool {
		var open int
		err := o.d.Run(o.ctx, func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw(`SELECT count(*) FROM outbox WHERE done_at IS NULL AND (claimed_until IS NULL OR
				claimed_until <= ?0 OR event = ?1 AND claimed_until > ?0::timestamptz + interval '1 minute')`, tx.Now,
				string(event.LoginMail)).Scan(ctx, &open)
		})
		return err == nil && open == 0
	})
}

// end starts the mail server.
func (o *outage) end() {
	o.t.Helper()
	l, err := net.Listen("tcp", o.address)
	if err != nil {
		o.t.Fatal(err)
	}
	server := smtp.NewServer(o.server)
	go func() { _ = server.Serve(l) }()
	o.t.Cleanup(func() { _ = server.Close() })
}

// A login that was asked for while the mail server was away arrives within half a minute of its coming back, once, or
// has less than a minute left and is not sent.
func TestOutage_Logins(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	for range 2 { // these have less than two minutes left when the server is back, and less than one
		o.askFor()
		o.pass(30 * time.Second)
	}
	for len(o.asked) < 26 {
		o.askFor()
		for range 4 {
			o.pass(5 * time.Second)
		}
	}
	o.end()
	back := o.d.Now()
	for range 8 {
		o.pass(5 * time.Second)
	}
	arrived, dropped := 0, 0
	for n, asked := range o.asked {
		expires := asked.Add(loginLife)
		state, _, reason := logged(o.ctx, t, o.d, fmt.Sprint("login:", n))
		at := o.server.at[reader(n)]
		switch {
		case len(at) == 1 && at[0].Sub(back) <= 30*time.Second && expires.Sub(at[0]) >= time.Minute && state == stateSent:
			arrived++
		case len(at) == 0 && expires.Sub(back) < 90*time.Second && state == stateDropped && reason == tooLate:
			dropped++
		default:
			t.Errorf("login %d with %s left at the end of the outage: arrived %v after it, state %s (%s)", n, expires.Sub(back),
				since(at, back), state, reason)
		}
	}
	if arrived < 20 || dropped == 0 {
		t.Errorf("got %d arrived and %d dropped, want 20 and 1 at least", arrived, dropped)
	}
}

// An email that is not urgent is sent at once, and not at its next try, if another one has shown that the mail server
// is back.
func TestOutage_Recovery(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	if err := o.d.InTx(o.ctx, func(ctx context.Context, tx db.Tx) error {
		return outbox.Tell(ctx, tx, event.EntitlementChanged, event.Entitlement{ReaderID: 1})
	}); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		o.pass(5 * time.Second)
	}
	o.end()
	back := o.d.Now()
	o.askFor()
	wait.Until(t, "the receipt is marked as sent", func() bool {
		state, _, _ := logged(o.ctx, t, o.d, "receipt:1")
		return state == stateSent
	})
	if at := o.server.at[receipt]; len(at) != 1 || at[0].Sub(back) > 10*time.Second { // the clock goes on
		t.Errorf("got the receipt %v after the end of the outage, want it once and at once", since(at, back))
	}
}

func since(at []time.Time, from time.Time) (list []time.Duration) {
	for _, a := range at {
		list = append(list, a.Sub(from))
	}
	return list
}
