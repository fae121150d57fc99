package billing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
)

// until lets time pass until an instant, day by day, and all jobs do their work.
func (p *env) until(at time.Time) {
	p.t.Helper()
	for p.db.Now().Before(at) {
		p.advance(min(at.Sub(p.db.Now()), day))
		p.sweeps()
	}
}

// sweeps lets all jobs that are due at intervals do their work.
func (p *env) sweeps() {
	p.t.Helper()
	p.work()
	for _, sweep := range []func(context.Context) error{
		p.shop.Subscriptions.SweepTrials, p.shop.Subscriptions.SweepNotices, p.shop.Subscriptions.GiveUpOverdue,
		p.shop.Transfers.Sweep,
	} {
		if err := sweep(p.ctx); err != nil {
			p.t.Fatal(err)
		}
	}
	p.work()
}

// giftCode is the code of a gift of a year that somebody has bought.
func (p *env) giftCode() string {
	p.t.Helper()
	p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
	p.work()
	list := p.sent("gift")
	if len(list) == 0 {
		p.t.Fatal("no email with the gift")
	}
	return codeIn(p.t, list[len(list)-1])
}

// yearCode is a code for a year.
func (p *env) yearCode() string {
	p.t.Helper()
	return p.coupons(func(b *voucher.Batch) { b.Product = access.Yearly })[0]
}

// grant has support give a reader access.
func (p *env) grant(reader int64, until time.Time) {
	p.t.Helper()
	if err := access.Give(p.ctx, p.db, access.Grant{ReaderID: reader, Until: until, Reason: "kept waiting"}); err != nil {
		p.t.Fatal(err)
	}
	p.shop.Access.ForgetAll()
}

// Access that goes on after a trial is what every place speaks of, and its end is the end.
func TestEndOfAccess_AfterATrial(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		give    func(p *env)
		state   string
		product string
		source  access.Source
	}{
		"code": {
			func(p *env) { p.redeems(1, p.yearCode()) }, subscription.StateGiven, access.Yearly, access.FromCode,
		},
		"gift": {
			func(p *env) { p.redeems(1, p.giftCode()) }, subscription.StateGiven, access.Yearly, access.FromGift,
		},
		"grant": {
			func(p *env) { p.grant(1, p.db.Now().Add(60*day)) },
			subscription.StateGranted, access.NoProduct, access.FromGrant,
		},
		"transfer": {
			func(p *env) { p.imports(came{ref: p.orders(1).Reference, id: "B1"}) },
			subscription.StateTransfer, access.Yearly, access.FromTransfer,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, trialFor("all"), takesTransfers)
			p.begin(1)
			trialEnd, _, _, _ := p.standing(1)
			c.give(p)
			p.work()
			end, err := p.shop.Access.End(p.ctx, 1)
			if err != nil || end.Source != c.source || end.Trial() || end.Product != c.product || !end.At.After(trialEnd) {
				t.Fatalf("got %+v, %v", end, err)
			}
			if s := p.state(1); s.State != c.state || s.Until == nil || !s.Until.Equal(end.At) {
				t.Errorf("the profile: got %+v, want %s until %s", s, c.state, end.At)
			}
			p.until(trialEnd.Add(day))
			if n := len(p.sent("trial_ending")) + len(p.sent("access_ended")); n != 0 {
				t.Errorf("%d emails about the end of a trial after which access goes on", n)
			}
			p.until(end.At.Add(time.Hour))
			now, err := p.shop.Access.End(p.ctx, 1)
			if err != nil || !now.At.IsZero() || !now.Over.Equal(end.At) || now.Source != c.source || !now.NoticeDue {
				t.Errorf("afterwards: got %+v, %v, want an end at %s", now, err, end.At)
			}
			if s := p.state(1); s.State != subscription.StateExpired || s.Until == nil || !s.Until.Equal(end.At) {
				t.Errorf("the profile afterwards: got %+v, want expired at %s", s, end.At)
			}
			if l := p.sent("access_ended"); len(l) != 1 ||
				!strings.Contains(fmt.Sprint(l[0].Blocks), i18n.Date(p.ed, end.At)) {
				t.Errorf("the email afterwards: got %+v, want one that names %s", l, i18n.Date(p.ed, end.At))
			}
		})
	}
}

