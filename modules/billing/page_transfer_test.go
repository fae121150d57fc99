package billing

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/payqr"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// slipPage asks for the page of an order, as a reader or as nobody.
func (p *env) slipPage(reader int64, address string) (*transfer.Data, error) {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	ctx := p.ctx
	if reader != 0 {
		ctx = session.With(ctx, session.Session{ID: reader, ReaderID: reader})
	}
	answer, err := p.shop.salePage(ctx,
		&page.Request{
			Edition: p.ed, Path: u.Path, Params: map[string]string{"saleStep": links.StepTransfer}, Query: u.Query(),
		})
	if err != nil {
		return nil, err
	}
	if !answer.NoStore || answer.Meta.Robots != "noindex" {
		p.t.Error("the page may be kept")
	}
	return answer.Data.(saleData).Transfer, nil
}

// Without a link the page is the reader's own order; who has none goes to the products, and a visitor to the login.
func TestOnesOwnTransfer(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	p.orders(5)
	if own, err := p.slipPage(5, "/account/transfer"); err != nil || own == nil ||
		own.Reference != p.transferOf(5).Reference || own.Document == "" {
		t.Errorf("%+v %v", own, err)
	}
	for reader, want := range map[int64]string{6: "/account", 0: "/account/login?referrer=%2Faccount%2Ftransfer"} {
		if got := p.saleFor(reader, "/account/transfer"); got.Redirect != want || !got.NoStore {
			t.Errorf("reader %d: leads to %q", reader, got.Redirect)
		}
	}
}

// The page of an order has what a bank needs, for whoever has its address, in the form of each country; and its picture
// as long as it is open.
func TestThePageOfATransfer(t *testing.T) {
	t.Parallel()
	accounts := []struct{ country, iban, bic, kind, format string }{
		{"SK", "SK3112000000198742637541", "TESTSKBX", "symbol", "bysquare"},
		{"AT", "AT879993000198742637", "LINDATWX", "rf", "epc"},
		{"CH", "CH8199812000198742637", "ROSECHZX", "rf", "swiss"},
		{"CH", "CH4431999123000889012", "ROSECHZX", "qrr", "swiss"},
	}
	for _, c := range accounts {
		p := newEnv(t, takesTransfers, func(d *edition.Document) {
			if payqr.IsQRIBAN(c.iban) {
				d.Bank.Booked = behindQR
			}
			d.Bank.IBAN, d.Bank.BIC, d.Supplier.Country, d.Supplier.Postal = c.iban, c.bic, c.country,
				map[string]string{"SK": "811 01", "AT": "1010", "CH": "8005"}[c.country]
		})
		to, err := p.shop.Subscriptions.Pay(p.ctx, 5, subscription.Order{Product: access.Yearly, Method: transfer.MethodIBAN})
		if err != nil {
			t.Fatal(c.country, err)
		}
		own, err := p.slipPage(5, to)
		if err != nil {
			t.Fatal(err)
		}
		want := p.transferOf(5)
		if own.State != transfer.StateOpen || own.Kind != c.kind || own.Format != c.format ||
			strings.ReplaceAll(own.Reference, " ", "") != want.Reference ||
			strings.ReplaceAll(own.IBAN, " ", "") != c.iban || own.BIC != c.bic || !strings.Contains(own.Amount, "89") ||
			own.Document != "/account/invoice/"+own.Number {
			t.Errorf("%s: %+v", c.country, own)
		}
		if foreign, err := p.slipPage(6, to); err != nil || foreign.Document != "" || foreign.Reference != own.Reference {
			t.Errorf("%+v %v", foreign, err)
		}
		if picture := p.call(0, http.MethodGet, own.Code, "", ""); picture.Status != 200 ||
			picture.Header.Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s: %d %s", c.country, picture.Status, picture.Header.Get("Content-Type"))
		}
		for _, forged := range []string{
			"/account/transfer?slip=1.AAAA", strings.Replace(to, "slip=1.", "slip=2.", 1),
			"/account/transfer?slip=" + url.QueryEscape(p.shop.links.Sign(p.ed, links.Gift, 1)),
		} {
			if _, err := p.slipPage(5, forged); !errors.Is(err, web.ErrNotFound) {
				t.Errorf("%s: %v", forged, err)
			}
		}
		list, err := p.shop.Subscriptions.InvoiceList(p.ctx, 5)
		if err != nil || len(list) != 1 || list[0].URL != to || list[0].Status != "draft" {
			t.Errorf("%+v %v", list, err)
		}
		p.imports(came{ref: want.Reference})
		if paid, err := p.slipPage(0, to); err != nil || paid.State != transfer.StatePaid || paid.Code != "" {
			t.Errorf("%+v %v", paid, err)
		}
		if picture := p.call(0, http.MethodGet, own.Code, "", ""); picture.Status != 404 {
			t.Errorf("an order that is paid asks for money: %d", picture.Status)
		}
		state, err := p.shop.Subscriptions.Profile(p.ctx, 5)
		if err != nil || state.(subscription.Profile).State != subscription.StateTransfer ||
			len(state.(subscription.Profile).Can) != 0 {
			t.Errorf("%+v %v", state, err)
		}
	}
}

