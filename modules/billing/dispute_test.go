package billing

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// decides ends the newest dispute as its bank would.
func (p *env) decides(evidence string) {
	p.t.Helper()
	id, _ := p.listed("disputes")[0]["id"].(string)
	p.api(http.MethodPost, "disputes/"+id, url.Values{"evidence[uncategorized_text]": {evidence}})
	p.work()
}

// disputes has the bank look into the payment of an invoice; amount 0: all of it.
func (p *env) disputes(invoice string, amount int64, inquiry bool) {
	p.t.Helper()
	charge, _ := p.api(http.MethodGet, "invoices/"+invoice, nil)["charge"].(string)
	if _, err := p.box.Dispute(charge, amount, inquiry); err != nil {
		p.t.Fatal(err)
	}
	p.work()
}

func (p *env) latest(s access.Subscription) string {
	p.t.Helper()
	inv, _ := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["latest_invoice"].(string)
	return inv
}

// reported has what the messages should have brought brought by the comparison.
func (p *env) reported() {
	p.t.Helper()
	if err := p.shop.Reconciliation.Changed(p.ctx); err != nil {
		p.t.Fatal(err)
	}
	p.work()
}

// turns are the turns of disputes about which emails were sent.
func (p *env) turns() (list []string) {
	for _, l := range p.sent("dispute") {
		list = append(list, l.Key[strings.LastIndex(l.Key, ":")+1:])
	}
	return list
}

// queued is how many disputes wait for a person.
func (p *env) queued() int {
	return p.count("SELECT count(*) FROM billing_parked WHERE kind = 'dispute' AND resolved_at IS NULL")
}

func TestDispute(t *testing.T) {
	t.Parallel()
	intro := func(p *env) access.Subscription { return p.subscribe(1, access.Monthly) }
	renewal := func(p *env) access.Subscription {
		s := p.subscribe(1, access.Monthly)
		p.advance(28*day + time.Minute)
		p.work()
		return s
	}
	yearly := func(p *env) access.Subscription { return p.subscribe(1, access.Yearly) }
	for what, buys := range map[string]func(*env) access.Subscription{
		"the introductory price": intro, "a renewal": renewal, "a year": yearly,
	} {
		for _, how := range []string{"won", "lost", "withdrawn"} {
			for _, told := range []string{"", "drop", "duplicate", "shuffle"} {
				if told != "" && (what != "a renewal" || how == "withdrawn") {
					continue
				}
				t.Run(strings.TrimSpace(what+" "+how+" "+told), func(t *testing.T) {
					t.Parallel()
					p := newEnv(t)
					s := buys(p)
					paidUntil := p.subscriptions(1)[0].PeriodEnd
					p.fault(sandbox.Faults{Webhooks: told})
					tryDispute(p, s, how, paidUntil)
				})
			}
		}
	}
}

func tryDispute(p *env, s access.Subscription, how string, paidUntil time.Time) {
	t := p.t
	t.Helper()
	p.disputes(p.latest(s), 0, false)
	p.reported()
	shut := p.db.Now()
	if until, _, _, _ := p.standing(1); !until.IsZero() {
		t.Errorf("disputed: access until %s, want none", until)
	}
	if got := p.state(1); got.State != subscription.StateDisputed || got.Payment != nil || len(got.Can) != 0 ||
		!got.Offer {
		t.Errorf("disputed: the profile has %+v", got)
	}
	if at := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["status"]; at != "canceled" {
		t.Errorf("disputed: the provider has it %v, want it canceled", at)
	}
	if got := p.queued(); got != 1 {
		t.Errorf("disputed: %d wait for a person, want 1", got)
	}
	charged := len(p.paid())
	p.advance(5 * day)
	p.work()
	if how == "lost" {
		p.decides("losing_evidence")
	} else {
		p.decides("winning_evidence") // so is one that its payer takes back
	}
	p.reported()
	p.reported() // nothing is given twice
	until, _, _, _ := p.standing(1)
	if want := p.db.Now().Add(paidUntil.Sub(shut)); how != "lost" && until.Sub(want).Abs() > time.Minute {
		t.Errorf("won: access until %s, want %s", until, want)
	}
	if how == "lost" && !until.IsZero() {
		t.Errorf("lost: access until %s, want none", until)
	}
	want := []string{"shut", map[bool]string{true: "lost", false: "won"}[how == "lost"]}
	if got := p.turns(); !slices.Equal(got, want) {
		t.Errorf("emails about %v, want %v", got, want)
	}
	if got := len(p.sent("access_ended")) + len(p.sent("subscription_changed")); got != 0 {
		t.Errorf("%d other emails say that it has ended", got)
	}
	if got := p.queued(); got != 0 {
		t.Errorf("decided: %d wait for a person, want 0", got)
	}
	p.advance(370 * day)
	p.work()
	if got := len(p.paid()) - charged; got != 0 {
		t.Errorf("charged %d times since the dispute, want 0", got)
	}
	p.fault(sandboxUp)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	if until, _, _, _ := p.standing(1); until.IsZero() || p.state(1).State != subscription.StateActive {
		t.Errorf("ordered again: access until %s, %+v", until, p.state(1))
	}
}

