package identity

import (
	"cmp"
	"context"
	"crypto/rand"
	"time"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// What may be asked how often. An address is counted over all browsers and networks, a network over all addresses.
var (
	emailsOfNetwork   = limit.Budget{Name: "identity.mail.network", Max: 20, Window: time.Hour}
	emailsAnHour      = limit.Budget{Name: "identity.mail.hour", Max: 5, Window: time.Hour}
	emailsADay        = limit.Budget{Name: "identity.mail.day", Max: 10, Window: 24 * time.Hour}
	lookupsAMinute    = limit.Budget{Name: "identity.exists.minute", Max: 10, Window: time.Minute}
	lookupsAnHour     = limit.Budget{Name: "identity.exists.hour", Max: 60, Window: time.Hour}
	lookupsOfEmail    = limit.Budget{Name: "identity.exists.email", Max: 5, Window: time.Hour}
	attemptsOfNetwork = limit.Budget{Name: "identity.verify.network", Max: 30, Window: 5 * time.Minute}
	wrongCodesAnHour  = limit.Budget{Name: "identity.wrong.hour", Max: 10, Window: time.Hour}
	wrongCodesADay    = limit.Budget{Name: "identity.wrong.day", Max: 20, Window: 24 * time.Hour}
)

// defaultSurge is how much ten minutes may bring at most where the edition does not say.
const defaultSurge = 500

// budgetOfEdition is a budget for all visitors of an edition together: many machines, each within its own budgets, must
// neither send emails in its name by the thousand nor learn who its readers are.
func budgetOfEdition(ed *edition.Edition, name string) limit.Use {
	return limit.Use{Budget: limit.Budget{
		Name: name, Max: cmp.Or(ed.Identity.Surge, defaultSurge),
		Window: 10 * time.Minute, Usual: 10,
	}}
}

// Asked is a visitor's request for a login email.
type Asked struct {
	Email    string
	Referrer string // where to go afterwards; anything but a local path is "/"
	Browser  string // secret of the browser's request cookie
	Known    string // of the browser's readers, see knownMark
	Network  string // limit.Network of the visitor's address
	Device   string // web.Agent, for the reader who is asked on another device
	Agreed   string // documents that the form names, see Agreements
}

// wrongCodesOfEdition is how many wrong codes all visitors of an edition may enter together: many machines, each within
// its own budgets, would otherwise guess a code in the end. People mistype less often than they ask.
func wrongCodesOfEdition(ed *edition.Edition) limit.Use {
	u := budgetOfEdition(ed, "identity.wrong.edition")
	u.Budget.Max = max(u.Budget.Max/5, 1)
	return u
}

// Ask sends an email with a link and a code, and makes earlier ones void. It does the same, in the same statements, for
// known and unknown addresses. Asked again within a minute it sends nothing, or anybody could make an email void that
// its reader is about to open; the code of that email counts in this browser too. It returns the address in its one
// form.
func (m *Module) Ask(ctx context.Context, in Asked) (email string, err error) {
	email, err = emailaddr.Parse(in.Email)
	if err != nil {
		return "", err
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	if err := m.checkDomain(ctx, ed, email, in.Network); err != nil {
		return "", err
	}
	var verdict error
	var id int64         // of the mail, 0 where none is sent
	var opens bool       // whether it can open a session
	var shared limit.Use // what all visitors use up together
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := lockAddress(ctx, tx, email); err != nil {
			return err
		}
		if fresh, err := joinFreshAttempt(ctx, tx, email, browserHash(in.Browser)); err != nil || fresh {
			return err
		}
		if refuses, err := mail.Refuses(ctx, tx, email); err != nil || refuses {
			verdict = mail.ErrRefused.On("email") // instead of a wait for an email that cannot come
			return err
		}
		mark := m.secrets.KnownMark(tx.Edition.ID, email, in.Known)
		within, err := limit.SpendInTurn(ctx, tx, emailBudgets(mark, email, in.Network)...)
		if err == nil && within && mark == "" {
			shared = budgetOfEdition(tx.Edition, "identity.mail.edition")
			within, err = limit.Left(ctx, tx, shared.Budget, shared.Key)
		}
		if err != nil {
			return err
		}
		if !within {
			verdict = web.ErrTooMany
			return nil
		}
		id, opens, err = m.createAttempt(ctx, tx, email, in)
		return err
	})
	switch {
	case err != nil:
		return "", err
	case verdict != nil:
		m.log.InfoContext(ctx, "login email refused", "security", true, "error", verdict)
	case id != 0:
		m.countForEdition(ctx, shared)
		if opens {
			m.countEmail(ed.ID, countedDomain(email), EmailRequested)
		}
		m.log.InfoContext(ctx, "login email requested", "security", true, "attempt", id)
	}
	return email, verdict
}

