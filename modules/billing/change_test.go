package billing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/paper/edition"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/web"
)

// change asks as a browser with scripts does.
func (p *env) change(reader int64, body string) string {
	p.t.Helper()
	a := p.post(reader, "/fns/stripe-subscription", body)
	p.work()
	if a.Status == http.StatusOK {
		return ""
	}
	code, _ := a.Body["error"].(string)
	return code
}

func (p *env) state(reader int64) subscription.Profile {
	p.t.Helper()
	v, err := p.shop.Subscriptions.Profile(p.ctx, reader)
	if err != nil {
		p.t.Fatal(err)
	}
	return v.(subscription.Profile)
}

func (p *env) plans(reader int64) []subscription.Plan {
	p.t.Helper()
	list, err := p.shop.Subscriptions.Plans(p.ctx, reader)
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

func (p *env) subscribe(reader int64, product string) access.Subscription {
	p.t.Helper()
	p.buy(p.order(reader, product), goodCard)
	p.work()
	list := p.subscriptions(reader)
	if len(list) != 1 || list[0].Status != stripe.Active {
		p.t.Fatalf("bought %+v", list)
	}
	return list[0]
}

func switchTo(plan subscription.Plan) string {
	return fmt.Sprintf(`{"action":"switch","product_type":%q,"amount":%d,"at":%q}`, plan.Product, plan.Amount,
		plan.At.Format(time.RFC3339))
}

func TestCancelAndResume(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	bought := p.subscribe(1, access.Monthly)
	if s := p.state(1); s.State != subscription.StateActive ||
		!slices.Equal(s.Can, []string{access.ChangeSwitch, access.ChangePause, access.ChangeCancel}) {
		t.Fatalf("bought: %+v", s)
	}
	for _, c := range []struct {
		action, state string
		can           []string
	}{
		{access.ChangeCancel, subscription.StateEnding, []string{access.ChangeResume}},
		{access.ChangeCancel, subscription.StateEnding, []string{access.ChangeResume}}, // it is so already
		{
			access.ChangeResume, subscription.StateActive,
			[]string{access.ChangeSwitch, access.ChangePause, access.ChangeCancel},
		},
		// And the first request's key is not taken again.
		{access.ChangeCancel, subscription.StateEnding, []string{access.ChangeResume}},
	} {
		if code := p.change(1, `{"action":"`+c.action+`"}`); code != "" {
			t.Fatalf("%s: %s", c.action, code)
		}
		if s := p.state(1); s.State != c.state || !slices.Equal(s.Can, c.can) || s.Until == nil ||
			!s.Until.Equal(bought.PeriodEnd) {
			t.Errorf("after %s: %+v", c.action, s)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_changes WHERE state = 'done'"); n != 3 {
		t.Errorf("%d changes are noted", n)
	}
	p.advance(28*day + time.Hour)
	p.work()
	if s := p.subscriptions(1)[0]; s.Status != stripe.Canceled {
		t.Errorf("in the end it is %s", s.Status)
	}
	if until, _, _, _ := p.standing(1); !until.IsZero() {
		t.Errorf("access until %s", until)
	}
	if code := p.change(1, `{"action":"resume"}`); code != "SUBSCRIPTION_STATE" {
		t.Errorf("what has ended was resumed: %q", code)
	}
	if got := p.paid(); !slices.Equal(got, []int64{100}) {
		t.Errorf("charged %v", got)
	}
}

func TestPause(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	bought := p.subscribe(1, access.Monthly)
	for body, code := range map[string]string{
		`{"action":"pause"}`: "INVALID_ARGS", `{"action":"pause","periods":4}`: "INVALID_ARGS",
		`{"action":"pause","periods":-1}`: "INVALID_ARGS",
		`{"action":"unpause"}`:            "", // nothing is paused
	} {
		if got := p.change(1, body); got != code {
			t.Errorf("%s: %q", body, got)
		}
	}
	if code := p.change(1, `{"action":"pause","periods":1}`); code != "" {
		t.Fatal(code)
	}
	back := bought.PeriodEnd.AddDate(0, 0, 28)
	quiet := func(when string) { // nothing is due that its reader must know
		t.Helper()
		if _, _, _, due := p.standing(1); due {
			t.Errorf("%s: the notice that access has ended is shown", when)
		}
		x, err := p.shop.Subscriptions.Extended(p.ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range x.Invoices {
			if in.Status != "paid" {
				t.Errorf("%s: the list has %+v", when, in)
			}
		}
	}
	if s := p.state(1); s.State != subscription.StatePaused || s.Until == nil || !s.Until.Equal(bought.PeriodEnd) ||
		s.Resumes == nil ||
		!s.Resumes.Equal(back) || !slices.Equal(s.Can, []string{access.ChangeUnpause, access.ChangeCancel}) {
		t.Errorf("paused: %+v", s)
	}
	if until, _, _, _ := p.standing(1); !until.Equal(bought.PeriodEnd) { // what is paid for stays, and nothing beyond
		t.Errorf("access until %s", until)
	}
	p.advance(28*day + time.Hour)
	p.work()
	if until, _, _, _ := p.standing(1); !until.IsZero() {
		t.Errorf("a period that nobody pays for is open until %s", until)
	}
	if s := p.state(1); s.State != subscription.StatePaused || s.Until != nil {
		t.Errorf("in the pause: %+v", s)
	}
	quiet("in the pause")
	p.advance(28*day - 90*time.Minute) // collection is on again, and the renewal is still to come
	p.work()
	if until, _, _, _ := p.standing(1); !until.IsZero() {
		t.Errorf("the end of a pause opens articles until %s", until)
	}
	quiet("at the end of the pause")
	p.advance(time.Hour)
	p.work()
	if until, _, _, _ := p.standing(1); !until.After(p.db.Now().AddDate(0, 0, 27)) ||
		p.state(1).State != subscription.StateActive {
		t.Errorf("after the pause: until %s, %+v", until, p.state(1))
	}
	if got := p.paid(); !slices.Equal(got, []int64{796, 100}) {
		t.Errorf("charged %v", got)
	}
}

func TestPauseIsEndedEarly(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	bought := p.subscribe(1, access.Monthly)
	for range 2 { // while the paid period runs, nothing is to be paid
		if code := p.change(1, `{"action":"pause","periods":3}`) + p.change(1, `{"action":"unpause"}`); code != "" {
			t.Fatal(code)
		}
	}
	if s := p.subscriptions(1)[0]; s.Paused || !s.PeriodEnd.Equal(bought.PeriodEnd) || len(p.paid()) != 1 {
		t.Errorf("%+v, charged %v", s, p.paid())
	}
	p.change(1, `{"action":"pause","periods":3}`)
	p.advance(33 * day)
	p.work()
	if code := p.change(1, `{"action":"unpause"}`); code != "" {
		t.Fatal(code)
	}
	if until, _, _, _ := p.standing(1); until.Sub(p.db.Now()).Round(day) != 28*day ||
		!slices.Equal(p.paid(), []int64{796, 100}) {
		t.Errorf("a new period: until %s, charged %v", until, p.paid())
	}
}

func TestYearsAreNotPaused(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Yearly)
	if s := p.state(1); slices.Contains(s.Can, access.ChangePause) {
		t.Errorf("offered: %v", s.Can)
	}
	if code := p.change(1, `{"action":"pause","periods":1}`); code != "SUBSCRIPTION_STATE" {
		t.Error(code)
	}
}

func TestSwitchToALongerPeriod(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	p.advance(14 * day)
	plans := p.plans(1)
	if len(plans) != 1 || plans[0].Product != access.Yearly || !plans[0].Now || plans[0].Amount != 8900-50 ||
		!strings.Contains(plans[0].Due, "88,50") {
		t.Fatalf("offered %+v", plans)
	}
	if s := p.subscriptions(1)[0]; s.Product != access.Monthly || len(p.paid()) != 1 {
		t.Fatalf("a preview has changed %+v", s)
	}
	wrong := plans[0]
	for name, change := range map[string]func(*subscription.Plan){
		"another sum":           func(w *subscription.Plan) { w.Amount = 100 },
		"another day":           func(w *subscription.Plan) { w.At = w.At.Add(-3 * day) },
		"a day before it began": func(w *subscription.Plan) { w.At = w.At.Add(-300 * day) },
		"a day to come":         func(w *subscription.Plan) { w.At = w.At.Add(day) },
	} {
		wrong = plans[0]
		change(&wrong)
		if code := p.change(1, switchTo(wrong)); code != "AMOUNT_CHANGED" {
			t.Errorf("%s: %q", name, code)
		}
	}
	p.advance(10 * time.Minute) // to read what is to be confirmed
	if code := p.change(1, switchTo(plans[0])); code != "" {
		t.Fatal(code)
	}
	s := p.subscriptions(1)[0]
	if s.Product != access.Yearly || s.Amount != 8900 || !s.PeriodEnd.Equal(s.PeriodStart.AddDate(1, 0, 0)) ||
		p.db.Now().Sub(s.PeriodStart).Abs() > time.Minute ||
		!slices.Equal(p.paid(), []int64{8850, 100}) {
		t.Errorf("changed: %+v, charged %v", s, p.paid())
	}
	if _, product, _, _ := p.standing(1); product != access.Yearly {
		t.Errorf("access by %s", product)
	}
	if code := p.change(1, switchTo(plans[0])); code != "" || len(p.paid()) != 2 { // the click was doubled
		t.Errorf("again: %q, charged %v", code, p.paid())
	}
	if got := len(p.sent("payment")); got != 1 {
		t.Errorf("%d emails of thanks", got)
	}
	p.work()
	names := []string{}
	for _, l := range p.documents("d.total = 8850")[0].Lines {
		names = append(names, fmt.Sprintf("%s %d", l.Name, l.Gross))
	}
	if month, year := p.ed.Product(access.Monthly).Name, p.ed.Product(access.Yearly).
		Name; !slices.Equal(names, []string{"Nevyužité: " + month + " -50", year + " 8900"}) {
		t.Errorf("the invoice says %q", names)
	}
}

func TestSumThatWasShownGetsOld(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	p.advance(14 * day)
	plan := p.plans(1)[0]
	p.advance(subscription.PreviewTTL + time.Minute)
	if code := p.change(1, switchTo(plan)); code != "AMOUNT_CHANGED" || p.subscriptions(1)[0].Product != access.Monthly {
		t.Error(code)
	}
}

func TestRefusedCardChangesNothing(t *testing.T) {
	t.Parallel()
	for _, number := range []string{laterCard, "4000 0027 6000 3184"} {
		p := newEnv(t)
		bought := p.subscribe(1, access.Monthly)
		p.swapCard(bought, number)
		p.advance(time.Hour)
		plan := p.plans(1)[0]
		for range 2 { // it may be tried again
			if code := p.change(1, switchTo(plan)); code != "PAYMENT_FAILED" {
				t.Errorf("%s: %q", number, code)
			}
		}
		if s := p.subscriptions(1)[0]; s.Product != access.Monthly || s.Status != stripe.Active ||
			!slices.Equal(p.paid(), []int64{100}) {
			t.Errorf("%s: %+v, charged %v", number, s, p.paid())
		}
		if n := p.count("SELECT count(*) FROM billing_changes WHERE state = 'refused'"); n != 2 {
			t.Errorf("%s: %d are noted as refused", number, n)
		}
	}
}

// swapCard gives a subscription another card, as its reader does in the portal.
func (p *env) swapCard(s access.Subscription, number string) {
	p.t.Helper()
	remote := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)
	customer, _ := remote["customer"].(string)
	token := map[string]string{
		laterCard: "pm_card_chargeCustomerFail", goodCard: "pm_card_visa",
		disputedCard: "pm_card_createDispute", inquiryCard: "pm_card_createDisputeInquiry",
	}[number]
	if token == "" {
		token = "pm_card_authenticationRequired"
	}
	method, _ := p.api(http.MethodPost, "payment_methods/"+token+"/attach",
		url.Values{"customer": {customer}})["id"].(string)
	p.api(http.MethodPost, "subscriptions/"+s.ProviderID, url.Values{"default_payment_method": {method}})
	p.work()
}

func TestSwitchToAShorterPeriod(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	bought := p.subscribe(1, access.Yearly)
	p.advance(100 * day)
	p.work()
	plan := p.plans(1)[0]
	if plan.Product != access.Monthly || plan.Now || plan.Amount != 0 || !plan.At.Equal(bought.PeriodEnd) {
		t.Fatalf("offered %+v", plan)
	}
	for range 2 {
		if code := p.change(1, switchTo(plan)); code != "" {
			t.Fatal(code)
		}
	}
	if s := p.state(1); s.Next == "" ||
		!slices.Equal(s.Can, []string{access.ChangeStay, access.ChangeCancel}) ||
		p.subscriptions(1)[0].Product != access.Yearly {
		t.Fatalf("planned: %+v", s)
	}
	if code := p.change(1, `{"action":"pause","periods":1}`); code != "SUBSCRIPTION_STATE" {
		t.Errorf("paused: %q", code)
	}
	// It can be taken back, and be planned again.
	if code := p.change(1, `{"action":"stay"}`); code != "" || p.state(1).Next != "" {
		t.Fatalf("stay: %q, %+v", code, p.state(1))
	}
	if code := p.change(1, switchTo(p.plans(1)[0])); code != "" {
		t.Fatal(code)
	}
	p.advance(266 * day)
	p.work()
	s := p.subscriptions(1)[0]
	if s.Product != access.Monthly || s.Next != "" || s.Amount != 796 || !slices.Equal(p.paid(), []int64{796, 8900}) {
		t.Errorf("after the year: %+v, charged %v", s, p.paid())
	}
	// While the schedule still leads.
	if code := p.change(1, `{"action":"cancel"}`); code != "" || p.state(1).State != subscription.StateEnding {
		t.Errorf("cancel: %q, %+v", code, p.state(1))
	}
	p.advance(60 * day)
	p.work()
	if s := p.subscriptions(1)[0]; s.Status != stripe.Canceled || len(p.paid()) != 2 {
		t.Errorf("in the end %+v, charged %v", s, p.paid())
	}
}

// While a schedule leads to the full price, its subscription is cancelled and resumed all the same, and gets no further
// lower price by it.
func TestCancelAndResumeWithinIntroductoryPeriods(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) {
		for i := range d.Billing.Products {
			if d.Billing.Products[i].Intro != nil {
				d.Billing.Products[i].Intro = &edition.Intro{Amount: 100, Periods: 3}
			}
		}
	})
	p.subscribe(1, access.Monthly)
	p.advance(29 * day)
	p.work()
	if s := p.state(1); !slices.Equal(s.Can, []string{access.ChangeCancel}) {
		t.Errorf("offered %v", s.Can)
	}
	if code := p.change(1, `{"action":"cancel"}`) + p.change(1, `{"action":"resume"}`); code != "" {
		t.Fatal(code)
	}
	for range 3 {
		p.advance(28 * day)
		p.work()
	}
	if got := p.paid(); !slices.Equal(got, []int64{796, 796, 100, 100, 100}) {
		t.Errorf("charged %v", got)
	}
}