// Who leaves owes nothing and reads nothing; the page of the order is gone, what was paid stays in the books, who has
// paid does not.
func TestLeavingEndsTransfers(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	open, err := p.shop.Subscriptions.Pay(p.ctx, 5,
		subscription.Order{Product: access.Yearly, Method: transfer.MethodIBAN})
	if err != nil {
		t.Fatal(err)
	}
	p.imports(came{ref: p.orders(6).Reference, id: "1"})
	for _, reader := range []int64{5, 6} {
		r := privacy.Reader{ID: reader, Email: fmt.Sprintf("reader%d@example.org", reader), Until: p.db.Now()}
		tables, err := p.shop.Export(p.ctx, r)
		found := map[string]int{}
		for _, table := range tables {
			found[table.Name] = len(table.Rows)
		}
		if err != nil || found["transfers"] != 1 || found["bank_payments"] != int(reader-5) {
			t.Errorf("%v %v", found, err)
		}
		if err := p.shop.Erase(p.ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	late := p.transferOf(5)
	if until, _, _, _ := p.standing(6); !until.IsZero() || late.State != transfer.StateVoid {
		t.Errorf("reads until %s, owes %s", until, late.State)
	}
	if _, err := p.slipPage(0, open); !errors.Is(err, web.ErrNotFound) {
		t.Errorf("the page of an order of somebody who has left: %v", err)
	}
	if l := p.lines(); l[0].Payer != "" || l[0].PayerIBAN != "" || l[0].Given != "" || l[0].State != transfer.LineMatched {
		t.Errorf("%+v", l)
	}
	p.imports(came{ref: late.Reference, id: "2"})
	id := p.lines()[1].ID
	if _, err := p.shop.Transfers.Match(p.ctx, id, late.Reference, false, false); !errors.Is(err, transfer.ErrHindered) {
		t.Errorf("somebody who has left gets a subscription: %v", err)
	}
	p.advance(360 * day)
	if err := p.shop.Transfers.Sweep(p.ctx); err != nil || p.count("SELECT count(*) FROM billing_transfers") != 2 {
		t.Errorf("somebody who has left is asked for another year: %v", err)
	}
}

// An import that is ended again and again loses nothing and counts nothing twice.
func TestImportsThatAreKilled(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	var file []came
	for reader := int64(1); reader <= 25; reader++ {
		file = append(file, came{ref: p.orders(reader).Reference, id: fmt.Sprint(reader)})
	}
	text, kills := p.statement(file...), 0
	for range 40 {
		ctx, cancel := context.WithTimeout(p.ctx, time.Duration(rand.IntN(40))*time.Millisecond)
		if _, err := p.shop.Transfers.Import(ctx, strings.NewReader(text), false); err != nil {
			kills++
		}
		cancel()
	}
	out, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(text), false)
	if err != nil || out.Matched+out.Known != 25 || kills == 0 {
		t.Errorf("%+v %v, after %d kills", out, err, kills)
	}
	p.work()
	p.whole(invoice.TaxInvoice, 25)
	if n := p.count("SELECT count(*) FROM billing_subscriptions WHERE transfer AND status = 'active'"); n != 25 ||
		len(p.sent("payment")) != 25 || len(p.sent("invoice")) != 25 {
		t.Errorf("%d subscriptions, %d emails of thanks, %d invoices", n, len(p.sent("payment")), len(p.sent("invoice")))
	}
}

// Money that went out again is seen, and taking it note of ends what it had paid.
func TestMoneyThatWentBack(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	o := p.orders(5)
	p.imports(came{ref: o.Reference, id: "1"})
	back := strings.NewReplacer("CRDT", "DBIT").
		Replace(p.statement(came{ref: o.Reference, id: "9"}, came{ref: "rent", id: "8"}))
	for range 2 {
		if _, err := p.shop.Transfers.Import(p.ctx, strings.NewReader(back), false); err != nil {
			t.Fatal(err)
		}
	}
	list := p.lines()
	if len(list) != 2 || list[1].Reason != transfer.ReasonReturned || list[1].Credit {
		t.Fatalf("%+v", list)
	}
	if _, err := p.shop.Transfers.Match(p.ctx, list[1].ID, o.Reference, true, false); !errors.Is(err, transfer.ErrNotNow) {
		t.Errorf("money that went out pays an order: %v", err)
	}
	if l, err := p.shop.Transfers.Refund(p.ctx, list[1].ID, false); err != nil || l.State != transfer.LineRefunded {
		t.Fatalf("%+v %v", l, err)
	}
	if until, _, _, _ := p.standing(5); !until.IsZero() || p.lines()[0].State != transfer.LineRefunded ||
		len(p.documents("d.kind = 'CN'")) != 1 {
		t.Errorf("reads until %s; %+v", until, p.lines())
	}
	testkit.Retain(p.ctx, t, p.db, p.shop.Retentions())
	if err := p.db.Run(p.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE billing_transfers SET state = 'paid', subscription_id = NULL WHERE id = ?", o.ID).
			Exec(ctx)
		return err
	}); err == nil {
		t.Error("an order is paid and has opened nothing")
	}
}
