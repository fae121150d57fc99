package identity

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/session"
)

// reader is one row of readers.
type reader struct {
	ID          int64
	Email       string
	CommentName string
	Type        string
	Lang        string
	Created     bool // by this statement
	FirstLogin  bool // this is the first
}

// upsertReader finds or makes the reader of an address that has just proved to be theirs.
func upsertReader(ctx context.Context, tx db.Tx, email string) (*reader, error) {
	r := new(reader)
	err := tx.NewRaw(`INSERT INTO identity_readers AS r (email, created_at, first_login_at, last_login_at) VALUES (?0,
		?1, ?1, ?1)
		ON CONFLICT (email) DO UPDATE SET first_login_at = coalesce(r.first_login_at, EXCLUDED.first_login_at),
		last_login_at = EXCLUDED.last_login_at
		RETURNING id, email, (xmax = 0) AS created, first_login_at = ?1 AS first_login`, email, tx.Now).Scan(ctx, r)
	return r, err
}

// findReader returns nil when there is none.
func findReader(ctx context.Context, tx db.Tx, id int64) (*reader, error) {
	r := new(reader)
	return db.One(r,
		tx.NewRaw("SELECT id, email, comment_name, type, lang FROM identity_readers WHERE id = ? AND erased_at IS NULL", id).
			Scan(ctx, r))
}

func insertSession(ctx context.Context, tx db.Tx, readerID int64, tokenHash []byte, handle, device string,
	until time.Time,
) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO identity_sessions (reader_id, token_hash, handle, device, created_at, seen_at,
		expires_at, version)
		VALUES (?0, ?1, ?2, ?3, ?4, ?4, ?5, ?6) RETURNING id`, readerID, tokenHash, handle, device, tx.Now, until,
		tx.Edition.Identity.SessionVersion).Scan(ctx, &id)
	return id, err
}

const liveSession = "ended_at IS NULL AND expires_at > ?0 AND seen_at > ?1"

// seenSession is a session and when its use was noted last.
type seenSession struct {
	session.Session
	SeenAt time.Time
}

// findSession returns the live session of a token, or nil.
func findSession(ctx context.Context, tx db.Tx, tokenHash []byte) (*seenSession, error) {
	s := new(seenSession)
	return db.One(s,
		tx.NewRaw("SELECT id, reader_id, handle, seen_at FROM identity_sessions WHERE "+liveSession+
			" AND token_hash = ?2 AND version >= ?3",
			tx.Now, tx.Now.Add(-sessionIdle), tokenHash, tx.Edition.Identity.SessionVersion).Scan(ctx, s))
}

// noteSeen notes that a session is used.
func noteSeen(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE identity_sessions SET seen_at = ?0 WHERE id = ?1 AND seen_at < ?0", tx.Now, id).Exec(ctx)
	return err
}

// offerExchange lets a live session of an older version be exchanged, and reports whether there is one.
func offerExchange(ctx context.Context, tx db.Tx, tokenHash, exchangeHash []byte, until time.Time) (bool, error) {
	res, err := tx.NewRaw("UPDATE identity_sessions SET exchange_hash = ?2, exchange_until = ?3 WHERE "+liveSession+
		" AND token_hash = ?4 AND version < ?5",
		tx.Now, tx.Now.Add(-sessionIdle), exchangeHash, until, tokenHash, tx.Edition.Identity.SessionVersion).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// takeExchange ends the session that is exchanged and returns its reader, or nil: both secrets must be of one session.
func takeExchange(ctx context.Context, tx db.Tx, tokenHash, exchangeHash []byte) (*reader, error) {
	r := new(reader)
	return db.One(r, tx.NewRaw(`WITH old AS (UPDATE identity_sessions SET ended_at = ?0, exchange_hash = NULL
			WHERE `+liveSession+` AND token_hash = ?2 AND exchange_hash = ?3 AND exchange_until > ?0 RETURNING reader_id)
		SELECT id, email FROM identity_readers WHERE id = (SELECT reader_id FROM old) FOR UPDATE`,
		tx.Now, tx.Now.Add(-sessionIdle), tokenHash, exchangeHash).Scan(ctx, r))
}

// findSessionByHandle returns the session of a public name while that alone may read, or nil.
func findSessionByHandle(ctx context.Context, tx db.Tx, handle string) (*session.Session, error) {
	s := new(session.Session)
	return db.One(s,
		tx.NewRaw("SELECT id, reader_id, handle FROM identity_sessions WHERE "+liveSession+" AND handle = ?2 AND "+
			"created_at > ?3 AND version >= ?4",
			tx.Now, tx.Now.Add(-sessionIdle), handle, tx.Now.Add(-handleLife), tx.Edition.Identity.SessionVersion).Scan(ctx, s))
}

// endSession ends a session of that reader, and reports whether the reader has one of that id.
func endSession(ctx context.Context, tx db.Tx, readerID, id int64) (bool, error) {
	res, err := tx.NewRaw("UPDATE identity_sessions SET ended_at = coalesce(ended_at, ?) WHERE reader_id = ? AND id = ?",
		tx.Now, readerID, id).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// endOtherSessions ends the reader's sessions but one; an id of 0 keeps none.
func endOtherSessions(ctx context.Context, tx db.Tx, readerID, kept int64) (int64, error) {
	res, err := tx.NewRaw("UPDATE identity_sessions SET ended_at = ? WHERE reader_id = ? AND id <> ? AND ended_at IS NULL",
		tx.Now, readerID, kept).Exec(ctx)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func listSessions(ctx context.Context, tx db.Tx, readerID int64) ([]Device, error) {
	list := []Device{}
	err := tx.NewRaw("SELECT id, device, created_at, seen_at FROM identity_sessions WHERE "+liveSession+
		" AND reader_id = ?2 ORDER BY id DESC",
		tx.Now, tx.Now.Add(-sessionIdle), readerID).Scan(ctx, &list)
	return list, err
}

func findPublicID(ctx context.Context, tx db.Tx, readerID int64) (id string, err error) {
	err = tx.NewRaw("SELECT public_id::text FROM identity_readers WHERE id = ?", readerID).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknownReader
	}
	return id, err
}
