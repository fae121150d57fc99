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
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
)

func TestCodesAreReadAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	code := voucher.NewCode()
	bare := strings.ReplaceAll(code, "-", "")
	for name, typed := range map[string]string{
		"as printed": code, "small": strings.ToLower(code), "without hyphens": bare,
		"blanks": strings.ReplaceAll(code, "-", " "),
		"dashes": " " + strings.ReplaceAll(code, "-", " – ") + "\n", "dots": strings.ReplaceAll(code, "-", "."),
		"zero width spaces": strings.ReplaceAll(code, "-", "\u200b") + "\u200b", "byte order mark": "\ufeff" + code,
		"soft hyphens": strings.ReplaceAll(code, "-", "\u00ad"), "minus": strings.ReplaceAll(code, "-", "\u2212"),
		"no-break hyphens": strings.ReplaceAll(code, "-", "\u2011"), "word joiner": "\u2060" + code,
		"quotation marks": "„" + code + "“", "guillemets": "«" + code + "»", "straight quotes": `"` + code + `"`,
		"comma": code + ",", "full stop": code + ".", "brackets": "(" + code + ")", "bidi marks": "\u200e" + code + "\u200f",
		"full width": wide(code), "line break": strings.Replace(code, "-", "-\r\n", 1),
	} {
		if voucher.BareCode(typed) != bare {
			t.Errorf("%s: %q is read as %q", name, typed, voucher.BareCode(typed))
		}
	}
	for name, typed := range map[string]string{
		"nothing": "", "one letter less": bare[1:], "one more": bare + "A", "look-alike": "O" + bare[1:],
		"long": strings.Repeat("A", 200), "other script": "А" + bare[1:],
	} {
		if got := voucher.BareCode(typed); got != "" {
			t.Errorf("%s is read as %q", name, got)
		}
	}
	seen := map[string]bool{}
	for range 2000 {
		c := voucher.NewCode()
		if len(c) != 24 || seen[c] || strings.ContainsAny(c, "0O1IL") {
			t.Fatalf("%q", c)
		}
		seen[c] = true
	}
}

// wide writes a code in the full-width letters of East Asian keyboards.
func wide(code string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '\uff01' }, code)
}

// coupons makes codes for the monthly product.
func (p *env) coupons(change func(*voucher.Batch)) []string {
	p.t.Helper()
	b := voucher.Batch{
		Name: fmt.Sprint("batch ", voucher.NewCode()), Product: access.Monthly, Count: 1, Periods: 1, Uses: 1,
		Until: p.db.Now().AddDate(0, 1, 0),
	}
	if change != nil {
		change(&b)
	}
	codes, err := voucher.CreateCoupons(p.ctx, p.db, b)
	if err != nil {
		p.t.Fatal(err)
	}
	return codes
}

const questPath = "/fns/stripe-quest-payment"

func (p *env) redeems(reader int64, code string) answer {
	p.t.Helper()
	return p.post(reader, questPath, fmt.Sprintf(`{"coupon_code":%q,"referrer":"/1/clanok"}`, code))
}

