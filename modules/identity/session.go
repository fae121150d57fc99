package identity

import (
	"context"
	"crypto/sha256"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// sessionCache spares the database a question per request. Entries live for seconds; sessions that end are told to
// all processes, so that logging out is heard at once.
type sessionCache struct {
	clock   *clock.Clock
	entries *otter.Cache[sessionKey, cachedSession]
	round   atomic.Uint64 // of forgetting: an answer that was asked for before it is not kept
}

type sessionKey struct {
	edition string
	token   [sha256.Size]byte
}

type cachedSession struct {
	session.Session
	until time.Time
}

func newSessionCache(c *clock.Clock) *sessionCache {
	return &sessionCache{
		clock:   c,
		entries: otter.Must(&otter.Options[sessionKey, cachedSession]{MaximumSize: cacheSessions}),
	}
}

func (c *sessionCache) get(k sessionKey) (session.Session, bool) {
	e, ok := c.entries.GetIfPresent(k)
	if !ok || !c.clock.Now().Before(e.until) {
		return session.Session{}, false
	}
	return e.Session, true
}

func (c *sessionCache) put(k sessionKey, s session.Session, round uint64) {
	c.entries.Set(k, cachedSession{s, c.clock.Now().Add(cacheLife)})
	if c.round.Load() != round {
		c.entries.Invalidate(k)
	}
}

func (c *sessionCache) forget(readers ...int64) {
	c.round.Add(1)
	for k, e := range c.entries.All() {
		for _, id := range readers {
			if e.ReaderID == id {
				c.entries.Invalidate(k)
			}
		}
	}
}

func (c *sessionCache) forgetAll() {
	c.round.Add(1)
	c.entries.InvalidateAll()
}

// Forget drops what is remembered of readers' sessions, by the keys of a notice; no keys means all.
func (m *Module) Forget(readerIDs ...string) {
	var ids []int64
	for _, s := range readerIDs {
		id, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			m.sessions.forgetAll()
			return
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		m.sessions.forgetAll()
		return
	}
	m.sessions.forget(ids...)
}

// ForgetAll drops all remembered sessions.
func (m *Module) ForgetAll() { m.sessions.forgetAll() }

// Authenticate finds the live session of a cookie's token: not ended, used within 30 days, begun within 90.
func (m *Module) Authenticate(ctx context.Context, token string) (session.Session, bool, error) {
	ed, err := edition.From(ctx)
	if err != nil || !secret.Valid(token) {
		return session.Session{}, false, err
	}
	k := sessionKey{ed.ID, sha256.Sum256([]byte(token))}
	if s, ok := m.sessions.get(k); ok {
		return s, true, nil
	}
	round := m.sessions.round.Load()
	var s *seenSession
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		s, err = findSession(ctx, tx, k.token[:])
		return err
	})
	if err != nil || s == nil {
		return session.Session{}, false, err
	}
	if m.db.Now().Sub(s.SeenAt) >= seenEvery {
		// Apart, because a session that lives is one also where that could not be written down.
		if err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return noteSeen(ctx, tx, s.ID) }); err != nil {
			m.log.WarnContext(ctx, "the use of a session could not be noted", "error", err)
		}
	}
	m.sessions.put(k, s.Session, round)
	return s.Session, true, nil
}

// SignOut ends the session of ctx. Without one there is nothing to do; one that could not be looked up may live.
func (m *Module) SignOut(ctx context.Context) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.SessionFailure(ctx)
	}
	_, err := m.EndSession(ctx, s.ID)
	if err == nil {
		m.note(ctx, s.ReaderID, loggedOut, "", "")
	}
	return err
}

// loggedOut is what a logout is called in the record of what readers did.
const loggedOut = "user_used_logout"

// EndSession ends one of the reader's own sessions and reports whether it is the one of ctx. Somebody else's is
// INVALID_ARGS, as one that never was; one that is over already is no error.
func (m *Module) EndSession(ctx context.Context, id int64) (current bool, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return false, web.ErrNotSignedIn
	}
	found := false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if found, err = endSession(ctx, tx, s.ReaderID, id); err != nil || !found {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, strconv.FormatInt(s.ReaderID, 10))
	})
	if err != nil {
		return false, err
	}
	if !found {
		return false, web.ErrInvalidArgs.On("id")
	}
	m.sessions.forget(s.ReaderID)
	m.log.InfoContext(ctx, "a session was ended", "security", true, "reader", s.ReaderID)
	return id == s.ID, nil
}

// EndOthers ends all of the reader's sessions but the one of ctx, and tells how many there were.
func (m *Module) EndOthers(ctx context.Context) (n int64, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return 0, web.ErrNotSignedIn
	}
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if n, err = endOtherSessions(ctx, tx, s.ReaderID, s.ID); err != nil || n == 0 {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, readerKey(s.ReaderID))
	})
	if err != nil {
		return 0, err
	}
	m.sessions.forget(s.ReaderID)
	m.log.InfoContext(ctx, "all other sessions were ended", "security", true, "reader", s.ReaderID, "sessions", n)
	return n, nil
}

// Sessions lists the reader's live sessions, the newest first.
func (m *Module) Sessions(ctx context.Context) (list []Device, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return nil, web.ErrNotSignedIn
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listSessions(ctx, tx, s.ReaderID)
		return err
	})
	for i := range list {
		list[i].Current = list[i].ID == s.ID
	}
	return list, err
}
