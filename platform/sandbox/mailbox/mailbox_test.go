package mailbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wneessen/go-mail"
)

func open(t *testing.T, opts Options) *Mailbox {
	t.Helper()
	m, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func address(t *testing.T, m *Mailbox) string {
	t.Helper()
	u, err := url.Parse(m.URL())
	if err != nil || u.Scheme != "smtp" || u.User != nil {
		t.Fatalf("%s, %v", m.URL(), err)
	}
	return u.Host
}

// send delivers a mail as it is, lines ending as they may.
func send(t *testing.T, m *Mailbox, raw string, to ...string) error {
	t.Helper()
	if len(to) == 0 {
		to = []string{"jana@priklad.example"}
	}
	return smtp.SendMail(address(t, m), nil, "bounce@daily.example", to, []byte(raw))
}

func deliver(t *testing.T, m *Mailbox, raw string, to ...string) Message {
	t.Helper()
	if err := send(t, m, raw, to...); err != nil {
		t.Fatal(err)
	}
	return m.Messages()[0]
}

func TestMailOfARealClient(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	host, portName, err := net.SplitHostPort(address(t, m))
	if err != nil {
		t.Fatal(err)
	}
	port, err := net.LookupPort("tcp", portName)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mail.NewClient(host, mail.WithPort(port), mail.WithTLSPolicy(mail.NoTLS))
	if err != nil {
		t.Fatal(err)
	}
	msg := mail.NewMsg()
	if err := errors.Join(msg.FromFormat("Denník Ž", "redakcia@daily.example"), msg.To("jana@priklad.example"),
		msg.Bcc("skrytý@priklad.example"),
		msg.AttachReader("faktúra č. 7.pdf", strings.NewReader("%PDF"))); err != nil {
		t.Fatal(err)
	}
	msg.Subject("Váš kód: 482 913, ktorý platí desať minút – ďakujeme")
	msg.SetBodyString(mail.TypeTextPlain, "Dobrý deň,\n"+strings.Repeat("dlhý riadok ", 40)+"\n")
	msg.AddAlternativeString(mail.TypeTextHTML, "<p>Dobrý deň</p>")
	msg.SetGenHeader("List-Unsubscribe", "<https://daily.example/bye>")
	if err := client.DialAndSendWithContext(t.Context(), msg); err != nil {
		t.Fatal(err)
	}
	got, err := m.Wait(t.Context(), func(got Message) bool { return got.Code == "482913" })
	if err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]string{
		"from":    {got.From, "Denník Ž <redakcia@daily.example>"},
		"to":      {strings.Join(got.To, " "), "jana@priklad.example skrytý@priklad.example"},
		"subject": {got.Subject, "Váš kód: 482 913, ktorý platí desať minút – ďakujeme"},
		"text":    {got.Text, "Dobrý deň,\n" + strings.Repeat("dlhý riadok ", 40) + "\n"},
		"html":    {got.HTML, "<p>Dobrý deň</p>"},
		"header":  {strings.Join(got.Headers["List-Unsubscribe"], "|"), "<https://daily.example/bye>"},
		"attachment": {
			fmt.Sprintf("%s %s %s", got.Attachments[0].Name, got.Attachments[0].Type, got.Attachments[0].content),
			"faktúra č. 7.pdf application/pdf %PDF",
		},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", what, pair[0], pair[1])
		}
	}
	if _, hidden := got.Headers["Delivered-To"]; hidden {
		t.Error("the envelope shows among the headers")
	}
	if time.Since(got.Date) > time.Minute || time.Since(got.Received) > time.Minute {
		t.Errorf("date %s, received %s", got.Date, got.Received)
	}
}

