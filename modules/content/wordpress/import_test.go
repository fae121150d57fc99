package wordpress

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content"
)

func TestImport(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	meta := func(key, value string) string {
		return "<wp:postmeta><wp:meta_key>" + key + "</wp:meta_key><wp:meta_value><![CDATA[" + value +
			"]]></wp:meta_value></wp:postmeta>"
	}
	in := func(slug string) string {
		return `<category domain="category" nicename="` + slug + `"><![CDATA[` + slug + `]]></category>`
	}
	comment := func(state, kind string) string {
		return "<wp:comment><wp:comment_content><![CDATA[Výborne!]]></wp:comment_content><wp:comment_approved>" + state +
			"</wp:comment_approved><wp:comment_type><![CDATA[" + kind + "]]></wp:comment_type></wp:comment>"
	}
	status := func(s string) string { return "<wp:status>" + s + "</wp:status>" }
	publish := status("publish")
	file := export(
		one(11, "post", "Most &amp; <b>rieka</b>", "<!-- wp:image {\"id\":91} --><figure><img src=\"x\" "+
			"class=\"wp-image-91\" alt=\"Rybári na moste\"/><figcaption>Dnes ráno (foto: Jana Nová)</figcaption></figure><!-- "+
			"/wp:image --><p>Text.</p>",
			publish, meta("_thumbnail_id", "91"), meta("nálada", "dobrá"), in("pristavy"), in("trhy"),
			"<wp:is_sticky>1</wp:is_sticky>",
			comment("1", ""), comment("1", "comment"), comment("0", ""), comment("spam", "comment"), comment("1", "pingback"),
			comment("1", "trackback"), "<wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>",
			"<wp:post_modified_gmt>2019-06-01 08:00:00</wp:post_modified_gmt>"),
		one(12, "post", "Koncept", "<p>K</p>", status("draft")),
		one(13, "post", "Súkromné", "<p>K</p>", status("private")),
		one(14, "post", "Heslo", "<p>K</p>", publish, "<wp:post_password>x</wp:post_password>"),
		one(15, "post", "Kôš", "<p>K</p>", status("trash")),
		one(16, "page", "Search", "<p>K</p>", publish),
		one(17, "wp_navigation", "Menu", "x", publish),
		one(18, "recipe", "Guláš", "x", publish),
		one(19, "post", "", "<p>Bez nadpisu, ale so slovami.</p>", publish, in("uncategorized")),
		one(11, "post", "Dvojník", "<p>K</p>", publish),
		one(20, "post", "Dvaja", "<p>K</p>", publish, `<category domain="author" nicename="cap-hana">x</category>`,
			`<category domain="author" nicename="cap-jozef-vlk">Jozef Vlk</category>`),
		one(91, "attachment", "Most", "", status("inherit"), "<wp:attachment_url>https://kurier.example/wp-content/uploads/"+
			"2019/05/most-scaled.jpg</wp:attachment_url>", meta("_wp_attachment_image_alt", "Most cez rieku"),
			"<excerpt:encoded><![CDATA[Most (foto: Jana Nová)]]></excerpt:encoded>"),
		one(92, "attachment", "Nikde", "", status("inherit"), "<wp:attachment_url>https://kurier.example/wp-content/"+
			"uploads/nikde.png</wp:attachment_url>"),
		one(93, "attachment", "Správa", "", status("inherit"),
			"<wp:attachment_url>https://kurier.example/wp-content/uploads/s.pdf</wp:attachment_url>"),
		`<item><title>Bez čísla</title><wp:post_type>post</wp:post_type></item>`,
	)
	h.o.Media = folder(t, map[string][]byte{"2019/05/most-scaled.jpg": picture(t, 90)})
	var lines bytes.Buffer
	h.o.Lines = &lines

	h.o.DryRun = true
	if r := h.take(file); r.Counts["post"][Taken] != 6 || r.Counts["picture"][Taken] != 1 || h.posts() != "0" ||
		h.value("SELECT 1, count(*) FROM content_pictures") != "0" {
		t.Errorf("dry run: %v, and %s posts", r.Counts, h.posts())
	}
	h.o.DryRun = false
	lines.Reset()
	r := h.take(file)

	for query, want := range map[string]string{
		"SELECT id, source_id || '=' || status FROM content_posts": "11=published 12=draft 13=draft 14=draft 16=published " +
			"19=published 20=published",

		"SELECT id, source_id || ':' || pick FROM content_posts WHERE pick > 0": "11:1",
		"SELECT 1, source FROM content_posts GROUP BY source":                   "wordpress:kurier.example",
		"SELECT 1, title FROM content_posts WHERE source_id = '11'":             "Most & rieka",
		"SELECT 1, caption FROM content_posts WHERE source_id = '11'":           "Dnes ráno",

		"SELECT 1, html FROM content_bodies, content_posts p WHERE p.id = post_id AND source_id = '11'": "<p>Text.</p>",

		"SELECT 1, caption || '/' || credit FROM content_pictures":         "Most/Jana Nová",
		"SELECT 1, alt FROM content_posts WHERE source_id = '11'":          "Rybári na moste",
		"SELECT 1, alt FROM content_pictures":                              "Most cez rieku",
		"SELECT 1, published_at FROM content_posts WHERE source_id = '11'": "2019-05-03 10:00:00+00",
		"SELECT 1, modified_at FROM content_posts WHERE source_id = '11'":  "2019-06-01 08:00:00+00",
		"SELECT 1, title FROM content_posts WHERE source_id = '19'":        "Bez nadpisu, ale so slovami.",
		"SELECT 1, comments FROM content_posts WHERE source_id = '11'":     "2",
		"SELECT 1, type FROM content_posts WHERE source_id = '16'":         "page",

		"SELECT path, path FROM content_redirects r, content_posts p WHERE p.id = post_id AND source_id = '11'": "/11 " +
			"/2019/05/clanok-11",
		"SELECT x.position, a.name FROM content_post_authors x JOIN content_authors a ON a.id = x.author_id JOIN " +
			"content_posts p ON p.id = x.post_id WHERE source_id = '20'": "Hana Brezová Jozef Vlk",
		"SELECT x.position, c.slug FROM content_post_categories x JOIN content_categories c ON c.id = x.category_id JOIN " +
			"content_posts p ON p.id = x.post_id WHERE source_id = '11'": "pristavy trhy",
		"SELECT 1, p.slug FROM content_categories c JOIN content_categories p ON p.id = c.parent_id WHERE c.slug = " +
			"'pristavy'": "rieka",
		"SELECT 1, name FROM content_categories WHERE slug = 'trhy'": "trhy", // the edition's own name stays
	} {
		if got := h.value(query); got != want {
			t.Errorf("%s\n got %s\nwant %s", query, got, want)
		}
	}
	for kind, part := range map[string]string{
		"post": "private there", "comment": "number of the approved ones is", "tag": "no tags", "field": "nálada",
		"wp_navigation": "looks or workings", "recipe": "not a kind of post",
		"picture": "not in the folder", "attachment": "no picture", "title": "first words", "category": "stands for none",
	} {
		if g := reason(r, kind, part); g == nil || g.First == 0 {
			t.Errorf("no line about %s: %s", kind, part)
		}
	}
	for _, part := range []string{"password", "bin", "id was on line", "no id", "no category"} {
		if reason(r, "post", part) == nil {
			t.Errorf("no line about %s", part)
		}
	}
	if r.Counts["comment"][Left] != 7 {
		t.Errorf("%d comments", r.Counts["comment"][Left])
	}
	for line := range strings.Lines(lines.String()) {
		var e Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Outcome == "" || e.Kind == "" {
			t.Errorf("line %q: %v", line, err)
		}
	}

	again := h.take(file)
	if again.Total(Taken)+again.Total(Changed) != 0 || again.Counts["post"][Unchanged] != 6 ||
		again.Counts["picture"][Unchanged] != 1 || again.Counts["author"][Unchanged] != 2 {
		t.Errorf("the second run: %v, the first: %v", again.Counts, r.Counts)
	}
	var words bytes.Buffer
	if _, err := again.WriteTo(&words); err != nil || !strings.Contains(words.String(), "Nothing has changed") {
		t.Errorf("%v: %s", err, words.String())
	}
	h.o.Media = "" // a picture that was taken is not lost when its folder is not there any more
	if r := h.take(file); r.Total(Changed) != 0 {
		t.Errorf("without the folder: %v", r.Counts)
	}
	if r := h.take(strings.Replace(file, "Koncept", "Návrh", 1)); r.Counts["post"][Changed] != 1 ||
		r.Counts["post"][Unchanged] != 5 {
		t.Errorf("with one change: %v", r.Counts)
	}
}

func TestBrokenFilesChangeNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	good := export(one(1, "post", "Most", "<p>Text</p>"), one(2, "post", "Rieka", "<p>Text</p>"))
	start := len(good) - len(strings.TrimLeft(good[strings.IndexByte(good, '\n')+1:], " "))
	half := good[:strings.LastIndex(good, "Rieka")]
	for name, c := range map[string]struct {
		file, want string
		line       int
	}{
		"empty":             {"", "the file is empty", 0},
		"only spaces":       {"\ufeff \n", "the file is empty", 0},
		"cut in the middle": {half, "the file ends in the middle: <title> of line 25 is not closed", 25},
		"cut between items": {
			strings.TrimSuffix(good, "</channel></rss>\n"),
			"the file ends in the middle: <channel> of line 4", 35,
		},
		"wrong encoding": {
			strings.Replace(good, "Rieka</wp:cat", "\xe8ieka</wp:cat", 1),
			"a byte here is not UTF-8", 10,
		},
		"unknown encoding": {strings.Replace(good, "UTF-8", "x-klingon", 1), `"x-klingon", which is not known here`, 1},
		"not of its encoding": {
			strings.Replace(strings.Replace(good, "UTF-8", "windows-1252", 1), "Riečny", "Rie\x81ny", 1),
			"a byte here is not windows-1252", 5,
		},
		"not XML":    {"Milá redakcia,\nposielam článok.", "the file is not XML", 2},
		"JSON":       {`{"posts": []}`, "the file is not XML", 1},
		"a web page": {"<!DOCTYPE html>\n<html><body><p>x</body></html>", "begins with <html>", 2},
		"another feed": {
			"<rss version=\"2.0\"><channel><title>x</title>\n<item><title>y</title></item></channel></rss>",
			"<wp:wxr_version> is missing", 2,
		},
		"another version": {strings.Replace(good, "<wp:wxr_version>1.2", "<wp:wxr_version>9.0", 1), "version 9.0", 13},
		"an archive":      {"PK\x03\x04xxxx", "a zip archive: unpack it first", 0},
		"entity bomb": {"<?xml version=\"1.0\"?>\n<!DOCTYPE rss [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n" +
			good[start:], "declares entities", 2},
		"entity without bomb": {
			strings.Replace(good, "<title>Riečny kuriér", "<title>&rieka;", 1),
			"invalid character entity &rieka;", 5,
		},
		"tags crossed": {strings.Replace(good, "</wp:cat_name>", "</wp:cat>", 1), "not well-formed XML", 9},
		"gigantic attribute": {strings.Replace(good, "<channel>",
			"<channel x=\""+strings.Repeat("a", maxElement+64<<10)+"\">", 1), "bigger than 32 MB", 4},
		"deep nesting": {
			strings.Replace(good, "<channel>", "<channel>"+strings.Repeat("<a>", 100), 1),
			"nested more than 64 deep", 4,
		},
		"two files in one":    {good + good[start:], "a second <rss>", 37},
		"words after the end": {good + "koniec", "text after the end", 36},
		"UTF-16 in name only": {strings.Replace(good, "UTF-8", "UTF-16", 1), "its first line is not", 1},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Import(h.ctx, strings.NewReader(c.file), h.o)
			var b *BrokenError
			if !errors.As(err, &b) || !strings.Contains(b.Reason, c.want) || b.Line != c.line {
				t.Errorf("got %v, want line %d: %s", err, c.line, c.want)
			}
			if n := h.posts(); n != "0" || r != nil {
				t.Errorf("%s posts were written", n)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	utf16 := func(s string) string {
		var b strings.Builder
		b.WriteString("\xff\xfe")
		for _, c := range s {
			b.WriteByte(byte(c))
			b.WriteByte(byte(c >> 8))
		}
		return b.String()
	}
	good := export(one(1, "post", "Žltý most", "<p>Text</p>"))
	central := strings.NewReplacer("Ž", "\x8e", "ž", "\x9e", "ý", "\xfd", "č", "\xe8", "é", "\xe9", "á", "\xe1", "í",
		"\xed", "š", "\x9a").Replace(strings.Replace(good, "UTF-8", "windows-1250", 1))
	for name, file := range map[string]string{
		"with a mark": "\ufeff" + good, "windows-1250": central, "UTF-16": utf16(strings.Replace(good, "UTF-8", "UTF-16", 1)),
		"a control character": strings.Replace(good, "Žltý", "Žl\x0btý", 1),
		"parts of CDATA":      strings.Replace(good, "Žltý", "Žl]]><![CDATA[tý", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			r := h.take(file)
			if got := h.value("SELECT 1, title FROM content_posts"); got != "Žltý most" {
				t.Errorf("%q, %v", got, r.Counts)
			}
			if g := reason(r, "character", "XML forbids"); (g != nil) != strings.Contains(name, "control") ||
				g != nil && g.First != 14 {
				t.Errorf("the note on control characters: %v", g)
			}
		})
	}
}

