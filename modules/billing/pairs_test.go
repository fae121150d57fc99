package billing

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
)

// acts are what can happen to a reader; each reports whether it was possible.
var acts = map[string]func(p *env, reader int64) bool{
	"trial": func(p *env, reader int64) bool {
		before := len(p.subscriptions(reader))
		p.begin(reader)
		return len(p.subscriptions(reader)) > before
	},
	"code": func(p *env, reader int64) bool { return p.redeems(reader, p.coupons(nil)[0]).Status == http.StatusOK },
	"gift": func(p *env, reader int64) bool { return p.redeems(reader, p.giftCode()).Status == http.StatusOK },
	"grant": func(p *env, reader int64) bool {
		p.grant(reader, p.db.Now().Add(60*day))
		return true
	},
	"card": func(p *env, reader int64) bool {
		a := p.post(reader, "/fns/stripe-payment", `{"product_type":"product_monthly","payment_method":"card"}`)
		data, _ := a.Body["data"].(map[string]any)
		to, _ := data["redirect"].(string)
		if a.Status != http.StatusOK || to == "" {
			return false
		}
		p.buy(to, goodCard)
		return true
	},
	"transfer": func(p *env, reader int64) bool {
		order := subscription.Order{Product: access.Yearly, Method: transfer.MethodIBAN}
		if _, err := p.shop.Subscriptions.Pay(p.ctx, reader, order); err != nil {
			return false
		}
		return p.imports(came{ref: p.transferOf(reader).Reference, id: fmt.Sprint("B", p.transferOf(reader).ID)}).Matched == 1
	},
	"pause":  func(p *env, reader int64) bool { return p.change(reader, pauseTwo) == "" },
	"cancel": func(p *env, reader int64) bool { return p.change(reader, cancels) == "" },
	"refund": func(p *env, reader int64) bool {
		s := p.paidBy(reader)
		if s == nil || s.Paid == 0 || s.Refunded > 0 {
			return false
		}
		p.refund(*s, "")
		return true
	},
	"dispute": func(p *env, reader int64) bool { // of the next payment
		s := p.paidBy(reader)
		if s == nil {
			return false
		}
		p.swapCard(*s, "4000 0000 0000 0259")
		return true
	},
}

// needsCard are the acts that presuppose a subscription by card.
var needsCard = []string{"pause", "cancel", "refund", "dispute"}

// paidBy is the live subscription by card of a reader; nil for none.
func (p *env) paidBy(reader int64) *access.Subscription {
	p.t.Helper()
	list := p.subscriptions(reader)
	if at := slices.IndexFunc(list, func(s access.Subscription) bool {
		return s.ProviderID != "" && s.Status.Live()
	}); at >= 0 {
		return &list[at]
	}
	return nil
}

// tried is a reader to whom two acts have happened, one after the other.
type tried struct {
	reader int64
	steps  []string
}

// pairs of acts, each before each other and before itself, for which keep holds.
func pairs(keep func(first, second string) bool) (list []tried) {
	names := []string{"trial", "code", "gift", "grant", "card", "transfer", "pause", "cancel", "refund", "dispute"}
	for _, first := range names {
		for _, second := range names {
			if !keep(first, second) {
				continue
			}
			steps := []string{first, second}
			if at := slices.IndexFunc(steps, func(s string) bool { return slices.Contains(needsCard, s) }); at >= 0 &&
				!slices.Contains(steps[:at], "card") {
				steps = slices.Insert(steps, at, "card")
			}
			list = append(list, tried{reader: 101 + int64(len(list)), steps: steps})
		}
	}
	return list
}

// Each thing that opens or ends access, before each other one: the profile, /user/me, the popup, the page of orders,
// the emails and the provider say one end of access and one next payment.
func TestPairs_OneEndOfAccess(t *testing.T) {
	t.Parallel()
	byCard := func(a string) bool { return a == "card" || slices.Contains(needsCard, a) }
	for name, c := range map[string]struct {
		keep func(first, second string) bool
		wait time.Duration // between the two
		run  time.Duration // afterwards
	}{
		"given and transferred": {func(a, b string) bool { return !byCard(a) && !byCard(b) }, 0, 3 * 366 * day},
		"with a card":           {func(a, b string) bool { return a != "dispute" && (byCard(a) || byCard(b)) }, 0, 70 * day},
		"after a dispute":       {func(a, _ string) bool { return a == "dispute" }, 29 * day, 70 * day},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, trialFor("all"), takesTransfers)
			l := &pairLog{env: p, all: pairs(c.keep), seen: map[string]bool{}}
			for i := range l.all {
				for _, step := range l.all[i].steps[:len(l.all[i].steps)-1] {
					l.act(&l.all[i], step)
				}
			}
			l.to(p.db.Now().Add(c.wait))
			for i := range l.all {
				l.act(&l.all[i], l.all[i].steps[len(l.all[i].steps)-1])
			}
			l.to(p.db.Now().Add(c.run))
			t.Logf("pairs tried: %d, acts refused: %d, looks: %d, disagreements: %d", len(l.all), l.refused, l.looks, l.wrong)
		})
	}
}

