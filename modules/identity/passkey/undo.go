package passkey

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/signedlink"
)

// undoLink is for which passkey a link is good. Numbers come again after a restore, at another time.
type undoLink struct {
	readerID, passkeyID, at int64
}

const undoPurpose = "identity.passkey.undo"

// undoAddress is the page by which somebody who has not added a passkey removes it.
func (p *Passkeys) undoAddress(ed *edition.Edition, e event.PasskeyChange) string {
	token := signedlink.Key(p.secrets).Sign(ed.ID, undoPurpose,
		fmt.Sprintf("%d-%d-%d", e.ReaderID, e.PasskeyID, e.At.Unix()))
	return ed.URL(ed.Href(edition.EmailChange) + "?passkey=" + url.QueryEscape(token))
}

func (p *Passkeys) parseUndo(ed *edition.Edition, token string) (l undoLink, ok bool) {
	text, ok := signedlink.Key(p.secrets).Open(ed.ID, undoPurpose, token)
	if !ok {
		return l, false
	}
	n, err := fmt.Sscanf(text, "%d-%d-%d", &l.readerID, &l.passkeyID, &l.at)
	return l, err == nil && n == 3
}

// IsThere reports whether the passkey is there that a link of an email removes, and whether there is such a link.
func (p *Passkeys) IsThere(ctx context.Context, token string) (there, known bool, err error) {
	err = p.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		l, ok := p.parseUndo(tx.Edition, token)
		if known = ok; !ok {
			return nil
		}
		there, err = hasPasskey(ctx, tx, l)
		return err
	})
	return there, known, err
}

// Undo removes the passkey that a link of an email is about, and ends all sessions of its reader: somebody else has
// added it. It returns the reader, 0 if the passkey is gone already, and INVALID_HASH for a link that is none.
func (p *Passkeys) Undo(ctx context.Context, token string) (readerID int64, err error) {
	err = p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		l, ok := p.parseUndo(tx.Edition, token)
		if !ok {
			return secret.ErrInvalidHash
		}
		if there, err := hasPasskey(ctx, tx, l); err != nil || !there {
			return err
		}
		if err := remove(ctx, tx, l.readerID, l.passkeyID); err != nil {
			return err
		}
		if _, err := sessions.EndAllBut(ctx, tx, l.readerID, 0); err != nil {
			return err
		}
		readerID = l.readerID
		return notify.Tell(ctx, tx, notify.Reader, reader.Key(l.readerID))
	})
	if err == nil && readerID != 0 {
		p.log.InfoContext(ctx, "passkey removed by the link of its email", "security", true, "reader", readerID)
	}
	return readerID, err
}

// RemoveAll forgets all passkeys of a reader; an email follows for each.
func RemoveAll(ctx context.Context, tx db.Tx, readerID int64) error {
	list, err := listPasskeys(ctx, tx, readerID)
	for _, k := range list {
		if err == nil {
			err = remove(ctx, tx, readerID, k.ID)
		}
	}
	return err
}

// remove forgets a passkey, if it is there; an email follows.
func remove(ctx context.Context, tx db.Tx, readerID, id int64) error {
	k, err := deletePasskey(ctx, tx, readerID, id)
	if err != nil || k == nil {
		return err
	}
	return outbox.Tell(ctx, tx, event.PasskeyChanged,
		event.PasskeyChange{ReaderID: readerID, PasskeyID: k.ID, Device: k.Device, At: tx.Now})
}

func hasPasskey(ctx context.Context, tx db.Tx, l undoLink) (bool, error) {
	return db.Get[bool](ctx, tx.NewRaw("SELECT EXISTS (SELECT FROM identity_passkeys WHERE reader_id = ? AND id = ? AND "+
		"created_at >= ? AND created_at < ?)", l.readerID, l.passkeyID, time.Unix(l.at, 0), time.Unix(l.at+1, 0)))
}