func TestAKilledRunIsCompletedByTheNext(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var items []string
	for id := 1; id <= 3*batchPosts; id++ {
		items = append(items, one(id, "post", fmt.Sprintf("Článok %d", id), "<p>Text</p>"))
	}
	file := export(items...)
	ctx, kill := context.WithCancel(h.ctx)
	o := h.o
	o.Progress = func(done, all int) {
		if all != len(items) {
			t.Errorf("%d items", all)
		}
		if done == 2*batchPosts-1 {
			kill()
		}
	}
	if _, err := Import(ctx, strings.NewReader(file), o); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if n := h.posts(); n != "50" {
		t.Fatalf("%s posts after one batch", n)
	}
	r := h.take(file)
	if r.Counts["post"][Taken] != 2*batchPosts || r.Counts["post"][Unchanged] != batchPosts || h.posts() != "150" {
		t.Errorf("after the second run: %v, %s posts", r.Counts, h.posts())
	}
}

// endless makes an export of n posts of 10 KB each, without holding it.
func endless(n int) io.Reader {
	r, w := io.Pipe()
	go func() {
		text := strings.Repeat("<!-- wp:paragraph --><p>Voda v rieke stúpa.</p><!-- /wp:paragraph -->\n", 140)
		_, _ = io.WriteString(w, top)
		for id := 1; id <= n; id++ {
			_, _ = io.WriteString(w, one(id, "post", "Článok", text))
		}
		_, _ = io.WriteString(w, "</channel></rss>")
		_ = w.Close()
	}()
	return r
}

