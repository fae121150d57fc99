package wordpress

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/testkit"
)

const top = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" ` +
	`xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Riečny kuriér</title><link>https://kurier.example</link>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://kurier.example</wp:base_blog_url>
<wp:author><wp:author_login>hana</wp:author_login><wp:author_display_name><![CDATA[Hana Brezová]]>` +
	`</wp:author_display_name><wp:author_description>Píše o rieke.</wp:author_description></wp:author>
<wp:category><wp:category_nicename>trhy</wp:category_nicename><wp:category_parent></wp:category_parent>` +
	`<wp:cat_name>Burza</wp:cat_name></wp:category>
<wp:category><wp:category_nicename>rieka</wp:category_nicename><wp:category_parent></wp:category_parent>` +
	`<wp:cat_name>Rieka</wp:cat_name></wp:category>
<wp:category><wp:category_nicename>pristavy</wp:category_nicename><wp:category_parent>rieka</wp:category_parent>` +
	`<wp:cat_name>Prístavy</wp:cat_name></wp:category>
<wp:tag><wp:tag_slug>voda</wp:tag_slug><wp:tag_name>Voda</wp:tag_name></wp:tag>
`

// one is an item; more are elements inside it, the later of two wins nothing.
func one(id int, kind, title, text string, more ...string) string {
	return fmt.Sprintf(`<item>
<title><![CDATA[%s]]></title>
<link>https://kurier.example/2019/05/clanok-%d/</link>
<dc:creator>hana</dc:creator>
<wp:post_id>%d</wp:post_id>
<wp:post_date_gmt>2019-05-0%d 10:00:00</wp:post_date_gmt>
<wp:post_name>clanok-%d</wp:post_name>
<wp:post_type>%s</wp:post_type>
%s
<content:encoded><![CDATA[%s]]></content:encoded>
</item>
`, title, id, id, id%9+1, id, kind,
		strings.Join(append(more, "<wp:status>publish</wp:status>")[:max(1, len(more))], "\n"), text)
}

func export(items ...string) string { return top + strings.Join(items, "") + "</channel></rss>\n" }

// house is an edition that can be imported into.
type house struct {
	t      *testing.T
	ctx    context.Context
	db     *db.DB
	module *content.Module
	o      Options
}

func newHouse(t *testing.T) *house {
	t.Helper()
	ctx, d := testkit.Edition(t)
	local, err := media.OpenLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = local.Close() })
	m := content.New(content.Deps{DB: d})
	if err := m.SyncCategories(ctx); err != nil {
		t.Fatal(err)
	}
	return &house{t, ctx, d, m, Options{Library: m, Images: media.NewImages(local, slog.New(slog.DiscardHandler)), DB: d}}
}

func (h *house) take(file string) *Report {
	h.t.Helper()
	r, err := Import(h.ctx, strings.NewReader(file), h.o)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// value asks the edition's tables for one value, as text.
func (h *house) value(query string, args ...any) (s string) {
	h.t.Helper()
	err := h.db.Run(h.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT coalesce(string_agg(v::text, ' ' ORDER BY n), '') FROM ("+query+") AS q (n, v)", args...).
			Scan(ctx, &s)
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func (h *house) posts() string { return h.value("SELECT 1, count(*) FROM content_posts") }

// picture makes a small PNG.
func picture(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range m.Pix {
		m.Pix[i] = shade + uint8(i%7)
	}
	m.Set(0, 0, color.Gray{shade})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// folder writes files into a new folder.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, b := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// reason finds the group of a kind in the report.
func reason(r *Report, kind, part string) *Group {
	for _, g := range r.Groups {
		if g.Kind == kind && strings.Contains(g.Reason, part) {
			return g
		}
	}
	return nil
}
