package payqr

import (
	"fmt"
	"strings"
)

// Swiss writes a QR-bill (Swiss Implementation Guidelines 2.3) without a payer. The payee's address is structured. With
// a QR-IBAN the reference must be a QR reference; with any other account it is one of ISO 11649, or absent. Letters
// that a QR-bill may not have are replaced (SwissText).
func Swiss(p Payment) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	if p.Currency != "CHF" && p.Currency != "EUR" {
		return "", fmt.Errorf("%w: QR-bills ask for CHF or EUR, not for %s", ErrPayment, p.Currency)
	}
	if c := p.IBAN[:2]; c != "CH" && c != "LI" {
		return "", fmt.Errorf("%w: QR-bills pay into accounts of Switzerland and Liechtenstein, not into %s",
			ErrPayment, p.IBAN)
	}
	kind := "NON"
	switch {
	case IsQRIBAN(p.IBAN):
		if !ValidQRR(p.Reference) {
			return "", fmt.Errorf("%w: %q is no QR reference, and %s is a QR-IBAN", ErrPayment, p.Reference, p.IBAN)
		}
		kind = "QRR"
	case ValidRF(p.Reference):
		kind = "SCOR"
	case p.Reference != "":
		return "", fmt.Errorf("%w: %q is no reference of ISO 11649, and %s is no QR-IBAN", ErrPayment, p.Reference, p.IBAN)
	}
	payee := []string{
		"S", swiss(p.Payee.Name, 70), swiss(p.Payee.Street, 70), swiss(p.Payee.Number, 16),
		swiss(p.Payee.Postal, 16), swiss(p.Payee.City, 35), p.Payee.Country,
	}
	if payee[4] == "" || payee[5] == "" || len(payee[6]) != 2 {
		return "", fmt.Errorf("%w: the payee has no postal code, no city or no country", ErrPayment)
	}
	lines := append([]string{"SPC", "0200", "1", p.IBAN}, payee...)
	lines = append(lines, make([]string, 7)...) // the final creditor, who is not used yet
	lines = append(lines, p.amount(), p.Currency)
	lines = append(lines, make([]string, 7)...) // the payer
	lines = append(lines, kind, p.Reference, swiss(p.Note, 140), "EPD")
	return strings.Join(lines, "\r\n"), nil
}

// IsQRIBAN reports whether an account is a Swiss one for payments with a QR reference (institutions 30000 to 31999).
func IsQRIBAN(iban string) bool {
	return len(iban) == 21 && (iban[:2] == "CH" || iban[:2] == "LI") && iban[4] == '3' &&
		(iban[5] == '0' || iban[5] == '1')
}
