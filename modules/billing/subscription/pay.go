package subscription

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// Order is what a reader wants to buy. Referrer is a local path.
type Order struct {
	Product  string
	Method   string // "" or "card"; "iban" where the edition takes transfers
	Referrer string
	Plain    bool // from a page without scripts
}

// Pay returns the address of the hosted checkout for an order. However often it is asked at once, one reader has one
// checkout. It answers USER_HAS_SUBSCRIPTION to whoever has one, INVALID_USER to accounts of the former site,
// PAYMENT_FAILED when the provider cannot be reached.
func (s *Service) Pay(ctx context.Context, readerID int64, o Order) (redirect string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	product := offer.Active(ed, o.Product)
	if product == nil {
		return "", web.ErrInvalidArgs.On("product_type")
	}
	if err := s.mayBuy(ctx, readerID); err != nil {
		return "", err
	}
	switch {
	case o.Method == transfer.MethodIBAN:
		return s.transfers.Place(ctx, readerID, product.Type, o.Plain)
	case o.Method != "" && o.Method != "card":
		return "", web.ErrInvalidArgs.On("payment_method")
	}
	key := fmt.Sprintf("%s/%d/%s", ed.ID, readerID, product.Type)
	to, err, _ := s.opening.Do(key, func() (any, error) {
		// Whoever waits for the same answer must not fail when this one goes away.
		ctx, cancel, err := s.boundCall(context.WithoutCancel(ctx), readerID)
		if err != nil {
			return "", err
		}
		defer cancel()
		o.Referrer = web.LocalPath(o.Referrer)
		return s.checkoutFor(ctx, readerID, product, o)
	})
	if err != nil {
		return "", err
	}
	return to.(string), nil
}

func (s *Service) checkoutFor(ctx context.Context, readerID int64, product *edition.Product, o Order) (string, error) {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return "", access.ErrPaymentFailed.Because(err)
	}
	address, _, err := s.contacts.Contact(ctx, readerID)
	if err != nil {
		return "", err
	}
	for range 3 { // each round closes what stands in the way of the next
		in, givenUntil, has, err := s.OpenIntent(ctx, readerID, address, product, o)
		switch {
		case err != nil:
			return "", err
		case has != nil && has.PeriodEnd.After(s.db.Now()) && !has.RefundedInFull(acc.Edition):
			return "", access.ErrHasSubscription
		case has != nil: // it should have been renewed or ended by now
			if err := s.SyncSubscription(ctx, has.ProviderID); err != nil {
				return "", access.ErrPaymentFailed.Because(err)
			}
			again, err := s.FindLivePaid(ctx, readerID)
			if err != nil {
				return "", err
			}
			if again != nil {
				return "", access.ErrHasSubscription
			}
		case in.SessionID == "" && in.isWanted(product.Type, givenUntil, s.db.Now()):
			return s.open(ctx, acc, *in, address, product)
		default:
			open, err := s.ReopenCheckout(ctx, acc, *in, product.Type, givenUntil)
			if err != nil || open != "" {
				return open, err
			}
		}
	}
	return "", access.ErrPaymentFailed.Becausef("billing: no checkout could be opened for reader %d", readerID)
}

// OpenIntent returns the open intent of a reader, a new one if there is none, or the subscription that forbids it; and
// until when the reader reads without paying.
func (s *Service) OpenIntent(ctx context.Context, readerID int64, address string, product *edition.Product,
	o Order,
) (in *Intent, givenUntil time.Time, has *access.Subscription, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, readerID); err != nil {
			return err
		}
		if err := transfer.EndOf(ctx, tx, readerID); err != nil {
			return err
		}
		if has, err = access.FindPaid(ctx, tx, readerID); err != nil || has != nil {
			return err
		}
		if givenUntil, err = access.CreditedUntil(ctx, tx, readerID); err != nil {
			return err
		}
		vat, err := invoice.TreatmentOfReader(ctx, tx, readerID)
		if err != nil {
			return err
		}
		if in, err = FindIntent(ctx, tx, "reader_id = ? AND state = 'open'", readerID); err != nil {
			return err
		}
		if in != nil {
			shown, err := offer.Summary(tx.Edition, product, string(vat), in.Intro && product.Intro != nil, in.CreatedAt,
				in.paidFrom())
			in.outdated = shown != in.Shown
			return err
		}
		if !access.CanPostpone(givenUntil, tx.Now) {
			return access.ErrHasSubscription
		}
		used := false
		if product.Intro != nil {
			if used, err = access.IsUsed(ctx, tx, "intro", person.Keys(readerID, address)...); err != nil {
				return err
			}
		}
		intro := product.Intro != nil && !used
		shown, err := offer.Summary(tx.Edition, product, string(vat), intro, tx.Now, access.PaidFrom(givenUntil, tx.Now))
		if err != nil {
			return err
		}
		in, err = insertIntent(ctx, tx, Intent{
			ReaderID: readerID, Product: product.Type, Intro: intro, Referrer: o.Referrer,
			Person: person.Mailbox(address), Shown: shown,
			State: intentOpen, ExpiresAt: tx.Now.Add(access.IntentTTL), Given: givenUntil,
		})
		return err
	})
	return in, givenUntil, has, err
}