// pairLog compares all that is said about the readers of the pairs.
type pairLog struct {
	*env
	all                   []tried
	seen                  map[string]bool // emails, by their keys
	refused, looks, wrong int
}

func (l *pairLog) differ(of *tried, format string, args ...any) {
	l.t.Helper()
	l.wrong++
	l.t.Errorf("%s, at %s: %s", strings.Join(of.steps, ", "), l.db.Now().Format(time.DateTime),
		fmt.Sprintf(format, args...))
}

// act lets something happen. One that is refused changes nothing, and what was given is never less afterwards.
func (l *pairLog) act(of *tried, step string) {
	l.t.Helper()
	before, given := l.end(of), l.given(of)
	ok := acts[step](l.env, of.reader)
	l.work()
	after := l.end(of)
	if !ok {
		l.refused++
		if after != before {
			l.differ(of, "%s was refused, and the end is %+v, was %+v", step, after, before)
		}
	}
	if l.given(of).Before(given) {
		l.differ(of, "after %s the reader reads without paying until %s, before it until %s", step, l.given(of), given)
	}
	if ok && (step == "trial" || step == "code" || step == "gift" || step == "transfer") && !after.At.After(before.At) &&
		!after.Renews {
		l.differ(of, "%s gives nothing: the end stays %s", step, before.At)
	}
	l.look(of)
	l.readMails()
}

// to lets time pass, with a look at each reader before and after each end.
func (l *pairLog) to(last time.Time) {
	l.t.Helper()
	for l.db.Now().Before(last) {
		next := last
		for i := range l.all {
			if end := l.end(&l.all[i]); !end.At.IsZero() {
				for _, d := range []time.Duration{-3*day + time.Hour, -time.Hour, time.Hour} {
					if at := end.At.Add(d); at.After(l.db.Now().Add(time.Minute)) && at.Before(next) {
						next = at
					}
				}
			}
		}
		l.advance(max(next.Sub(l.db.Now()), 2*time.Hour)) // several ends are near each other
		l.sweeps()
		l.readMails()
		for i := range l.all {
			l.look(&l.all[i])
		}
	}
}

func (l *pairLog) end(of *tried) access.End {
	l.t.Helper()
	end, err := l.shop.Access.End(l.ctx, of.reader)
	if err != nil {
		l.t.Fatal(err)
	}
	return end
}

// given is until when nothing is to be paid.
func (l *pairLog) given(of *tried) (until time.Time) {
	l.t.Helper()
	l.view(func(ctx context.Context, tx db.Tx) (err error) {
		until, err = access.CreditedUntil(ctx, tx, of.reader)
		return err
	})
	return until
}

// look compares what every place says of a reader now.
func (l *pairLog) look(of *tried) {
	l.t.Helper()
	l.looks++
	end, s, sub := l.end(of), l.state(of.reader), l.paidBy(of.reader)
	shown := access.Later(end.At, end.Over)
	switch {
	case s.State == subscription.StateNone:
		if !shown.IsZero() {
			l.differ(of, "the profile knows no access, the end is %+v", end)
		}
	case s.State == subscription.StatePaused && end.At.IsZero():
	case s.Until == nil || !s.Until.Equal(shown):
		l.differ(of, "the profile says %+v, the end is %+v", s, end)
	}
	if over := s.State == subscription.StateExpired || s.State == subscription.StateDisputed; over && !end.At.IsZero() ||
		!over && end.At.IsZero() && s.State != subscription.StatePaused && s.State != subscription.StateNone {
		l.differ(of, "the profile says %s, the end is %+v", s.State, end)
	}
	if (s.State == subscription.StateTrial) != end.Trial() {
		l.differ(of, "the profile says %s, /user/me a trial: %t", s.State, end.Trial())
	}
	p := l.ed.Product(end.Product)
	if !end.At.IsZero() && p != nil && end.Product != access.NoProduct && s.Product != p.Name {
		l.differ(of, "the profile names %q, /user/me %s", s.Product, end.Product)
	}
	if end.NoticeDue && (!end.At.IsZero() || end.Over.After(l.db.Now())) {
		l.differ(of, "the notice that access has ended is due, the end is %+v", end)
	}
	l.lookAtProvider(of, end, s, sub)
	l.lookAtOrders(of, end)
}

