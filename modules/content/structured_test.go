package content

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/paper/page"
)

// required is what search engines ask of each type.
var required = map[string][]string{
	"NewsArticle": {
		"headline", "image", "datePublished", "dateModified", "author", "publisher",
		"mainEntityOfPage", "isAccessibleForFree", "inLanguage",
	},
	"OpinionNewsArticle": {
		"headline", "image", "datePublished", "dateModified", "author", "publisher",
		"mainEntityOfPage", "isAccessibleForFree",
	},
	"LiveBlogPosting": {
		"headline", "coverageStartTime", "coverageEndTime", "liveBlogUpdate", "datePublished",
		"dateModified", "author", "publisher", "image",
	},
	"BlogPosting":           {"headline", "articleBody", "datePublished", "url", "author"},
	"BreadcrumbList":        {"itemListElement"},
	"ListItem":              {"position", "name"},
	"Person":                {"name"},
	"ProfilePage":           {"mainEntity", "url"},
	"CollectionPage":        {"name", "url", "description", "mainEntity", "publisher"},
	"ItemList":              {"itemListElement", "numberOfItems"},
	"VideoObject":           {"name", "description", "thumbnailUrl", "uploadDate"},
	"NewsMediaOrganization": {"name", "url", "logo"},
	"WebSite":               {"name", "url", "publisher", "potentialAction"},
	"SearchAction":          {"target", "query-input"},
	"EntryPoint":            {"urlTemplate"},
	"ImageObject":           {"url", "width", "height"},
	"WebPageElement":        {"isAccessibleForFree", "cssSelector"},
	"PostalAddress":         {"streetAddress", "addressLocality", "postalCode", "addressCountry"},
	"ContactPoint":          {"contactType", "email"},
	"WebPage":               {"name", "url"},
	"AboutPage":             {"name", "url"},
}

// nodes walks structured data, and complains of what is incomplete: a type nobody knows, a property that is missing or
// has no value, an address that is not absolute, a time that is none.
func nodes(t testing.TB, where string, v any, found map[string]map[string]any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			nodes(t, where, x, found)
		}
	case map[string]any:
		kind, _ := v["@type"].(string)
		if kind == "" {
			if v["@id"] == nil {
				t.Errorf("%s: a node without a type: %v", where, v)
			}
			return
		}
		names, known := required[kind]
		if !known {
			t.Errorf("%s: nobody knows %s", where, kind)
		}
		for _, name := range names {
			if v[name] == nil {
				t.Errorf("%s: %s lacks %s: %v", where, kind, name, v)
			}
		}
		if found[kind] == nil {
			found[kind] = v
		}
		for name, x := range v {
			s, isText := x.(string)
			switch {
			case x == nil || isText && s == "":
				t.Errorf("%s: %s of %s is empty", where, name, kind)
			case name == "url" || name == "item" || strings.HasSuffix(name, "Url"):
				if u, err := url.Parse(s); err != nil || u.Scheme != "https" || u.Host == "" {
					t.Errorf("%s: %s of %s is %q", where, name, kind, s)
				}
			case strings.HasPrefix(name, "date") || strings.HasSuffix(name, "Time") || name == "uploadDate":
				if _, err := time.Parse(time.RFC3339, s); err != nil {
					t.Errorf("%s: %s of %s is %q", where, name, kind, s)
				}
			}
			nodes(t, where, x, found)
		}
	}
}

func described(t testing.TB, p *page.Page) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for _, d := range p.Meta.JSONLD {
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := json.Unmarshal(b, &v); err != nil || v["@context"] != "https://schema.org" {
			t.Errorf("%s: %v %s", p.Meta.Canonical, err, b)
		}
		nodes(t, p.Meta.Canonical, v, found)
	}
	return found
}

