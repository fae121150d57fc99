// Package voucher gives access without a subscription: codes that are printed in batches, and gifts, which are paid for
// by card and handed over as a code.
//
// Open coupon.go and gift.go next, then redeem.go. The package imports access, invoice, links, offer, stripe and terms,
// and nothing above them.
package voucher

import (
	"context"
	"log/slog"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/terms"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
)

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
	Provider *stripe.Accounts
	Terms    *terms.Service
	Mailer   Mailer
	// ParseEmail reads an address as readers type it, or says what is wrong.
	ParseEmail func(string) (string, error)
	Log        *slog.Logger
}

// Service sells gifts and redeems codes.
type Service struct {
	db         *db.DB
	links      links.Signer
	invoices   *invoice.Service
	access     *access.Service
	provider   *stripe.Accounts
	terms      *terms.Service
	mailer     Mailer
	parseEmail func(string) (string, error)
	log        *slog.Logger
}

// NewService returns a Service.
func NewService(d Deps) *Service {
	return &Service{
		db: d.DB, links: d.Links, invoices: d.Invoices, access: d.Access, provider: d.Provider, terms: d.Terms,
		mailer: d.Mailer, parseEmail: d.ParseEmail, log: d.Log,
	}
}

// MayTry counts a code that a network and a person have typed, and reports whether they may try it.
func MayTry(ctx context.Context, tx db.Tx, network, person string) (bool, error) {
	return limit.SpendInTurn(ctx, tx, limit.Use{Budget: CodesOfNetwork, Key: network},
		limit.Use{Budget: CodesOfPerson, Key: person})
}