// While a payment is disputed its reader can order with another card, or by transfer; what is given back if the dispute
// is won comes after that, and is not paid for.
func TestDispute_OrderMeanwhile(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(1, access.Yearly)
	p.disputes(p.latest(s), 0, false)
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	list := p.subscriptions(1)
	if len(list) != 2 || list[1].Status != stripe.Active {
		t.Fatalf("got %+v, want a second subscription", list)
	}
	p.decides("winning_evidence")
	p.work()
	want := list[1].PeriodEnd.Add(s.PeriodEnd.Sub(p.db.Now()))
	until, _, _, _ := p.standing(1)
	if next := p.subscriptions(1)[1].PeriodEnd; until.Sub(want).Abs() > time.Minute || !next.Equal(until) {
		t.Errorf("access until %s, next payment at %s, want both at %s", until, next, want)
	}
}

func TestDispute_NothingShut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		does   func(p *env, s access.Subscription)
		turns  []string
		renews bool
		queued int
	}{
		"an inquiry": {
			func(p *env, s access.Subscription) { p.disputes(p.latest(s), 0, true) }, nil, true, 1,
		},
		"an inquiry that comes to nothing": {func(p *env, s access.Subscription) {
			p.disputes(p.latest(s), 0, true)
			p.decides("winning_evidence")
		}, nil, true, 0},
		"a part": {
			func(p *env, s access.Subscription) { p.disputes(p.latest(s), 300, false) }, []string{"held"}, false, 1,
		},
		"a part, won": {func(p *env, s access.Subscription) {
			p.disputes(p.latest(s), 300, false)
			p.decides("winning_evidence")
		}, []string{"held", "won"}, false, 0},
		"an earlier period": {func(p *env, s access.Subscription) {
			first := p.latest(s)
			p.advance(28*day + time.Minute)
			p.work()
			p.disputes(first, 0, false)
		}, []string{"held"}, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			s := p.subscribe(1, access.Monthly)
			p.advance(28*day + time.Minute) // so that the price is the full one
			p.work()
			c.does(p, s)
			now := p.subscriptions(1)[0]
			if until, _, _, _ := p.standing(1); until.Before(now.PeriodEnd) {
				t.Errorf("access until %s, want %s", until, now.PeriodEnd)
			}
			if now.Renews() != c.renews || now.Disputed {
				t.Errorf("got %+v, want it to renew: %v", now, c.renews)
			}
			if got := p.turns(); !slices.Equal(got, c.turns) {
				t.Errorf("emails about %v, want %v", got, c.turns)
			}
			if got := p.queued(); got != c.queued {
				t.Errorf("%d wait for a person, want %d", got, c.queued)
			}
			if got := p.sent("subscription_changed"); len(got) != 0 {
				t.Errorf("got %d emails that the reader has cancelled", len(got))
			}
			charged := len(p.paid())
			p.advance(29 * day)
			p.work()
			if got := len(p.paid()) > charged; got != c.renews {
				t.Errorf("charged again: %v, want %v", got, c.renews)
			}
		})
	}
}

// An inquiry that becomes a dispute shuts, and so does a dispute about all that refunds have left.
func TestDispute_Rest(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]func(p *env, s access.Subscription){
		"after an inquiry": func(p *env, s access.Subscription) {
			p.disputes(p.latest(s), 0, true)
			p.decides("escalate_inquiry_evidence")
		},
		"after a refund of a part": func(p *env, s access.Subscription) {
			p.refund(s, "4000")
			p.disputes(p.latest(s), 4900, false)
		},
		"seen by the comparison of the night alone": func(p *env, s access.Subscription) {
			p.fault(sandboxSilent)
			p.disputes(p.latest(s), 0, false)
			p.advance(4 * day)
			if err := p.shop.Reconciliation.All(p.ctx); err != nil {
				p.t.Fatal(err)
			}
			p.work()
		},
		"while a payment is due": func(p *env, s access.Subscription) {
			first := p.latest(s)
			p.swapCard(s, laterCard)
			p.advance(s.PeriodEnd.Sub(p.db.Now()) + time.Hour)
			p.work()
			p.disputes(first, 0, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			s := p.subscribe(1, access.Yearly)
			does(p, s)
			if until, _, _, _ := p.standing(1); !until.IsZero() {
				t.Errorf("access until %s, want none", until)
			}
			if at := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["status"]; at != "canceled" {
				t.Errorf("the provider has it %v, want it canceled", at)
			}
			if open := p.listed("invoices?status=open"); len(open) != 0 {
				t.Errorf("%d invoices can still be paid, want none", len(open))
			}
			if got := len(p.turns()); got != 1 || p.queued() != 1 {
				t.Errorf("%d emails, %d wait for a person, want one each", got, p.queued())
			}
		})
	}
}

