package stripe

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// Price is one amount at which a product is sold. Its key changes with anything that matters, so a new price in the
// tenant file is a new price at the provider and who has bought keeps the old one.
type Price struct {
	product *edition.Product
	amount  int64
	Key     string
}

// PriceOf is the price at which a product is sold, or its introductory price.
func (a *Account) PriceOf(p *edition.Product, intro bool) Price {
	amount, kind := p.Amount, "full"
	if intro && p.Intro != nil {
		amount, kind = p.Intro.Amount, "intro"
	}
	return Price{product: p, amount: amount, Key: fmt.Sprintf("%s.%s.%s.%s.%d.%d%s", a.Edition.ID, p.Type, kind,
		strings.ToLower(a.Edition.Billing.Currency), amount, p.Interval.Count, p.Interval.Unit)}
}

// productOf is the product that a price's key names; "" for a key of somebody else.
func productOf(key string) string {
	if parts := strings.Split(key, "."); len(parts) == 6 {
		return parts[1]
	}
	return ""
}

// introductory reports whether a price's key is that of an introductory price.
func introductory(key string) bool { return strings.Contains(key, ".intro.") }

// EnsurePrice makes sure that the provider has a price, and returns its id.
func (a *Account) EnsurePrice(ctx context.Context, p Price) (string, error) {
	id, _, err := a.ensurePrice(ctx, p)
	return id, err
}

// ensurePrice is sync that also reports whether the price was made just now.
func (a *Account) ensurePrice(ctx context.Context, p Price) (id string, made bool, err error) {
	if id, ok := a.prices.Load(p.Key); ok {
		return id.(string), false, nil
	}
	if id, err = a.findPrice(ctx, p.Key); err != nil {
		return "", false, err
	}
	if made = id == ""; made {
		if id, err = a.makePrice(ctx, p); err != nil {
			return "", false, err
		}
	}
	a.prices.Store(p.Key, id)
	return id, made, nil
}

func (a *Account) findPrice(ctx context.Context, key string) (string, error) {
	list := &stripe.PriceListParams{
		ListParams: stripe.ListParams{Context: ctx}, Active: stripe.Bool(true),
		LookupKeys: stripe.StringSlice([]string{key}),
	}
	it := a.api.Prices.List(list)
	for it.Next() {
		return it.Price().ID, nil
	}
	return "", it.Err()
}

func (a *Account) makePrice(ctx context.Context, p Price) (string, error) {
	product := "broadsheet_" + a.Edition.ID + "_" + p.product.Type
	name := a.Edition.Name + ": " + p.product.Name
	_, err := a.api.Products.New(&stripe.ProductParams{Params: params(ctx, ""), ID: &product, Name: &name})
	if err != nil && !refused(err, stripe.ErrorCodeResourceAlreadyExists) {
		return "", err
	}
	look := func() (string, error) { return a.findPrice(ctx, p.Key) }
	id, err := once("price:"+p.Key, look, func(key string) (string, error) {
		made, err := a.api.Prices.New(&stripe.PriceParams{
			Params: params(ctx, key), Product: &product, Currency: stripe.String(strings.ToLower(a.Edition.Billing.Currency)),
			UnitAmount: &p.amount, LookupKey: &p.Key, TaxBehavior: stripe.String(string(stripe.PriceTaxBehaviorInclusive)),
			Recurring: &stripe.PriceRecurringParams{
				Interval:      &p.product.Interval.Unit,
				IntervalCount: stripe.Int64(int64(p.product.Interval.Count)),
			},
		})
		if err != nil {
			return "", err
		}
		return made.ID, nil
	})
	if err == nil {
		return id, nil
	}
	// Somebody else may have made it in this moment.
	if id, again := look(); again == nil && id != "" {
		return id, nil
	}
	return "", err
}

