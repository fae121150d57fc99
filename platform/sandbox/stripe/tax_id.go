package sandbox

import (
	"regexp"
	"strings"
)

// taxID is a number by which an authority knows a customer.
type taxID struct {
	Meta
	Country      text         `json:"country"`
	Customer     text         `json:"customer"`
	Owner        taxIDOwner   `json:"owner"`
	Type         string       `json:"type"`
	Value        string       `json:"value"`
	Verification verification `json:"verification"`
}

type taxIDOwner struct {
	Customer text   `json:"customer"`
	Type     string `json:"type"`
}

type verification struct {
	Status  string `json:"status"`
	Name    text   `json:"verified_name"`
	Address text   `json:"verified_address"`
}

// taxNumber is a tax id as an invoice shows it.
type taxNumber struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

func (*taxID) kind() string { return "tax_id" }

// taxIDTypes are the types that this sandbox offers, with what their values look like.
var taxIDTypes = map[string]*regexp.Regexp{
	"eu_vat": regexp.MustCompile(`^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|` +
		`XI)[0-9A-Z+*]{8,12}$`),
	"ch_vat": regexp.MustCompile(`^CHE-?\d{3}\.?\d{3}\.?\d{3} ?(MWST|TVA|IVA)$`),
	"gb_vat": regexp.MustCompile(`^GB\d{9}(\d{3})?$`),
	"li_uid": regexp.MustCompile(`^CHE-?\d{3}\.?\d{3}\.?\d{3}$`),
}

func createTaxID(t *tx, c *call) (any, error) {
	cu, err := t.livingCustomer(string(c.id), "customer")
	if err != nil {
		return nil, err
	}
	kind, value := c.need("type"), c.need("value")
	if err := c.err(); err != nil {
		return nil, err
	}
	shape := taxIDTypes[kind]
	if shape == nil {
		return nil, invalid("type", "The payment sandbox knows no tax ids of the type %s", kind)
	}
	if !shape.MatchString(value) {
		return nil, invalid("value", "Invalid value for %s.", kind).coded("tax_id_invalid")
	}
	country := value[:2]
	if country == "EL" {
		country = "GR"
	}
	id := add(t, "txi_", &taxID{
		Country: text(country), Customer: text(cu.ID), Owner: taxIDOwner{Customer: text(cu.ID), Type: "customer"},
		Type: kind, Value: value,
		Verification: verification{Status: "pending"},
	})
	t.tell("customer.tax_id.created", id)
	return id, nil
}

// pickTaxID loads one of the customer that the path names.
func pickTaxID(t *tx, c *call) (*taxID, error) {
	if _, err := t.livingCustomer(string(c.id), "customer"); err != nil {
		return nil, err
	}
	name := c.path[strings.LastIndex(c.path, "/")+1:]
	id := load[taxID](t, text(name))
	if id == nil || id.Customer != c.id {
		return nil, missing("tax_id", name, "id")
	}
	return id, nil
}

func getTaxID(t *tx, c *call) (any, error) {
	id, err := pickTaxID(t, c)
	if err != nil {
		return nil, err
	}
	return id, nil
}

func deleteTaxID(t *tx, c *call) (any, error) {
	id, err := pickTaxID(t, c)
	if err != nil {
		return nil, err
	}
	t.tell("customer.tax_id.deleted", id)
	t.remove(id)
	return deleted(&id.Meta), nil
}

func listTaxIDs(t *tx, c *call) (any, error) {
	if _, err := t.livingCustomer(string(c.id), "customer"); err != nil {
		return nil, err
	}
	return index("tax_id", func(object map[string]any, _ params) bool { return object["customer"] == string(c.id) })(t, c)
}

// taxNumbers are a customer's, in the order in which they were added.
func (t *tx) taxNumbers(cu *customer) []taxNumber {
	list := []taxNumber{}
	for _, id := range all[taxID](t) {
		if id.Customer == text(cu.ID) {
			list = append(list, taxNumber{id.Type, id.Value})
		}
	}
	return list
}

// payer is what a customer is called on invoices, line by line.
func payer(name text, a *address, numbers []taxNumber, fields []customField) []string {
	lines := []string{string(name)}
	if a != nil {
		lines = append(lines, string(a.Line1), string(a.Line2), strings.TrimSpace(string(a.PostalCode)+" "+string(a.City)),
			string(a.Country))
	}
	for _, f := range fields {
		lines = append(lines, f.Name+": "+f.Value)
	}
	for _, n := range numbers {
		lines = append(lines, n.Value)
	}
	shown := lines[:0]
	for _, l := range lines {
		if l != "" {
			shown = append(shown, l)
		}
	}
	return shown
}
