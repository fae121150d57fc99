// Package mailbox is the mail server of development and tests: it takes every mail, delivers none, and shows
// them to people and programs.
package mailbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

const defaultKeep = 500

// Options says where mails are kept and how many.
type Options struct {
	// Dir keeps one file for each mail, so that a restart shows them again; empty keeps them in memory.
	Dir string
	// Keep is the number of mails after which the oldest goes; 0 means 500.
	Keep int
	// Listen is where mail arrives, host:port; empty: a free port of 127.0.0.1.
	Listen string
	// Log may be nil.
	Log *slog.Logger
}

// Mailbox is a running mail server.
type Mailbox struct {
	log      *slog.Logger
	store    store
	server   *smtp.Server
	listener net.Listener
	served   chan struct{}
	handler  http.Handler

	mu       sync.Mutex
	messages []Message     // oldest first
	changed  chan struct{} // closed, and replaced, with every change
	last     int64         // the latest id
	changes  int
	fault    Fault
}

// Fault makes the server misbehave.
type Fault struct {
	// Code answers a mail with an SMTP error such as 421, 451 or 550; 0 answers as usual.
	Code int
	// Times is how many mails are hit; 0 means all until the next SetFault.
	Times int
	// Delay passes before the answer.
	Delay time.Duration
	// Keep takes the mail all the same, as when the answer is lost on its way.
	Keep bool
}

// New starts a mail server.
func New(opts Options) (*Mailbox, error) {
	m := &Mailbox{log: opts.Log, changed: make(chan struct{}), served: make(chan struct{})}
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	m.store = store{dir: opts.Dir, keep: opts.Keep}
	if m.store.keep <= 0 {
		m.store.keep = defaultKeep
	}
	var err error
	if m.messages, err = m.store.load(); err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	if n := len(m.messages); n > 0 {
		m.last = m.messages[n-1].Received.UnixNano()
	}
	m.handler = m.routes()
	m.server = newServer(m)
	if m.listener, err = net.Listen("tcp", cmp.Or(opts.Listen, "127.0.0.1:0")); err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	go func() {
		defer close(m.served)
		if err := m.server.Serve(m.listener); err != nil && !errors.Is(err, smtp.ErrServerClosed) &&
			!errors.Is(err, net.ErrClosed) {
			m.log.Error("the mailbox takes no more mail", "error", err)
		}
	}()
	m.log.Info("mailbox ready", "url", m.URL(), "mails", len(m.messages))
	return m, nil
}

// URL is where to send mail, smtp://host:port, without encryption or password.
func (m *Mailbox) URL() string { return "smtp://" + m.listener.Addr().String() }

// Messages are the mails, newest first.
func (m *Mailbox) Messages() []Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	newest := append([]Message{}, m.messages...) // never nil: it becomes JSON
	slices.Reverse(newest)
	return newest
}

// Message is the mail with an id.
func (m *Mailbox) Message(id string) (Message, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.messages, func(msg Message) bool { return msg.ID == id })
	if i < 0 {
		return Message{}, false
	}
	return m.messages[i], true
}

// Wait returns the newest mail that fits, once there is one.
func (m *Mailbox) Wait(ctx context.Context, fits func(Message) bool) (Message, error) {
	for {
		m.mu.Lock()
		changed := m.changed
		m.mu.Unlock()
		messages := m.Messages()
		if i := slices.IndexFunc(messages, fits); i >= 0 {
			return messages[i], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Message{}, fmt.Errorf("none of %d mails fits: %w", len(messages), ctx.Err())
		}
	}
}

// Clear removes all mails.
func (m *Mailbox) Clear() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.messages) > 0 {
		if err := m.store.remove(m.messages[0].ID); err != nil {
			return err
		}
		m.messages = slices.Delete(m.messages, 0, 1)
		m.announce()
	}
	return nil
}

// SetFault makes the server misbehave from the next mail on; the zero Fault ends that.
func (m *Mailbox) SetFault(f Fault) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fault = f
}

// nextFault is what happens to the mail at hand.
func (m *Mailbox) nextFault() Fault {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.fault
	if m.fault.Times > 0 {
		if m.fault.Times--; m.fault.Times == 0 {
			m.fault = Fault{}
		}
	}
	return f
}

// Handler serves the mailbox under /_dev/mail.
func (m *Mailbox) Handler() http.Handler { return m.handler }

// Close stops taking mail. It may be called again.
func (m *Mailbox) Close() error {
	_ = m.server.Close()   // says that it is closed when it is
	_ = m.listener.Close() // the server knows it only once it serves
	<-m.served
	return nil
}

// add keeps a mail that has arrived.
func (m *Mailbox) add(e envelope, raw []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = max(m.last+1, time.Now().UnixNano()) // ids sort by arrival, even when the clock is set back
	raw = append(e.header(time.Unix(0, m.last)), raw...)
	msg := parse(formatID(m.last), raw)
	if err := m.store.save(msg.ID, raw); err != nil {
		return err
	}
	m.messages = append(m.messages, msg)
	for len(m.messages) > m.store.keep {
		if err := m.store.remove(m.messages[0].ID); err != nil {
			m.log.Warn("an old mail stays behind", "error", err)
		}
		m.messages = slices.Delete(m.messages, 0, 1)
	}
	m.announce()
	m.log.Info("mail", "id", msg.ID) // to whom and what about are in the mailbox: a subject may hold a code
	return nil
}

// announce wakes those who wait. The caller holds the lock.
func (m *Mailbox) announce() {
	m.changes++
	close(m.changed)
	m.changed = make(chan struct{})
}
