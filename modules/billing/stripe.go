package billing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.org/broadsheet/modules/billing/invoice"

	"example.org/broadsheet/modules/billing/person"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/client"
	"github.com/stripe/stripe-go/v76/webhook"

	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/edition"
)

// callTimeout bounds one call to the provider.
const callTimeout = 8 * time.Second

// provider holds a client per account. Only this file and stripe_*.go know whose API it is.
type provider struct {
	keys  func(editionID string) (Keys, error)
	lines *breaker.Set

	mu       sync.Mutex
	accounts map[Keys]*account
}

// account is the provider as one edition sees it.
type account struct {
	api     *client.API
	keys    Keys
	edition *edition.Edition
	prices  *sync.Map // lookup key → id
}

func (p *provider) account(ctx context.Context) (*account, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := p.keys(ed.ID)
	if err != nil {
		return nil, fmt.Errorf("billing: keys of %s: %w", ed.ID, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.accounts == nil {
		p.accounts = map[Keys]*account{}
	}
	a := p.accounts[keys]
	if a == nil {
		cfg := &stripe.BackendConfig{
			HTTPClient: p.lines.To("payment provider").Client(callTimeout), MaxNetworkRetries: stripe.Int64(1),
			LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}, EnableTelemetry: stripe.Bool(false),
		}
		if keys.APIBase != "" {
			cfg.URL = stripe.String(keys.APIBase)
		}
		a = &account{api: client.New(keys.SecretKey, stripe.NewBackendsWithConfig(cfg)), keys: keys, prices: &sync.Map{}}
		p.accounts[keys] = a
	}
	return &account{api: a.api, keys: keys, edition: ed, prices: a.prices}, nil
}

// errUncertain is a call whose outcome is not known: it may be repeated only with the same idempotency key.
var errUncertain = errors.New("billing: the provider did not answer")

// uncertain tells apart "no" from "no answer".
func uncertain(err error) error {
	var api *stripe.Error
	if err == nil || errors.As(err, &api) && api.HTTPStatusCode != http.StatusConflict {
		return err
	}
	return fmt.Errorf("%w: %w", errUncertain, err)
}

func refused(err error, code stripe.ErrorCode) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.Code == code
}

// isRefusal tells that the provider has answered, and said no.
func isRefusal(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && !errors.Is(err, errUncertain)
}

func gone(err error) bool { return refused(err, stripe.ErrorCodeResourceMissing) }

func params(ctx context.Context, idempotencyKey string) stripe.Params {
	p := stripe.Params{Context: ctx}
	if idempotencyKey != "" {
		p.SetIdempotencyKey(idempotencyKey)
	}
	return p
}

// reported is one verified message of the provider.
type reported struct {
	ID, Type, Object, ObjectID string
	Created                    time.Time
}

// verify checks the signature with the edition's secret, and that it is of these five minutes, more or less. The
// version of the message does not matter: nothing but ids is taken from it.
func (a *account) verify(body []byte, signature string) (reported, error) {
	if a.keys.WebhookSecret == "" {
		return reported{}, errors.New("billing: the edition has no webhook secret")
	}
	e, err := webhook.ConstructEventWithOptions(body, signature, a.keys.WebhookSecret,
		webhook.ConstructEventOptions{IgnoreAPIVersionMismatch: true, Tolerance: webhook.DefaultTolerance})
	if err != nil {
		return reported{}, err
	}
	if time.Until(signedAt(signature)) > webhook.DefaultTolerance {
		return reported{}, errors.New("billing: a message of the future")
	}
	r := reported{ID: e.ID, Type: string(e.Type), Created: time.Unix(e.Created, 0).UTC()}
	if e.Data != nil {
		r.Object, _ = e.Data.Object["object"].(string)
		r.ObjectID, _ = e.Data.Object["id"].(string)
	}
	if r.ID == "" || r.Type == "" {
		return reported{}, errors.New("billing: a message without an id")
	}
	for _, name := range []string{r.ID, r.Type, r.Object, r.ObjectID} {
		if !invoice.PlainText(name) {
			return reported{}, fmt.Errorf("billing: a message with the name %q", name)
		}
	}
	return r, nil
}

// signedAt is when a message says that it was signed.
func signedAt(signature string) time.Time {
	for part := range strings.SplitSeq(signature, ",") {
		if at, is := strings.CutPrefix(part, "t="); is {
			n, _ := strconv.ParseInt(at, 10, 64)
			return time.Unix(n, 0)
		}
	}
	return time.Time{}
}

