package testkit

import (
	"net"
	"sync"
	"testing"

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
	ended  bool
	conns  []net.Conn
}

// NewProxy opens one in front of d's server; it ends with the test.
func NewProxy(t testing.TB, d *db.DB) *Proxy {
	t.Helper()
	c := d.Config()
	p := &Proxy{}
	p.network, p.address = pgconn.NetworkAddress(c.Host, c.Port)
	p.speaks = sync.NewCond(&p.mu)
	l, err := net.Listen("tcp", "127.0.0.1:0")
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

// Cut ends every connection.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
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
		p.conns = append(p.conns, client, server)
		p.mu.Unlock()
		go p.pass(client, server)
		go p.pass(server, client)
	}
}

func (p *Proxy) pass(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		p.mu.Lock()
		for p.silent && !p.ended {
			p.speaks.Wait()
		}
		p.mu.Unlock()
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
