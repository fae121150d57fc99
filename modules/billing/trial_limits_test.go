package billing

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/paper/edition"
)

func TestMailboxKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"eva@example.org", "Eva+news@example.org", "eva+@Example.org "},
		{"eva.nova@gmail.com", "evanova+x@googlemail.com", "e.v.a.nova@gmail.com"},
	} {
		for _, address := range same[1:] {
			if person.Mailbox(address) != person.Mailbox(same[0]) {
				t.Errorf("%s is not %s", address, same[0])
			}
		}
	}
	for _, other := range []string{"eva.nova@example.org", "evanova@example.com", "eva@example.org"} {
		if person.Mailbox(other) == person.Mailbox("evanova@example.org") {
			t.Errorf("%s is evanova@example.org", other)
		}
	}
}

func (p *env) wants(email string) int {
	p.t.Helper()
	return p.post(0, "/fns/stripe-quest-payment",
		fmt.Sprintf(`{"user_email":%q,"product_type":"product_monthly"}`, email)).Status
}

// A campaign gives a mailbox one trial, whatever is written into its address, and a network some in a day.
func TestAMailboxHasOneTrial(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Billing.Trial = edition.Trial{For: edition.TrialForCampaign, Days: 28} })
	p.addresses = map[int64]string{1: "eva@example.org", 2: "eva+1@example.org", 3: "jana@example.org"}
	for reader := int64(1); reader <= 3; reader++ {
		if got := p.wants(p.addresses[reader]); got != http.StatusOK {
			t.Fatal(got)
		}
		if err := p.shop.Subscriptions.BeginTrial(p.ctx, reader); err != nil {
			t.Fatal(err)
		}
		if _, _, trial, _ := p.standing(reader); trial != (reader != 2) {
			t.Errorf("%s has a trial: %t", p.addresses[reader], trial)
		}
	}
}

func TestANetworkIsPromisedSomeTrials(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Billing.Trial = edition.Trial{For: edition.TrialForCampaign, Days: 28} })
	for i := range subscription.TrialsOfNetwork.Max {
		if got := p.wants(fmt.Sprintf("new%d@example.org", i)); got != http.StatusOK {
			t.Fatalf("%d: %d", i, got)
		}
	}
	if got := p.wants("more@example.org"); got != http.StatusTooManyRequests {
		t.Errorf("one more: %d", got)
	}
	if n := p.count("SELECT count(*) FROM billing_promises"); n != subscription.TrialsOfNetwork.Max {
		t.Errorf("%d are promised", n)
	}
	if got := p.wants("new1@example.org"); got != http.StatusOK { // who was promised one asks again
		t.Errorf("again: %d", got)
	}
}

// A campaign has a last day; its offer can be taken afterwards, without the trial.
func TestACampaignHasALastDay(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) {
		d.Billing.Trial = edition.Trial{For: edition.TrialForCampaign, Days: 28}
	})
	p.ed.Billing.Trial.Until = p.db.Now().In(p.ed.Location).Format(time.DateOnly) // today
	promised := func() int { return p.count("SELECT count(*) FROM billing_promises") }
	if got := p.wants("first@example.org"); got != http.StatusOK || promised() != 1 {
		t.Errorf("on the last day: %d, %d promised", got, promised())
	}
	p.advance(day)
	if got := p.wants("second@example.org"); got != http.StatusOK || promised() != 1 {
		t.Errorf("on the next day: %d, %d promised", got, promised())
	}
}

// Who comes from an article and has to log in first is led back there after the payment.
func TestTheWayBackOutlivesTheLogin(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	code := p.coupons(nil)[0]
	for name, body := range map[string]string{
		"an offer": `{"user_email":"offer@example.org","product_type":"product_monthly","referrer":"/tema"}`,
		"a code":   fmt.Sprintf(`{"user_email":"code@example.org","coupon_code":%q,"referrer":"/tema"}`, code),
	} {
		if a := p.post(0, "/fns/stripe-quest-payment", body); a.Status != http.StatusOK {
			t.Fatal(name, a)
		}
		if last := p.logins[len(p.logins)-1]; !strings.Contains(last, "&referrer=%2Ftema") &&
			!strings.Contains(last, "?referrer=%2Ftema") {
			t.Errorf("%s: the login leads to %s", name, last)
		}
	}
}
