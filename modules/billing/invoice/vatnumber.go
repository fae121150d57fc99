package invoice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/vies"
)

// VATRegister says which VAT numbers are good. An error is no answer: neither good nor bad.
type VATRegister interface {
	Check(ctx context.Context, number, asker string) (vies.Answer, error)
}

const (
	// answerTTL is for how long an answer of the register counts. Without one, VAT is charged.
	answerTTL = 30 * 24 * time.Hour
	// answerMaxAge is after how long the register is asked anew when something is sold.
	answerMaxAge = 24 * time.Hour
)

// VATAnswer is what the register has said of a number.
type VATAnswer struct {
	Number       string    `json:"number"`
	Valid        bool      `json:"valid"`
	Consultation string    `json:"consultation"`
	AskedAt      time.Time `json:"asked_at"`
}

// ForeignVATNumber is the VAT number of a company in another country of the Union than the supplier's; "" for everybody
// else. If the number is good, the tax is the customer's to pay (Directive 2006/112/EC, articles 44 and 196).
func ForeignVATNumber(ed *edition.Edition, d *Buyer) string {
	if d == nil || d.ClientType != Company || ed.Supplier.VAT == "" {
		return ""
	}
	home, there := territory(ed.Supplier.Country), territory(d.Country)
	n := ParseTaxNumber(d.Country, d.ICDPH)
	if home == there || !isUnion(home) || !isUnion(there) || n == nil || !n.goesWith(d.Country) {
		return ""
	}
	return n.Value
}

// lookUpVATNumber asks about a number unless there is an answer that is young enough.
func (s *Service) lookUpVATNumber(ctx context.Context, number string, young time.Duration) error {
	ed, err := edition.From(ctx)
	if err != nil || number == "" || s.Register == nil {
		return err
	}
	fresh := false
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		a, err := findVATAnswer(ctx, tx, number)
		fresh = a != nil && tx.Now.Sub(a.AskedAt) < young
		return err
	})
	if err != nil || fresh {
		return err
	}
	asker := strings.ReplaceAll(CleanTaxNumber(ed.Supplier.Country, ed.Supplier.VAT), " ", "")
	said, err := s.Register.Check(ctx, number, asker)
	if err != nil {
		return err
	}
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return putVATAnswer(ctx, tx,
			VATAnswer{Number: number, Valid: said.Valid, Consultation: said.Consultation, AskedAt: tx.Now})
	})
}

// CheckVATNumber asks the register about the number that a reader has set.
func (s *Service) CheckVATNumber(ctx context.Context, e event.Payer) error {
	return s.CheckVATNumberOf(ctx, func(context.Context, db.Tx) (int64, error) { return e.ReaderID, nil })
}

// CheckVATNumberOf asks about the number of a reader. That the register does not answer holds up nothing: VAT is
// charged, and the register is asked again.
func (s *Service) CheckVATNumberOf(ctx context.Context, reader func(context.Context, db.Tx) (int64, error)) error {
	number := ""
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		id, err := reader(ctx, tx)
		if err != nil || id == 0 {
			return err
		}
		d, _, err := FindBuyer(ctx, tx, id)
		number = ForeignVATNumber(tx.Edition, d)
		return err
	})
	if err != nil {
		return err
	}
	if err = s.lookUpVATNumber(ctx, number, answerMaxAge); errors.Is(err, vies.ErrUnknown) {
		s.log.WarnContext(ctx, "a VAT number was not checked", "error", err)
		return nil
	}
	return err
}

// CheckVATNumbers asks again about the numbers of those who pay, before the answers are too old to count, and about
// those of which there is none yet.
func (s *Service) CheckVATNumbers(ctx context.Context) error {
	var list []Buyer
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listCompaniesThatPay(ctx, tx)
		return err
	})
	ed, wrong := edition.From(ctx)
	if err != nil || wrong != nil {
		return errors.Join(err, wrong)
	}
	var errs []error
	silent := map[string]bool{}
	for i := range list {
		number := ForeignVATNumber(ed, &list[i])
		country := number[:min(2, len(number))]
		if silent[country] { // each country answers for itself, and is asked no further while it does not
			continue
		}
		if err := s.lookUpVATNumber(ctx, number, answerTTL-7*24*time.Hour); err != nil {
			silent[country] = true
			errs = append(errs, fmt.Errorf("billing: VAT number %s: %w", number, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// goodAnswer is the register's answer by which a buyer owes the VAT; nil for a buyer who does not.
func goodAnswer(ctx context.Context, tx db.Tx, buyer *Buyer) (*VATAnswer, error) {
	number := ForeignVATNumber(tx.Edition, buyer)
	if number == "" {
		return nil, nil
	}
	a, err := findVATAnswer(ctx, tx, number)
	if err != nil || a == nil || !a.Valid || tx.Now.Sub(a.AskedAt) > answerTTL {
		return nil, err
	}
	return a, nil
}

// applyReverseCharge takes the VAT off a draft whose customer owes it. The sum that is charged stays: all of it is the
// base then.
func (d *Draft) applyReverseCharge(ctx context.Context, tx db.Tx) error {
	if d.Kind == CreditNote { // which is as its invoice was
		return nil
	}
	a, err := goodAnswer(ctx, tx, &d.Customer)
	if err != nil || a == nil {
		return err
	}
	d.Register = a
	for i := range d.Lines {
		d.Lines[i].Category, d.Lines[i].Permille = VATReverse, 0
	}
	return nil
}
