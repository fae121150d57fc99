package billing

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The link to a code that was typed before the login says after a week that nothing was redeemed, and the code can be
// typed again.
func TestCouponPage_Late(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	code := p.coupons(nil)[0]
	if a := p.post(0, questPath, fmt.Sprintf(`{"user_email":"reader8@example.org","coupon_code":%q}`, code)); a.Status !=
		http.StatusOK || len(p.logins) != 1 {
		t.Fatalf("got %d %v", a.Status, a.Body)
	}
	_, address, _ := strings.Cut(p.logins[0], " ")
	coupon := func(address string) couponData {
		d, ok := p.saleFor(8, address).Data.(saleData)
		if !ok || d.Coupon == nil {
			t.Fatalf("%s: got no coupon", address)
		}
		return *d.Coupon
	}
	if d := coupon(address); d.Late || d.Pending == "" {
		t.Errorf("in time: got %+v, want the code", d)
	}
	p.advance(7*24*time.Hour + time.Minute)
	if d := coupon(address); !d.Late || d.Pending != "" {
		t.Errorf("after a week: got %+v, want late", d)
	}
	for _, other := range []string{"/account/coupon", "/account/coupon?wish=x", "/account/coupon?wish=1.x"} {
		if d := coupon(other); d.Late || d.Pending != "" {
			t.Errorf("%s: got %+v, want the form alone", other, d)
		}
	}
	if a := p.post(8, questPath, fmt.Sprintf(`{"coupon_code":%q}`, code)); a.Status != http.StatusOK {
		t.Errorf("typed again: got %d %v, want 200", a.Status, a.Body)
	}
}
