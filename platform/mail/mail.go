package mail

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	gomail "github.com/wneessen/go-mail"
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	otrace "go.opentelemetry.io/otel/trace"

	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/trace"
)

// timeout bounds each answer of the mail server, and each wait for a database that is away.
const timeout = 10 * time.Second

// Sender hands emails to a mail server.
type Sender struct {
	db      *db.DB
	log     *slog.Logger
	host    string
	options []gomail.Option
	line    *breaker.Breaker
	key     []byte // of Message-IDs

	sent, failed, bounced, dropped atomic.Uint64
}

// TLS says whether emails may go to the mail server unencrypted.
type TLS int

// A server that offers no STARTTLS gets no email, but where an operator has said so: whoever takes the offer out of
// the connection would read the links and codes of logins. On the same machine nobody listens in between.
const (
	RequireTLS TLS = iota
	AllowPlaintext
)

// policy is how a connection to smtp://host begins. A server on the same machine has no certificate for such a name.
func (t TLS) policy(host string) gomail.TLSPolicy {
	ip := net.ParseIP(host)
	switch {
	case host == "localhost" || ip != nil && ip.IsLoopback():
		return gomail.NoTLS
	case t == AllowPlaintext:
		return gomail.TLSOpportunistic
	}
	return gomail.TLSMandatory
}

// New makes a sender for smtp://user:password@host:port (STARTTLS) or smtps:// (TLS at once). Emails wait
// while calls over the line pause; nil is a line of the sender's own.
func New(d *db.DB, address string, tls TLS, line *breaker.Breaker, log *slog.Logger) (*Sender, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		return nil, errors.New("mail: the URL is not smtp://user:password@host:port") // it may hold a password
	}
	port := 587
	if u.Scheme == "smtps" {
		port = 465
	}
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil {
			return nil, fmt.Errorf("mail: port %q is no number", p)
		}
	}
	policy, auth := tls.policy(u.Hostname()), gomail.SMTPAuthAutoDiscover
	if policy == gomail.NoTLS {
		auth = gomail.SMTPAuthPlain
	}
	if line == nil {
		line = (*breaker.Set)(nil).To("mail")
	}
	s := &Sender{db: d, log: log, host: u.Hostname(), line: line, options: []gomail.Option{
		gomail.WithPort(port), gomail.WithTimeout(timeout), gomail.WithTLSPolicy(policy),
	}}
	if u.Scheme == "smtps" {
		s.options = append(s.options, gomail.WithSSL())
	}
	if u.User != nil && u.User.Username() != "" {
		password, _ := u.User.Password()
		s.options = append(s.options, gomail.WithSMTPAuth(auth), gomail.WithUsername(u.User.Username()),
			gomail.WithPassword(password))
	}
	if _, err := gomail.NewClient(s.host, s.options...); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	return s, nil
}

// ErrInFlight means that another worker is sending this very email.
var ErrInFlight = errors.New("mail: this email is being sent")

// Send sends an email of the edition of ctx, once for its key: what was sent, bounced or dropped is not sent again. An
// error asks for another try, unless it is permanent (jobs.IsSkip). A crash between the server's yes and our note of
// it sends the email twice, with the same Message-ID.
func (s *Sender) Send(ctx context.Context, l Message) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if err := l.check(); err != nil {
		return jobs.Skip(err)
	}
	id := s.messageID(ed, l.Key)
	msg, err := compose(ed, &l, id, s.db.Now())
	if err != nil {
		return jobs.Skip(fmt.Errorf("mail: %w", err))
	}
	mine, err := s.claim(ctx, &l, id)
	if err != nil || !mine {
		return err
	}
	calling, span := s.span(ctx, l.Kind)
	err = s.deliver(calling, msg)
	trace.End(span, err)
	return s.settle(ctx, &l, id, err)
}

// span begins the span of handing an email of some kind to the mail server.
func (s *Sender) span(ctx context.Context, kind string) (context.Context, otrace.Span) {
	return trace.Start(ctx, "SMTP", otrace.SpanKindClient, semconv.ServerAddress(s.host),
		attribute.String("broadsheet.mail.kind", kind))
}

// Greet connects to the mail server as for an email, signs in where the URL says how, and says goodbye.
func (s *Sender) Greet(ctx context.Context) error {
	c, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return err
	}
	if err := c.DialWithContext(ctx); err != nil {
		return err
	}
	return c.Close()
}

// SetMessageIDKey makes Message-IDs that nobody can guess, so that a forged report of an email that did not arrive is
// not believed. It is called before the first email; without it they follow from the email's key alone.
func (s *Sender) SetMessageIDKey(key []byte) { s.key = key }

