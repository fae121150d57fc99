package content

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
)

var pathParam = regexp.MustCompile(`\{(\w+)\}`)

// calls are the module's endpoints, as they are described, by path.
func calls(t testing.TB) map[string]*openapi3.Operation {
	t.Helper()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.TestMode)
	r := gin.New()
	New(Deps{}).Routes(r)
	out := map[string]*openapi3.Operation{}
	for _, route := range r.Routes() {
		path := regexp.MustCompile(`:(\w+)`).ReplaceAllString(route.Path, "{$1}")
		item := doc.Paths.Value(path)
		if item == nil {
			item = doc.Paths.Value(strings.TrimSuffix(path, "/"))
		}
		if item == nil || item.GetOperation(route.Method) == nil {
			t.Errorf("%s %s is not described", route.Method, path)
			continue
		}
		if route.Method == http.MethodGet {
			out[path] = item.Get
		}
	}
	return out
}

// sizes of a part, of a list that is asked for without one.
var defaultSizes = map[string]int{
	"/content/minute": 10, "/content/minute/{id}": 10, "/content/posts/by_category/{slug}": 8,
	"/content/videos/by_category/{slug}": 15,
	"/content/videos":                    20, "/content/videos/by_weekly": 15, "/content/weeklies_details": 20,
	"/content/most_read_posts":        10,
	"/content/posts/by_author/{slug}": 20, "/content/search/{term}": 52, "/content/search/authors/{term}": 52,
	"/content/posts/latest": 40,
}

// known are values that fill a path or a query, so that the call finds something.
func known(path, name string) string {
	switch {
	case name == "id":
		return "0"
	case name == "term":
		return "cl%C3%A1nok"
	case strings.Contains(path, "author"):
		return "jana"
	case strings.Contains(path, "/page/"):
		return "clanok-strana"
	}
	return "politika"
}

// Whatever list a call answers with, what it cannot use is refused and named, and who is not there is not found. The
// calls and their parameters are those of the description, so that a new one is held to it.
func TestEveryCallRefusesWhatItCanNotUse(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	save(t, ctx, m, draft("strana", func(d *Draft) { d.Type = post.TypePage }))
	if _, err := m.SaveTag(ctx, week(0)); err != nil {
		t.Fatal(err)
	}
	save(t, ctx, m, draft("1", func(d *Draft) { d.Tags = []string{"tyzden-0"} }))
	refused, unknown := 0, 0
	for path, op := range calls(t) {
		fill := func(name, value string) string {
			return pathParam.ReplaceAllStringFunc(path, func(p string) string {
				if p == "{"+name+"}" {
					return value
				}
				return known(path, p[1:len(p)-1])
			})
		}
		for _, ref := range op.Parameters {
			p := ref.Value
			var asks map[string]string // by what they should be answered with
			switch s := p.Schema.Value; {
			case p.In == openapi3.ParameterInPath && p.Name == "term":
				if w := call(t, ctx, m, fill("term", "%20%3F")); w.Code != http.StatusBadRequest ||
					!strings.Contains(w.Body.String(), `"INVALID_ARGS"`) {
					t.Errorf("%s without a word: %d %s", path, w.Code, w.Body)
				}
				for odd, want := range map[string]int{
					"a%00b": http.StatusOK, "a%E2%80%8Bb%EF%BB%BF": http.StatusOK, "%E2%80%8B": http.StatusBadRequest,
					"a%ffb": http.StatusBadRequest,
				} {
					if w := call(t, ctx, m, fill("term", odd)); w.Code != want {
						t.Errorf("%s for %s: got %d %s, want %d", path, odd, w.Code, w.Body, want)
					}
				}
				continue
			case p.In == openapi3.ParameterInPath:
				asks = map[string]string{
					fill(p.Name, "987654321"): "NOT_FOUND", fill(p.Name, "x%00"): "NOT_FOUND",
					fill(p.Name, "x%ff"): "NOT_FOUND",
				}
			case p.Name == "slug":
				asks = map[string]string{
					fill("", "") + "?slug=nic-take": "NOT_FOUND", fill("", "") + "?slug=%00": "NOT_FOUND",
					fill("", "") + "?slug=%ff": "NOT_FOUND",
				}
			case p.Name == "id":
				asks = map[string]string{
					fill("", "") + "?id=x": "INVALID_ARGS", fill("", ""): "INVALID_ARGS",
					fill("", "") + "?id=987654321": "NOT_FOUND",
				}
			case p.Name == "after":
				asks = map[string]string{
					fill("", "") + "?after=x":           "INVALID_ARGS",
					fill("", "") + "?offset=5&after=1-": "INVALID_ARGS",
				}
			case s.Type.Is("integer"):
				if s.Min == nil || s.Max == nil || s.Default == nil {
					t.Errorf("%s: the bounds of %s are not described", path, p.Name)
					continue
				}
				asks = map[string]string{}
				for _, v := range []string{
					"x", "1e1", "1.5", fmt.Sprint(*s.Min - 1), fmt.Sprintf("%.0f", *s.Max+1),
					"99999999999999999999", "-1", "0x10", "%00",
				} {
					asks[fill("", "")+"?"+p.Name+"="+v] = "INVALID_ARGS"
				}
				if w := call(t, ctx, m, fill("", "")+"?"+p.Name+"="+fmt.Sprintf("%.0f", *s.Min)); w.Code != http.StatusOK {
					t.Errorf("%s with the smallest %s: %d %s", path, p.Name, w.Code, w.Body)
				}
				if size, is := defaultSizes[path]; is && p.Name != "offset" && p.Name != "per_days" && s.Default != float64(size) {
					t.Errorf("%s: %s is %v unless told, want %d", path, p.Name, s.Default, size)
				}
			default:
				t.Errorf("%s: nobody tries what %s does with a wrong value", path, p.Name)
			}
			for ask, code := range asks {
				want := map[string]int{"INVALID_ARGS": http.StatusBadRequest, "NOT_FOUND": http.StatusNotFound}[code]
				w := call(t, ctx, m, ask)
				if w.Code != want || !strings.Contains(w.Body.String(), `"error":"`+code+`"`) ||
					w.Header().Get("Cache-Control") != "private, no-store" {
					t.Errorf("%s: %d %s, want %d %s", ask, w.Code, w.Body, want, code)
				}
				if code == "INVALID_ARGS" {
					refused++
				} else {
					unknown++
				}
			}
		}
	}
	if refused < 100 || unknown < 20 {
		t.Errorf("%d calls were refused and %d found nothing: the description was not walked", refused, unknown)
	}
}

