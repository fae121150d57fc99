package content

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

const (
	maxExcerpt = 4000 // runes
	batchSize  = 200  // posts in one transaction
)

// SavePost writes one post; changed is false when it already was exactly like that. Faults: post.ErrInvalid with the
// field, also for an author, category or picture that was not saved before.
func (m *Module) SavePost(ctx context.Context, d Draft) (id int64, changed bool, err error) {
	saved, err := m.SavePosts(ctx, []Draft{d})
	if err != nil {
		return 0, false, err
	}
	return saved[0].ID, saved[0].Changed, nil
}

// SavePosts writes many posts, in transactions of up to 200, and returns the outcomes in order. No draft is written
// when one of them is wrong in itself. After an error from the database the outcomes are those of the transactions
// before it, and saving the same drafts again is safe.
func (m *Module) SavePosts(ctx context.Context, drafts []Draft) ([]Saved, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	ready := make([]*preparedPost, len(drafts))
	for i, d := range drafts {
		if ready[i], err = prepare(ed.Lang(), d); err == nil {
			err = checkPlaceholders(ed, d)
		}
		if err != nil {
			return nil, err
		}
	}
	var out []Saved
	for len(ready) > 0 {
		n := batch(ready)
		err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			if err := savePosts(ctx, tx, ready[:n]); err != nil {
				return err
			}
			return m.search.Index(ctx, tx, changedIDs(ready[:n]))
		})
		if err != nil {
			return out, err
		}
		for _, s := range ready[:n] {
			out = append(out, Saved{s.row.ID, s.changed})
			m.gates.forget(gateKey{ed.ID, s.row.ID})
		}
		ready = ready[n:]
	}
	return out, nil
}

// batch is how many of the drafts fit one transaction: a post stands in it only once.
func batch(ready []*preparedPost) int {
	seen := map[string]bool{}
	for i, s := range ready {
		if i == batchSize || (s.identity() != "" && seen[s.identity()]) {
			return i
		}
		seen[s.identity()] = true
	}
	return len(ready)
}

func changedIDs(saved []*preparedPost) (ids []int64) {
	for _, s := range saved {
		if s.changed {
			ids = append(ids, s.row.ID)
		}
	}
	return ids
}

// Known returns the posts that came from a source, by their identity there.
func (m *Module) Known(ctx context.Context, source string) (ids map[string]int64, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		ids, err = findSource(ctx, tx, source)
		return err
	})
	return ids, err
}

// preparedPost is a draft that was found right, on its way into the store.
type preparedPost struct {
	Draft
	wanted  string // slug
	hash    string
	row     *postRow
	was     *postRow // as stored before, or nil
	changed bool
}

// identity is what a draft is known by within a batch; "" for a new post of our own.
func (s *preparedPost) identity() string {
	switch {
	case s.ID != 0:
		b, _ := json.Marshal(s.ID) // a number always has JSON
		return string(b)
	case s.Source != "":
		return s.Source + "\x00" + s.SourceID
	}
	return ""
}

