package paywall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
)

// fakeSubscriptions answers with a fixed end of access, or fails.
type fakeSubscriptions struct {
	until map[int64]time.Time
	err   error
}

func (s fakeSubscriptions) ActiveUntil(_ context.Context, readerID int64) (time.Time, error) {
	return s.until[readerID], s.err
}

// fakeVideos has videos up to number 99.
type fakeVideos struct{}

func (fakeVideos) IsVideo(_ context.Context, id int64) (bool, error) { return id < 100, nil }

func setup(t *testing.T, s fakeSubscriptions, change ...func(*edition.Document)) (context.Context, *db.DB, *Module) {
	t.Helper()
	ctx, d := testkit.Edition(t, change...)
	m, err := New(Deps{DB: d, Subscriptions: s, Videos: fakeVideos{}})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, d, m
}

type result struct {
	access, reason string
	left           int
}

func open(ctx context.Context, t *testing.T, m *Module, reader, post int64) result {
	t.Helper()
	access, reason, left, err := m.Open(ctx, reader, post, "article", true)
	if err != nil {
		t.Fatal(err)
	}
	return result{access, reason, left}
}

func TestMeter(t *testing.T) {
	t.Parallel()
	ctx, d, m := setup(t, fakeSubscriptions{})
	var noted []string
	m.note = func(_ context.Context, reader int64, action readerlog.Action, meta, _ string) {
		noted = append(noted, fmt.Sprint(reader, " ", action, " ", meta))
	}
	for post, want := range []result{
		{Credit, ByCredit, 2},
		{Credit, ByCredit, 1},
		{Credit, ByCredit, 0},
		{Locked, Limit, 0},
	} {
		if got := open(ctx, t, m, 7, int64(post+1)); got != want {
			t.Errorf("article %d: %v, not %v", post+1, got, want)
		}
	}
	if got, want := open(ctx, t, m, 7, 2), (result{Credit, ByCredit, 0}); got != want {
		t.Errorf("opened again: %v, not %v", got, want)
	}
	if got, want := open(ctx, t, m, 8, 2), (result{Credit, ByCredit, 2}); got != want {
		t.Errorf("another reader: %v, not %v", got, want)
	}
	want := "7 article_credit_used 1,7 article_credit_used 2,7 article_credit_used 3,8 article_credit_used 2"
	if strings.Join(noted, ",") != want {
		t.Errorf("noted %v: not each credit once", noted)
	}
	for range 5 { // looking costs nothing
		access, reason, left, err := m.Decide(ctx, 9, 1, "article", true)
		if access != Credit || reason != ByCredit || left != 3 || err != nil {
			t.Fatalf("Decide: %s %s %d %v", access, reason, left, err)
		}
	}
	testkit.Clock(d).Advance(32 * 24 * time.Hour)
	if got, want := open(ctx, t, m, 7, 4), (result{Credit, ByCredit, 2}); got != want {
		t.Errorf("next month: %v, not %v", got, want)
	}
}

func TestOpenRaces(t *testing.T) {
	t.Parallel()
	ctx, _, m := setup(t, fakeSubscriptions{})
	race := func(reader int64, post func(int) int64) int64 {
		var granted atomic.Int64
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				access, _, _, err := m.Open(ctx, reader, post(i), "article", true)
				if err != nil {
					t.Error(err)
				}
				if access == Credit {
					granted.Add(1)
				}
			})
		}
		all.Wait()
		return granted.Load()
	}
	for reader := int64(1); reader <= 5; reader++ {
		if got := race(reader, func(i int) int64 { return int64(i + 1) }); got != 3 {
			t.Errorf("reader %d opened %d of 20 articles at once", reader, got)
		}
		if r, err := m.Opened(ctx, reader); len(r.Articles) != 3 || r.Left != 0 || err != nil {
			t.Errorf("reader %d: %+v %v", reader, r, err)
		}
	}
	for reader := int64(11); reader <= 15; reader++ {
		if got := race(reader, func(int) int64 { return 99 }); got != 20 {
			t.Errorf("reader %d: the same article opened %d times of 20", reader, got)
		}
		if r, err := m.Opened(ctx, reader); !slices.Equal(r.Articles, []int64{99}) || r.Left != 2 || err != nil {
			t.Errorf("reader %d: %+v %v", reader, r, err)
		}
	}
}

