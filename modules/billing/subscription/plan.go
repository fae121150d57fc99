package subscription

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Plan is a product that a reader can change to, and what that costs.
type Plan struct {
	Product string    `json:"product"`
	Name    string    `json:"name"`
	Price   string    `json:"price"`  // as shown
	Now     bool      `json:"now"`    // else from the end of the paid period on
	Amount  int64     `json:"amount"` // minor units, due with the change; what is not used is taken off
	Due     string    `json:"due"`    // the amount as shown
	At      time.Time `json:"at"`     // when the change counts
}

// Plans lists what a reader can change to; none where nothing fits.
func (s *Service) Plans(ctx context.Context, readerID int64) ([]Plan, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return nil, ErrProviderAway.Because(stripe.Explain(err))
	}
	list := []Plan{}
	h, err := s.FetchLive(ctx, acc, readerID)
	if errors.Is(err, access.ErrState) || err == nil && !h.allows(Change{Kind: access.ChangeSwitch}, ed) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	for i := range ed.Billing.Products {
		p := offer.Active(ed, ed.Billing.Products[i].Type)
		if p == nil || p.Type == h.Product {
			continue
		}
		plan, err := planOf(ctx, acc, h, p, s.db.Now().Truncate(time.Second).UTC())
		if err != nil {
			return nil, ErrProviderAway.Because(stripe.Explain(err))
		}
		list = append(list, plan)
	}
	return list, nil
}

// planOf asks the provider what a change at an instant would cost. To a longer period one changes at once and pays the
// difference; to a shorter one when what was paid for is over, so that nothing has to be paid back.
func planOf(ctx context.Context, acc *stripe.Account, h Live, to *edition.Product,
	at time.Time,
) (Plan, error) {
	ed := acc.Edition
	out := Plan{
		Product: to.Type, Name: to.Name,
		Price: i18n.T(ed, "offer.price",
			map[string]any{"Amount": i18n.Money(ed, to.Amount), "Every": offer.Interval(ed, to.Interval)}), At: h.PeriodEnd,
	}
	if from := ed.Product(h.Product); from != nil && longer(to.Interval, from.Interval) {
		price, err := acc.EnsurePrice(ctx, acc.PriceOf(to, false))
		if err != nil {
			return out, err
		}
		out.Now, out.At = true, at
		if out.Amount, err = acc.Preview(ctx, h.remote, price, at); err != nil {
			return out, err
		}
	}
	out.Due = i18n.Money(ed, out.Amount)
	return out, nil
}

// longer compares two intervals by where they lead from one day.
func longer(a, b edition.Interval) bool {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return a.Add(day, 1).After(b.Add(day, 1))
}

// checkAmount makes sure that a change costs what was shown, and that this is not long ago.
func (s *Service) checkAmount(ctx context.Context, acc *stripe.Account, h Live, c Change) error {
	plan, err := planOf(ctx, acc, h, acc.Edition.Product(c.Product), c.At)
	now := s.db.Now()
	switch {
	case err != nil && stripe.IsRefusal(err): // an instant outside of the period
		return access.ErrAmountChanged.Because(stripe.Explain(err))
	case err != nil:
		return ErrProviderAway.Because(stripe.Explain(err))
	case plan.Amount != c.Amount, !plan.At.Equal(c.At), plan.Now && (c.At.After(now) || now.Sub(c.At) > PreviewTTL):
		return access.ErrAmountChanged
	}
	return nil
}

// FocusPlan is the form of the focus page on which a reader changes the plan.
const FocusPlan = "plan"

// PlanData is FocusPlan of openapi.yaml.
type PlanData struct {
	Plans []Plan `json:"plans"`
	Away  bool   `json:"away"` // the provider did not answer
	// Given is until when the reader reads without paying, before the first payment or after a code was redeemed: no
	// change is possible until then.
	Given *time.Time `json:"given,omitempty"`
}

// PlanForm is the form by which a reader changes the plan.
func (s *Service) PlanForm(ctx context.Context, readerID int64) (any, error) {
	ctx, cancel, err := s.boundCall(ctx, readerID)
	defer cancel()
	var list []Plan
	if err == nil {
		list, err = s.Plans(ctx, readerID)
	}
	if errors.Is(err, web.ErrTooMany) || errors.Is(err, ErrProviderAway) || errors.Is(err, web.ErrOverloaded) {
		s.log.WarnContext(ctx, "no preview of a change", "error", err)
		return PlanData{Plans: []Plan{}, Away: true}, nil
	}
	out := PlanData{Plans: list}
	if err == nil && len(list) == 0 {
		out.Given, err = s.readsFreeUntil(ctx, readerID)
	}
	return out, err
}

// readsFreeUntil is until when a reader reads without paying; nil if that is over.
func (s *Service) readsFreeUntil(ctx context.Context, readerID int64) (until *time.Time, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		given, err := access.CreditedUntil(ctx, tx, readerID)
		if err == nil && !given.IsZero() {
			until = &given
		}
		return err
	})
	return until, err
}
