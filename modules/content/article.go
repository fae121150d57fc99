package content

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/modules/content/legacy"
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/typography"
	"example.org/broadsheet/platform/web"
)

const (
	relatedLength = 11 // rows of 3, 4 and 4
)

// ArticleData is what an article's page shows, for everybody of its tier.
type ArticleData struct {
	Card       post.Card       `json:"card"`
	Sections   []*post.Section `json:"sections,omitempty"`
	Body       string          `json:"body"`
	Access     string          `json:"access"`
	Reason     string          `json:"reason"`
	Paragraphs int             `json:"paragraphs"`
	Withheld   int             `json:"withheld"`
	// That reading the whole takes; absent where there is nothing to read.
	Minutes int `json:"minutes,omitempty"`
	// When the reader's next free articles come, where those of the period are used up.
	FreeFrom   *time.Time   `json:"freeFrom,omitempty"`
	Modified   *time.Time   `json:"modified,omitempty"`
	Topic      *topic.Topic `json:"topic,omitempty"` // that an essay of a weekly topic belongs to
	Related    []post.Card  `json:"related"`
	MostRead   []post.Card  `json:"mostRead"`
	Offer      any          `json:"offer,omitempty"` // where the text is locked
	Discussion string       `json:"discussion,omitempty"`
}

// story is a post with its text, sealed, and what stands around it.
type story struct {
	post       *post.Post
	body       Body
	related    []*post.Post
	mostRead   []*post.Post
	topic      *topic.Row
	alternates []alternate.Link
}

// readStory reads a post that is out; web.ErrNotFound when it is not.
func (m *Module) readStory(ctx context.Context, id int64) (s story, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { s, err = m.story(ctx, tx, id); return err })
	return s, err
}

func (m *Module) story(ctx context.Context, tx db.Tx, id int64) (s story, err error) {
	if s.body, err = loadBody(ctx, tx, id); err != nil {
		return s, err
	}
	t, err := post.LoadTree(ctx, tx)
	if err != nil {
		return s, err
	}
	self, err := post.Load(ctx, tx, t, []int64{id})
	if err != nil {
		return s, err
	}
	if s.post = self[id]; s.post == nil {
		return s, web.ErrNotFound // withdrawn between two reads
	}
	related, err := findRelated(ctx, tx, s.post)
	if err != nil {
		return s, err
	}
	if s.post.Type == post.TypeWeeklyTopic {
		if s.topic, err = topic.FindOf(ctx, tx, id); err != nil {
			return s, err
		}
	}
	if s.alternates, err = alternate.Load(ctx, tx, id); err != nil {
		return s, err
	}
	top, err := post.MostRead(ctx, tx, mostReadTop+1, 0, mostReadDays)
	if err != nil {
		return s, err
	}
	top = withoutID(top, id) // the reader has it open
	top = top[:min(len(top), mostReadTop)]
	posts, err := post.Load(ctx, tx, t, slices.Concat(related, top))
	s.related, s.mostRead = post.InOrder(posts, related), post.InOrder(posts, top)
	return s, err
}

// findRelated is the newest of the post's own category, then of the one over it, then of all.
func findRelated(ctx context.Context, tx db.Tx, p *post.Post) ([]int64, error) {
	var ids []int64
	if len(p.Categories) > 0 {
		c := p.Categories[0]
		near, err := post.FindNewest(ctx, tx, [][]int64{c.Subtree(), c.Root().Subtree()}, "article", relatedLength+1, 0)
		if err != nil {
			return nil, err
		}
		ids = slices.Concat(near...)
	}
	out := withoutID(ids, p.ID)
	if len(out) < relatedLength {
		recent, err := post.FindLists(ctx, tx, post.Recent.Top(2*relatedLength+1))
		if err != nil {
			return nil, err
		}
		out = withoutID(slices.Concat(out, recent[post.Recent.Name]), p.ID)
	}
	return out[:min(len(out), relatedLength)], nil
}

