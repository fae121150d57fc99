package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
)

// formSite has one form of a reader, at /form, and at /page the form that could not be sent.
func formSite(t *testing.T) *gin.Engine {
	t.Helper()
	k, now := Cookies{}, time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	e := site(t, k.Sessions(func(_ context.Context, token string) (s session.Session, ok bool, err error) {
		_, err = fmt.Sscan(token, &s.ReaderID)
		return s, err == nil, nil
	}), k.Unsent(func() time.Time { return now }))
	e.POST("/form", Do(func(c *gin.Context) error {
		if _, err := Reader(c); err != nil {
			return k.RefuseForm(c, now, "/page?open=1", err)
		}
		return SeeOther(c, "/done")
	}))
	e.GET("/page", Do(func(c *gin.Context) error {
		ctx := c.Request.Context()
		return OK(c, UnsentOf(ctx, session.ReaderID(ctx)))
	}))
	return e
}

// sendForm sends a form with cookies, of a reader or (0) without a session.
func sendForm(e *gin.Engine, method, path string, form url.Values, reader int64,
	cookies ...*http.Cookie,
) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if reader != 0 {
		r.AddCookie(&http.Cookie{Name: "session", Value: fmt.Sprint(reader)})
	}
	for _, ck := range cookies {
		if ck.Value != "" {
			r.AddCookie(ck)
		}
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Result()
}

func bodyOf(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// randomText has letters from a range, which hardly compress.
func randomText(letters int, from, to rune) string {
	source := rand.New(rand.NewPCG(1, 2))
	text := make([]rune, letters)
	for i := range text {
		text[i] = from + source.Int32N(to-from)
	}
	return string(text)
}

// A form that was refused because the session was over, or of another account, is on the page of its own reader after
// the login and of no other, or at least on the page that answers.
func TestRefuseForm_Typed(t *testing.T) {
	t.Parallel()
	e := formSite(t)
	sentence := "Ľúbozvučný „citát“ pri Dunaji, ktorý nikto nechce písať znova. "
	for name, c := range map[string]struct {
		text  string
		shown bool // by the answer, because it is too long to be kept
	}{
		"a word":                      {"Áno.", false},
		"a comment of 2000 letters":   {strings.Repeat(sentence, 40)[:2000], false},
		"a comment of 2000 emoji":     {strings.Repeat("👩‍👧🗳️", 400), false},
		"lines and markup":            {"<b>\n\n&amp;\n\"</textarea>", false},
		"2000 letters of no language": {randomText(2000, 'a', 'z'), false},
		"2000 Chinese letters":        {randomText(2000, '一', '龠'), true},
		"20,000 letters":              {randomText(20000, 'a', 'z'), true},
	} {
		for when, reader := range map[string]int64{"no session": 0, "another account": 8} {
			a := sendForm(e, http.MethodPost, "/form",
				url.Values{"user_id": {"7"}, "text": {c.text}, "empty": {""}, "lists": {"a", "b"}}, reader)
			body := bodyOf(t, a)
			want := map[int64]string{
				0: "/login?referrer=%2Fpage%3Fopen%3D1&status=INVALID_TOKEN", 8: "?open=1&status=FOREIGN_USER",
			}
			if c.shown {
				if !strings.Contains(body, html.EscapeString(c.text)) || !strings.Contains(body, html.EscapeString(want[reader])) ||
					a.StatusCode < 400 || len(a.Cookies()) != 0 {
					t.Errorf("%s, %s: got %d %.200s, want the text and the way on", name, when, a.StatusCode, body)
				}
				continue
			}
			if to := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || !strings.HasSuffix(to, want[reader]) {
				t.Errorf("%s, %s: got %d %s, want %s", name, when, a.StatusCode, to, want[reader])
			}
			for _, ck := range a.Cookies() {
				if len(ck.String()) > 4096 || !ck.HttpOnly {
					t.Errorf("%s, %s: got a cookie of %d bytes, hidden %t", name, when, len(ck.String()), ck.HttpOnly)
				}
			}
			for of, kept := range map[int64]bool{7: true, 8: false, 0: false} {
				var got *Unsent
				text := bodyOf(t, sendForm(e, http.MethodGet, "/page", nil, of, a.Cookies()...))
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatal(err)
				}
				if kept != (got != nil) || kept && (got.Form != "/form" || got.Values.Get("text") != c.text ||
					len(got.Values["lists"]) != 2 || got.Values.Has("user_id") || got.Values.Has("empty")) {
					t.Errorf("%s, %s, reader %d: got %.200s, want it kept: %t", name, when, of, text, kept)
				}
			}
			again := sendForm(e, http.MethodPost, "/form", url.Values{"user_id": {"7"}}, 7, a.Cookies()...)
			if cks := again.Cookies(); len(cks) != 1 || cks[0].MaxAge >= 0 {
				t.Errorf("%s, %s: got %v, want the cookie removed once the form is sent", name, when, cks)
			}
		}
	}
}

