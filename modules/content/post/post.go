// Package post is a published post as all of content reads it: everything but its text. A Post comes out of the
// database in one way (store_post.go), stands in categories (category.go), bylines and lists (store_lists.go,
// store_window.go), and is shown as a Card on pages and as an Entity by the JSON endpoints (entity.go). window.go is
// the part of a list that is asked for, tags.go names the cached pages that a change makes old.
//
// It writes nothing and knows no text of a body: that stays sealed in package content. Of modules/content it imports
// only markup.
package post

import (
	"path"
	"strconv"
	"time"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/typography"
)

// Section names a category, as pages do.
type Section struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Image is a picture of the media library, as pages name it.
type Image struct {
	ID      string `json:"id"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Alt     string `json:"alt"`
	Caption string `json:"caption,omitempty"`
	Credit  string `json:"credit,omitempty"`
}

// Byline is an author under a headline.
type Byline struct {
	Name     string `json:"name"`
	URL      string `json:"url,omitempty"` // of the author's page
	Slug     string `json:"slug,omitempty"`
	Role     string `json:"role,omitempty"`
	Bio      string `json:"bio,omitempty"`
	Portrait *Image `json:"portrait,omitempty"`
}

// Card is a post as lists show it. It never holds text of the body.
type Card struct {
	ID           int64      `json:"id"`
	URL          string     `json:"url"`
	Type         Type       `json:"type"`
	Title        string     `json:"title"`
	Excerpt      string     `json:"excerpt,omitempty"`
	Locked       bool       `json:"locked"`
	Date         time.Time  `json:"date"`
	Section      *Section   `json:"section,omitempty"`
	Authors      []Byline   `json:"authors,omitempty"`
	Picture      *Image     `json:"picture,omitempty"`
	VideoSeconds int        `json:"videoSeconds,omitempty"`
	Video        *Recording `json:"video,omitempty"` // absent where the post is locked
	Comments     int        `json:"comments"`
}

// MinuteItem is one short news.
type MinuteItem struct {
	ID      int64     `json:"id"`
	Title   string    `json:"title"`
	Text    string    `json:"text,omitempty"`
	URL     string    `json:"url"`
	Date    time.Time `json:"date"`
	Section *Section  `json:"section,omitempty"`
}

// Post is what may be known of a published post by everybody: all but its text.
type Post struct {
	ID           int64
	Type         Type
	Slug         string
	Title        string
	Excerpt      string
	Paragraphs   int
	Locked       bool
	PublishedAt  time.Time
	ModifiedAt   time.Time
	Caption      string
	VideoURL     string // of posts that are not locked
	VideoSeconds int
	Comments     int
	PictureID    string
	Width        int
	Height       int
	Alt          string        // what is to be seen in the picture
	Credit       string        // of the picture
	Route        edition.Route // of a page that stands at an address of its own

	Authors    []Byline    `bun:"-"`
	Categories []*Category `bun:"-"` // the primary one first
}

// Path is where the post is read.
func (p *Post) Path(ed *edition.Edition) string {
	if p.Type == TypePage {
		if own := ed.Href(p.Route); own != "" {
			return own
		}
		return ed.Href(edition.Static, p.Slug)
	}
	return ed.Href(edition.Article, strconv.FormatInt(p.ID, 10), p.Slug)
}

// Image is the picture of the post, or nil.
func (p *Post) Image() *Image {
	if p.PictureID == "" {
		return nil
	}
	return &Image{ID: p.PictureID, Width: p.Width, Height: p.Height, Alt: p.Alt, Caption: p.Caption, Credit: p.Credit}
}

func (p *Post) section(ed *edition.Edition) *Section {
	if len(p.Categories) == 0 {
		return nil
	}
	return p.Categories[0].Section(ed)
}

// Card is the post as lists show it, without the words below its picture.
func (p *Post) Card(ed *edition.Edition) Card {
	picture := p.Image()
	if picture != nil {
		picture.Caption, picture.Credit = "", ""
	}
	return Card{
		ID: p.ID, URL: p.Path(ed), Type: p.Type, Title: typography.Text(ed.IntlLocale, p.Title),
		Excerpt: typography.Text(ed.IntlLocale, p.Excerpt),
		Locked:  p.Locked, Date: p.PublishedAt,
		Section: p.section(ed), Authors: ShortBylines(p.Authors), Picture: picture, VideoSeconds: p.VideoSeconds,
		Video: RecordingOf(p.VideoURL), Comments: p.Comments,
	}
}

// Minute is the post as short news.
func (p *Post) Minute(ed *edition.Edition) MinuteItem {
	return MinuteItem{
		ID: p.ID, Title: typography.Text(ed.IntlLocale, p.Title), Text: typography.Text(ed.IntlLocale, p.Excerpt),
		URL:  p.permalink(ed),
		Date: p.PublishedAt, Section: p.section(ed),
	}
}

// ShortBylines leaves lists without the authors' lives, which the article alone tells.
func ShortBylines(full []Byline) []Byline {
	out := make([]Byline, len(full))
	for i, a := range full {
		out[i] = Byline{Name: a.Name, URL: a.URL, Slug: a.Slug, Role: a.Role, Portrait: a.Portrait}
	}
	return out
}

// CardsByID shows posts in the order of ids; those that are not out are left out.
func CardsByID(ed *edition.Edition, posts map[int64]*Post, ids []int64) []Card {
	out := []Card{}
	for _, id := range ids {
		if p := posts[id]; p != nil {
			out = append(out, p.Card(ed))
		}
	}
	return out
}

// DropRepeatedAlt empties an alternative text that only repeats the caption beside the picture.
func (i *Image) DropRepeatedAlt() {
	if markup.SameWords(i.Alt, i.Caption) {
		i.Alt = ""
	}
}

// MinutesSlug is the last word of the address of short news, which also asks for an item in its reader; "" where the
// edition has no such page.
func MinutesSlug(ed *edition.Edition) string {
	if p := ed.Href(edition.Minutes); p != "" {
		return path.Base(p)
	}
	return ""
}

// permalink is where a short news item is read in the reader.
func (p *Post) permalink(ed *edition.Edition) string {
	if slug := MinutesSlug(ed); slug != "" {
		return p.Path(ed) + "?article_type=" + slug
	}
	return p.Path(ed)
}

// Picture is the post's, as pages show it.
func (p *Post) Picture(ed *edition.Edition) *Image {
	i := p.Image()
	if i != nil {
		i.DropRepeatedAlt()
		i.Caption = typography.Text(ed.IntlLocale, i.Caption)
	}
	return i
}
