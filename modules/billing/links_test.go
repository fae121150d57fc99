package billing

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
)

// mailedTexts are the texts that somebody writes and the paper mails to an address that is not known to be theirs.
var mailedTexts = []struct {
	path, field string
	reader      int64
	firm        bool // it may be the name of a host, and no more
	form        map[string]string
}{
	{"/fns/gift-payment", "message", 0, false, map[string]string{
		"product_type": access.Yearly, "buyer_email": "giver@example.org",
	}},
	{"/fns/gift-payment", "buyer_name", 0, false, map[string]string{
		"product_type": access.Yearly, "buyer_email": "giver@example.org",
	}},
	{"/fns/withdrawal", "name", 0, false, map[string]string{"email": "somebody@example.org", "contract": "gift"}},
	{"/fns/user-data-set", "name", 1, false, map[string]string{"email": "books@example.org", "country": "SK"}},
	{"/fns/user-data-set", "line1", 1, true, map[string]string{"email": "books@example.org", "country": "SK"}},
	{"/fns/user-data-set", "line2", 1, true, map[string]string{"email": "books@example.org", "country": "SK"}},
	{"/fns/user-data-set", "city", 1, true, map[string]string{"email": "books@example.org", "country": "SK"}},
	{"/fns/user-data-set", "company_name", 1, true, map[string]string{"email": "books@example.org", "country": "SK"}},
}

// No letter of the paper carries a stranger's link to anybody, and ordinary words are no links.
func TestMailedTexts(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for _, m := range mailedTexts {
		send := func(text string) answer {
			p.view(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.NewRaw("DELETE FROM rate_limits").Exec(ctx)
				return err
			})
			m.form[m.field] = text
			var body any = m.form
			if m.reader != 0 {
				body = map[string]any{"data": m.form}
			}
			b, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			return p.post(m.reader, m.path, string(b))
		}
		for _, text := range []string{
			"Gewinn: https://evil.example/x holen", "pozri www.darcek", "1.2.3.4/x", "píš na eva@shop.sk", "x＠evil.example",
			"www\u00ad.evil", "Evil.To/x", "evil．com/x", "[2001:db8::1]",
		} {
			if a := send(text); a.Status != http.StatusUnprocessableEntity || a.Body["error"] != "LINK_NOT_ALLOWED" ||
				a.Body["field"] != m.field {
				t.Errorf("%s %s %q: got %d %v, want 422 LINK_NOT_ALLOWED", m.path, m.field, text, a.Status, a.Body)
			}
		}
		for _, text := range []string{"evil\u200b.com", "(výhra.top)", "evil。example"} {
			if a := send(text); (a.Status == http.StatusOK) != m.firm {
				t.Errorf("%s %s %q: got %d %v", m.path, m.field, text, a.Status, a.Body)
			}
		}
		for _, text := range []string{
			"Jana Nová", "Ing.Mária Dr.Eva", "Nová s.r.o.", "Všetko naj.Tvoja mama", "babka.Je to pre Teba!", "9.5.2027",
			"3.50/kg", "Krásne čítanie,\nbabka\ta dedko", "o 8.30, 24.12.2026 …", "50 % č. 3",
			"Krásne sviatky 👨\u200d👩\u200d👧", "a\x00b\u202ec\x1b[2J", "z kopírovania\u200b\ufeff", "می\u200cخواهم",
		} {
			if a := send(text); a.Status != http.StatusOK {
				t.Errorf("%s %s %q: got %d %v, want 200", m.path, m.field, text, a.Status, a.Body)
			}
		}
	}
}
