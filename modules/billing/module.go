// Package billing sells subscriptions. Access comes from what the provider has confirmed and from nothing else; the
// rows here are copies of what it said last.
//
// Its parts are packages below it, and arrows lead only downward: subscription, withdrawal, voucher and transfer sell;
// email says what they write; access knows who may read; invoice issues documents; stripe speaks to the payment
// provider. What is left here are pages, forms and calls. Open module.go for what is subscribed to and what runs by
// itself, then subscription/subscription.go.
package billing

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/reconcile"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/terms"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/signedlink"
	"example.org/broadsheet/platform/web"
)

// Contacts is what billing asks of identity.
type Contacts = subscription.Contacts

// Mailer sends an email once for its key.
type Mailer = subscription.Mailer

// Deps are what a Module works with; all but ObserveWebhook, ObserveRefused and Log are required.
type Deps struct {
	DB       *db.DB
	Key      signedlink.Key // signs links in emails
	Cookies  web.Cookies
	Logins   Logins
	Contacts Contacts
	Mailer   Mailer
	Provider func(editionID string) (stripe.Keys, error)
	// ParseEmail reads an address as readers type it, or says what is wrong.
	ParseEmail func(string) (string, error)
	// Register says which VAT numbers are good; nil: it is never asked, and VAT is always charged.
	Register invoice.VATRegister
	// ReaderTimeout is how long a reader waits for the provider; 0: DefaultReaderTimeout.
	ReaderTimeout time.Duration
	Pages         terms.Pages  // nil: orders are confirmed without the terms
	Breakers      *breaker.Set // to the provider
	// ObserveWebhook is told how old a message of the provider is when it was acted upon.
	ObserveWebhook func(editionID string, lag time.Duration)
	// ObserveRefused is called for each message of the provider that is refused.
	ObserveRefused func(editionID string, why stripe.Refusal)
	Log            *slog.Logger
}

// Module serves what is sold, and knows who has bought.
type Module struct {
	Invoices      *invoice.Service
	Access        *access.Service
	Transfers     *transfer.Service
	Subscriptions *subscription.Service
	Withdrawals   *withdrawal.Service
	// Reconciliation compares subscriptions with the payment provider.
	Reconciliation *reconcile.Service

	db         *db.DB
	links      links.Signer
	cookies    web.Cookies
	logins     Logins
	vouchers   *voucher.Service
	provider   *stripe.Accounts
	parseEmail func(string) (string, error)
	log        *slog.Logger
}