func TestWhatIsUnknownIsLocked(t *testing.T) {
	t.Parallel()
	broken := errors.New("billing is away")
	ctx, _, m := setup(t, fakeSubscriptions{err: broken})
	for name, call := range map[string]func(context.Context, int64, int64, string,
		bool) (string, string, int, error){"Decide": m.Decide, "Open": m.Open} {
		if access, reason, left, err := call(ctx, 1, 1, "article", true); access != Locked || reason != Limit || left != 0 ||
			!errors.Is(err, broken) {
			t.Errorf("%s: %s %s %d %v", name, access, reason, left, err)
		}
		if access, _, _, err := call(ctx, 1, 1, "article", false); access != Open || err != nil {
			t.Errorf("%s of a free article: %s %v", name, access, err)
		}
		if access, reason, _, err := call(ctx, 0, 1, "article", true); access != Locked || reason != Login || err != nil {
			t.Errorf("%s for a visitor: %s %s %v", name, access, reason, err)
		}
	}
	ctx, _, m = setup(t, fakeSubscriptions{})
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if access, _, _, err := m.Open(gone, 1, 1, "article", true); access != Locked || err == nil {
		t.Errorf("without a database: %s %v", access, err)
	}
	if access, _, _, err := m.Decide(gone, 1, 1, "article", true); access != Locked || err == nil {
		t.Errorf("without a database: %s %v", access, err)
	}
}

func TestSubscribersSpendNothing(t *testing.T) {
	t.Parallel()
	s := fakeSubscriptions{until: map[int64]time.Time{}}
	ctx, d, m := setup(t, s)
	s.until[1] = d.Now().Add(time.Hour)
	if got := open(ctx, t, m, 1, 5); got != (result{Open, Subscription, 0}) {
		t.Errorf("subscriber: %v", got)
	}
	if r, err := m.Opened(ctx, 1); len(r.Articles) != 0 || err != nil {
		t.Errorf("a subscriber's record: %+v %v", r, err)
	}
	testkit.Clock(d).Advance(time.Hour)
	if got := open(ctx, t, m, 1, 5); got != (result{Credit, ByCredit, 2}) {
		t.Errorf("at the end of the subscription: %v", got)
	}
}

func TestVideos(t *testing.T) {
	t.Parallel()
	ctx, _, m := setup(t, fakeSubscriptions{})
	for video, want := range map[int64]bool{0: false, -1: false, 100: false} {
		if got, err := m.OpenVideo(ctx, 1, video); got != want || err != nil {
			t.Errorf("video %d: %v %v", video, got, err)
		}
	}
	for i, want := range []bool{true, true, true, false} {
		if got, err := m.OpenVideo(ctx, 1, int64(i+1)); got != want || err != nil {
			t.Errorf("video %d: %v %v", i+1, got, err)
		}
	}
	if got, err := m.OpenVideo(ctx, 1, 2); !got || err != nil {
		t.Errorf("video 2 again: %v %v", got, err)
	}
	r, err := m.Opened(ctx, 1)
	if err != nil || !slices.Equal(r.Videos, []int64{1, 2, 3}) || len(r.Articles) != 0 || r.Left != 3 {
		t.Errorf("record: %+v %v", r, err)
	}
}

func TestEditionsCountApart(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 3)
	m, err := New(Deps{DB: d, Subscriptions: fakeSubscriptions{}, Videos: fakeVideos{}})
	if err != nil {
		t.Fatal(err)
	}
	for post := int64(1); post <= 3; post++ {
		open(ctxs[0], t, m, 1, post)
	}
	for i, want := range []string{Locked, Credit, Credit} {
		if access, _, _, err := m.Decide(ctxs[i], 1, 9, "article", true); access != want || err != nil {
			t.Errorf("edition %d: %s %v", i, access, err)
		}
	}
}

