package content

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/paper/edition"
)

// week saves a weekly topic of the n-th week.
func week(n int, change ...func(*topic.Tag)) topic.Tag {
	t := topic.Tag{
		Slug: fmt.Sprintf("tyzden-%d", n), Name: fmt.Sprintf("Týždeň %d", n), Description: "O tom.",
		Published: epoch.AddDate(0, 0, 7*n), Covers: []string{picture(0), picture(1)},
	}
	for _, f := range change {
		f(&t)
	}
	return t
}

func TestWeeklyTopics(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if d := visit(t, ctx, m, "/tema", false).Data.(*topic.IndexData); d.Current != nil || len(d.Topics) != 0 {
		t.Errorf("none yet: %+v", d)
	}
	if p := visit(t, ctx, m, "/tema/aktualne-vydanie", false); p.Status != 404 ||
		!slices.Contains(p.Tags, post.TopicsTag) {
		t.Errorf("no current one: %d %v", p.Status, p.Tags)
	}
	for n := range 23 {
		if _, err := m.SaveTag(ctx, week(n)); err != nil {
			t.Fatal(err)
		}
	}
	for name, tag := range map[string]topic.Tag{
		"next week's": week(1000), "an ordinary tag": {Slug: "volby", Name: "Voľby"},
	} {
		if _, err := m.SaveTag(ctx, tag); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p := visit(t, ctx, m, "/tema/"+tag.Slug, false); p.Status != 404 {
			t.Errorf("%s has a page: %d", name, p.Status)
		}
	}
	var drafts []Draft
	for i := range 9 {
		drafts = append(drafts, draft(fmt.Sprint(i), func(d *Draft) {
			d.Type, d.Tags, d.Published = post.TypeWeeklyTopic, []string{"volby", "tyzden-22"},
				epoch.Add(time.Duration(i)*time.Minute)
		}), draft(fmt.Sprint("v", i), func(d *Draft) {
			d.Type, d.Tags, d.Video = post.TypeVideo, []string{"tyzden-22"},
				Video{URL: "https://youtu.be/abcdefghij" + fmt.Sprint(i), Seconds: 5}
		}))
	}
	saved, err := m.SavePosts(ctx, drafts)
	if err != nil {
		t.Fatal(err)
	}
	index := visit(t, ctx, m, "/tema", false)
	conforms(t, "TopicIndexData", index.Data)
	d := index.Data.(*topic.IndexData)
	if d.Current == nil || d.Current.Slug != "tyzden-22" || len(d.Current.Covers) != 2 || len(d.Topics) != 20 ||
		d.NextOffset != 20 || !strings.HasPrefix(d.Next, "/tema?offset=20&after=") {
		t.Errorf("index: %+v", d)
	}
	if d := visit(t, ctx, m, d.Next, false).Data.(*topic.IndexData); len(d.Topics) != 3 ||
		d.Topics[0].Slug != "tyzden-2" || d.Next != "" {
		t.Errorf("the second page: %+v", d)
	}
	page := visit(t, ctx, m, "/tema/aktualne-vydanie", false)
	conforms(t, "TopicData", page.Data)
	weekly := page.Data.(*topic.PageData)
	if weekly.Topic.Slug != "tyzden-22" || len(weekly.Cards) != 9 || len(weekly.Videos) != 9 || weekly.Newer != nil ||
		weekly.Older.Slug != "tyzden-21" || weekly.Cards[0].ID != saved[16].ID {
		t.Errorf("topic: %+v", weekly)
	}
	if v := weekly.Videos[0].Video; v == nil || v.Kind != "youtube" || !strings.HasPrefix(v.Src, "abcdefghij") {
		t.Errorf("video: %+v", v)
	}
	if page.Redirect != "" || page.Meta.Canonical != paper(t, ctx).URL("/tema/tyzden-22") {
		t.Errorf("the current one is %s, led to %q", page.Meta.Canonical, page.Redirect)
	}
	front := visit(t, ctx, m, "/", false)
	conforms(t, "FrontData", front.Data)
	if b := front.Data.(*FrontData).Topic; b == nil || len(b.Cards) != 5 || b.Topic.Slug != "tyzden-22" {
		t.Errorf("front page: %+v", b)
	}
	article := visit(t, ctx, m, fmt.Sprintf("/%d/clanok-0", saved[0].ID), false)
	conforms(t, "ArticleData", article.Data)
	if a := article.Data.(*ArticleData); a.Topic == nil || a.Topic.Slug != "tyzden-22" ||
		!slices.Contains(article.Tags, "tag:tyzden-22") {
		t.Errorf("article: %+v %v", a.Topic, article.Tags)
	}
	for name, wrong := range map[string]topic.Tag{
		"no name": {Slug: "x"}, "the word for the current one": {Slug: "aktualne-vydanie", Name: "X"},
		"an unknown cover": week(3, func(t *topic.Tag) {
			t.Covers = []string{picture(77)}
		}),
		"four covers": week(3, func(t *topic.Tag) { t.Covers = []string{picture(0), picture(1), picture(2), picture(0)} }),
	} {
		if _, err := m.SaveTag(ctx, wrong); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if _, _, err := m.SavePost(ctx, draft("x", func(d *Draft) { d.Tags = []string{"nikde"} })); err == nil {
		t.Error("an unknown tag was taken")
	}
}

// A story that is published between two pages of a list is on neither twice, and hides none.
func TestListsGoOnWhereTheyStopped(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if err := saveMany(ctx, m, 60); err != nil {
		t.Fatal(err)
	}
	fresh := 0
	for _, start := range []string{"/category/politika", "/author/jana", "/minuta"} {
		t.Run(start, func(t *testing.T) {
			seen := map[int64]int{}
			total, next := 0, start
			for next != "" {
				var list struct {
					Cards, Items []struct{ ID int64 }
					Offset       int
					NextOffset   int
					Next         string
				}
				b, err := json.Marshal(visit(t, ctx, m, next, false).Data)
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(b, &list); err != nil {
					t.Fatal(err)
				}
				if list.Offset != total {
					t.Errorf("%s says offset %d after %d", next, list.Offset, total)
				}
				for _, c := range append(list.Cards, list.Items...) {
					seen[c.ID]++
					total++
				}
				next = list.Next
				fresh++
				save(t, ctx, m, draft(fmt.Sprint("f", fresh), func(d *Draft) {
					d.Published = epoch.Add(time.Duration(1000+fresh) * time.Hour)
				}))
				save(t, ctx, m, draft(fmt.Sprint("g", fresh), func(d *Draft) {
					d.Type, d.Published = post.TypeMinute, epoch.Add(time.Duration(1000+fresh)*time.Hour)
				}))
			}
			for id, n := range seen {
				if n != 1 {
					t.Errorf("post %d stands there %d times", id, n)
				}
			}
			if total < 60 {
				t.Errorf("%d of 60 were shown", total)
			}
		})
	}
	w := call(t, ctx, m, "/content/posts/by_author/jana?per_page=7")
	link := w.Header().Get("Link")
	address, _, ok := strings.Cut(strings.TrimPrefix(link, "<"), ">")
	if !ok || !strings.HasSuffix(link, `rel="next"`) {
		t.Fatalf("no next part: %q", link)
	}
	var one, two []post.Entity
	if err := json.Unmarshal(w.Body.Bytes(), &one); err != nil {
		t.Fatal(err)
	}
	save(t, ctx, m, draft("late", func(d *Draft) { d.Published = epoch.Add(9000 * time.Hour) }))
	if err := json.Unmarshal(call(t, ctx, m, address).Body.Bytes(), &two); err != nil || len(two) != 7 ||
		slices.ContainsFunc(two, func(e post.Entity) bool {
			return e.ID == one[6].ID
		}) {
		t.Errorf("the next part: %v %v", two, err)
	}
	for path, want := range map[string]int{
		"/author/jana?offset=20&after=x": 404, "/author/jana?offset=20&after=1-0": 404, "/author/jana?offset=1001": 404,
		"/minuta?offset=-1": 404, "/tema?offset=x": 404,
		"/author/jana?offset=900000&after=zzzz-1": 404, "/author/nikto": 404,
	} {
		if p := visit(t, ctx, m, path, false); p.Status != want {
			t.Errorf("%s: %d, want %d", path, p.Status, want)
		}
	}
}

func saveMany(ctx context.Context, m *Module, n int) error {
	var drafts []Draft
	for i := range n {
		at := epoch.Add(time.Duration(i/3) * time.Minute) // some at the same moment
		drafts = append(drafts, draft(fmt.Sprint(i), func(d *Draft) {
			d.Published = at
		}), draft(fmt.Sprint("m", i), func(d *Draft) { d.Type, d.Published = post.TypeMinute, at }))
	}
	_, err := m.SavePosts(ctx, drafts)
	return err
}

func TestAuthorsHavePages(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if _, err := m.SavePosts(ctx, stock(30)); err != nil {
		t.Fatal(err)
	}
	p := visit(t, ctx, m, "/author/jana", false)
	conforms(t, "AuthorData", p.Data)
	d := p.Data.(*AuthorData)
	if d.Author.URL != "/author/jana" || d.Author.Bio != "Píše." || len(d.Cards) != 20 || len(d.Videos) != 10 ||
		d.Cards[0].Authors[0].URL != "/author/jana" || p.Meta.Description != "Píše." {
		t.Errorf("%+v %+v", d.Author, p.Meta)
	}
	if d := visit(t, ctx, m, d.Next, false).Data.(*AuthorData); len(d.Videos) != 0 || len(d.Cards) != 15 {
		t.Errorf("the second page: %d cards, %d videos", len(d.Cards), len(d.Videos))
	}
	for _, path := range []string{"/author/7/jana", "/author", "/author/7"} {
		if p := visit(t, ctx, m, path, false); p.Status != 302 || p.Redirect != "/404" {
			t.Errorf("%s: %d %s", path, p.Status, p.Redirect)
		}
	}
}

func TestShortNewsHasAReader(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	saved, err := m.SavePosts(ctx, stock(1))
	if err != nil {
		t.Fatal(err)
	}
	extra := stock(13)
	if _, err := m.SavePosts(ctx, extra); err != nil {
		t.Fatal(err)
	}
	var first int64
	p := visit(t, ctx, m, "/minuta", false)
	conforms(t, "MinutesData", p.Data)
	d := p.Data.(*MinutesData)
	if d.Layout != "reader" || len(d.Items) != 10 || d.Selected != 0 ||
		!strings.Contains(d.Items[0].Body, "<b>číslo</b>") {
		t.Errorf("%+v", d)
	}
	first = d.Items[4].ID
	if !strings.HasSuffix(d.Items[4].URL, "?article_type=minuta") {
		t.Errorf("a permalink is %s", d.Items[4].URL)
	}
	p = visit(t, ctx, m, d.Items[4].URL, false)
	conforms(t, "MinutesData", p.Data)
	if r := p.Data.(*MinutesData); p.Route != edition.Minutes || r.Selected != first || r.Items[0].ID != first ||
		len(r.Items) != 6 || strings.Contains(p.Meta.Canonical, "?") {
		t.Errorf("from one on: %s %+v", p.Route, r)
	}
	article := saved[0].ID
	for path, want := range map[string]string{
		fmt.Sprintf("/%d/clanok-a0?article_type=minuta", article): "ArticleData",
		strings.Replace(d.Items[4].URL, "minuta", "ine", 1):       "ArticleData",
		"/minuta?offset=3":                                            "MinutesData",
		"/category/minuta":                                            "/minuta",
		fmt.Sprintf("/clanky/%d/nieco-ine", article):                  fmt.Sprintf("/%d/clanok-a0", article),
		fmt.Sprintf("/archiv/x/%d", article):                          "NotFoundData", // a part of something that has several
		fmt.Sprintf("/nikde?video-komentar=%d&data=2026", article):    fmt.Sprintf("/%d/clanok-a0", article),
		fmt.Sprintf("/2019/%02d/nie-je-cislo", article):               "NotFoundData",
		fmt.Sprintf("/category/%d/slovensko?article_type=minuta", 77): "/category/slovensko",
	} {
		p := visit(t, ctx, m, path, false)
		if strings.HasPrefix(want, "/") {
			if p.Redirect != want || p.Status != 301 {
				t.Errorf("%s: %d %q, want %s", path, p.Status, p.Redirect, want)
			}
		} else if got := strings.TrimPrefix(fmt.Sprintf("%T", p.Data), "*content."); got != want {
			t.Errorf("%s shows %s, want %s", path, got, want)
		}
	}
}

// A locked item of the reader is open to nobody but who opened that very item.
func TestTheReaderOpensNoOtherItem(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	var ids []int64
	for i := range 2 {
		ids = append(ids, save(t, ctx, m, draft(fmt.Sprint(i), func(d *Draft) {
			d.Type, d.Locked, d.Excerpt, d.Body = post.TypeMinute, true, "Výňatok.", body(4, "Ukážka")+body(4, token)
		})))
	}
	text := wire(t, visit(t, as(ctx, subscriber), m, fmt.Sprintf("/%d/clanok-1?article_type=minuta", ids[1]), false))
	if n := strings.Count(text, token); n != 4 {
		t.Errorf("%d withheld paragraphs are shown, want the 4 of the opened item", n)
	}
}

func TestSisterEditionsAreNamed(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	id := save(t, ctx, m, draft("1", func(d *Draft) {
		d.Alternates = []alternate.Link{{Lang: "de-AT", URL: "https://at.test/7/x"}}
	}))
	save(t, ctx, m, draft("1", func(d *Draft) { d.Title = "Iný" })) // says nothing about sisters
	p := visit(t, ctx, m, fmt.Sprintf("/%d/clanok-1", id), false)
	conforms(t, "Meta", p.Meta)
	if a := p.Meta.Alternates; len(a) != 2 || a[0].Lang != "sk-SK" || a[0].URL != p.Meta.Canonical ||
		a[1].URL != "https://at.test/7/x" {
		t.Errorf("%+v", a)
	}
	if err := m.SetAlternates(ctx, id, nil); err != nil {
		t.Fatal(err)
	}
	if p := visit(t, ctx, m, fmt.Sprintf("/%d/clanok-1", id), false); p.Meta.Alternates != nil {
		t.Errorf("%+v", p.Meta.Alternates)
	}
	for _, wrong := range []alternate.Link{{Lang: "deutsch", URL: "https://at.test/"}, {Lang: "de-AT", URL: "/7/x"}, {}} {
		if err := m.SetAlternates(ctx, id, []alternate.Link{wrong}); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}
