package identity

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// unanswered is the condition of a login that can still be answered.
const unanswered = `superseded_at IS NULL AND link_used_at IS NULL AND code_used_at IS NULL AND approved_at IS NULL ` +
	`AND ` +
	`denied_at IS NULL
	AND purpose = 'login' AND expires_at > ?0`

func listLoginRequests(ctx context.Context, tx db.Tx, email string) (list []LoginRequest, err error) {
	err = tx.NewRaw("SELECT id, device, nonce, created_at AS at FROM identity_login_attempts WHERE "+unanswered+
		" AND email = ?1 ORDER BY id DESC",
		tx.Now, email).Scan(ctx, &list)
	return list, err
}

// lockWaitingAttempt returns the nonce of a login of that reader that is not answered yet, or nil.
func lockWaitingAttempt(ctx context.Context, tx db.Tx, id, readerID int64) ([]byte, error) {
	return db.Get[[]byte](ctx, tx.NewRaw("SELECT nonce FROM identity_login_attempts WHERE "+unanswered+
		" AND id = ?1 AND email = (SELECT email FROM identity_readers WHERE id = ?2) FOR UPDATE", tx.Now, id, readerID))
}

func answerAttempt(ctx context.Context, tx db.Tx, id, sessionID int64, yes bool) error {
	set := "denied_at = ?0, superseded_at = ?0"
	if yes {
		set = "approved_at = ?0, approved_by = ?2"
	}
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_login_attempts SET "+set+" WHERE id = ?1", tx.Now, id, sessionID).
		Exec(ctx))
}

// findAttemptOfBrowser is the newest login that a browser has asked for, or nil.
func findAttemptOfBrowser(ctx context.Context, tx db.Tx, browserHash []byte, lock bool) (*attempt, error) {
	query := "SELECT " + attemptColumns + " FROM identity_login_attempts WHERE browser_hash = ? AND created_at > ? " +
		"ORDER BY id DESC LIMIT 1"
	if lock {
		query += " FOR UPDATE"
	}
	a := new(attempt)
	return db.One(a, tx.NewRaw(query, browserHash, tx.Now.Add(-attemptsKept)).Scan(ctx, a))
}

// spendAttempt makes link and code of a login void with it.
func spendAttempt(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw(`UPDATE identity_login_attempts SET link_used_at = ?0, code_used_at = ?0
		WHERE id = ?1 AND link_used_at IS NULL AND code_used_at IS NULL`, tx.Now, id).Exec(ctx))
}
