package content

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
)

// What everybody gets is loaded for nobody, whoever asks first.
func TestKeptAnswersKnowNoReader(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	m := New(Deps{DB: d})
	asked := int64(-1)
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequest(http.MethodGet, "/content/author/jana", nil).
		WithContext(session.With(ctx, session.Session{ID: 1, ReaderID: 7}))
	err := m.kept(c, nil, func(ctx context.Context) (reply, error) {
		asked = session.ReaderID(ctx)
		return reply{value: "same for all"}, nil
	})
	if err != nil || asked != 0 {
		t.Errorf("got reader %d and %v, want an answer that was loaded for nobody", asked, err)
	}
}

// A post that is locked while it is read is not made once for all: who may read it gets it whole.
func TestWhatIsLockedByNowIsNotKept(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	for kind, path := range map[post.Type]string{
		post.TypeArticle: "/content/post/{id}", post.TypePage: "/content/page/clanok-{kind}",
	} {
		free := draft(string(kind), func(d *Draft) { d.Type, d.Slug = kind, "clanok-"+string(kind) })
		id := save(t, ctx, m, free)
		var kept *pagecache.Entry
		m.keep = func(ctx context.Context, _ pagecache.Key, fill pagecache.Fill) (
			e *pagecache.Entry, _ pagecache.Outcome, err error,
		) {
			locked := free
			locked.Locked = true
			save(t, ctx, m, locked)
			kept, err = fill(ctx)
			return kept, pagecache.Miss, err
		}
		path := strings.NewReplacer("{id}", fmt.Sprint(id), "{kind}", string(kind)).Replace(path)
		last := fmt.Sprintf("Text %s odsek 8.", kind)
		if w := call(t, as(ctx, subscriber), m, path); kept != nil ||
			!strings.Contains(w.Body.String(), last) {
			t.Errorf("%s: kept %v and answered %s, want nothing kept and %q", kind, kept != nil, w.Body, last)
		}
	}
}