// A year that is paid by transfer begins when what was given is over, however it was given and whenever the payment
// comes, and is not lost if the payment is taken back.
func TestTransfer_AfterATrial(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*env, time.Time) {
		p := newEnv(t, trialFor("all"), takesTransfers)
		p.begin(1)
		trialEnd, _, _, _ := p.standing(1)
		return p, trialEnd.Truncate(time.Second).Add(time.Second).In(p.ed.Location)
	}
	reads := func(p *env, want time.Time) {
		p.t.Helper()
		if until, _, trial, _ := p.standing(1); until.Sub(want).Abs() > time.Second || trial {
			p.t.Errorf("got until %s, trial %t, want %s", until, trial, want)
		}
	}
	pay := func(p *env, id string) {
		p.t.Helper()
		p.imports(came{ref: p.orders(1).Reference, id: id})
		p.work()
	}
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		p, trialEnd := start(t)
		pay(p, "B1")
		reads(p, trialEnd.AddDate(1, 0, 0))
	})
	t.Run("after its end", func(t *testing.T) {
		t.Parallel()
		p, trialEnd := start(t)
		p.until(trialEnd.Add(-day))
		o := p.orders(1)
		p.until(trialEnd.Add(2 * day))
		p.imports(came{ref: o.Reference, id: "B1"})
		reads(p, p.db.Now().AddDate(1, 0, 0))
	})
	t.Run("with a code before it", func(t *testing.T) {
		t.Parallel()
		p, trialEnd := start(t)
		p.redeems(1, p.yearCode())
		pay(p, "B1")
		reads(p, trialEnd.AddDate(2, 0, 0))
	})
	t.Run("with a gift after it", func(t *testing.T) {
		t.Parallel()
		p, trialEnd := start(t)
		pay(p, "B1")
		p.redeems(1, p.giftCode())
		reads(p, trialEnd.AddDate(2, 0, 0))
	})
	t.Run("as it is shown", func(t *testing.T) {
		t.Parallel()
		p, trialEnd := start(t)
		o := p.orders(1)
		p.work()
		from, until := i18n.Date(p.ed, trialEnd), i18n.Date(p.ed, trialEnd.AddDate(1, 0, 0))
		for name, text := range map[string]string{
			"the order": p.shownWith(o.ID), "the email": fmt.Sprint(p.sent("proforma")[0].Blocks),
		} {
			if !strings.Contains(text, from) || !strings.Contains(text, until) {
				t.Errorf("%s: got %s, want %s and %s", name, text, from, until)
			}
		}
		first, last := invoice.PeriodDays(p.ed, trialEnd, trialEnd.AddDate(1, 0, 0))
		for range 2 {
			d := p.documents("true")
			if l := d[len(d)-1].Lines[0]; l.From != first || l.To != last {
				t.Errorf("%s: got %+v, want from %s to %s", d[len(d)-1].Number, l, first, last)
			}
			p.imports(came{ref: o.Reference, id: "B1"}) // the invoice says the same
		}
		if s := p.state(1); i18n.Date(p.ed, *s.Until) != until {
			t.Errorf("the profile: got %s, want %s", s.Until, until)
		}
	})
	t.Run("with a code while it waits", func(t *testing.T) {
		t.Parallel()
		p, trialEnd := start(t)
		o := p.orders(1)
		p.redeems(1, p.yearCode())
		p.imports(came{ref: o.Reference, id: "B1"})
		reads(p, trialEnd.AddDate(2, 0, 0))
	})
}

