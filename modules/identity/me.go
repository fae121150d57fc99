package identity

import (
	"context"
	"time"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Me is what a browser learns about its reader. Without a UserID it learns only why there is none.
type Me struct {
	UserID        int64  `json:"user_id,omitempty"`
	Email         string `json:"email,omitempty"`
	Expiration    int64  `json:"expiration"` // seconds since 1970; 0 for none
	CommentName   string `json:"comment_name"`
	Type          string `json:"type"`
	HasTrial      bool   `json:"has_trial"`
	ActiveProduct string `json:"active_product"`
	Agreed        string `json:"user_agreed_to_terms"`
	ReminderDue   bool   `json:"subscription_expiration_reminder"`
	Description   string `json:"description"`
	LoginCookie   string `json:"login_cookie"`
	LoginRequests int    `json:"login_requests"` // logins on other devices that wait for this reader's answer
}

// Why there is no reader.
const (
	reasonInvalidHash  = "INVALID_HASH"
	reasonExpiredLogin = "EXPIRED_LOGIN"
	reasonOutdated     = "OUTDATED_COOKIE_VERSION"
)

// noReader is the answer without a reader's data.
func noReader(why string) Me {
	return Me{ActiveProduct: "no_product", Agreed: "undefined", Description: why}
}

// Me returns who the session's reader is. handle is the public name of a session, or ""; one of another session is
// INVALID_HASH. token is what the browser's cookie holds: where there is no session of ctx, it is over or outdated.
func (m *Module) Me(ctx context.Context, handle, token string) (Me, error) {
	if err := web.SessionFailure(ctx); err != nil {
		return Me{}, err // to be told that it is over would make the browser forget a session that lives
	}
	s, ok := session.From(ctx)
	if !ok && handle != "" {
		var err error
		if s, ok, err = m.sessionByHandle(ctx, handle); err != nil {
			return Me{}, err
		}
	}
	switch {
	case ok && (handle == "" || handle == s.Handle):
		return m.describe(ctx, s.ReaderID)
	case !ok && token != "":
		return m.offerExchange(ctx, token)
	case handle != "":
		return noReader(reasonInvalidHash), nil
	}
	return noReader(""), nil
}

// exchangeTTL is how long an outdated session can be exchanged after that was offered.
const exchangeTTL = time.Minute

// offerExchange offers a new login for a live session of an older version than the edition asks for. The offer counts
// once, for a minute, and in the browser that still has the old cookie.
func (m *Module) offerExchange(ctx context.Context, token string) (Me, error) {
	offer, found := secret.New(), false
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		found, err = sessions.OfferExchange(ctx, tx, token, offer, tx.Now.Add(exchangeTTL))
		return err
	})
	if err != nil || !found {
		return noReader(reasonExpiredLogin), err
	}
	me := noReader(reasonOutdated)
	me.LoginCookie = offer
	return me, nil
}

// sessionByHandle lets the public handle alone read, where an edition allows it for old clients: for some minutes after
// the login, because a handle stands in addresses, which are logged and sent on.
func (m *Module) sessionByHandle(ctx context.Context, handle string) (s session.Session, ok bool, err error) {
	ed, err := edition.From(ctx)
	if err != nil || !ed.Identity.HandleAlone {
		return s, false, err
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		found, err := sessions.FindByHandle(ctx, tx, handle)
		if found != nil {
			s, ok = *found, true
		}
		return err
	})
	return s, ok, err
}

func (m *Module) describe(ctx context.Context, readerID int64) (Me, error) {
	var r *reader.Reader
	var waiting []LoginRequest
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if r, err = reader.Find(ctx, tx, readerID); err == nil && r != nil {
			waiting, err = listLoginRequests(ctx, tx, r.Email)
		}
		return err
	})
	if err != nil {
		return Me{}, err
	}
	if r == nil {
		return noReader(reasonExpiredLogin), nil
	}
	st, err := m.entitlements.Entitlement(ctx, readerID)
	if err != nil {
		return Me{}, err
	}
	agreed, err := m.terms.Agreed(ctx, readerID)
	if err != nil {
		return Me{}, err
	}
	me := Me{
		UserID: r.ID, Email: r.Email, CommentName: r.CommentName, Type: r.Type, HasTrial: st.Trial,
		ActiveProduct: st.Product, Agreed: agreed, ReminderDue: st.ReminderDue, LoginRequests: len(waiting),
	}
	if st.Until.After(m.db.Now()) {
		me.Expiration = st.Until.Unix()
	}
	if me.ActiveProduct == "" {
		me.ActiveProduct = "no_product"
	}
	return me, nil
}

// Contact returns where a reader gets emails, and in which language.
func (m *Module) Contact(ctx context.Context, readerID int64) (email, lang string, err error) {
	r, err := reader.Load(ctx, m.db, readerID)
	if err != nil {
		return "", "", err
	}
	if r.Lang != "" {
		return r.Email, r.Lang, nil
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return "", "", err
	}
	return r.Email, ed.Lang(), nil
}

// PublicID returns what a reader is called outside the database: no other reader ever has it, not even one with the
// same number after a restore.
func (m *Module) PublicID(ctx context.Context, readerID int64) (id string, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		id, err = reader.FindPublicID(ctx, tx, readerID)
		return err
	})
	return id, err
}

// ReaderOf returns whose an address is, or 0. It is for work that answers nobody who could learn it by that.
func (m *Module) ReaderOf(ctx context.Context, email string) (id int64, err error) {
	if email, err = emailaddr.Parse(email); err != nil {
		return 0, err
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		id, err = reader.FindByEmail(ctx, tx, email)
		return err
	})
	return id, err
}
