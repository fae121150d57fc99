package post

import (
	"time"

	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// Entity is a post as the JSON endpoints answer it.
type Entity struct {
	ID            int64            `json:"post_id"`
	Title         string           `json:"post_title"`
	URL           string           `json:"post_url"`
	Excerpt       string           `json:"post_excerpt"`
	Date          time.Time        `json:"post_date"`
	Modified      time.Time        `json:"post_modified"`
	Type          Type             `json:"post_type"`
	Locked        bool             `json:"post_locked"`
	Categories    []EntityCategory `json:"post_categories"`    // those at the top
	Subcategories []EntityCategory `json:"post_subcategories"` // those below
	Video         string           `json:"post_contains_video"`
	VideoLength   int              `json:"post_video_length"`
	Thumbnail     string           `json:"post_thumbnail"`
	ThumbnailData *Thumbnail       `json:"thumbnail_data"`
	Authors       []EntityAuthor   `json:"author_data"`
	Category      *CategoryFacts   `json:"category_metadata"`
	Reactions     int              `json:"reactions"`
}

// FullEntity is a post with its text, as far as the reader may read it.
type FullEntity struct {
	Entity
	Content    string   `json:"post_content"`
	Access     string   `json:"post_access"`
	Reason     string   `json:"post_access_reason"`
	Paragraphs int      `json:"post_paragraphs"`
	Withheld   int      `json:"post_withheld"`
	Related    []Entity `json:"recommendation_tiles_articles"`
	TopViewed  []Entity `json:"top_viewed_articles"`
}

// Slide is a post of the front page's carousel.
type Slide struct {
	Entity
	Title       string `json:"title"`
	Description string `json:"description"`
	Desktop     string `json:"desktop_image"`
	Mobile      string `json:"mobile_image"`
}

// EntityCategory is a name with its address.
type EntityCategory struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// CategoryFacts is the category that a post belongs to first, with what is below it.
type CategoryFacts struct {
	Name          string           `json:"name"`
	URL           string           `json:"url"`
	Subcategories []EntityCategory `json:"subcategories"`
}

// Thumbnail is a post's picture in its sizes.
type Thumbnail struct {
	Sizes       Sizes  `json:"post_thumbnail_sizes"`
	Original    string `json:"original_image"`
	Description string `json:"thumbnail_description"` // the caption
	Alt         string `json:"thumbnail_alt"`
}

// Sizes are addresses of one picture.
type Sizes struct {
	Origin      string `json:"origin"`
	Medium      string `json:"medium"`
	MediumLarge string `json:"medium_large"`
	Large       string `json:"large"`
}

// EntityAuthor is an author of a post.
type EntityAuthor struct {
	ID               string `json:"id"`
	Name             string `json:"name"`
	Bio              string `json:"bio"`
	ShortDescription string `json:"short_description"`
	ProfileURL       string `json:"profile_url"` // "" where the edition has no author pages
	Thumbnail        *Sizes `json:"thumbnail"`
}

// SizesOf are the addresses of a picture by its id.
func SizesOf(id string) Sizes {
	at := func(w int) string { return media.URL(id, media.Variant{Width: w}) }
	return Sizes{Origin: at(1600), Medium: at(480), MediumLarge: at(960), Large: at(1280)}
}

// Entity is the post as the JSON endpoints answer it.
func (p *Post) Entity(ed *edition.Edition) Entity {
	e := Entity{
		ID: p.ID, Title: p.Title, URL: p.Path(ed), Excerpt: p.Excerpt, Date: p.PublishedAt, Modified: p.ModifiedAt,
		Type: p.Type, Locked: p.Locked,
		Video: p.VideoURL, VideoLength: p.VideoSeconds, Reactions: p.Comments, Categories: []EntityCategory{},
		Subcategories: []EntityCategory{}, Authors: []EntityAuthor{},
	}
	if p.PictureID != "" {
		s := SizesOf(p.PictureID)
		e.Thumbnail, e.ThumbnailData = s.MediumLarge, &Thumbnail{
			Sizes: s, Original: s.Origin,
			Description: p.Caption, Alt: p.Alt,
		}
	}
	seen := map[int64]bool{}
	for _, c := range p.Categories {
		for _, c := range c.Path() {
			switch {
			case seen[c.ID]:
			case c.Parent == nil:
				e.Categories = append(e.Categories, c.named(ed))
			default:
				e.Subcategories = append(e.Subcategories, c.named(ed))
			}
			seen[c.ID] = true
		}
	}
	if len(p.Categories) > 0 {
		root := p.Categories[0].Root()
		e.Category = &CategoryFacts{Name: root.Name, URL: root.named(ed).URL, Subcategories: []EntityCategory{}}
		for _, c := range root.Children {
			e.Category.Subcategories = append(e.Category.Subcategories, c.named(ed))
		}
	}
	for _, b := range p.Authors {
		e.Authors = append(e.Authors, b.Entity())
	}
	return e
}

// Entity is the author as the JSON endpoints answer it.
func (b Byline) Entity() EntityAuthor {
	a := EntityAuthor{ID: b.Slug, Name: b.Name, Bio: b.Bio, ShortDescription: b.Role, ProfileURL: b.URL}
	if b.Portrait != nil {
		s := SizesOf(b.Portrait.ID)
		a.Thumbnail = &s
	}
	return a
}

func (c *Category) named(ed *edition.Edition) EntityCategory {
	return EntityCategory{Name: c.Name, URL: c.Section(ed).URL}
}

// Slide is the post as the carousel of the JSON endpoint has it.
func (p *Post) Slide(ed *edition.Edition) Slide {
	s := Slide{Entity: p.Entity(ed), Title: p.Title, Description: p.Excerpt}
	if p.PictureID != "" {
		s.Desktop, s.Mobile = SizesOf(p.PictureID).Large, media.URL(p.PictureID, media.Variant{Width: 640, Ratio: "4x5"})
	}
	return s
}

// Entities are posts as the JSON endpoints answer them.
func Entities(ed *edition.Edition, posts []*Post) []Entity {
	out := make([]Entity, len(posts))
	for i, p := range posts {
		out[i] = p.Entity(ed)
	}
	return out
}

// AuthorEntities are authors as the JSON endpoints answer them.
func AuthorEntities(list []Byline) []EntityAuthor {
	out := make([]EntityAuthor, len(list))
	for i, b := range list {
		out[i] = b.Entity()
	}
	return out
}
