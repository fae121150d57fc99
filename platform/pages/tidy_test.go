package pages

import (
	"testing"

	"example.org/broadsheet/platform/paper/edition"
)

func TestTidy(t *testing.T) {
	t.Parallel()
	routes, err := edition.NewTable("standard", nil)
	if err != nil {
		t.Fatal(err)
	}
	ed := &edition.Edition{Document: edition.Document{Redirects: map[string]string{
		"/old":    "/new",
		"/383574": "/historia",
	}}, Routes: routes}
	for path, want := range map[string]string{
		"/":                         "/",
		"/172/story":                "/172/story",
		"/172/story/":               "/172/story",
		"//evil.example":            "/evil.example",
		"/Old":                      "/new",
		"/%0a":                      "/",
		"/172/story%0D%0A":          "/172/story",
		"/172/sto%E2%80%a8ry":       "/172/story",
		"/%e2%80%A9":                "/",
		"/%0a/evil.example":         "/evil.example",
		"/%0d//%0aevil.example/":    "/evil.example",
		"/old%0a":                   "/new",
		"/%E2%80%9Equoted%E2%80%9C": "/%E2%80%9Equoted%E2%80%9C",
		"/%250a":                    "/%250a",
		"/383574":                   "/historia",
		"/383574/any-words/":        "/historia",
		"/383574/two/words":         "/383574/two/words",
		"/Kontakty":                 "/kontakty",
		"/Category/Politika":        "/category/Politika",
		"/ACCOUNT/login/":           "/account/login",
		"/Nobody/knows":             "/Nobody/knows",
	} {
		if to := tidy(ed, path); to != want {
			t.Errorf("%s leads to %q, not %q", path, to, want)
		}
	}
}