// customer makes the reader's customer. One that was made for another reader with the same number is not taken.
func (a *account) customer(ctx context.Context, readerID int64, publicID, email string) (string, error) {
	reader := strconv.FormatInt(readerID, 10)
	id, err := once(fmt.Sprintf("customer:%s:%s:%s", a.edition.ID, publicID, person.Email(email)[:22]),
		func() (string, error) {
			it := a.api.Customers.List(
				&stripe.CustomerListParams{ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}, Email: &email})
			for it.Next() {
				if c := it.Customer(); c.Metadata[metaEdition] == a.edition.ID && c.Metadata[metaPublic] == publicID {
					return c.ID, nil
				}
			}
			return "", it.Err()
		}, func(key string) (string, error) {
			p := &stripe.CustomerParams{
				Params: params(ctx, key), Email: &email,
				PreferredLocales: stripe.StringSlice([]string{a.edition.Locale}),
			}
			p.Metadata = map[string]string{metaEdition: a.edition.ID, metaReader: reader, metaPublic: publicID}
			c, err := a.api.Customers.New(p)
			if err != nil {
				return "", err
			}
			return c.ID, nil
		})
	return id, uncertain(err)
}

// Names in the metadata that we write.
const (
	metaEdition = "edition"
	metaReader  = "reader_id"
	metaPublic  = "reader_public_id"
	metaIntent  = "intent_id"
	metaProduct = "product"
	metaGift    = "gift_id"
	metaIntro   = "intro"
	metaNext    = "next_product"
	metaGiven   = "given_until"
	metaFrom    = "paid_from"
)

// checkoutFor is what a checkout is made from; the same values make the same checkout.
type checkoutFor struct {
	Intent   intent
	Customer string
	PublicID string // of the reader
	Price    string // id
	Coupon   string // id; "" for none
	Note     string // shown beside the pay button
}

// sessionLife is how long a checkout can be paid; the provider's least is 30 minutes.
const sessionLife = 31 * time.Minute

// openCheckout makes the hosted checkout of an intent, or returns the one that was made for it.
func (a *account) openCheckout(ctx context.Context, in checkoutFor) (checkout, error) {
	meta := map[string]string{
		metaEdition: a.edition.ID, metaReader: strconv.FormatInt(in.Intent.ReaderID, 10),
		metaIntent: strconv.FormatInt(in.Intent.ID, 10),
		metaPublic: in.PublicID, metaProduct: in.Intent.Product, metaIntro: strconv.FormatBool(in.Intent.Intro),
	}
	p := &stripe.CheckoutSessionParams{
		// Numbers come again after a restore.
		Params: params(ctx,
			fmt.Sprintf("intent:%s:%d:%d", a.edition.ID, in.Intent.ID, in.Intent.CreatedAt.Unix())),
		Mode:               stripe.String(string(stripe.CheckoutSessionModeSubscription)),
		Customer:           &in.Customer,
		PaymentMethodTypes: cards,
		LineItems:          []*stripe.CheckoutSessionLineItemParams{{Price: &in.Price, Quantity: stripe.Int64(1)}},
		SuccessURL: stripe.String(a.edition.URL(a.edition.Href(edition.PaymentSuccess)) +
			"?session_id={CHECKOUT_SESSION_ID}"),
		CancelURL: stripe.String(a.edition.URL(givenUp(a.edition, in.Intent.Product, in.Intent.Referrer))),
		Locale:    &a.edition.Locale, ClientReferenceID: stripe.String(strconv.FormatInt(in.Intent.ID, 10)),
		ExpiresAt:        stripe.Int64(in.Intent.CreatedAt.Add(sessionLife).Unix()),
		SubscriptionData: &stripe.CheckoutSessionSubscriptionDataParams{Metadata: meta},
	}
	p.Metadata = meta
	if from := in.Intent.paidFrom(); !from.IsZero() {
		p.SubscriptionData.TrialEnd, meta[metaFrom] = stripe.Int64(from.Unix()), strconv.FormatInt(from.Unix(), 10)
	}
	switch {
	case in.Coupon != "":
		p.Discounts = []*stripe.CheckoutSessionDiscountParams{{Coupon: &in.Coupon}}
	case !in.Intent.Intro: // one thing is cheaper at a time
		p.AllowPromotionCodes = stripe.Bool(true)
	}
	if in.Note != "" {
		note := &stripe.CheckoutSessionCustomTextSubmitParams{Message: &in.Note}
		p.CustomText = &stripe.CheckoutSessionCustomTextParams{Submit: note}
	}
	s, err := a.api.CheckoutSessions.New(p)
	if err != nil {
		return checkout{}, uncertain(err)
	}
	return toCheckout(s), nil
}

