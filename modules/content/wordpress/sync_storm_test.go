package wordpress

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/wordpress/blocks"
)

var (
	paragraphs = regexp.MustCompile(`<p>.*?</p>`)
	pictureIDs = regexp.MustCompile(`/img/([0-9a-f]{32})\?w=960" alt="([^"]*)"`)
	imageIDs   = regexp.MustCompile(`wp-image-(\d+)`)
)

// want describes what the edition should hold of the site; have what it holds.
func (d *desk) want(h *house, desk bool) (out []string) {
	names := func(m *pressMedia) (string, string) {
		img, err := h.o.Images.Ingest(h.ctx, bytes.NewReader(d.files[m.path]))
		if err != nil {
			d.t.Fatal(err)
		}
		return img.ID, m.alt
	}
	for _, id := range slices.Sorted(maps.Keys(d.posts)) {
		p := d.posts[id]
		if p.password != "" || p.Status != "publish" && (p.Status != "future" || !desk) {
			continue
		}
		author, category, over, body := "", "", "", paragraphs.FindAllString(p.text, -1)
		if u := d.users[p.Author]; u != nil {
			author = u.Name + "/" + u.Description
		}
		if p.kind == "posts" && p.Categories[0] != 1 {
			category = d.terms["categories"][p.Categories[0]].Name
			if t := rootOf(d.terms["categories"], p.Categories[0]); t > 1 {
				over = d.terms["categories"][t].Name
			}
		}
		for _, n := range imageIDs.FindAllStringSubmatch(p.text, -1) {
			img, alt := names(d.media[blocks.ParseID(n[1])])
			body = append(body, img+"="+alt)
		}
		head, caption := "", ""
		if m := d.media[p.Media]; m != nil {
			head, _ = names(m)
			caption = m.legend
		}
		tag := ""
		if len(p.Tags) > 0 {
			t := d.terms["tags"][p.Tags[0]]
			tag = t.Name + "/" + t.Description
		}
		modified := max(p.Modified, p.Date)
		kind, pick := "article", 0
		if p.kind == "pages" {
			kind = "page"
		}
		if p.Sticky {
			pick = 1
		}
		out = append(out, strings.Join([]string{
			fmt.Sprint(id), kind, "published", p.Slug, p.title, p.excerpt, p.Date, modified, author, category, over, tag, head,
			caption, fmt.Sprint(pick), strings.Join(body, "|"), "leads here",
		}, "\t"))
	}
	return out
}

func (d *desk) have(h *house) (out []string) {
	rows := h.value(`SELECT p.source_id::bigint, '#' || array_to_string(ARRAY[p.source_id, p.type, p.status, p.slug,
		p.title, p.excerpt,
		to_char(p.published_at, 'YYYY-MM-DD"T"HH24:MI:SS'), to_char(p.modified_at, 'YYYY-MM-DD"T"HH24:MI:SS'),
		coalesce((SELECT string_agg(a.name || '/' || a.bio, ',') FROM content_post_authors x JOIN content_authors a ON
		a.id = x.author_id WHERE x.post_id = p.id), ''),
		coalesce((SELECT string_agg(c.name, ',') FROM content_post_categories x JOIN content_categories c ON c.id =
		x.category_id WHERE x.post_id = p.id), ''),
		coalesce((SELECT string_agg(o.name, ',') FROM content_post_categories x JOIN content_categories c ON c.id =
		x.category_id JOIN content_categories o ON o.id = c.parent_id WHERE x.post_id = p.id), ''),
		coalesce((SELECT string_agg(t.name || '/' || t.description, ',') FROM content_post_tags x JOIN content_tags t ON
		t.id = x.tag_id WHERE x.post_id = p.id), ''),
		coalesce(p.picture_id, ''), p.caption, p.pick::text, b.html,
		CASE WHEN EXISTS (SELECT FROM content_redirects r WHERE r.post_id = p.id AND r.path = '/' || p.slug) THEN
		'leads here' END], chr(9))
		FROM content_posts p JOIN content_bodies b ON b.post_id = p.id WHERE p.status <> 'withdrawn'`)
	for row := range strings.SplitSeq(strings.TrimPrefix(rows, "#"), " #") {
		f := strings.Split(row, "\t")
		if len(f) != 17 {
			continue
		}
		body := paragraphs.FindAllString(f[15], -1)
		for _, m := range pictureIDs.FindAllStringSubmatch(f[15], -1) {
			body = append(body, m[1]+"="+m[2])
		}
		f[15] = strings.Join(body, "|")
		out = append(out, strings.Join(f, "\t"))
	}
	return out
}

// storm makes the changes: some between rounds, some in the midst of them.
func (d *desk) storm(h *house, o SyncOptions) {
	kill, fuse := func() {}, -1
	burn := func() {
		if fuse--; fuse == 0 {
			kill()
		}
	}
	d.before = func(w http.ResponseWriter, _ *http.Request) bool {
		burn()
		if d.r.IntN(12) == 0 && d.done < 200 {
			d.change()
		}
		return faults(d.r, w)
	}
	o.Library = &fused{SyncLibrary: h.module, burn: func() { d.mu.Lock(); burn(); d.mu.Unlock() }}
	for d.done < 200 {
		ctx, cancel := context.WithCancel(h.ctx)
		d.mu.Lock()
		for range d.r.IntN(5) {
			d.change()
		}
		kill, fuse = cancel, -1
		if d.r.IntN(2) == 0 {
			fuse = 1 + d.r.IntN(60)
		}
		rounds := 1 + d.r.IntN(4)
		d.mu.Unlock()
		s, end, err := h.start(ctx, o)
		for range rounds {
			if err == nil && ctx.Err() == nil {
				_, _ = s.Round(ctx) // the next one goes on, whatever the weather
			}
		}
		cancel()
		end()
		d.mu.Lock()
		d.leads(h)
		d.mu.Unlock()
	}
}

// fused is a library in which a process can be killed: before a write, and between a write and what follows it.
type fused struct {
	SyncLibrary
	burn func()
}

func (f *fused) SavePosts(ctx context.Context, d []content.Draft) ([]content.Saved, error) {
	f.burn()
	defer f.burn()
	return f.SyncLibrary.SavePosts(ctx, d)
}

func (f *fused) Withdraw(ctx context.Context, source string, ids []string) (int, error) {
	f.burn()
	defer f.burn()
	return f.SyncLibrary.Withdraw(ctx, source, ids)
}

func (f *fused) SaveCategory(ctx context.Context, c catalog.Category) (int64, error) {
	f.burn()
	defer f.burn()
	return f.SyncLibrary.SaveCategory(ctx, c)
}
