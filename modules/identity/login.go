package identity

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/legacy"
	"example.org/broadsheet/modules/identity/passkey"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Visitor is the browser that is to be logged in.
type Visitor struct {
	Network string // limit.Network of its address
	Device  string // web.Agent, for the reader's list of sessions
	Browser string // secret of its request cookie, or ""
	Known   string // marks of its readers, see knownMark
	Token   string // of its session cookie, live or not, or ""
}

// loginTrace is what the log says about an attempt to log in.
type loginTrace struct {
	way     string // link, code, passkey, approval or exchange
	attempt int64  // the login mail that it is about, 0 for none
	// Of a refusal that a limit makes: network, address (too many wrong codes), mail (too many of this one) or edition.
	cause string
}

func (t *loginTrace) attrs(more ...any) []any {
	out := append([]any{"security", true, "way", t.way}, more...)
	if t.attempt != 0 {
		out = append(out, "attempt", t.attempt)
	}
	if t.cause != "" {
		out = append(out, "cause", t.cause)
	}
	return out
}

// about notes which mail it is, if any.
func (t *loginTrace) about(a *attempt) {
	if a != nil {
		t.attempt = a.ID
	}
}

// outcome is how an attempt to log in ends. It is reached in the transaction and returned after the commit, so that a
// spent try stays spent. The zero outcome opens no session yet: a person has to confirm first.
type outcome struct {
	refusal  error  // why no session is opened
	email    string // of the reader whose session is opened
	referrer string // local path to go to
	agreed   string // documents that the form in this browser named, see Agreements
	byEmail  bool   // by the code or the link of a login email
}

func refused(why error) outcome { return outcome{refusal: why} }

// newSession is a session that was opened, and what follows from it once it is committed.
type newSession struct {
	opened   OpenedSession
	replaced int64 // reader of the session that this browser had before
	imported bool  // the account comes from the legacy site and is used here for the first time
}

// SignIn opens a session by the code of the newest email to an address, in a browser that has requested one. Every
// wrong code is counted against the email, the address, the network and the edition.
func (m *Module) SignIn(ctx context.Context, address, typed string, v Visitor) (OpenedSession, error) {
	email, err := emailaddr.Parse(address)
	if err != nil {
		return OpenedSession{}, err
	}
	code := secret.ParseCode(typed)
	if code == "" {
		return OpenedSession{}, secret.ErrInvalidCode.On("code")
	}
	t := &loginTrace{way: "code"}
	return m.logIn(ctx, v, t, func(ctx context.Context, tx db.Tx) (outcome, error) {
		a, err := lockNewestAttempt(ctx, tx, email, browserHash(v.Browser))
		if err != nil {
			return outcome{}, err
		}
		t.about(a)
		right := a != nil && subtle.ConstantTimeCompare(a.CodeHash, m.secrets.CodeHash(tx.Edition.ID, a.Nonce, code)) == 1
		older := false
		if a != nil && !right {
			if older, err = m.isOlderCode(ctx, tx, a, code); err != nil {
				return outcome{}, err
			}
		}
		budgets := wrongCodeBudgets(tx.Edition, m.secrets.KnownMark(tx.Edition.ID, email, v.Known), email)
		capped, err := tooManyWrong(ctx, tx, budgets)
		if err != nil {
			return outcome{}, err
		}
		refusal := a.publicRefusal(a.codeRefusal(tx.Now, right, older, capped != ""))
		if errors.Is(refusal, secret.ErrTooManyAttempts) {
			t.cause = cmp.Or(capped, "mail")
		}
		if refusal == nil {
			return a.accepted(v.Browser), markCodeUsed(ctx, tx, a.ID)
		}
		if a == nil || !a.Counts ||
			(!errors.Is(refusal, secret.ErrInvalidCode) && !errors.Is(refusal, secret.ErrNotLastToken)) {
			return refused(refusal), nil // the answer does not depend on the code: nothing was tried
		}
		if _, err := limit.SpendAll(ctx, tx, budgets...); err != nil {
			return outcome{}, err
		}
		return refused(refusal), countTry(ctx, tx, a.ID)
	})
}

func (m *Module) isOlderCode(ctx context.Context, tx db.Tx, newest *attempt, code string) (bool, error) {
	list, err := listOlderAttempts(ctx, tx, newest)
	for _, o := range list {
		if subtle.ConstantTimeCompare(o.CodeHash, m.secrets.CodeHash(tx.Edition.ID, o.Nonce, code)) == 1 {
			return true, err
		}
	}
	return false, err
}

// tooManyWrong returns what has had too many wrong codes: "address", "edition", or "" for neither.
func tooManyWrong(ctx context.Context, tx db.Tx, budgets []limit.Use) (string, error) {
	for _, u := range budgets {
		left, err := limit.Left(ctx, tx, u.Budget, u.Key)
		switch {
		case err == nil && left:
			continue
		case u.Key == "":
			return "edition", err
		}
		return "address", err
	}
	return "", nil
}

