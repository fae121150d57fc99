// Package passkey lets readers log in by a passkey of their device (WebAuthn): a device is asked to make one (Begin,
// Add) or to sign with one (Challenge, Verify). offer.go is when a reader is offered one, mail.go the email after a
// change, and undo.go the link in it.
//
// It opens no session: whoever calls Verify does. Of modules/identity it imports reader, secret and sessions.
package passkey

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"log/slog"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// ErrInvalid is a passkey that opens nothing here, or could not be made.
var ErrInvalid = fault.New(fault.Invalid, "PASSKEY_INVALID")

// ChallengeTTL is how long a device may take to answer.
const ChallengeTTL = 5 * time.Minute

// maxPasskeys is how many a reader may have.
const maxPasskeys = 20

var (
	challengesOfNetwork = limit.Budget{Name: "identity.passkey.network", Max: 60, Window: 5 * time.Minute}
	passkeysOfReader    = limit.Budget{Name: "identity.passkey.reader", Max: 20, Window: time.Hour}
)

// Mailer sends an email, once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
}

// Passkeys are the passkeys of all editions' readers.
type Passkeys struct {
	db      *db.DB
	secrets secret.Key
	mailer  Mailer
	log     *slog.Logger
}

// New makes the passkeys.
func New(d *db.DB, key secret.Key, mailer Mailer, log *slog.Logger) *Passkeys {
	return &Passkeys{db: d, secrets: key, mailer: mailer, log: log}
}

// Passkey is a reader's passkey as the profile shows it.
type Passkey struct {
	ID        int64      `json:"id"`
	Device    string     `json:"device"` // on which it was made: "Chrome, macOS"; may be empty
	CreatedAt time.Time  `json:"created_at"`
	UsedAt    *time.Time `json:"used_at"`
	Cloned    bool       `json:"cloned"` // it may have been copied, and opens nothing any more
}

// storedPasskey is one row of the passkeys.
type storedPasskey struct {
	ID         int64
	ReaderID   int64
	Credential json.RawMessage
	ClonedAt   *time.Time
}

// keyHolder is a reader as the protocol sees one.
type keyHolder struct {
	handle      []byte
	email       string
	credentials []webauthn.Credential
}

// WebAuthnID is the handle.
func (h *keyHolder) WebAuthnID() []byte { return h.handle }

// WebAuthnName is the address.
func (h *keyHolder) WebAuthnName() string { return h.email }

// WebAuthnDisplayName is the address too.
func (h *keyHolder) WebAuthnDisplayName() string { return h.email }

// WebAuthnCredentials are the keys.
func (h *keyHolder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

// keyHandle names a reader to devices; it tells them nothing.
func keyHandle(s secret.Key, editionID string, readerID int64) []byte {
	return s.Derive("passkey", editionID, []byte(reader.Key(readerID)))
}

func (p *Passkeys) holder(ed *edition.Edition, r *reader.Reader, keys []storedPasskey) (*keyHolder, error) {
	h := &keyHolder{handle: keyHandle(p.secrets, ed.ID, r.ID), email: r.Email}
	for _, k := range keys {
		var c webauthn.Credential
		if err := json.Unmarshal(k.Credential, &c); err != nil {
			return nil, err
		}
		h.credentials = append(h.credentials, c)
	}
	return h, nil
}

// RelyingParty is the edition as the protocol sees it: a passkey of one host is of no use on another.
func RelyingParty(ed *edition.Edition) (*webauthn.WebAuthn, error) {
	u, err := url.Parse(ed.URL("/"))
	if err != nil {
		return nil, err
	}
	return webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: ed.Name, RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationPreferred,
		},
	})
}

// Begin begins making a passkey for the reader of ctx: what the device is to be asked. It returns
// sessions.ErrLoginTooOld if the login is older than a day, as Add does: a session that was stolen gets no way in of
// its own.
func (p *Passkeys) Begin(ctx context.Context) (options *protocol.CredentialCreation, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return nil, web.ErrNotSignedIn
	}
	var refusal error
	err = p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if fresh, err := sessions.IsFresh(ctx, tx, s.ID); err != nil || !fresh {
			refusal = sessions.ErrLoginTooOld
			return err
		}
		within, err := limit.Spend(ctx, tx, passkeysOfReader, reader.Key(s.ReaderID))
		if err != nil {
			return err
		}
		r, err := reader.Find(ctx, tx, s.ReaderID)
		if err != nil {
			return err
		}
		keys, err := listStoredPasskeys(ctx, tx, s.ReaderID)
		if err != nil {
			return err
		}
		if !within || r == nil || len(keys) >= maxPasskeys {
			refusal = web.ErrTooMany
			return nil
		}
		h, err := p.holder(tx.Edition, r, keys)
		if err != nil {
			return err
		}
		rp, err := RelyingParty(tx.Edition)
		if err != nil {
			return err
		}
		made, ceremony, err := rp.BeginRegistration(h,
			webauthn.WithExclusions(webauthn.Credentials(h.credentials).CredentialDescriptors()))
		if err != nil {
			return err
		}
		options = made
		return insertChallenge(ctx, tx, secret.Hash(ceremony.Challenge), s.ReaderID, ceremony, tx.Now.Add(ChallengeTTL))
	})
	if err == nil {
		err = refusal
	}
	return options, err
}