// shelf takes drafts and keeps none.
type shelf struct {
	Library
	n int
}

func (s *shelf) Compare(_ context.Context, d []content.Draft) ([]content.Saved, error) {
	return make([]content.Saved, len(d)), nil
}

func (s *shelf) SavePosts(_ context.Context, d []content.Draft) ([]content.Saved, error) {
	s.n += len(d)
	return make([]content.Saved, len(d)), nil
}

func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	h := newHouse(t)
	s := &shelf{Library: h.module}
	h.o.Library = s
	var most uint64
	h.o.Progress = func(done, _ int) {
		if done%200 != 0 {
			return
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}
	r, err := Import(h.ctx, endless(2000), h.o)
	if err != nil || s.n != 2000 || r.Bytes < 20_000_000 {
		t.Fatalf("%v, %d posts, %d bytes", err, s.n, r.Bytes)
	}
	if most > 16<<20 {
		t.Errorf("%d MB in use for a file of %d MB", most>>20, r.Bytes>>20)
	}
}

func TestWhatCanNotBeSavedIsLeft(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	r := h.take(export(
		one(1, "post", "Dlhý", "<p>"+strings.Repeat("slovo ", 400_000)+"</p>"),
		one(2, "post", strings.Repeat("nadpis ", 100), "<p>x</p>"), one(3, "post", "Krátky", "<p>x</p>"),
		one(4, "post", "Hlboký", strings.Repeat("<div><b>", 2000)+"slovo"),
		one(5, "post", "Prázdny", "<!-- wp:archives /-->"),
	))
	if r.Counts["post"][Taken] != 4 || reason(r, "post", "longer than") == nil || reason(r, "title", "was cut") == nil ||
		reason(r, "HTML", "too deeply") == nil {
		t.Errorf("%v %v", r.Counts, r.Groups)
	}
	if got := h.value("SELECT 1, html FROM content_bodies b JOIN content_posts p ON p.id = b.post_id WHERE source_id = " +
		"'4'"); got != "<p>slovo</p>" {
		t.Errorf("too deep: %s", got)
	}
	if got := h.value("SELECT 1, status FROM content_posts WHERE source_id = '5'"); got != "draft" {
		t.Errorf("nothing to read, and %s", got)
	}
}

// FuzzRead holds that any file is read, or refused as broken.
func FuzzRead(f *testing.F) {
	good := export(one(1, "post", "Most", "<p>Text</p>"))
	for _, s := range []string{
		good, good[:200], "\xff\xfe<\x00", "<rss><channel>",
		"<?xml version=\"1.0\" encoding=\"utf-16\"?>", strings.Replace(good, "UTF-8", "gb18030", 1), "<rss/>", "&#8;",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := examine(t.Context(), bytes.NewReader(b), "", newReport(nil))
		if err != nil {
			var broken *BrokenError
			if !errors.As(err, &broken) {
				t.Errorf("%q: %v", b, err)
			}
			return
		}
		defer s.close()
		if err := read(t.Context(), io.Reader(s.file), visitor{}); err != nil {
			t.Errorf("%q is read once, and then: %v", b, err)
		}
	})
}
