package billing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/event"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// called is what the provider calls a reader's customer: name, address, lines of its own and tax numbers.
func (p *env) called(reader int64) string {
	p.t.Helper()
	id := ""
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		id, err = access.FindCustomer(ctx, tx, reader)
		return err
	})
	c := p.api(http.MethodGet, "customers/"+id, nil)
	text := []string{fmt.Sprint(c["name"])}
	address, _ := c["address"].(map[string]any)
	for _, field := range []string{"line1", "line2", "postal_code", "city", "country"} {
		if s, ok := address[field].(string); ok {
			text = append(text, s)
		}
	}
	settings, _ := c["invoice_settings"].(map[string]any)
	lines, _ := settings["custom_fields"].([]any)
	for _, l := range lines {
		line, _ := l.(map[string]any)
		text = append(text, fmt.Sprint(line["name"], "=", line["value"]))
	}
	for _, n := range p.listed("customers/" + id + "/tax_ids") {
		text = append(text, fmt.Sprint(n["type"], "=", n["value"]))
	}
	return strings.Join(text, "|")
}

// look reads a page of the provider.
func (p *env) look(address string) string {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.hosted.URL+u.Path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	html, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(html)
}

func (p *env) sets(reader int64, data string) {
	p.t.Helper()
	if a := p.post(reader, "/fns/user-data-set", `{"data":{"email":"eva@example.org",`+data+
		`}}`); a.Status != http.StatusOK {
		p.t.Fatalf("%s: %d %v", data, a.Status, a.Body)
	}
}

const (
	novaCompany = `"company_name":"Nová s. r. o.","line1":"Hlavná 1","city":"Žilina","postal_code":"01001",` +
		`"country":"SK","company_ICO":"12345678","company_DIC":"2020202020","company_IC_DPH":"SK2020202020"`
	asCompany = "Nová s. r. o.|Hlavná 1|010 01|Žilina|SK|IČO=12345678|DIČ=2020202020|eu_vat=SK2020202020"
)

// What a reader sets, before or after the first order, is what the provider writes on invoices.
func TestTheProviderKnowsThePayer(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.sets(7, novaCompany)
	p.work() // there is no customer yet
	to := p.order(7, access.Monthly)
	p.work()
	if got := p.called(7); got != asCompany {
		t.Errorf("set before the order: %s", got)
	}
	p.buy(to, goodCard)
	p.work()
	in := p.listed("invoices?status=paid")[0]
	if numbers := fmt.Sprint(in["customer_tax_ids"]); in["customer_name"] != "Nová s. r. o." ||
		!strings.Contains(numbers, "SK2020202020") || !strings.Contains(fmt.Sprint(in["custom_fields"]), "12345678") {
		t.Errorf("the invoice says %v, %v, %v", in["customer_name"], numbers, in["custom_fields"])
	}
	acc := p.account()
	portal, err := acc.PortalURL(p.ctx, fmt.Sprint(in["customer"]), p.ed.Origin)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{portal, fmt.Sprint(in["hosted_invoice_url"])} {
		if html := p.look(page); !strings.Contains(html, "Nová s. r. o.") || !strings.Contains(html, "IČO: 12345678") ||
			!strings.Contains(html, "SK2020202020") {
			t.Errorf("%s does not show it: %s", page, html)
		}
	}
	for _, c := range []struct{ name, data, want string }{
		{
			"another number", `"company_name":"Nová s. r. o.","country":"SK","company_IC_DPH":"2121212121"`,
			"Nová s. r. o.|SK|eu_vat=SK2121212121",
		},
		{"a person", `"client_type":"individual","name":"Eva Nová","line1":"Ring 1","line2":"Tür 2","postal_code":"1010",` +
			`"city":"Wien","country":"AT"`, "Eva Nová|Ring 1|Tür 2|1010|Wien|AT"},
		{
			"a number that the provider has no type for", `"company_name":"Firma","country":"CH","company_IC_DPH":"123"`,
			"Firma|CH|IČ DPH=123",
		},
		{
			"a Swiss number", `"company_name":"Firma","country":"CH","company_IC_DPH":"CHE-123.456.789 MWST"`,
			"Firma|CH|ch_vat=CHE-123.456.789 MWST",
		},
		{"nothing", `"name":""`, "<nil>"},
	} {
		p.sets(7, c.data)
		p.work()
		for range 2 {
			if got := p.called(7); got != c.want {
				t.Errorf("%s: %s, not %s", c.name, got, c.want)
			}
			if err := p.shop.Subscriptions.UpdateCustomer(p.ctx, event.Payer{ReaderID: 7}); err != nil { // again
				t.Error(c.name, err)
			}
		}
	}
}

