package billing

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/withdrawal"
)

// life is what one reader does in the year.
type life struct {
	*env
	year   *year
	reader int64
	kind   *yearKind
	from   time.Time // of the first step
	given  time.Time // until when a trial, a code or a gift opens
	trial  time.Time // until when a trial does, if nothing is bought
}

// step is one thing that a reader does, so many days after the first.
type step struct {
	after int
	do    func(*life)
}

// yearKind is a kind of lives, and the emails that each of them gets besides those about documents.
type yearKind struct {
	name  string
	count int // in each edition
	last  int // day of the year on which the last of them begins
	steps []step
	want  map[string]int
}

func buys(product string) func(*life) {
	return func(l *life) {
		l.buy(l.order(l.reader, product), goodCard)
		l.trial = time.Time{}
	}
}

// asks asks for a change of the subscription in the profile.
func asks(body string) func(*life) {
	return func(l *life) {
		if a := l.post(l.reader, "/fns/stripe-subscription", body); a.Status != http.StatusOK {
			l.t.Errorf("%s of %s, reader %d: %d %v", body, l.ed.ID, l.reader, a.Status, a.Body)
		}
	}
}

func switches(l *life) {
	plans := l.plans(l.reader)
	if len(plans) != 1 {
		l.t.Errorf("reader %d of %s can change to %+v", l.reader, l.ed.ID, plans)
		return
	}
	asks(switchTo(plans[0]))(l)
}

// held is the subscription that a reader has bought last, as the provider has it.
func (l *life) held() map[string]any {
	l.t.Helper()
	list := l.listed("subscriptions?limit=1&status=all&customer=" + l.customer())
	if len(list) == 0 {
		l.t.Fatalf("reader %d of %s has bought nothing", l.reader, l.ed.ID)
	}
	return list[0]
}

