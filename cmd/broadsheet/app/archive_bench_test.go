package app

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/broadsheet/modules/content/sample"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// BenchmarkArchive measures pages that no cache has, and searches, with a small archive and with a large one in the
// same run: what a reader waits for must not grow with the years.
func BenchmarkArchive(b *testing.B) {
	p := startApp(b)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	folder, err := fs.Sub(tenants.FS, "sample")
	if err != nil {
		b.Fatal(err)
	}
	library, err := sample.Read(folder, id)
	if err != nil {
		b.Fatal(err)
	}
	ctx := edition.With(context.Background(), ed)
	s := p.app.seeder()
	filled, err := s.Fill(ctx, library)
	if err != nil {
		b.Fatal(err)
	}
	visitor := p.browser(id)
	pages := []struct{ name, path string }{
		{"front page", "/"},
		{"category", ed.Href(edition.CategoryPage, ed.Categories[0].Slug)},
		{"article", p.firstArticle(b, visitor, id)},
		{"author", ed.Href(edition.Author, library.Authors[0].Key)},
	}
	var terms []string // the words of all headlines: each is new to every cache when its turn comes
	for _, a := range library.Articles {
		for _, word := range strings.Fields(a.Title) {
			if utf8.RuneCountInString(word) >= 5 && !slices.Contains(terms, word) {
				terms = append(terms, word)
			}
		}
	}
	n := 0
	for _, size := range []int{500, 50_000} {
		if _, err := s.More(ctx, library, size-filled.Posts); err != nil {
			b.Fatal(err)
		}
		for _, page := range pages {
			b.Run(fmt.Sprintf("%s, %d articles", page.name, size), func(b *testing.B) {
				cold(b, p, visitor, id, page.path)
				resident(b)
			})
		}
		for name, path := range map[string]string{
			"search page": ed.Href(edition.Search) + "/", "JSON of a search": "/content/search/",
		} {
			b.Run(fmt.Sprintf("%s, %d articles", name, size), func(b *testing.B) {
				timed(b, func() {
					if n++; n%len(terms) == 0 {
						p.app.cache.PurgeEdition(id)
					}
					if r := visitor.get(path + url.PathEscape(terms[n%len(terms)])); r.Status != http.StatusOK {
						b.Fatalf("search: %d", r.Status)
					}
				})
				resident(b)
			})
		}
	}
}

// resident reports the memory of the process, which holds the client and the sandboxes too, where the system tells it.
func resident(b *testing.B) {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return
	}
	_, words, _ := strings.Cut(string(status), "VmRSS:")
	var kib float64
	if _, err := fmt.Sscan(words, &kib); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(kib/1024, "RSS-MiB")
}
