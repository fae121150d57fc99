package billing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// states takes the first step and returns the link to the second.
func (p *env) states(email, contract string) string {
	p.t.Helper()
	a := p.post(0, "/fns/withdrawal", fmt.Sprintf(`{"name":"Eva Nová","email":%q,"contract":%q}`, email, contract))
	data, _ := a.Body["data"].(map[string]any)
	to, _ := data["redirect"].(string)
	u, err := url.Parse(to)
	if err != nil || a.Status != http.StatusOK || u.Path != "/account/withdrawal" {
		p.t.Fatalf("%d %v", a.Status, a.Body)
	}
	return u.Query().Get("statement")
}

func (p *env) confirms(link string) answer {
	p.t.Helper()
	return p.post(0, "/fns/withdrawal-confirm", fmt.Sprintf(`{"statement":%q}`, link))
}

// withdraws takes the second step in a reader's session.
func (p *env) withdraws(reader int64, link string) answer {
	p.t.Helper()
	return p.post(reader, "/fns/withdrawal-confirm", fmt.Sprintf(`{"statement":%q}`, link))
}

// mailedLink is the link by which the mailbox of an address confirms its newest statement.
func (p *env) mailedLink(email string) string {
	p.t.Helper()
	id := p.count("SELECT max(id) FROM billing_withdrawals WHERE email = ?", email)
	return p.shop.links.Sign(p.ed, links.Mailbox, int64(id))
}

func (p *env) refunds() (amounts []int64) {
	p.t.Helper()
	for _, r := range p.listed("refunds?limit=100") {
		amount, _ := r["amount"].(float64)
		amounts = append(amounts, int64(amount))
	}
	return amounts
}

// letterText is what the only email of a kind says.
func (p *env) messageText(kind string) string {
	p.t.Helper()
	all := p.sent(kind)
	if len(all) != 1 {
		p.t.Fatalf("%d emails %q", len(all), kind)
	}
	text := all[0].Subject
	for _, b := range all[0].Blocks {
		text += "\n" + b.Text
	}
	return text
}

// In two steps, by the reader whose session it is: the subscription ends, what was paid goes back once, and an email
// says what was stated and when.
func TestWithdrawal(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	p.advance(13 * day)
	link := p.states("Reader7@example.org", "subscription")
	p.work()
	if until, _, _, _ := p.standing(7); until.IsZero() || len(p.sent("withdrawal")) != 0 || len(p.refunds()) != 0 {
		t.Fatal("the first step has done something")
	}
	at := p.db.Now()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if a := p.withdraws(7, link); a.Status != http.StatusOK {
				t.Error(a)
			}
		})
	}
	all.Wait()
	p.work()
	for range 3 { // a job is done more than once
		for _, job := range []func() error{
			func() error { return p.shop.Withdrawals.Mail(p.ctx, event.Withdrawal{WithdrawalID: 1}) },
			func() error { return p.shop.Withdrawals.Refund(p.ctx, event.Withdrawal{WithdrawalID: 1}) },
		} {
			if err := job(); err != nil {
				t.Error(err)
			}
		}
	}
	if until, _, _, _ := p.standing(7); !until.IsZero() || p.subscriptions(7)[0].Status != stripe.Canceled {
		t.Errorf("it goes on until %s", until)
	}
	if got := p.refunds(); len(got) != 1 || got[0] != 100 {
		t.Errorf("given back: %v", got)
	}
	text := p.messageText("withdrawal")
	for _, want := range []string{
		"Eva Nová", "reader7@example.org", "Mesačné", "1,00\u00a0€",
		at.In(p.ed.Location).Format("02.01.2006 15:04"),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the email does not say %q:\n%s", want, text)
		}
	}
	p.advance(time.Hour)
	p.confirms(link) // the page is sent again
	p.view(func(ctx context.Context, tx db.Tx) error {
		w, err := withdrawal.FindStatement(ctx, tx, 1, false)
		if err != nil || w.State != withdrawal.Done || w.ReceivedAt.Sub(at).Abs() > time.Minute {
			t.Errorf("sent again: %+v %v", w, err)
		}
		return nil
	})
	p.withdraws(7, p.states("reader7@example.org", "subscription")) // another statement about the same contract
	p.work()
	if got := p.refunds(); len(got) != 1 || len(p.sent("withdrawal")) != 2 {
		t.Errorf("given back: %v, %d emails", got, len(p.sent("withdrawal")))
	}
	p.advance(60 * day)
	p.work()
	if got := p.paid(); len(got) != 1 {
		t.Errorf("charged afterwards: %v", got)
	}
}

