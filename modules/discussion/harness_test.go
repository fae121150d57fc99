package discussion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// The people of the tests. Readers up to 99 subscribe and are called r1, r2, …; others are said.
const (
	noName     = 100
	noSubscrip = 101
	moderator  = 102
	former     = 103 // of the legacy site, without a subscription
)

// fakeSite is all that the module asks of others.
type fakeSite struct{ now func() time.Time }

func (fakeSite) CommentNames(_ context.Context, ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	for _, id := range ids {
		if id != noName {
			names[id] = fmt.Sprintf("r%d", id)
		}
	}
	return names, nil
}

func (fakeSite) HasRole(_ context.Context, id int64, what string) (bool, error) {
	return id == moderator && what == "moderator", nil
}

func (fakeSite) Legacy(_ context.Context, id int64) (bool, error) { return id == former, nil }

func (h fakeSite) ActiveUntil(_ context.Context, id int64) (time.Time, error) {
	if id == noSubscrip || id == former {
		return time.Time{}, nil
	}
	return h.now().Add(time.Hour), nil
}

func (fakeSite) Discussable(_ context.Context, id int64) (bool, error) { return id < 1000, nil }

func (fakeSite) Headline(_ context.Context, id int64) (title, path string, err error) {
	if id >= 1000 {
		return "", "", web.ErrNotFound
	}
	return fmt.Sprintf("Article %d", id), fmt.Sprintf("/%d/article", id), nil
}

// env is the module behind the server's middleware; readers name themselves in the session cookie.
type env struct {
	*Module
	t      *testing.T
	ctx    context.Context
	ed     *edition.Edition
	engine *gin.Engine
	keys   int
}

func newEnv(t *testing.T, change ...func(*edition.Document)) *env {
	t.Helper()
	ctx, d := testkit.Edition(t, change...)
	return newEnvOn(ctx, t, d)
}

func newEnvOn(ctx context.Context, t *testing.T, d *db.DB) *env {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	h := fakeSite{d.Now}
	k := &env{t: t, ctx: ctx, ed: ed, engine: gin.New(), Module: New(Deps{DB: d, Readers: h, Subscriptions: h, Posts: h})}
	k.engine.Use(web.SameOrigin(), web.BodyLimit(64<<10), web.Editions(func(string) (*edition.Edition, bool) {
		return ed, true
	}),
		web.Cookies{Secure: true}.Sessions(func(_ context.Context, token string) (s session.Session, ok bool, err error) {
			_, err = fmt.Sscan(token, &s.ReaderID)
			return s, err == nil, err
		}))
	k.Routes(k.engine)
	k.Streams(k.engine)
	return k
}

func (k *env) do(reader int64, target, media, body string) *httptest.ResponseRecorder {
	k.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "https://sk.test"+target, strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if reader != 0 {
		r.AddCookie(&http.Cookie{Name: "__Host-session", Value: fmt.Sprint(reader)})
	}
	w := httptest.NewRecorder()
	k.engine.ServeHTTP(w, r)
	return w
}

// call posts JSON and returns the code of the refusal, "" for none, and the answer.
func (k *env) call(reader int64, target string, body any) (string, map[string]any) {
	k.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		k.t.Fatal(err)
	}
	w := k.do(reader, target, "application/json", string(raw))
	var out map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		k.t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	code, _ := out["error"].(string)
	if (code == "") != (w.Code == http.StatusOK) || out["success"] != (code == "") {
		k.t.Errorf("%s: %d %s", target, w.Code, w.Body)
	}
	return code, out
}

// form posts a plain form and returns where it leads.
func (k *env) form(reader int64, target string, v url.Values) string {
	k.t.Helper()
	w := k.do(reader, target, "application/x-www-form-urlencoded", v.Encode())
	if w.Code != http.StatusSeeOther {
		k.t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return w.Header().Get("Location")
}

// write adds a comment that must be taken.
func (k *env) write(reader, post, parent int64, text string) int64 {
	k.t.Helper()
	k.keys++
	id, err := k.Write(k.ctx,
		Comment{PostID: post, ParentID: parent, ReaderID: reader, Text: text, Key: fmt.Sprint("key", k.keys)})
	if err != nil {
		k.t.Fatal(err)
	}
	return id
}

// see is the page as a reader gets it.
func (k *env) see(reader, post int64, query ...string) Data {
	k.t.Helper()
	q := url.Values{}
	for i := 0; i < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	ctx, tier := k.ctx, page.Anonymous
	if reader != 0 {
		ctx, tier = session.With(ctx, session.Session{ReaderID: reader}), page.Member
	}
	path := k.ed.DiscussionPath(post)
	p, err := k.Pages()[edition.Discussion].Load(ctx, &page.Request{
		Edition: k.ed,
		Route:   edition.Discussion, Path: path, Query: q, Tier: tier,
		Params: map[string]string{"discussionSlug": strings.TrimPrefix(path, "/discussion/")},
	})
	if err != nil {
		k.t.Fatal(err)
	}
	if p.NoStore != (reader != 0) {
		k.t.Errorf("reader %d: no store is %t", reader, p.NoStore)
	}
	return p.Data.(Data)
}

// outline is what is seen, in order: "3[4 5]" for a thread and its answers.
func outline(d Data) string {
	var b strings.Builder
	for _, t := range d.Threads {
		fmt.Fprint(&b, t.ID)
		if len(t.Replies) > 0 {
			var ids []string
			for _, r := range t.Replies {
				ids = append(ids, fmt.Sprint(r.ID))
			}
			b.WriteString("[" + strings.Join(ids, " ") + "]")
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

func code(err error) string {
	if err == nil {
		return ""
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code
	}
	return err.Error()
}

// all runs fn n times at once.
func all(n int, fn func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { fn(i) })
	}
	wg.Wait()
}
