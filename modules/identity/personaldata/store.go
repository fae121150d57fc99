package personaldata

import (
	"context"
	"encoding/json"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
)

// exportTables are what a reader's export has of this module.
var exportTables = []privacy.Query{
	{Name: "account", SQL: "SELECT id, email, comment_name, type, lang, created_at, first_login_at, last_login_at FROM " +
		"identity_readers WHERE id = ?0"},
	{Name: "sessions", SQL: "SELECT device, created_at, seen_at, expires_at, ended_at FROM identity_sessions WHERE " +
		"reader_id = ?0 ORDER BY id"},
	{Name: "login_mails", SQL: "SELECT purpose, created_at, link_used_at, code_used_at FROM identity_login_attempts " +
		"WHERE email = ?1 AND created_at >= ?3 AND created_at < ?2 ORDER BY id"},
	{Name: "roles", SQL: "SELECT role, granted_at FROM identity_roles WHERE reader_id = ?0"},
	{Name: "invitations", SQL: "SELECT created_at FROM identity_invitations WHERE email = ?1 AND created_at >= ?3 AND " +
		"created_at < ?2"},
	{Name: "passkeys", SQL: "SELECT device, created_at, used_at FROM identity_passkeys WHERE reader_id = ?0 ORDER BY id"},
	{Name: "address_changes", SQL: "SELECT old_email, new_email, created_at, done_at FROM identity_address_changes " +
		"WHERE reader_id = ?0 ORDER BY id"},
	{Name: "messages", SQL: "SELECT name, text, created_at, sent_at FROM identity_help_messages WHERE email = ?1 AND " +
		"created_at >= ?3 AND created_at < ?2 ORDER BY id"},
	{Name: "support", SQL: "SELECT action, reason, at FROM identity_audit WHERE reader_id = ?0 ORDER BY id"},
}

// forgets is what is removed of a reader at once, when the erasure begins, and once more by the outbox: somebody may
// have been logging in at that moment.
var forgets = []string{
	"DELETE FROM identity_sessions WHERE reader_id = ?0",
	"DELETE FROM identity_roles WHERE reader_id = ?0",
	"DELETE FROM identity_leaves WHERE reader_id = ?0",
	"DELETE FROM identity_passkeys WHERE reader_id = ?0",
	"DELETE FROM identity_passkey_challenges WHERE reader_id = ?0",
	// Others who asked for the address while it was the reader's. Who asks for it now may have it.
	"DELETE FROM identity_address_changes WHERE reader_id = ?0 OR new_email = ?1 AND taken AND created_at < ?2",
	"DELETE FROM identity_help_messages WHERE email = ?1 AND created_at < ?2",
	// Those of the present address have gone first; by a former one there may be some.
	"DELETE FROM identity_login_attempts WHERE email = ?1 AND created_at < ?2",
	"DELETE FROM identity_invitations WHERE email = ?1 AND created_at < ?2",
}

// pseudonymise empties an account that is not erased yet; the rest of what is known of it goes with it.
func pseudonymise(ctx context.Context, tx db.Tx, r *reader.Reader, former []formerAddress) (bool, error) {
	// The mails go first: who is logging in by one holds it, and is waited for.
	about := privacy.Reader{ID: r.ID, Email: r.Email, Until: tx.Now.Add(unused)}
	if err := privacy.Forget(ctx, tx, about, "DELETE FROM identity_login_attempts WHERE email = ?1",
		"DELETE FROM identity_invitations WHERE email = ?1"); err != nil {
		return false, err
	}
	erased, err := db.Changed(tx.NewRaw(`UPDATE identity_readers SET email = 'erased:' || id, comment_name = '',
		comment_name_key = '', lang = '', passkey_declined_at = NULL, erased_at = ?
		WHERE id = ? AND erased_at IS NULL`, tx.Now, r.ID).Exec(ctx))
	if err != nil || !erased {
		return false, err
	}
	list, err := json.Marshal(former)
	if err != nil {
		return false, err
	}
	if _, err := tx.NewRaw("INSERT INTO identity_erasures (reader_id, email, former, asked_at) VALUES (?, ?, ?::jsonb, ?)",
		r.ID, r.Email, string(list), tx.Now).Exec(ctx); err != nil {
		return false, err
	}
	return true, privacy.Forget(ctx, tx, about, forgets...)
}

func putTombstone(ctx context.Context, tx db.Tx, hash []byte) error {
	_, err := tx.NewRaw("INSERT INTO identity_tombstones (hash, at) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET at = "+
		"excluded.at", hash, tx.Now).Exec(ctx)
	return err
}

// listFormerAddresses are those that changes of an account name, but for the present one: had, confirmed in vain, and
// asked for.
func listFormerAddresses(ctx context.Context, tx db.Tx, readerID int64,
	email string,
) (list []formerAddress, err error) {
	err = tx.NewRaw(`WITH changes AS (SELECT * FROM identity_address_changes WHERE reader_id = ?0)
		SELECT old_email AS email, min(done_at) AS left, '' AS letter,
			(SELECT min(b.done_at) FROM changes b WHERE b.new_email = c.old_email) AS "from"
		FROM changes c WHERE done_at IS NOT NULL AND old_email <> ?1 GROUP BY old_email
		UNION ALL SELECT new_email, min(created_at), '', min(created_at) FROM changes
		WHERE done_at IS NULL AND new_confirmed_at IS NOT NULL AND NOT taken AND new_email <> ?1
			AND new_email NOT IN (SELECT old_email FROM changes WHERE done_at IS NOT NULL) GROUP BY new_email
		UNION ALL SELECT new_email, created_at, 'address:' || id || ':new', created_at FROM changes
		WHERE done_at IS NULL AND new_confirmed_at IS NULL AND NOT taken`, readerID, email).Scan(ctx, &list)
	return list, err
}