// countForEdition counts against a budget of the whole edition. It runs after the transaction, because every visitor of
// the edition would wait for its end.
func (m *Module) countForEdition(ctx context.Context, u limit.Use) {
	if u.Budget.Name == "" {
		return
	}
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := limit.Spend(ctx, tx, u.Budget, u.Key)
		return err
	})
	if err != nil {
		m.log.WarnContext(ctx, "edition budget not counted", "budget", u.Budget.Name, "error", err)
	}
}

func (m *Module) createAttempt(ctx context.Context, tx db.Tx, email string,
	in Asked,
) (id int64, opens bool, err error) {
	known, invited, err := findAddress(ctx, tx, email)
	if err != nil {
		return 0, false, err
	}
	purpose := Registration
	switch {
	case known:
		purpose = Login
	case tx.Edition.Identity.Registration == "invite" && !invited:
		purpose = Uninvited
	}
	if err := supersedeAttempts(ctx, tx, email); err != nil {
		return 0, false, err
	}
	nonce := make([]byte, 32)
	_, _ = rand.Read(nonce) // it never fails
	ed := tx.Edition.ID
	id, err = insertAttempt(ctx, tx, &attempt{
		Email: email, Purpose: purpose, Nonce: nonce, Referrer: web.LocalPath(in.Referrer),
		BrowserHash: secret.Hash(in.Browser),
		Device:      in.Device, Agreed: in.Agreed,
		CodeHash: m.secrets.CodeHash(ed, nonce, m.secrets.Code(ed, nonce)), ExpiresAt: tx.Now.Add(secret.TTL),
	}, secret.Hash(m.secrets.Link(ed, nonce)))
	if err != nil {
		return 0, false, err
	}
	return id, purpose != Uninvited, outbox.Tell(ctx, tx, event.LoginMail, event.LoginRequested{AttemptID: id})
}

// Exists reports whether an address is a reader's: true means log in, false register. An edition can have it always say
// true. A refused question uses up nothing: who was hasty for a minute still has the rest of the hour, and a network
// that was stopped cannot keep others from asking about an address. There is no transaction: each budget is spent in a
// statement of its own, so that nobody waits for another.
func (m *Module) Exists(ctx context.Context, address, network string) (bool, error) {
	email, err := emailaddr.Parse(address)
	if err != nil {
		return false, err
	}
	known, err := m.lookUp(ctx, email, network)
	if err != nil {
		return false, err
	}
	ed, err := edition.From(ctx)
	return known || err == nil && ed.Identity.ExistsMode == "always_true", err
}

// lookUp reports whether an address has an account, within the budgets of such questions.
func (m *Module) lookUp(ctx context.Context, email, network string) (known bool, err error) {
	within := false
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: lookupsAMinute, Key: network},
			limit.Use{Budget: lookupsAnHour, Key: network}, limit.Use{Budget: lookupsOfEmail, Key: email},
			budgetOfEdition(tx.Edition, "identity.exists.edition"))
		if err != nil || !within {
			return err
		}
		known, _, err = findAddress(ctx, tx, email)
		return err
	})
	if err == nil && !within {
		err = web.ErrTooMany
	}
	return known, err
}

// checkDomain applies the edition's list of domains to an address that asks for a login. A reader who has an account
// logs in, whatever the list says by now.
func (m *Module) checkDomain(ctx context.Context, ed *edition.Edition, email, network string) error {
	refusal := emailaddr.CheckDomain(ed, email)
	if refusal == nil {
		return nil
	}
	known, err := m.lookUp(ctx, email, network)
	if err == nil && !known {
		err = refusal
	}
	return err
}
