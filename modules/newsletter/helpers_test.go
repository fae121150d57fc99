package newsletter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

var errBadAddress = fault.New(fault.Invalid, "TEST_BAD_ADDRESS")

// env is the module behind the server's middleware, with a real mail server; its listeners run when it is told to
// work.
type env struct {
	*Module
	t      *testing.T
	ctx    context.Context
	ed     *edition.Edition
	d      *db.DB
	box    *mailbox.Mailbox
	engine *gin.Engine
	told   map[int64]bool // outbox rows that were worked
	list   []Story
	short  []Story
	since  time.Time
	topic  Story
}

// whoLeft is a reader of whom nothing is known any more.
const whoLeft = 404

func (o *env) Contact(_ context.Context, readerID int64) (email, lang string, err error) {
	if readerID == whoLeft {
		return "", "", event.ErrReaderLeft
	}
	return fmt.Sprintf("reader%d@reader.test", readerID), "sk", nil
}

func (o *env) Since(_ context.Context, since time.Time, _, _ int) (list, short []Story, err error) {
	o.since = since
	return o.list, o.short, nil
}

func (o *env) Topic(context.Context, int) (topic Story, list []Story, err error) {
	return o.topic, o.list, nil
}

func (o *env) Post(_ context.Context, id int64) (Story, error) {
	if id != 17 {
		return Story{}, nil
	}
	return o.list[0], nil
}

func parseEmail(s string) (string, error) {
	if !strings.Contains(s, "@") {
		return "", errBadAddress.On("email")
	}
	return strings.ToLower(strings.TrimSpace(s)), nil
}

func open(t *testing.T) *env {
	t.Helper()
	return newEnvs(t, 1)[0]
}

func newEnvs(t *testing.T, n int) []*env {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	ctxs, d := testkit.Editions(t, n)
	box, err := mailbox.New(mailbox.Options{Keep: 5000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	sender, err := mail.New(d, box.URL(), mail.RequireTLS, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []*env
	for _, ctx := range ctxs {
		ed, _ := edition.From(ctx)
		o := &env{t: t, ctx: ctx, ed: ed, d: d, box: box, engine: gin.New(), told: map[int64]bool{}}
		o.list = []Story{
			{Label: "Doma", Title: "Prvý titulok", Text: "Perex.", URL: "/1/prvy"},
			{Title: "Druhý titulok", URL: "/2/druhy", Locked: true},
		}
		o.short = []Story{{Title: "Krátka správa", URL: "/3/kratka"}}
		o.topic = Story{Title: "Voda", Text: "O vode.", URL: "/tema/voda"}
		if o.Module,
			err = New(Deps{
			DB: d, Key: []byte(strings.Repeat("k", 32)), Mailer: sender, Contacts: o, Stories: o,
			ParseEmail: parseEmail,
		}); err != nil {
			t.Fatal(err)
		}
		o.engine.Use(web.SameOrigin(LeavePath), web.BodyLimit(64<<10), web.Editions(func(string) (*edition.Edition, bool) {
			return ed, true
		}),
			web.Cookies{}.Sessions(func(_ context.Context, token string) (s session.Session, ok bool, err error) {
				_, err = fmt.Sscan(token, &s.ReaderID)
				return s, err == nil, err
			}))
		o.Routes(o.engine)
		list = append(list, o)
	}
	return list
}

// work runs what the outbox asks for, until nothing is asked. It returns how often something failed.
func (o *env) work() (failures int) {
	o.t.Helper()
	listeners := event.Registry{}
	o.Listen(listeners)
	for {
		var rows []struct {
			ID      int64
			Event   string
			Payload json.RawMessage
		}
		err := o.d.Run(o.ctx, func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT id, event, payload FROM outbox ORDER BY id").Scan(ctx, &rows)
		})
		if err != nil {
			o.t.Fatal(err)
		}
		some := false
		for _, r := range rows {
			if o.told[r.ID] {
				continue
			}
			some = true
			o.told[r.ID] = true
			for _, listen := range listeners[r.Event] {
				if err := listen(o.ctx, r.Payload); err != nil {
					failures++
				}
			}
		}
		if !some {
			return failures
		}
	}
}

// again forgets which rows were worked, as when none was known to be done.
func (o *env) again() { o.told = map[int64]bool{} }

func (o *env) messages(to string) (list []mailbox.Message) {
	for _, m := range o.box.Messages() {
		if len(m.To) == 1 && m.To[0] == to && strings.HasSuffix(m.From, "@"+o.ed.Hosts[0]+">") {
			list = append(list, m)
		}
	}
	return list
}

var tokenIn = regexp.MustCompile(`token=(\S+)`)

// tokenOf finds the token of the first link in an email to a step.
func (o *env) tokenOf(m mailbox.Message, step string) string {
	o.t.Helper()
	for _, line := range strings.Split(m.Text, "\n") {
		if found := tokenIn.FindStringSubmatch(line); found != nil && strings.Contains(line, "/"+step+"?") {
			token, err := url.QueryUnescape(found[1])
			if err != nil {
				o.t.Fatal(err)
			}
			return token
		}
	}
	o.t.Fatalf("no link to %s in\n%s", step, m.Text)
	return ""
}

func (o *env) request(method, target, media, body string, reader int64) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "https://sk.test"+target, strings.NewReader(body))
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	if !strings.HasPrefix(target, LeavePath) { // mailboxes say nothing of where they are, browsers do
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if reader != 0 {
		r.AddCookie(&http.Cookie{Name: "session", Value: fmt.Sprint(reader)})
	}
	w := httptest.NewRecorder()
	o.engine.ServeHTTP(w, r)
	return w
}

func (o *env) post(target, body string, reader int64) *httptest.ResponseRecorder {
	return o.request(http.MethodPost, target, "application/json", body, reader)
}

// has lists what an address gets.
func (o *env) has(email string) []string {
	o.t.Helper()
	var lists []string
	for _, row := range o.kept(email, "newsletters") {
		lists = append(lists, row["list"].(string)) //nolint:forcetypeassert // a test
	}
	return lists
}

// kept are the rows of a table in an address's export.
func (o *env) kept(email, name string) (rows []map[string]any) {
	o.t.Helper()
	tables, err := o.Export(o.ctx, privacy.Reader{Email: email})
	if err != nil {
		o.t.Fatal(err)
	}
	for _, t := range tables {
		for _, r := range t.Rows {
			if t.Name == name {
				row := map[string]any{}
				for i, c := range t.Columns {
					row[c] = r[i]
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// join makes an address a subscriber, as if it had confirmed.
func (o *env) join1(email string, lists ...string) int64 {
	o.t.Helper()
	var id int64
	err := o.d.InTx(o.ctx, func(ctx context.Context, tx db.Tx) error {
		s, err := upsertSubscriber(ctx, tx, email)
		if err != nil {
			return err
		}
		id = s.ID
		return o.join(ctx, tx, s, lists, viaMail, Visitor{})
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return id
}

// step loads the page of a step.
func (o *env) step(step, token string) (stepData, error) {
	p, err := o.Pages()[edition.NewsletterStep].Load(o.ctx, &page.Request{
		Edition: o.ed,
		Route:   edition.NewsletterStep, Path: "/newsletters/" + step, Params: map[string]string{"step": step},
		Query: url.Values{"token": {token}},
	})
	if err != nil {
		return stepData{}, err
	}
	d, ok := p.Data.(stepData)
	if !ok {
		return d, errors.New("no page of a step")
	}
	return d, nil
}