func TestOddMailsLoseNothing(t *testing.T) {
	t.Parallel()
	const mixed = "Subject: s\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
	for _, test := range []struct{ name, raw, text, html string }{
		{"no header", "just words\r\nand more\r\n", "just words\nand more\n", ""},
		{"empty", "", "", ""},
		{"no content type", "Subject: s\r\n\r\nhello\r\n", "hello\n", ""},
		{"bad content type", "Content-Type: ;;;\r\n\r\nhello\r\n", "hello\n", ""},
		{"latin 2", "Content-Type: text/plain; charset=iso-8859-2\r\n\r\n\xe8as\r\n", "čas\n", ""},
		{"unknown charset", "Content-Type: text/plain; charset=x-none\r\n\r\nabc\r\n", "abc\n", ""},
		{"broken utf-8", "Content-Type: text/plain; charset=utf-8\r\n\r\na\xffb\r\n", "a\uFFFDb\n", ""},
		{"base64", "Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+w6E8L2I+\r\n", "", "<b>á</b>"},
		{"broken base64", "Content-Transfer-Encoding: base64\r\n\r\n!!!!\r\n", "!!!!\n", ""},
		{"quoted-printable", "Content-Transfer-Encoding: quoted-printable\r\n\r\nd=C5=88a=\r\n x\r\n", "dňa x\n", ""},
		{"cut off", mixed + "--b\r\n\r\nhello", "hello", ""},
		{"no part at all", mixed + "lost?\r\n", "lost?\n", ""},
		{"no boundary", "Content-Type: multipart/mixed\r\n\r\nhello\r\n", "hello\n", ""},
		{"a line that looks like the envelope", "Delivered-To: evil@x.example\r\nSubject: s\r\n\r\nhello\r\n", "hello\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := open(t, Options{})
			got := deliver(t, m, test.raw, "a@x.example", "b@x.example")
			if got.Text != test.text || got.HTML != test.html {
				t.Errorf("text %q, html %q", got.Text, got.HTML)
			}
			if len(got.To) != 2 || got.To[0] != "a@x.example" {
				t.Errorf("to %q", got.To)
			}
		})
	}
}

func TestDeepNestingEnds(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	got := deliver(t, m,
		strings.Repeat("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n", 2*nestingMax)+"\r\ndeep\r\n")
	if !strings.Contains(got.Text, "deep") {
		t.Errorf("text %q", got.Text)
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, subject, text, html, want string }{
		{"alone on a line", "Hi", "Your code is\n\n  123456\n\nor https://x.example/654321", "", "123456"},
		{"in two groups", "Hi", "123 456", "", "123456"},
		{
			"with a narrow no-break space of HTML", "Hi", "",
			"<style>p{color:#112233}</style><p>Code</p><td>123\u00a0456</td>", "123456",
		},
		{"in the subject", "123456 is your code", "Hello", "", "123456"},
		{"in a sentence", "Hi", "Use 123456, please.", "", "123456"},
		{"inside an address", "Hi", "https://x.example/hash=123456 https://x.example/123456", "", ""},
		{"two candidates", "Hi", "Order 123456 of batch 654321.", "", ""},
		{"longer number", "Invoice 2026000001", "Symbol 1234567890\n1234567\n", "", ""},
		{"shorter number", "Hi", "12345\n", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := findCode(test.subject, (Message{Text: test.text, HTML: test.html}).plain()); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestMailsSurviveARestart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mail")
	first := open(t, Options{Dir: dir})
	for n := range 3 {
		deliver(t, first, fmt.Sprintf("Subject: %d\r\nFrom: f@x.example\r\n\r\nbody\r\n", n), "hidden@x.example")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"notes.txt": "mine", "0000000000000001.eml.part": "half",
		"zz.eml": "mine too",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	second := open(t, Options{Dir: dir, Keep: 2})
	got := second.Messages()
	if len(got) != 2 || got[0].Subject != "2" || got[1].Subject != "1" || got[0].To[0] != "hidden@x.example" ||
		got[0].Text != "body\n" {
		t.Fatalf("%+v", got)
	}
	deliver(t, second, "Subject: 3\r\n\r\nbody\r\n")
	if got := second.Messages(); len(got) != 2 || got[0].Subject != "3" {
		t.Errorf("%d mails, the newest is %q", len(got), got[0].Subject)
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "[0-9]*.eml")); err != nil || len(kept) != 2 {
		t.Errorf("files: %v, %v", kept, err)
	}
	if err := second.Clear(); err != nil {
		t.Fatal(err)
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "[0-9]*.eml")); err != nil || len(kept)+len(second.Messages()) != 0 {
		t.Errorf("files: %v, %v", kept, err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, "notes.txt")); err != nil || string(content) != "mine" {
		t.Errorf("a file of somebody else is gone: %v", err)
	}
}

func TestMailThatCannotBeKeptIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mail")
	m := open(t, Options{Dir: dir})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	wantCode(t, send(t, m, "Subject: s\r\n\r\nbody\r\n"), 452)
	if n := len(m.Messages()); n != 0 {
		t.Errorf("%d mails", n)
	}
}

