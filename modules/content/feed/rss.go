package feed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"slices"
	"strconv"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

const (
	// Path is the address of the feed of the front page.
	Path         = edition.FeedPath
	length       = 40
	ttl          = 5 // minutes between two visits of a reader of feeds
	pictureWidth = 1280
)

// OfCategory is the address of the feed of a category.
func OfCategory(slug string) string { return Path + "/category/" + slug }

// OfAuthor is the address of the feed of an author.
func OfAuthor(slug string) string { return Path + "/author/" + slug }

// channel is what a feed says of itself, and its posts.
type channel struct {
	title       string
	description string
	path        string // of the page that it belongs to
	self        string // its own
	posts       []*post.Post
}

// Files are the feeds and the maps of the site.
func (fs *Feeds) Files() page.Files {
	return page.Files{
		Path:                        fs.editionFeed,
		OfCategory(":categorySlug"): fs.categoryFeed,
		OfAuthor(":authorSlug"):     fs.authorFeed,
		mapPath:                     fs.siteMap,
		mapFolder + ":part":         fs.mapPart,
		newsMapPath:                 fs.newsMap,
	}
}

func (fs *Feeds) editionFeed(ctx context.Context, _ map[string]string) (*page.File, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	f := channel{title: ed.Name, description: ed.Description, path: ed.Href(edition.Front), self: Path}
	err = post.Read(ctx, fs.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		lists, err := post.FindLists(ctx, tx, post.Recent.Top(length), post.Videos.Top(length))
		if err != nil {
			return err
		}
		f.posts, err = newest(ctx, tx, t, lists[post.Recent.Name], lists[post.Videos.Name])
		return err
	})
	if err != nil {
		return nil, err
	}
	return f.file(ed, post.FrontTag)
}

func (fs *Feeds) categoryFeed(ctx context.Context, params map[string]string) (*page.File, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	s, err := post.ReadCategory(ctx, fs.db, params["categorySlug"], post.Window{Limit: length}, length)
	if err != nil {
		return nil, err
	}
	c := s.Category
	f := channel{
		title: c.Name + " – " + ed.Name, description: c.Description, path: c.Section(ed).URL,
		self: OfCategory(c.Slug), posts: merged(s.Articles, s.Videos),
	}
	return f.file(ed, post.CategoryTag(c.Slug))
}

func (fs *Feeds) authorFeed(ctx context.Context, params map[string]string) (*page.File, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	a, err := post.ReadAuthor(ctx, fs.db, params["authorSlug"], post.Window{Limit: length}, length)
	if err != nil {
		return nil, err
	}
	f := channel{
		title: a.Byline.Name + " – " + ed.Name, description: a.Byline.Bio, path: a.Byline.URL,
		self: OfAuthor(a.Byline.Slug), posts: merged(a.Articles, a.Videos),
	}
	return f.file(ed, post.AuthorTag(a.Byline.Slug))
}

// newest loads posts of some lists and puts them into one.
func newest(ctx context.Context, tx db.Tx, t *post.Tree, lists ...[]int64) ([]*post.Post, error) {
	ids := slices.Concat(lists...)
	posts, err := post.Load(ctx, tx, t, ids)
	return merged(post.InOrder(posts, ids)), err
}

// merged puts lists into one, newest first, as long as a feed is.
func merged(lists ...[]*post.Post) []*post.Post {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b *post.Post) int {
		if c := b.PublishedAt.Compare(a.PublishedAt); c != 0 {
			return c
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return all[:min(len(all), length)]
}

// RSS 2.0 with the names that it borrows: atom for its own address, dc for the authors, media for pictures.
type rssDocument struct {
	XMLName xml.Name   `xml:"rss"`
	Version string     `xml:"version,attr"`
	Atom    string     `xml:"xmlns:atom,attr"`
	DC      string     `xml:"xmlns:dc,attr"`
	Media   string     `xml:"xmlns:media,attr"`
	Channel rssChannel `xml:"channel"`
}

type rssChannel struct {
	Title       string    `xml:"title"`
	Link        string    `xml:"link"`
	Description string    `xml:"description"`
	Self        rssSelf   `xml:"atom:link"`
	Language    string    `xml:"language"`
	Editor      string    `xml:"managingEditor"`
	Built       string    `xml:"lastBuildDate,omitempty"`
	TTL         int       `xml:"ttl"`
	Image       rssImage  `xml:"image"`
	Items       []rssItem `xml:"item"`
}

type rssSelf struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
}

