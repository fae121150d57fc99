package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit/wait"
)

// from waits for an email of one edition to an address that holds a text.
func (p *testApp) from(id, address, text string) mailbox.Message {
	p.t.Helper()
	ed, _ := p.app.registry.Get(id)
	var found mailbox.Message
	wait.Until(p.t, "an email of "+id+" with "+text, func() bool {
		for _, m := range p.mail.Messages() {
			if strings.Contains(m.From, ed.Mail.From) && m.To[0] == address && strings.Contains(m.Text, text) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// addressIn finds the address of an email that holds a text, as a path of the edition.
func addressIn(t testing.TB, b *browser, text, part string) string {
	t.Helper()
	for _, a := range regexp.MustCompile(`https?://\S+`).FindAllString(text, -1) {
		if strings.Contains(a, part) {
			if !strings.HasPrefix(a, b.origin+"/") {
				t.Errorf("%s is no address of %s", a, b.origin)
			}
			return strings.TrimPrefix(a, b.origin)
		}
	}
	t.Fatalf("no address with %s in\n%s", part, text)
	return ""
}

// subscribe orders the brief for an address and confirms it.
func (p *testApp) subscribe(id, address string) {
	p.t.Helper()
	b := p.browser(id)
	if r := b.form("/fns/newsletters/subscribe",
		url.Values{"email": {address}, "lists": {"morning"}}); r.Status != http.StatusSeeOther {
		p.t.Fatalf("%s: %d %s", id, r.Status, r.Body)
	}
	m := p.from(id, address, "/newsletters/confirm")
	u, err := url.Parse(addressIn(p.t, b, m.Text, "/newsletters/confirm"))
	if err != nil {
		p.t.Fatal(err)
	}
	if r := b.form("/fns/newsletters/confirm",
		url.Values{"token": {u.Query().Get("token")}}); r.Status != http.StatusSeeOther ||
		!strings.Contains(r.Header.Get("Location"), "/settings") {
		p.t.Fatalf("%s: %d %s", id, r.Status, r.Header)
	}
}

// morning moves the clock to seven, when all editions have sent their briefs.
func (p *testApp) morning() {
	p.t.Helper()
	p.toHour(7)
}

// noon moves the clock to twelve: what is published then is for the briefs of the next morning, of all editions.
func (p *testApp) noon() {
	p.t.Helper()
	p.toHour(12)
}

func (p *testApp) toHour(hour int) {
	p.t.Helper()
	ed, _ := p.app.registry.Get("standard")
	now := p.app.clock.Now().In(ed.Location)
	if r := p.browser("standard").post("/_dev/clock",
		map[string]string{"advance": nextHour(now, hour).Sub(now).Round(time.Second).String()}); r.Status != http.StatusOK {
		p.t.Fatalf("%d %s", r.Status, r.Body)
	}
}

// One address that has the brief of three editions gets three, each of its own stories; none holds text of a body, none
// opens anything elsewhere.
func TestBriefsOfThreeEditions(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.noon()
	p.publish(6, true)
	const address = "same@example.org"
	all := p.app.registry.All()
	for _, ed := range all {
		p.subscribe(ed.ID, address)
	}
	p.morning()
	leave := map[string]string{}
	for _, ed := range all {
		b := p.browser(ed.ID)
		m := p.from(ed.ID, address, "/fns/newsletters/leave")
		whole := m.Subject + m.Text + m.HTML + fmt.Sprint(m.Headers)
		if strings.Contains(whole, "TOKEN-") || strings.Contains(whole, "Paragraph ") {
			t.Errorf("%s mails the text of an article:\n%s", ed.ID, m.Text)
		}
		if holdsForeignText(whole, ed.ID) || !strings.Contains(m.Text, "of ["+ed.ID+"]") {
			t.Errorf("%s mails what is not its own:\n%s", ed.ID, m.Text)
		}
		for _, other := range all {
			if other != ed && strings.Contains(whole, other.Hosts[0]) {
				t.Errorf("an email of %s names %s", ed.ID, other.Hosts[0])
			}
		}
		leave[ed.ID] = addressIn(t, b, m.Text, "/fns/newsletters/leave")
		if got := m.Headers["List-Unsubscribe"]; len(got) != 1 || got[0] != "<"+b.origin+leave[ed.ID]+">" {
			t.Errorf("%s: List-Unsubscribe %v", ed.ID, got)
		}
	}
	oneClick := url.Values{"List-Unsubscribe": {"One-Click"}}
	for _, ed := range all {
		for _, other := range all {
			want := http.StatusGone
			if other == ed {
				continue
			}
			if r := p.browser(ed.ID).form(leave[other.ID], oneClick); r.Status != want ||
				!strings.Contains(r.Body, `"INVALID_LINK"`) {
				t.Errorf("the link of %s at %s: %d %s", other.ID, ed.ID, r.Status, r.Body)
			}
		}
	}
	last := all[len(all)-1]
	if r := p.browser(last.ID).form(leave[last.ID], oneClick); r.Status != http.StatusOK {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// report is a bounce or a complaint about an email.
func report(kind, body, id string) string {
	return "From: mx@reader.test\nContent-Type: multipart/report; report-type=" + kind + "; boundary=b\n\n--b\n" + body +
		"\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: " + id + "\n\n--b--\n"
}

// What a mail server brings back reaches the edition that sent the email, and what is made up reaches nobody.
func TestIntake(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.noon()
	p.publish(3, false)
	const gone, angry = "gone@example.org", "angry@example.org"
	const bounce = "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; " +
		"x@y.test\nAction: failed\nStatus: 5.1.1\n"
	const complaint = "Content-Type: message/feedback-report\n\nFeedback-Type: abuse\n"
	p.subscribe("standard_at", gone)
	p.subscribe("standard_at", angry)
	p.morning()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"bounce": report("delivery-status", bounce,
			p.from("standard_at", gone, "/fns/newsletters/leave").Headers["Message-Id"][0]),
		"complaint": report("feedback-report", complaint,
			p.from("standard_at", angry, "/fns/newsletters/leave").Headers["Message-Id"][0]),
		"made-up": report("delivery-status", bounce, "<0123456789abcdef0123456789abcdef@standard.example>"),
		"answer":  "From: x@y.test\nSubject: Re: Der Morgen\n\nThank you.\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := p.command("mail", "intake", "--folder", folder)
	if err != nil {
		t.Fatal(err, out)
	}
	for _, want := range []string{
		"bounce: bounce of standard_at 5.1.1, noted, and the address gets no newsletters any more",
		"complaint: complaint of standard_at , noted, and the address gets no newsletters any more",
		"made-up: about an email that no edition has sent", "answer: mail: neither a bounce nor a complaint",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "@example.org") {
		t.Errorf("it tells addresses:\n%s", out)
	}
	for _, name := range []string{"done/bounce", "done/complaint", "done/made-up", "other/answer"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	before := len(p.mail.Messages())
	p.subscribe("standard_at", "new@example.org")
	ed, _ := p.app.registry.Get("standard_at")
	// A brief tells what is new since the last.
	_, _, err = p.app.content.SavePost(edition.With(context.Background(), ed), content.Draft{
		Source: "test", SourceID: "fresh", Type: post.TypeArticle, Status: post.StatusPublished, Slug: "fresh",
		Title: "Fresh", Excerpt: "x", Body: "<p>x</p>",
		Categories: []string{ed.Categories[0].Slug}, Authors: []string{"leak"}, Published: p.app.clock.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	p.morning()
	p.from("standard_at", "new@example.org", "/fns/newsletters/leave")
	for _, m := range p.mail.Messages()[:len(p.mail.Messages())-before] {
		if m.To[0] == gone || m.To[0] == angry {
			t.Errorf("%s got %s", m.To[0], m.Subject)
		}
	}
}

func TestBreakingNews(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(2, true)
	b := p.browser("standard")
	p.signIn(b, "reader@example.org")
	if r := b.post("/fns/newsletters/settings", map[string]any{"lists": []string{"breaking"}}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	var mine struct {
		Email string
		Lists []struct {
			ID     string
			Chosen bool
		}
	}
	b.get("/fns/newsletters/settings").json(t, &mine)
	if mine.Email != "reader@example.org" || len(mine.Lists) != 3 || !mine.Lists[2].Chosen || mine.Lists[0].Chosen {
		t.Errorf("%+v", mine)
	}
	if out, err := p.command("newsletter", "send", "breaking", "--edition", "standard", "--post", "1"); err != nil {
		t.Fatal(err, out)
	}
	m := p.from("standard", "reader@example.org", "/fns/newsletters/leave")
	if strings.Contains(m.Text+m.HTML, "TOKEN-") || !strings.Contains(m.Subject, "of [standard]") {
		t.Errorf("%s\n%s", m.Subject, m.Text)
	}
	for _, args := range [][]string{
		{"breaking", "--edition", "standard", "--post", "1"},
		{"morning", "--edition", "standard", "--post", "1"},
		{"breaking", "--edition", "standard", "--post", "99"},
		{"breaking", "--post", "1"},
	} {
		if out, err := p.command(append([]string{"newsletter", "send"}, args...)...); err == nil {
			t.Errorf("%v: %s", args, out)
		}
	}
}
