package post

// MaxTitle bounds titles, in characters.
const MaxTitle = 400

// Type is the kind of a post.
type Type string

// The closed list of types.
const (
	TypeArticle     Type = "article"
	TypeMinute      Type = "minute_article"
	TypeWeeklyTopic Type = "weekly_topic_article"
	TypeComment     Type = "comment_article"
	TypeSalon       Type = "salon_article"
	TypeVideo       Type = "video"
	TypePage        Type = "page" // a static page; stands in no list
)

// Valid reports whether it is one of the list.
func (t Type) Valid() bool {
	switch t {
	case TypeArticle, TypeMinute, TypeWeeklyTopic, TypeComment, TypeSalon, TypeVideo, TypePage:
		return true
	}
	return false
}

// Status says whether a post can be read.
type Status string

// The states of a post. A published one is out once its time has come.
const (
	StatusDraft     Status = "draft"
	StatusPublished Status = "published"
	StatusWithdrawn Status = "withdrawn"
)