// prepare checks a draft, sanitises it and counts; it touches no database.
func prepare(lang string, d Draft) (*preparedPost, error) {
	wrong := func(field, format string, args ...any) error { return invalid(d, field, format, args...) }
	d.Title, d.Excerpt, d.Caption, d.Versus = markup.OneLine(d.Title), markup.OneLine(d.Excerpt),
		markup.OneLine(d.Caption), markup.OneLine(d.Versus)
	d.Alt = markup.OneLine(d.Alt)
	if d.Status == "" {
		d.Status = post.StatusDraft
	}
	switch {
	case !d.Type.Valid():
		return nil, wrong("type", "%q is no type", d.Type)
	case d.Status != post.StatusDraft && d.Status != post.StatusPublished && d.Status != post.StatusWithdrawn:
		return nil, wrong("status", "%q is no status", d.Status)
	case d.Title == "":
		return nil, wrong("title", "it is empty")
	case utf8.RuneCountInString(d.Title) > post.MaxTitle:
		return nil, wrong("title", "it is longer than %d characters", post.MaxTitle)
	case utf8.RuneCountInString(d.Excerpt) > maxExcerpt:
		return nil, wrong("excerpt", "it is longer than %d characters", maxExcerpt)
	case (d.Source == "") != (d.SourceID == ""):
		return nil, wrong("source", "source and source id go together")
	case d.Featured < 0 || d.Pick < 0 || d.Video.Seconds < 0:
		return nil, wrong("featured", "ranks and lengths are not negative")
	case len(d.Body) > markup.MaxBytes:
		return nil, wrong("body", "it is longer than %d bytes", markup.MaxBytes)
	case d.Comments < 0:
		return nil, wrong("comments", "%d is no number of comments", d.Comments)
	case d.Video.URL != "" && !media.IsVideoPath(d.Video.URL) &&
		(!strings.HasPrefix(d.Video.URL, "https://") || !absolute(d.Video.URL)):
		return nil, wrong("video", "%q is neither an https address nor a recording of the media library", d.Video.URL)
	}
	for _, a := range d.Alternates {
		if !a.Valid() {
			return nil, wrong("alternates", "%q in %q is no address in a language", a.URL, a.Lang)
		}
	}
	d.Body = markup.Sanitise(d.Body)
	var err error
	if d.Page, err = staticpage.Check(d.Type, d.Page); err != nil {
		if part := (*staticpage.Error)(nil); errors.As(err, &part) {
			return nil, wrong(part.Field, "%s", part.Why)
		}
		return nil, err
	}
	if d.Type == post.TypeMinute && d.Excerpt == "" && !d.Locked {
		d.Excerpt = markup.Shorten(markup.PlainText(d.Body), maxExcerpt) // short news is shown whole, in lists too
	}
	for i, p := range d.Redirects {
		d.Redirects[i] = post.CleanPath(p)
	}
	d.Redirects = post.Unique(d.Redirects)
	d.Authors, d.Categories, d.Tags = post.Unique(d.Authors), post.Unique(d.Categories), post.Unique(d.Tags)
	s := &preparedPost{Draft: d, wanted: post.Slug(lang, d.Slug)}
	if s.wanted == "" {
		s.wanted = post.Slug(lang, d.Title)
	}
	if s.wanted == "" {
		s.wanted = string(d.Type)
	}
	content := d
	content.ID = 0
	b, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	s.hash = hex.EncodeToString(sum[:16])
	s.row = &postRow{
		Type: d.Type, Status: d.Status, Title: d.Title, Excerpt: d.Excerpt, Paragraphs: markup.CountParagraphs(d.Body),
		Locked:    d.Locked,
		PictureID: d.Picture, Alt: d.Alt, Caption: d.Caption, VideoURL: d.Video.URL, VideoSeconds: d.Video.Seconds,
		Featured: d.Featured, Pick: d.Pick, Versus: d.Versus, Source: d.Source, SourceID: d.SourceID, Hash: s.hash,
		Comments: d.Comments,
	}
	if d.Source != "" {
		s.row.SourceHash = s.hash
	}
	return s, nil
}

// invalid is post.ErrInvalid with the field and the post.
func invalid(d Draft, field, format string, args ...any) error {
	name := d.SourceID
	if name == "" {
		name = d.Title
	}
	return post.ErrInvalid.On(field).With("post", name).
		Becausef("post %q, %s: "+format, append([]any{name, field}, args...)...)
}

// absolute reports whether an address of the web names its host.
func absolute(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// setTimes sets the times of a row from its draft, what was stored, and now.
func (s *preparedPost) setTimes(now time.Time) {
	r := s.row
	r.PublishedAt, r.ModifiedAt = s.Published, s.Modified
	if r.PublishedAt.IsZero() {
		r.PublishedAt = now
		if s.was != nil && s.was.Status == post.StatusPublished {
			r.PublishedAt = s.was.PublishedAt
		}
	}
	if r.ModifiedAt.IsZero() {
		r.ModifiedAt = now
		if s.was == nil {
			r.ModifiedAt = r.PublishedAt
		}
	}
}

// Analyze lets Postgres count what there is. After many posts came at once its plans are still for the few that there
// were, until it looks by itself, about once a minute.
func (m *Module) Analyze(ctx context.Context) error {
	return m.db.InTx(ctx, analyzePosts)
}
