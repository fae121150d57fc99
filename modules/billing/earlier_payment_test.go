package billing

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/i18n"
)

// An earlier payment goes back, while something else than a paid invoice is the latest: access, the profile, the credit
// note, the emails and what is charged later fit together.
func TestEarlierPayment(t *testing.T) {
	t.Parallel()
	renewed := func(p *env, s access.Subscription) {
		p.advance(s.PeriodEnd.Sub(p.db.Now()) + time.Minute)
		p.work()
	}
	fails := func(p *env, s access.Subscription) {
		p.swapCard(s, laterCard)
		renewed(p, p.subscriptions(1)[0])
	}
	for name, c := range map[string]struct {
		before func(p *env, s access.Subscription) // of the payment that goes back
		then   func(p *env, s access.Subscription)
		state  string // of the profile, before and after a refund in part
		ends   bool   // because a refund in full is of what is read now
		pays   bool   // again, after a refund
	}{
		"postponed behind a code": {
			renewed, func(p *env, _ access.Subscription) { p.redeemed(1, access.Monthly) },
			subscription.StateActive, true, true,
		},
		"called off for a code, after years": {
			func(p *env, s access.Subscription) {
				for range 27 {
					renewed(p, p.subscriptions(1)[0])
				}
			}, func(p *env, _ access.Subscription) {
				p.redeemed(1, access.Monthly)
				p.advance(28 * day)
				p.work()
			}, subscription.StateActive, false, true,
		},
		"skipped by a pause": {renewed, func(p *env, s access.Subscription) {
			p.change(1, pauseTwo)
			renewed(p, p.subscriptions(1)[0])
		}, subscription.StatePaused, false, true},
		"in the last hour of a pause": {renewed, func(p *env, s access.Subscription) {
			p.change(1, `{"action":"pause","periods":1}`)
			p.work()
			p.advance(p.subscriptions(1)[0].ResumesAt.Sub(p.db.Now()) + time.Minute)
			p.work()
		}, subscription.StatePaused, false, true},
		"unpaid": {renewed, fails, subscription.StatePastDue, false, false},
		"void": {renewed, func(p *env, s access.Subscription) {
			fails(p, s)
			p.api(http.MethodPost, "invoices/"+p.latest(s)+"/void", nil)
			p.work()
			p.swapCard(s, goodCard)
		}, subscription.StatePaused, false, true},
		"uncollectible": {renewed, func(p *env, s access.Subscription) {
			fails(p, s)
			p.api(http.MethodPost, "invoices/"+p.latest(s)+"/mark_uncollectible", nil)
			p.work()
		}, subscription.StateExpired, false, false},
	} {
		for _, how := range []string{"refund", "part", "dispute", "won", "lost"} {
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				p := newEnv(t)
				s := p.subscribe(1, access.Monthly)
				c.before(p, s)
				paid := p.latest(s)
				c.then(p, s)
				p.work()
				p.goesBack(paid, how)
				ends := c.ends && how != "part" || how == "dispute" || how == "won" || how == "lost"
				p.standsAfter(c.state, ends)
				p.tellsAfter(how, ends)
				p.chargesAfter(s, !ends && c.pays)
			})
		}
	}
}

// goesBack has the payment of an invoice go back.
func (p *env) goesBack(invoice, how string) {
	p.t.Helper()
	switch how {
	case "refund":
		p.refundInvoice(invoice, "")
	case "part":
		p.refundInvoice(invoice, "300")
	default:
		p.disputes(invoice, 0, false)
	}
	p.work()
	p.reported()
	if evidence := map[string]string{"won": "winning_evidence", "lost": "losing_evidence"}[how]; evidence != "" {
		p.advance(2 * day)
		p.decides(evidence)
		p.reported()
	}
}

