package content

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Keep answers from memory, or fills; pagecache.Cache has it.
type Keep func(context.Context, pagecache.Key, pagecache.Fill) (*pagecache.Entry, pagecache.Outcome, error)

// keepNothing fills for each call.
func keepNothing(ctx context.Context, _ pagecache.Key,
	fill pagecache.Fill,
) (*pagecache.Entry, pagecache.Outcome, error) {
	e, err := fill(ctx)
	return e, pagecache.Miss, err
}

// reply is what a call answers to everybody.
type reply struct {
	value  any
	tags   []string // besides those of the posts that it shows
	header http.Header
	until  time.Time // when it stops being right by itself; zero for never
	rare   bool      // asked for too seldom to be kept, or new each time
}

// shownIn are the tags of the posts that an answer shows: a change of one makes it old.
func shownIn(value any) (tags []string) {
	switch v := value.(type) {
	case []post.Entity:
		for i := range v {
			tags = append(tags, post.Tag(v[i].ID))
		}
	case map[string][]post.Entity:
		for _, list := range v {
			tags = append(tags, shownIn(list)...)
		}
	case OpinionFeed:
		tags = slices.Concat(shownIn(v.Versus), shownIn(v.Articles))
	case *post.FullEntity:
		tags = slices.Concat([]string{post.Tag(v.ID)}, shownIn(v.Related), shownIn(v.TopViewed))
	case []search.FoundEntity:
		for i := range v {
			tags = append(tags, post.Tag(v[i].ID))
		}
	case []post.Slide:
		for i := range v {
			tags = append(tags, post.Tag(v[i].ID))
		}
	case []Line:
		for i := range v {
			tags = append(tags, post.Tag(v[i].ID))
		}
	case topic.OfTheWeek:
		tags = shownIn(v.Articles)
	}
	return tags
}

// errPersonal ends the filling of an answer that is not the same for everybody after all.
var errPersonal = errors.New("content: an answer for one reader")

// kept answers with what is the same for everybody: made once for an edition, a path and the parameters that the call
// has read, which stand in query in one form. Whoever asks, load knows no reader, so that nothing of one is kept.
func (m *Module) kept(c *gin.Context, query url.Values, load func(context.Context) (reply, error)) error {
	key := pagecache.Key{
		Edition: web.Edition(c).ID, Path: c.Request.URL.Path, Query: query.Encode(), Tier: pagecache.Anonymous,
		Variant: "call",
	}
	e, outcome, err := m.keep(c.Request.Context(), key, func(ctx context.Context) (*pagecache.Entry, error) {
		r, err := load(session.Anonymous(ctx))
		if err != nil {
			return nil, err
		}
		body, err := json.Marshal(r.value)
		if err != nil {
			return nil, err
		}
		e := &pagecache.Entry{
			Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Body: body,
			Tags:  slices.Concat(r.tags, shownIn(r.value)),
			Until: r.until, NoStore: r.rare, VaryCookie: true, // who logs in must not get what the browser kept before
			CacheControl: pagecache.Public,
		}
		if !r.until.IsZero() {
			e.CacheControl = pagecache.Checked
		}
		for name, values := range r.header {
			e.Header[name] = values
		}
		return e, nil
	})
	if err != nil {
		return err
	}
	web.SendKept(c, e, outcome, nil)
	return nil
}

// whole is kept for a call without parameters, whose answer has these tags.
func whole[T any](m *Module, load func(context.Context) (T, error), tags ...string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		return m.kept(c, nil, func(ctx context.Context) (reply, error) {
			v, err := load(ctx)
			return reply{value: v, tags: tags}, err
		})
	}
}

// keptParts are how many parts of a list are kept: beyond them, hardly two ask for the same.
const keptParts = 10

// windowQuery is a window of a list that is followed by number alone.
func windowQuery(limit, offset int) url.Values {
	return url.Values{"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}}
}
