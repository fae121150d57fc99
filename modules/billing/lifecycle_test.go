package billing

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"
	"golang.org/x/sync/errgroup"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// lives is a shop with many subscriptions, whose messages go through a bad line.
type lives struct {
	*env
	rand *rand.Rand
	ids  []string // of the subscriptions

	caught sync.Mutex
	bodies [][]byte
}

const (
	howMany = 200
	copies  = 5
	lost    = 0.3 // of the messages
	hands   = 4   // that work at once
)

func newLives(t *testing.T, seed uint64) *lives {
	t.Helper()
	l := &lives{env: newEnv(t), rand: rand.New(rand.NewPCG(seed, 7))}
	line := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		l.caught.Lock()
		defer l.caught.Unlock()
		l.bodies = append(l.bodies, body)
	}))
	t.Cleanup(line.Close)
	if err := l.box.AddAccount(sandbox.Account{
		SecretKey: l.keys().SecretKey, Name: l.ed.Name, WebhookURL: line.URL,
		WebhookSecret: "whsec_line",
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.shop.Subscriptions.SyncPrices(l.ctx); err != nil {
		t.Fatal(err)
	}
	prices := map[int]string{}
	for _, pr := range l.listed("prices?limit=100") {
		amount, _ := pr["unit_amount"].(float64)
		prices[int(amount)], _ = pr["id"].(string)
	}
	for reader := int64(1); reader <= howMany; reader++ {
		email, _, _ := l.Contact(l.ctx, reader)
		customer, _ := l.api(http.MethodPost, "customers", url.Values{"email": {email}})["id"].(string)
		l.view(func(ctx context.Context, tx db.Tx) error {
			_, err := access.PutCustomer(ctx, tx, reader, customer)
			return err
		})
		price, product := prices[796], access.Monthly
		if reader%5 == 0 {
			price, product = prices[8900], access.Yearly
		}
		s := l.api(http.MethodPost, "subscriptions", url.Values{
			"customer": {customer}, "items[0][price]": {price}, "default_payment_method": {l.cardOf(customer, "pm_card_visa")},
			"metadata[edition]": {l.ed.ID}, "metadata[reader_id]": {fmt.Sprint(reader)},
			"metadata[reader_public_id]": {fmt.Sprintf("public-%d-0", reader)}, "metadata[product]": {product},
		})
		id, _ := s["id"].(string)
		l.ids = append(l.ids, id)
	}
	return l
}

func (l *lives) cardOf(customer, token string) string {
	l.t.Helper()
	id, _ := l.api(http.MethodPost, "payment_methods/"+token+"/attach", url.Values{"customer": {customer}})["id"].(string)
	return id
}

// happen does something to a subscription at the provider, if it goes.
func (l *lives) happen(id string) {
	remote := l.api(http.MethodGet, "subscriptions/"+id, nil)
	if remote["status"] == "canceled" && l.rand.IntN(4) > 0 {
		return
	}
	customer, _ := remote["customer"].(string)
	update := func(form url.Values) { l.api(http.MethodPost, "subscriptions/"+id, form) }
	refund := func(part string) {
		inv, _ := remote["latest_invoice"].(string)
		in := l.api(http.MethodGet, "invoices/"+inv, nil)
		charge, _ := in["charge"].(string)
		paid, _ := in["amount_paid"].(float64)
		ch := map[string]any{}
		if charge != "" {
			ch = l.api(http.MethodGet, "charges/"+charge, nil)
		}
		if back, _ := ch["amount_refunded"].(float64); charge == "" || paid < 300 || back > 0 || ch["disputed"] == true {
			return
		}
		form := url.Values{"charge": {charge}}
		if part != "" {
			form.Set("amount", part)
		}
		l.api(http.MethodPost, "refunds", form)
	}
	if remote["status"] == "canceled" {
		refund("150")
		return
	}
	switch l.rand.IntN(11) {
	case 0:
		update(url.Values{"cancel_at_period_end": {"true"}})
	case 1:
		update(url.Values{"cancel_at_period_end": {"false"}})
	case 2:
		l.api(http.MethodDelete, "subscriptions/"+id, nil)
	case 3:
		update(url.Values{"pause_collection[behavior]": {"void"}})
	case 4:
		update(url.Values{"pause_collection": {""}})
	case 5:
		refund("")
	case 6:
		refund("200")
	case 7, 8:
		update(url.Values{"default_payment_method": {l.cardOf(customer, "pm_card_chargeCustomerFail")}})
	case 9:
		update(url.Values{"default_payment_method": {l.cardOf(customer, "pm_card_createDispute")}})
	default:
		update(url.Values{"default_payment_method": {l.cardOf(customer, "pm_card_visa")}})
	}
}

// deliver brings the messages so far: three in ten are lost, the others come five times each and in no order.
func (l *lives) deliver() (sent int) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.ctx, time.Minute)
	defer cancel()
	if err := l.box.Flush(ctx); err != nil {
		l.t.Fatal(err)
	}
	l.caught.Lock()
	bodies := l.bodies
	l.bodies = nil
	l.caught.Unlock()
	var bag [][]byte
	for _, body := range bodies {
		var e struct{ Type string }
		if err := json.Unmarshal(body, &e); err != nil {
			l.t.Fatal(err)
		}
		if !strings.HasPrefix(e.Type, "customer.subscription.") && !strings.HasPrefix(e.Type, "charge.refund") &&
			!strings.HasPrefix(e.Type, "charge.dispute.") && !strings.HasPrefix(e.Type, "invoice.p") {
			continue // what the endpoint did not ask for
		}
		if l.rand.Float64() < lost {
			continue
		}
		for range copies {
			bag = append(bag, body)
		}
	}
	l.rand.Shuffle(len(bag), func(i, j int) { bag[i], bag[j] = bag[j], bag[i] })
	l.each(len(bag), func(i int) error {
		signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{
			Payload: bag[i], Secret: l.keys().WebhookSecret,
			Timestamp: time.Now(),
		})
		return l.shop.Subscriptions.Receive(l.ctx, bag[i], signed.Header)
	})
	var jobs []struct{ Payload json.RawMessage }
	l.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("UPDATE outbox SET done_at = ? WHERE event = ? AND done_at IS NULL RETURNING payload", tx.Now,
			string(event.ProviderEvent)).Scan(ctx, &jobs)
	})
	l.each(len(jobs), func(i int) error {
		var e event.ProviderReported
		if err := json.Unmarshal(jobs[i].Payload, &e); err != nil {
			return err
		}
		return l.shop.Subscriptions.ProcessEvent(l.ctx, e)
	})
	return len(bag)
}