// withoutID drops one id and all repetitions.
func withoutID(ids []int64, not int64) []int64 {
	seen := map[int64]bool{not: true}
	var out []int64
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// articleTier lets a reader in, and is the place where a page's credit is spent. Open posts are the same for all
// signed-in readers and are kept under Member: should one be locked at this moment, that tier shows no more than may
// be.
func (m *Module) articleTier(ctx context.Context, r *page.Request) (page.Tier, error) {
	reader := session.ReaderID(ctx)
	tier := page.Anonymous
	if reader != 0 {
		tier = page.Member
	}
	id, err := strconv.ParseInt(r.Params["articleId"], 10, 64)
	if err != nil {
		return tier, nil //nolint:nilerr // a number that cannot be is a page that is not there
	}
	g, err := m.gate(ctx, id)
	if err != nil || !g.Out {
		return tier, err
	}
	if !r.Speculative && !r.Automated && g.Type != post.TypePage && g.Type != post.TypeMinute {
		web.Each(ctx, func(ctx context.Context) { m.views.Count(ctx, id) })
	}
	if reader == 0 {
		return tier, nil
	}
	if !g.Locked {
		m.noteOpened(ctx, r, reader, id, g, readerlog.OpenedFree)
		return tier, nil
	}
	a, err := m.decide(ctx, reader, id, g.Type, true, !r.Speculative)
	if err == nil && a.level != accessCredit { // the credit is noted where it is spent
		m.noteOpened(ctx, r, reader, id, g, readerlog.OpenedLocked)
	}
	if err == nil && (a.level == accessOpen || a.level == accessCredit) {
		tier = page.Entitled
	}
	return tier, err
}

func (m *Module) noteOpened(ctx context.Context, r *page.Request, reader, id int64, g gate, action readerlog.Action) {
	if !r.Speculative && !r.Automated && g.Type != post.TypePage {
		m.note(ctx, reader, action, strconv.FormatInt(id, 10), g.Published.UTC().Format(time.RFC3339))
	}
}

func (m *Module) loadArticle(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	id, err := strconv.ParseInt(r.Params["articleId"], 10, 64)
	if err != nil {
		return nil, web.ErrNotFound
	}
	s, err := m.readStory(ctx, id)
	if err != nil {
		return nil, err // the page of what is not there looks for old addresses
	}
	if a := legacy.Parse(r.Path); a.DateParts() > 0 && legacy.Unescape(s.post.Path(ed)) != legacy.Unescape(r.Path) {
		return nil, web.ErrNotFound // a month of the old site, not the post whose number is that of the year
	}
	if to := s.post.Path(ed); legacy.Unescape(to) != legacy.Unescape(r.Path) {
		return m.redirectToCanonical(ctx, ed, r.Path, s.post)
	}
	if s.post.Type == post.TypeMinute && asksForMinutes(ed, "article_type", r.Query.Get("article_type")) {
		return m.minuteReader(ctx, r, s)
	}
	d := m.articleData(ed, s, tierAccess(r.Tier, s.body))
	p := &page.Page{
		Data: d, Meta: articleMeta(ed, s, d),
		Tags: post.WithCardTags([]string{post.Tag(id)}, d.Related, d.MostRead),
	}
	if s.topic != nil {
		p.Tags = append(p.Tags, post.TopicNameTag(s.topic.Slug))
	}
	if d.Card.Video == nil { // the picture of a film is its poster, which the player asks for in one size
		p.Preload = seo.Preload(d.Card.Picture, seo.Article)
	}
	return p, nil
}

// asksForMinutes reports whether the article_type of an address asks for the reader of short news.
func asksForMinutes(ed *edition.Edition, _, value string) bool {
	return value != "" && value == post.MinutesSlug(ed)
}

// redirectToCanonical sends an address with the number of a post but other words to where it belongs: an old site's
// address to its own article, which had another number there, and any other to the post's present one.
func (m *Module) redirectToCanonical(ctx context.Context, ed *edition.Edition, path string,
	p *post.Post,
) (*page.Page, error) {
	to := page.Redirect(p.Path(ed))
	to.Tags = []string{post.Tag(p.ID)}
	if strings.Count(strings.Trim(path, "/"), "/") > 0 {
		old, err := m.legacyPost(ctx, legacy.Address{Whole: post.CleanPath(legacy.Unescape(path))}, nil)
		if err != nil {
			return nil, err
		}
		if old != nil && old.ID != p.ID {
			to.Redirect, to.Tags = old.Path(ed), append(to.Tags, post.Tag(old.ID))
		}
	}
	return to, nil
}

// nextPeriod is when the edition's meter begins anew after an instant: at midnight, on Monday or on the first of the
// month.
func nextPeriod(ed *edition.Edition, now time.Time) time.Time {
	now = now.In(ed.Location)
	year, month, day := now.Date()
	if ed.Meter.Period == "week" {
		return time.Date(year, month, day+7-(int(now.Weekday())+6)%7, 0, 0, 0, 0, ed.Location)
	}
	return time.Date(year, month+1, 1, 0, 0, 0, 0, ed.Location)
}

// articleData is the article as its access allows.
func (m *Module) articleData(ed *edition.Edition, s story, a Access) *ArticleData {
	text := m.reveal(s.body, a)
	d := &ArticleData{
		Card: s.post.Card(ed), Body: text.HTML, Access: a.level, Reason: a.reason, Paragraphs: text.Paragraphs,
		Withheld: text.Withheld, Minutes: text.Minutes,
		Related: post.CardsOf(ed, s.related), MostRead: post.CardsOf(ed, s.mostRead),
		Discussion: ed.DiscussionPath(s.post.ID),
	}
	if !text.Open {
		d.Access = accessLocked
		d.Offer = m.offer(ed)
		if a.reason == reasonLimit {
			at := nextPeriod(ed, m.db.Now())
			d.FreeFrom = &at
		}
	}
	d.Card.Picture, d.Card.Authors = s.post.Picture(ed), bylines(ed, s.post.Authors)
	d.Card.Video, d.Topic = post.RecordingOf(text.Video), s.topic.IfShown(ed)
	if e, ok := markup.EmbedOf(text.Video); ok && d.Card.Video != nil &&
		(s.post.Type == post.TypeVideo || s.post.Type == post.TypeSalon) {
		d.Body = e.Without(d.Body) // the page plays it already, over its text
	}
	if s.post.Type == post.TypeMinute && strings.HasPrefix(markup.PlainText(text.HTML), s.post.Excerpt) {
		d.Card.Excerpt = "" // the excerpt of short news is its text, which nobody reads twice
	}
	open, shut := i18n.T(ed, "content.image.enlarge", nil), i18n.T(ed, "content.image.close", nil)
	d.Body = typography.HTML(ed.IntlLocale, markup.Enlargeable(d.Body, open, shut))
	if len(s.post.Categories) > 0 {
		for _, c := range s.post.Categories[0].Path() {
			d.Sections = append(d.Sections, c.Section(ed))
		}
	}
	if s.post.ModifiedAt.After(s.post.PublishedAt) {
		d.Modified = &s.post.ModifiedAt
	}
	return d
}
