// Package billing sells subscriptions. Access comes from what the provider has confirmed and from nothing else; the
// rows here are copies of what it said last.
//
// Its parts are packages below it, and arrows lead only downward: offer and links describe what is sold and where;
// access knows who may read; invoice issues documents; stripe speaks to the payment provider. Open module.go for what
// is subscribed to and what runs by itself, then pay.go and sync.go.
package billing

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/singleflight"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/terms"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/signedlink"
	"example.org/broadsheet/platform/web"
)

// Contacts is what billing asks of identity.
type Contacts interface {
	// Contact returns a reader's address and the language to write in.
	Contact(ctx context.Context, readerID int64) (email, lang string, err error)
	// Invited reports whether a reader's address was invited to the edition.
	Invited(ctx context.Context, readerID int64) (bool, error)
	// Legacy reports whether a reader's account is one of the former site.
	Legacy(ctx context.Context, readerID int64) (bool, error)
	// PublicID returns a reader's random id, by which the provider knows the reader, or ErrLeft. No two readers ever have
	// the same one.
	PublicID(ctx context.Context, readerID int64) (string, error)
	// ReaderOf returns whose an address is, or 0.
	ReaderOf(ctx context.Context, email string) (int64, error)
}

// Mailer sends an email once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Letter) error
}

// Deps are what a Module works with; all but Log are required.
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
	Log           *slog.Logger
}

// Module sells, and knows who has bought.
type Module struct {
	Invoices  *invoice.Service
	Access    *access.Service
	Transfers *transfer.Service

	db         *db.DB
	links      links.Signer
	cookies    web.Cookies
	logins     Logins
	contacts   Contacts
	mailer     Mailer
	terms      *terms.Service
	vouchers   *voucher.Service
	provider   *stripe.Accounts
	parseEmail func(string) (string, error)
	log        *slog.Logger
	opening    singleflight.Group
	wait       time.Duration // of readers, for the provider
	drift      gauges[DriftStats]
	waits      gauges[Waiting]
}

// New makes the module. It does not speak to the provider before somebody pays.
func New(d Deps) (*Module, error) {
	if d.DB == nil || d.Contacts == nil || d.Mailer == nil || d.Provider == nil || d.ParseEmail == nil ||
		d.Logins == nil || len(d.Key) < 32 {
		return nil, errors.New("billing: a dependency is missing")
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	m := &Module{
		Invoices: invoice.NewService(invoice.Deps{
			DB: d.DB, Contacts: d.Contacts, ParseEmail: d.ParseEmail, Register: d.Register, Log: d.Log,
		}),
		Access: access.NewService(d.DB, d.Log),
		db:     d.DB, links: links.Signer{Key: d.Key}, cookies: d.Cookies, logins: d.Logins, contacts: d.Contacts,
		mailer: d.Mailer, parseEmail: d.ParseEmail, log: d.Log,
		provider: stripe.NewAccounts(d.Provider, d.Breakers),
		wait:     cmp.Or(d.ReaderTimeout, DefaultReaderTimeout),
	}
	m.Transfers = transfer.NewService(transfer.Deps{
		DB: d.DB, Links: m.links, Invoices: m.Invoices, Access: m.Access, Contacts: d.Contacts, Mailer: d.Mailer, Log: d.Log,
	})
	m.terms = terms.NewService(d.DB, d.Pages, d.Log)
	m.vouchers = voucher.NewService(voucher.Deps{
		DB: d.DB, Links: m.links, Invoices: m.Invoices, Access: m.Access, Provider: m.provider, Terms: m.terms,
		Mailer: d.Mailer, ParseEmail: d.ParseEmail, Log: d.Log,
	})
	return m, nil
}

// Listen subscribes to what the module acts upon.
func (m *Module) Listen(r event.Registry) {
	event.On(r, event.ProviderEvent, m.processEvent)
	event.On(r, event.InvoiceDataSet, func(ctx context.Context, e event.Payer) error {
		return errors.Join(m.updateCustomer(ctx, e), m.Invoices.CheckVATNumber(ctx, e))
	})
	event.On(r, event.PaymentThanks, unlessLeft(m.confirmPurchase))
	event.On(r, event.DocumentIssued, unlessLeft(m.mailDocument))
	event.On(r, event.TransferDue, unlessLeft(m.Transfers.MailDue))
	event.On(r, event.CouponRedeemed, unlessLeft(m.postponePayment))
	event.On(r, event.GivenOver, m.endGrantedPause)
	event.On(r, event.OfferAsked, m.mailOffer)
	event.On(r, event.GiftBought, m.vouchers.MailGiftBought)
	event.On(r, event.GiftDue, m.vouchers.MailGift)
	event.On(r, event.WithdrawalSent, m.mailWithdrawal)
	event.On(r, event.WithdrawalDue, m.refundWithdrawal)
	event.On(r, event.TrialEnding, unlessLeft(m.mailTrialEnding))
	event.On(r, event.AccessEnded, unlessLeft(m.mailAccessEnded))
	event.On(r, event.PaymentDue, unlessLeft(m.mailPaymentDue))
	event.On(r, event.RenewalDue, unlessLeft(m.mailRenewal))
	event.On(r, event.PriceChanging, unlessLeft(m.mailPriceChange))
	event.On(r, event.SubscriptionChanged, unlessLeft(m.mailChange))
	event.On(r, event.ReaderSignedIn, unlessLeft(func(ctx context.Context, e event.SignedIn) error {
		return m.BeginTrial(ctx, e.ReaderID)
	}))
}

// unlessLeft lets work that is about a reader be, once that one has left.
func unlessLeft[P any](fn func(context.Context, P) error) func(context.Context, P) error {
	return func(ctx context.Context, p P) error {
		if err := fn(ctx, p); !errors.Is(err, access.ErrLeft) {
			return err
		}
		return nil
	}
}

// Ticks registers work that is due at intervals, for each edition.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("billing.intents", 5*time.Minute, m.SettleIntents)
	every("billing.reconcile", time.Hour, m.ReconcileChanged)
	every("billing.reconcile_all", time.Hour, m.ReconcileNightly)
	every("billing.drift", 5*time.Minute, m.RepairDrift)
	every("billing.series", 24*time.Hour, m.Invoices.CheckSeries)
	every("billing.vat_numbers", 24*time.Hour, m.Invoices.CheckVATNumbers)
	every("billing.gifts", 5*time.Minute, m.vouchers.SettleGifts)
	every("billing.withdrawals", time.Hour, m.SweepWithdrawals)
	every("billing.trials", 15*time.Minute, m.SweepTrials)
	every("billing.notices", 15*time.Minute, m.SweepNotices)
	every("billing.transfers", 15*time.Minute, m.Transfers.Sweep)
	every("billing.overdue", time.Hour, m.GiveUpOverdue)
	every("billing.prices", time.Hour, func(ctx context.Context) error {
		return errors.Join(m.SweepPrices(ctx), m.ApplyPrices(ctx))
	})
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule { return retentions }
