package invoice

import (
	"cmp"
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Codes of what is wrong with the VAT number of a company. The number is kept all the same, and VAT is charged.
const (
	NumberInvalid    = "VAT_NUMBER_INVALID"    // it has not the form of its country
	NumberForeign    = "VAT_NUMBER_FOREIGN"    // it is of another country than the address
	NumberUnknown    = "VAT_NUMBER_UNKNOWN"    // the register does not know it
	NumberUnanswered = "VAT_NUMBER_UNANSWERED" // the register has not answered yet
)

// formProblem is what is wrong with the form of a buyer's number; "" for nothing.
func formProblem(ed *edition.Edition, d *Buyer) string {
	if d == nil || d.ClientType != Company || d.ICDPH == "" {
		return ""
	}
	country := cmp.Or(d.Country, ed.Supplier.Country)
	n := ParseTaxNumber(country, d.ICDPH)
	switch {
	case n != nil && !n.goesWith(country):
		return NumberForeign
	case n == nil && TaxNumberExample(country) != "":
		return NumberInvalid
	}
	return ""
}

// NumberProblem is what is wrong with the VAT number that a reader has set, by what is known; "" for nothing.
func (s *Service) NumberProblem(ctx context.Context, readerID int64) (code string, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		d, _, err := FindBuyer(ctx, tx, readerID)
		if err != nil {
			return err
		}
		number := ForeignVATNumber(tx.Edition, d)
		if code = formProblem(tx.Edition, d); code != "" || number == "" {
			return err
		}
		a, err := findVATAnswer(ctx, tx, number)
		switch {
		case err != nil:
		case a == nil || tx.Now.Sub(a.AskedAt) > answerTTL:
			code = NumberUnanswered
		case !a.Valid:
			code = NumberUnknown
		}
		return err
	})
	return code, err
}

// CheckNumber asks the register about the number that a reader has just set, and says what is wrong with it.
func (s *Service) CheckNumber(ctx context.Context, readerID int64) (string, error) {
	err := s.CheckVATNumberOf(ctx, func(context.Context, db.Tx) (int64, error) { return readerID, nil })
	if err != nil {
		return "", err
	}
	return s.NumberProblem(ctx, readerID)
}