// While the provider is away, the statement counts and is acknowledged; the money follows.
func TestWithdrawalWhileTheProviderIsAway(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Yearly), goodCard)
	p.work()
	if err := p.box.SetFaults(sandboxDown); err != nil {
		t.Fatal(err)
	}
	p.withdraws(7, p.states("reader7@example.org", "subscription"))
	if err := p.shop.Withdrawals.Mail(p.ctx, event.Withdrawal{WithdrawalID: 1}); err != nil {
		t.Fatal(err)
	}
	if text := p.messageText("withdrawal"); !strings.Contains(text, "89,00") {
		t.Error(text)
	}
	if err := p.shop.Withdrawals.Refund(p.ctx, event.Withdrawal{WithdrawalID: 1}); err == nil {
		t.Error("it is not tried again")
	}
	p.advance(20 * day) // the statement was in time
	if err := p.box.SetFaults(sandboxUp); err != nil {
		t.Fatal(err)
	}
	p.work()
	if got := p.refunds(); len(got) != 1 || got[0] != 8900 {
		t.Errorf("given back: %v", got)
	}
}

// What somebody has given back by hand before is not given back again, and stops nothing.
func TestWithdrawalAfterARefundByHand(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	p.api(http.MethodPost, "refunds",
		url.Values{"payment_intent": {fmt.Sprint(p.listed("invoices?status=paid")[0]["payment_intent"])}})
	p.withdraws(7, p.states("reader7@example.org", "subscription"))
	p.work()
	if got := p.refunds(); len(got) != 1 || p.count("SELECT count(*) FROM billing_withdrawals WHERE state = 'done'") != 1 {
		t.Errorf("given back: %v", got)
	}
}

func TestUntilWhenToWithdraw(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	at := func(text string) time.Time {
		v, err := time.ParseInLocation("2006-01-02 15:04:05", text, p.ed.Location)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		concluded, stated string
		want              bool
	}{
		{"2027-03-01 23:59:59", "2027-03-15 23:59:59", true},
		{"2027-03-01 23:59:59", "2027-03-16 00:00:00", false},
		{"2027-03-20 00:00:01", "2027-04-03 23:59:59", true}, // over the change to summer time
		{"2027-03-20 00:00:01", "2027-04-04 00:00:00", false},
		{"2026-10-20 10:00:00", "2026-11-03 23:59:59", true}, // and back
		{"2026-12-20 10:00:00", "2027-01-03 12:00:00", true},
		{"2026-12-20 10:00:00", "2026-12-20 09:00:00", false},
	} {
		if got := withdrawal.Refundable(p.ed, at(c.concluded), at(c.stated)); got != c.want {
			t.Errorf("concluded %s, stated %s: %v", c.concluded, c.stated, got)
		}
	}
}

