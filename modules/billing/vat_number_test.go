package billing

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/paper/edition"
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
