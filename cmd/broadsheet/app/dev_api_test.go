package app

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"example.org/broadsheet/platform/web"
)

// The page shows the description that the tests hold the API to, and its browser asks no foreign host.
func TestAPIViewer(t *testing.T) {
	t.Parallel()
	handler := apiViewer()
	ask := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	get := func(path, contentType string) string {
		t.Helper()
		r := ask(path)
		if r.Code != http.StatusOK || !strings.HasPrefix(r.Header().Get("Content-Type"), contentType) {
			t.Errorf("GET %s: got %d %s, want 200 %s", path, r.Code, r.Header().Get("Content-Type"), contentType)
		}
		if got := r.Header().Get("Content-Security-Policy"); got != apiPolicy {
			t.Errorf("GET %s: got policy %q, want %q", path, got, apiPolicy)
		}
		return r.Body.String()
	}
	page := get(apiPath, "text/html")
	files := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(files) < 5 {
		t.Fatalf("the page names %d files, want at least 5:\n%s", len(files), page)
	}
	foreign := regexp.MustCompile(`(?:https?:)?//[\w.-]+\.\w`)
	for _, f := range files {
		if strings.HasPrefix(f[1], "data:") {
			continue
		}
		body := get("/_dev/"+f[1], "")
		if strings.Contains(f[1], "/page.") && foreign.MatchString(body) {
			t.Errorf("%s names a foreign host", f[1])
		}
	}
	if foreign.MatchString(page) || foreign.MatchString(apiPolicy) {
		t.Errorf("the page or its policy names a foreign host:\n%s\n%s", page, apiPolicy)
	}
	if !strings.Contains(get(apiPath+"/page.js", "text/javascript"), "validatorUrl: null") {
		t.Error("the viewer would send the description to a foreign validator")
	}
	if got := get(apiPath+".yaml", "application/yaml"); got != string(web.OpenAPI) {
		t.Error("api.yaml is not the description of the API")
	}
	if r := ask(apiPath + "/none.js"); r.Code != http.StatusNotFound {
		t.Errorf("a file that does not exist: got %d, want 404", r.Code)
	}
}