// What a visitor sees says nothing about contracts: the email does.
func TestWithdrawalTellsNobody(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	p.advance(15 * day)
	seen := map[string]string{}
	for name, email := range map[string]string{
		"too late": "reader7@example.org", "a reader": "reader8@example.org",
		"nobody": "stranger@example.net",
	} {
		link := p.states(email, "subscription")
		a := p.confirms(link)
		p.work()
		d, _ := p.sale("/account/withdrawal?statement=" + url.QueryEscape(link)).Data.(saleData)
		if d.Withdrawal.State != "received" || d.Withdrawal.ReceivedAt == nil {
			t.Errorf("%s: %+v", name, d.Withdrawal)
		}
		seen[fmt.Sprint(a.Status, len(a.Body), d.Withdrawal.State)] = name
	}
	if len(seen) != 1 {
		t.Errorf("answers differ: %v", seen)
	}
	if got := p.refunds(); len(got) != 0 || p.subscriptions(7)[0].Status != stripe.Active {
		t.Errorf("after fourteen days: %v", got)
	}
	messages := p.sent("withdrawal")
	if len(messages) != 3 {
		t.Fatalf("%d emails", len(messages))
	}
	for _, l := range messages {
		if text := fmt.Sprint(l.Blocks); !strings.Contains(text, "nenašli") || !strings.Contains(text, "Eva Nová") {
			t.Errorf("%s: %s", l.To, text)
		}
	}
}

// A gift can be given back until somebody has redeemed it.
func TestWithdrawalFromAGift(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	back := p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
	p.buy(p.gives(`"recipient_email":"adam@example.org"`), goodCard)
	p.work()
	codes := p.sent("gift")
	if a := p.redeems(8, codeIn(t, codes[1])); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	for range 2 {
		p.confirms(p.states("giver@example.org", "gift"))
		p.work()
		p.confirms(p.mailedLink("giver@example.org"))
		p.work()
	}
	if got := p.refunds(); len(got) != 1 || got[0] != 8900 {
		t.Errorf("given back: %v", got)
	}
	p.whole(invoice.TaxInvoice, 2)
	p.whole(invoice.CreditNote, 1)
	if a := p.redeems(9, codeIn(t, codes[0])); a.Body["error"] != "INVALID_COUPON_CODE" {
		t.Errorf("the code of a gift that was given back: %v", a.Body)
	}
	if g := p.card(back); g.State != "gone" {
		t.Errorf("its card: %+v", g)
	}
	if until, _, _, _ := p.standing(8); until.IsZero() {
		t.Error("a redeemed gift was ended")
	}
}

func TestStatementsThatAreNone(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for name, c := range map[string][3]string{
		"no name": {`{"name":" ","email":"a@example.org","contract":"gift"}`, "INVALID_ARGS", "name"},
		"a long name": {
			`{"name":"` + strings.Repeat("x", 81) + `","email":"a@example.org","contract":"gift"}`,
			"INVALID_ARGS", "name",
		},
		"no address":  {`{"name":"Eva","email":"x","contract":"gift"}`, "INVALID_EMAIL", ""},
		"no contract": {`{"name":"Eva","email":"a@example.org","contract":"loan"}`, "INVALID_ARGS", "contract"},
	} {
		if a := p.post(0, "/fns/withdrawal", c[0]); a.Body["error"] != c[1] || (c[2] != "" && a.Body["field"] != c[2]) {
			t.Errorf("%s: %d %v", name, a.Status, a.Body)
		}
	}
	link := p.states("a@example.org", "gift")
	if a := p.confirms(link + "x"); a.Body["error"] != "INVALID_REQUIREMENT" {
		t.Errorf("a link that is none: %v", a.Body)
	}
	if a := p.confirms(p.shop.links.Sign(p.ed, links.Gift, 1)); a.Body["error"] != "INVALID_REQUIREMENT" {
		t.Errorf("a link of another purpose: %v", a.Body)
	}
	other := *p.ed
	other.ID = "other"
	if a := p.confirms(p.shop.links.Sign(&other, links.Withdrawal, 1)); a.Body["error"] != "INVALID_REQUIREMENT" {
		t.Errorf("a link of another edition: %v", a.Body)
	}
	form := p.call(0, http.MethodPost, "/fns/withdrawal", "application/x-www-form-urlencoded",
		url.Values{"name": {"Eva"}, "email": {"b@example.org"}, "contract": {"gift"}}.Encode())
	to := form.Header.Get("Location")
	if form.Status != http.StatusSeeOther || !strings.HasPrefix(to, p.ed.Href(edition.Sale, "withdrawal")+"?statement=") {
		t.Fatalf("plain form: %d %s", form.Status, to)
	}
	u, _ := url.Parse(to)
	if form := p.call(0, http.MethodPost, "/fns/withdrawal-confirm", "application/x-www-form-urlencoded",
		u.RawQuery); form.Header.Get("Location") != to {
		t.Errorf("plain form, second step: %d %s", form.Status, form.Header.Get("Location"))
	}
	for range withdrawal.StatementsOfAddress.Max {
		p.post(0, "/fns/withdrawal", `{"name":"Eva","email":"c@example.org","contract":"gift"}`)
	}
	if a := p.post(0, "/fns/withdrawal",
		`{"name":"Eva","email":"C@example.org","contract":"gift"}`); a.Status != http.StatusTooManyRequests {
		t.Errorf("a sixth statement: %d %v", a.Status, a.Body)
	}
}

