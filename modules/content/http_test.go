package content

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"example.org/broadsheet/platform/testkit"
)

func TestEndpointsKeepTheContract(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	saved, err := m.SavePosts(ctx, stock(40))
	if err != nil {
		t.Fatal(err)
	}
	first, minute := saved[0].ID, saved[len(saved)-1].ID
	for _, c := range []struct {
		path, schema string
		list         bool
		many         int
	}{
		{fmt.Sprintf("/content/post/%d", first), "PostEntity", false, 0},
		{"/content/posts/by_category/index", "PostBlocks", false, 4},
		{"/content/posts/by_category/politika", "PostSummary", true, 8},
		{"/content/posts/by_category/politika?per_page=19&offset=10", "PostSummary", true, 9},
		{"/content/carousel/index", "Slide", true, 5},
		{"/content/editors_picks", "PostSummary", true, 4},
		{"/content/most_read_posts", "PostSummary", true, 10},
		{"/content/most_read_posts?limit=3&per_days=7", "PostSummary", true, 3},
		{"/content/minute", "PostSummary", true, 10},
		{"/content/minute?per_page=4&offset=8", "PostSummary", true, 2},
		{"/content/minute/0", "PostSummary", true, 10},
		{fmt.Sprintf("/content/minute/%d", minute), "PostSummary", true, 10},
		{fmt.Sprintf("/content/minute/%d", minute-3), "PostSummary", true, 9},
		{"/content/opinion", "OpinionFeed", false, 3},
	} {
		w := call(t, ctx, m, c.path)
		if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, max-age=60, stale-while-revalidate=300" {
			t.Errorf("%s: %d %s", c.path, w.Code, w.Header())
			continue
		}
		if again := call(t, ctx, m, c.path, "If-None-Match", w.Header().Get("Etag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d", c.path, again.Code)
		}
		if private := call(t, as(ctx, poor), m, c.path); private.Header().Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s with a session: %s", c.path, private.Header().Get("Cache-Control"))
		}
		if !c.list {
			var v map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || c.many > 0 && len(v) != c.many {
				t.Errorf("%s: %d fields, %v", c.path, len(v), err)
			}
			conforms(t, c.schema, v)
			continue
		}
		var v []map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || len(v) != c.many {
			t.Errorf("%s: %d posts, want %d, %v", c.path, len(v), c.many, err)
		}
		for _, e := range v {
			conforms(t, c.schema, e)
			if e["post_content"] != nil {
				t.Errorf("%s: a list holds text", c.path)
			}
		}
	}
	for path, want := range map[string]int{
		"/content/post/0": 404, "/content/post/x": 404, "/content/post/99999": 404, "/content/post/99999999999999999999": 404,
		"/content/posts/by_category/nic": 404, "/content/posts/by_category/politika?per_page=0": 400, "/content/posts/by_category/politika?per_page=51": 400,
		"/content/posts/by_category/politika?offset=-1": 400, "/content/posts/by_category/politika?offset=1001": 400, "/content/most_read_posts?limit=51": 400,
		"/content/most_read_posts?per_days=31": 400, "/content/most_read_posts?per_days=x": 400, "/content/minute/-1": 404, "/content/minute?per_page=1e3": 400,
		fmt.Sprintf("/content/minute/%d", first): 404,
	} {
		if w := call(t, ctx, m, path); w.Code != want || w.Header().Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %d, want %d (%s)", path, w.Code, want, w.Header().Get("Cache-Control"))
		}
	}
}

func TestALockedPostIsNeverShared(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	id := save(t, ctx, m, draft("1", func(d *Draft) { d.Locked = true }))
	w := call(t, ctx, m, fmt.Sprintf("/content/post/%d", id))
	var e FullEntity
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
		t.Fatal(err)
	}
	if w.Header().Get("Cache-Control") != "private, no-store" || w.Header().Get("Etag") != "" || e.Access != "locked" || e.Reason != "login" || e.Withheld != 4 {
		t.Errorf("%s %+v", w.Header(), e)
	}
}

