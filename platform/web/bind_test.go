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