// open makes the checkout of an intent. When the provider says no, the next click begins anew; when it says nothing,
// the next click asks for the same checkout again.
func (s *Service) open(ctx context.Context, acc *stripe.Account, in Intent, address string,
	product *edition.Product,
) (string, error) {
	c, err := s.CreateCheckout(ctx, acc, in, address, product)
	if errors.Is(err, db.ErrBusy) { // not the provider's fault
		return "", err
	}
	if err != nil {
		if stripe.IsRefusal(err) {
			err = errors.Join(err, s.settle(ctx, in.ID, intentFailed))
		}
		s.log.ErrorContext(ctx, "no checkout", "edition", acc.Edition.ID, "intent", in.ID, "error", err)
		return "", access.ErrPaymentFailed.Because(err)
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return setCheckout(ctx, tx, in.ID, c) })
	return c.URL, err
}

// CreateCheckout asks the provider for the checkout of an intent.
func (s *Service) CreateCheckout(ctx context.Context, acc *stripe.Account, in Intent, address string,
	product *edition.Product,
) (stripe.Checkout, error) {
	publicID, err := s.contacts.PublicID(ctx, in.ReaderID)
	if err != nil {
		return stripe.Checkout{}, err
	}
	var customer string
	var vat invoice.Treatment
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if vat, err = invoice.TreatmentOfReader(ctx, tx, in.ReaderID); err != nil {
			return err
		}
		customer, err = access.FindCustomer(ctx, tx, in.ReaderID)
		return err
	})
	if err != nil {
		return stripe.Checkout{}, err
	}
	if customer == "" {
		if customer, err = acc.Customer(ctx, in.ReaderID, publicID, address); err != nil {
			return stripe.Checkout{}, err
		}
		err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			if customer, err = access.PutCustomer(ctx, tx, in.ReaderID, customer); err != nil {
				return err
			}
			return invoice.TellPayer(ctx, tx, in.ReaderID)
		})
		if err != nil {
			return stripe.Checkout{}, err
		}
	}
	to := stripe.CheckoutParams{
		ID: in.ID, ReaderID: in.ReaderID, Product: in.Product, Intro: in.Intro, Referrer: in.Referrer,
		CreatedAt: in.CreatedAt, PaidFrom: in.paidFrom(), Customer: customer, PublicID: publicID,
	}
	// A discount on the first invoice needs nothing of us afterwards, and the checkout shows both prices. For several
	// periods at the lower price there is none that ends at the right time: then the price itself changes, see
	// scheduleFullPrice.
	once := in.Intro && product.Intro.Periods == 1
	if once {
		if to.Coupon, _, err = acc.IntroCoupon(ctx, product); err != nil {
			return stripe.Checkout{}, stripe.Uncertain(err)
		}
	}
	if to.Price, err = acc.EnsurePrice(ctx, acc.PriceOf(product, in.Intro && !once)); err != nil {
		return stripe.Checkout{}, stripe.Uncertain(err)
	}
	if to.Note, err = offer.VATNote(acc.Edition, string(vat)); err != nil {
		return stripe.Checkout{}, err
	}
	if in.Intro {
		to.Note += " " + i18n.T(acc.Edition, "offer.checkout", map[string]any{
			"Full": i18n.Money(acc.Edition, product.Amount),
			"Date": i18n.Date(acc.Edition,
				product.Interval.Add(access.Later(in.CreatedAt, in.paidFrom()).UTC(), product.Intro.Periods)),
			"Every": offer.Interval(acc.Edition, product.Interval),
		})
	}
	return acc.OpenCheckout(ctx, to)
}

// isWanted reports whether the checkout of an intent is what its reader wants, and what the reader was shown last.
func (in *Intent) isWanted(product string, givenUntil, now time.Time) bool {
	return !in.outdated && in.Product == product && in.ExpiresAt.After(now) && in.Given.Equal(givenUntil)
}

