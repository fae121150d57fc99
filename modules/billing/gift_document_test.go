package billing

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/paper/edition"
)

// paymentOf is the payment of the newest gift.
func (p *env) paymentOf() string {
	id, _ := p.listed("payment_intents?limit=1")[0]["id"].(string)
	return id
}

// A gift has its invoice from the moment of its payment, also for a buyer without an account; the email links to it.
func TestGiftHasItsInvoice(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for range 2 {
		p.buy(p.gives(`"buyer_name":"","recipient_email":"eva@example.org"`), goodCard)
		p.work()
	}
	p.whole(invoice.TaxInvoice, 2)
	list := p.documents("d.source LIKE 'gift:%'")
	if len(list) != 2 || list[0].Total != 8900 || list[0].Paid != 8900 || list[0].Net != 7236 ||
		list[0].BuyerName() != "giver@example.org" {
		t.Fatalf("%+v", list)
	}
	messages := p.sent("invoice")
	if len(messages) != 2 || messages[0].To != "giver@example.org" {
		t.Fatalf("%+v", messages)
	}
	var way string
	for _, b := range messages[0].Blocks {
		if strings.Contains(b.URL, invoice.PDFPath) {
			way = strings.TrimPrefix(b.URL, p.ed.Origin)
		}
	}
	_, key, _ := strings.Cut(way, "?")
	key = "?" + key
	for _, path := range []string{way, invoice.XMLPath + list[0].Number + key} {
		if a := p.call(0, http.MethodGet, path, "", ""); a.Status != http.StatusOK {
			t.Errorf("%s: %d", path, a.Status)
		}
	}
	for what, path := range map[string]string{
		"no key": invoice.PDFPath + list[0].Number, "another key": way + "x", "the key of another document": invoice.PDFPath +
			list[1].Number + key, "no document": invoice.PDFPath + "FV-2000-000001" + key,
	} {
		if a := p.call(0, http.MethodGet, path, "", ""); a.Status != http.StatusNotFound &&
			a.Status != http.StatusUnauthorized {
			t.Errorf("%s: %d", what, a.Status)
		}
	}
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	mine := p.documents("d.reader_id = 1")
	if a := p.call(0, http.MethodGet, invoice.PDFPath+mine[0].Number+key, "", ""); a.Status != http.StatusNotFound {
		t.Errorf("a reader's document, by the key of a gift: %d", a.Status)
	}
	if a := p.call(1, http.MethodGet, invoice.PDFPath+list[0].Number, "", ""); a.Status != http.StatusNotFound {
		t.Errorf("a gift's document, by a reader: %d", a.Status)
	}
}

// What goes back of a gift, by whomever, has its credit note, and its code opens nothing when all of it has.
func TestGiftThatIsPaidBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parts    []string
		redeemed bool
		left     string // of the code
		reviews  int
	}{
		"in part":                          {parts: []string{"4000"}, left: "ready"},
		"in full":                          {parts: []string{""}, left: "gone"},
		"in parts that make the sum":       {parts: []string{"4000", "4900"}, left: "gone"},
		"in full, and redeemed":            {parts: []string{""}, redeemed: true, left: "used", reviews: 1},
		"in part, and redeemed":            {parts: []string{"4000"}, redeemed: true, left: "used"},
		"in full, and nobody has told":     {parts: []string{""}, left: "gone"},
		"in parts, and nobody has told it": {parts: []string{"1", "8899"}, left: "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			back := p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
			p.work()
			if c.redeemed {
				p.redeems(8, codeIn(t, p.sent("gift")[0]))
			}
			deaf := strings.Contains(name, "nobody")
			for _, part := range c.parts {
				form := url.Values{"payment_intent": {p.paymentOf()}}
				if part != "" {
					form.Set("amount", part)
				}
				p.api(http.MethodPost, "refunds", form)
				if !deaf {
					p.work()
				}
			}
			for range 2 {
				if err := p.shop.Reconciliation.All(p.ctx); err != nil {
					t.Fatal(err)
				}
			}
			p.work()
			p.whole(invoice.CreditNote, len(c.parts))
			if got := p.count("SELECT coalesce(sum(total), 0) FROM billing_documents WHERE kind = 'CN'"); strings.Contains(name,
				"full") && got != 8900 {
				t.Errorf("credit notes over %d", got)
			}
			if g := p.card(back); g.State != c.left {
				t.Errorf("the card: %+v", g)
			}
			if n := p.count("SELECT count(*) FROM billing_parked WHERE resolved_at IS NULL"); n != c.reviews {
				t.Errorf("%d for a person", n)
			}
			if until, _, _, _ := p.standing(8); until.IsZero() == c.redeemed {
				t.Errorf("redeemed %t, access until %s", c.redeemed, until)
			}
		})
	}
}

// The tax of a gift is that of the day on which it is sold, whenever the code is redeemed.
func TestGiftIsTaxedWhenItIsSold(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Billing.OSS = true })
	p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
	p.work()
	p.advance(30 * 24 * time.Hour)
	p.redeems(8, codeIn(t, p.sent("gift")[0]))
	p.work()
	if list := p.documents("true"); len(list) != 1 || list[0].Taxes[0].Permille != 230 {
		t.Errorf("%+v", list)
	}
}
