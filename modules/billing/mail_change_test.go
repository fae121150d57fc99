package billing

import (
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
)

// Every change of a subscription is confirmed by one email, with its dates, the next price and how to undo it.
func TestChangesAreConfirmed(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(5, access.Monthly)
	date := i18n.Date(p.ed, s.PeriodEnd)
	sent := 0
	for _, c := range []struct {
		body  string
		words []string
	}{
		{`{"action":"cancel"}`, []string{"zrušili", "Mesačné", date, "obnoviť"}},
		{`{"action":"resume"}`, []string{"pokračuje", "Mesačné", date, "7,96", "zrušiť"}},
		{
			`{"action":"pause","periods":2}`,
			[]string{"pozastavili", date, i18n.Date(p.ed, s.PeriodEnd.AddDate(0, 0, 56)), "pokračovať"},
		},
		{`{"action":"unpause"}`, []string{"pokračuje", date, "7,96"}},
	} {
		for range 2 { // what is so already is no change
			if code := p.change(5, c.body); code != "" {
				t.Fatalf("%s: %s", c.body, code)
			}
			if p.work(); strings.Contains(c.body, "pause\"") {
				break
			}
		}
		sent++
		all := p.sent("subscription_changed")
		if len(all) != sent {
			t.Fatalf("%s: %d emails, want %d", c.body, len(all), sent)
		}
		text := all[sent-1].Subject + "\n" + mail.Text(p.ed, &all[sent-1])
		for _, want := range append(c.words, "/account/profile") {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", c.body, want, text)
			}
		}
	}
	p.advance(60 * day) // renewals are no changes
	p.work()
	if n := len(p.sent("subscription_changed")); n != sent {
		t.Errorf("%d emails after renewals", n)
	}
}

// A switch is confirmed when it is made or announced, and when it is called off; not once more when it comes.
func TestSwitchesAreConfirmed(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(5, access.Yearly)
	plan := p.plans(5)
	if len(plan) != 1 {
		t.Fatal(plan)
	}
	later := switchTo(plan[0])
	for n, c := range []struct{ body, says string }{
		{later, "Od " + i18n.Date(p.ed, s.PeriodEnd)},
		{`{"action":"stay"}`, "odvolali"},
		{later, "Od " + i18n.Date(p.ed, s.PeriodEnd)},
	} {
		if code := p.change(5, c.body); code != "" {
			t.Fatalf("%s: %s", c.body, code)
		}
		p.work()
		all := p.sent("subscription_changed")
		if len(all) != n+1 {
			t.Fatalf("%s: %d emails", c.body, len(all))
		}
		if text := mail.Text(p.ed, &all[n]); !strings.Contains(text, c.says) {
			t.Fatalf("%s: %s", c.body, text)
		}
	}
	p.advance(370 * day)
	p.work()
	if got := p.subscriptions(5)[0]; got.Product != access.Monthly || len(p.sent("subscription_changed")) != 3 {
		t.Errorf("%s, %d emails", got.Product, len(p.sent("subscription_changed")))
	}
}