// OpenLink opens a session by the link of an email. In the browser that requested the email this happens at once;
// elsewhere it takes a person's confirmation, because mail gateways open links, scripts and all. Without it nothing
// changes, and the masked address is what there is to confirm.
func (m *Module) OpenLink(ctx context.Context, link string, confirmed bool,
	v Visitor,
) (o OpenedSession, masked string, err error) {
	if !secret.Valid(link) {
		return OpenedSession{}, "", secret.ErrInvalidHash.On("user_hash")
	}
	t := &loginTrace{way: "link"}
	o, err = m.logIn(ctx, v, t, func(ctx context.Context, tx db.Tx) (outcome, error) {
		a, err := lockAttemptByLink(ctx, tx, secret.Hash(link))
		if err != nil {
			return outcome{}, err
		}
		t.about(a)
		if a == nil && v.Token != "" {
			r, err := sessions.TakeExchange(ctx, tx, v.Token, link)
			if err != nil {
				return outcome{}, err
			}
			if r != nil {
				t.way = "exchange"
				return outcome{email: r.Email, referrer: "/"}, nil
			}
		}
		if refusal := a.linkRefusal(tx.Now); refusal != nil {
			return refused(refusal), nil
		}
		if !confirmed && !a.fromBrowser(v.Browser) {
			masked = emailaddr.Mask(a.Email)
			return outcome{}, nil
		}
		return a.accepted(v.Browser), markLinkUsed(ctx, tx, a.ID)
	})
	return o, masked, err
}

// logIn runs one attempt to log in: check decides it, and a session is opened when it succeeds.
func (m *Module) logIn(ctx context.Context, v Visitor, t *loginTrace,
	check func(context.Context, db.Tx) (outcome, error),
) (OpenedSession, error) {
	var o outcome
	var s newSession
	var editionID string
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		editionID = tx.Edition.ID
		within, err := limit.Spend(ctx, tx, attemptsOfNetwork, v.Network)
		if err != nil {
			return err
		}
		if !within {
			o, t.cause = refused(secret.ErrTooManyAttempts), "network"
			return nil
		}
		if o, err = check(ctx, tx); err != nil || o.refusal != nil || o.email == "" {
			return err
		}
		return m.openSession(ctx, tx, o, v, &s)
	})
	if err != nil && s.imported {
		m.log.ErrorContext(ctx, "legacy account not migrated", "error", err)
		return OpenedSession{}, legacy.ErrMigration.Because(err)
	}
	if err != nil {
		return OpenedSession{}, err
	}
	if o.refusal != nil {
		m.log.InfoContext(ctx, "login refused", t.attrs("error", o.refusal)...)
		return OpenedSession{}, o.refusal
	}
	if o.email == "" {
		return OpenedSession{}, nil // somebody has to confirm first
	}
	if o.byEmail {
		m.countEmail(editionID, countedDomain(o.email), EmailUsed)
	}
	m.log.InfoContext(ctx, "session opened", t.attrs("reader", s.opened.ReaderID)...)
	if s.replaced != 0 {
		m.Sessions.ForgetReader(s.replaced)
	}
	if s.opened.First {
		// The next page should know of a trial. The event makes sure that it begins; this makes sure that it has begun.
		if err := m.trials.BeginTrial(ctx, s.opened.ReaderID); err != nil {
			m.log.ErrorContext(ctx, "trial not started at login", "reader", s.opened.ReaderID, "error", err)
		}
	}
	return s.opened, nil
}

// openSession makes the reader, if this is a registration, and the session. The session that the browser had ends.
func (m *Module) openSession(ctx context.Context, tx db.Tx, o outcome, v Visitor, s *newSession) error {
	var err error
	if s.imported, err = legacy.IsUnused(ctx, tx, o.email); err != nil {
		return err
	}
	r, err := reader.Upsert(ctx, tx, o.email)
	if err != nil {
		return err
	}
	if old, ok := session.From(ctx); ok {
		s.replaced = old.ReaderID
		if _, err := sessions.EndOne(ctx, tx, old.ReaderID, old.ID); err != nil {
			return err
		}
		if err := notify.Tell(ctx, tx, notify.Reader, reader.Key(old.ReaderID)); err != nil {
			return err
		}
	}
	created, err := sessions.Create(ctx, tx, r.ID, v.Device)
	if err != nil {
		return err
	}
	s.opened = OpenedSession{
		Token: created.Token, Handle: created.Handle, Until: created.Until, Referrer: o.referrer,
		First: r.FirstLogin, ReaderID: r.ID, Agreed: o.agreed,
		Known: m.secrets.AddKnownMark(tx.Edition.ID, r.Email, v.Known),
	}
	if o.byEmail && !r.FirstLogin { // a new reader is greeted, and asked enough
		if s.opened.OfferPasskey, err = passkey.OfferDue(ctx, tx, r.ID); err != nil {
			return err
		}
	}
	if r.Created {
		if err := outbox.Tell(ctx, tx, event.ReaderRegistered, event.Registered{ReaderID: r.ID, At: tx.Now}); err != nil {
			return err
		}
	}
	return outbox.Tell(ctx, tx, event.ReaderSignedIn, event.SignedIn{ReaderID: r.ID, SessionID: created.ID, At: tx.Now})
}

// SignInByPasskey opens a session by what a device has signed; answer is its credential as JSON.
func (m *Module) SignInByPasskey(ctx context.Context, answer []byte, referrer string,
	v Visitor,
) (OpenedSession, error) {
	signed, err := passkey.ParseSignature(answer)
	if err != nil {
		return OpenedSession{}, err
	}
	return m.logIn(ctx, v, &loginTrace{way: "passkey"}, func(ctx context.Context, tx db.Tx) (outcome, error) {
		r, err := m.passkeys.Verify(ctx, tx, signed)
		return outcome{refusal: r.Refusal, email: r.Email, referrer: web.LocalPath(referrer)}, err
	})
}
