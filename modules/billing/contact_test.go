package billing

import (
	"context"
	"net/http"
	"testing"

	"example.org/broadsheet/platform/db"
)

// A reader's customer at the provider follows to another address; who never bought has none.
func TestAReaderMoves(t *testing.T) {
	t.Parallel()
	p := newPaper(t)
	if err := p.shop.Moved(p.ctx, 7, "new@example.org"); err != nil {
		t.Fatal("without a customer", err)
	}
	p.buy(p.order(7, Monthly), goodCard)
	id := ""
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		id, err = findCustomer(ctx, tx, 7)
		return err
	})
	for range 2 {
		if err := p.shop.Moved(p.ctx, 7, "new@example.org"); err != nil {
			t.Fatal(err)
		}
		if got := p.api(http.MethodGet, "customers/"+id, nil)["email"]; got != "new@example.org" {
			t.Error(got)
		}
	}
	p.api(http.MethodDelete, "customers/"+id, nil)
	if err := p.shop.Moved(p.ctx, 7, "third@example.org"); err != nil {
		t.Error("a customer that is gone:", err)
	}
}
