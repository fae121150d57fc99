package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// What is made for one reader is compressed where that gains something, and for who takes it.
func TestLongAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	long := map[string]string{"text": strings.Repeat("the same again ", 200)}
	for name, c := range map[string]struct {
		accept, coding string
		value          any
	}{
		"long":            {"gzip, br", "gzip", long},
		"long, any":       {"*", "gzip", long},
		"long, refused":   {"gzip;q=0, br", "", long},
		"long, not asked": {"", "", long},
		"short":           {"gzip, br", "", gin.H{"success": true}},
	} {
		w := httptest.NewRecorder()
		ctx, _ := gin.CreateTestContext(w)
		ctx.Request = httptest.NewRequest(http.MethodGet, "/user/me", nil)
		if c.accept != "" {
			ctx.Request.Header.Set("Accept-Encoding", c.accept)
		}
		if err := OK(ctx, c.value); err != nil {
			t.Fatal(err)
		}
		if got := w.Header().Get("Content-Encoding"); got != c.coding {
			t.Errorf("%s: got the coding %q, want %q", name, got, c.coding)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" || w.Header().Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: got %v", name, w.Header())
		}
		body := io.Reader(w.Body)
		if c.coding != "" {
			var err error
			if body, err = gzip.NewReader(w.Body); err != nil {
				t.Fatal(err)
			}
		}
		b, err := io.ReadAll(body)
		if err != nil || !strings.HasPrefix(string(b), "{") || !strings.HasSuffix(string(b), "}") {
			t.Errorf("%s: got %.60s, %v", name, b, err)
		}
	}
}
