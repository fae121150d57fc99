package subscription

import (
	"slices"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/paper/edition"
)

// allowedChanges lists the changes that a subscription allows.
func allowedChanges(s access.Subscription, ed *edition.Edition) []string {
	list := []string{}
	if s.ProviderID == "" || !s.Status.Live() {
		return list
	}
	h := Live{Subscription: s}
	quiet := h.isSettled() && s.Next == "" && !onIntroSchedule(s, ed)
	for _, c := range []struct {
		kind string
		ok   bool
	}{
		{access.ChangeSwitch, quiet && h.allows(Change{Kind: access.ChangeSwitch}, ed) && sellsOther(ed, s.Product)},
		{access.ChangePause, quiet && h.allows(Change{Kind: access.ChangePause}, ed)},
		{access.ChangeUnpause, s.Paused && !s.CancelAtPeriodEnd}, // else it is resumed first
		{access.ChangeStay, s.Next != ""},
		{access.ChangeCancel, !s.CancelAtPeriodEnd},
		{access.ChangeResume, s.CancelAtPeriodEnd},
	} {
		if c.ok {
			list = append(list, c.kind)
		}
	}
	return list
}

// onIntroSchedule reports whether a schedule leads a subscription from its introductory price to the full one.
func onIntroSchedule(s access.Subscription, ed *edition.Edition) bool {
	p := ed.Product(s.Product)
	return p != nil && p.Intro != nil && p.Intro.Periods > 1 && s.Amount == p.Intro.Amount
}

// sellsOther reports whether there is another product that can be ordered.
func sellsOther(ed *edition.Edition, product string) bool {
	return slices.ContainsFunc(ed.Billing.Products, func(p edition.Product) bool {
		return p.Type != product && offer.Active(ed, p.Type) != nil
	})
}

// endsAtOnce reports whether a subscription that is live ends at once if it is cancelled.
func endsAtOnce(s access.Subscription) bool {
	return s.ProviderID != "" && s.Status.Live() && access.EndingOf(s, access.WithPeriod) == access.AtOnce
}
