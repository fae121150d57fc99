package billing

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

func TestInvoiceIsItsReadersAlone(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	d := p.documents("true")[0]
	for _, address := range []string{d.Provider, d.Number} {
		a := p.call(1, http.MethodGet, "/user/invoice/"+address+"/?user_hash=handle-1", "", "")
		in, _ := a.Body["invoice"].(map[string]any)
		if a.Status != 200 || in == nil {
			t.Fatalf("%s: %d %v", address, a.Status, a.Body)
		}
		for name, want := range map[string]any{
			"invoice_number": d.Number, "invoice_date_created": float64(d.IssuedAt.Unix()),
			"invoice_product": p.ed.Product(access.Yearly).Name, "invoice_total": 8900.0, "unit_no_tax": 7236.0,
			"unit_tax": 1664.0, "unit_tax_percentage": 2300.0, "is_pending_bank_transfer": false, "is_bank_transfer": false,
			"subtotal": 7236.0, "quantity": 1.0, "order_number": "000001",
			"order_date": d.Ordered, "issue_date": d.Issued, "delivery_date": d.Delivered, "due_date": d.Due, "currency": "EUR",
			"kind": "invoice", "status": "paid",
		} {
			if in[name] != want {
				t.Errorf("%s is %v, not %v", name, in[name], want)
			}
		}
		if s, _ := in["supplier"].(map[string]any); s["iban"] != p.ed.Bank.IBAN || s["vat_id"] != p.ed.Supplier.VAT ||
			s["swift"] != p.ed.Bank.BIC {
			t.Errorf("supplier: %v", in["supplier"])
		}
	}
	unknown := p.call(2, http.MethodGet, "/user/invoice/in_nothing/", "", "")
	for _, path := range []string{
		"/user/invoice/" + d.Provider + "/", "/user/invoice/" + d.Number, invoice.PDFPath + d.Provider,
		invoice.XMLPath + d.Number, "/user/invoice/%00/",
	} {
		if a := p.call(2, http.MethodGet, path, "", ""); a.Status != 404 || a.Body["error"] != "NOT_FOUND" ||
			len(a.Body) != len(unknown.Body) {
			t.Errorf("%s for another: %d %v, an unknown one is %v", path, a.Status, a.Body, unknown.Body)
		}
		if a := p.call(0, http.MethodGet, path, "", ""); a.Status != 401 {
			t.Errorf("%s for a visitor: %d", path, a.Status)
		}
	}
	if a := p.call(1, http.MethodGet, "/user/invoice/"+d.Number+"/?user_hash=handle-2", "", ""); a.Status != 401 {
		t.Errorf("another's handle: %d", a.Status)
	}
	for path, want := range map[string]string{
		invoice.PDFPath + d.Provider: "%PDF-",
		invoice.XMLPath + d.Provider: "<?xml",
	} {
		body, header := p.file(1, path)
		if !strings.HasPrefix(body, want) || !strings.Contains(header.Get("Content-Disposition"), d.Number) ||
			header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %.20q %v", path, body, header)
		}
	}
}

// file reads what a path answers.
func (p *env) file(reader int64, path string) (string, http.Header) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.site.URL+path, http.NoBody)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set(readerHeader, strconv.FormatInt(reader, 10))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		p.t.Fatal(res.StatusCode, err)
	}
	return string(body), res.Header
}

func TestInvoicePage(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	d := p.issue(p.sold("invoice:1", 796))
	load := p.shop.Pages()[edition.Invoice].Load
	ask := func(reader int64, address string) (*page.Page, error) {
		ctx := session.With(p.ctx, session.Session{ID: reader, ReaderID: reader})
		return load(ctx,
			&page.Request{
				Edition: p.ed,
				Route:   edition.Invoice, Path: "/account/invoice/" + address,
				Params: map[string]string{"invoiceId": address},
			})
	}
	if got, err := ask(7, d.Number); err != nil || !got.NoStore || got.Data.(invoice.View).Number != d.Number ||
		!strings.HasPrefix(got.Meta.Title, d.Number+" – ") || got.Meta.Robots != "noindex" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := ask(8, d.Number); err == nil {
		t.Errorf("another reader sees %+v", got)
	}
	if got, err := ask(0, d.Number); err != nil ||
		got.Redirect != "/account/login?referrer=%2Faccount%2Finvoice%2F"+d.Number {
		t.Errorf("a visitor: %+v, %v", got, err)
	}
}

