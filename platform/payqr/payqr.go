// Package payqr writes the payment codes that banking apps read: PAY by square (Slovakia), EPC069-12 (the euro area)
// and the Swiss QR-bill, as text and as a picture.
package payqr

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Payment is what a code asks its payer for.
type Payment struct {
	Payee     Party
	IBAN      string // without spaces
	BIC       string
	Amount    int64 // minor units, hundredths
	Currency  string
	Reference string // in the country's form: variable symbol, RF or QR reference
	Note      string // to the payer, where the format has room
	Due       string // "20261205", for PAY by square; empty: at once
}

// Party is who is paid.
type Party struct {
	Name, Street, Number, Postal, City, Country string // Country as ISO 3166 alpha-2
}

// ErrPayment is a payment that the format cannot say.
var ErrPayment = errors.New("payqr: not a payment")

var (
	ibanShape = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`)
	bicShape  = regexp.MustCompile(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)
)

// most is the largest amount of all three formats, in minor units.
const most = 999_999_999_99

func (p Payment) check() error {
	switch {
	case strings.TrimSpace(p.Payee.Name) == "":
		return fmt.Errorf("%w: nobody is paid", ErrPayment)
	case !ibanShape.MatchString(p.IBAN):
		return fmt.Errorf("%w: %q is not an IBAN", ErrPayment, p.IBAN)
	case p.BIC != "" && !bicShape.MatchString(p.BIC):
		return fmt.Errorf("%w: %q is not a BIC", ErrPayment, p.BIC)
	case p.Amount <= 0 || p.Amount > most:
		return fmt.Errorf("%w: an amount of %d", ErrPayment, p.Amount)
	}
	return nil
}

// amount is the sum with a point and two decimals.
func (p Payment) amount() string { return fmt.Sprintf("%d.%02d", p.Amount/100, p.Amount%100) }

// line is text that stands on one line, cut to a number of letters.
func line(s string, letters int) string {
	s = strings.Join(strings.Fields(s), " ")
	for utf8.RuneCountInString(s) > letters {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return strings.TrimSpace(s)
}
