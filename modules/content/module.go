package content

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/feed"
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/modules/content/views"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/retention"
)

// Paywall decides who may read a locked post. access is open, credit or locked; reason is free, subscription, credit,
// login, limit or video. A reader id of 0 is a visitor.
type Paywall interface {
	// Decide looks only.
	Decide(ctx context.Context, readerID, postID int64, kind string,
		locked bool) (access, reason string, left int, err error)
	// Open spends the credit where one is needed; a post that was opened before costs nothing.
	Open(ctx context.Context, readerID, postID int64, kind string,
		locked bool) (access, reason string, left int, err error)
	// Preview is the part of a locked body that everybody may read.
	Preview(body string) (preview string, shown, withheld int)
}

// Deps is what the module works with.
type Deps struct {
	DB      *db.DB
	Paywall Paywall // nil: locked posts stay closed to everybody, which is enough for importing
	// Preview is the paywall's, where there is no other need for one: what is searched in holds the preview of a locked
	// post.
	Preview func(body string) (preview string, shown, withheld int)
	// Offer is the plan in numbers that the banner of a locked article names; nil leaves it out.
	Offer func(*edition.Edition) any
	// Discussed counts the comments of a post; nil where nobody comments.
	Discussed func(ctx context.Context, postID int64) (int, error)
	// Note takes down what a reader did, and does not wait; nil where nobody does.
	Note readerlog.Note
	// Keep answers calls from memory; nil answers each anew.
	Keep Keep
	Log  *slog.Logger
}

// Module is the content of all editions.
type Module struct {
	*catalog.Catalog
	*alternate.Links

	db      *db.DB
	paywall Paywall
	offer   func(*edition.Edition) any
	log     *slog.Logger

	keep      Keep
	discussed func(context.Context, int64) (int, error)
	note      readerlog.Note

	feeds  *feed.Feeds
	topics *topic.Topics
	gates  *gates
	views  *views.Counter

	search *search.Engine
}

// New makes the module.
func New(d Deps) *Module {
	if d.Paywall == nil {
		d.Paywall = closed{preview: d.Preview}
	}
	if d.Offer == nil {
		d.Offer = func(*edition.Edition) any { return nil }
	}
	if d.Note == nil {
		d.Note = func(context.Context, int64, readerlog.Action, string, string) {}
	}
	if d.Keep == nil {
		d.Keep = keepNothing
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	m := &Module{
		Catalog: catalog.New(d.DB), Links: alternate.New(d.DB),
		db: d.DB, paywall: d.Paywall, offer: d.Offer, log: d.Log, discussed: d.Discussed, note: d.Note, keep: d.Keep,
		feeds:  feed.New(d.DB),
		topics: topic.New(d.DB),
		gates:  newGates(),
		views:  views.New(d.DB, d.Log),
	}
	m.search = search.New(d.DB, m.publicTexts, d.Log)
	return m
}

// Listen takes up the events of this module.
func (m *Module) Listen(r event.Registry) {
	event.On(r, event.PostDue, m.announceDue)
	event.On(r, event.TopicDue, m.topics.Appear)
	if m.discussed != nil {
		event.On(r, event.DiscussionChanged, m.countDiscussed)
	}
}

// Ticks registers the work that one process does for every edition.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("content.count_most_read", 2*time.Minute, m.views.Rank)
	every("content.index", 10*time.Minute, m.search.Fill)
}

// flushInterval is how much is lost of what was counted when a process is killed.
const flushInterval = 10 * time.Second

// Run writes the counted views and searches every few seconds until ctx ends, and once more then. Every process that
// answers readers runs it.
func (m *Module) Run(ctx context.Context) {
	t := time.NewTicker(flushInterval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			m.views.Flush(last)
			m.search.Flush(last)
			return
		case <-t.C:
			m.views.Flush(ctx)
			m.search.Flush(ctx)
		}
	}
}

// Files are the feeds and sitemaps.
func (m *Module) Files() page.Files { return m.feeds.Files() }

// Maps are the sitemaps that robots.txt names.
func (m *Module) Maps() []string { return m.feeds.Maps() }

// SaveTag writes a tag or weekly topic; the slug says which.
func (m *Module) SaveTag(ctx context.Context, t topic.Tag) (int64, error) {
	return m.topics.Save(ctx, t)
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule {
	return slices.Concat(views.Retentions, search.Retentions())
}

// closed is the paywall that opens for nobody.
type closed struct {
	preview func(string) (string, int, int)
}

// Decide opens what is not locked.
func (closed) Decide(_ context.Context, _, _ int64, _ string,
	locked bool,
) (access, reason string, left int, err error) {
	if locked {
		return "locked", "login", 0, nil
	}
	return "open", "free", 0, nil
}

// Open is Decide: there is nothing to spend.
func (c closed) Open(ctx context.Context, readerID, postID int64, kind string,
	locked bool,
) (access, reason string, left int, err error) {
	return c.Decide(ctx, readerID, postID, kind, locked)
}

// Preview shows what its maker says, else nothing.
func (c closed) Preview(body string) (preview string, shown, withheld int) {
	if c.preview != nil {
		return c.preview(body)
	}
	return "", 0, markup.CountParagraphs(body)
}
