package content

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/modules/content/views"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

func TestEndpointsKeepTheContract(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	saved, err := m.SavePosts(ctx, stock(40))
	if err != nil {
		t.Fatal(err)
	}
	first, minute := saved[0].ID, saved[len(saved)-1].ID
	for _, tag := range []topic.Tag{week(0), week(1), {Slug: "volby", Name: "Voľby"}} {
		if _, err := m.SaveTag(ctx, tag); err != nil {
			t.Fatal(err)
		}
	}
	tagged := stock(40)
	tagged[0].Tags, tagged[0].Comments, tagged[1].Tags = []string{"tyzden-1", "volby"}, 12,
		[]string{"tyzden-0", "tyzden-1"}
	tagged[41].Tags = []string{"tyzden-1"}
	if _, err := m.SavePosts(ctx, []Draft{tagged[0], tagged[1], tagged[41]}); err != nil {
		t.Fatal(err)
	}
	if r := call(t, ctx, m, fmt.Sprintf("/wp-json/standard/v1/standard-post-react/?id=%d", first)).
		Body.String(); r != fmt.Sprintf(`{"post_id":%d,"reactions":12}`, first) {
		t.Errorf("reactions: %s", r)
	}
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
		{"/content/posts/by_author/jana", "PostSummary", true, 20},
		{"/content/posts/by_author/jana?per_page=3&offset=44", "PostSummary", true, 1},
		{"/content/posts/latest", "PostSummary", true, 40},
		{"/content/posts/weekly_topic", "PostSummary", true, 0},
		{"/content/posts/top_viewed", "PostSummary", true, 5},
		{"/content/most_read_posts?limit=10&offset=3", "PostSummary", true, 10},
		{"/content/latest_list?limit=7", "PostLine", true, 7},
		{"/content/videos", "PostSummary", true, 10},
		{"/content/videos?per_page=4&offset=8", "PostSummary", true, 2},
		{"/content/videos/by_category/politika/", "PostSummary", true, 10},
		{"/content/videos/by_category/politika?per_page=3", "PostSummary", true, 3},
		{"/content/videos/by_weekly", "PostSummary", true, 1},
		{"/content/videos/by_weekly?slug=tyzden-1&perPage=15", "PostSummary", true, 1},
		{"/content/videos/by_author/jana", "PostSummary", true, 10},
		{"/content/weekly_articles", "PostSummary", true, 2},
		{"/content/weekly_articles?slug=tyzden-0", "PostSummary", true, 1},
		{"/content/weekly_details", "TopicEntity", false, 5},
		{"/content/weekly_details?slug=tyzden-0", "TopicEntity", false, 5},
		{"/content/weeklies_details?per_page=1&offset=1", "TopicEntity", true, 1},
		{"/content/topic_of_the_week", "TopicOfTheWeek", false, 2},
		{"/content/tags", "TagEntity", true, 3},
		{"/content/author/jana", "PostAuthor", false, 6},
		{fmt.Sprintf("/wp-json/standard/v1/standard-post-react/?id=%d", first), "Reactions", false, 2},
		{fmt.Sprintf("/wp-json/standard/v1/standard-post-react/?id=%d-%s", first, paper(t, ctx).ID), "Reactions", false, 2},
	} {
		w := call(t, ctx, m, c.path)
		if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != pagecache.Public {
			t.Errorf("%s: %d %s", c.path, w.Code, w.Header())
			continue
		}
		if again := call(t, ctx, m, c.path, "If-None-Match", w.Header().Get("Etag")); again.Code != http.StatusNotModified ||
			again.Body.Len() != 0 {
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
		"/content/posts/by_category/nic": 404, "/content/posts/by_category/politika?per_page=0": 400,
		"/content/posts/by_category/politika?per_page=51": 400,
		"/content/posts/by_category/politika?offset=-1":   400, "/content/posts/by_category/politika?offset=1001": 400,
		"/content/most_read_posts?limit=51":    400,
		"/content/most_read_posts?per_days=31": 400, "/content/most_read_posts?per_days=x": 400, "/content/minute/-1": 404,
		"/content/minute?per_page=1e3":           400,
		fmt.Sprintf("/content/minute/%d", first): 404,
		"/content/posts/by_author/nikto":         404, "/content/posts/by_author/jana?per_page=x": 400,
		"/content/posts/latest?per_page=51": 400, "/content/posts/latest?offset=-1": 400,
		"/content/posts/latest?offset=5&after=x": 400, "/content/posts/latest?offset=1001": 400,
		"/content/posts/weekly_topic?per_page=0": 400, "/content/posts/top_viewed?limit=x": 400,
		"/content/latest_list?limit=0": 400, "/content/videos?per_page=-2": 400, "/content/videos/by_category/nic": 404,
		"/content/videos/by_category/politika?offset=x": 400,
		"/content/videos/by_weekly?slug=nic":            404, "/content/videos/by_weekly?perPage=x": 400,
		"/content/videos/by_author/nikto": 404, "/content/videos/by_author/jana?per_page=99": 400,
		"/content/weekly_articles?slug=nic": 404, "/content/weekly_details?slug=nic": 404,
		"/content/weekly_details?slug=volby": 404, "/content/weeklies_details?offset=x": 400,
		"/content/tags?per_page=x": 400, "/content/author/nikto": 404, "/content/most_read_posts?offset=21": 400,
		"/wp-json/standard/v1/standard-post-react/": 400, "/wp-json/standard/v1/standard-post-react/?id=x": 400,
		"/wp-json/standard/v1/standard-post-react/?id=-4":                        400,
		"/wp-json/standard/v1/standard-post-react/?id=99999":                     404,
		fmt.Sprintf("/wp-json/standard/v1/standard-post-react/?id=%d-at", first): 404,
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
	var e post.FullEntity
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
		t.Fatal(err)
	}
	if w.Header().Get("Cache-Control") != "private, no-store" || w.Header().Get("Etag") != "" || e.Access != "locked" ||
		e.Reason != "login" || e.Withheld != 4 {
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
	m.views.Count(ctx, 99999) // nobody wrote that
	call(t, ctx, m, fmt.Sprintf("/content/post/%d", ids[8]), "User-Agent",
		"Mozilla/5.0 (compatible; SampleBot/2.1; +https://bot.example)")
	call(t, ctx, m, fmt.Sprintf("/content/post/%d", ids[8]), "Sec-Purpose", "prefetch")
	m.views.Flush(t.Context())
	m.views.Flush(t.Context())
	counted := func() {
		t.Helper()
		if err := m.views.Rank(ctx); err != nil {
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
	m.views.Flush(t.Context())
	counted()
	if top, err := m.MostRead(ctx, 2, 1, 7); err != nil || len(top) != 2 || top[0].ID != ids[7] {
		t.Errorf("from the second on: %v %v", top, err)
	}
	if top, err = m.MostRead(ctx, 2, 0, 3); err != nil || top[0].ID != ids[7] || top[1].ID == ids[2] {
		t.Errorf("four days later: %v %v", top, err)
	}
	if plain, three := call(t, ctx, m, "/content/most_read_posts").
		Body.String(), call(t, ctx, m, "/content/most_read_posts?limit=10&per_days=3").Body.String(); plain != three {
		t.Errorf("unless told, of how many days? %.200s, of three %.200s", plain, three)
	}
	if top, err = m.MostRead(ctx, 2, 0, 7); err != nil || top[0].ID != ids[2] {
		t.Errorf("of seven days: %v", err)
	}
	testkit.Clock(d).Advance(views.Kept)
	if testkit.Retain(ctx, t, d, m.Retentions()); count(t, ctx, d, "SELECT count(*) FROM content_views") != 1 {
		t.Error("other views are kept than those of the last days")
	}
}

// A post is not read most because one machine, or one reader, asks for it again and again.
func TestViewsOfOneAreBounded(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	id := save(t, ctx, m, draft("1"))
	for range 3 * views.PerNetwork {
		m.views.Count(web.WithVisitor(ctx, 7), id)
		m.views.Count(as(web.WithVisitor(ctx, 7), 5), id)
	}
	m.views.Count(web.WithVisitor(ctx, 8), id)
	m.views.Flush(t.Context())
	if n := count(t, ctx, d, "SELECT sum(views) FROM content_views"); n != views.PerNetwork+views.PerReader+1 {
		t.Errorf("%d views", n)
	}
	testkit.Clock(d).Advance(24 * time.Hour)
	m.views.Count(web.WithVisitor(ctx, 7), id)
	m.views.Flush(t.Context())
	if n := count(t, ctx, d, "SELECT sum(views) FROM content_views"); n != views.PerNetwork+views.PerReader+2 {
		t.Errorf("a day later %d views", n)
	}
}

func TestViewsAreBoundedAndSurviveAFailure(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	id := save(t, ctx, m, draft("1"))
	late := save(t, ctx, m, draft("2"))
	m.views.Count(ctx, id)
	for i := range int64(views.MaxPosts - 1) {
		m.views.Count(ctx, late+1+i)
	}
	m.views.Count(ctx, late) // one post too many
	ed := paper(t, ctx).ID
	if err := d.Detach(ed); err != nil {
		t.Fatal(err)
	}
	m.views.Flush(t.Context())
	m.views.Count(ctx, id)
	d.Attach(ed, paper(t, ctx).Schema)
	m.views.Flush(t.Context())
	if n := count(t, ctx, d, "SELECT sum(views) FROM content_views"); n != 2 {
		t.Errorf("got %d views, want those of before and after the failure: 2", n)
	}
	if n := count(t, ctx, d, "SELECT count(*) FROM content_views"); n != 1 {
		t.Errorf("got %d posts, want the one that was counted in time", n)
	}
}
