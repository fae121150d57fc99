package billing

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/event"
)

// Every document is mailed with its file, which is the one that its page offers; saying it again sends nothing more.
func TestDocumentsAreMailedWithTheirFiles(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.post(1, "/fns/user-data-set", `{"data":{`+eva+`}}`)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	of := p.documents("true")[0]
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		return invoice.CreditRefund(ctx, tx, &of, invoice.Refund{ID: "re_1", Sum: 100, At: tx.Now})
	}); err != nil {
		t.Fatal(err)
	}
	due := p.sold("order:1", 8900)
	due.Kind, due.Method, due.Paid, due.Reference = invoice.ProForma, invoice.ByTransfer, false, "2026000001"
	p.issue(due)
	p.work()
	for _, d := range p.documents("true") {
		if err := p.shop.Subscriptions.MailDocument(p.ctx, event.Document{DocumentID: d.ID}); err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := d.WritePDF(&page, p.ed); err != nil {
			t.Fatal(err)
		}
		messages, files := p.sent(invoice.KindWords[d.Kind]), 1
		if d.Kind == invoice.ProForma { // an order, which is confirmed with the terms, and has a payment code
			files = 3
		}
		if len(messages) != 1 || len(messages[0].Files) != files || messages[0].Files[0].Name != d.Number+".pdf" ||
			messages[0].Files[0].Type != "application/pdf" ||
			!bytes.Equal(messages[0].Files[0].Body, page.Bytes()) || !strings.Contains(fmt.Sprint(messages[0].Blocks), "PDF") {
			t.Errorf("%s: %d emails, %.300s", d.Number, len(messages), fmt.Sprint(messages))
		}
	}
}

// What a reader has named for invoices gets documents of that reader and nothing else, and no way into the account.
func TestDocumentsGoToTheAddressForInvoices(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	p.post(1, "/fns/user-data-set", `{"data":{"email":"books@example.org"}}`)
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	p.post(2, "/fns/user-data-set", `{"data":{"email":"Reader2@example.org"}}`)
	p.buy(p.order(2, access.Monthly), goodCard)
	p.work()
	if p.post(3, "/fns/user-data-set", `{"data":{"email":"other@example.org"}}`); p.orders(3).Reference == "" {
		t.Fatal("no order by transfer")
	}
	p.work()
	got := map[string][]string{}
	for _, kind := range []string{"payment", "invoice", "proforma"} {
		for _, l := range p.sent(kind) {
			got[kind] = append(got[kind], l.To)
			if way := slices.ContainsFunc(l.Blocks, func(b mail.Block) bool {
				return b.Kind == "button"
			}); way == (l.To == "books@example.org" || l.To == "other@example.org") {
				t.Errorf("%s to %s, %v", kind, l.To, l.Blocks)
			}
		}
	}
	if want := "map[invoice:[books@example.org reader2@example.org] payment:[reader1@example.org reader2@example.org] " +
		"proforma:[reader3@example.org other@example.org]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, not %s", got, want)
	}
}
