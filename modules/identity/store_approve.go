package identity

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// waiting is a login that can still be answered.
const waiting = `superseded_at IS NULL AND link_used_at IS NULL AND code_used_at IS NULL AND approved_at IS NULL AND denied_at IS NULL
	AND purpose = 'login' AND expires_at > ?0`

func listLoginRequests(ctx context.Context, tx db.Tx, email string) (list []LoginRequest, err error) {
	err = tx.NewRaw("SELECT id, device, created_at AS at FROM identity_login_attempts WHERE "+waiting+" AND email = ?1 ORDER BY id DESC",
		tx.Now, email).Scan(ctx, &list)
	return list, err
}

// answerAttempt tells whether there is such a login of that reader, not answered yet.
func answerAttempt(ctx context.Context, tx db.Tx, id, readerID, sessionID int64, yes bool) (bool, error) {
	set := "denied_at = ?0, superseded_at = ?0"
	if yes {
		set = "approved_at = ?0, approved_by = ?3"
	}
	res, err := tx.NewRaw("UPDATE identity_login_attempts SET "+set+" WHERE "+waiting+
		" AND id = ?1 AND email = (SELECT email FROM identity_readers WHERE id = ?2)", tx.Now, id, readerID, sessionID).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// findAttemptOfBrowser is the newest login that a browser has asked for, or nil.
func findAttemptOfBrowser(ctx context.Context, tx db.Tx, browserHash []byte, lock bool) (*attempt, error) {
	query := "SELECT " + attemptColumns + " FROM identity_login_attempts WHERE browser_hash = ? AND created_at > ? ORDER BY id DESC LIMIT 1"
	if lock {
		query += " FOR UPDATE"
	}
	a := new(attempt)
	return db.One(a, tx.NewRaw(query, browserHash, tx.Now.Add(-attemptKept)).Scan(ctx, a))
}

// isSessionOf tells whether a session lives and is of the reader of an address.
func isSessionOf(ctx context.Context, tx db.Tx, id int64, email string) (lives bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM identity_sessions WHERE "+liveSession+" AND id = ?2 AND reader_id = (SELECT id FROM identity_readers WHERE email = ?3))",
		tx.Now, tx.Now.Add(-sessionIdle), id, email).Scan(ctx, &lives)
	return lives, err
}

// spendAttempt makes link and code of a login void with it.
func spendAttempt(ctx context.Context, tx db.Tx, id int64) error {
	return exactlyOne(tx.NewRaw(`UPDATE identity_login_attempts SET link_used_at = ?0, code_used_at = ?0
		WHERE id = ?1 AND link_used_at IS NULL AND code_used_at IS NULL`, tx.Now, id).Exec(ctx))
}