// The list speaks of documents, and of what the provider waits for.
func TestInvoiceListHasEveryState(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.issue(p.sold("invoice:paid", 796))
	due := p.sold("order:1", 8900)
	due.Kind, due.Method, due.Paid, due.Reference, due.DueDays = invoice.ProForma, invoice.ByTransfer, false,
		"2026000001", 14
	pending := p.issue(due)
	due.Source = "order:2"
	unpaid := p.issue(due)
	due.Source = "order:3"
	followed := p.issue(due)
	after := p.sold("transfer:3", 8900)
	after.Refers = followed
	p.issue(after)
	err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		if err := invoice.Void(ctx, tx, unpaid); err != nil {
			return err
		}
		for i, status := range []string{"open", "uncollectible", "strange"} {
			if err := subscription.PutInvoice(ctx, tx, 7,
				stripe.Invoice{
					ProviderID: "in_" + status, Status: status, Product: access.Monthly, Total: int64(i), Currency: "eur",
					CreatedAt: tx.Now,
				}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.shop.Subscriptions.InvoiceList(p.ctx, 7)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	for _, in := range list {
		states[in.Status]++
		if (in.URL == "") != strings.HasPrefix(in.StripeID, "in_") || (in.URL == "") != (in.PDF == "") {
			t.Errorf("%+v", in)
		}
		if in.Number == followed.Number {
			t.Error("a pre-invoice stands beside the invoice that has taken its place")
		}
	}
	for status, n := range map[string]int{"paid": 2, "draft": 1, "void": 1, "open": 1, "uncollectible": 1, "strange": 1} {
		if states[status] != n {
			t.Errorf("%s: %d, not %d: %+v", status, states[status], n, list)
		}
	}
	if d := p.documents("d.id = ?", pending.ID)[0].View(p.ed); !d.Pending || !d.Transfer || d.Kind != "proforma" ||
		d.Due <= d.Issued || d.Reference != "2026000001" {
		t.Errorf("%+v", d)
	}
}

// A file has the emails of every language, and the sums as they are on the page.
func TestPDFCanBeRead(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for name, d := range samples(t, p.ed) {
		var b, again bytes.Buffer
		if err := d.WritePDF(&b, p.ed); err != nil {
			t.Fatal(name, err)
		}
		if err := d.WritePDF(&again, p.ed); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%s: the file is another each time (%v)", name, err)
		}
		if !bytes.HasPrefix(b.Bytes(), []byte("%PDF-")) || b.Len() < 10_000 {
			t.Errorf("%s: %d bytes", name, b.Len())
		}
	}
}

// The fonts of the file have every email that names and words in our languages have.
func TestFontsHaveTheLetters(t *testing.T) {
	t.Parallel()
	for name, ttf := range map[string][]byte{"regular": goregular.TTF, "bold": gobold.TTF} {
		font, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range "aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzžAÁÄBCČDĎEÉFGHIÍJKLĹĽMNŇOÓÔPQRŔSŠTŤUÚVWXYÝZŽ" +
			"öüßÖÜẞèêàâçëïîñőűŐŰřŘěĚůŮłŁńŃśŚźŹżŻąĄęĘ0123456789€–-,.:/&%()'\u00a0" {
			if at, err := font.GlyphIndex(nil, r); (err != nil || at == 0) && r != 'ẞ' { // which no name begins with
				t.Errorf("%s has no %q (%v)", name, r, err)
			}
		}
	}
}
