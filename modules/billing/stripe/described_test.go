package stripe

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// stripeMock checks every request against the provider's own description of the version of the API that is spoken here,
// and answers with samples of it. It keeps nothing, so it proves the form of calls, not what they do: that is for the
// sandbox.
const stripeMock = "github.com/stripe/stripe-mock@v0.180.0"

// startMock builds the checker from the module cache, or the proxy, and returns its address.
func startMock(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, "go", "install", stripeMock)
	install.Dir, install.Env = bin, append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-buildvcs=false", "GOWORK=off")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%s cannot be built: %v\n%s", stripeMock, err, out)
	}
	run := exec.CommandContext(context.Background(), filepath.Join(bin, "stripe-mock"), "-http-addr", "127.0.0.1:0",
		"-https-addr", "127.0.0.1:0")
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "HTTP at address: "); ok {
			return "http://" + strings.TrimSpace(address)
		}
	}
	t.Fatal("it does not say where it listens")
	return ""
}

// Every call that is made of the provider has the form that the provider describes.
func TestCallsAsTheProviderDescribesThem(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	at := startMock(t)
	p := NewAccounts(func(string) (Keys, error) { return Keys{APIBase: at, SecretKey: "sk_test_123"}, nil }, nil)
	acc, err := p.Account(ctx)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	product, year := ed.Product("product_monthly"), ed.Product("product_yearly")
	said := Subscription{
		ID: "sub_123", Anchor: now, Item: "si_123", PriceID: "price_123", Schedule: "sub_sched_123", PeriodStart: now,
		StartedAt: now,
	}
	shut := said
	shut.CalledOff = true
	of := CustomerData{
		Called: "Eva", Line1: "Hlavná 1", City: "Bratislava", PostalCode: "811 01", Country: "SK",
		Numbers: []Label{{"IČO", "12345678"}}, Tax: &TaxNumber{"eu_vat", "SK2020202020"}, Version: "1",
	}
	none := of
	none.Numbers, none.Tax = nil, nil
	only := func(_ any, err error) error { return err }
	for name, call := range map[string]func() error{
		"customer":     func() error { return only(acc.Customer(ctx, 1, "public", "eva@example.org")) },
		"move":         func() error { return acc.SetEmail(ctx, "cus_123", "eva@example.org") },
		"describe":     func() error { return acc.SetCustomerData(ctx, "cus_123", of) },
		"describe not": func() error { return acc.SetCustomerData(ctx, "cus_123", none) },
		"portal":       func() error { return only(acc.PortalURL(ctx, "cus_123", "https://example.org/back")) },
		"find price":   func() error { return only(acc.findPrice(ctx, "sk.product_monthly.full.eur.796.4week")) },
		"make price":   func() error { return only(acc.makePrice(ctx, acc.PriceOf(product, false))) },
		"coupon": func() error {
			_, _, err := acc.IntroCoupon(ctx, product)
			return err
		},
		"open checkout": func() error {
			return only(
				acc.OpenCheckout(ctx,
					CheckoutParams{
						ID: 1, ReaderID: 1, Product: "product_monthly", CreatedAt: now, Customer: "cus_123",
						Price: "price_123", Coupon: "c_123", Note: "note",
					}))
		},
		"checkout":       func() error { return only(acc.Checkout(ctx, "cs_123")) },
		"close checkout": func() error { return only(acc.CloseCheckout(ctx, "cs_123")) },
		"subscription":   func() error { return only(acc.Subscription(ctx, "sub_123")) },
		"list": func() error {
			return acc.EachSubscription(ctx, "sub_1", func(Subscription) error { return nil })
		},
		"invoice subscription": func() error { return only(acc.InvoiceSubscription(ctx, "in_123")) },
		"undo":                 func() error { return acc.RefundLatest(ctx, "sub_123") },
		"end":                  func() error { return acc.Cancel(ctx, "sub_123") },
		"owed":                 func() error { return only(acc.AmountDue(ctx, "sub_123")) },
		"void unpaid":          func() error { return only(acc.VoidUnpaid(ctx, "sub_123")) },
		"finalize":             func() error { return acc.finalize(ctx, "in_123") },
		"void":                 func() error { return acc.void(ctx, "in_123") },
		"introduce":            func() error { return acc.ScheduleFullPrice(ctx, said, product, "price_1", "price_2") },
		"cancel":               func() error { return acc.CancelAtEnd(ctx, "k1", said) },
		"resume":               func() error { return acc.SetCancelAtEnd(ctx, "k2", said.ID, false) },
		"pause":                func() error { return acc.Pause(ctx, "k3", said.ID, now.AddDate(0, 2, 0)) },
		"unpause":              func() error { return acc.Unpause(ctx, "k4", said) },
		"unpause unpaid":       func() error { return acc.Unpause(ctx, "k5", shut) },
		"stay":                 func() error { return acc.Release(ctx, "k6", said) },
		"switch now":           func() error { return acc.SwitchNow(ctx, "k7", said, "price_2", now) },
		"switch later":         func() error { return acc.SwitchLater(ctx, "k8", said, "price_2", year.Type) },
		"reprice":              func() error { return acc.Reprice(ctx, said, "price_2") },
		"preview":              func() error { return only(acc.Preview(ctx, said, "price_2", now)) },
		"charge of a refund":   func() error { return only(acc.ChargeOf(ctx, ObjectRefund, "re_123")) },
		"charge of a dispute":  func() error { return only(acc.ChargeOf(ctx, ObjectDispute, "dp_123")) },
		"charged":              func() error { return only(acc.Charge(ctx, "ch_123")) },
		"postpone": func() error {
			_, err := acc.PostponePayment(ctx, said, now.AddDate(1, 0, 0))
			return err
		},
		"postpone for long": func() error {
			old := said
			old.Anchor = now.AddDate(-3, 0, 0)
			_, err := acc.PostponePayment(ctx, old, now.AddDate(1, 0, 0))
			return err
		},
		"collect again": func() error {
			of := shut
			of.Given = now
			return acc.ResumeCollection(ctx, of)
		},
		"gift checkout": func() error {
			return only(acc.GiftCheckout(ctx, GiftParams{
				ID: 1, Product: "product_monthly", Amount: 796, Currency: "EUR", BuyerEmail: "eva@example.org", CreatedAt: now,
				SuccessURL: ed.URL("/account/gift"), CancelURL: ed.URL("/account"),
			}))
		},
		"withdraw":     func() error { return acc.RefundAll(ctx, "sub_123") },
		"refund":       func() error { return acc.Refund(ctx, "pi_123", "k9") },
		"given back":   func() error { return only(acc.fullyRefundedCharge(ctx, "pi_123")) },
		"sales":        func() error { return only(acc.Sales(ctx, "sub_123")) },
		"recent sales": func() error { return acc.RecentSales(ctx, now.Add(-time.Hour), func(Sale) {}) },
		"refunds":      func() error { return only(acc.Refunds(ctx, "pi_123")) },
		"returned":     func() error { return only(acc.ChargesReturned(ctx, now.Add(-time.Hour))) },
		"touched": func() error {
			_, err := acc.ChangedSince(ctx, now.Add(-time.Hour))
			return err
		},
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, Explain(err))
		}
	}
	// What is wrong is found: else nothing would be proven.
	wrong := &stripe.SubscriptionParams{Params: params(ctx, "")}
	wrong.AddExtra("pause_collection[behaviour]", "void")
	if _, err := acc.api.Subscriptions.Update("sub_123", wrong); err == nil {
		t.Error("a call that is wrong was taken")
	}
	if stripe.APIVersion != "2023-10-16" {
		t.Errorf("the version of the API is %s; choose another release of the checker", stripe.APIVersion)
	}
}