// New makes the module. It does not speak to the provider before somebody pays.
func New(d Deps) (*Module, error) {
	if d.DB == nil || d.Contacts == nil || d.Mailer == nil || d.Provider == nil || d.ParseEmail == nil ||
		d.Logins == nil || len(d.Key) < 32 {
		return nil, errors.New("billing: a dependency is missing")
	}
	if err := invoice.CheckCountries(i18n.Languages); err != nil {
		return nil, err
	}
	if d.ObserveWebhook == nil {
		d.ObserveWebhook = func(string, time.Duration) {}
	}
	if d.ObserveRefused == nil {
		d.ObserveRefused = func(string, stripe.Refusal) {}
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	m := &Module{
		Invoices: invoice.NewService(invoice.Deps{
			DB: d.DB, Contacts: d.Contacts, ParseEmail: d.ParseEmail, Register: d.Register, Log: d.Log,
		}),
		Access: access.NewService(d.DB, d.Log),
		db:     d.DB, links: links.Signer{Key: d.Key}, cookies: d.Cookies, logins: d.Logins, parseEmail: d.ParseEmail,
		log: d.Log, provider: stripe.NewAccounts(d.Provider, d.Breakers),
	}
	m.Transfers = transfer.NewService(transfer.Deps{
		DB: d.DB, Links: m.links, Invoices: m.Invoices, Access: m.Access, Contacts: d.Contacts, Mailer: d.Mailer, Log: d.Log,
	})
	order := terms.NewService(d.DB, d.Pages, d.Log)
	m.vouchers = voucher.NewService(voucher.Deps{
		DB: d.DB, Links: m.links, Invoices: m.Invoices, Access: m.Access, Provider: m.provider, Terms: order,
		Mailer: d.Mailer, ParseEmail: d.ParseEmail, Log: d.Log,
	})
	m.Subscriptions = subscription.NewService(subscription.Deps{
		DB: d.DB, Links: m.links, Invoices: m.Invoices, Access: m.Access, Transfers: m.Transfers, Vouchers: m.vouchers,
		Terms: order, Provider: m.provider, Contacts: d.Contacts, Mailer: d.Mailer, ParseEmail: d.ParseEmail,
		ReaderTimeout:  cmp.Or(d.ReaderTimeout, subscription.DefaultReaderTimeout),
		ObserveWebhook: d.ObserveWebhook, ObserveRefused: d.ObserveRefused, Log: d.Log,
	})
	m.Reconciliation = reconcile.NewService(reconcile.Deps{
		DB: d.DB, Access: m.Access, Subscriptions: m.Subscriptions, Provider: m.provider, Log: d.Log,
	})
	m.Withdrawals = withdrawal.NewService(withdrawal.Deps{
		DB: d.DB, Access: m.Access, Links: m.links, Transfers: m.Transfers, Vouchers: m.vouchers, Provider: m.provider,
		Contacts: d.Contacts, Mailer: d.Mailer, ParseEmail: d.ParseEmail, End: m.Subscriptions.End,
		Sync: m.Subscriptions.SyncSubscription,
	})
	return m, nil
}

// errNotRefused is an entry of the review queue that is not about a withdrawal.
var errNotRefused = errors.New("billing: only a repeated_withdrawal can be refused")

// ResolveReview settles an entry of the review queue as a person has decided: a withdrawal is carried out or, with
// refuse, refused; anything else is noted and looked at once more. With dry, nothing changes.
func (m *Module) ResolveReview(ctx context.Context, id int64, refuse, dry bool) (p access.Review, err error) {
	return m.Access.ResolveReview(ctx, id, dry, func(ctx context.Context, tx db.Tx, p access.Review) error {
		switch {
		case p.Kind == access.ReviewRepeat:
			return m.Withdrawals.Decide(ctx, tx, p, refuse)
		case refuse:
			return errNotRefused
		}
		return m.Reconciliation.Recheck(ctx, tx, p)
	})
}

// Listen subscribes to what the module acts upon.
func (m *Module) Listen(r event.Registry) {
	m.Subscriptions.Listen(r)
	event.On(r, event.InvoiceDataSet, func(ctx context.Context, e event.Payer) error {
		return errors.Join(m.Subscriptions.UpdateCustomer(ctx, e), m.Invoices.CheckVATNumber(ctx, e))
	})
	event.On(r, event.TransferDue, event.UnlessLeft(m.Transfers.MailDue))
	event.On(r, event.WithdrawalSent, m.Withdrawals.Mail)
	event.On(r, event.WithdrawalDue, m.Withdrawals.Refund)
	event.On(r, event.GiftBought, m.vouchers.MailGiftBought)
	event.On(r, event.GiftDisputeTurned, m.vouchers.MailDispute)
	event.On(r, event.GiftDue, m.vouchers.MailGift)
}

// Ticks registers work that is due at intervals, for each edition.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	m.Subscriptions.Ticks(every)
	m.Reconciliation.Ticks(every)
	every("billing.documents", 6*time.Hour, m.Invoices.CheckDocuments)
	every("billing.series", 24*time.Hour, m.Invoices.CheckSeries)
	every("billing.vat_numbers", 24*time.Hour, m.Invoices.CheckVATNumbers)
	every("billing.gifts", 5*time.Minute, m.vouchers.SettleGifts)
	every("billing.withdrawals", time.Hour, m.Withdrawals.Sweep)
	every("billing.transfers", 15*time.Minute, m.Transfers.Sweep)
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule { return retentions }

// Previews are all emails of the module with made-up contents.
func (m *Module) Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview {
	return slices.Concat(email.Previews(m.Transfers, ed, to, at), withdrawal.Previews(ed, to, at))
}
