package app

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/testkit/wait"
)

// refusingServer is a mail server that knows no recipient.
type refusingServer struct{}

// NewSession implements smtp.Backend.
func (refusingServer) NewSession(*smtp.Conn) (smtp.Session, error) { return refusingServer{}, nil }

// Mail implements smtp.Session, as do the others.
func (refusingServer) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt refuses.
func (refusingServer) Rcpt(string, *smtp.RcptOptions) error {
	return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "unknown"}
}

// Data takes nothing.
func (refusingServer) Data(io.Reader) error { return smtp.ErrServerClosed }

// Reset has nothing to forget.
func (refusingServer) Reset() {}

// Logout has nothing to end.
func (refusingServer) Logout() error { return nil }

// lineWith waits for a line of the log with a message.
func lineWith(t *testing.T, said func() string, message string) (line string) {
	t.Helper()
	wait.Until(t, message, func() bool {
		for l := range strings.Lines(said()) {
			if strings.Contains(l, `msg="`+message+`"`) {
				line = l
				return true
			}
		}
		return false
	})
	return line
}

// Lines that are written in a request name the request and the edition, and those of a job the edition and the job,
// each once.
func TestLinesSayWhatTheyBelongTo(t *testing.T) {
	const id = "standard"
	said := captureLog(t)
	slog.SetDefault(slog.New(LogHandler(slog.Default().Handler())))
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(refusingServer{})
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	p := startAppWith(t, func(cfg *config.Config) { cfg.Mail.URL = "smtp://" + l.Addr().String() })
	r := p.browser(id).post("/fns/user-login", map[string]any{
		"payload": map[string]string{"email": "reader@example.org", "referrer": "/"}, "type": "login",
	})
	if r.Status != http.StatusOK {
		t.Fatal(r.Status, r.Body)
	}
	for message, wants := range map[string][]string{
		"login email requested": {" request_id=" + r.Header.Get("X-Request-Id") + " ", " edition=" + id},
		"an email was refused":  {" edition=" + id, " job=", " event=identity.login_requested"},
		"a job is given up":     {" edition=" + id, " job=", " event=identity.login_requested"},
	} {
		line := lineWith(t, said, message)
		for _, want := range wants {
			if key, _, _ := strings.Cut(want, "="); strings.Count(line, key+"=") != 1 || !strings.Contains(line, want) {
				t.Errorf("want %q once in %s", want, line)
			}
		}
	}
}
