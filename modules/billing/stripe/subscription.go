package stripe

import (
	"context"
	"strconv"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// Subscription is a subscription as the provider describes it.
type Subscription struct {
	ID, Customer, Edition, Product, Schedule, PriceID string
	Status                                            Status
	// Of the reader; "" for one that was made before there was one.
	PublicID                                   string
	ReaderID, IntentID                         int64
	Intro                                      bool
	Amount, Paid                               int64 // of a period; by the latest invoice
	Currency                                   string
	PeriodStart, PeriodEnd, StartedAt, EndedAt time.Time
	CancelAtPeriodEnd                          bool
	Invoice                                    *Invoice // the latest
	Item                                       string   // the one that is billed
	Paused                                     bool
	ResumesAt                                  time.Time
	CalledOff                                  bool // the period's invoice, so that nobody pays for it
	Owing                                      bool // the latest invoice is due
	NextProduct                                string
	Anchor                                     time.Time // of its periods
	// Until when payments are called off for what was given; zero for never.
	Given     time.Time
	PaidFrom  time.Time // when the first payment was to be due; zero: at once
	Discount  *Discount
	NeverPaid bool   // false also where nobody has looked
	FullPaid  bool   // by one of its payments; false also where nobody has looked
	Card      string // the fingerprint of the card that pays; "" for none
}

// Discount is what a promotion code takes off, until an instant; zero: for ever.
type Discount struct {
	Amount  int64
	Percent float64
	Until   time.Time
}

// expanded are the parts that a subscription is described with.
var expanded = []string{"latest_invoice.charge", "schedule", "default_payment_method"}

// Subscription fetches a subscription.
func (a *Account) Subscription(ctx context.Context, id string) (Subscription, error) {
	p := &stripe.SubscriptionParams{Params: params(ctx, "")}
	for _, part := range expanded {
		p.AddExpand(part)
	}
	s, err := a.api.Subscriptions.Get(id, p)
	if err != nil {
		return Subscription{}, Uncertain(err)
	}
	r := toRemote(s)
	return r, a.resolveDispute(ctx, r.Invoice)
}

func toRemote(s *stripe.Subscription) Subscription {
	r := Subscription{
		ID: s.ID, Status: Status(s.Status), Edition: s.Metadata[metaEdition], Product: s.Metadata[metaProduct],
		Intro: s.Metadata[metaIntro] == "true", CancelAtPeriodEnd: s.CancelAtPeriodEnd ||
			s.CancelAt > 0 && s.CancelAt <= s.CurrentPeriodEnd, // one that ends later is renewed before
		PeriodStart: unixTime(s.CurrentPeriodStart), PeriodEnd: unixTime(s.CurrentPeriodEnd),
		StartedAt: unixTime(s.StartDate),
		EndedAt:   unixTime(s.EndedAt), Anchor: unixTime(s.BillingCycleAnchor),
	}
	r.ReaderID, _ = strconv.ParseInt(s.Metadata[metaReader], 10, 64) // 0 for a subscription that we did not begin
	r.PublicID = s.Metadata[metaPublic]
	if given, err := strconv.ParseInt(s.Metadata[metaGivenUntil], 10, 64); err == nil {
		r.Given = unixTime(given)
	}
	if from, err := strconv.ParseInt(s.Metadata[metaFrom], 10, 64); err == nil {
		r.PaidFrom = unixTime(from)
	}
	r.IntentID, _ = strconv.ParseInt(s.Metadata[metaIntent], 10, 64)
	if s.CancelAt > 0 && s.CancelAt < s.CurrentPeriodEnd {
		r.PeriodEnd = unixTime(s.CancelAt)
	}
	if s.Customer != nil {
		r.Customer = s.Customer.ID
	}
	if s.LatestInvoice != nil {
		r.Paid, r.Invoice, r.CalledOff = s.LatestInvoice.AmountPaid, toInvoice(s.LatestInvoice), uncollected(s.LatestInvoice)
		r.Owing = isDue(s.LatestInvoice)
	}
	// That was for the first payment.
	if d := s.Discount; d != nil && d.Coupon != nil &&
		(d.Coupon.Duration != stripe.CouponDurationOnce || r.Status == Trialing) {
		r.Discount = &Discount{d.Coupon.AmountOff, d.Coupon.PercentOff, unixTime(d.End)}
	}
	if s.PauseCollection != nil {
		r.Paused, r.ResumesAt = true, unixTime(s.PauseCollection.ResumesAt)
	}
	if m := s.DefaultPaymentMethod; m != nil && m.Card != nil {
		r.Card = m.Card.Fingerprint
	}
	if s.Schedule != nil {
		r.Schedule, r.NextProduct = s.Schedule.ID, s.Schedule.Metadata[metaNext]
	}
	if s.Items != nil && len(s.Items.Data) > 0 && s.Items.Data[0].Price != nil {
		price := s.Items.Data[0].Price
		r.PriceID, r.Amount, r.Currency, r.Item = price.ID, price.UnitAmount, string(price.Currency), s.Items.Data[0].ID
		if product := productOf(price.LookupKey); product != "" { // what is billed says more than what was bought once
			r.Product = product
		}
	}
	if r.NextProduct == r.Product { // it has come
		r.NextProduct = ""
	}
	return r
}

// uncollected reports whether nobody will pay for the period that an invoice is about.
func uncollected(in *stripe.Invoice) bool {
	ofPeriod := in.BillingReason == stripe.InvoiceBillingReasonSubscriptionCycle ||
		in.BillingReason == stripe.InvoiceBillingReasonSubscriptionCreate
	return ofPeriod && (in.Status == stripe.InvoiceStatusVoid || in.Status == stripe.InvoiceStatusUncollectible)
}

func unixTime(epoch int64) time.Time {
	if epoch == 0 {
		return time.Time{}
	}
	return time.Unix(epoch, 0).UTC()
}

// SetReader writes whose a subscription is into its metadata. It may be repeated.
func (a *Account) SetReader(ctx context.Context, id string, readerID int64, publicID string) error {
	p := &stripe.SubscriptionParams{Params: params(ctx, "")}
	p.Metadata = map[string]string{
		metaEdition: a.Edition.ID, metaReader: strconv.FormatInt(readerID, 10),
		metaPublic: publicID,
	}
	return a.update(id, p)
}

// EachSubscription visits every subscription that is not cancelled, the newest first; those that come after one, where
// it is named.
func (a *Account) EachSubscription(ctx context.Context, after string, visit func(Subscription) error) error {
	p := &stripe.SubscriptionListParams{ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}}
	for _, part := range expanded {
		p.AddExpand("data." + part)
	}
	if after != "" {
		p.StartingAfter = &after
	}
	it := a.api.Subscriptions.List(p)
	for it.Next() {
		r := toRemote(it.Subscription())
		if err := a.resolveDispute(ctx, r.Invoice); err != nil {
			return err
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	return it.Err()
}
