package app

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/newsletter"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// noContacts stands in for what emails with made-up contents do not ask.
type noContacts struct{}

func (noContacts) Contact(context.Context, int64) (email, lang string, err error) { return "", "", nil }

func (noContacts) Invited(context.Context, int64) (bool, error) { return false, nil }

func (noContacts) Legacy(context.Context, int64) (bool, error) { return false, nil }

func (noContacts) PublicID(context.Context, int64) (string, error) { return "", nil }

func (noContacts) ReaderOf(context.Context, string) (int64, error) { return 0, nil }

func (noContacts) AskMail(*gin.Context, string, string, string) error { return nil }

// emailPreviewsOf are all emails of the paper, in the words of a language, for an edition that ships.
func emailPreviewsOf(t *testing.T, id, lang string) (*edition.Edition, []mail.Preview) {
	t.Helper()
	ed, write := emailsOf(t, id, lang)
	return ed, write(previewAt)
}

// emailsOf writes them as at an instant.
func emailsOf(t *testing.T, id, lang string) (*edition.Edition, func(at time.Time) []mail.Preview) {
	t.Helper()
	text, err := fs.ReadFile(tenants.FS, id+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := edition.Parse(id, text)
	if err != nil {
		t.Fatal(err)
	}
	ed, err := edition.New(*doc, "https://{host}")
	if err != nil {
		t.Fatal(err)
	}
	key, d := []byte(strings.Repeat("k", 32)), new(db.DB)
	sender, err := mail.New(d, "smtp://127.0.0.1:1", mail.RequireTLS, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	i, err := identity.New(identity.Deps{DB: d, Key: key, Mailer: sender})
	if err != nil {
		t.Fatal(err)
	}
	b, err := billing.New(billing.Deps{
		DB: d, Key: key, Contacts: noContacts{}, Logins: noContacts{}, Mailer: sender,
		Provider: func(string) (stripe.Keys, error) {
			return stripe.Keys{}, nil
		}, ParseEmail: emailaddr.Parse,
	})
	if err != nil {
		t.Fatal(err)
	}
	n, err := newsletter.New(newsletter.Deps{
		DB: d, Key: key, Mailer: sender, Contacts: noContacts{}, Stories: Stories{},
		ParseEmail: emailaddr.Parse,
	})
	if err != nil {
		t.Fatal(err)
	}
	spoken := inLanguage(ed, lang)
	return spoken, func(at time.Time) []mail.Preview { return previewEmails(spoken, at, i, b, n) }
}

var untranslated = regexp.MustCompile(`\b(mail|newsletter)\.[a-z]+\.?[a-z]*\b|<no value>|ZgotmplZ|\{\{|%!`)

// Every email of the paper is what it was when somebody last looked at it, in three languages, as HTML and as text.
// UPDATE=1 writes them anew; look at what has changed.
func TestEmailsAreAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, lang := range i18n.Languages {
		ed, all := emailPreviewsOf(t, "standard", lang)
		if len(all) < 9 {
			t.Errorf("%s: %d emails only", lang, len(all))
		}
		for _, p := range all {
			html, err := mail.HTML(ed, &p.Message)
			if err != nil {
				t.Fatal(err)
			}
			text := "Subject: " + p.Message.Subject + "\n\n" + mail.Text(ed, &p.Message)
			for ext, got := range map[string]string{"html": html, "txt": text} {
				file := filepath.Join("testdata", "emails", lang, p.Name+"."+ext)
				if os.Getenv("UPDATE") != "" {
					if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil || string(want) != got {
					t.Errorf("%s is not what it was (%v); UPDATE=1 writes it anew", file, err)
				}
				if bad := untranslated.FindString(got); bad != "" {
					t.Errorf("%s says %q", file, bad)
				}
			}
		}
	}
}

// momentary are addresses and times of the day, which differ between emails of one day.
var momentary = regexp.MustCompile(`https?://\S+|\b\d{1,2}:\d{2}\b`)

// Every date in every email is one of the edition's time zone: an email that is written in the first or the last hour
// of a day there names the days that one of noon does, in summer, in winter and around the changes of clocks.
func TestEmails_DatesOfTheEdition(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, id := range []string{"standard", "standard_at", "standard_com"} {
		ed, write := emailsOf(t, id, map[string]string{"standard": "sk", "standard_at": "de", "standard_com": "de"}[id])
		for noon, others := range map[string][]string{
			"2027-07-14T10:00:00Z": {"2027-07-13T22:30:00Z", "2027-07-14T21:30:00Z"},
			"2027-01-14T11:00:00Z": {"2027-01-13T23:30:00Z", "2027-01-14T22:30:00Z"},
			"2027-02-28T11:00:00Z": {"2027-02-27T23:30:00Z"}, // waits until the day after the beginning of summer time
			"2027-03-28T10:00:00Z": {"2027-03-27T23:30:00Z", "2027-03-28T21:30:00Z"},
			"2027-03-29T10:00:00Z": {"2027-03-28T23:30:00Z", "2027-03-29T21:30:00Z"},
			"2027-10-31T11:00:00Z": {"2027-10-30T23:30:00Z"},
			"2027-12-31T11:00:00Z": {"2027-12-30T23:30:00Z"},
		} {
			want := textsAt(t, ed, write, noon)
			for _, at := range others {
				for name, got := range textsAt(t, ed, write, at) {
					if compared++; got != want[name] {
						t.Errorf("%s, %s at %s: got\n%s\nwant the dates of %s\n%s", id, name, at, got, noon, want[name])
					}
				}
			}
		}
	}
	t.Logf("%d emails compared", compared)
}

// textsAt are the emails of an instant by name, as text without what differs from moment to moment.
func textsAt(t *testing.T, ed *edition.Edition, write func(time.Time) []mail.Preview, at string) map[string]string {
	t.Helper()
	when, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, p := range write(when) {
		text := "Subject: " + p.Message.Subject + "\n\n" + mail.Text(ed, &p.Message)
		texts[p.Name] = momentary.ReplaceAllString(text, "…")
	}
	return texts
}

// The regional words of the German editions are complete in emails too, and Swiss emails have no ß.
func TestEmailsOfTheGermanEditions(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"standard_at", "standard_com"} {
		ed, all := emailPreviewsOf(t, id, "de")
		for _, p := range all {
			html, err := mail.HTML(ed, &p.Message)
			if err != nil {
				t.Fatal(err)
			}
			if bad := untranslated.FindString(html); bad != "" || (id == "standard_com" && strings.Contains(html, "ß")) {
				t.Errorf("%s, %s: %q\n%s", id, p.Name, bad, mail.Text(ed, &p.Message))
			}
		}
	}
}

// All emails can be looked at on a development server, in all languages and both forms.
func TestPreviewsAreShown(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	b := p.browser("standard_at")
	index := b.get(previewsPath)
	links := regexp.MustCompile(`href="(/_dev/mail/previews/[^"]+)"`).FindAllStringSubmatch(index.Body, -1)
	if index.Status != http.StatusOK || len(links) < 9*2*len(i18n.Languages) {
		t.Fatalf("%d, %d links", index.Status, len(links))
	}
	for _, l := range links {
		want := "text/html"
		if strings.HasSuffix(l[1], ".txt") {
			want = "text/plain"
		}
		if r := b.get(l[1]); r.Status != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), want) ||
			len(r.Body) < 300 {
			t.Errorf("%s: %d %s", l[1], r.Status, r.Header)
		}
	}
	for _, path := range []string{"/xx/login.html", "/sk/none.html"} {
		if r := b.get(previewsPath + path); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}