type rssImage struct {
	URL   string `xml:"url"`
	Title string `xml:"title"`
	Link  string `xml:"link"`
}

type rssItem struct {
	Title       string    `xml:"title"`
	Link        string    `xml:"link"`
	Description string    `xml:"description,omitempty"`
	Authors     []string  `xml:"dc:creator"`
	Categories  []string  `xml:"category"`
	ID          rssID     `xml:"guid"`
	Published   string    `xml:"pubDate"`
	Picture     *rssMedia `xml:"media:content"`
}

type rssID struct {
	Permanent bool   `xml:"isPermaLink,attr"`
	Value     string `xml:",chardata"`
}

type rssMedia struct {
	URL         string `xml:"url,attr"`
	Type        string `xml:"type,attr"`
	Medium      string `xml:"medium,attr"`
	Width       int    `xml:"width,attr"`
	Height      int    `xml:"height,attr"`
	Description string `xml:"media:description,omitempty"`
	Credit      string `xml:"media:credit,omitempty"`
}

// file writes the feed. Its copies are outdated when the list changes, or one of its posts.
func (f channel) file(ed *edition.Edition, listTag string) (*page.File, error) {
	tags := []string{listTag}
	description := f.description
	if description == "" {
		description = f.title + ". " + ed.Description
	}
	c := rssChannel{
		Title: f.title, Link: ed.URL(f.path), Description: description, Self: rssSelf{ed.URL(f.self), "self", rssType},
		Language: ed.IntlLocale, Editor: ed.SupportEmail + " (" + ed.Name + ")", TTL: ttl,
		Image: rssImage{ed.URL(brand.FeedIconPath), f.title, ed.URL(f.path)},
	}
	var built time.Time
	for _, p := range f.posts {
		tags = append(tags, post.Tag(p.ID))
		c.Items = append(c.Items, itemOf(ed, p))
		if p.ModifiedAt.After(built) {
			built = p.ModifiedAt
		}
	}
	if !built.IsZero() {
		c.Built = rssTime(ed, built)
	}
	b, err := writeXML(rssDocument{
		Version: "2.0", Atom: "http://www.w3.org/2005/Atom", DC: "http://purl.org/dc/elements/1.1/",
		Media: "http://search.yahoo.com/mrss/", Channel: c,
	})
	return &page.File{Type: rssType + "; charset=utf-8", Body: b, Tags: tags}, err
}

const rssType = "application/rss+xml"

func rssTime(ed *edition.Edition, t time.Time) string {
	return t.In(ed.Location).Format(time.RFC1123Z)
}

// itemOf is a post in a feed: headline and excerpt, which are public, and never text of the body. The address with the
// number alone stays the same for good and leads to wherever the post stands.
func itemOf(ed *edition.Edition, p *post.Post) rssItem {
	it := rssItem{
		Title: p.Title, Link: ed.URL(p.Path(ed)), Description: p.Excerpt, Published: rssTime(ed, p.PublishedAt),
		ID: rssID{true, ed.URL(ed.Href(edition.ArticleID, strconv.FormatInt(p.ID, 10)))},
	}
	if p.Locked {
		if it.Description != "" {
			it.Description += " "
		}
		it.Description += i18n.T(ed, "content.feed.locked", nil)
	}
	for _, a := range p.Authors {
		it.Authors = append(it.Authors, a.Name)
	}
	for _, c := range p.Categories {
		it.Categories = append(it.Categories, c.Name)
	}
	if i := p.Image(); i != nil {
		v := media.Variant{Width: pictureWidth}
		w, h := v.Size(i.Width, i.Height)
		it.Picture = &rssMedia{
			URL: ed.URL(media.URL(i.ID, v)), Type: "image/jpeg", Medium: "image", Width: w, Height: h,
			Description: i.Alt, Credit: i.Credit,
		}
	}
	return it
}

func writeXML(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	err := xml.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}