func wantCode(t *testing.T, err error, want int) {
	t.Helper()
	var answer *textproto.Error
	if !errors.As(err, &answer) || answer.Code != want {
		t.Errorf("answer %v, want %d", err, want)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	const raw = "Subject: s\r\n\r\nbody\r\n"
	for _, code := range []int{421, 451, 550} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			m := open(t, Options{})
			m.SetFault(Fault{Code: code, Times: 2})
			for range 2 {
				wantCode(t, send(t, m, raw), code)
			}
			if n := len(m.Messages()); n != 0 {
				t.Errorf("%d mails were kept", n)
			}
			deliver(t, m, raw)
		})
	}
	t.Run("until further notice", func(t *testing.T) {
		t.Parallel()
		m := open(t, Options{})
		m.SetFault(Fault{Code: 451})
		for range 3 {
			wantCode(t, send(t, m, raw), 451)
		}
		m.SetFault(Fault{})
		deliver(t, m, raw)
	})
	t.Run("the answer is lost", func(t *testing.T) {
		t.Parallel()
		m := open(t, Options{})
		m.SetFault(Fault{Code: 451, Keep: true})
		wantCode(t, send(t, m, raw), 451)
		if n := len(m.Messages()); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
	t.Run("slow", func(t *testing.T) {
		t.Parallel()
		m := open(t, Options{})
		m.SetFault(Fault{Delay: 150 * time.Millisecond, Times: 1})
		began := time.Now()
		deliver(t, m, raw)
		if took := time.Since(began); took < 150*time.Millisecond {
			t.Errorf("answered after %s", took)
		}
	})
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	found := make(chan Message, 1)
	go func() {
		msg, err := m.Wait(context.Background(), func(msg Message) bool { return msg.Subject == "second" })
		if err == nil {
			found <- msg
		}
	}()
	deliver(t, m, "Subject: first\r\n\r\nx\r\n")
	deliver(t, m, "Subject: second\r\n\r\nx\r\n")
	if msg := <-found; msg.Subject != "second" {
		t.Errorf("%q", msg.Subject)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := m.Wait(ctx, func(Message) bool {
		return false
	}); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "2 mails") {
		t.Errorf("error: %v", err)
	}
}

func TestManySendersAtOnce(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Dir: t.TempDir()})
	results := make(chan error)
	for n := range 30 {
		go func() { results <- send(t, m, fmt.Sprintf("Subject: %d\r\n\r\nx\r\n", n)) }()
	}
	for range 30 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	ids := map[string]bool{}
	for _, msg := range m.Messages() {
		ids[msg.ID] = true
	}
	if len(ids) != 30 {
		t.Errorf("%d different mails", len(ids))
	}
}

func TestClosedMailboxTakesNothing(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Fatal(err)
	}
	if err := send(t, m, "Subject: s\r\n\r\nx\r\n"); err == nil {
		t.Error("it takes mail")
	}
}

func TestTooBigMailIsRefused(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	big := "Subject: s\r\n\r\n" + string(bytes.Repeat([]byte("0123456789abcde\r\n"), messageSizeMax/17+1))
	wantCode(t, send(t, m, big), 552)
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "Subject: =?utf-8?q?=C4=8D?=\r\n\r\nx",
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := parse(formatID(1), append(envelope{from: "a", to: []string{"b"}}.header(time.Unix(0, 0)), raw...))
		if len(m.To) != 1 || m.To[0] != "b" {
			t.Errorf("to %q", m.To)
		}
		if m.Code != "" && len(m.Code) != 6 {
			t.Errorf("code %q", m.Code)
		}
	})
}
