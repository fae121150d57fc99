package content

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// vocabulary is words of a made-up language of which few are frequent and most are rare, as in any.
type vocabulary struct {
	words []string
	next  *rand.Zipf
}

func newVocabulary(n int) vocabulary {
	r := rand.New(rand.NewPCG(1, 2))
	v := vocabulary{next: rand.NewZipf(r, 1.1, 20, uint64(n-1))}
	for range n {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteString([]string{
				"ka", "ro", "mi", "ves", "tal", "nu", "šk", "ob", "le", "dra", "pi", "zo", "stre", "hu", "vá",
				"čin",
			}[r.IntN(16)])
		}
		v.words = append(v.words, b.String())
	}
	return v
}

func (v vocabulary) text(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = v.words[v.next.Uint64()]
	}
	return strings.Join(words, " ")
}

// BenchmarkSearchWords measures searches for words that nearly all posts have, for rare ones, for several, and for
// mistyped ones, with a small archive and a large one.
func BenchmarkSearchWords(b *testing.B) {
	ctx, _, m := house(b, &meter{})
	v := newVocabulary(40_000)
	written := 0
	for _, size := range []int{500, 50_000} {
		began, fresh := time.Now(), size-written
		for written < size {
			var drafts []Draft
			for range min(batchSize, size-written) {
				written++
				drafts = append(drafts, draft(fmt.Sprint(written), func(d *Draft) {
					d.Title, d.Excerpt = v.text(8), v.text(25)
					d.Body = "<p>" + v.text(200) + "</p><p>" + v.text(200) + "</p>"
					d.Published = d.Published.Add(-time.Duration(written) * 20 * time.Minute)
				}))
			}
			if _, err := m.SavePosts(ctx, drafts); err != nil {
				b.Fatal(err)
			}
		}
		b.Logf("%.2f ms to save a post", float64(time.Since(began).Milliseconds())/float64(fresh))
		for _, c := range []struct {
			name string
			term func(i int) string
		}{
			{"frequent", func(i int) string { return v.words[i%20] }},
			{"usual", func(i int) string { return v.words[20+i%400] }},
			{"rare", func(i int) string { return v.words[2000+i%20_000] }},
			{"two", func(i int) string { return v.words[i%100] + " " + v.words[(i*7)%300] }},
			{"mistyped", func(i int) string { w := v.words[50+i%500]; return w[:1] + "q" + w[1:] }},
			{"mixed", func(i int) string {
				if i%3 == 0 {
					return v.words[v.next.Uint64()] + " " + v.words[v.next.Uint64()]
				}
				return v.words[v.next.Uint64()]
			}},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				var took []time.Duration
				i := 0
				for b.Loop() {
					i++
					term := c.term(i)
					start := time.Now()
					_, err := m.Pages()[edition.SearchTerm].Load(ctx,
						&page.Request{Edition: paper(b, ctx), Route: edition.SearchTerm, Params: map[string]string{"searchSlug": term}})
					if err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			})
		}
	}
}
