package access

import (
	"slices"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
)

// Which access counts if several run: the one that ends last, at the same instant the one that was paid for, and before
// all others the one that takes its next payment by itself.
func TestEntitlement_End(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	soon, late := now.AddDate(0, 0, 5), now.AddDate(0, 0, 50)
	began := now.AddDate(0, 0, -20)
	sub := func(until time.Time, change func(*Subscription)) Subscription {
		s := Subscription{
			ProviderID: "sub_1", Product: Monthly, Status: stripe.Active, Paid: 796, Amount: 796, PeriodStart: began,
			PeriodEnd: until, CancelAtPeriodEnd: true,
		}
		change(&s)
		return s
	}
	card := func(until time.Time) Subscription { return sub(until, func(*Subscription) {}) }
	renewing := func(until time.Time) Subscription {
		return sub(until, func(s *Subscription) { s.CancelAtPeriodEnd = false })
	}
	paused := func(until time.Time) Subscription { return sub(until, func(s *Subscription) { s.Paused = true }) }
	trial := func(until time.Time) Subscription {
		return sub(until, func(s *Subscription) {
			s.ProviderID, s.Trial, s.Status, s.Paid, s.Product = "", true, stripe.Trialing, 0, NoProduct
			s.CancelAtPeriodEnd = false
		})
	}
	transfer := func(until time.Time) Subscription {
		return sub(until, func(s *Subscription) {
			s.ProviderID, s.Transfer, s.Product, s.CancelAtPeriodEnd = "", true, Yearly, false
		})
	}
	given := func(from Source, until time.Time) Grant {
		g := Grant{Source: from, Until: until, Product: Yearly}
		if from == FromGrant {
			g.Product = NoProduct
		}
		return g
	}
	for _, c := range []struct {
		name   string
		list   []Subscription
		grants []Grant
		want   End
	}{
		{"nothing", nil, nil, End{Product: NoProduct}},
		{"trial", []Subscription{trial(soon)}, nil, End{At: soon, Source: FromTrial, Product: NoProduct}},
		{
			"trial, then a code",
			[]Subscription{trial(soon)},
			[]Grant{given(FromCode, late)},
			End{At: late, Source: FromCode, Product: Yearly},
		},
		{
			"trial, then a gift",
			[]Subscription{trial(soon)},
			[]Grant{given(FromGift, late)},
			End{At: late, Source: FromGift, Product: Yearly},
		},
		{
			"trial, then a grant",
			[]Subscription{trial(soon)},
			[]Grant{given(FromGrant, late)},
			End{At: late, Source: FromGrant, Product: NoProduct},
		},
		{
			"a trial that lasts longer than a gift",
			[]Subscription{trial(late)},
			[]Grant{given(FromGift, soon)},
			End{At: late, Source: FromTrial, Product: Yearly},
		},
		{
			"trial and gift, at the same instant",
			[]Subscription{trial(soon)},
			[]Grant{given(FromGift, soon)},
			End{At: soon, Source: FromGift, Product: Yearly},
		},
		{
			"trial and grant, at the same instant",
			[]Subscription{trial(soon)},
			[]Grant{given(FromGrant, soon)},
			End{At: soon, Source: FromGrant, Product: NoProduct},
		},
		{
			"grant and code, at the same instant", nil,
			[]Grant{given(FromGrant, soon), given(FromCode, soon)},
			End{At: soon, Source: FromCode, Product: Yearly},
		},
		{
			"code and transfer, at the same instant",
			[]Subscription{transfer(soon)},
			[]Grant{given(FromCode, soon)},
			End{At: soon, Source: FromTransfer, Product: Yearly},
		},
		{
			"transfer and a card that ends, at the same instant",
			[]Subscription{card(soon), transfer(soon)},
			nil,
			End{At: soon, Source: FromCard, Product: Monthly},
		},
		{
			"a card that ends, then a code",
			[]Subscription{card(soon)},
			[]Grant{given(FromCode, late)},
			End{At: late, Source: FromCode, Product: Yearly},
		},
		{
			"a card that renews before a code ends",
			[]Subscription{renewing(soon)},
			[]Grant{given(FromCode, late)},
			End{At: late, Source: FromCard, Product: Monthly, Renews: true},
		},
		{
			"a card that is paused and cancelled, then a code",
			[]Subscription{paused(soon)},
			[]Grant{given(FromCode, late)},
			End{At: late, Source: FromCode, Product: Yearly},
		},
		{
			"a trial that is over",
			[]Subscription{trial(began)},
			nil,
			End{Source: FromTrial, Product: NoProduct, Over: began, NoticeDue: true},
		},
		{
			"trial and code that are over, at the same instant",
			[]Subscription{trial(began)},
			[]Grant{given(FromCode, began)},
			End{Source: FromCode, Product: NoProduct, Over: began, NoticeDue: true},
		},
		{
			"paused and cancelled, its period over",
			[]Subscription{paused(now.AddDate(0, 0, -1))},
			nil,
			End{Source: FromCard, Product: NoProduct, Over: now.AddDate(0, 0, -1), NoticeDue: true},
		},
	} {
		for range 2 { // whatever their order
			got := EntitlementOf(c.list, c.grants, 7).End(now)
			if got != c.want || got.Trial() != (c.want.Source == FromTrial && !c.want.At.IsZero()) {
				t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
			}
			slices.Reverse(c.list)
			slices.Reverse(c.grants)
		}
	}
}