// Nobody's form is kept for nobody: what is short may be typed again, what is long is on the page that answers.
func TestRefuseForm_Nameless(t *testing.T) {
	t.Parallel()
	e := formSite(t)
	for text, shown := range map[string]bool{"Áno.": false, strings.Repeat("Dlhý text. ", 60): true} {
		a := sendForm(e, http.MethodPost, "/form", url.Values{"text": {text}}, 0)
		if body := bodyOf(t, a); len(a.Cookies()) != 0 || strings.Contains(body, strings.TrimSpace(text)) != shown ||
			(a.StatusCode == http.StatusSeeOther) == shown {
			t.Errorf("%.20s: got %d %.200s, want the text shown: %t", text, a.StatusCode, body, shown)
		}
	}
}

// A cookie that was made up is no form.
func TestUnsent_Malformed(t *testing.T) {
	t.Parallel()
	e := formSite(t)
	huge, err := pack(unsent{7, Unsent{Form: "/form", Values: url.Values{"text": {strings.Repeat("a", 5<<20)}}}})
	if err != nil {
		t.Fatal(err)
	}
	noText, err := pack(unsent{7, Unsent{Form: "/form", Values: url.Values{"text": {"\x00"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{
		"x", "!!", base64.RawURLEncoding.EncodeToString([]byte(`{"reader":7}`)), huge, noText,
	} {
		a := sendForm(e, http.MethodGet, "/page", nil, 7, &http.Cookie{Name: unsentCookie, Value: value})
		if body := bodyOf(t, a); body != "null" || a.StatusCode != http.StatusOK {
			t.Errorf("%.40s: got %d %.100s, want no form", value, a.StatusCode, body)
		}
	}
}

// A claim is read wherever it stands, and is an error of the call if it is none.
func TestClaims(t *testing.T) {
	t.Parallel()
	k := Cookies{}
	e := site(t, k.Sessions(func(_ context.Context, token string) (s session.Session, ok bool, err error) {
		_, err = fmt.Sscan(token, &s.ReaderID)
		s.Handle = "handle-" + token
		return s, err == nil, nil
	}))
	e.POST("/reader", Do(func(c *gin.Context) error {
		var in struct {
			Text string `json:"text"`
		}
		if !IsForm(c) {
			if err := Bind(c, &in); err != nil {
				return err
			}
		}
		reader, err := Reader(c)
		if err != nil {
			return err
		}
		return OK(c, gin.H{"reader": reader, "text": in.Text})
	}))
	for body, want := range map[string]string{
		`{"text":"a"}`:                       `{"reader":7,"text":"a"}`,
		`{"text":"a","user_id":7}`:           `{"reader":7,"text":"a"}`,
		`{"user_id":"7","user_token":null}`:  `{"reader":7,"text":""}`,
		`{"user_token":"handle-7"}`:          `{"reader":7,"text":""}`,
		`{"user_id":8}`:                      "FOREIGN_USER",
		`{"user_id":"8","user_token":""}`:    "FOREIGN_USER",
		`{"user_id":7,"user_token":"other"}`: "FOREIGN_USER",
		`{"user_id":8,"user_id":7}`:          `{"reader":7,"text":""}`,
		`{"USER_ID":8}`:                      "FOREIGN_USER",
		`{"user_id":"abc"}`:                  `"field":"user_id"`,
		`{"user_id":-7}`:                     `"field":"user_id"`,
		`{"user_id":{}}`:                     `"field":"user_id"`,
		`{"user_token":7}`:                   `"field":"user_token"`,
		`{"user_id":8`:                       "INVALID_ARGS",
		`[{"user_id":8}]`:                    "INVALID_ARGS",
		`8`:                                  "INVALID_ARGS",
		`user_id=8`:                          "FOREIGN_USER",
		`user_id=7&user_token=handle-7`:      `"reader":7`,
		`user_token=handle-8`:                "FOREIGN_USER",
		`user_id=8x`:                         `"field":"user_id"`,
	} {
		r := httptest.NewRequest(http.MethodPost, "/reader", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
		if strings.HasPrefix(body, "user_") {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		r.AddCookie(&http.Cookie{Name: "session", Value: "7"})
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got %d %s, want %s", body, w.Code, w.Body, want)
		}
	}
}
