package identity

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// ErrPasskey is a passkey that opens nothing here, or could not be made.
var ErrPasskey = fault.New(fault.Invalid, "PASSKEY_INVALID")

// Bounds of passkeys.
const (
	challengeLife = 5 * time.Minute
	mostPasskeys  = 20
)

var (
	challengesOfNetwork = limit.Budget{Name: "identity.passkey.network", Max: 60, Window: 5 * time.Minute}
	passkeysOfReader    = limit.Budget{Name: "identity.passkey.reader", Max: 20, Window: time.Hour}
)

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

func (m *Module) holder(ed *edition.Edition, r *reader.Reader, keys []storedPasskey) (*keyHolder, error) {
	h := &keyHolder{handle: keyHandle(m.secrets, ed.ID, r.ID), email: r.Email}
	for _, k := range keys {
		var c webauthn.Credential
		if err := json.Unmarshal(k.Credential, &c); err != nil {
			return nil, err
		}
		h.credentials = append(h.credentials, c)
	}
	return h, nil
}

// relyingParty is the edition: a passkey of one host is of no use on another.
func relyingParty(ed *edition.Edition) (*webauthn.WebAuthn, error) {
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

// NewPasskey begins making a passkey for the reader of ctx: what the device is to be asked.
func (m *Module) NewPasskey(ctx context.Context) (options *protocol.CredentialCreation, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return nil, web.ErrNotSignedIn
	}
	var refusal error
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
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
		if !within || r == nil || len(keys) >= mostPasskeys {
			refusal = web.ErrTooMany
			return nil
		}
		h, err := m.holder(tx.Edition, r, keys)
		if err != nil {
			return err
		}
		rp, err := relyingParty(tx.Edition)
		if err != nil {
			return err
		}
		made, ceremony, err := rp.BeginRegistration(h,
			webauthn.WithExclusions(webauthn.Credentials(h.credentials).CredentialDescriptors()))
		if err != nil {
			return err
		}
		options = made
		return insertChallenge(ctx, tx, secret.Hash(ceremony.Challenge), s.ReaderID, ceremony, tx.Now.Add(challengeLife))
	})
	if err == nil {
		err = refusal
	}
	return options, err
}

// AddPasskey keeps the passkey that a device has made for the reader of ctx; answer is its credential as JSON.
func (m *Module) AddPasskey(ctx context.Context, answer []byte, device string) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return ErrPasskey.Because(err)
	}
	var refusal error
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		ceremony, err := takeChallenge(ctx, tx, secret.Hash(parsed.Response.CollectedClientData.Challenge), s.ReaderID)
		if err != nil {
			return err
		}
		if ceremony == nil {
			refusal = secret.ErrExpiredToken
			return nil
		}
		rp, err := relyingParty(tx.Edition)
		if err != nil {
			return err
		}
		made, err := rp.CreateCredential(&keyHolder{handle: keyHandle(m.secrets, tx.Edition.ID, s.ReaderID)},
			*ceremony, parsed)
		if err != nil {
			refusal = ErrPasskey.Because(err)
			return nil
		}
		id, err := insertPasskey(ctx, tx, s.ReaderID, made, device)
		if err != nil {
			return err
		}
		if id == 0 {
			refusal = ErrPasskey
			return nil
		}
		return outbox.Tell(ctx, tx, event.PasskeyChanged,
			event.PasskeyChange{ReaderID: s.ReaderID, PasskeyID: id, Added: true, Device: device, At: tx.Now})
	})
	if err == nil {
		err = refusal
	}
	m.log.InfoContext(ctx, "a passkey was made", "security", true, "reader", s.ReaderID, "error", err)
	return err
}

// PasskeyChallenge begins a login: what a device is to be asked, whoever holds it.
func (m *Module) PasskeyChallenge(ctx context.Context,
	network string,
) (options *protocol.CredentialAssertion, err error) {
	within := false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.Spend(ctx, tx, challengesOfNetwork, network); err != nil || !within {
			return err
		}
		rp, err := relyingParty(tx.Edition)
		if err != nil {
			return err
		}
		made, ceremony, err := rp.BeginDiscoverableLogin()
		if err != nil {
			return err
		}
		options = made
		return insertChallenge(ctx, tx, secret.Hash(ceremony.Challenge), 0, ceremony, tx.Now.Add(challengeLife))
	})
	if err == nil && !within {
		err = secret.ErrTooManyAttempts
	}
	return options, err
}

// SignInByPasskey opens a session by what a device has signed; answer is its credential as JSON. A challenge is used up
// by one try, right or wrong.
func (m *Module) SignInByPasskey(ctx context.Context, answer []byte, referrer string, v Visitor) (Opened, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return Opened{}, ErrPasskey.Because(err)
	}
	return m.logIn(ctx, v, &trace{way: "passkey"}, func(ctx context.Context, tx db.Tx) (outcome, error) {
		ceremony, err := takeChallenge(ctx, tx, secret.Hash(parsed.Response.CollectedClientData.Challenge), 0)
		if err != nil {
			return outcome{}, err
		}
		if ceremony == nil {
			return refused(secret.ErrExpiredToken), nil
		}
		key, err := lockPasskey(ctx, tx, parsed.RawID)
		if err != nil {
			return outcome{}, err
		}
		if key == nil || key.ClonedAt != nil {
			return refused(ErrPasskey), nil
		}
		r, err := reader.Lock(ctx, tx, key.ReaderID)
		if err != nil {
			return outcome{}, err
		}
		o, err := m.verify(ctx, tx, key, r, ceremony, parsed)
		o.referrer = web.LocalPath(referrer)
		return o, err
	})
}

// verify checks a signature and notes its count. One that is not higher than the last says that there are two of them.
func (m *Module) verify(ctx context.Context, tx db.Tx, key *storedPasskey, r *reader.Reader,
	ceremony *webauthn.SessionData,
	parsed *protocol.ParsedCredentialAssertionData,
) (outcome, error) {
	h, err := m.holder(tx.Edition, r, []storedPasskey{*key})
	if err != nil {
		return outcome{}, err
	}
	rp, err := relyingParty(tx.Edition)
	if err != nil {
		return outcome{}, err
	}
	_, used, err := rp.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		if subtle.ConstantTimeCompare(handle, h.handle) != 1 {
			return nil, ErrPasskey
		}
		return h, nil
	}, *ceremony, parsed)
	if err != nil {
		return refused(ErrPasskey.Because(err)), nil
	}
	if used.Authenticator.CloneWarning {
		m.log.WarnContext(ctx, "a passkey may have been copied", "security", true, "reader", r.ID, "passkey", key.ID)
		return refused(ErrPasskey), markCloned(ctx, tx, key.ID)
	}
	return outcome{email: r.Email}, markPasskeyUsed(ctx, tx, key.ID, used)
}

// RemovePasskey forgets one of the passkeys of the reader of ctx.
func (m *Module) RemovePasskey(ctx context.Context, id int64) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
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

func (m *Module) profilePasskeys(ctx context.Context, readerID int64) (any, error) {
	list := []Passkey{}
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listPasskeys(ctx, tx, readerID)
		return err
	})
	return list, err
}
