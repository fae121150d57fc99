package discussion

import (
	"context"
	"log/slog"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// Flag switches discussions on in an edition's document.
const Flag = "comments"

// Readers is what the module asks of identity.
type Readers interface {
	// CommentNames are the discussion names of readers, by id; who has none is not among them.
	CommentNames(ctx context.Context, readerIDs []int64) (map[int64]string, error)
	// HasRole reports whether a reader has a role, such as moderator.
	HasRole(ctx context.Context, readerID int64, role string) (bool, error)
	// Legacy reports whether a reader's account is one of the legacy site: such accounts are offered nothing.
	Legacy(ctx context.Context, readerID int64) (bool, error)
}

// Subscriptions is what the module asks of billing: who pays may write.
type Subscriptions interface {
	// ActiveUntil is when the reader's access ends; zero when there is none.
	ActiveUntil(ctx context.Context, readerID int64) (time.Time, error)
}

// Posts is what the module asks of content.
type Posts interface {
	// Discussable reports whether a post is out and one that is discussed.
	Discussable(ctx context.Context, postID int64) (bool, error)
	// Headline is the title and the local path of such a post.
	Headline(ctx context.Context, postID int64) (title, path string, err error)
}

// Deps is what the module needs. Commands that only look after discussions need no more than DB.
type Deps struct {
	DB            *db.DB
	Cookies       web.Cookies
	Readers       Readers
	Subscriptions Subscriptions
	Posts         Posts
	Done          <-chan struct{} // closed when the process ends, so that open streams do not hold it up
	Log           *slog.Logger
}

// Module is the discussion module.
type Module struct {
	db            *db.DB
	cookies       web.Cookies
	readers       Readers
	subscriptions Subscriptions
	posts         Posts
	log           *slog.Logger
	live          *streams
	noticeLog     noticeLog
}

// New makes the module.
func New(d Deps) *Module {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Module{
		db: d.DB, cookies: d.Cookies, readers: d.Readers, subscriptions: d.Subscriptions, posts: d.Posts, log: d.Log,
		live: newStreams(d.Done),
	}
}

// Listen takes up the events of this module.
func (m *Module) Listen(r event.Registry) {
	event.On(r, event.DiscussionChanged, m.spread)
}

// Ticks hands the module's repeated work to a worker, as jobs.Worker.Every takes it.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("discussion.recount", time.Hour, m.recount)
}