func findErasure(ctx context.Context, tx db.Tx, readerID int64) (*erasure, error) {
	e := new(erasure)
	return db.One(e,
		tx.NewRaw("SELECT reader_id, email, former, done, asked_at, finished_at FROM identity_erasures WHERE reader_id = ?",
			readerID).Scan(ctx, e))
}

// unused is how far ahead of now is when nobody else uses an address.
const unused = time.Minute

// findNextUse is when somebody else began to use an address that a reader has left: by asking for a login mail or to
// have it for an account, as a reader, or as one who has left it since. Where nobody has, it is now: who begins a
// moment later is not forgotten.
func findNextUse(ctx context.Context, tx db.Tx, email string, left time.Time,
	readerID int64,
) (at time.Time, err error) {
	err = tx.NewRaw(`SELECT coalesce(min(at), ?3) FROM (
			SELECT created_at AS at FROM identity_login_attempts WHERE email = ?0 AND created_at >= ?1
			UNION ALL SELECT created_at FROM identity_address_changes WHERE new_email = ?0 AND NOT taken AND created_at >= ?1
			AND reader_id <> ?2
			UNION ALL SELECT greatest(created_at, ?1) FROM identity_readers WHERE email = ?0 AND id <> ?2
			UNION ALL SELECT greatest(r.created_at, ?1) FROM identity_address_changes c JOIN identity_readers r ON r.id =
			c.reader_id
				WHERE c.old_email = ?0 AND c.done_at >= ?1 AND c.reader_id <> ?2
			UNION ALL SELECT r.created_at FROM identity_erasures e JOIN identity_readers r ON r.id = e.reader_id
				WHERE e.email = ?0 AND e.reader_id <> ?2 AND r.created_at >= ?1) uses`,
		email, left, readerID, tx.Now).Scan(ctx, &at)
	return at, err
}

func markForgotten(ctx context.Context, tx db.Tx, readerID int64, part string) error {
	_, err := tx.NewRaw("UPDATE identity_erasures SET done = array_append(done, ?) WHERE reader_id = ? AND NOT ? = ANY "+
		"(done)", part, readerID, part).Exec(ctx)
	return err
}

func finishErasure(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw("UPDATE identity_erasures SET email = '', former = '[]', finished_at = coalesce(finished_at, ?) "+
		"WHERE reader_id = ?", tx.Now, readerID).Exec(ctx)
	return err
}

func listOpenErasures(ctx context.Context, tx db.Tx, before time.Time) (ids []int64, err error) {
	err = tx.NewRaw("SELECT reader_id FROM identity_erasures WHERE finished_at IS NULL AND asked_at < ? ORDER BY "+
		"asked_at LIMIT 100", before).Scan(ctx, &ids)
	return ids, err
}

const requestColumns = "id, reader_id, nonce, code_hash, tries, expires_at"

func hasFreshRequest(ctx context.Context, tx db.Tx, readerID int64) (bool, error) {
	return db.Get[bool](ctx,
		tx.NewRaw("SELECT EXISTS (SELECT FROM identity_leaves WHERE reader_id = ? AND created_at > ?)", readerID,
			tx.Now.Add(-secret.ResendAfter)))
}

func insertRequest(ctx context.Context, tx db.Tx, readerID int64, nonce, codeHash []byte) (id int64, err error) {
	if _, err = tx.NewRaw("UPDATE identity_leaves SET superseded_at = ? WHERE reader_id = ? AND superseded_at IS NULL",
		tx.Now, readerID).Exec(ctx); err != nil {
		return 0, err
	}
	err = tx.NewRaw("INSERT INTO identity_leaves (reader_id, nonce, code_hash, created_at, expires_at) VALUES (?, ?, ?, "+
		"?, ?) RETURNING id",
		readerID, nonce, codeHash, tx.Now, tx.Now.Add(secret.TTL)).Scan(ctx, &id)
	return id, err
}

func findRequest(ctx context.Context, tx db.Tx, id int64) (*request, error) {
	l := new(request)
	return db.One(l,
		tx.NewRaw("SELECT "+requestColumns+" FROM identity_leaves WHERE id = ? AND superseded_at IS NULL", id).Scan(ctx, l))
}

// lockRequest holds the newest mail until the transaction ends: parallel codes are checked one by one.
func lockRequest(ctx context.Context, tx db.Tx, readerID int64) (*request, error) {
	l := new(request)
	return db.One(l,
		tx.NewRaw("SELECT "+requestColumns+" FROM identity_leaves WHERE reader_id = ? AND superseded_at IS NULL ORDER BY id "+
			"DESC LIMIT 1 FOR UPDATE", readerID).Scan(ctx, l))
}

// hasOpenRequest reports whether a code that can still be entered was mailed.
func hasOpenRequest(ctx context.Context, tx db.Tx, readerID int64) (bool, error) {
	return db.Get[bool](ctx,
		tx.NewRaw("SELECT EXISTS (SELECT FROM identity_leaves WHERE reader_id = ? AND superseded_at IS NULL AND "+
			"expires_at > ? AND tries < ?)",
			readerID, tx.Now, secret.MaxTries))
}

func countTry(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_leaves SET tries = tries + 1 WHERE id = ?", id).Exec(ctx))
}
