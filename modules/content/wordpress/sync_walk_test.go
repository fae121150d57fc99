package wordpress

import (
	"net/http"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/wordpress/site"
)

// A list that becomes shorter while its pages are read passes over a post; it is asked for before it is withdrawn.
func TestAPostThatAListPassedOverStays(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	for range site.PerPage + 40 {
		p.write("posts", "Článok", paragraph("Text."))
		p.pass(2 * time.Minute) // so that no round reads it for its date
	}
	first := p.last - site.PerPage - 39
	p.pass(time.Hour)
	h.round(o, 1)
	p.mu.Lock()
	p.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if q := r.URL.Query(); q.Get("orderby") == "id" && q.Get("page") == "2" {
			delete(p.posts, first)
		}
		return false
	}
	p.mu.Unlock()
	for _, want := range []string{"140", "139"} {
		h.round(o, 1)
		if got := h.value("SELECT 1, count(*) FROM content_posts WHERE status = 'published'"); got != want {
			t.Errorf("%s posts are out, want %s", got, want)
		}
	}
}
