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

// lost reports whether the queue has forgotten what it held since it was last asked. It puts its mark there again.
func (w *Worker) lost(ctx context.Context) (bool, error) {
	mark, err := w.redis.Get(ctx, markKey).Result()
	if errors.Is(err, redis.Nil) {
		if err = w.redis.SetNX(ctx, markKey, rand.Text(), 0).Err(); err == nil {
			w.mark, err = w.redis.Get(ctx, markKey).Result() // of whoever came first
		}
		return err == nil, err
	}
	if err != nil {
		return false, err
	}
	// Who has just begun knows no mark, and leaves what is there to those that have seen it come.
	lost := w.mark != "" && w.mark != mark
	w.mark = mark
	return lost, nil
}

// forget notes that the queue has lost what it was given until a time: the next answer of the queue hands that over
// again.
func (l *editionWorker) forget(at time.Time) { l.away.Store(&at) }