// givenUp is the offer as a reader left it who turned back at the checkout.
func givenUp(ed *edition.Edition, product, referrer string) string {
	q := url.Values{"product_type": {product}, "cancelled": {"1"}}
	if referrer != "" && referrer != "/" {
		q.Set("referrer", referrer)
	}
	return ed.Href(edition.Account) + "?" + q.Encode()
}

// checkout is a hosted checkout as the provider describes it.
type checkout struct {
	ID, URL, Subscription string
	Open, Complete        bool

	PaymentID string // of a checkout that is paid once
	Paid      int64  // minor units; 0 until the money is confirmed
	Currency  string
}

func toCheckout(s *stripe.CheckoutSession) checkout {
	c := checkout{
		ID: s.ID, URL: s.URL, Open: s.Status == stripe.CheckoutSessionStatusOpen,
		Complete: s.Status == stripe.CheckoutSessionStatusComplete,
	}
	if s.Subscription != nil {
		c.Subscription = s.Subscription.ID
	}
	if s.PaymentIntent != nil {
		c.PaymentID = s.PaymentIntent.ID
	}
	if s.PaymentStatus == stripe.CheckoutSessionPaymentStatusPaid {
		c.Paid, c.Currency = s.AmountTotal, string(s.Currency)
	}
	return c
}

func (a *account) checkout(ctx context.Context, id string) (checkout, error) {
	s, err := a.api.CheckoutSessions.Get(id, &stripe.CheckoutSessionParams{Params: params(ctx, "")})
	if err != nil {
		return checkout{}, uncertain(err)
	}
	return toCheckout(s), nil
}

// closeCheckout makes sure that nobody can pay a checkout any more, and says how it stands then.
func (a *account) closeCheckout(ctx context.Context, id string) (checkout, error) {
	s, err := a.api.CheckoutSessions.Expire(id, &stripe.CheckoutSessionExpireParams{Params: params(ctx, "")})
	var api *stripe.Error
	if errors.As(err, &api) && api.HTTPStatusCode < 500 { // it is closed already, one way or the other
		return a.checkout(ctx, id)
	}
	if err != nil {
		return checkout{}, uncertain(err)
	}
	return toCheckout(s), nil
}

// invoiceSubscription names the subscription that an invoice belongs to; "" for none.
func (a *account) invoiceSubscription(ctx context.Context, id string) (string, error) {
	in, err := a.api.Invoices.Get(id, &stripe.InvoiceParams{Params: params(ctx, "")})
	if err != nil || in.Subscription == nil {
		return "", err
	}
	return in.Subscription.ID, nil
}

// list visits every subscription that is not cancelled, the newest first; those that come after one, where it is named.
func (a *account) list(ctx context.Context, after string, visit func(remote) error) error {
	p := &stripe.SubscriptionListParams{ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}}
	for _, part := range expanded {
		p.AddExpand("data." + part)
	}
	if after != "" {
		p.StartingAfter = &after
	}
	it := a.api.Subscriptions.List(p)
	for it.Next() {
		if err := visit(toRemote(it.Subscription())); err != nil {
			return err
		}
	}
	return it.Err()
}

// undo cancels a subscription at once and returns what was paid for it. It may be repeated.
func (a *account) undo(ctx context.Context, id string) error {
	p := &stripe.SubscriptionParams{Params: params(ctx, "")}
	p.AddExpand("latest_invoice")
	s, err := a.api.Subscriptions.Get(id, p)
	if err != nil {
		return err
	}
	if s.Status != stripe.SubscriptionStatusCanceled {
		_, err := a.api.Subscriptions.Cancel(id,
			&stripe.SubscriptionCancelParams{
				Params: params(ctx, ""), Prorate: stripe.Bool(false),
				InvoiceNow: stripe.Bool(false),
			})
		if err != nil && !gone(err) {
			return err
		}
	}
	if in := s.LatestInvoice; in != nil && in.AmountPaid > 0 && in.PaymentIntent != nil {
		return a.refund(ctx, in.PaymentIntent.ID, "refund:"+id)
	}
	return nil
}

// cancel ends a subscription at once. It may be repeated.
func (a *account) cancel(ctx context.Context, id string) error {
	s, err := a.api.Subscriptions.Get(id, &stripe.SubscriptionParams{Params: params(ctx, "")})
	if gone(err) || err == nil && s.Status == stripe.SubscriptionStatusCanceled {
		return nil
	}
	if err != nil {
		return uncertain(err)
	}
	_, err = a.api.Subscriptions.Cancel(id,
		&stripe.SubscriptionCancelParams{
			Params: params(ctx, ""), Prorate: stripe.Bool(false),
			InvoiceNow: stripe.Bool(false),
		})
	if gone(err) {
		return nil
	}
	return uncertain(err)
}
