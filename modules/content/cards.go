package content

import (
	"strconv"
	"time"

	"example.org/broadsheet/platform/edition"
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

// post is what may be known of a published post by everybody: all but its text.
type post struct {
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

	authors    []Byline
	categories []*category // the primary one first
}

// path is where the post is read.
func (p *post) path(ed *edition.Edition) string {
	if p.Type == TypePage {
		if own := ed.Href(p.Route); own != "" {
			return own
		}
		return ed.Href(edition.Static, p.Slug)
	}
	return ed.Href(edition.Article, strconv.FormatInt(p.ID, 10), p.Slug)
}

func (p *post) image() *Image {
	if p.PictureID == "" {
		return nil
	}
	return &Image{ID: p.PictureID, Width: p.Width, Height: p.Height, Alt: p.Alt, Caption: p.Caption, Credit: p.Credit}
}

func (p *post) section(ed *edition.Edition) *Section {
	if len(p.categories) == 0 {
		return nil
	}
	return p.categories[0].section(ed)
}

func (p *post) card(ed *edition.Edition) Card {
	return Card{
		ID: p.ID, URL: p.path(ed), Type: p.Type, Title: typeset(ed, p.Title), Excerpt: typeset(ed, p.Excerpt),
		Locked: p.Locked, Date: p.PublishedAt,
		Section: p.section(ed), Authors: names(p.authors), Picture: p.picture(ed), VideoSeconds: p.VideoSeconds,
		Video: recordingOf(p.VideoURL), Comments: p.Comments,
	}
}

func (p *post) minute(ed *edition.Edition) MinuteItem {
	return MinuteItem{
		ID: p.ID, Title: typeset(ed, p.Title), Text: typeset(ed, p.Excerpt), URL: p.permalink(ed),
		Date: p.PublishedAt, Section: p.section(ed),
	}
}

// names leaves lists without the authors' lives, which the article alone tells.
func names(full []Byline) []Byline {
	out := make([]Byline, len(full))
	for i, a := range full {
		out[i] = Byline{Name: a.Name, URL: a.URL, Slug: a.Slug, Role: a.Role, Portrait: a.Portrait}
	}
	return out
}

// cards shows posts in the order of ids; those that are not out are left out.
func cards(ed *edition.Edition, posts map[int64]*post, ids []int64) []Card {
	out := []Card{}
	for _, id := range ids {
		if p := posts[id]; p != nil {
			out = append(out, p.card(ed))
		}
	}
	return out
}
