package billing

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/invoice"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/edition"
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
	p := &provider{keys: func(string) (Keys, error) { return Keys{APIBase: at, SecretKey: "sk_test_123"}, nil }}
	acc, err := p.account(ctx)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	product, year := ed.Product(Monthly), ed.Product(Yearly)
	h := held{
		subscription{
			ProviderID: "sub_123", Product: Monthly, Status: active, PeriodStart: now,
			PeriodEnd: now.AddDate(0, 0, 28),
		},
		remote{
			ID: "sub_123", Anchor: now, Item: "si_123", PriceID: "price_123", Schedule: "sub_sched_123", PeriodStart: now,
			StartedAt: now,
		},
	}
	shut := h
	shut.said.CalledOff = true
	of := payerOf(ed, invoice.Buyer{
		Name: "Eva", Line1: "Hlavná 1", City: "Bratislava", PostalCode: "811 01", Country: "SK",
		ICDPH: "SK2020202020", ICO: "12345678",
	}, now)
	none := of
	none.Numbers, none.Tax = nil, nil
	only := func(_ any, err error) error { return err }
	for name, call := range map[string]func() error{
		"customer":     func() error { return only(acc.customer(ctx, 1, "public", "eva@example.org")) },
		"move":         func() error { return acc.move(ctx, "cus_123", "eva@example.org") },
		"describe":     func() error { return acc.describe(ctx, "cus_123", of) },
		"describe not": func() error { return acc.describe(ctx, "cus_123", none) },
		"portal":       func() error { return only(acc.portal(ctx, "cus_123", "https://example.org/back")) },
		"find price":   func() error { return only(acc.findPrice(ctx, "sk.product_monthly.full.eur.796.4week")) },
		"make price":   func() error { return only(acc.makePrice(ctx, acc.price(product, false))) },
		"coupon": func() error {
			_, _, err := acc.coupon(ctx, product)
			return err
		},
		"open checkout": func() error {
			return only(
				acc.openCheckout(ctx,
					checkoutFor{
						Intent: intent{ID: 1, ReaderID: 1, Product: Monthly, CreatedAt: now}, Customer: "cus_123",
						Price: "price_123", Coupon: "c_123", Note: "note",
					}))
		},
		"checkout":             func() error { return only(acc.checkout(ctx, "cs_123")) },
		"close checkout":       func() error { return only(acc.closeCheckout(ctx, "cs_123")) },
		"subscription":         func() error { return only(acc.subscription(ctx, "sub_123")) },
		"list":                 func() error { return acc.list(ctx, "sub_1", func(remote) error { return nil }) },
		"invoice subscription": func() error { return only(acc.invoiceSubscription(ctx, "in_123")) },
		"undo":                 func() error { return acc.undo(ctx, "sub_123") },
		"end":                  func() error { return acc.cancel(ctx, "sub_123") },
		"owed":                 func() error { return only(acc.owed(ctx, "sub_123")) },
		"give up":              func() error { return acc.giveUp(ctx, "sub_123") },
		"void":                 func() error { return acc.void(ctx, "in_123") },
		"introduce":            func() error { return acc.introduce(ctx, h.said, product, "price_1", "price_2") },
		"cancel":               func() error { return acc.change(ctx, "k1", h, Change{Kind: changeCancel}) },
		"resume":               func() error { return acc.change(ctx, "k2", h, Change{Kind: changeResume}) },
		"pause":                func() error { return acc.change(ctx, "k3", h, Change{Kind: changePause, Periods: 2}) },
		"unpause":              func() error { return acc.change(ctx, "k4", h, Change{Kind: changeUnpause}) },
		"unpause unpaid":       func() error { return acc.change(ctx, "k5", shut, Change{Kind: changeUnpause}) },
		"stay":                 func() error { return acc.change(ctx, "k6", h, Change{Kind: changeStay}) },
		"switch now":           func() error { return acc.switchNow(ctx, "k7", h, "price_2", now) },
		"switch later":         func() error { return acc.switchLater(ctx, "k8", h, "price_2", year.Type) },
		"reprice":              func() error { return acc.reprice(ctx, h.said, "price_2") },
		"preview":              func() error { return only(acc.preview(ctx, h.said, "price_2", now)) },
		"charge of a refund":   func() error { return only(acc.chargeOf(ctx, objectRefund, "re_123")) },
		"charge of a dispute":  func() error { return only(acc.chargeOf(ctx, objectDispute, "dp_123")) },
		"charged":              func() error { return only(acc.charged(ctx, "ch_123")) },
		"postpone": func() error {
			_, err := acc.postpone(ctx, h.said, now.AddDate(1, 0, 0))
			return err
		},
		"postpone for long": func() error {
			old := h.said
			old.Anchor = now.AddDate(-3, 0, 0)
			_, err := acc.postpone(ctx, old, now.AddDate(1, 0, 0))
			return err
		},
		"collect again": func() error {
			of := shut.said
			of.Given = now
			return acc.collectAgain(ctx, of)
		},
		"gift checkout": func() error {
			g := present{ID: 1, Product: Monthly, Amount: 796, Currency: "EUR", BuyerEmail: "eva@example.org", CreatedAt: now}
			return only(acc.giftCheckout(ctx, g, "/account/gift"))
		},
		"withdraw":     func() error { return acc.withdraw(ctx, "sub_123") },
		"refund":       func() error { return acc.refund(ctx, "pi_123", "k9") },
		"given back":   func() error { return only(acc.givenBack(ctx, "pi_123")) },
		"sales":        func() error { return only(acc.sales(ctx, "sub_123")) },
		"recent sales": func() error { return acc.recentSales(ctx, now.Add(-time.Hour), func(sale) {}) },
		"refunds":      func() error { return only(acc.refunds(ctx, "pi_123")) },
		"returned":     func() error { return only(acc.returned(ctx, now.Add(-time.Hour))) },
		"touched": func() error {
			_, _, err := acc.touched(ctx, now.Add(-time.Hour))
			return err
		},
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, plain(err))
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
