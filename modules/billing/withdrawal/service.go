package withdrawal

import (
	"context"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
)

// Contacts finds readers by their addresses.
type Contacts interface {
	// ReaderOf returns whose an address is, or 0.
	ReaderOf(ctx context.Context, email string) (int64, error)
}

// Mailer sends an email once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
}

// Deps are what a Service works with; all are required.
type Deps struct {
	DB        *db.DB
	Access    *access.Service
	Links     links.Signer
	Transfers *transfer.Service
	Vouchers  *voucher.Service
	Provider  *stripe.Accounts
	Contacts  Contacts
	Mailer    Mailer
	// ParseEmail reads an address as readers type it, or says what is wrong.
	ParseEmail func(string) (string, error)
	// End ends a subscription at the provider, with its unpaid invoices.
	End func(ctx context.Context, providerID string, ifPaid access.Ending) error
	// Sync stores what the provider says of a subscription now.
	Sync func(ctx context.Context, providerID string) error
}

// Service receives statements and carries them out.
type Service struct {
	db         *db.DB
	access     *access.Service
	links      links.Signer
	transfers  *transfer.Service
	vouchers   *voucher.Service
	provider   *stripe.Accounts
	contacts   Contacts
	mailer     Mailer
	parseEmail func(string) (string, error)
	end        func(ctx context.Context, providerID string, ifPaid access.Ending) error
	sync       func(ctx context.Context, providerID string) error
}

// NewService returns a Service.
func NewService(d Deps) *Service {
	return &Service{
		db: d.DB, access: d.Access, links: d.Links, transfers: d.Transfers, vouchers: d.Vouchers, provider: d.Provider,
		contacts: d.Contacts, mailer: d.Mailer, parseEmail: d.ParseEmail, end: d.End, sync: d.Sync,
	}
}