func TestMostReadCountsReading(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, &meter{})
	saved, err := m.SavePosts(ctx, stock(20))
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]int64, 12)
	for i := range ids {
		ids[i] = saved[i].ID
	}
	minute := saved[len(saved)-1].ID
	path := func(i int) string { return fmt.Sprintf("/%d/clanok-a%d", ids[i], i) }
	for range 3 {
		visit(t, ctx, m, path(2), false)
		visit(t, ctx, m, path(4), true) // a prefetch is no reading
	}
	for range 2 {
		call(t, as(ctx, poor), m, fmt.Sprintf("/content/post/%d", ids[5]))
		call(t, ctx, m, fmt.Sprintf("/content/post/%d", minute))
	}
	visit(t, ctx, m, path(7), false)
	m.Viewed(ctx, 99999) // nobody wrote that
	call(t, ctx, m, fmt.Sprintf("/content/post/%d", ids[8]), "User-Agent", "Mozilla/5.0 (compatible; SampleBot/2.1; +https://bot.example)")
	call(t, ctx, m, fmt.Sprintf("/content/post/%d", ids[8]), "Sec-Purpose", "prefetch")
	m.FlushViews(t.Context())
	m.FlushViews(t.Context())
	counted := func() {
		t.Helper()
		if err := m.countMostRead(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if top, err := m.MostRead(ctx, 1, 0, 3); err != nil || top[0].ID == ids[2] {
		t.Errorf("a page counts by itself: %v", err)
	}
	counted()
	top, err := m.MostRead(ctx, 10, 0, 3)
	if err != nil || len(top) != 10 {
		t.Fatalf("%d, %v", len(top), err)
	}
	if got := []int64{top[0].ID, top[1].ID, top[2].ID}; got[0] != ids[2] || got[1] != ids[5] || got[2] != ids[7] {
		t.Errorf("got %v, want %v %v %v", got, ids[2], ids[5], ids[7])
	}
	if n := count(t, ctx, d, "SELECT sum(views) FROM content_views"); n != 6 {
		t.Errorf("%d views", n)
	}
	testkit.Clock(d).Advance(4 * 24 * 3600e9)
	visit(t, ctx, m, path(7), false)
	m.FlushViews(t.Context())
	counted()
	if top, err := m.MostRead(ctx, 2, 1, 7); err != nil || len(top) != 2 || top[0].ID != ids[7] {
		t.Errorf("from the second on: %v %v", top, err)
	}
	if top, err = m.MostRead(ctx, 2, 0, 3); err != nil || top[0].ID != ids[7] || top[1].ID == ids[2] {
		t.Errorf("four days later: %v %v", top, err)
	}
	if top, err = m.MostRead(ctx, 2, 0, 7); err != nil || top[0].ID != ids[2] {
		t.Errorf("of seven days: %v", err)
	}
	testkit.Clock(d).Advance(keepViews * 24 * 3600e9)
	if err := m.pruneViews(ctx); err != nil || count(t, ctx, d, "SELECT count(*) FROM content_views") != 1 {
		t.Errorf("pruned: %v", err)
	}
}

func TestViewsAreBoundedAndSurviveAFailure(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	id := save(t, ctx, m, draft("1"))
	m.Viewed(ctx, id)
	for i := range int64(maxCounted + 100) {
		m.Viewed(ctx, 1000+i)
	}
	ed := paper(t, ctx).ID
	if n := len(m.views.counts[ed].posts); n != maxCounted {
		t.Errorf("%d posts are counted", n)
	}
	if err := d.Detach(ed); err != nil {
		t.Fatal(err)
	}
	m.FlushViews(t.Context())
	m.Viewed(ctx, id)
	if n := m.views.counts[ed].posts[id]; n != 2 {
		t.Errorf("after a failure %d views are left", n)
	}
	d.Attach(ed, paper(t, ctx).Schema)
	m.FlushViews(t.Context())
	if n := count(t, ctx, d, "SELECT sum(views) FROM content_views"); n != 2 {
		t.Errorf("%d views", n)
	}
}
