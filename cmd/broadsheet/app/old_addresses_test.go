package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/modules/content/wordpress"
	"example.org/broadsheet/platform/paper/edition"
)

// oldPost is an item of the export of an old site.
type oldPost struct {
	id             int
	kind, status   string // "": a post that is published
	link, slug, by string
	day            string
	more           string
}

func (p oldPost) item() string {
	for field, value := range map[*string]string{
		&p.kind: "post", &p.status: "publish", &p.by: "jan.novak",
		&p.day: "2019-05-22",
	} {
		if *field == "" {
			*field = value
		}
	}
	return fmt.Sprintf(`<item><title>Starý článok %d</title><link>https://stary.example%s</link><dc:creator>%s</dc:creator>
<wp:post_id>%d</wp:post_id><wp:post_date_gmt>%s 10:00:00</wp:post_date_gmt><wp:post_name>%s</wp:post_name>`+
		`<wp:post_type>%s</wp:post_type>
<wp:status>%s</wp:status>%s<content:encoded><![CDATA[<p>Text starého článku %d.</p>]]></content:encoded></item>
`, p.id, p.link, p.by, p.id, p.day, p.slug, p.kind, p.status, p.more, p.id)
}

func exportOf(posts ...oldPost) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" ` +
		`xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Starý denník</title><link>https://stary.example</link><wp:wxr_version>1.2</wp:wxr_version>` +
		`<wp:base_blog_url>https://stary.example</wp:base_blog_url>
<wp:author><wp:author_login>jan.novak</wp:author_login><wp:author_display_name>Ján Novák</wp:author_display_name>` +
		`</wp:author>
<wp:author><wp:author_login>redaktor7</wp:author_login><wp:author_display_name>Eva Malá</wp:author_display_name>` +
		`</wp:author>
`)
	for _, p := range posts {
		b.WriteString(p.item())
	}
	b.WriteString("</channel></rss>\n")
	return b.String()
}

