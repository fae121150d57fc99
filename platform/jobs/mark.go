package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// markKey is a key that stays in Redis as long as what was handed over does: where it is gone, or another, the queue
// was emptied or has begun anew.
const markKey = "broadsheet:mark"

// lost returns until when what the queue was given may be lost since it was last asked, or the zero time. It puts its
// mark there again.
func (w *Worker) lost(ctx context.Context) (until time.Time, err error) {
	asked := w.db.Now()
	mark, err := w.redis.Get(ctx, markKey).Result()
	if errors.Is(err, redis.Nil) {
		until = w.db.Now()
		first, err := w.redis.SetNX(ctx, markKey, rand.Text(), 0).Result()
		if err != nil {
			return time.Time{}, err
		}
		if !first { // who came first may have handed over again meanwhile
			until = asked
		}
		w.mark, err = w.redis.Get(ctx, markKey).Result()
		return until, err
	}
	if err != nil {
		return time.Time{}, err
	}
	// Who has just begun knows no mark, and leaves what is there to those that have seen it come.
	if w.mark != "" && w.mark != mark {
		until = w.db.Now()
	}
	w.mark = mark
	return until, nil
}

// forget notes that the queue has lost what it was given until a time: the next answer of the queue hands that over
// again.
func (l *editionWorker) forget(at time.Time) { l.away.Store(&at) }
