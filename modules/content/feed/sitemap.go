package feed

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

const (
	mapPath     = "/sitemap.xml"
	mapFolder   = "/sitemap/"
	newsMapPath = "/sitemap-news.xml"

	// partSize is how many ids a part of the map covers. A part is a range of ids: what is added later makes a part of its
	// own, and the size of the archive makes no part larger.
	partSize = 2000

	newsMaxAge = 48 * time.Hour
	newsMax    = 1000

	mapNames  = "http://www.sitemaps.org/schemas/sitemap/0.9"
	newsNames = "http://www.google.com/schemas/sitemap-news/0.9"
	mapType   = "application/xml; charset=utf-8"
)

// mapKind is one kind of pages in the map.
type mapKind struct {
	name string
	rows string // selects id, slug, route and modified of all that is out; ?0 is now
	tags []string
	ids  bool // the ids are those of posts, whose own tags change with them
	path func(ed *edition.Edition, e mapEntry) string
}

// mapEntry is one page in the map.
type mapEntry struct {
	ID       int64
	Slug     string
	Route    edition.Route
	Modified *time.Time
}

func ownPath(ed *edition.Edition, e mapEntry) string { return ed.Href(e.Route) }

// Maps are the addresses that robots.txt names.
func (fs *Feeds) Maps() []string { return []string{mapPath, newsMapPath} }

// siteMap lists the parts of the map.
func (fs *Feeds) siteMap(ctx context.Context, _ map[string]string) (*page.File, error) {
	type part struct {
		Address  string `xml:"loc"`
		Modified string `xml:"lastmod,omitempty"`
	}
	index := struct {
		XMLName xml.Name `xml:"sitemapindex"`
		Names   string   `xml:"xmlns,attr"`
		Parts   []part   `xml:"sitemap"`
	}{Names: mapNames}
	err := fs.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, k := range mapKinds {
			found, err := findMapParts(ctx, tx, k)
			if err != nil {
				return err
			}
			for _, p := range found {
				index.Parts = append(index.Parts,
					part{tx.Edition.URL(fmt.Sprintf("%s%s-%d.xml", mapFolder, k.name, p.Part)), mapTime(p.Modified)})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b, err := writeXML(index)
	return &page.File{
		Type: mapType, Body: b,
		Tags: []string{post.FrontTag, post.MinutesTag, post.PagesTag, post.TopicsTag},
	}, err
}

var partName = regexp.MustCompile(`^([a-z]+)-([1-9][0-9]{0,8})\.xml$`)

// mapPart is a part of the map, written as it is read.
func (fs *Feeds) mapPart(ctx context.Context, params map[string]string) (*page.File, error) {
	name := partName.FindStringSubmatch(params["part"])
	if name == nil {
		return nil, web.ErrNotFound
	}
	n, err := strconv.ParseInt(name[2], 10, 64)
	if err != nil {
		return nil, web.ErrNotFound.Because(err)
	}
	for _, k := range mapKinds {
		if k.name == name[1] {
			return fs.writePart(ctx, k, n)
		}
	}
	return nil, web.ErrNotFound
}

func (fs *Feeds) writePart(ctx context.Context, k mapKind, n int64) (*page.File, error) {
	f := &page.File{Type: mapType, Tags: k.tags}
	after := (n - 1) * partSize
	if k.ids {
		f.Tags = make([]string, partSize)
		for i := range f.Tags {
			f.Tags[i] = post.Tag(after + int64(i) + 1)
		}
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="` + mapNames + `">` + "\n")
	count := 0
	err := fs.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return eachMapEntry(ctx, tx, k, after, after+partSize, func(e mapEntry) error {
			path := k.path(tx.Edition, e)
			if path == "" {
				return nil // the edition has no such page
			}
			count++
			b.WriteString("<url><loc>")
			if err := xml.EscapeText(&b, []byte(tx.Edition.URL(path))); err != nil {
				return err
			}
			b.WriteString("</loc>")
			if t := mapTime(e.Modified); t != "" {
				b.WriteString("<lastmod>" + t + "</lastmod>")
			}
			b.WriteString("</url>\n")
			return nil
		})
	})
	if err == nil && count == 0 {
		err = web.ErrNotFound
	}
	b.WriteString("</urlset>\n")
	f.Body = b.Bytes()
	return f, err
}

func mapTime(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// newsMap lists what was published in the last two days. Without any news it is empty: every address in it has to be
// one of news.
func (fs *Feeds) newsMap(ctx context.Context, _ map[string]string) (*page.File, error) {
	type news struct {
		Publication struct {
			Name     string `xml:"news:name"`
			Language string `xml:"news:language"`
		} `xml:"news:publication"`
		Published string `xml:"news:publication_date"`
		Title     string `xml:"news:title"`
	}
	type address struct {
		Location string `xml:"loc"`
		News     *news  `xml:"news:news"`
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	set := struct {
		XMLName xml.Name  `xml:"urlset"`
		Names   string    `xml:"xmlns,attr"`
		News    string    `xml:"xmlns:news,attr"`
		URLs    []address `xml:"url"`
	}{Names: mapNames, News: newsNames}
	f := &page.File{Type: mapType, Tags: []string{post.FrontTag}}
	err = fs.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		posts, err := findNews(ctx, tx, tx.Now.Add(-newsMaxAge), newsMax)
		for _, p := range posts {
			n := &news{Published: p.PublishedAt.In(ed.Location).Format(time.RFC3339), Title: p.Title}
			n.Publication.Name, n.Publication.Language = ed.Name, ed.Lang()
			set.URLs = append(set.URLs, address{ed.URL(p.Path(ed)), n})
			f.Tags = append(f.Tags, post.Tag(p.ID))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	f.Body, err = writeXML(set)
	return f, err
}
