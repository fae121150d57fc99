package testkit

import (
	"bytes"
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.org/broadsheet/platform/db"
)

// Proxy stands between a client and a Postgres, and can fall silent or cut the line as a network does.
type Proxy struct {
	network, address string
	listener         net.Listener

	mu     sync.Mutex
	speaks *sync.Cond
	silent bool
	refuse bool
	delay  time.Duration
	lose   string
	ended  bool
	lines  []*line
}

// line is one client's connection, and the one that was made to the server for it.
type line struct {
	client, server net.Conn
	stranded       bool
}

// NewProxy opens one in front of d's server; it ends with the test.
func NewProxy(t testing.TB, d *db.DB) *Proxy {
	t.Helper()
	return NewProxyAt(t, d, "127.0.0.1:0")
}

// NewProxyAt is NewProxy at an address of one's own, for a server that comes later than its clients.
func NewProxyAt(t testing.TB, d *db.DB, address string) *Proxy {
	t.Helper()
	c := d.Config()
	p := &Proxy{}
	p.network, p.address = pgconn.NetworkAddress(c.Host, c.Port)
	p.speaks = sync.NewCond(&p.mu)
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	p.listener = l
	go p.accept()
	t.Cleanup(func() {
		_ = l.Close()
		p.mu.Lock()
		p.ended = true
		p.mu.Unlock()
		p.speaks.Broadcast()
		p.Cut()
	})
	return p
}

// BehindProxy opens the database of d once more, over a line that can be cut, with the edition of ctx attached. Both
// end with the test.
func BehindProxy(ctx context.Context, t testing.TB, d *db.DB, o db.Options) (*db.DB, *Proxy) {
	t.Helper()
	p := NewProxy(t, d)
	far, err := db.Open(p.DSN(d.Config().User, d.Config().Database), d.Clock(), o)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() { _ = far.Close() })
	ed := EditionOf(ctx, t)
	far.Attach(ed.ID, ed.Schema)
	return far, p
}

// DSN is the address of a user's database behind the proxy.
func (p *Proxy) DSN(user, database string) string {
	return "postgres://" + user + "@" + p.listener.Addr().String() + "/" + database + "?sslmode=disable"
}

// Silence passes nothing on until it is told to speak; connections stay open, and new ones are taken and not answered.
func (p *Proxy) Silence(silent bool) {
	p.mu.Lock()
	p.silent = silent
	p.mu.Unlock()
	p.speaks.Broadcast()
}

// Delay holds back whatever is passed on, in each direction, as a distant or busy server does; 0 is no delay.
func (p *Proxy) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// Strand is Silence for ever, of the connections that there are; new ones are as good as any.
func (p *Proxy) Strand() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		l.stranded = true
	}
}

// Lose cuts the line in place of the next answer of the server that names a command, such as "COMMIT": the server has
// done it, and the client cannot know.
func (p *Proxy) Lose(command string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lose = command
}

// Refuse ends every connection, and each new one, until it is told to take them again: a server that is down.
func (p *Proxy) Refuse(refuse bool) {
	p.mu.Lock()
	p.refuse = refuse
	p.mu.Unlock()
	if refuse {
		p.Cut()
	}
}

// Cut ends every connection.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		_, _ = l.client.Close(), l.server.Close()
	}
	p.lines = nil
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(p.network, p.address)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		l := &line{client: client, server: server}
		p.lines = append(p.lines, l)
		refuse := p.refuse
		p.mu.Unlock()
		if refuse {
			p.Cut()
			continue
		}
		go p.pass(l, client, server)
		go p.pass(l, server, client)
	}
}

func (p *Proxy) pass(l *line, from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		p.mu.Lock()
		for (p.silent || l.stranded) && !p.ended {
			p.speaks.Wait()
		}
		delay := p.delay
		lost := p.lose != "" && from == l.server && bytes.Contains(b[:n], []byte(p.lose))
		if lost {
			p.lose = ""
		}
		p.mu.Unlock()
		if lost {
			return
		}
		time.Sleep(delay)
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
