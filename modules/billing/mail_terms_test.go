package billing

import (
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Whatever is ordered is confirmed with the way to withdraw from it and with the terms, in the email itself and as a
// file.
func TestOrdersAreConfirmedWithTheTerms(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers, func(d *edition.Document) {
		d.Consent.Documents = []edition.ConsentDocument{
			{ID: "terms", Version: "2025-09-01", Static: "podmienky"},
			{ID: "privacy", Version: "1", Static: "sukromie"},
		}
	})
	p.buy(p.order(7, access.Monthly), goodCard)
	p.orders(5)
	p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
	p.work()
	last := i18n.Date(p.ed, p.db.Now().In(p.ed.Location).AddDate(0, 0, 14))
	for _, kind := range []string{"payment", "proforma", "gift_bought"} {
		all := p.sent(kind)
		if len(all) != 1 {
			t.Errorf("%d emails %q", len(all), kind)
			continue
		}
		text := strings.Join(strings.Fields(mail.Text(p.ed, &all[0])), " ")
		for _, want := range []string{
			"14 dní", last, "/account/withdrawal", p.ed.SupportEmail, p.ed.Supplier.Street,
			"1. septembra 2025",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", kind, want, text)
			}
		}
		if len(all[0].Files) == 0 {
			t.Errorf("%s has no file", kind)
			continue
		}
		f := all[0].Files[len(all[0].Files)-1]
		if f.Name != "podmienky-2025-09-01.html" || f.Type != "text/html" ||
			!strings.Contains(string(f.Body), "<p>Text of podmienky.</p>") ||
			!strings.Contains(string(f.Body), "1.\u00a0septembra\u00a02025") {
			t.Errorf("%s has %s, %s:\n%s", kind, f.Name, f.Type, f.Body)
		}
	}
	if all := p.sent("gift"); len(all) != 1 || len(all[0].Files) != 0 {
		t.Errorf("who is given something has ordered nothing: %+v", all)
	}
}
