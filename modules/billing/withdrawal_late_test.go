package billing

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
)

// sendForm posts the second step as a plain form and returns where it leads.
func (p *env) sendForm(values url.Values) (to string, cookies []*http.Cookie) {
	p.t.Helper()
	a := p.call(0, http.MethodPost, "/fns/withdrawal-confirm", "application/x-www-form-urlencoded", values.Encode())
	if a.Status != http.StatusSeeOther {
		p.t.Fatalf("got %d %v, want a redirect", a.Status, a.Body)
	}
	return a.Header.Get("Location"), (&http.Response{Header: a.Header}).Cookies()
}

// forgetStatements deletes the statements that were not sent, as retention does a day later.
func (p *env) forgetStatements() {
	p.t.Helper()
	err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("DELETE FROM billing_withdrawals WHERE received_at IS NULL").Exec(ctx)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// A second step that comes too late says that nothing was sent, keeps the content, and sends it by one more click: an
// hour later, when the statement is no longer stored, by a script and by a plain form.
func TestWithdraw_Late(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]time.Duration{
		"an hour": time.Hour, "61 minutes": 61 * time.Minute, "two days, when it is no longer stored": 48 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			link := p.states("eva@example.org", "gift")
			p.advance(after)
			if after > 24*time.Hour {
				p.forgetStatements()
			}
			if a := p.confirms(link); a.Status != http.StatusGone || a.Body["error"] != "WITHDRAWAL_NOT_SENT" {
				t.Errorf("by a script: got %d %v, want 410 WITHDRAWAL_NOT_SENT", a.Status, a.Body)
			}
			typed := url.Values{"statement": {link}, "name": {"Eva Nová"}, "email": {"eva@example.org"}, "contract": {"gift"}}
			to, cookies := p.sendForm(typed)
			want := links.Sale(p.ed, links.StepWithdrawal, "statement", link) + "&status=WITHDRAWAL_NOT_SENT"
			if to != want {
				t.Fatalf("got %s, want %s", to, want)
			}
			got := p.shown(to, cookies).Withdrawal
			if got == nil || got.State != "late" || got.Name != "Eva Nová" || got.Email != "eva@example.org" ||
				got.Contract != "gift" || got.Statement != link {
				t.Errorf("got %+v, want the statement as it was typed", got)
			}
			if n := p.count("SELECT count(*) FROM billing_withdrawals WHERE received_at IS NOT NULL"); n != 0 {
				t.Fatalf("got %d statements sent, want 0", n)
			}
			typed.Set("again", "1")
			for range 2 { // a second click sends no second one
				if to, _ = p.sendForm(typed); to == want {
					t.Fatal("got the late page once more, want the receipt")
				}
				u, err := url.Parse(to)
				if err != nil {
					t.Fatal(err)
				}
				if w := p.withdrawalAt(0, u.Query().Get("statement")); w.State != "received" || w.ReceivedAt == nil ||
					w.Email != "eva@example.org" {
					t.Errorf("got %+v, want it received", w)
				}
				if after > 24*time.Hour {
					break
				}
			}
			if n := p.count("SELECT count(*) FROM billing_withdrawals WHERE received_at IS NOT NULL"); n != 1 {
				t.Errorf("got %d statements sent, want 1", n)
			}
		})
	}
}

// A script sends a late statement again by its link, and by nothing else.
func TestWithdraw_Again(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	link := p.states("eva@example.org", "subscription")
	again := func(link string) answer {
		return p.post(0, "/fns/withdrawal-confirm",
			fmt.Sprintf(`{"statement":%q,"again":true,"name":"Eva","email":"eva@example.org","contract":"gift"}`, link))
	}
	other := *p.ed
	other.ID = "other"
	for name, wrong := range map[string]string{
		"nothing": "", "a forged link": link + "x", "a link of another purpose": p.shop.links.Sign(p.ed, links.Gift, 1),
		"a link of another edition":     p.shop.links.Sign(&other, links.Withdrawal, 1),
		"a mailed link of no statement": p.shop.links.Sign(p.ed, links.Mailbox, 99),
	} {
		if a := again(wrong); a.Status != 400 || a.Body["error"] != "INVALID_REQUIREMENT" {
			t.Errorf("%s: got %d %v, want 400 INVALID_REQUIREMENT", name, a.Status, a.Body)
		}
	}
	p.advance(59 * time.Minute)
	if a := again(link); a.Status != 200 {
		t.Errorf("in time: got %d %v, want 200", a.Status, a.Body)
	}
	late := p.states("eva@example.org", "subscription")
	p.advance(2 * time.Hour)
	a := again(late)
	data, _ := a.Body["data"].(map[string]any)
	if a.Status != 200 || data["redirect"] != links.Sale(p.ed, links.StepWithdrawal, "statement", late) {
		t.Errorf("late: got %d %v, want the page of the statement", a.Status, a.Body)
	}
	if n := p.count("SELECT count(*) FROM billing_withdrawals WHERE received_at IS NOT NULL"); n != 2 {
		t.Errorf("got %d statements sent, want 2", n)
	}
}

// The page of a late statement, opened again without its form, shows what is stored; no other link shows anything.
func TestWithdrawalPage_Late(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	link := p.states("eva@example.org", "gift")
	p.advance(2 * time.Hour)
	if w := p.withdrawalAt(0, link); w.State != "late" || w.Name != "Eva Nová" || w.Email != "eva@example.org" {
		t.Errorf("got %+v, want the statement that was not sent", w)
	}
	for _, wrong := range []string{"", link + "x", p.shop.links.Sign(p.ed, links.Gift, 1)} {
		if w := p.withdrawalAt(0, wrong); w.State != "form" || w.Name != "" {
			t.Errorf("%q: got %+v, want the empty form", wrong, w)
		}
	}
	p.forgetStatements()
	if w := p.withdrawalAt(0, link); w.State != "late" || w.Name != "" {
		t.Errorf("no longer stored: got %+v, want late without content", w)
	}
}
