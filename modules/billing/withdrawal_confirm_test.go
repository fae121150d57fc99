package billing

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/withdrawal"
)

// linkIn is the link of the only button of an email, as its page takes it.
func linkIn(t *testing.T, p *env, kind string, n int) string {
	t.Helper()
	all := p.sent(kind)
	if len(all) != n {
		t.Fatalf("%d emails %q, want %d", len(all), kind, n)
	}
	var links []string
	for _, b := range all[n-1].Blocks {
		if b.URL != "" {
			links = append(links, b.URL)
		}
	}
	if len(links) != 1 {
		t.Fatalf("links %v", links)
	}
	u, err := url.Parse(links[0])
	if err != nil || u.Path != "/account/withdrawal" {
		t.Fatal(links, err)
	}
	return u.Query().Get("statement")
}

func (p *env) withdrawalAt(reader int64, link string) *withdrawalData {
	p.t.Helper()
	d, _ := p.saleFor(reader, "/account/withdrawal?statement="+url.QueryEscape(link)).Data.(saleData)
	return d.Withdrawal
}

// Anybody can type an address: what a stranger states counts from then on, and ends nothing before the mailbox has
// confirmed it.
func TestWithdrawalByAStranger(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	p.advance(14 * day)
	at := p.db.Now()
	link := p.states("reader7@example.org", "subscription")
	for _, reader := range []int64{0, 8} { // a visitor, and another reader
		if a := p.withdraws(reader, link); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	}
	p.work()
	ended := func() bool { until, _, _, _ := p.standing(7); return until.IsZero() }
	if ended() || len(p.refunds()) != 0 || len(p.sent("withdrawal")) != 0 {
		t.Error("a stranger has ended a subscription")
	}
	if d := p.withdrawalAt(0, link); d.State != "received" || d.Own || d.ReceivedAt == nil {
		t.Errorf("%+v", d)
	}
	text := p.messageText("withdrawal_confirm")
	for _, want := range []string{
		"Eva Nová", "reader7@example.org", "Mesačné",
		at.In(p.ed.Location).Format("02.01.2006 15:04"), "Nemusíte robiť nič",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the email does not say %q:\n%s", want, text)
		}
	}
	mailed := linkIn(t, p, "withdrawal_confirm", 1)
	p.advance(withdrawal.RemindAfter)
	p.work()
	if again := linkIn(t, p, "withdrawal_confirm", 2); again != mailed ||
		p.sent("withdrawal_confirm")[1].Subject == p.sent("withdrawal_confirm")[0].Subject {
		t.Errorf("reminded by %q", p.sent("withdrawal_confirm")[1].Subject)
	}
	p.advance(20 * day) // the statement was in time, and no confirmation is too late
	p.work()
	if d := p.withdrawalAt(0, mailed); d.State != "mailbox" || ended() {
		t.Errorf("looking at the link: %+v", d)
	}
	for range 2 { // a used link changes nothing more
		if a := p.confirms(mailed); a.Status != http.StatusOK {
			t.Fatal(a)
		}
		p.work()
		if d := p.withdrawalAt(0, mailed); d.State != "confirmed" {
			t.Errorf("%+v", d)
		}
	}
	if !ended() || len(p.refunds()) != 2 || len(p.sent("withdrawal")) != 1 { // both payments, each once
		t.Errorf("ended: %v, given back: %v, %d emails", ended(), p.refunds(), len(p.sent("withdrawal")))
	}
	if text := p.messageText("withdrawal"); !strings.Contains(text, at.In(p.ed.Location).Format("02.01.2006 15:04")) {
		t.Error(text)
	}
	if n := len(p.sent("withdrawal_confirm")); n != 2 {
		t.Errorf("%d emails ask for a confirmation", n)
	}
}