// library is an edition with more of everything than any page shows: articles, videos, short news and weekly topics.
func library(t *testing.T) (ctx context.Context, m *Module) {
	t.Helper()
	ctx, _, m = house(t, &meter{})
	const many = 60
	var all []Draft
	for i := range many {
		if _, err := m.SaveTag(ctx, week(i, func(t *topic.Tag) { t.Published = epoch.AddDate(0, 0, -7*i) })); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []post.Type{post.TypeArticle, post.TypeVideo, post.TypeMinute} {
			all = append(all, draft(fmt.Sprintf("%s-%d", kind, i), func(d *Draft) {
				d.Type, d.Categories, d.Tags = kind, []string{"politika"}, []string{"tyzden-0"}
				if kind == post.TypeVideo {
					d.Video = Video{URL: "https://youtu.be/abcdefghijk", Seconds: 9}
				}
			}))
		}
	}
	if _, err := m.SavePosts(ctx, all); err != nil {
		t.Fatal(err)
	}
	return ctx, m
}

// Every page has as many of a list as the paper is laid out for.
func TestPagesHaveTheirSizes(t *testing.T) {
	t.Parallel()
	ctx, m := library(t)
	load := func(path string) any { return visit(t, ctx, m, path, false).Data }
	front, politics, later := load("/").(*FrontData), load("/category/politika").(*CategoryData),
		load("/category/politika?offset=19").(*CategoryData)
	author, topics, topic, minutes := load("/author/jana").(*AuthorData), load("/tema").(*topic.IndexData),
		load("/tema/tyzden-0").(*topic.PageData), load("/minuta").(*MinutesData)
	if len(front.Sections) == 0 || front.Topic == nil {
		t.Fatalf("the front page lacks its blocks: %d sections, topic %v", len(front.Sections), front.Topic)
	}
	article := load(politics.Cards[0].URL).(*ArticleData)
	for name, c := range map[string][2]int{
		"short news of the front page": {len(front.Minutes), 40}, "its videos": {len(front.Videos), 20},
		"its most read": {len(front.MostRead), 5}, "special for you": {len(front.Special), 5},
		"its weekly topic": {len(front.Topic.Cards), 5}, "its block of a category": {len(front.Sections[0].Cards), 7},
		"a category": {len(politics.Cards), 19}, "its next part": {len(later.Cards), 8},
		"its videos beside": {len(politics.Videos), 15}, "videos of a later part": {len(later.Videos), 0},
		"an author": {len(author.Cards), 20}, "the author's videos": {len(author.Videos), 15},
		"the weekly topics": {len(topics.Topics), 20}, "videos of a topic": {len(topic.Videos), 15},
		"short news": {len(minutes.Items), 10}, "related articles": {len(article.Related), 11},
		"what is not there": {len(load("/404").(*NotFoundData).MostRead), 6},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
}

// A list that is asked for without a size has as many as are described, and says where it goes on.
func TestListsHaveTheirSizes(t *testing.T) {
	t.Parallel()
	ctx, m := library(t)
	ops := calls(t)
	for path, size := range defaultSizes {
		if ops[path] == nil {
			t.Errorf("%s is no call", path)
			continue
		}
		ask := pathParam.ReplaceAllStringFunc(path, func(p string) string { return known(path, p[1:len(p)-1]) })
		w := call(t, ctx, m, ask)
		want, mark := size, `"post_id"`
		switch {
		case strings.Contains(path, "authors"):
			want, mark = 1, `"name"` // there is one, who writes it all
			ask = "/content/search/authors/jana"
			w = call(t, ctx, m, ask)
		case strings.Contains(path, "weeklies"):
			mark = `"term_id"`
		}
		if got := strings.Count(w.Body.String(), mark); w.Code != http.StatusOK || got != want {
			t.Errorf("%s: %d with %d, want %d", ask, w.Code, got, want)
		}
		followed := regexp.MustCompile(fmt.Sprintf(`offset=%d(>|&)`, size)).MatchString(w.Header().Get("Link"))
		if keyed := ops[path].Parameters.GetByInAndName("query", "after") != nil; keyed != followed {
			t.Errorf("%s goes on at %q", ask, w.Header().Get("Link"))
		}
	}
}
