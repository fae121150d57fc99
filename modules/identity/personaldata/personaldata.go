// Package personaldata answers what readers may ask for by law: a copy of all that is kept of them (export.go), and its
// deletion (request.go is the code that confirms it, erase.go the work). It asks every part of the application that
// keeps something of readers, also by addresses that a reader had before (former.go).
//
// Of modules/identity it imports reader, secret and sessions. Begin with Service.Begin, which every erasure goes
// through.
package personaldata

import (
	"context"
	"log/slog"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/privacy"
)

// Mailer sends an email, once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
}

// Deps is what the package needs.
type Deps struct {
	DB          *db.DB
	Key         secret.Key
	Mailer      Mailer
	Sessions    *sessions.Sessions
	DataHolders func() []privacy.Part // what keeps something of readers, in the order in which it forgets them
	Log         *slog.Logger
}

// Service exports and erases what is kept of readers.
type Service struct {
	db          *db.DB
	secrets     secret.Key
	mailer      Mailer
	sessions    *sessions.Sessions
	dataHolders func() []privacy.Part
	log         *slog.Logger
}

// New makes the service.
func New(d Deps) *Service {
	return &Service{
		db: d.DB, secrets: d.Key, mailer: d.Mailer, sessions: d.Sessions, dataHolders: d.DataHolders, log: d.Log,
	}
}