func TestFiftyRedemptionsHaveOneWinner(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for _, uses := range []int{1, 7} {
		code := p.coupons(func(b *voucher.Batch) { b.Uses = uses })[0]
		var all sync.WaitGroup
		var mu sync.Mutex
		won, lost := 0, 0
		for i := range 50 {
			all.Go(func() {
				_, err := p.shop.vouchers.Redeem(p.ctx, int64(1000*uses+i), code, fmt.Sprint("192.0.2.", i))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won++
				case errors.Is(err, voucher.ErrCoupon) || strings.Contains(err.Error(), voucher.ErrCoupon.Code):
					lost++
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won != uses || lost != 50-uses {
			t.Errorf("%d won and %d lost a code for %d", won, lost, uses)
		}
		if n := p.count("SELECT count(*) FROM billing_redemptions r JOIN billing_coupons c ON c.id = r.coupon_id WHERE "+
			"c.uses = ? AND c.remaining = 0", uses); n != uses {
			t.Errorf("%d redemptions of %d", n, uses)
		}
	}
}

// One reader who presses the button fifty times uses a code up once.
func TestOneReaderRedeemsOnce(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	code := p.coupons(func(b *voucher.Batch) { b.Uses = 50 })[0]
	var all sync.WaitGroup
	ends := make([]time.Time, 8)
	for i := range ends {
		all.Go(func() {
			until, err := p.shop.vouchers.Redeem(p.ctx, 7, code, "192.0.2.1")
			if err != nil {
				t.Error(err)
			}
			ends[i] = until
		})
	}
	all.Wait()
	for _, end := range ends {
		if !end.Equal(ends[0]) {
			t.Errorf("%s and %s", end, ends[0])
		}
	}
	if n := p.count("SELECT remaining FROM billing_coupons"); n != 49 {
		t.Errorf("%d are left", n)
	}
}

func TestWhatACodeOpens(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	a := p.redeems(7, strings.ToLower(p.coupons(func(b *voucher.Batch) { b.Periods = 2 })[0]))
	data, _ := a.Body["data"].(map[string]any)
	if a.Status != http.StatusOK || data["redirect"] != "/account/coupon?done=1&referrer=%2F1%2Fclanok" {
		t.Fatalf("%d %v", a.Status, a.Body)
	}
	until, product, trial, _ := p.standing(7)
	if want := p.db.Now().AddDate(0, 0, 56); until.Sub(want).Abs() > time.Minute || product != access.Monthly || trial {
		t.Errorf("%s %s %v", until, product, trial)
	}
	if a := p.redeems(7, p.coupons(nil)[0]); a.Status != http.StatusOK { // a second one begins where the first ends
		t.Fatal(a)
	}
	more, _, _, _ := p.standing(7)
	if more.Sub(until) != 28*day {
		t.Errorf("%s after %s", more, until)
	}
	got, err := p.shop.Subscriptions.Profile(p.ctx, 7)
	if s, ok := got.(subscription.Profile); err != nil || !ok || s.State != subscription.StateGiven ||
		!s.Until.Equal(more) ||
		s.Product == "" {
		t.Errorf("the profile says %+v %v", got, err)
	}
	p.advance(85 * day)
	if until, product, _, _ := p.standing(7); !until.IsZero() || product != access.NoProduct {
		t.Errorf("after its end: %s %s", until, product)
	}
	if paid := p.paid(); len(paid) != 0 {
		t.Errorf("paid %v", paid)
	}
}

// Who pays already pays nothing for the days that were given: the next payment comes after them.
func TestACodeMovesTheNextPayment(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	before := p.subscriptions(7)[0]
	for _, code := range p.coupons(func(b *voucher.Batch) { b.Count = 2 }) {
		if a := p.redeems(7, code); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	}
	p.work()
	want := before.PeriodEnd.AddDate(0, 0, 56)
	if s := p.subscriptions(7)[0]; !s.PeriodEnd.Equal(want) || s.CancelAtPeriodEnd {
		t.Fatalf("the next payment is at %s, not %s", s.PeriodEnd, want)
	}
	p.advance(80 * day)
	p.work()
	if got := p.paid(); len(got) != 1 {
		t.Errorf("paid within the days that were given: %v", got)
	}
	p.advance(5 * day)
	p.work()
	if got := p.paid(); len(got) != 2 || got[0] != 796 {
		t.Errorf("paid after them: %v", got)
	}
	if until, _, _, _ := p.standing(7); !until.After(p.db.Now()) {
		t.Errorf("until %s", until)
	}
}

func TestCodesThatOpenNothing(t *testing.T) {
	t.Parallel()
	papers := newEnvs(t, 2)
	p := papers[0]
	spent, revoked, over := p.coupons(nil)[0], p.coupons(nil)[0], p.coupons(func(b *voucher.Batch) {
		b.Until = p.db.Now().Add(time.Hour)
	})[0]
	early := p.coupons(func(b *voucher.Batch) { b.From = p.db.Now().Add(48 * time.Hour) })[0]
	if a := p.redeems(3, spent); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	if n, err := voucher.RevokeCoupons(p.ctx, p.db, revoked, true); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	if n, err := voucher.RevokeCoupons(p.ctx, p.db, strings.ToLower(revoked), false); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	if _, err := voucher.RevokeCoupons(p.ctx, p.db, "nothing of the kind", false); err == nil {
		t.Error("what is not there was revoked")
	}
	p.advance(2 * time.Hour)
	reader := int64(100)
	for name, code := range map[string]string{
		"unknown": voucher.NewCode(), "spent": spent, "revoked": revoked, "over": over, "early": early,
		"foreign edition": papers[1].coupons(nil)[0], "no code": "hello", "empty": " ",
	} {
		reader++
		a := p.redeems(reader, code)
		if a.Status != http.StatusUnprocessableEntity || a.Body["error"] != "INVALID_COUPON_CODE" ||
			a.Body["field"] != "coupon_code" {
			t.Errorf("%s: %d %v", name, a.Status, a.Body)
		}
		guest := p.post(0, questPath, fmt.Sprintf(`{"user_email":"guest%d@example.org","coupon_code":%q}`, reader, code))
		if fmt.Sprint(guest.Status, guest.Body) != fmt.Sprint(a.Status, a.Body) {
			t.Errorf("%s, a visitor: %d %v", name, guest.Status, guest.Body)
		}
		form := p.call(reader, http.MethodPost, questPath, "application/x-www-form-urlencoded",
			url.Values{"coupon_code": {code}, "form": {"coupon"}}.Encode())
		if to := form.Header.Get("Location"); form.Status != http.StatusSeeOther ||
			to != "/account/coupon?status=INVALID_COUPON_CODE" {
			t.Errorf("%s, a plain form: %d %s", name, form.Status, to)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_redemptions"); n != 1 || len(p.logins) != 0 {
		t.Errorf("%d redemptions, %d mails", n, len(p.logins))
	}
}

func TestCodesAreTriedSeldom(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	good := p.coupons(nil)[0]
	for range voucher.CodesOfPerson.Max {
		p.redeems(7, voucher.NewCode())
	}
	if a := p.redeems(7, good); a.Status != http.StatusTooManyRequests {
		t.Errorf("the account may try again: %d %v", a.Status, a.Body)
	}
	for i := range voucher.CodesOfNetwork.Max {
		p.view(func(ctx context.Context, tx db.Tx) error {
			_, err := voucher.MayTry(ctx, tx, "198.51.100.7", fmt.Sprint("reader:", 1000+i))
			return err
		})
	}
	if _, err := p.shop.vouchers.Redeem(p.ctx, 8, good, "198.51.100.7"); err == nil ||
		!strings.Contains(err.Error(), "TOO_MANY") {
		t.Errorf("the network may try again: %v", err)
	}
	p.advance(2 * time.Hour)
	if a := p.redeems(7, good); a.Status != http.StatusOK {
		t.Errorf("an hour later: %d %v", a.Status, a.Body)
	}
}

func TestWhatIsNotMade(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.coupons(func(b *voucher.Batch) { b.Name = "spring" })
	for name, change := range map[string]func(*voucher.Batch){
		"none": func(b *voucher.Batch) {
			b.Count = 0
		}, "too many": func(b *voucher.Batch) {
			b.Count = voucher.MaxCoupons + 1
		}, "unknown product": func(b *voucher.Batch) { b.Product = "gold" },
		"free product": func(b *voucher.Batch) {
			b.Product = access.NoProduct
		}, "over": func(b *voucher.Batch) {
			b.Until = p.db.Now()
		}, "for ever": func(b *voucher.Batch) { b.Until = p.db.Now().AddDate(20, 0, 0) },
		"no use": func(b *voucher.Batch) {
			b.Uses = 0
		}, "no period": func(b *voucher.Batch) { b.Periods = 0 }, "no name": func(b *voucher.Batch) { b.Name = " " },
		"the same name": func(b *voucher.Batch) { b.Name = "spring" },
	} {
		b := voucher.Batch{
			Name: name, Product: access.Monthly, Count: 1, Periods: 1, Uses: 1,
			Until: p.db.Now().AddDate(0, 1, 0),
		}
		change(&b)
		if codes, err := voucher.CreateCoupons(p.ctx, p.db, b); err == nil || len(codes) != 0 {
			t.Errorf("%s: %d codes, %v", name, len(codes), err)
		}
	}
	list, err := voucher.ListCoupons(p.ctx, p.db)
	if err != nil || len(list) != 1 || list[0].Name != "spring" || list[0].Remaining != 1 {
		t.Errorf("%+v %v", list, err)
	}
}

// A visitor gets a login mail that leads to the code or to the payment, and the email with the way to pay.
func TestVisitorsWishes(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	code := p.coupons(nil)[0]
	a := p.post(0, questPath, fmt.Sprintf(`{"user_email":"Reader8@example.org","coupon_code":%q}`, code))
	data, _ := a.Body["data"].(map[string]any)
	to, _ := data["redirect"].(string)
	if a.Status != http.StatusOK || !strings.HasPrefix(to, "/account/sent?") ||
		!strings.Contains(to, "type=thankyou-coupon") || !strings.Contains(to, "status=SPECIAL_OFFER_SUCCESS") {
		t.Fatalf("%d %v", a.Status, a.Body)
	}
	if len(p.logins) != 1 || !strings.HasPrefix(p.logins[0], "reader8@example.org /account/coupon?wish=") {
		t.Fatalf("login mails: %q", p.logins)
	}
	_, wish, _ := strings.Cut(p.logins[0], "wish=")
	wish, err := url.QueryUnescape(wish)
	if err != nil {
		t.Fatal(err)
	}
	if a := p.post(0, questPath, fmt.Sprintf(`{"wish":%q}`, wish)); a.Status != http.StatusUnauthorized {
		t.Errorf("without a login: %d %v", a.Status, a.Body)
	}
	if a := p.post(8, questPath, fmt.Sprintf(`{"wish":%q}`, wish+"x")); a.Body["error"] != "INVALID_COUPON_CODE" {
		t.Errorf("a link that is none: %d %v", a.Status, a.Body)
	}
	if a := p.post(8, questPath, fmt.Sprintf(`{"wish":%q}`, wish)); a.Status != http.StatusOK {
		t.Fatalf("%d %v", a.Status, a.Body)
	}
	if until, product, _, _ := p.standing(8); until.IsZero() || product != access.Monthly {
		t.Errorf("%s %s", until, product)
	}

	form := p.call(0, http.MethodPost, questPath, "application/x-www-form-urlencoded",
		"user_email=reader9@example.org&product_type=product_yearly")
	if to := form.Header.Get("Location"); form.Status != http.StatusSeeOther ||
		!strings.Contains(to, "type=thankyou-campaign") || !strings.Contains(to, "SPECIAL_OFFER_SUCCESS") {
		t.Fatalf("%d %s", form.Status, to)
	}
	p.work()
	messages := p.sent("payment_link")
	if len(messages) != 1 || messages[0].To != "reader9@example.org" ||
		p.logins[1] != "reader9@example.org /account?pay=1&product_type=product_yearly" {
		t.Fatalf("%+v %q", messages, p.logins)
	}
	for range 3 {
		form = p.call(0, http.MethodPost, questPath, "application/x-www-form-urlencoded",
			"user_email=reader9@example.org&product_type=product_yearly")
	}
	if to := form.Header.Get("Location"); to != "/account/campaign?product_type=product_yearly&status=TOO_MANY_REQUESTS" {
		t.Errorf("a fourth email: %s", to)
	}
	for name, c := range map[string][2]string{
		"no address": {`{"user_email":"nobody","product_type":"product_yearly"}`, "INVALID_EMAIL"},
		"no product": {`{"user_email":"a@example.org","product_type":"gold"}`, "INVALID_ARGS"},
		"nothing":    {`{"user_email":"a@example.org"}`, "INVALID_COUPON_CODE"},
	} {
		if a := p.post(0, questPath, c[0]); a.Body["error"] != c[1] {
			t.Errorf("%s: %v", name, a.Body)
		}
	}
}

// A reader goes to the checkout at once.
func TestReadersTakeAnOffer(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	a := p.post(1, questPath, `{"product_type":"product_yearly","referrer":"/1/clanok"}`)
	data, _ := a.Body["data"].(map[string]any)
	to, _ := data["redirect"].(string)
	if a.Status != http.StatusOK || to == "" {
		t.Fatalf("%d %v", a.Status, a.Body)
	}
	p.buy(to, goodCard)
	p.work()
	if a := p.post(1, questPath, `{"product_type":"product_yearly"}`); a.Body["error"] != "USER_HAS_SUBSCRIPTION" {
		t.Errorf("a second time: %v", a.Body)
	}
	if err := p.box.SetFaults(sandboxDown); err != nil {
		t.Fatal(err)
	}
	// What the answer names, is sent; and where no more of it is, it is not named.
	for i, want := range []string{
		"UNABLE_TO_CREATE_PAYMENT", "UNABLE_TO_CREATE_PAYMENT", "UNABLE_TO_CREATE_PAYMENT",
		"PAYMENT_FAILED",
	} {
		if a := p.post(2, questPath, `{"product_type":"product_yearly"}`); a.Status != http.StatusServiceUnavailable ||
			a.Body["error"] != want {
			t.Errorf("while the provider is away, time %d: %d %v", i+1, a.Status, a.Body)
		}
	}
	p.work()
	messages := p.sent("payment_link")
	if len(messages) != 3 || messages[0].To != "reader2@example.org" {
		t.Errorf("emails: %+v", messages)
	}
}
