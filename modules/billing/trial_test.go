package billing

import (
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/platform/edition"
)

func trialFor(who string) func(*edition.Document) {
	return func(d *edition.Document) { d.Billing.Trial.For = who }
}

func (p *paper) begin(reader int64) {
	p.t.Helper()
	if err := p.shop.Begin(p.ctx, reader); err != nil {
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
			p := newPaper(t, trialFor(c.rule))
			if c.promised != "" {
				if err := p.shop.Promise(p.ctx, " Reader1@example.org", c.promised); err != nil {
					t.Fatal(err)
				}
			}
			p.begin(1)
			until, product, trial, _ := p.standing(1)
			if trial != c.want || until.IsZero() == c.want || product != NoProduct {
				t.Errorf("until %s, trial %v, %s", until, trial, product)
			}
		})
	}
	for rule, want := range map[string]bool{"invited": true, "campaign": false, "none": false} {
		p := newPaper(t, trialFor(rule))
		p.begin(7) // who was invited, and was promised nothing else
		if _, _, trial, _ := p.standing(7); trial != want {
			t.Errorf("a trial for %s begins with an invitation: %t", rule, trial)
		}
	}
	p := newPaper(t)
	if err := p.shop.Promise(p.ctx, "reader1@example.org", "friends"); err == nil {
		t.Error("a promise by friends was taken")
	}
}

func TestTrialIsGivenOnceAndRemindedOnce(t *testing.T) {
	t.Parallel()
	p := newPaper(t, trialFor("all"))
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := p.shop.Begin(p.ctx, 1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	sweep := func() {
		t.Helper()
		for range 6 {
			all.Go(func() {
				if err := p.shop.SweepTrials(p.ctx); err != nil {
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
	if letters := p.sent("trial_ending"); len(letters) != 1 || !letters[0].ExpiresAt.Equal(until) {
		t.Errorf("reminders: %+v", letters)
	}
	p.advance(3 * day)
	if left, _, trial, due := p.standing(1); !left.IsZero() || trial || !due {
		t.Errorf("at its end, before any job: until %s, trial %v, notice %v", left, trial, due)
	}
	sweep()
	if s := p.subscriptions(1)[0]; s.Status != ended {
		t.Errorf("over: %s", s.Status)
	}
	sweep()
	if letters := p.sent("access_ended"); len(letters) != 1 || !letters[0].ExpiresAt.Equal(until.Add(toldAfter)) {
		t.Errorf("letters about the end: %+v", letters)
	}
	p.begin(1)
	if left, _, _, _ := p.standing(1); !left.IsZero() {
		t.Error("a second trial")
	}
}

// The end of a trial is told within a week, once, and not to those who have bought or were given access before the letter went out.
func TestTheEndOfAccessIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		later time.Duration
		then  func(p *paper)
		want  int
	}{
		"late":     {later: 6 * day, want: 1},
		"too late": {later: 8 * day, want: 0},
		"bought":   {then: func(p *paper) { p.buy(p.order(1, Monthly), goodCard); p.work() }, want: 0},
		"granted": {then: func(p *paper) {
			if err := Give(p.ctx, p.db, Grant{ReaderID: 1, Until: p.db.Now().Add(day), Reason: "kept waiting"}); err != nil {
				p.t.Fatal(err)
			}
		}, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPaper(t, trialFor("all"))
			p.begin(1)
			p.work()
			p.advance(28*day + time.Minute + c.later)
			if c.then != nil {
				c.then(p)
			}
			for range 2 {
				if err := p.shop.SweepTrials(p.ctx); err != nil {
					t.Fatal(err)
				}
				p.work()
			}
			if n := len(p.sent("access_ended")); n != c.want {
				t.Errorf("%d letters, want %d", n, c.want)
			}
		})
	}
}

func TestBuyingEndsATrial(t *testing.T) {
	t.Parallel()
	p := newPaper(t, trialFor("all"))
	p.begin(1)
	p.buy(p.order(1, Monthly), goodCard)
	p.work()
	if _, product, trial, _ := p.standing(1); product != Monthly || trial {
		t.Errorf("%s, trial %v", product, trial)
	}
	p.advance(25*day + time.Minute)
	if err := p.shop.SweepTrials(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.work()
	if n := len(p.sent("trial_ending")); n != 0 {
		t.Errorf("%d reminders of a trial that was replaced", n)
	}
	// Who has bought gets no trial.
	p.buy(p.order(2, Monthly), goodCard)
	p.work()
	p.begin(2)
	if list := p.subscriptions(2); len(list) != 1 || list[0].Trial {
		t.Errorf("%+v", list)
	}
}