// Add keeps the passkey that a device has made for the reader of ctx; answer is its credential as JSON.
func (p *Passkeys) Add(ctx context.Context, answer []byte, device string) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return ErrInvalid.Because(err)
	}
	var refusal error
	err = p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if fresh, err := sessions.IsFresh(ctx, tx, s.ID); err != nil || !fresh {
			refusal = sessions.ErrLoginTooOld
			return err
		}
		ceremony, err := takeChallenge(ctx, tx, secret.Hash(parsed.Response.CollectedClientData.Challenge), s.ReaderID)
		if err != nil {
			return err
		}
		if ceremony == nil {
			refusal = secret.ErrExpiredToken
			return nil
		}
		rp, err := RelyingParty(tx.Edition)
		if err != nil {
			return err
		}
		made, err := rp.CreateCredential(&keyHolder{handle: keyHandle(p.secrets, tx.Edition.ID, s.ReaderID)},
			*ceremony, parsed)
		if err != nil {
			refusal = ErrInvalid.Because(err)
			return nil
		}
		id, err := insertPasskey(ctx, tx, s.ReaderID, made, device)
		if err != nil {
			return err
		}
		if id == 0 {
			refusal = ErrInvalid
			return nil
		}
		return outbox.Tell(ctx, tx, event.PasskeyChanged,
			event.PasskeyChange{ReaderID: s.ReaderID, PasskeyID: id, Added: true, Device: device, At: tx.Now})
	})
	if err == nil {
		err = refusal
	}
	p.log.InfoContext(ctx, "passkey added", "security", true, "reader", s.ReaderID, "error", err)
	return err
}

// Challenge begins a login: what a device is to be asked, whoever holds it.
func (p *Passkeys) Challenge(ctx context.Context,
	network string,
) (options *protocol.CredentialAssertion, err error) {
	within := false
	err = p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.Spend(ctx, tx, challengesOfNetwork, network); err != nil || !within {
			return err
		}
		rp, err := RelyingParty(tx.Edition)
		if err != nil {
			return err
		}
		made, ceremony, err := rp.BeginDiscoverableLogin()
		if err != nil {
			return err
		}
		options = made
		return insertChallenge(ctx, tx, secret.Hash(ceremony.Challenge), 0, ceremony, tx.Now.Add(ChallengeTTL))
	})
	if err == nil && !within {
		err = secret.ErrTooManyAttempts
	}
	return options, err
}

// Signature is what a device has signed.
type Signature = protocol.ParsedCredentialAssertionData

// ParseSignature reads what a device has signed: its credential as JSON.
func ParseSignature(answer []byte) (*Signature, error) {
	signed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return nil, ErrInvalid.Because(err)
	}
	return signed, nil
}

// Result is what checking a signature has come to: the address of the reader who signed, or why nobody is let in.
type Result struct {
	Email   string
	Refusal error
}

func refused(why error) Result { return Result{Refusal: why} }

// Verify checks a signature. A challenge is used up by one try, right or wrong.
func (p *Passkeys) Verify(ctx context.Context, tx db.Tx, signed *Signature) (Result, error) {
	ceremony, err := takeChallenge(ctx, tx, secret.Hash(signed.Response.CollectedClientData.Challenge), 0)
	if err != nil {
		return Result{}, err
	}
	if ceremony == nil {
		return refused(secret.ErrExpiredToken), nil
	}
	key, err := lockPasskey(ctx, tx, signed.RawID)
	if err != nil {
		return Result{}, err
	}
	if key == nil || key.ClonedAt != nil {
		return refused(ErrInvalid), nil
	}
	r, err := reader.Lock(ctx, tx, key.ReaderID)
	if err != nil {
		return Result{}, err
	}
	return p.verifyKey(ctx, tx, key, r, ceremony, signed)
}

// verifyKey checks a signature of one passkey and stores its counter. A counter that is not higher than the last means
// that the passkey exists twice.
func (p *Passkeys) verifyKey(ctx context.Context, tx db.Tx, key *storedPasskey, r *reader.Reader,
	ceremony *webauthn.SessionData, signed *Signature,
) (Result, error) {
	h, err := p.holder(tx.Edition, r, []storedPasskey{*key})
	if err != nil {
		return Result{}, err
	}
	rp, err := RelyingParty(tx.Edition)
	if err != nil {
		return Result{}, err
	}
	_, used, err := rp.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		if subtle.ConstantTimeCompare(handle, h.handle) != 1 {
			return nil, ErrInvalid
		}
		return h, nil
	}, *ceremony, signed)
	if err != nil {
		return refused(ErrInvalid.Because(err)), nil
	}
	if used.Authenticator.CloneWarning {
		p.log.WarnContext(ctx, "passkey may be cloned", "security", true, "reader", r.ID, "passkey", key.ID)
		return refused(ErrInvalid), markCloned(ctx, tx, key.ID)
	}
	return Result{Email: r.Email}, markPasskeyUsed(ctx, tx, key.ID, used)
}

// Remove forgets one of the passkeys of the reader of ctx.
func (p *Passkeys) Remove(ctx context.Context, id int64) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	return p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		k, err := deletePasskey(ctx, tx, s.ReaderID, id)
		if err != nil {
			return err
		}
		if k == nil {
			return web.ErrInvalidArgs.On("id")
		}
		return outbox.Tell(ctx, tx, event.PasskeyChanged,
			event.PasskeyChange{ReaderID: s.ReaderID, PasskeyID: k.ID, Device: k.Device, At: tx.Now})
	})
}

// List returns the passkeys of a reader.
func (p *Passkeys) List(ctx context.Context, readerID int64) ([]Passkey, error) {
	list := []Passkey{}
	err := p.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listPasskeys(ctx, tx, readerID)
		return err
	})
	return list, err
}
