package billing

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

func trialFor(who string) func(*edition.Document) {
	return func(d *edition.Document) { d.Billing.Trial.For = who }
}

func (p *env) begin(reader int64) {
	p.t.Helper()
	if err := p.shop.Subscriptions.BeginTrial(p.ctx, reader); err != nil {
		p.t.Fatal(err)
	}
	p.work()
}

func TestTrial(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, promised string
		want           bool
	}{
		{"none", "campaign", false},
		{"all", "", true},
		{"campaign", "", false},
		{"campaign", "campaign", true},
		{"campaign", "invited", false},
		{"invited", "invited", true},
	} {
		t.Run(c.rule+" "+c.promised, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, trialFor(c.rule))
			if c.promised != "" {
				p.view(func(ctx context.Context, tx db.Tx) error {
					return subscription.PutTrialGrant(ctx, tx, person.Email(" Reader1@example.org"), c.promised)
				})
			}
			p.begin(1)
			until, product, trial, _ := p.standing(1)
			if trial != c.want || until.IsZero() == c.want || product != access.NoProduct {
				t.Errorf("until %s, trial %v, %s", until, trial, product)
			}
		})
	}
	for rule, want := range map[string]bool{"invited": true, "campaign": false, "none": false} {
		p := newEnv(t, trialFor(rule))
		p.begin(7) // who was invited, and was promised nothing else
		if _, _, trial, _ := p.standing(7); trial != want {
			t.Errorf("a trial for %s begins with an invitation: %t", rule, trial)
		}
	}
}

