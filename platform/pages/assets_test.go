package pages

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/web"
)

func TestAssets_Serve(t *testing.T) {
	t.Parallel()
	assets, err := NewAssets(fstest.MapFS{
		"preload.json":           {Data: []byte("{}")},
		"assets/vendor-Ab1Cd.js": {Data: []byte("export{}")},
		Licenses:                 {Data: []byte("MIT")},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := gin.New()
	e.GET("/assets/*file", web.Do(assets.Serve))
	for path, want := range map[string]struct{ kind, keep string }{
		"/assets/vendor-Ab1Cd.js": {"text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		"/assets/licenses.txt":    {"text/plain; charset=utf-8", "public, max-age=86400"},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			kind, keep := w.Header().Get("Content-Type"), w.Header().Get("Cache-Control")
			if w.Code != http.StatusOK || kind != want.kind || keep != want.keep {
				t.Errorf("got %d, %q, %q, want 200, %q, %q", w.Code, kind, keep, want.kind, want.keep)
			}
		})
	}
}
