package billing

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// refund gives back what was paid by a subscription's latest invoice, or a part of it.
func (p *env) refund(s access.Subscription, amount string) {
	p.t.Helper()
	inv, _ := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["latest_invoice"].(string)
	p.refundInvoice(inv, amount)
}

func (p *env) refundInvoice(inv, amount string) {
	p.t.Helper()
	charge, _ := p.api(http.MethodGet, "invoices/"+inv, nil)["charge"].(string)
	form := url.Values{"charge": {charge}}
	if amount != "" {
		form.Set("amount", amount)
	}
	p.api(http.MethodPost, "refunds", form)
}

func (p *env) billed(reader int64) (list []stripe.Invoice) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT provider_id, refunded, disputed FROM billing_invoices WHERE reader_id = ? ORDER BY id DESC",
			reader).Scan(ctx, &list)
	})
	return list
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parts  []string
		keeps  bool // as the edition has it
		drop   bool // the messages
		want   int64
		access bool
		status stripe.Status
	}{
		"in full":                    {parts: []string{""}, want: 8900, status: stripe.Canceled},
		"in full, and never told":    {parts: []string{""}, drop: true, want: 8900, status: stripe.Canceled},
		"in full, access is kept":    {parts: []string{""}, keeps: true, want: 8900, access: true, status: stripe.Active},
		"in part":                    {parts: []string{"4000"}, want: 4000, access: true, status: stripe.Active},
		"in part, and never told":    {parts: []string{"4000"}, drop: true, want: 4000, access: true, status: stripe.Active},
		"in parts that make the sum": {parts: []string{"4000", "4900"}, want: 8900, status: stripe.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, func(d *edition.Document) { d.Billing.RefundKeepsAccess = c.keeps })
			bought := p.subscribe(1, access.Yearly)
			if c.drop {
				if err := p.box.SetFaults(sandbox.Faults{Webhooks: "drop"}); err != nil {
					t.Fatal(err)
				}
			}
			for _, part := range c.parts {
				p.refund(bought, part)
			}
			p.work()
			if c.drop {
				if err := p.shop.Reconciliation.Changed(p.ctx); err != nil {
					t.Fatal(err)
				}
				p.work()
			}
			s := p.subscriptions(1)[0]
			until, _, _, _ := p.standing(1)
			if s.Refunded != c.want || s.Status != c.status || until.IsZero() == c.access {
				t.Errorf("%+v, access until %s", s, until)
			}
			if in := p.billed(1); len(in) != 1 || in[0].Refunded != c.want || in[0].Disputed {
				t.Errorf("invoices %+v", in)
			}
			if can := p.state(1).Can; c.status == stripe.Active &&
				(len(can) == 0 || can[len(can)-1] != access.ChangeCancel) {
				t.Errorf("it cannot be cancelled: %v", can)
			}
			if at := p.api(http.MethodGet, "subscriptions/"+bought.ProviderID, nil)["status"]; at != string(c.status) {
				t.Errorf("the provider says %v", at)
			}
			charged := len(p.paid())
			p.advance(366 * day)
			p.work()
			if renewed := len(p.paid()) > charged; renewed != (c.status == stripe.Active) {
				t.Errorf("charged again: %v", renewed)
			}
		})
	}
}

// Who got all of it back can buy again, also before the provider's messages have come.
func TestBuyingAgainAfterARefund(t *testing.T) {
	t.Parallel()
	for name, payload := range map[string]bool{"told": true, "not told that it was ended": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.refund(p.subscribe(1, access.Yearly), "")
			if payload {
				p.work()
			} else {
				p.view(func(ctx context.Context, tx db.Tx) error {
					_, err := tx.NewRaw("UPDATE billing_subscriptions SET refunded = paid, uncovered = true").Exec(ctx)
					return err
				})
			}
			p.buy(p.order(1, access.Monthly), goodCard)
			p.work()
			if s, err := p.shop.Subscriptions.FindLivePaid(p.ctx, 1); err != nil || s == nil || s.Product != access.Monthly {
				t.Errorf("%+v %v", s, err)
			}
		})
	}
}

// The email about a part that went back says that the subscription goes on, for how much, and how to leave.
func TestACreditNoteSaysThatTheSubscriptionGoesOn(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{"a part": "4000", "all": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			s := p.subscribe(1, access.Yearly)
			p.refund(s, part)
			p.work()
			messages := p.sent("credit")
			if len(messages) != 1 {
				t.Fatalf("%+v", messages)
			}
			goesOn := i18n.T(p.ed, "mail.credit.goesOn",
				map[string]any{"Amount": "89,00\u00a0€", "Date": i18n.Date(p.ed, s.PeriodEnd)})
			if got := slices.ContainsFunc(messages[0].Blocks, func(b mail.Block) bool {
				return b.Text == goesOn
			}); got != (part != "") {
				t.Errorf("%+v", messages[0].Blocks)
			}
		})
	}
}

// What is paid back of an earlier period takes nothing of the running one.
func TestRefundOfAnEarlierPeriod(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	bought := p.subscribe(1, access.Monthly)
	first, _ := p.api(http.MethodGet, "subscriptions/"+bought.ProviderID, nil)["latest_invoice"].(string)
	p.advance(29 * day)
	p.work()
	p.refundInvoice(first, "")
	p.work()
	if until, _, _, _ := p.standing(1); until.IsZero() || p.subscriptions(1)[0].Refunded != 0 {
		t.Errorf("access until %s, %+v", until, p.subscriptions(1)[0])
	}
	for _, in := range p.billed(1) {
		if want := int64(0); in.ProviderID == first {
			want = 100
			if in.Refunded != want {
				t.Errorf("%+v", in)
			}
		} else if in.Refunded != want {
			t.Errorf("%+v", in)
		}
	}
}
