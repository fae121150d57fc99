package billing

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/vies"
)

// register is a register of VAT numbers that a test tells what to say.
type register struct {
	mu    sync.Mutex
	good  map[string]bool
	away  bool
	asked []string
}

func (r *register) Check(_ context.Context, number, asker string) (vies.Answer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, number+" by "+asker)
	if r.away {
		return vies.Answer{}, vies.ErrUnknown
	}
	return vies.Answer{Valid: r.good[number], Consultation: fmt.Sprintf("WAPI%d", len(r.asked))}, nil
}

func (r *register) leave(away bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = away
}

const goodNumber = "ATU12345675"

// companyAs is the data of a company, as the profile sends it.
func companyAs(country, postal, number string) string {
	return fmt.Sprintf(`{"data":{"client_type":"company","email":"a@example.org","company_name":"Lindenhof Verlag",`+
		`"line1":"Weg 1","city":"Ort","postal_code":%q,"country":%q,"company_IC_DPH":%q}}`, postal, country, number)
}

// Who owes the VAT: a company abroad in the Union, whose number the register calls good, and nobody else.
func TestReverseCharge(t *testing.T) {
	t.Parallel()
	home := func(country string) func(*edition.Document) {
		return func(d *edition.Document) { d.Supplier.Country = country }
	}
	for name, c := range map[string]struct {
		data    string
		away    bool
		without bool // a register
		change  func(*edition.Document)
		want    string
	}{
		"a good number abroad":        {data: companyAs("AT", "1010", "atu 123 456 75"), want: invoice.VATReverse},
		"a bad number abroad":         {data: companyAs("AT", "1010", "ATU99999999"), want: invoice.VATStandard},
		"the register is away":        {data: companyAs("AT", "1010", goodNumber), away: true, want: invoice.VATStandard},
		"nobody asks":                 {data: companyAs("AT", "1010", goodNumber), without: true, want: invoice.VATStandard},
		"no number":                   {data: companyAs("AT", "1010", ""), want: invoice.VATStandard},
		"a number of another country": {data: companyAs("DE", "10115", goodNumber), want: invoice.VATStandard},
		"at home":                     {data: companyAs("SK", "811 01", "SK2020202020"), want: invoice.VATStandard},
		"outside of the Union":        {data: companyAs("CH", "8001", "CHE-123.456.789 MWST"), want: invoice.VATOutside},
		"a person": {data: `{"data":{"client_type":"individual","email":"a@example.org",` +
			`"country":"AT","postal_code":"1010"}}`, want: invoice.VATStandard},
		"of a supplier outside": {
			data: companyAs("AT", "1010", goodNumber), change: home("CH"),
			want: invoice.VATOutside,
		},
		"of a supplier who pays no VAT": {data: companyAs("AT", "1010", goodNumber), change: func(d *edition.Document) {
			d.Supplier.VAT = ""
		}, want: invoice.VATOutside},
		"where consumers pay that of theirs": {data: companyAs("AT", "1010", goodNumber), change: func(d *edition.Document) {
			d.Billing.OSS = true
		}, want: invoice.VATReverse},
		"abroad, without a rate of theirs": {
			data: companyAs("FR", "75001", "FR12345678901"),
			change: func(d *edition.Document) {
				d.Billing.OSS = true
			}, want: invoice.VATStandard,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, func(d *edition.Document) {
				if c.change != nil {
					c.change(d)
				}
			})
			r := &register{good: map[string]bool{goodNumber: true, "SK2020202020": true}, away: c.away}
			if !c.without {
				p.shop.Invoices.Register = r
			}
			if a := p.post(1, "/fns/user-data-set", c.data); a.Status != 200 {
				t.Fatal(a)
			}
			p.buy(p.order(1, access.Yearly), goodCard)
			p.work()
			list := p.documents("d.reader_id = 1")
			if len(list) != 1 || len(list[0].Taxes) != 1 || list[0].Taxes[0].Category != c.want || list[0].Total != 8900 {
				t.Fatalf("%+v", list)
			}
			d := list[0]
			if reversed := c.want == invoice.VATReverse; reversed != (d.VAT == 0 && d.Net == 8900 && d.Register != nil &&
				d.Register.Consultation != "" && d.Register.Number == goodNumber) && c.want != invoice.VATOutside {
				t.Errorf("%+v", d.Snapshot)
			}
			if broken := brokenRules(xmlOf(t, &d)); c.change == nil && len(broken) > 0 {
				t.Errorf("the rules %v are broken", broken)
			}
		})
	}
}

