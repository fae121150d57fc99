package wordpress

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// restText is a text that has one form for the desk and one for readers.
type restText struct {
	Raw       *string `json:"raw"` // with context=edit only
	Rendered  string  `json:"rendered"`
	Protected bool    `json:"protected"`
}

func (t restText) either() string {
	if t.Raw != nil {
		return *t.Raw
	}
	return t.Rendered
}

// restListed is what lists contain of a post: enough to see that it has changed.
type restListed struct {
	ID         int64   `json:"id"`
	Date       string  `json:"date_gmt"`
	Modified   string  `json:"modified_gmt"`
	Slug       string  `json:"slug"`
	Status     string  `json:"status"`
	Link       string  `json:"link"`
	Author     int64   `json:"author"`
	Media      int64   `json:"featured_media"`
	Categories []int64 `json:"categories"`
	Tags       []int64 `json:"tags"`
	Sticky     bool    `json:"sticky"`
}

const listedFields = "id,date_gmt,modified_gmt,slug,status,link,author,featured_media,categories,tags,sticky"

func (l *restListed) modified() time.Time { return restTime(l.Modified) }

// restPost is a post or a page.
type restPost struct {
	restListed
	Title    restText        `json:"title"`
	Content  restText        `json:"content"`
	Excerpt  restText        `json:"excerpt"`
	Password string          `json:"password"`
	Meta     json.RawMessage `json:"meta"` // a list when it is empty
	Embedded struct {
		Authors []restUser `json:"author"`
	} `json:"_embedded"`
}

type restTerm struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"`
	Parent      int64  `json:"parent"`
}

type restUser struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"`
}

type restMedia struct {
	ID       int64    `json:"id"`
	Modified string   `json:"modified_gmt"`
	Source   string   `json:"source_url"`
	Alt      string   `json:"alt_text"`
	Caption  restText `json:"caption"`
}

const mediaFields = "id,modified_gmt,source_url,alt_text,caption"

// restBlock is a block that posts share.
type restBlock struct {
	ID      int64    `json:"id"`
	Content restText `json:"content"`
}

// restTime reads a date of the API, which is UTC without saying so; zero for none.
func restTime(s string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1900 {
			return t.UTC()
		}
	}
	return time.Time{}
}

func stampOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

func digest(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // plain structs always have JSON
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