func (l *lives) each(n int, do func(int) error) {
	l.t.Helper()
	var all errgroup.Group
	all.SetLimit(hands)
	for i := range n {
		all.Go(func() error { return do(i) })
	}
	if err := all.Wait(); err != nil {
		l.t.Fatal(err)
	}
}

// unequal lists where the rows do not say what the provider says.
func (l *lives) unequal() (list []string) {
	l.t.Helper()
	acc := l.account()
	now := l.db.Now()
	for i, id := range l.ids {
		reader := int64(i + 1)
		remote, err := acc.Subscription(l.ctx, id)
		if err != nil {
			l.t.Fatal(err)
		}
		rows := l.subscriptions(reader)
		if len(rows) != 1 {
			list = append(list, fmt.Sprintf("reader %d has %d rows of %s", reader, len(rows), remote.Status))
			continue
		}
		want := subscription.RowOf(l.ed, remote, reader)
		if names := subscription.Differences(want, rows[0]); len(names) > 0 {
			list = append(list, fmt.Sprintf("reader %d: %v of %+v", reader, names, rows[0]))
		}
		_, tolerated := want.Ends(l.ed.Billing.GraceDays)
		if until, _, _, _ := l.standing(reader); tolerated.After(now) == until.IsZero() {
			list = append(list, fmt.Sprintf("reader %d reads until %s, the provider says until %s", reader, until, tolerated))
		}
	}
	back := map[string]float64{}
	for after := ""; ; {
		page := l.listed("charges?limit=100" + after)
		for _, ch := range page {
			inv, _ := ch["invoice"].(string)
			amount, _ := ch["amount_refunded"].(float64)
			back[inv] += amount
			after = "&starting_after=" + fmt.Sprint(ch["id"])
		}
		if len(page) < 100 {
			break
		}
	}
	for reader := int64(1); reader <= howMany; reader++ {
		for _, in := range l.billed(reader) {
			if float64(in.Refunded) != back[in.ProviderID] {
				list = append(list,
					fmt.Sprintf("reader %d: %d of %s went back, the provider says %.0f", reader, in.Refunded, in.ProviderID,
						back[in.ProviderID]))
			}
		}
	}
	return list
}

// Whatever happens to two hundred subscriptions, with messages that are lost, come five times and in no order: after
// the reconcilers every row, every access and every refund is as the provider has it.
func TestTwoHundredLives(t *testing.T) {
	t.Parallel()
	l := newLives(t, 20261121)
	sent := 0
	for _, days := range []int{10, 22, 25} {
		for _, id := range l.ids {
			if l.rand.IntN(3) > 0 {
				l.happen(id)
			}
		}
		l.advance(time.Duration(days) * day)
		sent += l.deliver()
		if err := l.shop.Reconciliation.Changed(l.ctx); err != nil { // as it does every hour
			t.Fatal(err)
		}
		if err := l.shop.Reconciliation.All(l.ctx); err != nil { // and every night
			t.Fatal(err)
		}
		l.shop.Access.ForgetAll()
	}
	if list := l.unequal(); len(list) > 0 {
		t.Errorf("%d are not as the provider has them:\n%s", len(list), strings.Join(list[:min(5, len(list))], "\n"))
	}
	kinds := map[stripe.Status]int{}
	for reader := int64(1); reader <= howMany; reader++ {
		for _, s := range l.subscriptions(reader) {
			kinds[s.Status]++
		}
	}
	refunds, disputes := l.count("SELECT count(*) FROM billing_invoices WHERE refunded > 0"),
		l.count("SELECT count(*) FROM billing_invoices WHERE disputed")
	t.Logf("%d messages, %d drift rows, %v, %d refunds, %d disputes", sent, len(l.drift()), kinds, refunds, disputes)
	if sent < 2000 || len(l.drift()) < 20 || kinds[stripe.Active] < 20 || kinds[stripe.Canceled] < 20 ||
		kinds[stripe.PastDue]+kinds[stripe.Unpaid] < 5 || refunds < 20 || disputes < 5 {
		t.Error("too little has happened to prove anything")
	}
	if open := l.count("SELECT count(*) FROM billing_drift WHERE repaired_at IS NULL"); open > 0 {
		t.Errorf("%d are known to differ", open)
	}
}
