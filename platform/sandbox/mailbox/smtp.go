package mailbox

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
)

const (
	messageSizeMax = 25 << 20
	recipientsMax  = 100
	idleMax        = 5 * time.Minute
)

func newServer(m *Mailbox) *smtp.Server {
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{box: m}, nil }))
	s.Domain = "localhost"
	s.MaxMessageBytes = messageSizeMax
	s.MaxRecipients = recipientsMax
	s.ReadTimeout, s.WriteTimeout = idleMax, idleMax
	s.EnableSMTPUTF8 = true
	s.ErrorLog = slog.NewLogLogger(m.log.Handler(), slog.LevelWarn)
	return s
}

// envelope is whom the sending side names, whatever the mail itself says.
type envelope struct {
	from string
	to   []string
}

// lastLine begins the line that ends the envelope in a kept mail.
const lastLine = "Received: by localhost; "

// header is the envelope as lines on top of a mail, as a delivering server writes it.
func (e envelope) header(at time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Return-Path: <%s>\r\n", e.from)
	for _, to := range e.to {
		fmt.Fprintf(&b, "Delivered-To: %s\r\n", to)
	}
	fmt.Fprintf(&b, "%s%s\r\n", lastLine, at.UTC().Format(time.RFC1123Z))
	return b.Bytes()
}

// splitEnvelope takes the envelope off a kept mail. A file that somebody put there himself has none.
func splitEnvelope(raw []byte) (e envelope, mailed []byte) {
	rest := raw
	for {
		line, after, found := bytes.Cut(rest, []byte("\r\n"))
		name, value, _ := strings.Cut(string(line), ": ")
		switch {
		case !found:
			return envelope{}, raw
		case name == "Return-Path":
			e.from = strings.Trim(value, "<>")
		case name == "Delivered-To":
			e.to = append(e.to, value)
		case bytes.HasPrefix(line, []byte(lastLine)):
			return e, after
		default:
			return envelope{}, raw
		}
		rest = after
	}
}

// session takes the mails of one connection.
type session struct {
	box      *Mailbox
	envelope envelope
}

// Mail begins a mail.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.envelope.from = from
	return nil
}

// Rcpt adds a recipient to it.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.envelope.to = append(s.envelope.to, to)
	return nil
}

// Data takes its content, or fails as the fault of the hour wants it.
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	fault := s.box.nextFault()
	time.Sleep(fault.Delay)
	if fault.Code == 0 || fault.Keep {
		if err := s.box.add(s.envelope, raw); err != nil {
			s.box.log.Error("mail is not kept", "error", err)
			return &smtp.SMTPError{
				Code: 452, EnhancedCode: smtp.EnhancedCode{4, 3, 1},
				Message: "Cannot keep the mail: " + err.Error(),
			}
		}
	}
	if fault.Code != 0 {
		return &smtp.SMTPError{
			Code: fault.Code, EnhancedCode: smtp.EnhancedCode{fault.Code / 100, 0, 0},
			Message: "Fault asked for",
		}
	}
	return nil
}

// Reset forgets the mail that was begun.
func (s *session) Reset() { s.envelope = envelope{} }

// Logout has nothing to free.
func (s *session) Logout() error { return nil }
