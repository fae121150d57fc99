package content

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// ask makes a file of the module as the router would.
func ask(t testing.TB, ctx context.Context, m *Module,
	path string,
) (*page.File, error) {
	t.Helper()
	want := strings.Split(path, "/")
next:
	for pattern, load := range m.Files() {
		have := strings.Split(pattern, "/")
		params := map[string]string{}
		for i, s := range have {
			name, free := strings.CutPrefix(s, ":")
			if len(have) != len(want) || !free && s != want[i] {
				continue next
			}
			if free {
				params[name] = want[i]
			}
		}
		return load(ctx, params)
	}
	t.Fatalf("nothing answers at %s", path)
	return nil, nil
}

func file(t testing.TB, ctx context.Context, m *Module,
	path string,
) *page.File {
	t.Helper()
	f, err := ask(t, ctx, m, path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

func parsed(t testing.TB, f *page.File) *gofeed.Feed {
	t.Helper()
	feed, err := gofeed.NewParser().ParseString(string(f.Body))
	if err != nil {
		t.Fatalf("%v: %s", err, f.Body)
	}
	return feed
}

func TestFeedsAreReadByAReaderOfFeeds(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	open := save(t, ctx, m, draft("1", func(d *Draft) {
		d.Title, d.Authors = `Ceny „rastú“ & <klesajú>`, []string{"jana", "peter"}
	}))
	locked := save(t, ctx, m, draft("2", func(d *Draft) { d.Locked, d.Published = true, epoch.Add(time.Hour) }))
	silent := save(t, ctx, m, draft("3", func(d *Draft) {
		d.Locked, d.Excerpt, d.Published, d.Picture = true, "", epoch.Add(2*time.Hour), ""
	}))
	clip := save(t, ctx, m, draft("4", func(d *Draft) {
		d.Type, d.Video, d.Published, d.Categories = post.TypeVideo, Video{URL: "https://youtu.be/abcdefghijk", Seconds: 9},
			epoch.Add(3*time.Hour), []string{"trhy"}
	}))
	save(t, ctx, m, draft("5", func(d *Draft) { d.Type = post.TypeMinute }))
	save(t, ctx, m, draft("6", func(d *Draft) { d.Published = m.db.Now().Add(time.Hour) }))
	save(t, ctx, m, draft("7", func(d *Draft) { d.Status = post.StatusDraft }))
	link := func(id int64) string { return fmt.Sprintf("https://sk.test/%d", id) }
	for _, c := range []struct {
		path, title, link string
		ids               []int64
		tag               string
	}{
		{"/rss", "Testnoviny sk", "https://sk.test/", []int64{clip, silent, locked, open}, post.FrontTag},
		{
			"/rss/category/politika", "Politika – Testnoviny sk", "https://sk.test/category/politika",
			[]int64{silent, locked, open},
			"category:politika",
		},
		{"/rss/category/trhy", "trhy – Testnoviny sk", "https://sk.test/category/trhy", []int64{clip}, "category:trhy"},
		{
			"/rss/author/jana", "Jana Skúšobná – Testnoviny sk", "https://sk.test/author/jana",
			[]int64{clip, silent, locked, open},
			"author:jana",
		},
		{"/rss/author/peter", "Peter Pokusný – Testnoviny sk", "https://sk.test/author/peter", []int64{open}, "author:peter"},
		{"/rss/category/veda", "veda – Testnoviny sk", "https://sk.test/category/veda", nil, "category:veda"},
	} {
		f := file(t, ctx, m, c.path)
		feed := parsed(t, f)
		if feed.FeedType != "rss" || feed.FeedVersion != "2.0" || feed.Title != c.title || feed.Link != c.link ||
			feed.Description == "" ||
			feed.Language != "sk-SK" || feed.FeedLink != "https://sk.test"+c.path || feed.Image == nil ||
			feed.Image.URL != "https://sk.test/icon-144.png" {
			t.Errorf("%s: %+v", c.path, feed)
		}
		if !slices.Contains(f.Tags, c.tag) || f.Type != "application/rss+xml; charset=utf-8" {
			t.Errorf("%s: %s, tags %v", c.path, f.Type, f.Tags)
		}
		var got []string
		for _, it := range feed.Items {
			got = append(got, it.GUID)
		}
		var want []string
		for _, id := range c.ids {
			want = append(want, link(id))
			if !slices.Contains(f.Tags, post.Tag(id)) {
				t.Errorf("%s does not follow post %d: %v", c.path, id, f.Tags)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.path, got, want)
		}
	}
	items := map[string]*gofeed.Item{}
	for _, it := range parsed(t, file(t, ctx, m, "/rss")).Items {
		items[it.GUID] = it
	}
	it := items[link(open)]
	if it.Title != `Ceny „rastú“ & <klesajú>` || it.Link != link(open)+"/ceny-rastu-klesaju" ||
		it.Description != "Krátko o 1." || len(it.DublinCoreExt.Creator) != 2 ||
		it.DublinCoreExt.Creator[1] != "Peter Pokusný" || it.Categories[0] != "slovensko" ||
		!it.PublishedParsed.Equal(epoch) || it.Content != "" {
		t.Errorf("an open article: %+v", it)
	}
	media := it.Extensions["media"]["content"][0]
	if media.Attrs["url"] != "https://sk.test/img/"+picture(0)+"?w=1280" || media.Attrs["width"] != "1280" ||
		media.Attrs["height"] != "720" || media.Attrs["type"] != "image/jpeg" {
		t.Errorf("its picture: %+v", media.Attrs)
	}
	if d := items[link(locked)].Description; d != "Krátko o 2. Celý text je pre predplatiteľov." {
		t.Errorf("a locked article: %q", d)
	}
	if it := items[link(silent)]; it.Description != "Celý text je pre predplatiteľov." || it.Extensions["media"] != nil {
		t.Errorf("a locked article without excerpt and picture: %+v", it)
	}
	for _, path := range []string{"/rss/category/nic", "/rss/author/nikto"} {
		if _, err := ask(t, ctx, m, path); !errors.Is(err, web.ErrNotFound) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestFeedsHaveAnEnd(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, nil)
	if _, err := m.SavePosts(ctx, stock(120)); err != nil {
		t.Fatal(err)
	}
	var last time.Time
	items := parsed(t, file(t, ctx, m, "/rss")).Items
	for _, it := range items {
		if !last.IsZero() && it.PublishedParsed.After(last) {
			t.Errorf("%s stands below an older one", it.Title)
		}
		last = *it.PublishedParsed
	}
	if len(items) != 40 {
		t.Errorf("got %d items, want 40", len(items))
	}
}
