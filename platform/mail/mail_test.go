package mail

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/typography"
)

// postOffice is a mail server that keeps what it accepts and refuses what it is told to.
type postOffice struct {
	mu      sync.Mutex
	got     []string
	from    []string // envelopes
	refuse  error    // at RCPT
	content error    // at the end of DATA
	login   string
	slow    time.Duration
}

func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) { return &visit{p}, nil }

type visit struct{ *postOffice }

func (v *visit) Reset()        {}
func (v *visit) Logout() error { return nil }

func (v *visit) Mail(from string, _ *smtp.MailOptions) error {
	v.set(func() { v.from = append(v.from, from) })
	return nil
}

func (v *visit) Rcpt(string, *smtp.RcptOptions) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.refuse
}

func (v *visit) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	time.Sleep(v.slow)
	if v.content == nil {
		v.got = append(v.got, string(b))
	}
	return v.content
}

func (v *visit) AuthMechanisms() []string { return []string{sasl.Plain} }

func (v *visit) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if v.login != user+":"+password {
			return &smtp.SMTPError{Code: 535, Message: "who are you"}
		}
		return nil
	}), nil
}

func (p *postOffice) messages() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.got...)
}

func (p *postOffice) set(change func()) { p.mu.Lock(); defer p.mu.Unlock(); change() }

// open starts a post office and returns its host:port.
func open(t *testing.T, p *postOffice) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := smtp.NewServer(p)
	s.AllowInsecureAuth = true
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}

func sender(t *testing.T, d *db.DB, address string) *Sender {
	t.Helper()
	s, err := New(d, address, RequireTLS, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func message() Message {
	return Message{
		Kind: "login", Key: "login:1", To: "eva@reader.test", Subject: "Prihlásenie – žltý kôň", Preview: "Váš kód je 123456",
		Blocks: []Block{
			Heading("Prihláste sa"),
			Paragraph("Dobrý deň, <Eva> & spol., tento text je dosť dlhý na to, aby sa v textovej podobe musel zalomiť na " +
				"viac riadkov, a obsahuje značky."),
			Code("123456"), Button("Prihlásiť sa", "https://sk.test/security-check#hash=abc"), Note("Platí desať minút."),
		},
	}
}

func logged(ctx context.Context, t *testing.T, d *db.DB, key string) (state string, attempts int, lastError string) {
	t.Helper()
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT state, attempts, last_error FROM mail_log WHERE dedupe_key = ?", key).
			Scan(ctx, &state, &attempts, &lastError)
	})
	if err != nil {
		t.Fatal(err)
	}
	return state, attempts, lastError
}

