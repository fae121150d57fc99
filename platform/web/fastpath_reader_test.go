package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.org/broadsheet/platform/session"
)

// as asks for the page with a session.
func (s *shortcut) as(token string) *httptest.ResponseRecorder {
	return s.get("/page", func(r *http.Request) { r.Header.Set("Cookie", "logged_user=h; choice=all; session="+token) })
}

// withReaders has a page in memory for two readers, of whom one may read more, and for visitors.
func withReaders(t *testing.T) *shortcut {
	t.Helper()
	s := newShortcut(t)
	s.sessions = map[string]session.Session{
		"one": {ID: 1, ReaderID: 7}, "other": {ID: 2, ReaderID: 8}, "plain": {ID: 3, ReaderID: visitorLike},
	}
	s.entitled[7] = true
	for range 2 {
		s.get("/page", nil)
		s.as("one")
		s.as("other")
	}
	s.long, s.decided = 0, 0
	return s
}

// A reader gets the page of the own tier, found out each time, and no shared cache may keep it.
func TestTheFastPathKnowsReaders(t *testing.T) {
	t.Parallel()
	s := withReaders(t)
	for _, want := range []struct{ token, body string }{
		{"one", "a page!!!"}, {"other", "a page!"}, {"one", "a page!!!"}, {"other", "a page!"}, {"plain", "a page"},
	} {
		w := s.as(want.token)
		if got := w.Body.String(); got != want.body {
			t.Errorf("%s: got %q, want %q", want.token, got, want.body)
		}
		if got := w.Header().Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("%s: may be kept: %q", want.token, got)
		}
	}
	visitor := s.get("/page", nil)
	if keep := visitor.Header().Get("Cache-Control"); visitor.Body.String() != "a page" || keep == "private, no-store" {
		t.Errorf("a visitor got %q, %q", visitor.Body, keep)
	}
	if s.long != 0 || s.decided != 5 {
		t.Errorf("%d went the long way, %d tiers were found out, want 0 and 5", s.long, s.decided)
	}
	s.entitled[7] = false
	if got := s.as("one").Body.String(); got != "a page!" {
		t.Errorf("a subscription that has ended still opens the page: %q", got)
	}
	delete(s.sessions, "one")
	if got := s.as("one").Body.String(); got != "a page" || s.long != 1 {
		t.Errorf("a session that has ended: got %q, %d times the long way", got, s.long)
	}
}

func TestTheFastPathAnswersReadersAsTheLongOne(t *testing.T) {
	t.Parallel()
	s := withReaders(t)
	fast := s.as("one")
	long := s.get("/page", func(r *http.Request) { r.Header.Set("Cookie", "session=one; unknown=1") })
	if s.long != 1 {
		t.Fatalf("%d went the long way, want 1", s.long)
	}
	long.Header().Del("X-Request-Id")
	fast.Header().Del("X-Request-Id")
	if a, b := headerText(long.Header()), headerText(fast.Header()); a != b || long.Body.String() != fast.Body.String() {
		t.Errorf("the long way:\n%s\nthe fast one:\n%s", a, b)
	}
}

// What may be another's answer the next time is asked for each time.
func TestTheFastPathLeavesCallsOfReaders(t *testing.T) {
	t.Parallel()
	s := withReaders(t)
	for range 4 {
		s.get("/call", func(r *http.Request) { r.Header.Set("Cookie", "session=one") })
	}
	if s.long != 4 {
		t.Errorf("%d of 4 went the long way", s.long)
	}
}

// What opening a page does, it does once, also where the page then has to be made.
func TestATierIsFoundOutOnce(t *testing.T) {
	t.Parallel()
	s := withReaders(t)
	s.sessions["new"] = session.Session{ID: 3, ReaderID: 9}
	s.entitled[9] = true
	s.cache.Purge("test_sk", "post:1")
	s.as("other")
	s.as("other") // theirs is there again
	s.long, s.decided = 0, 0
	if got := s.as("new").Body.String(); got != "a page!!!" || s.long != 1 || s.decided != 1 {
		t.Errorf("got %q, %d times the long way, %d tiers were found out; want 1 and 1", got, s.long, s.decided)
	}
	s.undecided = errors.New("the database hangs")
	s.long, s.decided = 0, 0
	if got := s.as("new").Code; got < http.StatusInternalServerError || s.long != 1 || s.decided != 1 {
		t.Errorf("got %d, %d times the long way, %d tries; want an error, 1 and 1", got, s.long, s.decided)
	}
}

// Whoever shows a handle without a session, or two sessions, is no case for a short way.
func TestTheFastPathTakesOneSession(t *testing.T) {
	t.Parallel()
	s := withReaders(t)
	for _, cookies := range []string{"logged_user=h", "session=", "session=one; session=other", "session=gone"} {
		s.long = 0
		w := s.get("/page", func(r *http.Request) { r.Header.Set("Cookie", cookies) })
		if s.long != 1 || w.Code != http.StatusOK {
			t.Errorf("%s: %d times the long way, %d", cookies, s.long, w.Code)
		}
	}
}

// Who comes while all places of the edition are taken goes the long way, where that is answered.
func TestReadersTakeAPlace(t *testing.T) {
	t.Parallel()
	s := withReaders(t)
	s.deciding = func() {
		s.deciding = nil
		s.as("other")
		if s.long != 1 {
			t.Errorf("%d went the long way while the only place was taken, want 1", s.long)
		}
	}
	s.as("one")
	if s.long != 1 {
		t.Errorf("%d went the long way, want the one who found no place", s.long)
	}
}
