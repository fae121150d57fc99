package identity

import (
	"context"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/db"
)

// lockAddress makes all who ask for an email to one address wait for each other until their transactions end.
func lockAddress(ctx context.Context, tx db.Tx, email string) error {
	return advisory.LockInTx(ctx, tx, "identity.ask:"+email)
}

// maxBrowsers is how many more browsers may request an email that is on its way.
const maxBrowsers = 5

// joinFreshAttempt reports whether an email that can still be used was requested within the last minute. Its code then
// counts in this browser.
func joinFreshAttempt(ctx context.Context, tx db.Tx, email string, browserHash []byte) (bool, error) {
	return db.Changed(tx.NewRaw(`UPDATE identity_login_attempts SET other_browsers = CASE
			WHEN browser_hash = ?2 OR ?2 = ANY (other_browsers) OR cardinality(other_browsers) >= ?3 THEN other_browsers
			ELSE array_append(other_browsers, ?2) END
		WHERE email = ?0 AND created_at > ?1 AND superseded_at IS NULL AND link_used_at IS NULL AND code_used_at IS NULL`,
		email, tx.Now.Add(-secret.ResendAfter), browserHash, maxBrowsers).Exec(ctx))
}

// findAddress reads in one statement all that is known about an address.
func findAddress(ctx context.Context, tx db.Tx, email string) (known, invited bool, err error) {
	err = tx.NewRaw(`SELECT EXISTS (SELECT FROM identity_readers WHERE email = ?0), EXISTS (SELECT FROM `+
		`identity_invitations WHERE email = ?0)`,
		email).Scan(ctx, &known, &invited)
	return known, invited, err
}

// insertInvitation returns the number of the new invitation, or of the one from before.
func insertInvitation(ctx context.Context, tx db.Tx, email string) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO identity_invitations (email, created_at) VALUES (?, ?)
		ON CONFLICT (email) DO UPDATE SET email = EXCLUDED.email RETURNING id`, email, tx.Now).Scan(ctx, &id)
	return id, err
}

// findInvitation returns nil for one that is gone, and for one whose address has an account.
func findInvitation(ctx context.Context, tx db.Tx, id int64) (*invitation, error) {
	in := new(invitation)
	return db.One(in, tx.NewRaw(`SELECT id, email FROM identity_invitations i WHERE id = ?
		AND NOT EXISTS (SELECT FROM identity_readers r WHERE r.email = i.email)`, id).Scan(ctx, in))
}

func supersedeAttempts(ctx context.Context, tx db.Tx, email string) error {
	_, err := tx.NewRaw("UPDATE identity_login_attempts SET superseded_at = ? WHERE email = ? AND superseded_at IS NULL",
		tx.Now, email).Exec(ctx)
	return err
}

// insertAttempt keeps a login mail. One that is asked for once more, without a form, is asked for under what the form
// before said.
func insertAttempt(ctx context.Context, tx db.Tx, a *attempt, linkHash []byte) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO identity_login_attempts (email, purpose, nonce, link_hash, code_hash, browser_hash,
		referrer, device, agreed, created_at, expires_at)
		VALUES (?0, ?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(nullif(?8, ''), (SELECT agreed FROM identity_login_attempts
			WHERE email = ?0 AND browser_hash = ?5 AND expires_at > ?9 ORDER BY id DESC LIMIT 1), ''), ?9, ?10) RETURNING id`,
		a.Email, a.Purpose, a.Nonce, linkHash, a.CodeHash, a.BrowserHash, a.Referrer, a.Device, a.Agreed, tx.Now,
		a.ExpiresAt).Scan(ctx, &id)
	return id, err
}

const attemptColumns = `id, email, purpose, nonce, code_hash, browser_hash, referrer, tries, created_at, expires_at,
	link_used_at, code_used_at, superseded_at, device, agreed, coalesce(approved_by, 0) AS approved_by, approved_at, ` +
	`denied_at`

// findAttempt returns nil when there is none.
func findAttempt(ctx context.Context, tx db.Tx, id int64) (*attempt, error) {
	a := new(attempt)
	return db.One(a, tx.NewRaw("SELECT "+attemptColumns+" FROM identity_login_attempts WHERE id = ?", id).Scan(ctx, a))
}

// asked is a mail that a browser asked for, or was about to.
const asked = "(browser_hash = ?2 OR ?2 = ANY (other_browsers))"

// lockNewestAttempt holds the newest mail of an address until the transaction ends: parallel codes are checked one by
// one. It says what a browser has to do with it.
func lockNewestAttempt(ctx context.Context, tx db.Tx, email string, browserHash []byte) (*attempt, error) {
	a := new(attempt)
	return db.One(a, tx.NewRaw("SELECT "+attemptColumns+", "+asked+` AS own,
			EXISTS (SELECT FROM identity_login_attempts WHERE email = ?0 AND expires_at > ?3 AND `+asked+`) AS counts
		FROM identity_login_attempts WHERE email = ?0 AND created_at > ?1
		ORDER BY id DESC LIMIT 1 FOR UPDATE`, email, tx.Now.Add(-attemptsKept), browserHash, tx.Now).Scan(ctx, a))
}

// findAskedAttempt is the newest login mail to an address that a browser has asked for, or nil.
func findAskedAttempt(ctx context.Context, tx db.Tx, email string, browserHash []byte) (*attempt, error) {
	a := new(attempt)
	return db.One(a,
		tx.NewRaw("SELECT "+attemptColumns+" FROM identity_login_attempts WHERE email = ?0 AND created_at > ?1 AND "+asked+
			" ORDER BY id DESC LIMIT 1",
			email, tx.Now.Add(-attemptsKept), browserHash).Scan(ctx, a))
}

// listOlderAttempts returns the mails before the newest that are not yet out of date.
func listOlderAttempts(ctx context.Context, tx db.Tx, newest *attempt) (list []attempt, err error) {
	err = tx.NewRaw("SELECT "+attemptColumns+` FROM identity_login_attempts WHERE email = ? AND id < ? AND expires_at > ?
		AND code_used_at IS NULL ORDER BY id DESC LIMIT 10`, newest.Email, newest.ID, tx.Now).Scan(ctx, &list)
	return list, err
}

func lockAttemptByLink(ctx context.Context, tx db.Tx, linkHash []byte) (*attempt, error) {
	a := new(attempt)
	return db.One(a,
		tx.NewRaw("SELECT "+attemptColumns+" FROM identity_login_attempts WHERE link_hash = ? FOR UPDATE", linkHash).
			Scan(ctx, a))
}

// markCodeUsed makes the link void with the code: who finds the mail later opens nothing by it.
func markCodeUsed(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw(`UPDATE identity_login_attempts SET code_used_at = ?0, link_used_at =
		coalesce(link_used_at, ?0), tries = tries + 1
		WHERE id = ?1 AND code_used_at IS NULL`, tx.Now, id).Exec(ctx))
}

func markLinkUsed(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_login_attempts SET link_used_at = ? WHERE id = ? AND link_used_at IS "+
		"NULL", tx.Now, id).Exec(ctx))
}

func countTry(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_login_attempts SET tries = tries + 1 WHERE id = ?", id).Exec(ctx))
}