// Answers go where the email says, and nothing but one bare address can stand there.
func TestWhereAnswersGo(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	office := &postOffice{}
	s := sender(t, d, "smtp://"+open(t, office))
	l := message()
	l.ReplyTo = "jana@reader.test"
	if err := s.Send(ctx, l); err != nil {
		t.Fatal(err)
	}
	m, err := netmail.ReadMessage(strings.NewReader(office.messages()[0]))
	if err != nil || m.Header.Get("Reply-To") != "<jana@reader.test>" {
		t.Error(m.Header, err)
	}
	for i, bad := range []string{
		"jana", "Jana <jana@reader.test>", "jana@reader.test, all@evil.example",
		"jana@reader.test\r\nBcc: all@evil.example",
	} {
		l.Key, l.ReplyTo = fmt.Sprint("bad:", i), bad
		if err := s.Send(ctx, l); !jobs.IsSkip(err) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if n := len(office.messages()); n != 1 {
		t.Errorf("%d emails", n)
	}
}

func TestEmail(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	office := &postOffice{}
	s := sender(t, d, "smtp://"+open(t, office))
	if err := s.Send(ctx, message()); err != nil {
		t.Fatal(err)
	}
	m, err := netmail.ReadMessage(strings.NewReader(office.messages()[0]))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != message().Subject {
		t.Errorf("subject %q, %v", subject, err)
	}
	for name, want := range map[string]string{
		"From": `"Testnoviny sk" <noreply@sk.test>`, "To": "<eva@reader.test>", "Reply-To": "<help@sk.test>",
		"Auto-Submitted": "auto-generated", "Content-Language": "sk-SK",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if id := m.Header.Get("Message-ID"); !strings.HasSuffix(id, "@sk.test>") || len(id) < 30 {
		t.Errorf("Message-ID %s", id)
	}
	for _, program := range []string{"X-Mailer", "User-Agent"} {
		if got := m.Header.Get(program); got != "" {
			t.Errorf("%s: %s says which program has written it", program, got)
		}
	}
	text, html := parts(t, m)
	for _, want := range []string{
		"Prihláste sa\n============", "<Eva> & spol.", "\n    123456\n",
		"https://sk.test/security-check#hash=abc\n", "help@sk.test", "811 01 Bratislava",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if len([]rune(line)) > width {
			t.Errorf("a long line: %s", line)
		}
	}
	for _, want := range []string{
		`<html lang="sk-SK">`, "&lt;Eva&gt; &amp; spol.",
		`href="https://sk.test/security-check#hash=abc"`, "123456", "color-scheme", "Testnoviny sk",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %q:\n%s", want, html)
		}
	}
	for _, bad := range []string{"<img", "<script", "<Eva>", "ZgotmplZ", "<no value>"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// Emails of a company name its entry in the commercial register, where the edition has it.
func TestEmailsNameTheRegister(t *testing.T) {
	t.Parallel()
	l := message()
	for _, entry := range []string{"", "Obchodný register, oddiel Sa, vložka č. 7/B"} {
		ctx, _ := testkit.Edition(t, func(d *edition.Document) { d.Supplier.Register = entry })
		ed, err := edition.From(ctx)
		if err != nil {
			t.Fatal(err)
		}
		html, err := HTML(ed, &l)
		if text := strings.Join(strings.Fields(Text(ed, &l)), " "); err != nil ||
			!strings.HasSuffix(text, strings.TrimSpace("811 01 Bratislava "+entry)) ||
			!strings.Contains(typography.Plain(html), entry) {
			t.Errorf("%q: %s", entry, text)
		}
	}
}

func TestEmailWithAFile(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	office := &postOffice{}
	s := sender(t, d, "smtp://"+open(t, office))
	body := bytes.Repeat([]byte("%PDF-1.3 ľ\x00\n"), 1000)
	l := message()
	l.Files = []File{{"FV-2026-000117.pdf", "application/pdf", body, false}}
	if err := s.Send(ctx, l); err != nil {
		t.Fatal(err)
	}
	m, err := netmail.ReadMessage(strings.NewReader(office.messages()[0]))
	if err != nil {
		t.Fatal(err)
	}
	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || media != "multipart/mixed" {
		t.Fatal(media, err)
	}
	r := multipart.NewReader(m.Body, params["boundary"])
	text, err := r.NextPart()
	if err != nil || !strings.HasPrefix(text.Header.Get("Content-Type"), "multipart/alternative") {
		t.Fatal(text, err)
	}
	file, err := r.NextPart()
	if err != nil || file.FileName() != "FV-2026-000117.pdf" ||
		!strings.HasPrefix(file.Header.Get("Content-Type"), "application/pdf") {
		t.Fatal(file, err)
	}
	got, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, file))
	if err != nil || !bytes.Equal(got, body) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func parts(t *testing.T, m *netmail.Message) (text, html string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	r := multipart.NewReader(m.Body, params["boundary"])
	var out []string
	for {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if enc := p.Header.Get("Content-Transfer-Encoding"); enc != "quoted-printable" {
			t.Errorf("encoding %s", enc)
		}
		b, err := io.ReadAll(quotedprintable.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p.Header.Get("Content-Type")+"\n"+strings.ReplaceAll(string(b), "\r\n", "\n"))
	}
	if len(out) != 2 || !strings.HasPrefix(out[0], "text/plain") || !strings.HasPrefix(out[1], "text/html") {
		t.Fatalf("parts %v", out)
	}
	return out[0], out[1]
}

func TestTwentySendOneEmail(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	office := &postOffice{slow: 50 * time.Millisecond}
	s := sender(t, d, "smtp://"+open(t, office))
	var all sync.WaitGroup
	var sent atomic.Int64
	for range 20 {
		all.Go(func() {
			switch err := s.Send(ctxs[0], message()); {
			case err == nil:
				sent.Add(1)
			case !errors.Is(err, ErrInFlight):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if sent.Load() == 0 || len(office.messages()) != 1 {
		t.Errorf("%d say sent, %d arrived", sent.Load(), len(office.messages()))
	}
	if err := s.Send(ctxs[0], message()); err != nil || len(office.messages()) != 1 {
		t.Errorf("once more: %v, %d arrived", err, len(office.messages()))
	}
	if err := s.Send(ctxs[1], message()); err != nil || len(office.messages()) != 2 {
		t.Errorf("the same key in another edition: %v, %d arrived", err, len(office.messages()))
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	soft, hard := &smtp.SMTPError{Code: 451, Message: "later"},
		&smtp.SMTPError{Code: 550, Message: "<Eva@Reader.test>: nobody here"}
	for name, tc := range map[string]struct {
		refuse, content error
		login, url      string
		state           string
		skip            bool
	}{
		"address, for now":  {refuse: soft, state: stateClaimed},
		"address, for ever": {refuse: hard, state: stateBounced, skip: true},
		"content, for now":  {content: soft, state: stateClaimed},
		"content, for ever": {content: hard, state: stateBounced, skip: true},
		"our password":      {login: "paper:right", url: "paper:wrong@", state: stateClaimed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			office := &postOffice{refuse: tc.refuse, content: tc.content, login: tc.login}
			address := open(t, office)
			var log bytes.Buffer
			s := sender(t, d, "smtp://"+tc.url+address)
			s.log = slog.New(slog.NewTextHandler(&log, nil))
			err := s.Send(ctx, message())
			if said := strings.ToLower(fmt.Sprint(err, log.String())); strings.Contains(said, message().To) {
				t.Errorf("it says whom the email was for: %s", said)
			}
			if err == nil || jobs.IsSkip(err) != tc.skip {
				t.Errorf("got %v", err)
			}
			if state, _, text := logged(ctx, t, d, "login:1"); state != tc.state || text == "" {
				t.Errorf("%s, %q", state, text)
			}
			office.set(func() { office.refuse, office.content = nil, nil })
			url := strings.Replace(tc.url, "wrong", "right", 1)
			if err := sender(t, d, "smtp://"+url+address).Send(ctx, message()); err != nil {
				t.Errorf("again: %v", err)
			}
			want := 1
			if tc.skip {
				want = 0 // a bounced email is not tried again
			}
			if n := len(office.messages()); n != want {
				t.Errorf("%d arrived", n)
			}
		})
	}
}

// A worker that died after its claim leaves the email to others once the claim has run out; the copy has the same id.
func TestADeadClaimRunsOut(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	office := &postOffice{}
	s := sender(t, d, "smtp://"+open(t, office))
	l := message()
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	id := s.messageID(ed, l.Key)
	if mine, err := s.claim(ctx, &l, id); !mine || err != nil {
		t.Fatalf("%v, %v", mine, err)
	}
	if err := s.Send(ctx, l); !errors.Is(err, ErrInFlight) {
		t.Errorf("at once: %v", err)
	}
	testkit.Clock(d).Advance(2 * lease)
	if err := s.Send(ctx, l); err != nil || len(office.messages()) != 1 {
		t.Fatalf("later: %v, %d arrived", err, len(office.messages()))
	}
	if !strings.Contains(office.messages()[0], "Message-ID: <"+id+">") {
		t.Error("the Message-ID is not the email's own")
	}
}

// When the line to the database breaks, an email is sent all the same, once: its sender recognises its own claim, and
// notes in the end that it was sent.
func TestALostAnswerToAClaim(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"INSERT 0 1", "UPDATE 1"} {
		t.Run(lost, func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{})
			office := &postOffice{}
			s := sender(t, far, "smtp://"+open(t, office))
			proxy.Lose(lost)
			for range 2 {
				if err := s.Send(ctx, message()); err != nil {
					t.Errorf("sending: %v", err)
				}
			}
			if n := len(office.messages()); n != 1 {
				t.Errorf("%d arrived, want 1", n)
			}
		})
	}
}

func TestALateEmailIsDropped(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	office := &postOffice{}
	s := sender(t, d, "smtp://"+open(t, office))
	l := message()
	l.ExpiresAt = d.Now().Add(10 * time.Minute)
	testkit.Clock(d).Advance(10 * time.Minute)
	for range 2 {
		if err := s.Send(ctx, l); err != nil {
			t.Fatal(err)
		}
	}
	if state, _, _ := logged(ctx, t, d, l.Key); state != stateDropped || len(office.messages()) != 0 {
		t.Errorf("%s, %d arrived", state, len(office.messages()))
	}
	if st := s.Stats(); st.Dropped != 1 || st.Sent != 0 {
		t.Errorf("stats %+v", st)
	}
}

func TestBadEmailsArePermanent(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	s := sender(t, d, "smtp://127.0.0.1:1")
	for name, spoil := range map[string]func(*Message){
		"no key":             func(l *Message) { l.Key = "" },
		"no kind":            func(l *Message) { l.Kind = " " },
		"no subject":         func(l *Message) { l.Subject = "" },
		"no address":         func(l *Message) { l.To = "" },
		"two addresses":      func(l *Message) { l.To = "a@reader.test, b@reader.test" },
		"name and address":   func(l *Message) { l.To = "Eva <eva@reader.test>" },
		"nothing in it":      func(l *Message) { l.Blocks = nil },
		"button to a script": func(l *Message) { l.Blocks = []Block{Button("x", "javascript:alert(1)")} },
		"a file of 3 MiB":    func(l *Message) { l.Files = []File{{"a.pdf", "application/pdf", make([]byte, 3<<20), false}} },
		"button to a path":   func(l *Message) { l.Blocks = []Block{Button("x", "/account")} },
	} {
		l := message()
		spoil(&l)
		if err := s.Send(ctx, l); !jobs.IsSkip(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Send(ctx, message()); err == nil || jobs.IsSkip(err) {
		t.Errorf("no server: %v", err)
	}
}

func TestNewSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "smtp://", "http://x", "127.0.0.1:25", "smtp://host:port", "smtp://host:99999"} {
		if _, err := New(nil, bad, RequireTLS, nil, nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	_, err := New(nil, "smtpx://user:secret@host", RequireTLS, nil, nil)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}