// While the provider is away nothing is lost and nobody waits; what was set last is what it hears in the end.
func TestTheProviderHearsTheLast(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.order(7, access.Monthly)
	p.work()
	if err := p.box.SetFaults(sandbox.Faults{API: "500"}); err != nil {
		t.Fatal(err)
	}
	p.sets(7, `"name":"First"`)
	p.sets(7, novaCompany)
	if err := p.shop.Subscriptions.UpdateCustomer(p.ctx, event.Payer{ReaderID: 7}); err == nil || jobs.IsSkip(err) {
		t.Errorf("it is not tried again: %v", err)
	}
	if err := p.box.SetFaults(sandbox.Faults{API: "none"}); err != nil {
		t.Fatal(err)
	}
	p.work()
	if got := p.called(7); got != asCompany {
		t.Errorf("after the fault: %s", got)
	}
	var all sync.WaitGroup
	for i := range 8 { // each set and told beside the others
		all.Go(func() {
			d := invoice.Buyer{Name: fmt.Sprint("Eva ", i), Email: "eva@example.org"}
			if err := errors.Join(p.shop.Invoices.SetBuyer(p.ctx, 7, d),
				p.shop.Subscriptions.UpdateCustomer(p.ctx, event.Payer{ReaderID: 7})); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	d, _, err := p.shop.Invoices.Buyer(p.ctx, 7)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.called(7); got != d.Name {
		t.Errorf("the provider says %s, the reader %s", got, d.Name)
	}
	p.order(8, access.Monthly)
	p.sets(8, `"name":"Boris"`)
	id := ""
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		id, err = access.FindCustomer(ctx, tx, 8)
		return err
	})
	p.api(http.MethodDelete, "customers/"+id, nil)
	p.work() // it fails where a customer that is gone is no end
}

// A write that was overtaken is made good by the one who made it.
func TestAnOvertakenWriteIsMadeGood(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.order(7, access.Monthly)
	p.work()
	p.sets(7, `"name":"Old"`)
	var once sync.Once
	slow := p.module(func(d *Deps) {
		d.Provider = func(string) (stripe.Keys, error) { // asked for after the data was read
			once.Do(func() {
				p.sets(7, `"name":"New"`)
				if err := p.shop.Subscriptions.UpdateCustomer(p.ctx, event.Payer{ReaderID: 7}); err != nil {
					t.Error(err)
				}
			})
			return p.keys(), nil
		}
	})
	if err := slow.Subscriptions.UpdateCustomer(p.ctx, event.Payer{ReaderID: 7}); err != nil {
		t.Fatal(err)
	}
	if got := p.called(7); got != "New" {
		t.Errorf("the provider says %s", got)
	}
}

func TestTaxNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ country, typed, want string }{
		{"SK", "SK2020202020", "eu_vat SK2020202020"},
		{"SK", "2020202020", "eu_vat SK2020202020"},
		{"AT", "atu 123 456 78", "eu_vat ATU12345678"},
		{"GR", "094259216", "eu_vat EL094259216"},
		{"CH", "che-123.456.789 mwst", "ch_vat CHE-123.456.789 MWST"},
		{"GB", "GB 123 4567 89", "gb_vat GB123456789"},
		{"SK", "IČ", ""},
		{"", "2020202020", ""},
		{"SK", "", ""},
	} {
		got := ""
		if n := invoice.ParseTaxNumber(c.country, c.typed); n != nil {
			got = n.Type + " " + n.Value
		}
		if got != c.want {
			t.Errorf("%q in %q is %q, not %q", c.typed, c.country, got, c.want)
		}
	}
}
