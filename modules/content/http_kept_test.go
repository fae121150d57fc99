package content

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
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

// Memory is for what many ask for: neither for windows that one client alone names, nor for what is new each time.
func TestRareAnswersAreNotKept(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	saved, err := m.SavePosts(ctx, stock(40))
	if err != nil {
		t.Fatal(err)
	}
	made := recordMade(m)
	first := call(t, ctx, m, "/content/posts/latest?per_page=2")
	next, _, _ := strings.Cut(strings.TrimPrefix(first.Header().Get("Link"), "<"), ">")
	for path, want := range map[string]bool{
		"/content/posts/latest?per_page=2": false, next: true,
		"/content/posts/latest?per_page=2&offset=20": false, "/content/posts/latest?per_page=2&offset=21": true,
		"/content/weeklies_details?per_page=2&offset=20": false, "/content/weeklies_details?per_page=2&offset=21": true,
		"/content/tags?per_page=2&offset=20": false, "/content/tags?per_page=2&offset=21": true,
		fmt.Sprintf("/wp-json/standard/v1/standard-post-react/?id=%d", saved[0].ID): true,
	} {
		*made = pagecache.Entry{}
		if w := call(t, ctx, m, path); w.Code != http.StatusOK || made.Body == nil || made.NoStore != want {
			t.Errorf("%s: got %d and NoStore %v, want a 200 and %v", path, w.Code, made.NoStore, want)
		}
	}
}

// recordMade returns where the last answer stands that m made to be kept.
func recordMade(m *Module) *pagecache.Entry {
	made := &pagecache.Entry{}
	m.keep = func(ctx context.Context, _ pagecache.Key, fill pagecache.Fill) (
		*pagecache.Entry, pagecache.Outcome, error,
	) {
		e, err := fill(ctx)
		if err == nil {
			*made = pagecache.Entry{
				Body: e.Body, NoStore: e.NoStore, Until: e.Until, VaryCookie: e.VaryCookie, CacheControl: e.CacheControl,
			}
		}
		return e, pagecache.Miss, err
	}
	return made
}

// What was found is right for a while, and everything else until it changes. A reader who has logged in gets no answer
// from a cache that has it from before.
func TestKeptAnswersSayForHowLong(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	save(t, ctx, m, draft("1"))
	made := recordMade(m)
	for path, ends := range map[string]bool{
		"/content/posts/latest": false, "/content/search/text": true, "/content/search/authors/jana": true,
	} {
		before := m.db.Now()
		call(t, ctx, m, path)
		earliest, latest, control := before.Add(search.Kept), m.db.Now().Add(search.Kept), pagecache.Checked
		if !ends {
			earliest, latest, control = time.Time{}, time.Time{}, pagecache.Public
		}
		if made.Until.Before(earliest) || made.Until.After(latest) || made.CacheControl != control || !made.VaryCookie {
			t.Errorf("%s: got until %v, %q, VaryCookie %v, want between %v and %v, %q, true", path, made.Until,
				made.CacheControl, made.VaryCookie, earliest, latest, control)
		}
	}
}