// Asked twice at once, or again after no answer, the provider does it once.
func TestChangeIsMadeOnce(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	p.advance(time.Hour)
	plan := p.plans(1)[0]
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() { p.post(1, "/fns/stripe-subscription", switchTo(plan)) })
	}
	all.Wait()
	p.work()
	if got := p.paid(); !slices.Equal(got, []int64{plan.Amount, 100}) {
		t.Errorf("charged %v", got)
	}

	p.subscribe(2, access.Monthly)
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Second)
	defer cancel()
	acc := p.account()
	h, err := p.shop.Subscriptions.FetchLive(p.ctx, acc, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.box.SetFaults(sandbox.Faults{API: "timeout"}); err != nil {
		t.Fatal(err)
	}
	id, err := p.shop.Subscriptions.NoteChange(p.ctx, h, subscription.Change{Kind: access.ChangeCancel})
	if err != nil {
		t.Fatal(err)
	}
	remote := subscription.RequestChange(ctx, acc, fmt.Sprintf("change:%s:%d", p.ed.ID, id), h,
		subscription.Change{Kind: access.ChangeCancel})
	if err := p.shop.Subscriptions.SettleChange(p.ctx, id, remote); !errors.Is(err, web.ErrOverloaded) {
		t.Fatalf("no answer: %v", err)
	}
	if again, err := p.shop.Subscriptions.NoteChange(p.ctx, h,
		subscription.Change{Kind: access.ChangeCancel}); err != nil || again != id {
		t.Errorf("the change is %d again, after %d: %v", again, id, err)
	}
	if other, err := p.shop.Subscriptions.NoteChange(p.ctx, h,
		subscription.Change{Kind: access.ChangePause, Periods: 1}); err != nil || other == id {
		t.Errorf("another change is %d: %v", other, err)
	}
	if err := p.box.SetFaults(sandbox.Faults{API: "none"}); err != nil {
		t.Fatal(err)
	}
	if code := p.change(2, `{"action":"cancel"}`); code != "" || p.state(2).State != subscription.StateEnding {
		t.Errorf("%q, %+v", code, p.state(2))
	}
}

