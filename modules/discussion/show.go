package discussion

import (
	"context"
	"crypto/rand"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Who looks at a discussion; what they may do follows from it.
const (
	viewerAnonymous = "anonymous"
	viewerReader    = "reader" // signed in, without a subscription
	viewerWriter    = "writer"
	viewerBanned    = "banned"
)

// States of a comment as it is shown.
const (
	stateShown   = "shown"
	stateHidden  = "hidden"  // by a moderator; only moderators are given its text
	stateRemoved = "removed" // by its reader
)

// Data is DiscussionData of openapi.yaml.
type Data struct {
	Post    About    `json:"post"`
	Count   int      `json:"count"`
	Threads []Thread `json:"threads"`
	Next    string   `json:"next,omitempty"`  // address of the threads before these
	Whole   string   `json:"whole,omitempty"` // address of the discussion, where this is a part of one thread
	Code    string   `json:"code,omitempty"`  // address of the code of conduct
	Longest int      `json:"longest"`
	Viewer  Viewer   `json:"viewer"`
	Open    *Open    `json:"open,omitempty"`
}

// About is the post that is discussed.
type About struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Shown is a comment.
type Shown struct {
	ID       int64      `json:"id"`
	Name     string     `json:"name"` // "" when the account is gone, or the comment is
	Text     string     `json:"text"`
	State    string     `json:"state"`
	Date     time.Time  `json:"date"` // whole seconds, because <time> allows no microseconds
	Edited   *time.Time `json:"edited,omitempty"`
	Likes    int        `json:"likes"`
	Mine     bool       `json:"mine,omitempty"`
	Liked    bool       `json:"liked,omitempty"`
	Reported bool       `json:"reported,omitempty"`
	Editable bool       `json:"editable,omitempty"`
	Reports  int        `json:"reports,omitempty"` // for moderators
}

// Thread is a comment with its answers.
type Thread struct {
	Shown
	Replies []Shown `json:"replies"`
	More    string  `json:"more,omitempty"` // address of the answers after these
	last    int64   // the answer after which there are more; 0 when these are all
}

// Viewer is who looks.
type Viewer struct {
	State     string `json:"state"`
	Name      string `json:"name,omitempty"`
	Moderator bool   `json:"moderator,omitempty"`
	Ban       *Ban   `json:"ban,omitempty"`
	Key       string `json:"key,omitempty"` // of the next comment, where no script makes one
	Draft     *draft `json:"draft,omitempty"`
	Offer     bool   `json:"offer,omitempty"` // there is something to buy
}

// Open is the form that stands open, where the address asks for one.
type Open struct {
	Form    string `json:"form"` // reply, edit, report, moderate
	Comment int64  `json:"comment"`
}

// window is a part of a discussion: the threads before one (0: the newest), or the answers of one thread after one.
type window struct{ before, thread, after int64 }

// holds reports whether a post has what a window names.
func (m *Module) holds(ctx context.Context, postID int64, w window) (ok bool, err error) {
	if w == (window{}) {
		return true, nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		ok, err = hasComments(ctx, tx, postID, w)
		return err
	})
	return ok, err
}

