package identity

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/help"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

const plea = "Od roku 2023,\r\nraz ročne.\u0000\u202e <b>{{.Name}}</b>\r\nBcc: all@evil.example"

func (k *env) pleas() int { return k.count("SELECT count(*) FROM identity_help_messages") }

func TestAMessageToSupport(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	if err := k.help.Ask(k.ctx,
		help.Message{Name: " Jana\n Nová ", Email: " Jana@Reader.test ", Text: plea, Network: "192.0.2.1"}); err != nil {
		t.Fatal(err)
	}
	if k.work(); len(k.emails) != 1 {
		t.Fatal(k.emails)
	}
	ed, _ := edition.From(k.ctx)
	l := k.emails[0]
	if l.To != ed.SupportEmail || l.ReplyTo != "jana@reader.test" || l.Key != "help:1:0" {
		t.Errorf("%+v", l)
	}
	for name, head := range map[string]string{"subject": l.Subject, "preview": l.Preview, "key": l.Key, "to": l.To} {
		if strings.Contains(head, "Jana") || strings.Contains(head, "evil") {
			t.Errorf("the %s has what was typed: %q", name, head)
		}
	}
	html, err := mail.HTML(ed, &l)
	if err != nil {
		t.Fatal(err)
	}
	text := mail.Text(ed, &l)
	for in, want := range map[*string][]string{
		&html: {
			">Jana Nová</p>", ">Od roku 2023,</p>", ">raz ročne. &lt;b&gt;{{.Name}}&lt;/b&gt;</p>",
			">Bcc: all@evil.example</p>",
		},
		&text: {"Jana Nová\n", "Od roku 2023,\n", "raz ročne. <b>{{.Name}}</b>\n", "jana@reader.test"},
	} {
		for _, w := range want {
			if !strings.Contains(*in, w) {
				t.Errorf("%q is missing in\n%s", w, *in)
			}
		}
	}
	if k.count("SELECT count(*) FROM identity_help_messages WHERE sent_at IS NOT NULL") != 1 {
		t.Error("it is not marked as sent")
	}
	k.wait(help.Kept - time.Minute)
	if testkit.Retain(k.ctx, t, k.db, k.Retentions()); k.pleas() != 1 {
		t.Error("gone too early")
	}
	k.wait(2 * time.Minute)
	if testkit.Retain(k.ctx, t, k.db, k.Retentions()); k.pleas() != 0 {
		t.Error("kept too long")
	}
}

// failingMailer is a mail server that does not take what it is given.
type failingMailer struct {
	*fakes
	with error
}

func (r *failingMailer) Send(ctx context.Context, l mail.Message) error {
	if r.with != nil {
		return r.with
	}
	return r.fakes.Send(ctx, l)
}

func TestAMessageToSupportIsNotLost(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	post := &failingMailer{k.fakes, errors.New("no connection")}
	k.help = help.New(k.db, post, k.countForEdition)
	if err := k.help.Ask(k.ctx, help.Message{Email: jana, Text: plea}); err != nil {
		t.Fatal(err)
	}
	k.wait(2 * time.Hour)
	if err := k.help.SendOpen(k.ctx); !errors.Is(err, post.with) {
		t.Fatal(err)
	}
	post.with = jobs.Skip(errors.New("550 no such mailbox"))
	if err := k.help.SendOpen(k.ctx); !errors.Is(err, post.with) {
		t.Fatal(err)
	}
	k.wait(400 * 24 * time.Hour)
	if testkit.Retain(k.ctx, t, k.db, k.Retentions()); k.pleas() != 1 {
		t.Fatal("it was removed before it was sent")
	}
	post.with = nil
	for range 2 {
		if err := k.help.SendOpen(k.ctx); err != nil {
			t.Fatal(err)
		}
	}
	// The mailbox refused the first email for good: the second is another one.
	if len(k.emails) != 1 || k.emails[0].Key != "help:1:1" {
		t.Errorf("%+v", k.emails)
	}
}

func TestMessagesToSupportAreBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		most    int
		message func(i int) help.Message
		again   time.Duration
	}{
		"of a network": {5, func(i int) help.Message {
			return help.Message{Email: fmt.Sprintf("a%d@reader.test", i), Network: "192.0.2.1"}
		}, time.Hour},
		"of an address": {3, func(i int) help.Message {
			return help.Message{Email: jana, Network: fmt.Sprintf("192.0.2.%d", i)}
		}, 24 * time.Hour},
		"of the edition": {200, func(i int) help.Message {
			return help.Message{Email: fmt.Sprintf("a%d@reader.test", i), Network: fmt.Sprintf("192.0.2.%d", i)}
		}, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newEnv(t)
			say := func(i int) error {
				h := c.message(i)
				h.Text = fmt.Sprint("message ", i)
				return k.help.Ask(k.ctx, h)
			}
			for i := range c.most {
				if err := say(i); err != nil {
					t.Fatal(i, err)
				}
			}
			if err := say(c.most); err == nil || err.Error() != "TOO_MANY_REQUESTS" || k.pleas() != c.most {
				t.Error(err, k.pleas())
			}
			k.wait(c.again)
			if err := say(c.most); err != nil || k.pleas() != c.most+1 {
				t.Error(err, k.pleas())
			}
		})
	}
}

func TestAMessageThatIsSentTwiceIsOne(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for i, h := range []help.Message{
		{Email: jana, Text: plea},
		{Email: jana, Text: plea},
		{Email: jana, Text: plea + "!"},
		{Email: "other@reader.test", Text: plea},
	} {
		if err := k.help.Ask(k.ctx, h); err != nil {
			t.Fatal(i, err)
		}
	}
	k.wait(help.RepeatAfter)
	if err := k.help.Ask(k.ctx, help.Message{Email: "other@reader.test", Text: plea}); err != nil || k.pleas() != 4 {
		t.Error(err, k.pleas())
	}
}