func TestEveryPageIsDescribed(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if _, err := m.SaveTag(ctx,
		topic.Tag{
			Slug: "voda", Name: "Voda", Description: "O vode.", Published: epoch,
			Covers: []string{picture(1)},
		}); err != nil {
		t.Fatal(err)
	}
	ids := map[string]int64{}
	for name, change := range map[string]func(*Draft){
		"open":    func(d *Draft) { d.Tags = []string{"voda"} },
		"locked":  func(d *Draft) { d.Locked = true },
		"bare":    func(d *Draft) { d.Picture, d.Authors, d.Excerpt, d.Categories = "", nil, "", nil },
		"comment": func(d *Draft) { d.Type = post.TypeComment },
		"youtube": func(d *Draft) {
			d.Type, d.Video = post.TypeVideo, Video{URL: "https://youtu.be/abcdefghijk", Seconds: 95}
		},
		"closed": func(d *Draft) {
			d.Type, d.Locked, d.Video = post.TypeVideo, true, Video{URL: "https://youtu.be/abcdefghijk", Seconds: 95}
		},
		"salon": func(d *Draft) { d.Type, d.Video = post.TypeSalon, Video{URL: "https://video.example/salon.mp4"} },
		"brief": func(d *Draft) { d.Type, d.Excerpt = post.TypeMinute, "Krátka správa." },
		"terms": func(d *Draft) { d.Type, d.Authors, d.Categories = post.TypePage, nil, nil },
		"history": func(d *Draft) {
			d.Type, d.Authors, d.Categories, d.Page = post.TypePage, nil, nil,
				staticpage.Form{Route: "history", Layout: "history"}
		},
	} {
		ids[name] = save(t, ctx, m, draft(name, change))
	}
	article := func(name string) string { return fmt.Sprintf("/%d/clanok-%s", ids[name], name) }
	for path, want := range map[string][]string{
		"/":                    {"WebSite", "SearchAction", "NewsMediaOrganization", "PostalAddress"},
		"/category/slovensko":  {"CollectionPage", "ItemList", "BreadcrumbList"},
		"/tema":                {"CollectionPage", "ItemList", "BreadcrumbList"},
		"/tema/voda":           {"CollectionPage", "ItemList", "BreadcrumbList"},
		"/author/jana":         {"ProfilePage", "Person", "ItemList", "BreadcrumbList"},
		"/author/peter":        {"ProfilePage", "Person"},
		"/minuta":              {"LiveBlogPosting", "BlogPosting", "BreadcrumbList"},
		article("open"):        {"NewsArticle", "Person", "ImageObject", "BreadcrumbList"},
		article("locked"):      {"NewsArticle", "WebPageElement"},
		article("bare"):        {"NewsArticle", "BreadcrumbList"},
		article("comment"):     {"OpinionNewsArticle"},
		article("youtube"):     {"NewsArticle", "VideoObject"},
		article("closed"):      {"NewsArticle", "VideoObject", "WebPageElement"},
		article("salon"):       {"NewsArticle", "VideoObject"},
		article("brief"):       {"NewsArticle"},
		"/static/clanok-terms": {"WebPage", "BreadcrumbList"},
		"/historia":            {"AboutPage", "BreadcrumbList"},
	} {
		p := visit(t, ctx, m, path, false)
		found := described(t, p)
		for _, kind := range want {
			if found[kind] == nil {
				t.Errorf("%s (%d) has no %s", path, p.Status, kind)
			}
		}
	}
	at := func(name string) map[string]map[string]any {
		return described(t, visit(t, ctx, m, article(name), false))
	}
	if a := at("open"); a["NewsArticle"]["isAccessibleForFree"] != true || a["WebPageElement"] != nil ||
		a["NewsArticle"]["articleSection"] != "slovensko" {
		t.Errorf("an open article: %v", a["NewsArticle"])
	}
	if a := at("locked"); a["NewsArticle"]["isAccessibleForFree"] != false ||
		a["WebPageElement"]["cssSelector"] != ".paywalled" {
		t.Errorf("a locked article: %v", a)
	}
	if v := at("youtube")["VideoObject"]; v["embedUrl"] != "https://www.youtube-nocookie.com/embed/abcdefghijk" ||
		v["contentUrl"] != nil || v["duration"] != "PT95S" {
		t.Errorf("a video: %v", v)
	}
	if v := at("closed")["VideoObject"]; v["embedUrl"] != nil || v["contentUrl"] != nil ||
		v["isAccessibleForFree"] != false {
		t.Errorf("a locked video: %v", v)
	}
	if v := at("salon")["VideoObject"]; v["contentUrl"] != "https://video.example/salon.mp4" {
		t.Errorf("a salon: %v", v)
	}
	if s := described(t,
		visit(t, ctx, m, "/", false)); s["EntryPoint"]["urlTemplate"] != "https://sk.test/search/{search_term_string}" {
		t.Errorf("search: %v", s["EntryPoint"])
	}
}

func TestPagesNameTheirFeeds(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, nil)
	save(t, ctx, m, draft("1"))
	for path, want := range map[string][]string{
		"/":                   {"https://sk.test/rss"},
		"/category/slovensko": {"https://sk.test/rss/category/slovensko", "https://sk.test/rss"},
		"/author/jana":        {"https://sk.test/rss/author/jana", "https://sk.test/rss"},
	} {
		var got []string
		for _, f := range visit(t, ctx, m, path, false).Meta.Feeds {
			got = append(got, f.URL)
			file(t, ctx, m, strings.TrimPrefix(f.URL, "https://sk.test"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", path, got)
		}
	}
}