// view loads what a reader (0: a visitor) may see of a discussion.
func (m *Module) view(ctx context.Context, postID, readerID int64, w window) (d Data, more bool, err error) {
	if d.Viewer, err = m.viewer(ctx, readerID); err != nil {
		return d, false, err
	}
	everything := d.Viewer.Moderator
	var threads, replies []comment
	var last map[int64]int64
	var k marks
	reports := map[int64]int{}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if d.Count, err = countShown(ctx, tx, postID); err != nil {
			return err
		}
		if threads, err = listThreads(ctx, tx, postID, w, everything); err != nil {
			return err
		}
		if more = len(threads) > threadsAPage; more {
			threads = threads[:threadsAPage]
		}
		ids := make([]int64, 0, len(threads))
		for _, c := range threads {
			ids = append(ids, c.ID)
		}
		if replies, last, err = m.replies(ctx, tx, ids, w.after, readerID, everything); err != nil {
			return err
		}
		for _, c := range replies {
			ids = append(ids, c.ID)
		}
		if k, err = findMarks(ctx, tx, readerID, ids); err != nil {
			return err
		}
		if everything {
			if reports, err = countReports(ctx, tx, ids); err != nil {
				return err
			}
		}
		return m.personal(ctx, tx, readerID, postID, &d.Viewer)
	})
	if err != nil {
		return d, false, err
	}
	names, err := m.namesOf(ctx, threads, replies)
	if err != nil {
		return d, false, err
	}
	now := m.db.Now()
	shown := func(c *comment) Shown {
		s := Shown{
			ID: c.ID, State: stateShown, Date: c.CreatedAt.Truncate(time.Second),
			Likes: c.Likes, Reports: reports[c.ID],
		}
		switch {
		case c.RemovedAt != nil:
			s.State, s.Likes = stateRemoved, 0
			return s
		case c.HiddenAt != nil:
			s.State = stateHidden
			if !everything {
				s.Likes = 0
				return s
			}
		}
		s.Name, s.Text, s.Edited = names[c.ReaderID], c.Body, c.EditedAt
		s.Mine, s.Liked, s.Reported = readerID != 0 && c.ReaderID == readerID, k.liked[c.ID], k.reported[c.ID]
		s.Editable = s.Mine && c.HiddenAt == nil && d.Viewer.State == viewerWriter && now.Sub(c.CreatedAt) <= editableFor
		return s
	}
	place := make(map[int64]int, len(threads))
	d.Threads = make([]Thread, len(threads))
	for i := range threads {
		place[threads[i].ID] = i
		d.Threads[i] = Thread{Shown: shown(&threads[i]), Replies: []Shown{}, last: last[threads[i].ID]}
	}
	for i := range replies {
		t := &d.Threads[place[replies[i].ParentID]]
		t.Replies = append(t.Replies, shown(&replies[i]))
	}
	return d, more, nil
}

// replies are the answers of threads that a page shows, the oldest first, and by thread the last of those after which
// there are more. A reader's own newest ones are among them: who has just written looks for them.
func (m *Module) replies(ctx context.Context, tx db.Tx, roots []int64, after, readerID int64, everything bool) (
	replies []comment, last map[int64]int64, err error,
) {
	found, err := listReplies(ctx, tx, roots, after, everything)
	if err != nil {
		return nil, nil, err
	}
	count, newest, last := map[int64]int{}, map[int64]int64{}, map[int64]int64{}
	var cut []int64
	for _, c := range found {
		if count[c.ParentID]++; count[c.ParentID] > repliesAThread {
			cut = append(cut, c.ParentID)
			last[c.ParentID] = newest[c.ParentID]
			continue
		}
		replies = append(replies, c)
		newest[c.ParentID] = c.ID
	}
	if len(cut) == 0 || readerID == 0 {
		return replies, last, nil
	}
	own, err := listOwnReplies(ctx, tx, cut, readerID)
	for _, c := range own {
		if c.ID > last[c.ParentID] {
			replies = append(replies, c)
		}
	}
	return replies, last, err
}

func (m *Module) namesOf(ctx context.Context, lists ...[]comment) (map[int64]string, error) {
	var readers []int64
	for _, list := range lists {
		for _, c := range list {
			if c.ReaderID != 0 {
				readers = append(readers, c.ReaderID)
			}
		}
	}
	return m.readers.CommentNames(ctx, unique(readers))
}

// viewer is what others know of a reader.
func (m *Module) viewer(ctx context.Context, readerID int64) (v Viewer, err error) {
	if readerID == 0 {
		return Viewer{State: viewerAnonymous}, nil
	}
	names, err := m.readers.CommentNames(ctx, []int64{readerID})
	if err != nil {
		return v, err
	}
	v = Viewer{State: viewerReader, Name: names[readerID]}
	if v.Moderator, err = m.readers.HasRole(ctx, readerID, role); err != nil {
		return v, err
	}
	until, err := m.subscriptions.ActiveUntil(ctx, readerID)
	if err != nil {
		return v, err
	}
	if until.After(m.db.Now()) {
		v.State, v.Key = viewerWriter, rand.Text()
		return v, nil
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return v, err
	}
	legacy, err := m.readers.Legacy(ctx, readerID)
	v.Offer = ed.Flags["subscriptions"] && !legacy
	return v, err
}

// personal adds what this module knows of a reader.
func (m *Module) personal(ctx context.Context, tx db.Tx, readerID, postID int64, v *Viewer) (err error) {
	if readerID == 0 {
		return nil
	}
	if v.Draft, err = findDraft(ctx, tx, readerID, postID); err != nil {
		return err
	}
	if v.Ban, err = findBan(ctx, tx, readerID); v.Ban != nil {
		v.State = viewerBanned
	}
	return err
}