// Who withdraws from an order that is not paid owes nothing: the order and its pre-invoice are void, and the email
// says so.
func TestWithdrawalFromAnOrder(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o, late := p.orders(5), p.orders(6)
	p.advance(13 * day)
	p.withdraws(5, p.states("reader5@example.org", "subscription"))
	p.work()
	if text := p.messageText("withdrawal"); !strings.Contains(text, "Ročné") || !strings.Contains(text, "zrušili") ||
		strings.Contains(text, "0,00") {
		t.Error(text)
	}
	list, err := p.shop.Subscriptions.InvoiceList(p.ctx, 5)
	if err != nil || p.transferOf(5).State != transfer.StateVoid || len(list) != 1 || list[0].Status != "void" {
		t.Errorf("%s %+v %v", p.transferOf(5).State, list, err)
	}
	if n := p.count("SELECT count(*) FROM billing_withdrawals WHERE state = 'done' AND settled_at IS NOT NULL AND " +
		"amount = 0"); n != 1 || len(p.refunds()) != 0 {
		t.Errorf("%d statements are done, given back: %v", n, p.refunds())
	}
	if out := p.imports(came{ref: o.Reference}); out.Queued != 1 || p.lines()[0].Reason != transfer.ReasonVoid {
		t.Errorf("%+v", out)
	}
	p.advance(3 * day)
	p.withdraws(6, p.states("reader6@example.org", "subscription"))
	p.work()
	if p.transferOf(6).State != transfer.StateOpen {
		t.Errorf("order %d of more than two weeks ago is called off", late.ID)
	}
}

// A job that was given up leaves nobody without the money: it is swept, and goes back once.
func TestWithdrawalsThatAreLeft(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Yearly), goodCard)
	p.work()
	p.withdraws(7, p.states("reader7@example.org", "subscription"))
	if err := p.shop.Withdrawals.Mail(p.ctx, event.Withdrawal{WithdrawalID: 1}); err != nil {
		t.Fatal(err)
	}
	p.view(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE outbox SET done_at = ? WHERE done_at IS NULL", tx.Now).Exec(ctx)
		return err
	})
	if err := p.shop.Withdrawals.Sweep(p.ctx); err != nil || len(p.refunds()) != 0 {
		t.Errorf("its job is not waited for: %v %v", p.refunds(), err)
	}
	p.advance(2 * time.Hour)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if err := p.shop.Withdrawals.Sweep(p.ctx); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := p.refunds(); len(got) != 1 || got[0] != 8900 ||
		p.count("SELECT count(*) FROM billing_withdrawals WHERE state = 'done'") != 1 {
		t.Errorf("given back: %v", got)
	}
}