// A link is for one statement and one purpose.
func TestWithdrawalByAWrongLink(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	link := p.states("reader7@example.org", "subscription")
	if a := p.confirms(p.shop.links.Sign(p.ed, links.Mailbox, 1) + "x"); a.Body["error"] != "INVALID_REQUIREMENT" {
		t.Errorf("a link that is none: %v", a.Body)
	}
	p.confirms(link)
	other := *p.ed
	other.ID = "other"
	for name, wrong := range map[string]string{
		"of another edition":   p.shop.links.Sign(&other, links.Mailbox, 1),
		"of another purpose":   p.shop.links.Sign(p.ed, links.Gift, 1),
		"of another statement": p.shop.links.Sign(p.ed, links.Mailbox, 2),
	} {
		if a := p.confirms(wrong); a.Body["error"] != "INVALID_REQUIREMENT" {
			t.Errorf("%s: %v", name, a.Body)
		}
	}
	p.work()
	if until, _, _, _ := p.standing(7); until.IsZero() || len(p.refunds()) != 0 {
		t.Error("a wrong link has ended a subscription")
	}
}

// The reader whose session it is confirms by asking, also what a stranger has stated before.
func TestWithdrawalInOnesOwnSession(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	link := p.states("reader7@example.org", "subscription")
	p.confirms(link)
	p.work()
	if a := p.withdraws(7, link); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	if d := p.withdrawalAt(7, link); d.State != "received" || !d.Own {
		t.Errorf("%+v", d)
	}
	p.work()
	p.advance(2 * withdrawal.RemindAfter)
	p.work()
	if until, _, _, _ := p.standing(7); !until.IsZero() || len(p.refunds()) != 1 || len(p.sent("withdrawal")) != 1 ||
		len(p.sent("withdrawal_confirm")) != 1 {
		t.Errorf("until %s, given back: %v", until, p.refunds())
	}
}

// A gift and an order that is not paid wait for the mailbox, too; the gift's code opens what it opens until then.
func TestWithdrawalOfAGiftOrAnOrderByAStranger(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
	p.orders(5)
	p.work()
	p.confirms(p.states("giver@example.org", "gift"))
	p.confirms(p.states("reader5@example.org", "subscription"))
	p.work()
	if n := p.count("SELECT count(*) FROM billing_coupons WHERE revoked_at IS NOT NULL"); n != 0 ||
		len(p.refunds()) != 0 || p.transferOf(5).State != transfer.StateOpen {
		t.Errorf("%d codes are void, given back: %v, the order is %s", n, p.refunds(), p.transferOf(5).State)
	}
	for _, l := range p.sent("withdrawal_confirm") {
		p.confirms(p.mailedLink(l.To))
	}
	p.work()
	if n := p.count("SELECT count(*) FROM billing_coupons WHERE revoked_at IS NOT NULL"); n != 1 ||
		len(p.refunds()) != 1 || p.transferOf(5).State != transfer.StateVoid {
		t.Errorf("%d codes are void, given back: %v, the order is %s", n, p.refunds(), p.transferOf(5).State)
	}
}

// Support sees what waits, and can have it carried out for whoever has no mailbox any more.
func TestWithdrawalConfirmedBySupport(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	p.confirms(p.states("reader7@example.org", "subscription"))
	p.work()
	p.advance(30 * day)
	list, err := p.shop.Withdrawals.Statements(p.ctx, false)
	if err != nil || len(list) != 1 || list[0].Email != "reader7@example.org" || !list[0].ConfirmedAt.IsZero() ||
		p.db.Now().Sub(list[0].ReceivedAt) < 29*24*time.Hour {
		t.Fatalf("%+v %v", list, err)
	}
	if _, err := p.shop.Withdrawals.Confirm(p.ctx, list[0].ID, true); err != nil {
		t.Error(err)
	}
	p.work()
	if len(p.refunds()) != 0 {
		t.Error("a rehearsal has paid back")
	}
	if _, err := p.shop.Withdrawals.Confirm(p.ctx, list[0].ID, false); err != nil {
		t.Error(err)
	}
	p.work()
	if until, _, _, _ := p.standing(7); !until.IsZero() || len(p.refunds()) == 0 {
		t.Errorf("until %s, given back: %v", until, p.refunds())
	}
	if _, err := p.shop.Withdrawals.Confirm(p.ctx, list[0].ID, false); err == nil {
		t.Error("it is confirmed twice")
	}
	if list, _ := p.shop.Withdrawals.Statements(p.ctx, false); len(list) != 0 {
		t.Errorf("still waits: %+v", list)
	}
	if list, _ := p.shop.Withdrawals.Statements(p.ctx, true); len(list) != 1 ||
		list[0].State != withdrawal.Done {
		t.Errorf("of all: %+v", list)
	}
}