// standsAfter compares access, the profile and the provider.
func (p *env) standsAfter(state string, ends bool) {
	p.t.Helper()
	now, profile := p.subscriptions(1)[0], p.state(1)
	end, err := p.shop.Access.End(p.ctx, 1)
	if err != nil {
		p.t.Fatal(err)
	}
	if ends != now.Status.Final() && ends != now.CancelAtPeriodEnd || ends && profile.Payment != nil {
		p.t.Errorf("it is %+v with the profile %+v, want it to end: %t", now, profile, ends)
	}
	if !ends && profile.State != state {
		p.t.Errorf("the profile is %+v, want %s", profile, state)
	}
	if shown := access.Later(end.At, end.Over); profile.State != subscription.StatePaused &&
		(profile.Until == nil || !profile.Until.Equal(shown)) {
		p.t.Errorf("the profile says %+v, the end is %+v", profile, end)
	}
	if profile.State == subscription.StatePaused && (profile.Resumes == nil || !profile.Resumes.After(p.db.Now())) {
		p.t.Errorf("the profile has a pause without an end: %+v", profile)
	}
}

// tellsAfter looks at the credit note and the emails.
func (p *env) tellsAfter(how string, ends bool) {
	p.t.Helper()
	notes := p.documents("d.kind = 'CN'")
	refunded := how == "refund" || how == "part"
	if refunded != (len(notes) == 1) {
		p.t.Fatalf("got %d credit notes after a %s", len(notes), how)
	}
	want := map[string]int{"dispute": 1, "won": 2, "lost": 2}[how]
	if turns := p.turns(); len(turns) != want || want == 2 && turns[1] != how {
		p.t.Errorf("emails about the dispute: got %q, want %d", turns, want)
	}
	if !refunded {
		return
	}
	text := ""
	for _, b := range p.sent("credit")[0].Blocks {
		text += b.Text + "\n"
	}
	profile, day := p.state(1), ""
	switch {
	case profile.Resumes != nil:
		day = i18n.Date(p.ed, *profile.Resumes)
	case profile.Payment != nil:
		day = i18n.Date(p.ed, profile.Payment.At)
	}
	if goesOn := strings.Contains(text, "predplatné pokračuje"); goesOn != (day != "") || goesOn &&
		!strings.Contains(text, "pokračuje: "+day+" sa obnoví") || ends && goesOn {
		p.t.Errorf("the credit note says %q, the next payment is on %q", text, day)
	}
}

// chargesAfter lets time pass.
func (p *env) chargesAfter(s access.Subscription, pays bool) {
	p.t.Helper()
	before, profile := p.paid(), p.state(1)
	day := time.Time{}
	switch {
	case profile.Resumes != nil:
		day = *profile.Resumes
	case profile.Payment != nil:
		day = profile.Payment.At
	}
	if pays == day.IsZero() {
		p.t.Errorf("the profile names the next payment %s, want one: %t", day, pays)
	}
	for p.db.Now().Before(day.Add(-3 * time.Hour)) {
		p.advance(min(day.Add(-2*time.Hour).Sub(p.db.Now()), 7*24*time.Hour))
		p.work()
		p.sweep()
	}
	if got := p.paid(); !slices.Equal(got, before) {
		p.t.Errorf("payments of %v became %v before %s", before, got, day)
	}
	p.advance(5 * time.Hour)
	p.work()
	if got := len(p.paid()) - len(before); got != map[bool]int{true: 1}[pays] {
		p.t.Errorf("got %d payments on %s, want %t", got, day, pays)
	}
	now, after := p.subscriptions(1)[0], p.state(1)
	if pays && (now.Status != stripe.Active || after.State != subscription.StateActive) {
		p.t.Errorf("after the payment it is %+v, the profile %+v", now, after)
	}
	if !pays {
		p.advance(60 * 24 * time.Hour)
		p.work()
		p.sweep()
		if got := p.paid(); !slices.Equal(got, before) {
			p.t.Errorf("payments of %v became %v afterwards", before, got)
		}
	}
}
