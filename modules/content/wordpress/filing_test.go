package wordpress

import (
	"slices"
	"strings"
	"testing"
)

const published = "<wp:status>publish</wp:status>"

// filed puts an item into a category or under a tag.
func filed(domain, slug string) string {
	return `<category domain="` + domain + `" nicename="` + slug + `"><![CDATA[` + slug + `]]></category>`
}

func excerpt(text string) string {
	return "<excerpt:encoded><![CDATA[" + text + "]]></excerpt:encoded>"
}

const film = `<!-- wp:embed {"url":"https://www.youtube.com/watch?v=abcdefghijk"} ` +
	`--><figure>https://www.youtube.com/watch?v=abcdefghijk</figure><!-- /wp:embed --><p>O filme.</p>`

// What posts become here follows from the categories and tags that they have there, in the file as in the site itself.
func TestPostsBecomeWhatTheyAreFiledAs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.o.Locked, h.o.Variants = "category:premium, tag:Abo,rubrika", []string{
		"comment=category:nazory,tag:glosa", "salon=tag:salon", "minute_article=category:kratko", "video=tag:video",
		"weekly_topic=tag:tyzden", "article=tag:glosa", "video=tag:preklep",
	}
	r := h.take(export(
		one(1, "post", "Otvorený", "<p>Text</p>", published, filed("category", "trhy")),
		one(2, "post", "Premium", "<p>Text</p>", published, filed("category", "premium")),
		one(3, "post", "Abo", "<p>Text</p>", published, filed("post_tag", "abo")),
		one(4, "post", "Kategória abo", "<p>Text</p>", published, filed("category", "abo")),
		one(5, "post", "Rubrika", "<p>Text</p>", published, filed("post_tag", "rubrika")),
		one(6, "post", "Názor", "<p>Text</p>", published, filed("category", "nazory"), filed("category", "premium")),
		one(7, "post", "Glosa", "<p>Text</p>", published, filed("post_tag", "glosa")),
		one(8, "post", "Salón", film, published, filed("post_tag", "salon")),
		one(9, "post", "Krátko", "<p>Krátka správa.</p>", published, filed("category", "kratko")),
		one(10, "post", "Film", film, published, filed("post_tag", "video")),
		one(11, "post", "Bez filmu", "<p>Text</p>", published, filed("post_tag", "video")),
		one(12, "post", "Týždeň", "<p>Text</p>", published, filed("post_tag", "tyzden")),
		one(13, "page", "Stránka", "<p>Text</p>", published, filed("post_tag", "glosa")),
	))
	want := "1:article 2:article+ 3:article+ 4:article 5:article+ 6:comment_article+ 7:comment_article " +
		"8:salon_article=y 9:minute_article 10:video=y 11:article 12:weekly_topic_article 13:page"
	state := "SELECT source_id::int, source_id || ':' || type || CASE WHEN locked THEN '+' ELSE '' END || CASE WHEN " +
		"video_url LIKE '%v=abcdefghijk' THEN '=y' ELSE video_url END FROM content_posts"
	if got := h.value(state); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := h.value("SELECT 1, c.slug FROM content_post_categories x JOIN content_categories c ON c.id = " +
		"x.category_id JOIN content_posts p ON p.id = x.post_id WHERE p.source_id = '6'"); got != "nazory premium" &&
		got != "premium nazory" {
		t.Errorf("an opinion stands in %q", got)
	}
	if reason(r, "video", "taken as an article") == nil || reason(r, "option", "no post of the file") == nil ||
		r.Counts["option"][Noted] != 1 {
		t.Errorf("the report: %v", r.Counts)
	}
	if again := h.take(
		export(one(1, "post", "Otvorený", "<p>Text</p>", published, filed("category", "trhy")))); again.Total(Changed) != 0 {
		t.Errorf("a second run: %v", again.Counts)
	}
	for _, c := range []struct{ locked, variant, want string }{
		{"topic:x", "", "--locked"},
		{"category:", "", "--locked"},
		{"", "comment", "--variant"},
		{"", "essay=tag:x", "--variant"},
		{"", "comment=", "--variant"},
		{"", "comment=author:x", "--variant"},
	} {
		o := h.o
		o.Locked, o.Variants = c.locked, slices.DeleteFunc([]string{c.variant}, func(v string) bool { return v == "" })
		if _, err := Import(h.ctx, strings.NewReader(export()), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The site that is kept beside is filed in the same way.
func TestSyncedPostsBecomeWhatTheyAreFiledAs(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	p.terms["tags"][50] = &restTerm{ID: 50, Name: "Plus", Slug: "plus"}
	p.terms["tags"][51] = &restTerm{ID: 51, Name: "Film", Slug: "film"}
	p.write("posts", "Film", film).Tags = []int64{50, 51}
	state := "SELECT 1, type || ':' || locked || ':' || (video_url <> '') FROM content_posts"
	for _, c := range []struct {
		locked   string
		variants []string
		want     string
	}{
		{"", nil, "article:false:false"},
		{"tag:plus", []string{"video=tag:film"}, "video:true:true"},
		{"category:plus", []string{"salon=tag:film"}, "salon_article:false:true"},
	} {
		o.Locked, o.Variants = c.locked, c.variants
		if h.round(o, 1); h.value(state) != c.want {
			t.Errorf("%q %v: %s, want %s", c.locked, c.variants, h.value(state), c.want)
		}
	}
}

const withheldText = "<p>Krátky úvod.</p><p>Druhý odsek, ktorý čítajú iba predplatitelia, hovorí o tajnej dohode " +
	"troch ministrov.</p>"

// What everybody sees of a locked post has none of the words that are withheld.
func TestLockedPostsShowNothingOfTheirText(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.o.Locked = "tag:abo"
	abo := filed("post_tag", "abo")
	h.take(export(
		one(1, "post", "Automatický", withheldText, published, abo,
			excerpt("Krátky úvod. Druhý odsek, ktorý čítajú iba predplatitelia, hovorí o tajnej […]")),
		one(2, "post", "S chvostom", withheldText, published, abo,
			excerpt(`Krátky úvod. Druhý odsek, ktorý čítajú iba predplatitelia &hellip; <a href="/x">Continue reading <span>S `+
				`chvostom</span></a>`)),
		one(3, "post", "Zo stredu", withheldText, published, abo,
			excerpt("Hana Brezová: odsek, ktorý čítajú iba predplatitelia, hovorí o dohode")),
		one(4, "post", "Jeden odsek", "<p>Tajná dohoda.</p>", published, abo, excerpt("Tajná dohoda. Continue reading")),
		one(5, "post", "Napísaný", withheldText, published, abo, excerpt("O čom sa rokovalo v noci.")),
		one(6, "post", "", withheldText, published, abo, "<wp:post_name>nocne-rokovanie</wp:post_name>"),
		one(7, "post", "", withheldText, published, abo, "<wp:post_name>kratky-uvod-druhy-odsek-ktory</wp:post_name>"),
		one(8, "post", "Otvorený", withheldText, published, excerpt("Krátky úvod.")),
	))
	for query, want := range map[string]string{
		"SELECT source_id::int, source_id || '=' || excerpt FROM content_posts": "1= 2= 3= 4= 5=O čom sa rokovalo v noci. " +
			"6= 8=Krátky úvod.",

		"SELECT source_id::int, title FROM content_posts WHERE source_id IN ('6', '7')":            "nocne rokovanie",
		"SELECT 1, count(*) FROM content_posts WHERE excerpt || title || slug LIKE '%predplatit%'": "0",
	} {
		if got := h.value(query); got != want {
			t.Errorf("%s\n got %s\nwant %s", query, got, want)
		}
	}
}

// As visitors get it from the site, an excerpt has what the theme puts behind it.
func TestSyncedExcerptsOfThemes(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	o.Locked = "tag:plus"
	p.terms["tags"][50] = &restTerm{ID: 50, Name: "Plus", Slug: "plus"}
	p.write("posts", "Zamknutý", paragraph("Krátky úvod.")+paragraph("Druhý odsek o tajnej dohode troch ministrov.")).
		Tags = []int64{50}
	p.write("posts", "Otvorený", paragraph("Tajná dohoda troch ministrov v noci."))
	for _, post := range p.posts {
		post.excerpt = "Krátky úvod. Druhý odsek o tajnej dohode … Continue reading <span>" + post.title + "</span>"
		if len(post.Tags) == 0 {
			post.excerpt = "Tajná dohoda troch ministrov v noci. … Continue reading"
		}
	}
	h.round(o, 1)
	if got := h.value("SELECT source_id::int, '[' || excerpt || ']' FROM content_posts"); got != "[] []" {
		t.Errorf("excerpts: %s", got)
	}
}

// Tools that move a site to https rewrite the names of the format too, and every version of the format that begins with
// 1 is read.
func TestExportsWithOtherNamespaces(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i, change := range []func(string) string{
		func(s string) string { return strings.ReplaceAll(s, "http://", "https://") },
		func(s string) string {
			return strings.NewReplacer("export/1.2/", "export/1.0/", "version>1.2", "version>1.0").Replace(s)
		},
		func(s string) string {
			return strings.NewReplacer("export/1.2/", "export/1.1/", "version>1.2", "version>1.1").Replace(s)
		},
		func(s string) string {
			return strings.NewReplacer("http://wordpress.org/export/1.2/", "https://wordpress.org/export/1.3/", "version>1.2",
				"version>1.3").Replace(s)
		},
	} {
		r := h.take(change(export(one(100+i, "post", "Most", "<p>Text</p>", published, excerpt("O moste.")))))
		if r.Counts["post"][Taken] != 1 {
			t.Errorf("%d: %v", i, r.Counts)
		}
	}
	if got := h.value("SELECT 1, DISTINCT_ON FROM (SELECT DISTINCT title || '/' || excerpt AS DISTINCT_ON FROM " +
		"content_posts) x"); got != "Most/O moste." {
		t.Errorf("taken as %q", got)
	}
}