// lookAtProvider compares with what the provider will charge.
func (l *pairLog) lookAtProvider(of *tried, end access.End, s subscription.Profile, sub *access.Subscription) {
	l.t.Helper()
	var charged time.Time
	if sub != nil {
		r := l.api(http.MethodGet, "subscriptions/"+sub.ProviderID, nil)
		status, _ := r["status"].(string)
		ends, _ := r["cancel_at_period_end"].(bool)
		if at, _ := r["current_period_end"].(float64); !ends && r["pause_collection"] == nil &&
			(status == "active" || status == "trialing") {
			charged = time.Unix(int64(at), 0).UTC()
		}
		if ends && s.Resumes != nil {
			l.differ(of, "the profile names a day on which it resumes, the provider ends it")
		}
	}
	switch {
	case (s.Payment != nil) != !charged.IsZero():
		l.differ(of, "the profile has the next payment %+v, the provider charges at %s", s.Payment, charged)
	case s.Payment != nil && !s.Payment.At.Equal(charged):
		l.differ(of, "the profile has the next payment at %s, the provider charges at %s", s.Payment.At, charged)
	case s.Payment != nil && s.Payment.At.Before(l.codedUntil(of)):
		l.differ(of, "a payment at %s, before %s, until when codes have opened", s.Payment.At, l.codedUntil(of))
	case s.Payment != nil && !end.Renews:
		l.differ(of, "a payment at %s, and the end %+v", s.Payment.At, end)
	}
}

// codedUntil is the end of what codes and gifts have opened, behind which payments are moved.
func (l *pairLog) codedUntil(of *tried) (until time.Time) {
	l.t.Helper()
	l.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT coalesce(max(until), 'epoch') FROM billing_redemptions WHERE reader_id = ?", of.reader).
			Scan(ctx, &until)
	})
	return until
}

// lookAtOrders compares with the page on which something could be ordered.
func (l *pairLog) lookAtOrders(of *tried, end access.End) {
	l.t.Helper()
	o, err := l.shop.Subscriptions.OrderTimeFor(l.ctx, of.reader)
	if err != nil {
		l.t.Fatal(err)
	}
	given := l.given(of)
	if (o.PaidFrom != nil) != !given.IsZero() || o.PaidFrom != nil && o.PaidFrom.Before(given) ||
		o.Given != nil && !o.Given.Equal(given) {
		l.differ(of, "the page of orders says %+v, given until %s", o, given)
	}
	st, err := l.shop.Subscriptions.AccountState(l.ctx, l.ed, of.reader)
	if err != nil {
		l.t.Fatal(err)
	}
	if (st.Until != nil) != !end.At.IsZero() || st.Until != nil && !st.Until.Equal(end.At) {
		l.differ(of, "the page of orders names %v, the end is %+v", st.Until, end)
	}
}

// readMails compares the emails that have come since the last time.
func (l *pairLog) readMails() {
	l.t.Helper()
	for _, kind := range []string{"trial_ending", "access_ending", "access_ended"} {
		for _, m := range l.newMails(kind) {
			at := slices.IndexFunc(l.all, func(of tried) bool { return fmt.Sprintf("reader%d@example.org", of.reader) == m.To })
			if at < 0 {
				continue
			}
			of := &l.all[at]
			end := l.end(of)
			switch {
			case kind != "access_ended" && (!m.ExpiresAt.Equal(end.At) || end.Renews):
				l.differ(of, "the email %s names %s, the end is %+v", kind, m.ExpiresAt, end)
			case kind == "access_ended" && (!end.At.IsZero() || !m.ExpiresAt.Equal(end.Over.Add(email.MaxNoticeDelay))):
				l.differ(of, "the email %s names %s, the end is %+v", kind, m.ExpiresAt.Add(-email.MaxNoticeDelay), end)
			}
		}
	}
}

func (l *pairLog) newMails(kind string) (list []mail.Message) {
	for _, m := range l.sent(kind) {
		if !l.seen[m.Key] {
			l.seen[m.Key] = true
			list = append(list, m)
		}
	}
	return list
}
