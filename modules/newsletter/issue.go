package newsletter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// issue is one email of a list to all who get it.
type issue struct {
	ID         int64
	List       string
	Name       string
	DueAt      time.Time
	State      string // due, planning, planned, empty
	Content    json.RawMessage
	Reached    int64
	Recipients int
}

// content is the text of an issue, the same for all readers.
type content struct {
	Title   string  `json:"title,omitempty"` // of a topic
	Intro   string  `json:"intro,omitempty"`
	URL     string  `json:"url,omitempty"` // of the topic's page
	Stories []Story `json:"stories"`
	Short   []Story `json:"short,omitempty"`
}

var weekdays = map[string]time.Weekday{
	"monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday, "thursday": time.Thursday,
	"friday": time.Friday, "saturday": time.Saturday, "sunday": time.Sunday,
}

// dueAt is when the list's latest issue fell due, and what it is called: the calendar day in the edition's zone, so
// that no day has two and none is left out where clocks are changed. An hour that a day does not have is the one after
// it; one that it has twice is one of the two.
func dueAt(ed *edition.Edition, n *edition.Newsletter, now time.Time) (due time.Time, name string) {
	at, err := time.Parse("15:04", n.At)
	if err != nil { // the document was checked when it was applied
		return time.Time{}, ""
	}
	local := now.In(ed.Location)
	for back := 0; ; back++ {
		day := time.Date(local.Year(), local.Month(), local.Day()-back, at.Hour(), at.Minute(), 0, 0, ed.Location)
		if day.After(now) || (n.Kind == edition.NewsletterTopic && day.Weekday() != weekdays[n.Weekday]) {
			continue
		}
		return day, day.Format(time.DateOnly)
	}
}

// Schedule begins the issues that have fallen due. Doubled or missed runs do no harm: an issue has one row, and one
// that nobody could begin in time is left out. A list that fails does not stop the others; the errors of all are
// returned.
func (m *Module) Schedule(ctx context.Context) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, n := range ed.Newsletters {
		if n.Kind == edition.NewsletterBreaking {
			continue
		}
		due, name := dueAt(ed, &n, m.db.Now())
		if m.db.Now().Sub(due) > maxLate {
			continue
		}
		if _, err := begin(ctx, m.db, n.ID, name, due); err != nil {
			errs = append(errs, fmt.Errorf("newsletter %s: %w", n.ID, err))
		}
	}
	return errors.Join(errs...)
}

// begin writes an issue down and has it prepared, both or neither. It returns 0 when there is one of that name.
func begin(ctx context.Context, d *db.DB, list, name string, due time.Time) (id int64, err error) {
	var has bool
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		has, err = hasIssue(ctx, tx, list, name)
		return err
	})
	if err != nil || has {
		return 0, err
	}
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if id, err = insertIssue(ctx, tx, list, name, due); err != nil || id == 0 {
			return err
		}
		return outbox.Tell(ctx, tx, event.NewsletterDue, event.Issue{IssueID: id})
	})
	return id, err
}

// Break has a post sent to all who get a list of the kind breaking, now and once. ErrSent when that was done. The
// paper's workers send it.
func Break(ctx context.Context, d *db.DB, s Stories, list string, postID int64) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if n := ed.Newsletter(list); n == nil || n.Kind != edition.NewsletterBreaking {
		return web.ErrInvalidArgs.On("list")
	}
	story, err := s.Post(ctx, postID)
	if err != nil {
		return err
	}
	if story.URL == "" {
		return web.ErrInvalidArgs.On("post")
	}
	id, err := begin(ctx, d, list, postName(postID), d.Now())
	if err == nil && id == 0 {
		return ErrSent
	}
	return err
}

const postPrefix = "post:"

func postName(id int64) string { return postPrefix + strconv.FormatInt(id, 10) }

// prepare puts an issue together and files who gets it. It goes on where it was interrupted: the text is written down
// before the first recipient, and recipients are filed in parts, each with its job in one transaction.
func (m *Module) prepare(ctx context.Context, e event.Issue) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var i *issue
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		i, err = findIssue(ctx, tx, e.IssueID)
		return err
	})
	if err != nil || i == nil {
		return err
	}
	n := ed.Newsletter(i.List)
	if n == nil || m.db.Now().After(i.DueAt.Add(usefulFor)) {
		m.log.WarnContext(ctx, "an issue is of no use any more", "list", i.List, "issue", i.Name)
		return m.keep(ctx, i, nil)
	}
	if i.State == "due" {
		c, err := m.compose(ctx, n, i)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, i, c); err != nil {
			return err
		}
	}
	for more := true; more; {
		if more, err = m.plan(ctx, e.IssueID); err != nil {
			return err
		}
	}
	return nil
}

// keep writes the text of an issue down; nil or one without stories is none, and nobody gets it.
func (m *Module) keep(ctx context.Context, i *issue, c *content) error {
	state := "planning"
	if c == nil || len(c.Stories) == 0 {
		state = "empty"
		m.log.InfoContext(ctx, "an issue is left out: there is nothing to tell", "list", i.List, "issue", i.Name)
	}
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return keepContent(ctx, tx, i.ID, b, state) })
}

// plan files the next part of an issue's recipients and reports whether there is more.
func (m *Module) plan(ctx context.Context, id int64) (more bool, err error) {
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		i, err := lockIssue(ctx, tx, id)
		if err != nil || i == nil || i.State != "planning" {
			return err
		}
		last, _, err := planNext(ctx, tx, i, batchSize)
		if err != nil {
			return err
		}
		if last == 0 {
			return markPlanned(ctx, tx, id)
		}
		more = true
		return outbox.Once(ctx, tx, event.NewsletterBatch, event.IssueBatch{IssueID: id, After: i.Reached, Last: last},
			fmt.Sprintf("newsletter:%d:%d", id, last))
	})
	return more, err
}

// compose asks content what an issue tells.
func (m *Module) compose(ctx context.Context, n *edition.Newsletter, i *issue) (*content, error) {
	switch n.Kind {
	case edition.NewsletterTopic:
		topic, list, err := m.stories.Topic(ctx, maxStories)
		if err != nil || topic.URL == "" {
			return nil, err
		}
		return &content{Title: topic.Title, Intro: topic.Text, URL: topic.URL, Stories: list}, nil
	case edition.NewsletterBreaking:
		id, err := strconv.ParseInt(i.Name[min(len(postPrefix), len(i.Name)):], 10, 64)
		if err != nil {
			return nil, jobs.Skip(fmt.Errorf("newsletter: an issue of breaking news is called %q", i.Name))
		}
		story, err := m.stories.Post(ctx, id)
		if err != nil || story.URL == "" {
			return nil, err
		}
		return &content{Stories: []Story{story}}, nil
	}
	since, err := m.since(ctx, i)
	if err != nil {
		return nil, err
	}
	list, short, err := m.stories.Since(ctx, since, maxStories, maxMinutes)
	return &content{Stories: slices.Clip(list), Short: short}, err
}

// since is the time of the last brief, not more than two days ago: a paper that was away does not tell old news.
func (m *Module) since(ctx context.Context, i *issue) (since time.Time, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		since, err = lastIssue(ctx, tx, i)
		return err
	})
	if day := i.DueAt.Add(-24 * time.Hour); since.IsZero() {
		since = day
	}
	if oldest := i.DueAt.Add(-48 * time.Hour); since.Before(oldest) {
		since = oldest
	}
	return since, err
}