// An answer counts for thirty days and is renewed before; a register that is away for longer has VAT charged again, and
// what was issued stays as it is.
func TestAnswersOfTheRegisterGrowOld(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	r := &register{good: map[string]bool{goodNumber: true}}
	p.shop.Invoices.Register = r
	p.post(1, "/fns/user-data-set", companyAs("AT", "1010", goodNumber))
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	if len(r.asked) != 1 || r.asked[0] != goodNumber+" by "+p.ed.Supplier.VAT {
		t.Errorf("asked %v", r.asked)
	}
	r.leave(true)
	p.advance(28*day + time.Hour)
	p.work()
	p.advance(28 * day)
	p.work()
	if err := p.shop.Invoices.CheckVATNumbers(p.ctx); err == nil {
		t.Error("nobody was told that the register does not answer")
	}
	r.leave(false)
	p.work()
	if err := p.shop.Invoices.CheckVATNumbers(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.advance(28 * day)
	p.work()
	var got string
	for _, d := range p.documents("d.reader_id = 1") {
		got += d.Taxes[0].Category + " "
	}
	if got != "AE AE S AE " {
		t.Errorf("the VAT of four payments: %s", got)
	}
}

// It makes no difference how the company pays.
func TestReverseChargeOfTransfers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, want string }{
		"a good number abroad":             {companyAs("AT", "1010", goodNumber), invoice.VATReverse},
		"abroad, without a rate of theirs": {companyAs("FR", "75001", "FR12345678901"), invoice.VATStandard},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, takesTransfers, func(d *edition.Document) { d.Billing.OSS = true })
			p.shop.Invoices.Register = &register{good: map[string]bool{goodNumber: true}}
			p.post(1, "/fns/user-data-set", c.data)
			p.work()
			if out := p.imports(came{ref: p.orders(1).Reference, id: "B1"}); out.Matched != 1 {
				t.Fatalf("%+v", out)
			}
			list := p.documents("d.reader_id = 1")
			if len(list) != 2 {
				t.Fatalf("%+v", list)
			}
			for _, d := range list {
				if d.Taxes[0].Category != c.want || d.Total != 8900 || (d.VAT == 0) != (c.want == invoice.VATReverse) {
					t.Errorf("%s: %+v", d.Number, d.Snapshot)
				}
			}
		})
	}
}

// Who sets a VAT number is told at once what is wrong with it, and can go on: it is kept, and VAT is charged.
func TestVATNumberProblem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		country, postal, typed string
		away, without          bool
		kept, want             string
	}{
		"a good number":               {country: "AT", postal: "1010", typed: "UID: atu 123 456 75", kept: goodNumber},
		"a number of few digits":      {country: "RO", postal: "010011", typed: "RO160796", kept: "RO160796"},
		"Greek, by the country":       {country: "GR", postal: "10431", typed: "GR123456783", kept: "EL123456783"},
		"kept with its letters twice": {country: "RO", postal: "010011", typed: "RORO160796", kept: "RO160796"},
		"of no country": {
			country: "AT", postal: "1010", typed: "ATU1234", kept: "ATU1234", want: invoice.NumberInvalid,
		},
		"of no country, at home": {
			country: "SK", postal: "811 01", typed: "SK20", kept: "SK20", want: invoice.NumberInvalid,
		},
		"at home": {country: "SK", postal: "811 01", typed: "IČ DPH 2020202020", kept: "SK2020202020"},
		"of another country": {
			country: "DE", postal: "10115", typed: goodNumber, kept: goodNumber, want: invoice.NumberForeign,
		},
		"unknown to the register": {
			country: "AT", postal: "1010", typed: "ATU99999999", kept: "ATU99999999", want: invoice.NumberUnknown,
		},
		"the register is away": {
			country: "AT", postal: "1010", typed: goodNumber, away: true, kept: goodNumber, want: invoice.NumberUnanswered,
		},
		"nobody asks": {
			country: "AT", postal: "1010", typed: goodNumber, without: true, kept: goodNumber, want: invoice.NumberUnanswered,
		},
		"Northern Ireland": {country: "GB", postal: "BT1 5GS", typed: "xi 123456782", kept: "XI123456782"},
		"Swiss": {
			country: "CH", postal: "8001", typed: "CHE 123456788 MWST", kept: "CHE-123.456.788 MWST",
		},
		"of a country that has no form yet": {country: "US", postal: "12345", typed: "12-3456789", kept: "12-3456789"},
		"none":                              {country: "AT", postal: "1010"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			if !c.without {
				p.shop.Invoices.Register = &register{
					good: map[string]bool{goodNumber: true, "RO160796": true, "EL123456783": true}, away: c.away,
				}
			}
			a := p.post(1, "/fns/user-data-set", companyAs(c.country, c.postal, c.typed))
			if a.Status != 200 || a.Body["vat_number"] != c.want {
				t.Errorf("answer %d %v, want %q", a.Status, a.Body, c.want)
			}
			d, _, err := p.shop.Invoices.Buyer(p.ctx, 1)
			if err != nil || d.ICDPH != c.kept {
				t.Errorf("kept %q (%v), want %q", d.ICDPH, err, c.kept)
			}
			data, err := p.shop.focusInvoiceData(p.ctx, 1)
			if err != nil {
				t.Fatal(err)
			}
			var shown string
			for _, one := range data.(focusData).Problems {
				shown += one.Field + " " + one.Code
			}
			if want := strings.TrimSuffix("company_IC_DPH "+c.want, "company_IC_DPH "); shown != want {
				t.Errorf("the form shows %q, want %q", shown, want)
			}
		})
	}
}