// Withdrawals after the first within a year are acknowledged at once and left to a person, who carries them out or
// refuses them. They are counted by reader and by mailbox, also of an account that is new since.
func TestWithdrawal_Repeated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		reader  int64
		wait    time.Duration
		refuse  bool
		waits   bool
		refunds int
	}{
		{"carried out", 7, day, false, true, 2},
		{"refused", 7, day, true, true, 1},
		{"another address of the mailbox", 8, day, false, true, 2},
		{"somebody else", 9, day, false, false, 2},
		{"a year later", 7, 366 * day, false, false, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.addresses = map[int64]string{7: "eva@example.org", 8: "eva+2@example.org", 9: "jana@example.org"}
			p.buy(p.order(7, access.Yearly), goodCard)
			p.work()
			p.withdraws(7, p.states(p.addresses[7], "subscription"))
			p.work()
			p.advance(c.wait)
			p.work()
			p.buy(p.order(c.reader, access.Yearly), goodCard)
			p.work()
			p.withdraws(c.reader, p.states(p.addresses[c.reader], "subscription"))
			p.work()
			emails := p.sent("withdrawal")
			if len(emails) != 2 || strings.Contains(mail.Text(p.ed, &emails[1]), "posúdi človek") != c.waits {
				t.Fatalf("%d emails; the last one:\n%s", len(emails), mail.Text(p.ed, &emails[len(emails)-1]))
			}
			list, err := p.shop.Access.Reviews(p.ctx, false)
			if err != nil || len(list) == 1 != c.waits {
				t.Fatalf("got %+v, %v, want one: %t", list, err, c.waits)
			}
			if c.waits {
				if until, _, _, _ := p.standing(c.reader); until.IsZero() || len(p.refunds()) != 1 {
					t.Errorf("carried out before a person has decided: until %s, refunds %v", until, p.refunds())
				}
				p.advance(2 * time.Hour)
				p.work() // the sweep of what was not paid back
				if _, err := p.shop.ResolveReview(p.ctx, list[0].ID, c.refuse, false); err != nil {
					t.Fatal(err)
				}
				p.work()
				if got := p.sent("withdrawal"); len(got) != 3 ||
					strings.Contains(mail.Text(p.ed, &got[2]), "peniaze nevrátime") != c.refuse {
					t.Errorf("%d emails; the last one:\n%s", len(got), mail.Text(p.ed, &got[len(got)-1]))
				}
			}
			if until, _, _, _ := p.standing(c.reader); until.IsZero() == c.refuse || len(p.refunds()) != c.refunds {
				t.Errorf("in the end until %s, refunds %v, want %d", until, p.refunds(), c.refunds)
			}
		})
	}
}

// The code of a gift stays good while its second withdrawal waits for a person. Once it is redeemed, that one can only
// be refused.
func TestWithdrawal_RepeatedGift(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	var codes []string
	for range 2 {
		p.buy(p.gives(`"buyer_email":"giver@example.org"`), goodCard)
		p.work()
		bought := p.sent("gift_bought")
		codes = append(codes, codeIn(t, bought[len(bought)-1]))
		p.states("giver@example.org", "gift")
		p.confirms(p.mailedLink("giver@example.org"))
		p.work()
	}
	list, err := p.shop.Access.Reviews(p.ctx, false)
	if err != nil || len(list) != 1 {
		t.Fatalf("got %+v, %v, want one", list, err)
	}
	if a := p.redeems(9, codes[1]); a.Status != http.StatusOK {
		t.Fatalf("%d %v", a.Status, a.Body)
	}
	if _, err := p.shop.ResolveReview(p.ctx, list[0].ID, false, false); !errors.Is(err, withdrawal.ErrRedeemed) {
		t.Errorf("got %v, want ErrRedeemed", err)
	}
	if _, err := p.shop.ResolveReview(p.ctx, list[0].ID, true, false); err != nil {
		t.Error(err)
	}
	if got := p.refunds(); len(got) != 1 {
		t.Errorf("given back: %v", got)
	}
}
