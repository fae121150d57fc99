package invoice

import (
	"strings"

	"example.org/broadsheet/platform/payqr"
)

// ReferenceForm says what the payments into an account are told apart by, and which code its country's banks read.
func ReferenceForm(iban string) (kind, format string) {
	swiss := strings.HasPrefix(iban, "CH") || strings.HasPrefix(iban, "LI")
	switch {
	case payqr.IsQRIBAN(iban):
		return "qrr", "swiss"
	case swiss:
		return "rf", "swiss"
	case UsesSymbols(iban):
		return "symbol", "bysquare"
	}
	return "rf", "epc"
}

// PaymentCode is the text of the payment code of a pro-forma invoice.
func PaymentCode(d *Document) (string, error) {
	s := d.Supplier
	p := payqr.Payment{
		Payee: payqr.Party{Name: s.Name, Street: s.Street, Postal: s.Postal, City: s.City, Country: s.Country},
		IBAN:  s.IBAN, BIC: s.SWIFT, Amount: d.Total, Currency: d.Currency, Reference: d.Reference, Note: d.Number,
		Due: strings.ReplaceAll(d.Due, "-", ""),
	}
	switch _, format := ReferenceForm(s.IBAN); format {
	case "swiss":
		return payqr.Swiss(p)
	case "bysquare":
		return payqr.BySquare(p)
	}
	return payqr.EPC(p)
}

// Grouped puts a space after every fourth character, as numbers are written to be typed.
func Grouped(s string) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// UsesSymbols reports whether payments into an account are told apart by variable symbols.
func UsesSymbols(iban string) bool {
	return strings.HasPrefix(iban, "SK") || strings.HasPrefix(iban, "CZ")
}