func TestGetOpened(t *testing.T) {
	t.Parallel()
	ctx, _, m := setup(t, fakeSubscriptions{})
	open(ctx, t, m, 1, 5)
	open(ctx, t, m, 2, 6)
	gin.SetMode(gin.TestMode)
	r := gin.New()
	m.Routes(r)
	get := func(ctx context.Context, query string) (int, map[string]any) {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/fns/user-can-read-article"+query, nil))
		var body map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		return w.Code, body
	}
	if code, body := get(ctx, ""); code != 401 || body["error"] != "INVALID_TOKEN" {
		t.Errorf("visitor: %d %v", code, body)
	}
	mine := session.With(ctx, session.Session{ID: 1, ReaderID: 1, Handle: "mine"})
	if code, body := get(mine, "?user_hash=theirs"); code != 200 || body["success"] != false ||
		body["description"] != "INVALID_HASH" || body["data"] != nil {
		t.Errorf("another's handle: %d %v", code, body)
	}
	for _, query := range []string{"", "?user_hash=mine"} {
		code, body := get(mine, query)
		raw, _ := json.Marshal(body["data"])
		if code != 200 || string(raw) != `{"articles_opened":[5],"left":2,"limit":3,"period":"month","videos_opened":[]}` {
			t.Errorf("%q: %d %s", query, code, raw)
		}
	}
}

// An address that names a video puts it into the record of the reader who opens it, three a period; nothing else does.
func TestVideoLink(t *testing.T) {
	t.Parallel()
	ctx, _, m := setup(t, fakeSubscriptions{})
	gin.SetMode(gin.TestMode)
	r := gin.New()
	r.Use(m.VideoLink(), func(c *gin.Context) { c.Status(http.StatusNoContent) })
	mine := session.With(ctx, session.Session{ID: 1, ReaderID: 1})
	for _, step := range []struct {
		name, method, target string
		ctx                  context.Context
		purpose              string
		want                 []int64
	}{
		{"a visitor", "GET", "/?video-komentar=1", ctx, "", []int64{}},
		{"a prefetch", "GET", "/?video-komentar=1", mine, "prefetch", []int64{}},
		{"a check", "HEAD", "/?video-komentar=1", mine, "", []int64{}},
		{"a form", "POST", "/?video-komentar=1", mine, "", []int64{}},
		{"not a number", "GET", "/?video-komentar=one", mine, "", []int64{}},
		{"no number", "GET", "/?video-komentar=", mine, "", []int64{}},
		{"below zero", "GET", "/?video-komentar=-3", mine, "", []int64{}},
		{"too large", "GET", "/?video-komentar=99999999999999999999", mine, "", []int64{}},
		{"no video", "GET", "/?video-komentar=100", mine, "", []int64{}},
		{"a document", "GET", "/?video-komentar=1&data=2025-09-01", mine, "", []int64{1}},
		{"again", "GET", "/5/clanok?video-komentar=1", mine, "", []int64{1}},
		{"a call", "GET", "/api/page?url=%2F%3Fdata%3D01.09.2025%26video-komentar%3D2", mine, "", []int64{1, 2}},
		{"a call with an address that is none", "GET", "/api/page?url=%3A&video-komentar=3", mine, "", []int64{1, 2, 3}},
		{"the fourth", "GET", "/?video-komentar=4", mine, "", []int64{1, 2, 3}},
	} {
		req := httptest.NewRequestWithContext(step.ctx, step.method, step.target, nil)
		req.Header.Set("Sec-Purpose", step.purpose)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		record, err := m.Opened(ctx, 1)
		if err != nil || w.Code != http.StatusNoContent || !slices.Equal(record.Videos, step.want) ||
			len(record.Articles) != 0 {
			t.Errorf("%s: %d, %v, %v", step.name, w.Code, record, err)
		}
	}
}
