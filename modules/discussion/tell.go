package discussion

import (
	"context"
	"strconv"
	"sync"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// noticeInterval is how often the rest of the paper hears of a busy discussion.
const noticeInterval = time.Second

// tell has the comments of a post counted and shown anew. Of all that happens within a second one word goes out, a
// second after its end, when those who wrote in it are long done.
func tell(ctx context.Context, tx db.Tx, postID int64) error {
	_, due := noticeKeyOf(tx, postID)
	return outbox.LaterOnce(ctx, tx, event.DiscussionChanged, event.Discussed{PostID: postID}, due,
		"discussion.changed:"+strconv.FormatInt(postID, 10)+":"+strconv.FormatInt(due.Unix(), 10))
}

// noticeKey is a discussion.
type noticeKey struct {
	edition string
	post    int64
}

func noticeKeyOf(tx db.Tx, postID int64) (noticeKey, time.Time) {
	return noticeKey{tx.Edition.ID, postID}, tx.Now.Truncate(noticeInterval).Add(2 * noticeInterval)
}

// noticeLog are the last words that this process knows to be written down, so that a rush of comments does not ask the
// database for each whether it is.
type noticeLog struct {
	mu   sync.Mutex
	last map[noticeKey]time.Time
}

// maxNotices bounds what is remembered.
const maxNotices = 1000

func (t *noticeLog) is(k noticeKey, due time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last[k].Equal(due)
}

// note is called when the word is committed.
func (t *noticeLog) note(k noticeKey, due time.Time) {
	if due.IsZero() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || len(t.last) >= maxNotices {
		t.last = map[noticeKey]time.Time{}
	}
	t.last[k] = due
}