// ReopenCheckout returns the address of an intent's checkout if it still is what the reader wants and can be paid. If
// not, it makes sure that nobody can pay it any more, and returns "".
func (s *Service) ReopenCheckout(ctx context.Context, acc *stripe.Account, in Intent, product string,
	givenUntil time.Time,
) (string, error) {
	if in.SessionID == "" { // nobody has got its address
		return "", s.settle(ctx, in.ID, intentExpired)
	}
	wanted := in.isWanted(product, givenUntil, s.db.Now())
	look := acc.CloseCheckout
	if wanted {
		look = acc.Checkout
	}
	c, err := look(ctx, in.SessionID)
	switch {
	case err != nil && wanted:
		return in.URL, nil // it was good a moment ago, and paying it twice is not possible
	case err != nil:
		return "", access.ErrPaymentFailed.Because(err)
	case wanted && c.Open:
		return in.URL, nil
	}
	return "", s.outcome(ctx, in, c)
}

// outcome writes what happened to an intent's checkout.
func (s *Service) outcome(ctx context.Context, in Intent, c stripe.Checkout) error {
	switch {
	case c.Complete && c.Subscription != "":
		if err := s.SyncSubscription(ctx, c.Subscription); err != nil {
			return err
		}
		return s.settle(ctx, in.ID, intentFailed) // still open only if the subscription did not become live
	case c.Open:
		return nil
	}
	return s.settle(ctx, in.ID, intentExpired)
}

func (s *Service) settle(ctx context.Context, id int64, state string) error {
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return settleIntent(ctx, tx, id, state) })
}

// FindLivePaid returns the reader's subscription that is paid for and runs; nil for none.
func (s *Service) FindLivePaid(ctx context.Context, readerID int64) (sub *access.Subscription, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		sub, err = access.FindPaid(ctx, tx, readerID)
		return err
	})
	return sub, err
}

// States of a payment, as the page that the checkout leads back to shows them.
const (
	Confirmed = "confirmed"
	Pending   = "pending"
	// SignedOut is a payment that was received, for whoever is not logged in as its reader: nothing of it is shown.
	SignedOut = "signedOut"
	Unpaid    = "unpaid" // the checkout has ended without a payment
	Unknown   = "unknown"
)

// Payment says how a checkout stands. It reads what is known and grants nothing.
type Payment struct {
	State    string
	Referrer string
	EndsAt   time.Time // of access, when confirmed
}

// maxSessionID bounds the id of a checkout, in characters.
const maxSessionID = 120

// isSessionID reports whether a text can be the id of a checkout.
func isSessionID(id string) bool {
	clean, err := typed.Line(id, maxSessionID)
	return err == nil && clean != "" && clean == id
}

// Status returns how a checkout stands, by its session: a secret of the browser that paid. Only to its own reader it
// says until when that opens access; 0 is a visitor.
func (s *Service) Status(ctx context.Context, readerID int64, sessionID string) (p Payment, err error) {
	p = Payment{State: Unknown, Referrer: "/"}
	if !isSessionID(sessionID) {
		return p, nil
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		in, err := FindIntent(ctx, tx, "session_id = ?", sessionID)
		if err != nil || in == nil {
			return err
		}
		p.Referrer = in.Referrer
		switch in.State {
		case intentOpen:
			p.State = Pending
		case intentExpired:
			p.State = Unpaid
		case intentPaid:
			if p.State = Confirmed; in.ReaderID != readerID {
				p.State = SignedOut
				return nil
			}
			sub, err := access.FindPaid(ctx, tx, readerID)
			if err != nil || sub == nil {
				return err
			}
			p.EndsAt = sub.PeriodEnd
		}
		return nil
	})
	return p, err
}

// Refresh asks the provider how this reader's checkout and subscription stand.
func (s *Service) Refresh(ctx context.Context, readerID int64) error {
	ctx, cancel, err := s.boundCall(ctx, readerID)
	if err != nil {
		return err
	}
	defer cancel()
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	var in *Intent
	var known []access.Subscription
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if in, err = FindIntent(ctx, tx, "reader_id = ? AND state = 'open' AND session_id IS NOT NULL",
			readerID); err != nil {
			return err
		}
		known, err = access.Select(ctx, tx, "reader_id = ? AND provider_id IS NOT NULL AND status NOT IN "+
			"('canceled', 'incomplete_expired')", readerID)
		return err
	})
	if err != nil {
		return err
	}
	if in != nil {
		c, err := acc.Checkout(ctx, in.SessionID)
		if err != nil {
			return access.ErrPaymentFailed.Because(err)
		}
		if err := s.outcome(ctx, *in, c); err != nil {
			return access.ErrPaymentFailed.Because(err)
		}
	}
	for _, sub := range known {
		if err := s.SyncSubscription(ctx, sub.ProviderID); err != nil {
			return access.ErrPaymentFailed.Because(err)
		}
	}
	return nil
}
