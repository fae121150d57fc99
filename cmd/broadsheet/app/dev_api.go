package app

import (
	"io/fs"
	"net/http"

	"example.org/broadsheet/frontend"
	"example.org/broadsheet/platform/web"
)

const apiPath = "/_dev/api"

// apiPolicy lets the viewer load its own files and call this host, and nothing else.
const apiPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// apiViewer shows the description of the HTTP API, and gives the description itself under the page's name with .yaml.
func apiViewer() http.Handler {
	files, err := fs.Sub(frontend.Dist, "dist/api")
	if err != nil {
		panic(err) // the name is no path
	}
	mux := http.NewServeMux()
	mux.HandleFunc(apiPath, func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "index.html")
	})
	mux.Handle(apiPath+"/", http.StripPrefix(apiPath, http.FileServerFS(files)))
	mux.HandleFunc(apiPath+".yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(web.OpenAPI)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", apiPolicy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	})
}
