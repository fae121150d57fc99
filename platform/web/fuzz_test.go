package web

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
)

// Whatever a body is, it is read or refused with a code, and nothing else.
func FuzzBind(f *testing.F) {
	f.Add("application/json", `{"code":"123456","data":{"list":[1,2]}}`)
	f.Add("application/json; charset=utf-8", strings.Repeat(`{"data":`, 200))
	f.Add("text/plain", `{}`)
	f.Fuzz(func(t *testing.T, media, body string) {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		c.Request.Header.Set("Content-Type", media)
		var in struct {
			Code string
			Data struct {
				List []int
				Any  any
			}
		}
		err := Bind(c, &in)
		if err == nil && !utf8.ValidString(in.Code) {
			t.Fatalf("the code %q", in.Code)
		}
		if err != nil {
			if status := int(fault.From(err).Kind); status < http.StatusBadRequest || status >= http.StatusInternalServerError {
				t.Fatalf("%q is answered %d", body, status)
			}
		}
	})
}

// Whatever a program calls itself, it is told apart from browsers the same way each time.
func FuzzAgent(f *testing.F) {
	f.Add("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	f.Add("Googlebot/2.1")
	f.Add(strings.Repeat("a", longestAgent+1))
	f.Fuzz(func(t *testing.T, agent string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("User-Agent", agent)
		automated, bot := IsAutomated(r), IsBot(agent)
		r.Header.Set("User-Agent", agent) // what was found is remembered, and is the same when it is asked again
		if IsAutomated(r) != automated || IsBot(agent) != bot || len(Agent(r)) > 100 {
			t.Fatalf("%q is called %q", agent, Agent(r))
		}
	})
}

// Whatever the cookie of a refused form holds, no page gets more than it may, and nothing but text.
func FuzzStickyForm(f *testing.F) {
	f.Add(base64.RawURLEncoding.EncodeToString([]byte("typed")))
	f.Add("%%%")
	f.Add(base64.RawURLEncoding.EncodeToString([]byte{0xff, 0}))
	f.Fuzz(func(t *testing.T, value string) {
		const most = 64
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
		c.Request.Header.Set("Cookie", "form="+value)
		Cookies{}.StickyForm(map[string]int{"form": most})(c)
		if text := SavedForm(c.Request.Context(), "form"); len(text) > most || !utf8.ValidString(text) {
			t.Fatalf("the form %q", text)
		}
	})
}
