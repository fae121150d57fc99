// Package transfer sells what is paid by bank transfer: orders with a pro-forma invoice, the payments of the bank's
// statements, which of them pays which order, and the queue of payments that a person has to match.
//
// Open order.go next, then bank.go. The package imports access, invoice, offer and links, and nothing above them.
package transfer

import (
	"context"
	"log/slog"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
)

// Contacts finds the email address of a reader.
type Contacts interface {
	Contact(ctx context.Context, readerID int64) (email, lang string, err error)
}

// Mailer sends an email once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
}

// Deps are what a Service works with; all are required.
type Deps struct {
	DB       *db.DB
	Links    links.Signer
	Invoices *invoice.Service
	Access   *access.Service
	Contacts Contacts
	Mailer   Mailer
	Log      *slog.Logger
}

// Service takes orders and payments.
type Service struct {
	db       *db.DB
	invoices *invoice.Service
	access   *access.Service
	links    links.Signer
	contacts Contacts
	mailer   Mailer
	log      *slog.Logger
}

// NewService returns a Service.
func NewService(d Deps) *Service {
	return &Service{
		db: d.DB, invoices: d.Invoices, access: d.Access, links: d.Links, contacts: d.Contacts, mailer: d.Mailer, log: d.Log,
	}
}
