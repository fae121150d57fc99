package content

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// archive is an edition with n articles, each read a few times.
func archive(b *testing.B, n int) (context.Context, *Module, []Saved) {
	b.Helper()
	ctx, _, m := house(b, &meter{})
	began := time.Now()
	saved, err := m.SavePosts(ctx, stock(n))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/float64(len(saved)), "µs/saved")
	for _, s := range saved {
		m.views.Count(ctx, s.ID)
	}
	m.views.Flush(b.Context())
	return ctx, m, saved
}

func BenchmarkPages(b *testing.B) {
	ctx, m, saved := archive(b, 5000)
	for name, r := range map[string]*page.Request{
		"front":    {Route: edition.Front, Path: "/"},
		"category": {Route: edition.CategoryPage, Params: map[string]string{"categorySlug": "politika"}},
		"article": {
			Route: edition.Article, Path: fmt.Sprintf("/%d/clanok-a100", saved[100].ID),
			Params: map[string]string{"articleId": fmt.Sprint(saved[100].ID)},
		},
	} {
		r.Edition = paper(b, ctx)
		source := m.Pages()[r.Route]
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, err := source.Load(ctx, r)
				if err != nil || p.Redirect != "" {
					b.Fatal(p, err)
				}
			}
		})
	}
	b.Run("tier", func(b *testing.B) {
		source, reader := m.Pages()[edition.Article], as(ctx, subscriber)
		r := &page.Request{
			Edition: paper(b, ctx), Route: edition.Article, Params: map[string]string{"articleId": fmt.Sprint(saved[100].ID)},
		}
		for b.Loop() {
			if _, err := source.Tier(reader, r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSanitise(b *testing.B) {
	text := body(12, "Text o tom, čo sa stalo, a o tom, prečo sa to nestalo <a href=\"/1/ine\">inak</a>")
	for b.Loop() {
		markup.Sanitise(text)
	}
}