// Who asks for an offer of a campaign is promised its trial, once, unless a trial or a purchase was before.
func TestACampaignPromisesItsTrial(t *testing.T) {
	t.Parallel()
	wants := func(p *env, address string) {
		t.Helper()
		if a := p.post(0, questPath,
			fmt.Sprintf(`{"user_email":%q,"product_type":"product_yearly"}`, address)); a.Status != http.StatusOK {
			t.Fatal(a.Body)
		}
		p.work()
	}
	for rule, want := range map[string]int{"campaign": 1, "invited": 0, "all": 0, "none": 0} {
		p := newEnv(t, trialFor(rule))
		wants(p, "Reader1@example.org")
		wants(p, "reader1@example.org")
		if n := p.count("SELECT count(*) FROM billing_promises"); n != want {
			t.Errorf("a trial for %s: %d promises", rule, n)
		}
	}
	p := newEnv(t, trialFor("campaign"))
	p.subscribe(2, "product_monthly")
	wants(p, "reader1@example.org")
	wants(p, "reader2@example.org")
	p.begin(1)
	p.begin(2)
	if until, _, trial, _ := p.standing(1); !trial || until.IsZero() {
		t.Error("the trial of who came by the campaign did not begin")
	}
	if _, _, trial, _ := p.standing(2); trial {
		t.Error("who has bought has a trial")
	}
	p.advance(60 * day)
	p.view(func(ctx context.Context, tx db.Tx) error {
		return deleteTrialGrants(ctx, tx, person.Email("reader1@example.org"), tx.Now)
	})
	for name, c := range map[string]struct {
		dry     bool
		address string
		want    subscription.TrialGrantState
	}{
		"had one": {false, "READER1@example.org", subscription.TrialNotGranted},
		"bought":  {false, "reader2@example.org", subscription.TrialNotGranted},
		"dry":     {true, "reader3@example.org", subscription.TrialGranted},
	} {
		list, err := p.shop.Subscriptions.GrantTrials(p.ctx, c.dry, c.address, c.address)
		if err != nil || len(list) != 1 || list[0].State != c.want || list[0].Email != strings.ToLower(c.address) {
			t.Errorf("%s: %+v %v", name, list, err)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_promises"); n != 0 {
		t.Errorf("%d promises that are none", n)
	}
	for _, want := range []subscription.TrialGrantState{subscription.TrialGranted, subscription.TrialGrantedBefore} {
		if list, err := p.shop.Subscriptions.GrantTrials(p.ctx, false, "reader3@example.org"); err != nil ||
			list[0].State != want {
			t.Errorf("%+v %v, not %s", list, err, want)
		}
	}
	if _, err := p.shop.Subscriptions.GrantTrials(p.ctx, false, "reader4@example.org", "nobody"); err == nil ||
		p.count("SELECT count(*) FROM billing_promises") != 1 {
		t.Error("one that is no address does not keep the others back", err)
	}
}

func TestTrialIsGivenOnceAndRemindedOnce(t *testing.T) {
	t.Parallel()
	p := newEnv(t, trialFor("all"))
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := p.shop.Subscriptions.BeginTrial(p.ctx, 1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	sweep := func() {
		t.Helper()
		for range 6 {
			all.Go(func() {
				if err := p.shop.Subscriptions.SweepTrials(p.ctx); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		p.work()
	}
	until, _, _, _ := p.standing(1)
	sweep()
	if n := len(p.subscriptions(1)); n != 1 || len(p.sent("trial_ending")) != 0 {
		t.Fatalf("%d trials, %d reminders", n, len(p.sent("trial_ending")))
	}
	p.advance(25*day + time.Minute) // three days before the end, after hours in which nothing swept
	sweep()
	sweep()
	if messages := p.sent("trial_ending"); len(messages) != 1 || !messages[0].ExpiresAt.Equal(until) {
		t.Errorf("reminders: %+v", messages)
	}
	p.advance(3 * day)
	if left, _, trial, due := p.standing(1); !left.IsZero() || trial || !due {
		t.Errorf("at its end, before any job: until %s, trial %v, notice %v", left, trial, due)
	}
	sweep()
	if s := p.subscriptions(1)[0]; s.Status != stripe.Ended {
		t.Errorf("over: %s", s.Status)
	}
	sweep()
	if messages := p.sent("access_ended"); len(messages) != 1 ||
		!messages[0].ExpiresAt.Equal(until.Add(email.MaxNoticeDelay)) {
		t.Errorf("emails about the end: %+v", messages)
	}
	p.begin(1)
	if left, _, _, _ := p.standing(1); !left.IsZero() {
		t.Error("a second trial")
	}
}

// The end of a trial is told within a week, once, and not to those who have bought or were given access before the
// email went out.
func TestTheEndOfAccessIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		later time.Duration
		then  func(p *env)
		want  int
	}{
		"late":     {later: 6 * day, want: 1},
		"too late": {later: 8 * day, want: 0},
		"bought":   {then: func(p *env) { p.buy(p.order(1, access.Monthly), goodCard); p.work() }, want: 0},
		"granted": {then: func(p *env) {
			if err := access.Give(p.ctx, p.db,
				access.Grant{ReaderID: 1, Until: p.db.Now().Add(day), Reason: "kept waiting"}); err != nil {
				p.t.Fatal(err)
			}
		}, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, trialFor("all"))
			p.begin(1)
			p.work()
			p.advance(28*day + time.Minute + c.later)
			if c.then != nil {
				c.then(p)
			}
			for range 2 {
				if err := p.shop.Subscriptions.SweepTrials(p.ctx); err != nil {
					t.Fatal(err)
				}
				p.work()
			}
			if n := len(p.sent("access_ended")); n != c.want {
				t.Errorf("%d emails, want %d", n, c.want)
			}
		})
	}
}

func TestBuyingEndsATrial(t *testing.T) {
	t.Parallel()
	p := newEnv(t, trialFor("all"))
	p.begin(1)
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	if _, product, trial, _ := p.standing(1); product != access.Monthly || trial {
		t.Errorf("%s, trial %v", product, trial)
	}
	p.advance(25*day + time.Minute)
	if err := p.shop.Subscriptions.SweepTrials(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.work()
	if n := len(p.sent("trial_ending")); n != 0 {
		t.Errorf("%d reminders of a trial that was replaced", n)
	}
	// Who has bought gets no trial.
	p.buy(p.order(2, access.Monthly), goodCard)
	p.work()
	p.begin(2)
	if list := p.subscriptions(2); len(list) != 1 || list[0].Trial {
		t.Errorf("%+v", list)
	}
}