// shownWith is what stood above the button that ordered.
func (p *env) shownWith(order int64) (text string) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT shown FROM billing_transfers WHERE id = ?", order).Scan(ctx, &text)
	})
	return text
}

// A pause that is followed by a cancellation ends the subscription: the profile names the end.
func TestProfile_PauseThenCancel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps   []string
		state   string
		resumes bool
	}{
		"pause, cancel":                  {[]string{pauseTwo, cancels}, subscription.StateEnding, false},
		"pause, cancel, resume":          {[]string{pauseTwo, cancels, resumesIt}, subscription.StatePaused, true},
		"pause, cancel, unpause":         {[]string{pauseTwo, cancels, unpauses}, subscription.StateEnding, false},
		"pause, cancel, resume, unpause": {[]string{pauseTwo, cancels, resumesIt, unpauses}, subscription.StateActive, false},
		"pause, unpause, cancel":         {[]string{pauseTwo, unpauses, cancels}, subscription.StateEnding, false},
		"pause, unpause, cancel, resume": {[]string{pauseTwo, unpauses, cancels, resumesIt}, subscription.StateActive, false},
		"cancel, resume, pause":          {[]string{cancels, resumesIt, pauseTwo}, subscription.StatePaused, true},
		"pause, cancel, unpause, resume": {[]string{pauseTwo, cancels, unpauses, resumesIt}, subscription.StateActive, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			bought := p.subscribe(1, access.Monthly)
			for _, step := range c.steps {
				p.change(1, step)
				p.work()
			}
			s := p.state(1)
			if s.State != c.state || (s.Resumes != nil) != c.resumes || s.Until == nil || !s.Until.Equal(bought.PeriodEnd) ||
				(s.Payment != nil) != (c.state == subscription.StateActive) {
				t.Errorf("got %+v, want %s until %s", s, c.state, bought.PeriodEnd)
			}
			if got, want := slices.Contains(s.Can, access.ChangeUnpause), c.state == subscription.StatePaused; got != want {
				t.Errorf("the pause can be ended: got %t, want %t", got, want)
			}
			over := c.state == subscription.StateEnding
			p.fault(sandboxSilent)
			p.advance(bought.PeriodEnd.Add(time.Minute).Sub(p.db.Now()))
			p.shop.Access.ForgetAll()
			if s := p.state(1); over && (s.State != subscription.StateExpired || !s.Until.Equal(bought.PeriodEnd)) {
				t.Errorf("before the provider has said so: got %+v, want expired at %s", s, bought.PeriodEnd)
			}
			p.fault(sandboxUp)
			p.reported()
			p.until(bought.PeriodEnd.Add(2 * day))
			if s := p.state(1); over != (s.State == subscription.StateExpired) {
				t.Errorf("after the period: got %+v, want it over %t", s, over)
			}
		})
	}
}

const (
	pauseTwo  = `{"action":"pause","periods":2}`
	cancels   = `{"action":"cancel"}`
	resumesIt = `{"action":"resume"}`
	unpauses  = `{"action":"unpause"}`
)

// A reminder that goes out after its day, because no job ran on it, does not speak of today.
func TestTransferDue_ADayLate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		late time.Duration
		want string
	}{
		"on the day":          {time.Hour, "dnes je splatná"},
		"the day after":       {25 * time.Hour, "bola splatná"},
		"after most of a day": {23 * time.Hour, "dnes je splatná"},
		"a week later":        {7 * day, "bola splatná"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, takesTransfers)
			p.advance(p.orders(1).DueAt.Add(c.late).Sub(p.db.Now()))
			p.sweeps()
			l := p.sent("transfer_due")
			if len(l) != 1 || !strings.Contains(l[0].Subject, c.want) ||
				strings.Contains(fmt.Sprint(l[0].Blocks), "bola splatná") != (c.want == "bola splatná") {
				t.Errorf("got %+v, want %q", l, c.want)
			}
		})
	}
}