// customer is a reader's at the provider; "" for none.
func (l *life) customer() string {
	var list []string
	l.rows(&list, "SELECT provider_id FROM billing_customers WHERE reader_id = ?", l.reader)
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func hasCard(token string) func(*life) {
	return func(l *life) {
		method, _ := l.api(http.MethodPost, "payment_methods/"+token+"/attach",
			url.Values{"customer": {l.customer()}})["id"].(string)
		l.api(http.MethodPost, "subscriptions/"+fmt.Sprint(l.held()["id"]), url.Values{"default_payment_method": {method}})
	}
}

// Cards by the provider's tokens.
const (
	cardGood     = "pm_card_visa"
	cardFails    = "pm_card_chargeCustomerFail"
	cardDisputes = "pm_card_createDispute"
)

// makesGood pays what is open with a card that works.
func makesGood(l *life) {
	hasCard(cardGood)(l)
	s := l.held()
	l.api(http.MethodPost, "invoices/"+fmt.Sprint(s["latest_invoice"])+"/pay",
		url.Values{"payment_method": {fmt.Sprint(s["default_payment_method"])}})
}

func getsBack(amount string) func(*life) {
	return func(l *life) { l.refundInvoice(fmt.Sprint(l.held()["latest_invoice"]), amount) }
}

func begins(l *life) {
	if err := l.shop.Subscriptions.BeginTrial(l.ctx, l.reader); err != nil {
		l.t.Error(err)
	}
	l.trial = l.db.Now().AddDate(0, 0, 28)
}

// redeemsCode takes a code; what it opens begins at the end of what the reader has paid for.
func (l *life) redeemsCode(code string, every func(time.Time) time.Time) {
	from := l.db.Now()
	if l.customer() != "" {
		end, _ := l.held()["current_period_end"].(float64)
		from = access.Later(from, time.Unix(int64(end), 0))
	}
	if a := l.redeems(l.reader, code); a.Status != http.StatusOK {
		l.t.Errorf("a code of reader %d of %s: %d %v", l.reader, l.ed.ID, a.Status, a.Body)
	}
	l.given = every(from)
}

func redeemsCoupon(l *life) {
	l.redeemsCode(l.coupons(nil)[0], func(t time.Time) time.Time { return t.AddDate(0, 0, 28) })
}

func (l *life) giver() string { return fmt.Sprintf("giver%d@example.org", l.reader) }

// isGiven has somebody buy a gift for the reader, to be mailed after some days; -1: it is handed over.
func isGiven(days int) func(*life) {
	return func(l *life) {
		email, _, _ := l.Contact(l.ctx, l.reader)
		fields := fmt.Sprintf(`"buyer_name":"Mara","recipient_email":%q,"send_on":%q`, email,
			l.db.Now().In(l.ed.Location).AddDate(0, 0, days).Format(time.DateOnly))
		if days < 0 {
			fields = `"buyer_name":"Mara"`
		}
		a := l.post(0, "/fns/gift-payment",
			fmt.Sprintf(`{"product_type":"product_yearly","buyer_email":%q,%s}`, l.giver(), fields))
		data, _ := a.Body["data"].(map[string]any)
		to, _ := data["redirect"].(string)
		if to == "" {
			l.t.Fatalf("no checkout of a gift: %d %v", a.Status, a.Body)
		}
		l.buy(to, goodCard)
	}
}

func redeemsGift(l *life) {
	email, _, _ := l.Contact(l.ctx, l.reader)
	l.redeemsCode(codeShape.FindString(l.year.messageTo(l.env, email)), func(t time.Time) time.Time {
		return t.AddDate(1, 0, 0)
	})
}

func withdraws(contract string) func(*life) {
	return func(l *life) {
		email, _, _ := l.Contact(l.ctx, l.reader)
		if contract == withdrawal.OfSubscription {
			if a := l.withdraws(l.reader, l.states(email, contract)); a.Status != http.StatusOK {
				l.t.Errorf("a withdrawal of reader %d of %s: %d %v", l.reader, l.ed.ID, a.Status, a.Body)
			}
			return
		}
		email = l.giver()
		l.confirms(l.states(email, contract))
		if a := l.confirms(l.mailedLink(email)); a.Status != http.StatusOK {
			l.t.Errorf("a withdrawal of reader %d of %s: %d %v", l.reader, l.ed.ID, a.Status, a.Body)
		}
	}
}

func ordersTransfer(l *life) { l.orders(l.reader) }

// paysTransfer has the bank's statement say that the money came.
func paysTransfer(l *life) {
	paid := came{ref: l.transferOf(l.reader).Reference, currency: l.ed.Billing.Currency, id: fmt.Sprint("year ", l.reader)}
	if out := l.imports(paid); out.Matched != 1 {
		l.t.Errorf("the statement for reader %d of %s: %+v", l.reader, l.ed.ID, out)
	}
	l.given = l.db.Now().AddDate(1, 0, 0)
}

// yearKinds are a hundred lives in each edition.
var yearKinds = []yearKind{
	{
		"month by month, at the introductory price first", 9, 8,
		[]step{{0, buys(access.Monthly)}},
		map[string]int{"payment": 1, "renewal": 1},
	},
	{
		"month by month, without it", 5, 200,
		[]step{{0, buys(access.Monthly)}, {3, asks(`{"action":"cancel"}`)}, {40, buys(access.Monthly)}},
		map[string]int{"subscription_changed": 1, "payment": 2, "access_ended": 1},
	},
	{"year by year", 10, 8, []step{{0, buys(access.Yearly)}}, map[string]int{"payment": 1, "renewal": 1}},
	{"a trial that ends", 6, 330, []step{{0, begins}}, map[string]int{"trial_ending": 1, "access_ended": 1}},
	{
		"a trial, bought early", 5, 300,
		[]step{{0, begins}, {10, buys(access.Monthly)}},
		map[string]int{"payment": 1, "renewal": 2},
	},
	{
		"a trial, bought at the reminder", 3, 300,
		[]step{{0, begins}, {26, buys(access.Monthly)}},
		map[string]int{"trial_ending": 1, "payment": 1, "renewal": 1},
	},
	{
		"a trial, bought after its end", 3, 300,
		[]step{{0, begins}, {33, buys(access.Yearly)}},
		map[string]int{"trial_ending": 1, "access_ended": 1, "payment": 1},
	},
	{
		"cancelled", 5, 340,
		[]step{{0, buys(access.Monthly)}, {10, asks(`{"action":"cancel"}`)}},
		map[string]int{"subscription_changed": 1, "payment": 1, "access_ended": 1},
	},
	{
		"cancelled and resumed", 4, 300,
		[]step{{0, buys(access.Monthly)}, {10, asks(`{"action":"cancel"}`)}, {15, asks(`{"action":"resume"}`)}},
		map[string]int{"subscription_changed": 2, "payment": 1, "renewal": 1},
	},
	{
		"paused", 4, 250,
		[]step{{0, buys(access.Monthly)}, {35, asks(`{"action":"pause","periods":2}`)}},
		map[string]int{"subscription_changed": 2, "payment": 1, "renewal": 1},
	},
	{
		"paused, and back before its end", 2, 250,
		[]step{{0, buys(access.Monthly)}, {35, asks(`{"action":"pause","periods":3}`)}, {70, asks(`{"action":"unpause"}`)}},
		map[string]int{"subscription_changed": 2, "payment": 1, "renewal": 1},
	},
	{
		"to the longer plan", 4, 300,
		[]step{{0, buys(access.Monthly)}, {40, switches}},
		map[string]int{"subscription_changed": 1, "payment": 1, "renewal": 1},
	},
	{
		"to the shorter plan", 3, 8,
		[]step{{0, buys(access.Yearly)}, {30, switches}},
		map[string]int{"subscription_changed": 1, "payment": 1, "renewal": 1},
	},
	{
		"a card that fails, made good", 3, 250,
		[]step{{0, buys(access.Monthly)}, {30, hasCard(cardFails)}, {58, makesGood}},
		map[string]int{"payment": 1, "renewal": 1, "payment_due": 1},
	},
	{
		"a card that fails, made good late", 3, 250,
		[]step{{0, buys(access.Monthly)}, {30, hasCard(cardFails)}, {61, makesGood}},
		map[string]int{"payment": 1, "renewal": 1, "payment_due": 2},
	},
	{
		"a card that fails for good", 5, 280,
		[]step{{0, buys(access.Monthly)}, {30, hasCard(cardFails)}},
		map[string]int{"payment": 1, "renewal": 1, "payment_due": 3, "subscription_changed": 1},
	},
	{
		"paid back in full", 3, 250,
		[]step{{0, buys(access.Monthly)}, {5, getsBack("")}},
		map[string]int{"payment": 1, "subscription_changed": 1},
	},
	{
		"paid back in part", 3, 8,
		[]step{{0, buys(access.Yearly)}, {20, getsBack("4000")}},
		map[string]int{"payment": 1, "renewal": 1},
	},
	{
		"taken back by the bank", 3, 250,
		[]step{{0, buys(access.Monthly)}, {30, hasCard(cardDisputes)}},
		map[string]int{"payment": 1, "renewal": 1, "dispute": 1},
	},
	{
		"a code, to somebody new", 3, 300,
		[]step{{0, redeemsCoupon}},
		map[string]int{"access_ending": 1, "access_ended": 1},
	},
	{
		"a code, to a subscriber", 3, 250,
		[]step{{0, buys(access.Monthly)}, {10, redeemsCoupon}},
		map[string]int{"payment": 1, "renewal": 1},
	},
	{
		"a gift, to somebody new", 2, 300,
		[]step{{0, isGiven(20)}, {22, redeemsGift}},
		map[string]int{"gift": 1, "gift_bought": 1},
	},
	{
		"a gift, to a subscriber", 2, 250,
		[]step{{0, buys(access.Monthly)}, {5, isGiven(0)}, {40, redeemsGift}},
		map[string]int{"payment": 1, "renewal": 1, "gift": 1, "gift_bought": 1},
	},
	{"by transfer", 2, 300, []step{{28, ordersTransfer}, {33, paysTransfer}}, map[string]int{"payment": 1}},
	{
		"by transfer, paid at the last moment", 1, 300,
		[]step{{28, ordersTransfer}, {55, paysTransfer}},
		map[string]int{"payment": 1, "transfer_due": 1},
	},
	{"by transfer, never paid", 1, 300, []step{{0, ordersTransfer}}, map[string]int{"transfer_due": 1}},
	{
		"withdrawn", 2, 340,
		[]step{{0, buys(access.Monthly)}, {10, withdraws(withdrawal.OfSubscription)}},
		map[string]int{"payment": 1, "withdrawal": 1, "subscription_changed": 1},
	},
	{
		"a gift, withdrawn", 1, 340,
		[]step{{0, isGiven(30)}, {10, withdraws(withdrawal.OfGift)}},
		map[string]int{"gift_bought": 1, "withdrawal": 1},
	},
}