func TestTheFormOfAForgottenAddress(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	long := strings.Repeat("ž", 1001)
	for name, c := range map[string]struct {
		body   string
		status int
		want   string // error and field
	}{
		"whole":       {`{"name":"Jana","email":"jana@reader.test","message":"Hi","referrer":"/7/x"}`, 200, ""},
		"no name":     {`{"email":"jana@reader.test","message":"Hello"}`, 200, ""},
		"no address":  {`{"message":"Hi"}`, 422, "INVALID_EMAIL email"},
		"header":      {`{"email":"jana@reader.test\r\nBcc: all@evil.example","message":"Hi"}`, 422, "INVALID_EMAIL email"},
		"two":         {`{"email":"jana@reader.test, all@evil.example","message":"Hi"}`, 422, "INVALID_EMAIL email"},
		"no message":  {`{"email":"jana@reader.test"}`, 400, "INVALID_REQUIREMENT message"},
		"blank":       {`{"email":"jana@reader.test","message":" \u0000\n\t "}`, 400, "INVALID_REQUIREMENT message"},
		"longest":     {`{"email":"jana@reader.test","message":"` + long[2:] + `"}`, 200, ""},
		"too long":    {`{"email":"jana@reader.test","message":"` + long + `"}`, 400, "INVALID_ARGS message"},
		"name":        {`{"email":"jana@reader.test","message":"Hi","name":"` + long[:202] + `"}`, 400, "INVALID_ARGS name"},
		"not a word":  {`{"email":"jana@reader.test","message":7}`, 400, "INVALID_ARGS message"},
		"not JSON":    {`{`, 400, "INVALID_ARGS "},
		"for program": {`{"email":"jana@reader.test","message":"Buy","website":"https://evil.example"}`, 200, ""},
	} {
		b.ip = "192.0.2." + fmt.Sprint(len(name)) + ":1"
		a := b.do("POST", "/fns/forgotten-email", c.body)
		said := ""
		if a.Code != 200 {
			field, _ := a.at("field").(string)
			said = fmt.Sprint(a.at("error")) + " " + field
		}
		if a.Code != c.status || said != c.want {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
		if name == "whole" && a.at("data.redirect") != "/account/login?referrer=%2F7%2Fx&status=EMAIL_SENT" {
			t.Error(a.Body)
		}
	}
	if b.work(); len(b.emails) != 3 || b.count("SELECT count(*) FROM identity_help_messages WHERE text = 'Buy'") != 0 {
		t.Errorf("%d emails", len(b.emails))
	}
	if a := b.do("POST", "/fns/forgotten-email", `{}`, "Sec-Fetch-Site", "cross-site"); a.Code != 403 {
		t.Error("another site", a.Body)
	}
	if a := b.do("POST", "/fns/forgotten-email", `{}`, "Content-Type", "text/plain"); a.Code != 415 {
		t.Error("text", a.Body)
	}
}

// A plain form that is refused shows again what was typed, all of it.
func TestThePlainFormOfAForgottenAddress(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	typed := helpFields{"Jana \"Ž\" Nová", "jana@", strings.Repeat("Žltý kôň\n", 100)}
	refused := b.form("/fns/forgotten-email", "name", typed.Name, "email", typed.Email, "message", typed.Message,
		"referrer", "/7/x")
	if to := refused.Header().Get("Location"); refused.Code != 303 ||
		to != "/account/login?referrer=%2F7%2Fx&status=INVALID_EMAIL" {
		t.Fatal(refused.Code, to)
	}
	if ck := refused.Result().Cookies()[0]; ck.Name != "__Host-typed_help" || !ck.HttpOnly ||
		len(ck.Name+ck.Value) > 4096 {
		t.Errorf("cookie %v", ck)
	}
	shown := func(query string) *helpFields {
		ctx := web.WithStickyForm(b.ctx, helpForm, typedIn(t, b.cookies["__Host-typed_help"]))
		values, _ := url.ParseQuery(query)
		p, err := b.Pages()[edition.Login].Load(ctx,
			&page.Request{Edition: testkit.EditionOf(b.ctx, b.t), Path: "/account/login", Tier: page.Anonymous, Query: values})
		if err != nil {
			t.Fatal(err)
		}
		return p.Data.(loginData).Forgotten
	}
	if got := shown("status=INVALID_EMAIL"); got == nil || *got != typed {
		t.Errorf("%+v", got)
	}
	if got := shown(""); got != nil {
		t.Errorf("on another visit: %+v", got)
	}
	a := b.form("/fns/forgotten-email", "name", typed.Name, "email", jana, "message", typed.Message, "website", "")
	if to := a.Header().Get("Location"); a.Code != 303 || to != "/account/login?status=EMAIL_SENT" ||
		b.cookies["__Host-typed_help"] != "" {
		t.Error(a.Code, to, b.cookies)
	}
}

// typedIn is the text that a cookie carries.
func typedIn(t *testing.T, cookie string) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMessagesToSupportAreAReadersData(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	if err := k.help.Ask(k.ctx, help.Message{Email: "jana@reader.test", Text: "Canary"}); err != nil {
		t.Fatal(err)
	}
	k.work()
	_, id := k.reads("jana@reader.test")
	erased := func(ctx context.Context, tx db.Tx) error {
		_, err := k.Data.Begin(ctx, tx, id)
		return err
	}
	if err := k.db.InTx(k.ctx, erased); err != nil || k.pleas() != 0 {
		t.Error(err, k.pleas())
	}
}
