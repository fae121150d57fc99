package sessions

import (
	"context"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/session"
)

// Created is a new session: the token goes into the browser's cookie and is stored nowhere.
type Created struct {
	ID     int64
	Token  string
	Handle string // public name of the session
	Until  time.Time
}

// Create makes a session of a reader who has just logged in.
func Create(ctx context.Context, tx db.Tx, readerID int64, device string) (Created, error) {
	c := Created{Token: secret.New(), Handle: secret.New()[:22], Until: tx.Now.Add(TTL)}
	err := tx.NewRaw(`INSERT INTO identity_sessions (reader_id, token_hash, handle, device, created_at, seen_at,
		expires_at, version)
		VALUES (?0, ?1, ?2, ?3, ?4, ?4, ?5, ?6) RETURNING id`, readerID, secret.Hash(c.Token), c.Handle, device, tx.Now,
		c.Until, tx.Edition.Identity.SessionVersion).Scan(ctx, &c.ID)
	return c, err
}

// live is the condition of a session that lives; it takes now and the earliest last use.
const live = "ended_at IS NULL AND expires_at > ?0 AND seen_at > ?1"

// seenSession is a session and when its use was noted last.
type seenSession struct {
	session.Session
	SeenAt time.Time
}

// findSession returns the live session of a token, or nil.
func findSession(ctx context.Context, tx db.Tx, tokenHash []byte) (*seenSession, error) {
	s := new(seenSession)
	return db.One(s, tx.NewRaw("SELECT id, reader_id, handle, seen_at FROM identity_sessions WHERE "+live+
		" AND token_hash = ?2 AND version >= ?3",
		tx.Now, tx.Now.Add(-IdleTTL), tokenHash, tx.Edition.Identity.SessionVersion).Scan(ctx, s))
}

// noteSeen notes that a session is used.
func noteSeen(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE identity_sessions SET seen_at = ?0 WHERE id = ?1 AND seen_at < ?0", tx.Now, id).Exec(ctx)
	return err
}

// OfferExchange lets a live session of an older version be exchanged, and reports whether there is one.
func OfferExchange(ctx context.Context, tx db.Tx, token, exchange string, until time.Time) (bool, error) {
	return db.Changed(tx.NewRaw("UPDATE identity_sessions SET exchange_hash = ?2, exchange_until = ?3 WHERE "+live+
		" AND token_hash = ?4 AND version < ?5",
		tx.Now, tx.Now.Add(-IdleTTL), secret.Hash(exchange), until, secret.Hash(token),
		tx.Edition.Identity.SessionVersion).Exec(ctx))
}

// TakeExchange ends the session that is exchanged and returns its reader, or nil: both secrets must be of one session.
func TakeExchange(ctx context.Context, tx db.Tx, token, exchange string) (*reader.Reader, error) {
	r := new(reader.Reader)
	return db.One(r, tx.NewRaw(`WITH old AS (UPDATE identity_sessions SET ended_at = ?0, exchange_hash = NULL
			WHERE `+live+` AND token_hash = ?2 AND exchange_hash = ?3 AND exchange_until > ?0 RETURNING reader_id)
		SELECT id, email FROM identity_readers WHERE id = (SELECT reader_id FROM old) FOR UPDATE`,
		tx.Now, tx.Now.Add(-IdleTTL), secret.Hash(token), secret.Hash(exchange)).Scan(ctx, r))
}

// FindByHandle returns the session of a public name while that alone may read, or nil.
func FindByHandle(ctx context.Context, tx db.Tx, handle string) (*session.Session, error) {
	s := new(session.Session)
	return db.One(s, tx.NewRaw("SELECT id, reader_id, handle FROM identity_sessions WHERE "+live+
		" AND handle = ?2 AND created_at > ?3 AND version >= ?4",
		tx.Now, tx.Now.Add(-IdleTTL), handle, tx.Now.Add(-HandleTTL), tx.Edition.Identity.SessionVersion).Scan(ctx, s))
}

// IsFresh reports whether the login of a session is at most FreshLogin old.
func IsFresh(ctx context.Context, tx db.Tx, id int64) (bool, error) {
	return db.Get[bool](ctx, tx.NewRaw("SELECT EXISTS (SELECT FROM identity_sessions WHERE id = ? AND created_at >= ?)",
		id, tx.Now.Add(-FreshLogin)))
}

// IsLive reports whether a session lives and is of the reader of an address.
func IsLive(ctx context.Context, tx db.Tx, id int64, email string) (bool, error) {
	return db.Get[bool](ctx, tx.NewRaw("SELECT EXISTS (SELECT FROM identity_sessions WHERE "+live+
		" AND id = ?2 AND reader_id = (SELECT id FROM identity_readers WHERE email = ?3))",
		tx.Now, tx.Now.Add(-IdleTTL), id, email))
}

// EndOne ends a session of that reader, and reports whether the reader has one of that id.
func EndOne(ctx context.Context, tx db.Tx, readerID, id int64) (bool, error) {
	return db.Changed(tx.NewRaw("UPDATE identity_sessions SET ended_at = coalesce(ended_at, ?) "+
		"WHERE reader_id = ? AND id = ?", tx.Now, readerID, id).Exec(ctx))
}

// EndAllBut ends the reader's sessions but one; an id of 0 keeps none.
func EndAllBut(ctx context.Context, tx db.Tx, readerID, kept int64) (int64, error) {
	return db.Affected(tx.NewRaw("UPDATE identity_sessions SET ended_at = ? "+
		"WHERE reader_id = ? AND id <> ? AND ended_at IS NULL", tx.Now, readerID, kept).Exec(ctx))
}

// EndLive ends the reader's sessions and returns how many of them were live.
func EndLive(ctx context.Context, tx db.Tx, readerID int64) (int64, error) {
	return db.Affected(tx.NewRaw("UPDATE identity_sessions SET ended_at = ?0 WHERE "+live+" AND reader_id = ?2",
		tx.Now, tx.Now.Add(-IdleTTL), readerID).Exec(ctx))
}

// CountLive returns how many live sessions a reader has.
func CountLive(ctx context.Context, tx db.Tx, readerID int64) (int, error) {
	return db.Get[int](ctx, tx.NewRaw("SELECT count(*) FROM identity_sessions WHERE "+live+" AND reader_id = ?2",
		tx.Now, tx.Now.Add(-IdleTTL), readerID))
}

func listLive(ctx context.Context, tx db.Tx, readerID int64) ([]Device, error) {
	list := []Device{}
	err := tx.NewRaw("SELECT id, device, created_at, seen_at FROM identity_sessions WHERE "+live+
		" AND reader_id = ?2 ORDER BY id DESC", tx.Now, tx.Now.Add(-IdleTTL), readerID).Scan(ctx, &list)
	return list, err
}
