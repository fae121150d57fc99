package identity

import (
	"context"

	"example.org/broadsheet/platform/db"
)

const changeColumns = `id, reader_id, session_id, old_email, new_email, taken, nonce, tries, created_at, expires_at,
	old_confirmed_at, new_confirmed_at, superseded_at, done_at`

func insertChange(ctx context.Context, tx db.Tx, a *addressChange, oldHash, newHash []byte) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO identity_address_changes (reader_id, session_id, old_email, new_email, taken, nonce,
		old_hash, new_hash, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		a.ReaderID, a.SessionID, a.OldEmail, a.NewEmail, a.Taken, a.Nonce, oldHash, newHash, tx.Now, a.ExpiresAt).
		Scan(ctx, &id)
	return id, err
}

// findChange returns nil when there is none, as those below do.
func findChange(ctx context.Context, tx db.Tx, id int64) (*addressChange, error) {
	a := new(addressChange)
	return db.One(a, tx.NewRaw("SELECT "+changeColumns+" FROM identity_address_changes WHERE id = ?", id).Scan(ctx, a))
}

// findOpenChange is the one that its reader can still confirm.
func findOpenChange(ctx context.Context, tx db.Tx, readerID int64) (*addressChange, error) {
	a := new(addressChange)
	return db.One(a, tx.NewRaw("SELECT "+changeColumns+` FROM identity_address_changes WHERE reader_id = ? AND `+
		`expires_at > ?
		AND superseded_at IS NULL AND done_at IS NULL ORDER BY id DESC LIMIT 1`, readerID, tx.Now).Scan(ctx, a))
}

func findChangeByLink(ctx context.Context, tx db.Tx, hash []byte) (*addressChange, error) {
	a := new(addressChange)
	return db.One(a, tx.NewRaw("SELECT "+changeColumns+`, CASE WHEN old_hash = ?0 THEN 'old' ELSE 'new' END AS side
		FROM identity_address_changes WHERE old_hash = ?0 OR new_hash = ?0`, hash).Scan(ctx, a))
}

func lockChange(ctx context.Context, tx db.Tx, id int64) (*addressChange, error) {
	a := new(addressChange)
	return a, tx.NewRaw("SELECT "+changeColumns+" FROM identity_address_changes WHERE id = ? FOR UPDATE", id).Scan(ctx, a)
}

func supersedeChanges(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw("UPDATE identity_address_changes SET superseded_at = ? WHERE reader_id = ? AND superseded_at IS "+
		"NULL AND done_at IS NULL",
		tx.Now, readerID).Exec(ctx)
	return err
}

func countChangeTry(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_address_changes SET tries = tries + 1 WHERE id = ?", id).Exec(ctx))
}

func markConfirmed(ctx context.Context, tx db.Tx, id int64, of side) error {
	query := "UPDATE identity_address_changes SET new_confirmed_at = ? WHERE id = ? AND new_confirmed_at IS NULL"
	if of == oldSide {
		query = "UPDATE identity_address_changes SET old_confirmed_at = ? WHERE id = ? AND old_confirmed_at IS NULL"
	}
	return db.ExactlyOne(tx.NewRaw(query, tx.Now, id).Exec(ctx))
}

func markChangeDone(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_address_changes SET done_at = ? WHERE id = ? AND done_at IS NULL AND "+
		"superseded_at IS NULL", tx.Now, id).Exec(ctx))
}

// putEmail reports whether the reader has the new address now; not so when somebody else has it.
func putEmail(ctx context.Context, tx db.Tx, readerID int64, from, to string) (bool, error) {
	changed, err := db.Changed(tx.NewRaw(`UPDATE identity_readers SET email = ?0 WHERE id = ?1 AND email = ?2
		AND NOT EXISTS (SELECT FROM identity_readers WHERE email = ?0)`, to, readerID, from).Exec(ctx))
	if db.Violates(err, "identity_readers_email") {
		return false, ErrEmailTaken // in this very moment
	}
	return changed, err
}