// A dispute that is decided long after its messages were lost is found, however old it is.
func TestDispute_DecidedLate(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(1, access.Yearly)
	p.disputes(p.latest(s), 0, false)
	p.advance(75 * day)
	p.fault(sandboxSilent)
	p.decides("winning_evidence")
	p.advance(3 * day)
	if err := p.shop.Reconciliation.All(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.work()
	want := p.db.Now().Add(365 * day)
	if until, _, _, _ := p.standing(1); until.Sub(want).Abs() > 2*day {
		t.Errorf("access until %s, want %s", until, want)
	}
}

// One card whose payments are all disputed is charged once.
func TestDispute_CardOfDisputes(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Monthly), disputedCard)
	p.work()
	for range 4 {
		p.advance(29 * day)
		p.work()
	}
	if got := len(p.paid()); got != 1 {
		t.Errorf("charged %d times, want once", got)
	}
	if got := p.count("SELECT count(*) FROM billing_parked"); got != 1 {
		t.Errorf("%d entries of the review queue, want 1", got)
	}
}

func TestDispute_Gift(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		evidence string
		email    string // of the recipient
		redeemed bool   // before the dispute
		works    bool   // afterwards
		turns    int    // emails
	}{
		"open":                   {"", "", false, false, 1},
		"won":                    {"winning_evidence", "", false, true, 2},
		"won, mailed before":     {"winning_evidence", `"recipient_email":"eva@example.org",`, false, true, 4},
		"lost":                   {"losing_evidence", `"recipient_email":"eva@example.org",`, false, false, 4},
		"redeemed before":        {"", "", true, false, 0},
		"redeemed before, lost ": {"losing_evidence", "", true, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.buy(p.gives(c.email+`"buyer_name":"Mara"`), goodCard)
			p.work()
			code := codeIn(t, p.sent("gift_bought")[0])
			if c.redeemed {
				if a := p.redeems(1, code); a.Status != http.StatusOK {
					t.Fatal(a)
				}
			}
			p.advance(day)
			p.disputesCharge(p.listed("charges")[0])
			if a := p.redeems(2, code); a.Body["error"] != "INVALID_COUPON_CODE" {
				t.Errorf("disputed: got %v, want a code that opens nothing", a)
			}
			if got := p.queued(); got != 1 {
				t.Errorf("%d wait for a person, want 1", got)
			}
			p.advance(day)
			if c.evidence != "" {
				p.decides(c.evidence)
				p.reported()
				if got := p.queued(); got != 0 {
					t.Errorf("decided: %d wait for a person, want 0", got)
				}
			}
			if got := p.redeems(3, code).Status == http.StatusOK; got != c.works {
				t.Errorf("the code works: %v, want %v", got, c.works)
			}
			if got := len(p.sent("gift_dispute")); got != c.turns {
				t.Errorf("%d emails, want %d", got, c.turns)
			}
			if until, _, _, _ := p.standing(1); c.redeemed == until.IsZero() {
				t.Errorf("who has redeemed the code before reads until %s", until)
			}
		})
	}
}

// disputesCharge has the bank look into a charge.
func (p *env) disputesCharge(charge map[string]any) {
	p.t.Helper()
	if _, err := p.box.Dispute(fmt.Sprint(charge["id"]), 0, false); err != nil {
		p.t.Fatal(err)
	}
	p.work()
}

// A gift that was to be mailed while its payment was disputed is mailed when the dispute is won.
func TestDispute_GiftDueMeanwhile(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	on := p.db.Now().AddDate(0, 0, 3).Format(time.DateOnly)
	p.buy(p.gives(`"recipient_email":"eva@example.org","send_on":"`+on+`"`), goodCard)
	p.work()
	p.disputesCharge(p.listed("charges")[0])
	p.advance(5 * day)
	p.work()
	if got := len(p.sent("gift")); got != 0 {
		t.Errorf("disputed: %d codes were mailed, want none", got)
	}
	p.decides("winning_evidence")
	if got := len(p.sent("gift")); got != 1 {
		t.Errorf("won: %d codes were mailed, want 1", got)
	}
	if got := len(p.sent("gift_dispute")); got != 2 {
		t.Errorf("%d emails, want 2, both to the buyer", got)
	}
}
