package invoice

import (
	"errors"
	"testing"

	"example.org/broadsheet/platform/typed"
)

// Whatever is typed into the form of invoices, what is taken can be printed, and is taken again as it is.
func FuzzBuyer(f *testing.F) {
	f.Add("Ada Nováková", "Dlhá 1", "811 01", "SK", "company", "SK2020202020")
	f.Add("\x00", "\u202e", " 8010 ", "Österreich", "", "")
	f.Add("a", "b", "LT-01100", "li", "individual", "\xff")
	email := func(s string) (string, error) {
		if s != "ada@example.org" {
			return "", errors.New("another address")
		}
		return s, nil
	}
	f.Fuzz(func(t *testing.T, name, line, postal, country, kind, vat string) {
		form := Buyer{
			Name: name, Email: "ada@example.org", Line1: line, PostalCode: postal, Country: country,
			ClientType: ClientType(kind), ICDPH: vat,
		}
		d, wrong := form.Parse(email)
		if len(wrong) > 0 {
			return
		}
		for _, field := range d.Fields() {
			if text, err := typed.Line(*field.Text, longestField); err != nil || text != *field.Text {
				t.Fatalf("%s is %q, want %q, %v", field.Name, *field.Text, text, err)
			}
		}
		if again, wrong := d.Parse(email); len(wrong) > 0 || again != d {
			t.Fatalf("%+v was taken, and then is %+v: %v", d, again, wrong)
		}
	})
}