// Every address that an old site had leads in one step to what stands there now, or nowhere, and never to another
// article. The edition has articles of its own under all the numbers that old addresses have in them.
func TestOldAddresses(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(60, false)
	ed, _ := p.app.registry.Get("standard")
	ctx := edition.With(t.Context(), ed)
	if _, err := p.app.content.SaveTag(ctx,
		topic.Tag{Slug: "rozpocet", Name: "Rozpočet", Published: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	for slug, route := range map[string]edition.Route{"historia": edition.History, "principy": edition.Principles} {
		_, _, err := p.app.content.SavePost(ctx, content.Draft{
			Type: post.TypePage, Status: post.StatusPublished, Slug: slug, Title: slug, Body: "<p>Text.</p>",
			Page: staticpage.Form{Route: route},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	report, err := wordpress.Import(ctx, strings.NewReader(exportOf(
		oldPost{
			id: 75, link: "/2019/05/22/stary-clanok/", slug: "stary-clanok",
			more: `<category domain="category" nicename="slovensko">Slovensko</category>`,
		},
		oldPost{id: 76, link: "/2019/06/embed-clanok/", slug: "embed-clanok", by: "redaktor7"},
		oldPost{id: 5, link: "/2018/01/piaty/", slug: "piaty", day: "2018-01-09"},
		oldPost{id: 80, link: "/politika/nazov-v-kategorii/", slug: "nazov-v-kategorii"},
		oldPost{id: 81, link: "/samostatny/", slug: "samostatny"},
		oldPost{id: 82, link: "/2019/05/%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82/", slug: "%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82"},
		oldPost{id: 383999, link: "/383999/s-cislom/", slug: "s-cislom"},
		oldPost{id: 84, link: "/archives/84", slug: "archivny"},
		oldPost{id: 90, kind: "page", link: "/o-nas/redakcia/", slug: "redakcia"},
		oldPost{id: 95, status: "draft", link: "/?p=95", slug: "koncept"},
		oldPost{id: 96, link: "/2019/05/novy-nazov/", slug: "novy-nazov", more: `<wp:postmeta><wp:meta_key>_wp_old_slug</` +
			`wp:meta_key><wp:meta_value>povodny-nazov</wp:meta_value></wp:postmeta>`},
	)), wordpress.Options{Library: p.app.content, Images: p.app.images, DB: p.app.DB})
	if err != nil || report.Counts["post"][wordpress.Taken] != 10 {
		t.Fatal(err, report)
	}
	known, err := p.app.content.Known(ctx, "wordpress:stary.example")
	if err != nil {
		t.Fatal(err)
	}
	now := func(id int, slug string) string { return fmt.Sprintf("/%d/%s", known[fmt.Sprint(id)], slug) }
	stary, embed, own := now(75, "stary-clanok"), now(76, "embed-clanok"), "/22/article-false-21"
	y, m, d := p.app.clock.Now().Add(-22 * time.Minute).In(ed.Location).Date()
	day := fmt.Sprintf("/%d/%02d/%02d", y, m, d)
	const missing = ""
	b := p.browser("standard")
	if r := b.get(own); r.Status != http.StatusOK {
		t.Fatalf("%s: %d", own, r.Status) // the article that a number of a date must not lead to
	}
	for path, want := range map[string]string{
		// As the site had them, with and without what it appends.
		"/2019/05/22/stary-clanok/":                       stary,
		"/2019/05/22/stary-clanok":                        stary,
		"/2019/05/22/Stary-Clanok/":                       stary,
		"/2019/05/22/stary-clanok/2/":                     stary,
		"/2019/05/22/stary-clanok/page/2/":                stary,
		"/2019/05/22/stary-clanok/comment-page-3/":        stary,
		"/2019/05/22/stary-clanok/feed/":                  stary,
		"/2019/05/22/stary-clanok/amp/":                   stary,
		"/2019/05/22/stary-clanok/amp/?utm_source=x&p=75": stary + "?utm_source=x",
		"/2019/05/22/stary-clanok/embed/":                 stary,
		"/2019/05/22/stary-clanok/trackback/":             stary,
		"/index.php/2019/05/22/stary-clanok/":             stary,
		"/2019/05/stary-clanok/":                          stary, // another form of the same day and name
		"//2019/05/22//stary-clanok/":                     stary,
		"/2019/06/embed-clanok/":                          embed,
		"/2019/06/embed-clanok/amp/":                      embed,
		"/2019/06/embed-clanok/feed/":                     embed,
		"/2018/01/piaty/":                                 now(5, "piaty"),
		"/politika/nazov-v-kategorii/":                    now(80, "nazov-v-kategorii"),
		"/samostatny/":                                    now(81, "samostatny"),
		"/samostatny/2/":                                  now(81, "samostatny"),
		"/samostatny?replytocom=5&share=mail":             now(81, "samostatny"),
		"/2019/05/%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82/":  now(82, "%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82"),
		"/2019/05/%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82/":  now(82, "%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82"),
		"/383999":                     now(383999, "s-cislom"),
		"/383999/s-cislom/":           now(383999, "s-cislom"),
		"/383999/ine-slova":           now(383999, "s-cislom"),
		"/archives/84":                now(84, "archivny"),
		"/archives/84/":               now(84, "archivny"),
		"/o-nas/redakcia/":            "/static/redakcia",
		"/2019/05/novy-nazov/":        now(96, "novy-nazov"),
		"/2019/05/povodny-nazov/":     now(96, "novy-nazov"),
		"/?p=75":                      stary,
		"/?p=75&utm_source=letter":    stary + "?utm_source=letter",
		"/?page_id=90":                "/static/redakcia",
		"/?p=5":                       now(5, "piaty"), // and not the article that has the number here
		"/?p=22":                      missing,
		"/?p=95":                      missing,
		"/?p=383574":                  "/historia",
		"/?feed=rss2":                 "/rss",
		"/?s=vl%C3%A1da":              "/search/vl%C3%A1da",
		"/383574":                     "/historia",
		"/383574/":                    "/historia",
		"/383574/historia":            "/historia",
		"/624705/x/":                  "/nase-principy",
		day + "/article-false-21/":    own,
		day[:8] + "/article-false-21": own,
		// Lists and feeds.
		"/page/2/":                             "/",
		"/feed/":                               "/rss",
		"/feed":                                "/rss",
		"/feed/atom/":                          "/rss",
		"/category/politika/":                  "/category/politika",
		"/category/politika/page/2/":           "/category/politika",
		"/category/politika/slovensko":         "/category/slovensko",
		"/category/politika/slovensko/":        "/category/slovensko",
		"/category/politika/slovensko/page/7/": "/category/slovensko",
		"/category/abc/politika":               "/category/politika",
		"/category/politika/feed/":             "/rss/category/politika",
		"/category/politika/slovensko/feed/":   "/rss/category/slovensko",
		"/category/POLITIKA":                   "/category/politika",
		"/Category/Politika/":                  "/category/politika",
		"/tag/rozpocet/":                       "/tema/rozpocet",
		"/tag/rozpocet/page/3/":                "/tema/rozpocet",
		"/author/jan-novak/":                   "/author/jan-novak",
		"/author/jan-novak/page/2/":            "/author/jan-novak",
		"/author/jan-novak/feed/":              "/rss/author/jan-novak",
		"/author/JAN-NOVAK":                    "/author/jan-novak",
		"/author/redaktor7/":                   "/author/eva-mala",
		"/author/redaktor7/page/2/":            "/author/eva-mala",
		"/author/redaktor7/feed/":              "/rss/author/eva-mala",
		"/Minuta":                              "/minuta",
		"/MINUTA/":                             "/minuta",
		"/rss/":                                "/rss",
		// Nothing of these is here: dates, files and posts that were not taken over.
		"/2026/11/22/nikdy-nebolo":               missing,
		"/2026/11/22/nikdy-nebolo/":              missing,
		"/2018/05/22/stary-clanok/":              missing,
		"/2019/05/":                              missing,
		"/2019/05":                               missing,
		"/2026/11/22/":                           missing,
		"/2026/11/22/page/2/":                    missing,
		"/2019/":                                 missing,
		"/neznamy-clanok/2/":                     missing,
		"/neznamy-clanok/amp/":                   missing,
		"/sport/2019/22-liga":                    missing,
		"/archives/22":                           missing,
		"/category/nic/page/2/":                  missing,
		"/category/politika/nic/":                missing,
		"/tag/nic/page/3/":                       missing,
		"/author/nikto/page/2/":                  missing,
		"/comments/feed/":                        missing,
		"/wp-content/uploads/2019/05/x.jpg":      missing,
		"/wp-content/uploads/2019/05/22/":        missing,
		"/wp-content/uploads/22/x.jpg":           missing,
		"/wp-admin/22/edit":                      missing,
		"/2019/05/22/stary-clanok/attachment/5/": missing,
		"/page/22/x":                             missing,
	} {
		r := b.get(path)
		to := r.Header.Get("Location")
		switch {
		case want == missing && r.Status != http.StatusNotFound:
			t.Errorf("%s: %d to %q, and nothing of it is here", path, r.Status, to)
		case want != missing && (r.Status != http.StatusMovedPermanently || to != want):
			t.Errorf("%s: %d to %q, want %s", path, r.Status, to, want)
		case want != missing:
			if end := b.get(to); end.Status != http.StatusOK {
				t.Errorf("%s leads to %s, which is %d %s", path, to, end.Status, end.Header.Get("Location"))
			}
		}
		var data struct {
			Redirect string `json:"redirect"`
			Status   int    `json:"status"`
		}
		b.get("/api/page?url="+url.QueryEscape(strings.Replace(path, "//2019", "/2019", 1))).json(t, &data)
		if want != missing && !strings.HasPrefix(want, "/rss") && data.Redirect != want ||
			want == missing && data.Status != http.StatusNotFound && data.Redirect != strings.TrimSuffix(path, "/") {
			t.Errorf("the data of %s: %d to %q, want %q", path, data.Status, data.Redirect, want)
		}
	}
}
