package billing

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/access"
)

// A promotion code of the provider takes something off at the checkout, where no introductory price does; the invoice
// is over what was paid.
func TestPromotionCode(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	off, _ := p.api(http.MethodPost, "coupons", url.Values{"percent_off": {"25"}, "duration": {"once"}})["id"].(string)
	p.api(http.MethodPost, "promotion_codes", url.Values{"coupon": {off}, "code": {"LETO"}})
	promote := func(address string) string {
		_, body := p.submit(address, url.Values{"action": {"promo"}, "promotion_code": {"leto"}})
		return body
	}
	if body := promote(p.order(2, access.Monthly)); strings.Contains(body, "0,75") {
		t.Error("the introductory price was made cheaper still")
	}
	order := p.order(1, access.Yearly)
	promote(order)
	p.buy(order, goodCard)
	p.work()
	s := p.subscriptions(1)[0]
	list := p.documents("d.reader_id = 1")
	if s.Paid != 6675 || s.Amount != 8900 || len(list) != 1 || list[0].Total != 6675 ||
		list[0].Net+list[0].VAT+list[0].Rounding != 6675 {
		t.Errorf("%+v\n%+v", s, list)
	}
	if until, _, _, _ := p.standing(1); until.IsZero() {
		t.Error("it opens nothing")
	}
}
