// Package sessions is where a browser stays logged in: a session is made by a login (Create in store.go), found by the
// token of a cookie, and ended by its reader, by support or by time. Live sessions are kept in memory for some seconds
// (cache.go).
//
// Of modules/identity it imports reader and secret. Begin with Authenticate.
package sessions

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"strconv"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// How long a session lives.
const (
	TTL       = 90 * 24 * time.Hour
	IdleTTL   = 30 * 24 * time.Hour // without being used
	SeenEvery = time.Hour           // how often its use is noted
	HandleTTL = 15 * time.Minute    // of what a handle alone may read, where an edition says so
	kept      = 30 * 24 * time.Hour // after its end
)

// ErrLoginTooOld asks for a new login before all that is kept of a reader is handed out, or an account gets another way
// in.
var ErrLoginTooOld = fault.New(fault.Forbidden, "LOGIN_TOO_OLD")

// FreshLogin is how old the login of a session may be for that: a session lives for months in a browser that others may
// come to use.
const FreshLogin = 24 * time.Hour

// Device is one session as its reader sees it.
type Device struct {
	ID        int64     `json:"id"`
	Current   bool      `json:"current"`
	Device    string    `json:"device"` // "Firefox, Linux"; may be empty
	CreatedAt time.Time `json:"created_at"`
	SeenAt    time.Time `json:"seen_at"` // to the hour
}

// Sessions are the sessions of all editions.
type Sessions struct {
	db    *db.DB
	log   *slog.Logger
	cache *cache
}

// New makes the sessions.
func New(d *db.DB, log *slog.Logger) *Sessions {
	return &Sessions{db: d, log: log, cache: newCache(d.Clock())}
}

// Forget drops what is remembered of readers' sessions, by the keys of a notice; no keys means all.
func (l *Sessions) Forget(readerIDs ...string) {
	var ids []int64
	for _, text := range readerIDs {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			l.cache.forgetAll()
			return
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		l.cache.forgetAll()
		return
	}
	l.cache.forget(ids...)
}

// ForgetReader drops what this process remembers of a reader's sessions.
func (l *Sessions) ForgetReader(readerID int64) { l.cache.forget(readerID) }

// ForgetAll drops all remembered sessions.
func (l *Sessions) ForgetAll() { l.cache.forgetAll() }

// Remembered is Authenticate for a session that this process has found in the last seconds; it waits for nothing.
func (l *Sessions) Remembered(ctx context.Context, token string) (session.Session, bool) {
	k, ok, err := keyOf(ctx, token)
	if err != nil || !ok {
		return session.Session{}, false
	}
	return l.cache.get(k)
}

// keyOf is where a token's session is remembered; false for what is no token.
func keyOf(ctx context.Context, token string) (cacheKey, bool, error) {
	ed, err := edition.From(ctx)
	if err != nil || !secret.Valid(token) {
		return cacheKey{}, false, err
	}
	return cacheKey{ed.ID, sha256.Sum256([]byte(token))}, true, nil
}

// Authenticate finds the live session of a cookie's token: not ended, used within 30 days, begun within 90.
func (l *Sessions) Authenticate(ctx context.Context, token string) (session.Session, bool, error) {
	k, ok, err := keyOf(ctx, token)
	if err != nil || !ok {
		return session.Session{}, false, err
	}
	if s, ok := l.cache.get(k); ok {
		return s, true, nil
	}
	round := l.cache.round.Load()
	var s *seenSession
	err = l.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		s, err = findSession(ctx, tx, k.token[:])
		return err
	})
	if err != nil || s == nil {
		return session.Session{}, false, err
	}
	if l.db.Now().Sub(s.SeenAt) >= SeenEvery {
		// Apart, because a session that lives is one also where that could not be written down.
		if err := l.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return noteSeen(ctx, tx, s.ID) }); err != nil {
			l.log.WarnContext(ctx, "session use not recorded", "error", err)
		}
	}
	l.cache.put(k, s.Session, round)
	return s.Session, true, nil
}

// End ends one of the reader's own sessions and reports whether it is the one of ctx. Somebody else's is INVALID_ARGS,
// as one that never was; one that is over already is no error.
func (l *Sessions) End(ctx context.Context, id int64) (current bool, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return false, web.ErrNotSignedIn
	}
	found := false
	err = l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if found, err = EndOne(ctx, tx, s.ReaderID, id); err != nil || !found {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, reader.Key(s.ReaderID))
	})
	if err != nil {
		return false, err
	}
	if !found {
		return false, web.ErrInvalidArgs.On("id")
	}
	l.cache.forget(s.ReaderID)
	l.log.InfoContext(ctx, "session ended", "security", true, "reader", s.ReaderID)
	return id == s.ID, nil
}

// EndOthers ends all of the reader's sessions but the one of ctx, and returns how many there were. also is done with
// it.
func (l *Sessions) EndOthers(ctx context.Context,
	also func(ctx context.Context, tx db.Tx, readerID int64) error,
) (n int64, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return 0, web.ErrNotSignedIn
	}
	err = l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if err := also(ctx, tx, s.ReaderID); err != nil {
			return err
		}
		if n, err = EndAllBut(ctx, tx, s.ReaderID, s.ID); err != nil || n == 0 {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, reader.Key(s.ReaderID))
	})
	if err != nil {
		return 0, err
	}
	l.cache.forget(s.ReaderID)
	l.log.InfoContext(ctx, "other sessions ended", "security", true, "reader", s.ReaderID, "sessions", n)
	return n, nil
}

// List returns the reader's live sessions, the newest first.
func (l *Sessions) List(ctx context.Context) (list []Device, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return nil, web.ErrNotSignedIn
	}
	err = l.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listLive(ctx, tx, s.ReaderID)
		return err
	})
	for i := range list {
		list[i].Current = list[i].ID == s.ID
	}
	return list, err
}
