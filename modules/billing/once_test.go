package billing

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// The provider remembers a failure of its own for a day. What failed is done by the next try all the same, and once,
// whether or not the failure had done it.
func TestAFailureOfTheProviderDoesNotLastForADay(t *testing.T) {
	t.Parallel()
	type work struct {
		do   func() error
		made func() int
	}
	total := func(p *env, path string) func() int { return func() int { return len(p.listed(path)) } }
	kinds := map[string]func(*env, *stripe.Account) work{
		"customer": func(p *env, acc *stripe.Account) work {
			return work{func() error {
				_, err := acc.Customer(p.ctx, 1, "public-1-0", "reader1@example.org")
				return err
			}, total(p, "customers?limit=100")}
		},
		"price": func(p *env, acc *stripe.Account) work {
			price := acc.PriceOf(p.ed.Product(access.Monthly), false)
			// Which makes the product.
			if _, err := acc.EnsurePrice(p.ctx, acc.PriceOf(p.ed.Product(access.Monthly), true)); err != nil {
				p.t.Fatal(err)
			}
			return work{func() error {
				_, err := acc.EnsurePrice(p.ctx, price)
				return err
			}, total(p, "prices?limit=100&lookup_keys[]="+url.QueryEscape(price.Key))}
		},
		"refund": func(p *env, acc *stripe.Account) work {
			p.subscribe(1, access.Yearly)
			payment, _ := p.listed("payment_intents")[0]["id"].(string)
			return work{func() error { return acc.Refund(p.ctx, payment, "test:"+payment) }, total(p, "refunds?limit=100")}
		},
		"withdrawal": func(p *env, acc *stripe.Account) work {
			s := p.subscribe(1, access.Yearly)
			return work{func() error { return acc.RefundAll(p.ctx, s.ProviderID) }, total(p, "refunds?limit=100")}
		},
		"schedule": func(p *env, acc *stripe.Account) work {
			remote, err := acc.Subscription(p.ctx, p.subscribe(1, access.Yearly).ProviderID)
			if err != nil {
				p.t.Fatal(err)
			}
			yearly := *p.ed.Product(access.Yearly)
			yearly.Intro = &edition.Intro{Periods: 1}
			return work{func() error {
				return acc.ScheduleFullPrice(p.ctx, remote, &yearly, remote.PriceID, remote.PriceID)
			}, total(p, "subscription_schedules?limit=100")}
		},
		"number for tax": func(p *env, acc *stripe.Account) work {
			customer, err := acc.Customer(p.ctx, 1, "public-1-0", "reader1@example.org")
			if err != nil {
				p.t.Fatal(err)
			}
			of := subscription.PayerOf(p.ed, invoice.Buyer{Name: "Eva", Country: "SK", ICDPH: "SK2020202020"}, p.db.Now())
			return work{func() error {
				return acc.SetCustomerData(p.ctx, customer, of)
			}, total(p, "customers/"+customer+"/tax_ids")}
		},
	}
	for name, make := range kinds {
		for _, fault := range []string{"500_kept", "500_done"} {
			t.Run(name+" "+fault, func(t *testing.T) {
				t.Parallel()
				p := newEnv(t)
				acc := p.account()
				w := make(p, acc)
				p.fault(sandbox.Faults{API: fault})
				for try := range 3 {
					if err := w.do(); err == nil && fault == "500_kept" {
						t.Fatalf("try %d: %v", try+1, err)
					}
				}
				p.fault(sandboxUp)
				if err := w.do(); err != nil {
					t.Fatalf("after the failure: %v", err)
				}
				if err := w.do(); err != nil {
					t.Fatalf("again: %v", err)
				}
				if n := w.made(); n != 1 {
					t.Errorf("there are %d", n)
				}
			})
		}
	}
}

// The next payment is moved as soon as the provider is well again; a failure of its own is nothing for a person.
func TestAFailureNeedsNoReviewOfAnExtension(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Yearly)
	until, err := p.shop.vouchers.Redeem(p.ctx, 1, p.coupons(nil)[0], "n1")
	if err != nil {
		t.Fatal(err)
	}
	p.fault(sandbox.Faults{API: "500_kept"})
	payload := event.Redeemed{ReaderID: 1}
	if err := p.shop.Subscriptions.PostponePayment(p.ctx, payload); !stripe.IsOutage(err) {
		t.Fatalf("%v", err)
	}
	p.fault(sandboxUp)
	p.work()
	if s := p.subscriptions(1)[0]; !s.PeriodEnd.Equal(until.Truncate(time.Second)) ||
		p.count("SELECT count(*) FROM billing_parked") != 0 {
		t.Errorf("it ends at %s, want %s", s.PeriodEnd, until)
	}
}

// A refund that was made elsewhere is no reason to make another one, and asks for none.
func TestARefundLooksFirst(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.refund(p.subscribe(1, access.Yearly), "")
	acc := p.account()
	payment, _ := p.listed("payment_intents")[0]["id"].(string)
	p.fault(sandbox.Faults{API: "500_kept"}) // a try would fail
	if err := acc.Refund(p.ctx, payment, "once"); err != nil {
		t.Error(err)
	}
	if err := acc.Refund(p.ctx, "pi_none", "once"); !stripe.IsGone(err) || errors.Is(err, stripe.ErrNoAnswer) {
		t.Errorf("a payment that nobody has made: %v", err)
	}
	if n := len(p.listed("refunds")); n != 1 || p.api(http.MethodGet, "payment_intents/"+payment, nil)["id"] != payment {
		t.Errorf("%d refunds", n)
	}
}

func TestTheSandboxSpeaksOurVersionOfTheAPI(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	if s, err := stripe.Examine(p.ctx, p.keys()); err != nil || len(s.OtherVersions) != 0 {
		t.Errorf("got %q, %v; want no other version", s, err)
	}
}