// What older versions kept as it was typed is read as the number that it is, for the register, the provider and
// documents.
func TestVATNumberOfOlderVersions(t *testing.T) {
	t.Parallel()
	for kept, want := range map[string]string{"RORO160796": "RO160796", "160796": "RO160796", "RO 160 796": "RO160796"} {
		t.Run(kept, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.shop.Invoices.Register = &register{good: map[string]bool{want: true}}
			p.post(1, "/fns/user-data-set", companyAs("RO", "010011", "RO99"))
			p.view(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.NewRaw("UPDATE billing_invoice_data SET company_ic_dph = ? WHERE reader_id = 1", kept).Exec(ctx)
				return err
			})
			p.buy(p.order(1, access.Yearly), goodCard)
			p.work()
			list := p.documents("d.reader_id = 1")
			if len(list) != 1 || list[0].Customer.ICDPH != want || list[0].Taxes[0].Category != invoice.VATReverse {
				t.Fatalf("%+v", list)
			}
		})
	}
}

// Before and after an order, all that a buyer abroad sees says the same of VAT: the page, what is kept with the order,
// the page of a transfer, the email, the document on paper and as a page, and the books.
func TestVATByPlaceIsSaid(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	person := `{"data":{"client_type":"individual","email":"a@example.org","name":"Ada","country":"US"}}`
	p.post(1, "/fns/user-data-set", person)
	p.post(2, "/fns/user-data-set", companyAs("NO", "0150", ""))
	const outside = "Do krajiny z vašich fakturačných údajov DPH neúčtujeme."
	for reader, article := range map[int64]string{1: "čl. 58", 2: "čl. 44"} {
		list, err := p.shop.Subscriptions.ProductsFor(p.ctx, p.ed, reader, "")
		if err != nil || len(list) == 0 || list[0].VAT != string(invoice.VATByPlace) {
			t.Errorf("reader %d is offered %+v, %v", reader, list, err)
		}
		p.orders(reader)
		shown := ""
		p.view(func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT shown FROM billing_transfers WHERE reader_id = ?", reader).Scan(ctx, &shown)
		})
		if !strings.Contains(shown, outside) {
			t.Errorf("reader %d was shown %q", reader, shown)
		}
		p.work()
		d := p.documents("d.reader_id = " + fmt.Sprint(reader))[0]
		if d.VAT != 0 || d.Net != 8900 || d.Total != 8900 || d.Taxes[0].Category != invoice.VATOutside {
			t.Errorf("reader %d: %+v", reader, d.Snapshot)
		}
		page, err := p.shop.Transfers.Show(session.With(p.ctx, session.Session{ReaderID: reader}), p.ed, "")
		if err != nil || page.VAT != string(invoice.VATByPlace) {
			t.Errorf("reader %d: %+v, %v", reader, page, err)
		}
		for what, text := range map[string]string{
			"PDF": textOfPDF(t, &d, p.ed), "page": d.View(p.ed).VATNote, "email": email.BillOf(p.ed, &d).VATNote,
		} {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), article) {
				t.Errorf("reader %d: the %s does not name %s: %q", reader, what, article, text)
			}
		}
		if broken := brokenRules(xmlOf(t, &d)); len(broken) > 0 {
			t.Errorf("reader %d: the rules %v are broken", reader, broken)
		}
	}
	if list, err := p.shop.Subscriptions.ProductsFor(p.ctx, p.ed, 3, ""); err != nil || list[0].VAT != "included" {
		t.Errorf("a reader of no country is offered %+v, %v", list, err)
	}
}
