package billing

import (
	"context"
	"net/http"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
)

// A reader's customer at the provider follows to another address; who never bought has none.
func TestAReaderMoves(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	if err := p.shop.Subscriptions.ChangeEmail(p.ctx, 7, "reader7@example.org", "new@example.org"); err != nil {
		t.Fatal("without a customer", err)
	}
	p.post(7, "/fns/user-data-set", `{"data":{"email":"reader7@example.org"}}`)
	p.post(8, "/fns/user-data-set", `{"data":{"email":"books@example.org"}}`)
	p.buy(p.order(7, access.Monthly), goodCard)
	id := ""
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		id, err = access.FindCustomer(ctx, tx, 7)
		return err
	})
	for range 2 {
		if err := p.shop.Subscriptions.ChangeEmail(p.ctx, 7, "reader7@example.org", "new@example.org"); err != nil {
			t.Fatal(err)
		}
		if got := p.api(http.MethodGet, "customers/"+id, nil)["email"]; got != "new@example.org" {
			t.Error(got)
		}
	}
	if err := p.shop.Subscriptions.ChangeEmail(p.ctx, 8, "reader8@example.org", "new8@example.org"); err != nil {
		t.Fatal(err)
	}
	for reader, want := range map[int64]string{7: "new@example.org", 8: "books@example.org"} {
		if d, _, err := p.shop.Invoices.Buyer(p.ctx, reader); err != nil || d.Email != want {
			t.Errorf("invoices of reader %d go to %s, %v", reader, d.Email, err)
		}
	}
	p.api(http.MethodDelete, "customers/"+id, nil)
	if err := p.shop.Subscriptions.ChangeEmail(p.ctx, 7, "reader7@example.org", "third@example.org"); err != nil {
		t.Error("a customer that is gone:", err)
	}
}
