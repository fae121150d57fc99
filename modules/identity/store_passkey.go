package identity

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"example.org/broadsheet/platform/db"
)

func insertChallenge(ctx context.Context, tx db.Tx, hash []byte, readerID int64, ceremony *webauthn.SessionData, until time.Time) error {
	text, err := json.Marshal(ceremony)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw("INSERT INTO identity_passkey_challenges (challenge_hash, reader_id, ceremony, expires_at) VALUES (?, nullif(?, 0), ?::jsonb, ?)",
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

// insertPasskey tells whether the credential was not known yet.
func insertPasskey(ctx context.Context, tx db.Tx, readerID int64, c *webauthn.Credential, device string) (bool, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return false, err
	}
	res, err := tx.NewRaw(`INSERT INTO identity_passkeys (reader_id, credential_id, credential, device, created_at) VALUES (?, ?, ?::jsonb, ?, ?)
		ON CONFLICT DO NOTHING`, readerID, c.ID, string(text), device, tx.Now).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func listPasskeys(ctx context.Context, tx db.Tx, readerID int64) ([]Passkey, error) {
	list := []Passkey{}
	err := tx.NewRaw("SELECT id, device, created_at, used_at, cloned_at IS NOT NULL AS cloned FROM identity_passkeys WHERE reader_id = ? ORDER BY id", readerID).Scan(ctx, &list)
	return list, err
}

func listStoredPasskeys(ctx context.Context, tx db.Tx, readerID int64) (list []storedPasskey, err error) {
	err = tx.NewRaw("SELECT id, reader_id, credential, cloned_at FROM identity_passkeys WHERE reader_id = ?", readerID).Scan(ctx, &list)
	return list, err
}

// lockPasskey returns nil when there is none.
func lockPasskey(ctx context.Context, tx db.Tx, credentialID []byte) (*storedPasskey, error) {
	k := new(storedPasskey)
	return db.One(k, tx.NewRaw("SELECT id, reader_id, credential, cloned_at FROM identity_passkeys WHERE credential_id = ? FOR UPDATE", credentialID).Scan(ctx, k))
}

// lockReader keeps the address as it is until the transaction ends.
func lockReader(ctx context.Context, tx db.Tx, id int64) (*reader, error) {
	r := new(reader)
	return r, tx.NewRaw("SELECT id, email FROM identity_readers WHERE id = ? FOR UPDATE", id).Scan(ctx, r)
}

func markPasskeyUsed(ctx context.Context, tx db.Tx, id int64, c *webauthn.Credential) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return exactlyOne(tx.NewRaw("UPDATE identity_passkeys SET credential = ?::jsonb, used_at = ? WHERE id = ?", string(text), tx.Now, id).Exec(ctx))
}

func markCloned(ctx context.Context, tx db.Tx, id int64) error {
	return exactlyOne(tx.NewRaw("UPDATE identity_passkeys SET cloned_at = ? WHERE id = ?", tx.Now, id).Exec(ctx))
}

func deletePasskey(ctx context.Context, tx db.Tx, readerID, id int64) (bool, error) {
	res, err := tx.NewRaw("DELETE FROM identity_passkeys WHERE reader_id = ? AND id = ?", readerID, id).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
