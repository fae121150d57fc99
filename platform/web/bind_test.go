package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
)

// A member of another type than is asked for is named as the caller has written it.
func TestBindNamesTheMember(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"code":7}`: "code", `{"company_ICO":7}`: "company_ICO", `{"data":{"code":7}}`: "data.code", `7`: "",
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		c.Request.Header.Set("Content-Type", "application/json")
		var in struct {
			Code string
			ICO  string `json:"company_ICO"`
			Data struct{ Code string }
		}
		err := Bind(c, &in)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != ErrInvalidArgs.Code || f.Field != want {
			t.Errorf("%s: %v, the field %q", body, err, f.Field)
		}
	}
}

// TestBind_notText holds for bytes and escapes that stand for no character: they would be stored as U+FFFD.
func TestBind_notText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"plain":                   {`{"code":"č"}`, true},
		"a pair":                  {`{"code":"\ud83d\ude00"}`, true},
		"an escaped backslash":    {`{"code":"\\\ud83d"}`, false},
		"a backslash and a u":     {`{"code":"\\ud83d"}`, true},
		"invalid byte":            {"{\"code\":\"a\xff\"}", false},
		"half a character":        {"{\"code\":\"\xc3\"}", false},
		"surrogate as bytes":      {"{\"code\":\"\xed\xa0\xbd\"}", false},
		"first half alone":        {`{"code":"a\ud83d"}`, false},
		"second half alone":       {`{"code":"\ude00a"}`, false},
		"halves apart":            {`{"code":"\ud83d \ude00"}`, false},
		"halves in another order": {`{"code":"\ude00\ud83d"}`, false},
		"two first halves":        {`{"code":"\uD83D\uD83D\uDE00"}`, false},
		"in a name":               {`{"co\udc00de":"a"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c2, _ := gin.CreateTestContext(httptest.NewRecorder())
			c2.Request = httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
			c2.Request.Header.Set("Content-Type", "application/json")
			var in struct{ Code string }
			if err := Bind(c2, &in); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrInvalidArgs) {
				t.Errorf("Bind(%q) = %v, want success %t", c.body, err, c.ok)
			}
		})
	}
}
