package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// The character zero is refused wherever texts are read, and nothing else is.
func TestZeroIsNoText(t *testing.T) {
	t.Parallel()
	gin.SetMode(gin.TestMode)
	r := gin.New()
	r.Use(Text())
	read := func(c *gin.Context) error {
		return OK(c, gin.H{"read": c.PostForm("text")})
	}
	r.GET("/", Do(read))
	r.POST("/", Do(read))
	for name, c := range map[string]struct {
		query, media, body string
		want               int
	}{
		"a query":                {query: "a=%00", want: 400},
		"the name of a query":    {query: "%00=a", want: 400},
		"a percent sign, twice":  {query: "a=%2500", want: 200},
		"a form":                 {media: "application/x-www-form-urlencoded", body: "text=a%00b", want: 400},
		"a form without it":      {media: "application/x-www-form-urlencoded", body: "text=a%0Ab", want: 200},
		"invalid UTF-8":          {media: "application/x-www-form-urlencoded", body: "text=a%ffb", want: 400},
		"half a character":       {media: "application/x-www-form-urlencoded", body: "text=%c3", want: 400},
		"its name invalid":       {media: "application/x-www-form-urlencoded", body: "%ff=a", want: 400},
		"a letter":               {media: "application/x-www-form-urlencoded", body: "text=%c3%a1", want: 200},
		"a query of another day": {query: "utm_term=m%e1j", want: 200},
	} {
		method := http.MethodGet
		if c.media != "" {
			method = http.MethodPost
		}
		req := httptest.NewRequestWithContext(t.Context(), method, "/?"+c.query, strings.NewReader(c.body))
		req.Header.Set("Content-Type", c.media)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		if w.Code != c.want {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}
