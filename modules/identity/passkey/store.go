package passkey

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"example.org/broadsheet/platform/db"
)

func insertChallenge(ctx context.Context, tx db.Tx, hash []byte, readerID int64, ceremony *webauthn.SessionData,
	until time.Time,
) error {
	text, err := json.Marshal(ceremony)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw("INSERT INTO identity_passkey_challenges (challenge_hash, reader_id, ceremony, expires_at) "+
		"VALUES (?, nullif(?, 0), ?::jsonb, ?)",
		hash, readerID, string(text), until).Exec(ctx)
	return err
}

// takeChallenge uses a challenge up, and returns nil for one that is not that reader's (0: of a login) or out of date.
func takeChallenge(ctx context.Context, tx db.Tx, hash []byte, readerID int64) (*webauthn.SessionData, error) {
	var row struct {
		Ceremony  json.RawMessage
		ReaderID  int64
		ExpiresAt time.Time
	}
	found, err := db.One(&row, tx.NewRaw(`DELETE FROM identity_passkey_challenges WHERE challenge_hash = ?
		RETURNING ceremony, coalesce(reader_id, 0) AS reader_id, expires_at`, hash).Scan(ctx, &row))
	if err != nil || found == nil || row.ReaderID != readerID || !tx.Now.Before(row.ExpiresAt) {
		return nil, err
	}
	ceremony := new(webauthn.SessionData)
	return ceremony, json.Unmarshal(row.Ceremony, ceremony)
}

// insertPasskey returns 0 for a credential that is known already.
func insertPasskey(ctx context.Context, tx db.Tx, readerID int64, c *webauthn.Credential,
	device string,
) (id int64, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return 0, err
	}
	_, err = db.One(&id, tx.NewRaw(`INSERT INTO identity_passkeys (reader_id, credential_id, credential, device,
		created_at) VALUES (?, ?, ?::jsonb, ?, ?)
		ON CONFLICT DO NOTHING RETURNING id`, readerID, c.ID, string(text), device, tx.Now).Scan(ctx, &id))
	return id, err
}

func listPasskeys(ctx context.Context, tx db.Tx, readerID int64) ([]Passkey, error) {
	list := []Passkey{}
	err := tx.NewRaw("SELECT id, device, created_at, used_at, cloned_at IS NOT NULL AS cloned FROM identity_passkeys "+
		"WHERE reader_id = ? ORDER BY id", readerID).Scan(ctx, &list)
	return list, err
}

func listStoredPasskeys(ctx context.Context, tx db.Tx, readerID int64) (list []storedPasskey, err error) {
	err = tx.NewRaw("SELECT id, reader_id, credential, cloned_at FROM identity_passkeys WHERE reader_id = ?", readerID).
		Scan(ctx, &list)
	return list, err
}

// lockPasskey returns nil when there is none.
func lockPasskey(ctx context.Context, tx db.Tx, credentialID []byte) (*storedPasskey, error) {
	k := new(storedPasskey)
	return db.One(k,
		tx.NewRaw("SELECT id, reader_id, credential, cloned_at FROM identity_passkeys WHERE credential_id = ? FOR UPDATE",
			credentialID).Scan(ctx, k))
}

func markPasskeyUsed(ctx context.Context, tx db.Tx, id int64, c *webauthn.Credential) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_passkeys SET credential = ?::jsonb, used_at = ? WHERE id = ?",
		string(text), tx.Now, id).Exec(ctx))
}

func markCloned(ctx context.Context, tx db.Tx, id int64) error {
	return db.ExactlyOne(tx.NewRaw("UPDATE identity_passkeys SET cloned_at = ? WHERE id = ?", tx.Now, id).Exec(ctx))
}

// deletePasskey returns what was removed, nil when the reader has none of that id.
func deletePasskey(ctx context.Context, tx db.Tx, readerID, id int64) (*Passkey, error) {
	k := new(Passkey)
	return db.One(k,
		tx.NewRaw("DELETE FROM identity_passkeys WHERE reader_id = ? AND id = ? RETURNING id, device", readerID, id).
			Scan(ctx, k))
}

// isOfferDue reports whether a reader has no passkey, and has not declined one since.
func isOfferDue(ctx context.Context, tx db.Tx, readerID int64, since time.Time) (bool, error) {
	return db.Get[bool](ctx, tx.NewRaw(`SELECT NOT EXISTS (SELECT FROM identity_passkeys WHERE reader_id = ?0)
		AND NOT EXISTS (SELECT FROM identity_readers WHERE id = ?0 AND passkey_declined_at > ?1)`, readerID, since))
}

func putDeclined(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw("UPDATE identity_readers SET passkey_declined_at = ? WHERE id = ? AND erased_at IS NULL", tx.Now,
		readerID).Exec(ctx)
	return err
}
