package sandbox

import (
	"strings"
	"unicode/utf8"
)

// customer is a payer.
type customer struct {
	Meta
	Address         *address          `json:"address"`
	Balance         int64             `json:"balance"` // below zero: credit for the next invoices
	Currency        text              `json:"currency"`
	DefaultSource   nothing           `json:"default_source"`
	Delinquent      bool              `json:"delinquent"`
	Description     text              `json:"description"`
	Discount        *discount         `json:"discount"`
	Email           text              `json:"email"`
	InvoicePrefix   string            `json:"invoice_prefix"`
	InvoiceSettings invoiceSettings   `json:"invoice_settings"`
	Metadata        map[string]string `json:"metadata"`
	Name            text              `json:"name"`
	NextInvoice     int               `json:"next_invoice_sequence"`
	Phone           text              `json:"phone"`
	Locales         []string          `json:"preferred_locales"`
	Shipping        nothing           `json:"shipping"`
	TaxExempt       string            `json:"tax_exempt"`
	TestClock       nothing           `json:"test_clock"`
	Deleted         bool              `json:"deleted,omitempty"`
}

type invoiceSettings struct {
	CustomFields  []customField `json:"custom_fields"` // null without any
	DefaultMethod text          `json:"default_payment_method"`
	Footer        text          `json:"footer"`
	Rendering     nothing       `json:"rendering_options"`
}

// customField is a line of the customer's own on invoices.
type customField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// customFields reads all of them, in place of those that there were.
func (p params) customFields(dst *[]customField) {
	if !p.has("custom_fields") {
		return
	}
	*dst = nil
	for _, f := range p.list("custom_fields") {
		field := customField{Name: f.need("name"), Value: f.need("value")}
		if utf8.RuneCountInString(field.Name) > 40 || utf8.RuneCountInString(field.Value) > 140 {
			p.refuse(invalid("custom_fields", "A custom field has a name of up to 40 characters and a value of up to 140"))
		}
		*dst = append(*dst, field)
	}
	if len(*dst) > 4 {
		p.refuse(invalid("custom_fields", "There can be up to 4 custom fields"))
	}
}

func (*customer) kind() string { return "customer" }

func createCustomer(t *tx, c *call) (any, error) {
	cu := t.newCustomer()
	cu.read(t, c.params)
	if id := c.str("payment_method"); id != "" {
		m, err := t.method(id)
		if err != nil {
			return nil, err
		}
		if err := t.attach(m, cu); err != nil {
			return nil, err
		}
	}
	if cu.InvoiceSettings.DefaultMethod != "" {
		if err := t.checkMethod(string(cu.InvoiceSettings.DefaultMethod), cu); err != nil {
			return nil, err
		}
	}
	t.tell("customer.created", cu)
	return cu, nil
}

func (t *tx) newCustomer() *customer {
	return add(t, "cus_", &customer{
		InvoicePrefix: strings.ToUpper(randomText(8)), NextInvoice: 1, Locales: []string{}, Metadata: map[string]string{},
		TaxExempt: "none",
	})
}

func (cu *customer) read(t *tx, p params) {
	p.address("address", &cu.Address)
	if n, ok := p.whole("balance"); ok {
		cu.Balance = n
	}
	p.text("description", &cu.Description)
	p.text("email", &cu.Email)
	p.text("name", &cu.Name)
	p.text("phone", &cu.Phone)
	if p.has("preferred_locales") {
		cu.Locales = p.strings("preferred_locales")
	}
	p.choice("tax_exempt", &cu.TaxExempt, "none", "exempt", "reverse")
	p.metadata(&cu.Metadata)
	if s, ok := p.sub("invoice_settings"); ok {
		s.text("default_payment_method", &cu.InvoiceSettings.DefaultMethod)
		s.text("footer", &cu.InvoiceSettings.Footer)
		s.customFields(&cu.InvoiceSettings.CustomFields)
	}
	if len(cu.Email) > 512 || cu.Email != "" && !strings.Contains(string(cu.Email), "@") {
		p.refuse(invalid("email", "Invalid email address: %s", cu.Email).coded("email_invalid"))
	}
	if d := t.readDiscount(p, cu); d != nil {
		cu.Discount = d
	}
}

// getCustomer answers a deleted customer with its id alone.
func getCustomer(t *tx, c *call) (any, error) {
	cu, err := pick[customer](t, c)
	if err == nil && cu.Deleted {
		return deleted(&cu.Meta), nil
	}
	return cu, err
}

func updateCustomer(t *tx, c *call) (any, error) {
	cu, err := t.livingCustomer(string(c.id), "id")
	if err != nil {
		return nil, err
	}
	cu.read(t, c.params)
	if id := cu.InvoiceSettings.DefaultMethod; id != "" {
		if err := t.checkMethod(string(id), cu); err != nil {
			return nil, err
		}
	}
	t.tell("customer.updated", cu)
	return cu, nil
}

// livingCustomer loads a customer that has not been deleted.
func (t *tx) livingCustomer(id, param string) (*customer, error) {
	cu := load[customer](t, text(id))
	if cu == nil || cu.Deleted {
		return nil, missing("customer", id, param)
	}
	return cu, nil
}

// deleteCustomer ends the customer's subscriptions and forgets personal data.
func deleteCustomer(t *tx, c *call) (any, error) {
	cu, err := t.livingCustomer(string(c.id), "id")
	if err != nil {
		return nil, err
	}
	for _, s := range all[subscription](t) {
		if s.Customer == text(cu.ID) && !s.ended() {
			t.endSubscription(s, "cancellation_requested")
		}
	}
	for _, m := range all[paymentMethod](t) {
		if m.Customer == text(cu.ID) {
			m.Customer = ""
		}
	}
	for _, id := range all[taxID](t) {
		if id.Customer == text(cu.ID) {
			t.remove(id)
		}
	}
	t.tell("customer.deleted", cu)
	*cu = customer{Meta: cu.Meta, Deleted: true, Locales: []string{}, Metadata: map[string]string{}, TaxExempt: "none"}
	return deleted(&cu.Meta), nil
}

func listCustomerMethods(t *tx, c *call) (any, error) {
	if _, err := t.livingCustomer(string(c.id), "id"); err != nil {
		return nil, err
	}
	return index("payment_method", func(object map[string]any, _ params) bool {
		return object["customer"] == string(c.id)
	}, filter{"type", "type"})(t, c)
}
