package payqr

import (
	"fmt"
	"strings"
)

// maxEPC is the size in bytes that EPC069-12 allows (QR version 13).
const maxEPC = 331

// EPC writes version 002 of EPC069-12 in UTF-8. A reference must be one of ISO 11649 ("RF…"); any other goes as a text.
// Typographic signs are replaced.
func EPC(p Payment) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	if p.Currency != "EUR" {
		return "", fmt.Errorf("%w: EPC codes ask for euros, not for %s", ErrPayment, p.Currency)
	}
	structured, text := p.Reference, ""
	if !ValidRF(structured) {
		structured, text = "", line(plain(p.Reference+" "+p.Note), 140)
	}
	s := strings.TrimRight(
		strings.Join([]string{
			"BCD", "002", "1", "SCT", p.BIC, line(plain(p.Payee.Name), 70), p.IBAN, "EUR" + p.amount(), "",
			structured, text,
		}, "\n"), "\n")
	if len(s) > maxEPC {
		return "", fmt.Errorf("%w: %d bytes, EPC codes hold %d", ErrPayment, len(s), maxEPC)
	}
	return s, nil
}