func TestChangeWhenTheProviderFails(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	if err := p.box.SetFaults(sandbox.Faults{API: "500"}); err != nil {
		t.Fatal(err)
	}
	if a := p.post(1, "/fns/stripe-subscription", `{"action":"cancel"}`); a.Status != http.StatusServiceUnavailable {
		t.Errorf("%d %v", a.Status, a.Body)
	}
	a := p.call(1, http.MethodPost, "/fns/stripe-subscription", form, url.Values{"action": {"cancel"}}.Encode())
	if to := a.Header.Get("Location"); a.Status != 303 || to != "/account/profile?status=CONNECTION_FAILED" {
		t.Errorf("a form: %d %s", a.Status, to)
	}
	if v, err := p.shop.Subscriptions.PlanForm(p.ctx, 1); err != nil || !v.(subscription.PlanData).Away {
		t.Errorf("the plans are %v, %v", v, err)
	}
	if err := p.box.SetFaults(sandbox.Faults{API: "none"}); err != nil {
		t.Fatal(err)
	}
	p.restart() // the pause of calls after so many failures is over
	if code := p.change(1, `{"action":"cancel"}`); code != "" {
		t.Error(code)
	}
}

func TestChangeForms(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	plan := p.plans(1)[0]
	confirm := url.Values{
		"action": {"switch"}, "product_type": {plan.Product}, "amount": {fmt.Sprint(plan.Amount)},
		"at": {plan.At.Format(time.RFC3339)},
	}
	old := url.Values{
		"action": {"switch"}, "product_type": {plan.Product}, "amount": {"1"},
		"at": {plan.At.Format(time.RFC3339)},
	}
	for _, c := range []struct {
		name   string
		reader int64
		form   url.Values
		to     string
	}{
		{"nobody", 0, url.Values{"action": {"cancel"}}, "/account/login?referrer=%2Faccount%2Fprofile&status=INVALID_TOKEN"},
		{"nothing bought", 2, url.Values{"action": {"cancel"}}, "/account/profile?status=SUBSCRIPTION_STATE"},
		{"no such change", 1, url.Values{"action": {"steal"}}, "/account/profile?status=INVALID_ARGS"},
		{"no number", 1, url.Values{"action": {"pause"}, "periods": {"two"}}, "/account/profile?status=INVALID_ARGS"},
		{
			"no instant", 1,
			url.Values{"action": {"switch"}, "product_type": {access.Yearly}, "at": {"soon"}},
			"/account/focus?status=INVALID_ARGS&type=plan",
		},
		{
			"no sum", 1,
			url.Values{"action": {"switch"}, "product_type": {access.Yearly}, "amount": {"1.5"}},
			"/account/focus?status=INVALID_ARGS&type=plan",
		},
		{
			"nothing that is sold", 1,
			url.Values{"action": {"switch"}, "product_type": {access.NoProduct}},
			"/account/focus?status=INVALID_ARGS&type=plan",
		},
		{"a sum of before", 1, old, "/account/focus?status=AMOUNT_CHANGED&type=plan"},
		{"cancel", 1, url.Values{"action": {"cancel"}}, "/account/profile"},
		{"resume", 1, url.Values{"action": {"resume"}}, "/account/profile"},
		{"pause", 1, url.Values{"action": {"pause"}, "periods": {"2"}}, "/account/profile"},
		{"a switch in a pause", 1, confirm, "/account/focus?status=SUBSCRIPTION_STATE&type=plan"},
		{"unpause", 1, url.Values{"action": {"unpause"}}, "/account/profile"},
		{"switch", 1, confirm, "/account/profile"},
	} {
		a := p.call(c.reader, http.MethodPost, "/fns/stripe-subscription", form, c.form.Encode())
		if a.Status != 303 || a.Header.Get("Location") != c.to {
			t.Errorf("%s: %d %s", c.name, a.Status, a.Header.Get("Location"))
		}
	}
	if a := p.post(2, "/fns/stripe-subscription", `{"user_id":1,"action":"cancel"}`); a.Status != http.StatusForbidden {
		t.Errorf("for somebody else: %d", a.Status)
	}
	if s := p.subscriptions(1)[0]; s.Product != access.Yearly || s.CancelAtPeriodEnd || s.Paused {
		t.Errorf("in the end %+v", s)
	}
}