// IntroCoupon makes sure that the provider has the discount that makes a first period cost the introductory price.
func (a *Account) IntroCoupon(ctx context.Context, p *edition.Product) (id string, made bool, err error) {
	off, currency := p.Amount-p.Intro.Amount, strings.ToLower(a.Edition.Billing.Currency)
	id = fmt.Sprintf("intro_%s_%s_%s_%d", a.Edition.ID, p.Type, currency, off)
	if _, ok := a.prices.Load(id); ok {
		return id, false, nil
	}
	_, err = a.api.Coupons.New(&stripe.CouponParams{
		Params: params(ctx, ""), ID: &id, AmountOff: &off, Currency: &currency,
		Duration: stripe.String(string(stripe.CouponDurationOnce)),
		Name:     stripe.String(i18n.T(a.Edition, "offer.coupon", nil)),
	})
	if err != nil && !refused(err, stripe.ErrorCodeResourceAlreadyExists) {
		return "", false, err
	}
	a.prices.Store(id, id)
	return id, err == nil, nil
}

// ApplyIntro makes the first payment of a subscription, which is still to come, cost the introductory price. It may be
// repeated.
func (a *Account) ApplyIntro(ctx context.Context, subscription string, p *edition.Product) error {
	coupon, _, err := a.IntroCoupon(ctx, p)
	if err != nil {
		return Uncertain(err)
	}
	return a.update(subscription, &stripe.SubscriptionParams{Params: params(ctx, ""), Coupon: &coupon})
}

// ScheduleFullPrice makes the subscription go over to the full price after the introductory periods: a schedule of two
// phases that lets go of the subscription when it has done so. It may be repeated, also after it was interrupted.
func (a *Account) ScheduleFullPrice(ctx context.Context, s Subscription, p *edition.Product, intro, full string) error {
	schedule, err := a.schedule(ctx, s)
	if err != nil {
		return err
	}
	if len(schedule.Phases) >= 2 || len(schedule.Phases) == 0 {
		return nil
	}
	first := schedule.Phases[0]
	begins := s.StartedAt
	if s.PaidFrom.After(begins) {
		begins = s.PaidFrom
	}
	left := p.Intro.Periods // less what ran before the schedule was made anew
	for left > 1 && p.Interval.Add(begins, p.Intro.Periods-left+1).Unix() <= first.StartDate {
		left--
	}
	none := stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone))
	item := func(id string) []*stripe.SubscriptionSchedulePhaseItemParams {
		return []*stripe.SubscriptionSchedulePhaseItemParams{{Price: &id, Quantity: stripe.Int64(1)}}
	}
	change := &stripe.SubscriptionScheduleParams{
		Params:            params(ctx, ""),
		EndBehavior:       stripe.String(string(stripe.SubscriptionScheduleEndBehaviorRelease)),
		ProrationBehavior: stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone)),
		Phases: []*stripe.SubscriptionSchedulePhaseParams{
			{Items: item(intro), StartDate: &first.StartDate, Iterations: stripe.Int64(int64(left)), ProrationBehavior: none},
			{Items: item(full), Iterations: stripe.Int64(1), ProrationBehavior: none},
		},
	}
	_, err = a.api.SubscriptionSchedules.Update(schedule.ID, change)
	return err
}

func (a *Account) schedule(ctx context.Context, s Subscription) (*stripe.SubscriptionSchedule, error) {
	if s.Schedule != "" {
		return a.api.SubscriptionSchedules.Get(s.Schedule, &stripe.SubscriptionScheduleParams{Params: params(ctx, "")})
	}
	// The start of the period is part of the key: a schedule that was released may be followed by another one.
	id, err := once("schedule:"+s.ID+":"+strconv.FormatInt(s.PeriodStart.Unix(), 10), func() (string, error) {
		now, err := a.Subscription(ctx, s.ID)
		return now.Schedule, err
	}, func(key string) (string, error) {
		made, err := a.api.SubscriptionSchedules.New(&stripe.SubscriptionScheduleParams{
			Params:           params(ctx, key),
			FromSubscription: &s.ID,
		})
		if err != nil {
			return "", err
		}
		return made.ID, nil
	})
	if err != nil {
		return nil, err
	}
	return a.api.SubscriptionSchedules.Get(id, &stripe.SubscriptionScheduleParams{Params: params(ctx, "")})
}
