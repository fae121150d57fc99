package jobs

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"example.org/broadsheet/platform/db"
)

// delay is how long a row waits because a server failed it.
type delay struct {
	server string
	until  time.Time // as it stands in the row, unless somebody has taken it up since
}

// delays are the rows that this process has failed because of a server, so that they need not wait for their next try
// if it recovers before.
type delays struct {
	mu        sync.Mutex
	waiting   map[int64]delay // by number
	recovered map[int64]delay
	last      map[string]time.Time // recovery of each server
}

// manyDelays is from how many rows on those are forgotten that are due anyway.
const manyDelays = 1000

// add notes a row that has failed. It need not wait if the server has recovered since its call began.
func (s *delays) add(id int64, d delay, began, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init()
	if s.last[d.server].After(began) {
		s.recovered[id] = d
		return
	}
	if len(s.waiting) >= manyDelays {
		maps.DeleteFunc(s.waiting, func(_ int64, d delay) bool { return !d.until.After(now) })
	}
	s.waiting[id] = d
}

func (s *delays) init() {
	if s.waiting == nil {
		s.waiting, s.recovered, s.last = map[int64]delay{}, map[int64]delay{}, map[string]time.Time{}
	}
}

// recover marks the rows of a server, and reports whether there are any.
func (s *delays) recover(server string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init()
	s.last[server] = time.Now()
	for id, d := range s.waiting {
		if d.server == server {
			s.recovered[id] = d
			delete(s.waiting, id)
		}
	}
	return len(s.recovered) > 0
}

// marked returns up to a batch of the rows that recover has marked.
func (s *delays) marked() map[int64]delay {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := map[int64]delay{}
	for id, d := range s.recovered {
		if rows[id] = d; len(rows) == batch {
			break
		}
	}
	return rows
}

func (s *delays) forget(rows map[int64]delay) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.recovered, func(id int64, d delay) bool { return rows[id] == d })
}

// Recovered has the rows run at once that wait because of a server. It is called when calls to the server no longer
// pause, and returns at once.
func (w *Worker) Recovered(server string) {
	w.mu.Lock()
	workers := slices.Collect(maps.Values(w.workers))
	w.mu.Unlock()
	for _, l := range workers {
		if l.delays.recover(server) {
			l.look()
		}
	}
}

// advance makes rows due that a server no longer holds up. A row that was taken up since has another claim and is left
// alone.
func (l *editionWorker) advance(ctx context.Context) error {
	rows := l.delays.marked()
	if len(rows) == 0 {
		return nil
	}
	type change struct {
		ID    int64     `bun:"id"`
		Until time.Time `bun:"until"`
	}
	changes := make([]change, 0, len(rows))
	for id, d := range rows {
		changes = append(changes, change{id, d.until})
	}
	err := l.w.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`UPDATE outbox o SET next_at = ?, claimed_until = NULL FROM (?) AS c (id, until)
			WHERE o.id = c.id::bigint AND o.claimed_until = c.until::timestamptz AND o.done_at IS NULL AND o.dead_at IS NULL`,
			tx.Now, tx.NewValues(&changes)).Exec(ctx)
		return err
	})
	if err == nil {
		l.delays.forget(rows)
	}
	return err
}
