package identity

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"example.org/broadsheet/modules/identity/commentname"
	"example.org/broadsheet/modules/identity/help"
	"example.org/broadsheet/modules/identity/passkey"
	"example.org/broadsheet/modules/identity/personaldata"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/web"
)

// Entitlements says what a reader may read, and until when.
type Entitlements interface {
	Entitlement(ctx context.Context, readerID int64) (Entitlement, error)
}

// EntitlementFunc is a function as Entitlements.
type EntitlementFunc func(ctx context.Context, readerID int64) (Entitlement, error)

// Entitlement calls f.
func (f EntitlementFunc) Entitlement(ctx context.Context, readerID int64) (Entitlement, error) {
	return f(ctx, readerID)
}

// Terms returns what a reader agreed to ("true", "false", "later", "undefined" or a list of documents).
type Terms interface {
	Agreed(ctx context.Context, readerID int64) (string, error)
}

// Trials begins the trial that a reader was granted, at the first login; it may be called again.
type Trials interface {
	BeginTrial(ctx context.Context, readerID int64) error
}

// Mailer sends an email, once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
}

// Followers are told that a reader has another address, perhaps more than once.
type Followers interface {
	Moved(ctx context.Context, readerID int64, from, to string) error
}

// Deps is what the module needs. All fields but Note, CountEmail and Log are required.
type Deps struct {
	DB           *db.DB
	Key          []byte // secret of the installation, at least 32 bytes: codes and links are derived from it
	Cookies      web.Cookies
	Mailer       Mailer
	Entitlements Entitlements
	Terms        Terms
	Agreements   Agreements
	Trials       Trials
	Followers    Followers // of a change of address
	// The sections of a reader's profile, in no order.
	Profile func() []page.Part
	// The forms of the focus page, by type.
	Focus func() []page.Part
	// All that stores data of readers, in the order in which it is erased.
	DataHolders func() []privacy.Part
	// Records what a reader did, without waiting; may be nil.
	Note readerlog.Note
	// Counts the login emails to a domain by what came of them, EmailRequested or EmailUsed; may be nil.
	CountEmail func(editionID, domain, result string)
	Log        *slog.Logger
}

// Module is the identity module.
type Module struct {
	Sessions *sessions.Sessions
	Data     *personaldata.Service

	db           *db.DB
	secrets      secret.Key
	cookies      web.Cookies
	mailer       Mailer
	entitlements Entitlements
	terms        Terms
	agreements   Agreements
	trials       Trials
	followers    Followers
	profile      func() []page.Part
	focus        func() []page.Part
	note         readerlog.Note
	countEmail   func(editionID, domain, result string)
	log          *slog.Logger
	passkeys     *passkey.Passkeys
	help         *help.Service
	names        *commentname.Names
}

// New makes the module; an error means that the key is too short to keep codes secret.
func New(d Deps) (*Module, error) {
	if len(d.Key) < 32 {
		return nil, errors.New("identity: the key has less than 32 bytes")
	}
	if d.Note == nil {
		d.Note = func(context.Context, int64, readerlog.Action, string, string) {}
	}
	if d.CountEmail == nil {
		d.CountEmail = func(string, string, string) {}
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	key, live := secret.Key(d.Key), sessions.New(d.DB, d.Log)
	m := &Module{
		Sessions: live,
		Data: personaldata.New(personaldata.Deps{
			DB: d.DB, Key: key, Mailer: d.Mailer, Sessions: live, DataHolders: d.DataHolders, Log: d.Log,
		}),
		db: d.DB, secrets: key, cookies: d.Cookies, mailer: d.Mailer, entitlements: d.Entitlements, terms: d.Terms,
		agreements: d.Agreements, trials: d.Trials, followers: d.Followers, profile: d.Profile, focus: d.Focus,
		note: d.Note, countEmail: d.CountEmail, log: d.Log, passkeys: passkey.New(d.DB, key, d.Mailer, d.Log),
		names: commentname.New(d.DB),
	}
	m.help = help.New(d.DB, d.Mailer, m.countForEdition)
	return m, nil
}

// Listen subscribes to the events of this module.
func (m *Module) Listen(r event.Registry) {
	event.On(r, event.LoginMail, m.mailLogin)
	event.On(r, event.HelpAsked, m.help.Mail)
	event.On(r, event.InvitationMail, m.mailInvitation)
	event.On(r, event.LeaveMail, m.Data.MailCode)
	event.On(r, event.ReaderErased, m.Data.Finish)
	event.On(r, event.PasskeyChanged, m.passkeys.MailChange)
	event.On(r, event.AddressMail, m.mailAddress)
	event.On(r, event.AddressChanged, m.addressChanged)
}

// Ticks registers the periodic work of the module, as jobs.Worker.Every takes it.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("identity.erasures", time.Hour, m.Data.Resume)
	every("identity.help", time.Hour, m.help.SendOpen)
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule {
	return slices.Concat(retentions, help.Retentions, passkey.Retentions, personaldata.Retentions, sessions.Retentions)
}