// messageID is the same for every try of an email.
func (s *Sender) messageID(ed *edition.Edition, key string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(ed.ID + "\x00" + key))
	_, domain, _ := strings.Cut(ed.Mail.From, "@")
	return hex.EncodeToString(mac.Sum(nil)[:16]) + "@" + domain
}

func compose(ed *edition.Edition, l *Message, id string, now time.Time) (*gomail.Msg, error) {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent()) // which names the library and its version
	m.FromMailAddress(address(ed.Mail.FromName, ed.Hosts[0], ed.Mail.Sender(l.List != nil)))
	if err := m.To(l.To); err != nil {
		return nil, err
	}
	if to := cmp.Or(l.ReplyTo, ed.Mail.ReplyTo); to != "" {
		if err := m.ReplyTo(to); err != nil {
			return nil, err
		}
	}
	html, err := HTML(ed, l)
	if err != nil {
		return nil, err
	}
	if l.List != nil {
		_, domain, _ := strings.Cut(ed.Mail.From, "@")
		m.SetGenHeader("List-Id", listID(l.List.Name, l.List.ID+"."+domain))
		m.SetGenHeader("List-Unsubscribe", "<"+l.List.Leave+">")
		m.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
		m.SetGenHeader("Precedence", "bulk")
	}
	m.SetMessageIDWithValue(id)
	m.SetDateWithValue(now)
	m.Subject(subject(cmp.Or(singleLine(l.Subject), ed.Hosts[0])))
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader("X-Auto-Response-Suppress", "All")
	m.SetGenHeader("Content-Language", ed.IntlLocale)
	m.SetBodyString(gomail.TypeTextPlain, Text(ed, l))
	m.AddAlternativeString(gomail.TypeTextHTML, html)
	for _, f := range l.Files {
		options := []gomail.FileOption{gomail.WithFileContentType(gomail.ContentType(f.Type))}
		if f.Inline {
			err = m.EmbedReader(f.Name, bytes.NewReader(f.Body), append(options, gomail.WithFileContentID("<"+f.Name+">"))...)
		} else {
			name := fileName(f.Name)
			err = m.AttachReader(name, bytes.NewReader(f.Body), append(options, named(name))...)
		}
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (s *Sender) deliver(ctx context.Context, m *gomail.Msg) error {
	c, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return err
	}
	return s.line.Do(func() error {
		switch err := c.DialAndSendWithContext(ctx, m); {
		case m.IsDelivered():
			return nil // what went wrong later is the goodbye
		case err != nil:
			return err
		default:
			return errors.New("mail: not delivered, for no reason that the server gave")
		}
	}, unreachable)
}

// unreachable reports whether an error is not an answer about the email: the server is away, or refuses the login.
func unreachable(err error) bool {
	var e *gomail.SendError
	return !errors.As(err, &e) || e.ErrorCode() == 0
}

// refused reports whether the server said that this address or this text will never do. A refusal of our own name or
// password is ours to mend, and the email waits.
func refused(err error) bool {
	var e *gomail.SendError
	if !errors.As(err, &e) || e.IsTemp() || e.ErrorCode() < 500 {
		return false
	}
	return e.Reason == gomail.ErrSMTPRcptTo || e.Reason == gomail.ErrSMTPDataClose
}

// refusedAddress is the report of a server that refused the recipient, nil when it did not.
func refusedAddress(err error) *Report {
	var e *gomail.SendError
	if !refused(err) || !errors.As(err, &e) || e.Reason != gomail.ErrSMTPRcptTo {
		return nil
	}
	status := e.EnhancedStatusCode()
	return &Report{Kind: Bounce, Hard: isHard(status, e.ErrorCode()), Status: status, Detail: err.Error()}
}

// unnamed is an error whose words do not say whom an email was for; they go to logs.
type unnamed struct {
	error
	text string
}

// Error implements error.
func (u unnamed) Error() string { return u.text }

// Unwrap is the error with all its words.
func (u unnamed) Unwrap() error { return u.error }

// nameless takes the address out of what the server or the client says of an email to it.
func nameless(err error, address string) error {
	return unnamed{err, regexp.MustCompile(`(?i)`+regexp.QuoteMeta(address)).ReplaceAllString(err.Error(), "-@-")}
}

// Stats counts emails since the start.
type Stats struct{ Sent, Failed, Bounced, Dropped uint64 }

// Stats returns the counters.
func (s *Sender) Stats() Stats {
	return Stats{s.sent.Load(), s.failed.Load(), s.bounced.Load(), s.dropped.Load()}
}
