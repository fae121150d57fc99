package logging

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

type env struct {
	*Module
	t      *testing.T
	ctx    context.Context
	engine *gin.Engine
	out    *bytes.Buffer
}

// newEnv is the module behind the server's middleware; readers name themselves in the session cookie. Its clock stands
// at the begin of a budget.
func newEnv(t *testing.T) *env {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	ctx, d := testkit.Edition(t)
	now := d.Now()
	testkit.Clock(d).Advance(now.Truncate(5 * time.Minute).Add(5 * time.Minute).Sub(now))
	ed, _ := edition.From(ctx)
	out := &bytes.Buffer{}
	k := &env{New(Deps{DB: d, Log: slog.New(slog.NewTextHandler(out, nil))}), t, ctx, gin.New(), out}
	k.engine.Use(web.BodyLimit(64<<10), web.Editions(func(string) (*edition.Edition, bool) { return ed, true }),
		web.Cookies{}.Sessions(func(_ context.Context, token string) (s session.Session, ok bool, err error) {
			_, err = fmt.Sscan(token, &s.ReaderID)
			return s, err == nil, err
		}))
	k.Routes(k.engine)
	return k
}

func (k *env) post(target, body string, reader int) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "https://sk.test"+target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if reader != 0 {
		r.AddCookie(&http.Cookie{Name: "session", Value: fmt.Sprint(reader)})
	}
	w := httptest.NewRecorder()
	k.engine.ServeHTTP(w, r)
	return w
}

func (k *env) rows(query string) (rows []string) {
	k.t.Helper()
	err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query).Scan(ctx, &rows) })
	if err != nil {
		k.t.Fatal(err)
	}
	return rows
}

const allEvents = "SELECT concat_ws('|', coalesce(reader_id, 0), action, meta_value, publish_date) FROM " +
	"logging_events ORDER BY id"

func TestEvents(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for name, c := range map[string]struct {
		body   string
		reader int
		status int
		row    string
	}{
		"reader": {`{"user_id":7,"action":"article_opened","meta_value":17,"email":"jana@example.org",` +
			`"publish_date":"2026-11-20"}`, 7, 200, "7|article_opened|17|2026-11-20"},
		"id as text": {
			`{"user_id":"7","action":"article_read_full","meta_value":"17"}`, 7, 200,
			"7|article_read_full|17|",
		},
		"no id": {`{"action":"user_used_logout"}`, 7, 200, "7|user_used_logout||"},
		"visitor": {
			`{"user_id":"","action":"locked_article_opened","meta_value":null}`, 0, 200,
			"0|locked_article_opened||",
		},
		"claims only": {`{"action":"article_credit_used","meta_value":"17"}`, 7, 200, "7|article_credit_used|17|"},
		"lines": {
			`{"action":"article_opened","meta_value":"1\r\nlevel=ERROR msg=x\u0000\u2028"}`, 7, 200,
			"7|article_opened|1 level=ERROR msg=x|",
		},
		"another's":     {`{"user_id":8,"action":"article_opened"}`, 7, 403, ""},
		"as somebody":   {`{"user_id":8,"action":"article_opened"}`, 0, 401, ""},
		"no such":       {`{"action":"admin_logged_in"}`, 7, 400, ""},
		"none":          {`{}`, 7, 400, ""},
		"a list":        {`{"action":"article_opened","meta_value":[1]}`, 7, 400, ""},
		"not JSON":      {`action`, 7, 400, ""},
		"half a number": {`{"user_id":7.5,"action":"article_opened"}`, 7, 400, ""},
	} {
		before := len(k.rows(allEvents))
		w := k.post("/fns/logs-put", c.body, c.reader)
		rows := k.rows(allEvents)[before:]
		if w.Code != c.status || strings.Join(rows, "\n") != c.row {
			t.Errorf("%s: %d %s, %q", name, w.Code, w.Body, rows)
		}
	}
	long, _ := json.Marshal(map[string]string{"action": "article_opened", "meta_value": strings.Repeat("č", 2000)})
	if w := k.post("/fns/logs-put", string(long), 0); w.Code != 200 {
		t.Error(w.Body)
	}
	if rows := k.rows("SELECT char_length(meta_value)::text FROM logging_events ORDER BY id DESC LIMIT 1"); rows[0] !=
		fmt.Sprint(maxMeta) {
		t.Errorf("%s characters are kept", rows[0])
	}
}

