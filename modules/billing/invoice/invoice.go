// Package invoice issues the documents about payments and looks after them: invoices, pro-forma invoices and credit
// notes with their numbers, VAT, PDF and XML, whom they are made out to, and the accountant's books. A document is
// issued in the transaction that records its payment, so that a number that was drawn is never lost.
//
// Open document.go next, then issue.go. The package imports person and nothing else of billing.
package invoice

import (
	"context"
	"log/slog"
	"sync"

	"example.org/broadsheet/platform/db"
)

// Contacts finds the email address of a reader.
type Contacts interface {
	Contact(ctx context.Context, readerID int64) (email, lang string, err error)
}

// Deps are what a Service works with; all but Register are required.
type Deps struct {
	DB         *db.DB
	Contacts   Contacts
	ParseEmail func(string) (string, error)
	Register   VATRegister // nil: no number is checked, and VAT is always charged
	Log        *slog.Logger
}

// Service is what needs more than a transaction: whom documents are made out to, VAT, and reading documents.
type Service struct {
	Register VATRegister // nil: see Deps
	Rates    []VATRate

	db         *db.DB
	contacts   Contacts
	parseEmail func(string) (string, error)
	log        *slog.Logger
	failing    sync.Map // looked, by the id of the edition
}

// NewService returns a Service that charges VAT by the rates of vat.tsv.
func NewService(d Deps) *Service {
	return &Service{
		db: d.DB, contacts: d.Contacts, parseEmail: d.ParseEmail, Register: d.Register, Rates: VATRates, log: d.Log,
	}
}
