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

// tellEvery is how often the rest of the paper hears of a busy discussion.
const tellEvery = time.Second

// tell has the comments of a post counted and shown anew. Of all that happens within a second one word goes out, a
// second after its end, when those who wrote in it are long done.
func tell(ctx context.Context, tx db.Tx, postID int64) error {
	_, due := toldOf(tx, postID)
	return outbox.LaterOnce(ctx, tx, event.DiscussionChanged, event.Discussed{PostID: postID}, due,
		"discussion.changed:"+strconv.FormatInt(postID, 10)+":"+strconv.FormatInt(due.Unix(), 10))
}

// toldKey is a discussion.
type toldKey struct {
	edition string
	post    int64
}

func toldOf(tx db.Tx, postID int64) (toldKey, time.Time) {
	return toldKey{tx.Edition.ID, postID}, tx.Now.Truncate(tellEvery).Add(2 * tellEvery)
}

// told are the last words that this process knows to be written down, so that a rush of comments does not ask the
// database for each whether it is.
type told struct {
	mu   sync.Mutex
	last map[toldKey]time.Time
}

// mostTold bounds what is remembered.
const mostTold = 1000

func (t *told) is(k toldKey, due time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last[k].Equal(due)
}

// note is called when the word is committed.
func (t *told) note(k toldKey, due time.Time) {
	if due.IsZero() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || len(t.last) >= mostTold {
		t.last = map[toldKey]time.Time{}
	}
	t.last[k] = due
}
