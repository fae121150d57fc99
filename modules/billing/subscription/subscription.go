// Package subscription sells subscriptions that renew and are paid by card: checkouts, changes, trials, prices,
// reminders, and the copies of what the payment provider says.
//
// Open pay.go and sync.go next: everything begins with a checkout, and everything else follows what the provider has
// confirmed. The package imports the packages of billing that are about one thing each, and never billing itself.
package subscription

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/terms"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/event"
)

// Contacts is what is known of readers.
type Contacts interface {
	// Contact returns a reader's address and the language to write in.
	Contact(ctx context.Context, readerID int64) (address, lang string, err error)
	// Invited reports whether a reader's address was invited to the edition.
	Invited(ctx context.Context, readerID int64) (bool, error)
	// Legacy reports whether a reader's account is one of the former site.
	Legacy(ctx context.Context, readerID int64) (bool, error)
	// PublicID returns a reader's random id, by which the provider knows the reader, or event.ErrReaderLeft. No two
	// readers ever have the same one.
	PublicID(ctx context.Context, readerID int64) (string, error)
	// ReaderOf returns whose an address is, or 0.
	ReaderOf(ctx context.Context, address string) (int64, error)
}

// Mailer sends an email once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
}

// Deps are what a Service works with; all are required.
type Deps struct {
	DB        *db.DB
	Links     links.Signer
	Invoices  *invoice.Service
	Access    *access.Service
	Transfers *transfer.Service
	Vouchers  *voucher.Service
	Terms     *terms.Service
	Provider  *stripe.Accounts
	Contacts  Contacts
	Mailer    Mailer
	// ParseEmail reads an address as readers type it, or says what is wrong.
	ParseEmail func(string) (string, error)
	// ReaderTimeout is how long a reader waits for the provider.
	ReaderTimeout time.Duration
	// ObserveWebhook is told how old a message of the provider is when it was acted upon.
	ObserveWebhook func(editionID string, lag time.Duration)
	// ObserveRefused is called for each message that is refused.
	ObserveRefused func(editionID string, why stripe.Refusal)
	Log            *slog.Logger
}

// Service sells, and follows what the provider confirms.
type Service struct {
	db             *db.DB
	links          links.Signer
	invoices       *invoice.Service
	access         *access.Service
	transfers      *transfer.Service
	vouchers       *voucher.Service
	terms          *terms.Service
	provider       *stripe.Accounts
	contacts       Contacts
	mailer         Mailer
	parseEmail     func(string) (string, error)
	log            *slog.Logger
	opening        singleflight.Group
	wait           time.Duration // of readers, for the provider
	observeWebhook func(editionID string, lag time.Duration)
	observeRefused func(editionID string, why stripe.Refusal)
	refused        sync.Map // *rate.Sometimes of the log, by the id of the edition
}

// NewService returns a Service. It does not speak to the provider before somebody pays.
func NewService(d Deps) *Service {
	return &Service{
		db: d.DB, links: d.Links, invoices: d.Invoices, access: d.Access, transfers: d.Transfers, vouchers: d.Vouchers,
		terms: d.Terms, provider: d.Provider, contacts: d.Contacts, mailer: d.Mailer, parseEmail: d.ParseEmail, log: d.Log,
		wait: d.ReaderTimeout, observeWebhook: d.ObserveWebhook, observeRefused: d.ObserveRefused,
	}
}

// Listen subscribes to what changes subscriptions.
func (s *Service) Listen(r event.Registry) {
	event.On(r, event.ProviderEvent, s.ProcessEvent)
	event.On(r, event.PaymentThanks, event.UnlessLeft(s.confirmPurchase))
	event.On(r, event.DocumentIssued, event.UnlessLeft(s.MailDocument))
	event.On(r, event.CouponRedeemed, event.UnlessLeft(s.PostponePayment))
	event.On(r, event.GivenOver, s.endGrantedPause)
	event.On(r, event.DisputeTurned, event.UnlessLeft(s.mailDispute))
	event.On(r, event.OfferAsked, s.mailOffer)
	event.On(r, event.TrialEnding, event.UnlessLeft(s.mailTrialEnding))
	event.On(r, event.AccessEnded, event.UnlessLeft(s.mailAccessEnded))
	event.On(r, event.GrantEnding, event.UnlessLeft(s.mailGrantEnding))
	event.On(r, event.GrantEnded, event.UnlessLeft(s.mailGrantEnded))
	event.On(r, event.PaymentDue, event.UnlessLeft(s.mailPaymentDue))
	event.On(r, event.RenewalDue, event.UnlessLeft(s.mailRenewal))
	event.On(r, event.PriceChanging, event.UnlessLeft(s.mailPriceChange))
	event.On(r, event.SubscriptionChanged, event.UnlessLeft(s.mailChange))
	event.On(r, event.ReaderSignedIn, event.UnlessLeft(func(ctx context.Context, e event.SignedIn) error {
		return s.BeginTrial(ctx, e.ReaderID)
	}))
}

// Ticks registers work that is due at intervals, for each edition.
func (s *Service) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("billing.intents", 5*time.Minute, s.SettleIntents)
	every("billing.trials", 15*time.Minute, s.SweepTrials)
	every("billing.notices", 15*time.Minute, s.SweepNotices)
	every("billing.overdue", time.Hour, s.GiveUpOverdue)
	every("billing.prices", time.Hour, func(ctx context.Context) error {
		return errors.Join(s.SweepPrices(ctx), s.ApplyPrices(ctx))
	})
}
