package payqr

import (
	"fmt"
	"math/big"
	"strings"
)

// ValidIBAN checks length, letters and the check digits of ISO 13616 (remainder 1 of 97).
func ValidIBAN(iban string) bool {
	if len(iban) < 15 || len(iban) > 34 {
		return false
	}
	var digits strings.Builder
	for i, r := range iban[4:] + iban[:4] {
		country := i >= len(iban)-4 && i < len(iban)-2
		switch {
		case r >= '0' && r <= '9' && !country:
			digits.WriteRune(r)
		case r >= 'A' && r <= 'Z' && i < len(iban)-2:
			fmt.Fprint(&digits, r-'A'+10)
		default:
			return false
		}
	}
	n, ok := new(big.Int).SetString(digits.String(), 10)
	return ok && n.Mod(n, big.NewInt(97)).Int64() == 1
}
