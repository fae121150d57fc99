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
	server, err := w.serverID(ctx)
	if err != nil {
		return time.Time{}, err
	}
	// Who has just begun knows neither, and leaves what is there to those that have seen it come.
	if w.mark != "" && w.mark != mark || w.server != "" && w.server != server {
		until = w.db.Now()
	}
	w.mark, w.server = mark, server
	return until, nil
}

// serverID returns what Redis calls itself from its start to its end; "" where it has no name. Another one may have the
// mark and still not all that was handed over: a replica follows a moment later, and a file is written once a second.
func (w *Worker) serverID(ctx context.Context) (string, error) {
	info, err := w.redis.Info(ctx, "server").Result()
	if _, refused := errors.AsType[redis.Error](err); refused {
		return "", nil // the Redis of dev has no such section
	}
	if err != nil {
		return "", err
	}
	return infoField(info, "run_id"), nil
}

// forget notes that the queue has lost what it was given until a time: the next answer of the queue hands that over
// again.
func (l *editionWorker) forget(at time.Time) { l.away.Store(&at) }