func TestClientErrors(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for name, c := range map[string]struct{ data, want string }{
		"of the page": {
			`{"message":"x is not a function","stack":"at a\nat b","where":"uncaught","path":"/1/x?user_hash=abc"}`,
			"x is not a function|at a at b|uncaught|/1/x",
		},
		"text":      {`"it broke"`, "it broke|||"},
		"odd shape": {`{"message":{"a":1}}`, `{"message":{"a":1}}|||`},
		"list":      {`[1,2]`, "[1,2]|||"},
		"forgery": {
			`{"message":"x\r\ntime=2026 level=ERROR msg=forged\u0000\u001b[31m"}`,
			"x time=2026 level=ERROR msg=forged[31m|||",
		},
		"secrets": {
			`{"message":"GET /user/me/?user_hash=abc123&x=1 of jana@example.org, code: 123456"}`,
			"GET /user/me/?user_hash=-&x=1 of -@-, code: -|||",
		},
	} {
		w := k.post("/fns/logtail", `{"data":`+c.data+`}`, 0)
		rows := k.rows("SELECT concat_ws('|', message, stack, place, path) FROM logging_client_errors ORDER BY id DESC " +
			"LIMIT 1")
		if w.Code != 200 || rows[0] != c.want {
			t.Errorf("%s: %d %s, %q", name, w.Code, w.Body, rows[0])
		}
	}
	if lines := strings.Count(k.out.String(), "\n"); lines != 6 {
		t.Errorf("6 errors made %d lines:\n%s", lines, k.out)
	}
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"too large": {`{"data":{"message":"` + strings.Repeat("x", maxBody) + `"}}`, 413},
		"no data":   {`{}`, 400},
		"null":      {`{"data":null}`, 400},
		"blank":     {`{"data":"  "}`, 400},
		"not JSON":  {`{"data":`, 400},
	} {
		if w := k.post("/fns/logtail", c.body, 0); w.Code != c.status {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestReportsAreLimitedAndForgotten(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for i := range errorsOfNetwork.Max + 3 {
		if w := k.post("/fns/logtail", fmt.Sprintf(`{"data":"x%d"}`, i), 0); (w.Code == 429) != (i >= errorsOfNetwork.Max) {
			t.Fatalf("report %d: %d", i+1, w.Code)
		}
	}
	if w := k.post("/fns/logs-put", `{"action":"article_opened"}`, 0); w.Code != 200 {
		t.Errorf("errors use up the budget of events: %d", w.Code)
	}
	const all = "SELECT 'e' FROM logging_events UNION ALL SELECT 'f' FROM logging_client_errors"
	for _, step := range []struct {
		wait time.Duration
		left int
	}{{errorsKept - time.Hour, 31}, {2 * time.Hour, 1}, {eventsKept, 0}} {
		testkit.Clock(k.db).Advance(step.wait)
		if testkit.Retain(k.ctx, t, k.db, k.Retentions()); len(k.rows(all)) != step.left {
			t.Errorf("%d rows are left, want %d", len(k.rows(all)), step.left)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a", "a\r\nb", "user_hash=1", "a@b.example", "\x00", "č"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := clean(s, 50); strings.ContainsAny(got, "\r\n\x00\x1b\u2028") || len([]rune(got)) > 50 {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

// What other parts note is kept like what browsers report, for readers alone, and nobody waits for it.
func TestNoted(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	note := func(reader int64, action readerlog.Action, meta string) {
		k.Note(k.ctx, reader, action, meta, "2026-11-20T06:00:00Z")
	}
	note(7, readerlog.OpenedFree, "17")
	note(7, readerlog.OpenedFree, "17") // loaded anew
	note(7, readerlog.OpenedLocked, "18")
	note(8, readerlog.CreditUsed, "18")
	note(8, readerlog.LoggedOut, "a\nb")
	note(0, readerlog.OpenedFree, "17")
	note(7, readerlog.Action{}, "")
	k.Note(context.Background(), 7, readerlog.OpenedFree, "19", "") // of no edition
	k.Flush(k.ctx)
	want := "7|article_opened|17|2026-11-20T06:00:00Z 7|locked_article_opened|18|2026-11-20T06:00:00Z " +
		"8|article_credit_used|18|2026-11-20T06:00:00Z 8|user_used_logout|a b|2026-11-20T06:00:00Z"
	if got := strings.Join(k.rows(allEvents), " "); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if w := k.post("/fns/logs-put", `{"action":"article_opened","meta_value":"17"}`, 7); w.Code != 200 ||
		len(k.rows(allEvents)) != 4 {
		t.Error("a browser's report of the same counts once more", w.Code)
	}
	for i := range maxNotes + 10 { // nobody writes, and nobody waits
		note(9, readerlog.OpenedFree, fmt.Sprint(i))
	}
	if got := strings.Count(k.out.String(), "level=ERROR msg=\"reader log: an action is not noted\""); got != 2 {
		t.Errorf("got %d errors of an unknown action and of no edition, want 2", got)
	}
	if !strings.Contains(k.out.String(), "too much waits") {
		t.Error("what was left out is not said")
	}
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	k.Run(ctx)
	if n := len(k.rows(allEvents)); n != 4+maxNotes {
		t.Errorf("%d rows after the end, not %d", n, 4+maxNotes)
	}
}

// Who loads a page again and again is asked about in the database once, and later once more.
func TestNotedAgain(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	note := func() { k.Note(k.ctx, 7, readerlog.OpenedFree, "17", "") }
	for range 3 {
		note()
	}
	if n := len(k.notes); n != 1 {
		t.Errorf("%d wait to be written, want 1", n)
	}
	k.Flush(k.ctx)
	testkit.Clock(k.db).Advance(eventsAlike.Window)
	note()
	k.Flush(k.ctx)
	if got := len(k.rows(allEvents)); got != 2 {
		t.Errorf("%d rows, want one of each time", got)
	}
}
