package invoice

import (
	"errors"
	"fmt"
	"time"
)

// ErrDamaged is a document whose row is not as it was issued: it cannot be read or drawn, and no repetition mends it.
var ErrDamaged = errors.New("billing: the document is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Check returns ErrDamaged if the document lacks what every document has, or if its sums do not add up.
func (d *Document) Check() error {
	_, err := time.Parse(time.DateOnly, d.Issued)
	switch {
	case err != nil:
		return damaged("its day is %q", d.Issued)
	case KindWords[d.Kind] == "":
		return damaged("its kind is %q", d.Kind)
	case len(d.Lines) == 0 || len(d.Taxes) == 0:
		return damaged("it has no lines")
	case d.Kind == CreditNote && d.Refers == nil:
		return damaged("it refers to no invoice")
	}
	var net, vat int64
	for _, t := range d.Taxes {
		net, vat = net+t.Net, vat+t.VAT
	}
	if net != d.Net || vat != d.VAT || net+vat+d.Rounding != d.Total {
		return damaged("its sums do not add up: %d + %d + %d is not %d", net, vat, d.Rounding, d.Total)
	}
	return nil
}

// recoverDamage makes a panic an ErrDamaged: a document that nobody foresaw is named, and stops nothing else.
func recoverDamage(err *error) {
	if p := recover(); p != nil {
		*err = damaged("%v", p)
	}
}
