package billing

import (
	"context"
	"errors"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/event"
	"example.org/broadsheet/platform/vies"
)

// VATRegister says which VAT numbers are good. An error is no answer: neither good nor bad.
type VATRegister interface {
	Check(ctx context.Context, number, asker string) (vies.Answer, error)
}

const (
	// answerLife is for how long an answer of the register counts. Without one, VAT is charged.
	answerLife = 30 * 24 * time.Hour
	// answerStale is after how long the register is asked anew when something is sold.
	answerStale = 24 * time.Hour
)

// vatAnswer is what the register has said of a number.
type vatAnswer struct {
	Number       string    `json:"number"`
	Valid        bool      `json:"valid"`
	Consultation string    `json:"consultation"`
	AskedAt      time.Time `json:"asked_at"`
}

// abroad is the VAT number of a company in another country of the Union than the supplier's; "" for everybody else. If
// the number is good, the tax is the customer's to pay (Directive 2006/112/EC, articles 44 and 196).
func abroad(ed *edition.Edition, d *InvoiceData) string {
	if d == nil || d.ClientType != Company || ed.Supplier.VAT == "" || d.Country == ed.Supplier.Country ||
		!isUnion(ed.Supplier.Country) || !isUnion(d.Country) {
		return ""
	}
	n := parseTaxNumber(d.Country, d.ICDPH)
	if n == nil || n.Type != "eu_vat" || n.Value[:2] != unionPrefix(d.Country) {
		return ""
	}
	return n.Value
}

// unionPrefix is what the VAT numbers of a country begin with.
func unionPrefix(country string) string {
	if country == "GR" {
		return "EL"
	}
	return country
}

// askRegister asks about a number unless there is an answer that is young enough.
func (m *Module) askRegister(ctx context.Context, number string, young time.Duration) error {
	ed, err := edition.From(ctx)
	if err != nil || number == "" || m.register == nil {
		return err
	}
	fresh := false
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		a, err := findVATAnswer(ctx, tx, number)
		fresh = a != nil && tx.Now.Sub(a.AskedAt) < young
		return err
	})
	if err != nil || fresh {
		return err
	}
	asker := strings.ReplaceAll(ed.Supplier.VAT, " ", "")
	said, err := m.register.Check(ctx, number, asker)
	if err != nil {
		return err
	}
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return putVATAnswer(ctx, tx,
			vatAnswer{Number: number, Valid: said.Valid, Consultation: said.Consultation, AskedAt: tx.Now})
	})
}

// checkPayer asks the register about the number that a reader has set.
func (m *Module) checkPayer(ctx context.Context, e event.Payer) error {
	return m.checkNumber(ctx, func(context.Context, db.Tx) (int64, error) { return e.ReaderID, nil })
}

// checkBuyer does the same when something was sold.
func (m *Module) checkBuyer(ctx context.Context, said remote) error {
	return m.checkNumber(ctx, func(ctx context.Context, tx db.Tx) (int64, error) {
		reader, err := findCustomerReader(ctx, tx, said.Customer)
		if reader == 0 && said.Edition == tx.Edition.ID {
			reader = said.ReaderID
		}
		return reader, err
	})
}

// checkOrders does the same before orders by transfer are paid: the transaction that pays them asks nobody.
func (m *Module) checkOrders(ctx context.Context, find func(context.Context, db.Tx) ([]transfer, error)) error {
	var list []transfer
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = find(ctx, tx)
		return err
	})
	for i := range list {
		if err == nil && list[i].State != transferPaid {
			err = m.checkPayer(ctx, event.Payer{ReaderID: list[i].ReaderID})
		}
	}
	return err
}

// checkNumber asks about the number of a reader. That the register does not answer holds up nothing: VAT is charged,
// and the register is asked again.
func (m *Module) checkNumber(ctx context.Context, reader func(context.Context, db.Tx) (int64, error)) error {
	number := ""
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		id, err := reader(ctx, tx)
		if err != nil || id == 0 {
			return err
		}
		d, _, err := findInvoiceData(ctx, tx, id)
		number = abroad(tx.Edition, d)
		return err
	})
	if err != nil {
		return err
	}
	if err = m.askRegister(ctx, number, answerStale); errors.Is(err, vies.ErrUnknown) {
		m.log.WarnContext(ctx, "a VAT number was not checked", "error", err)
		return nil
	}
	return err
}

// CheckVATNumbers asks again about the numbers of those who pay, before the answers are too old to count, and about
// those of which there is none yet.
func (m *Module) CheckVATNumbers(ctx context.Context) error {
	var list []InvoiceData
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listCompaniesThatPay(ctx, tx)
		return err
	})
	ed, wrong := edition.From(ctx)
	if err != nil || wrong != nil {
		return errors.Join(err, wrong)
	}
	for i := range list {
		if err := m.askRegister(ctx, abroad(ed, &list[i]), answerLife-7*24*time.Hour); err != nil {
			return err // the register is asked no further while it does not answer
		}
	}
	return nil
}

// reverse takes the VAT off a draft whose customer owes it. The sum that is charged stays: all of it is the base then.
func (d *draft) reverse(ctx context.Context, tx db.Tx) error {
	number := abroad(tx.Edition, &d.Customer)
	if d.Kind == creditNote || number == "" { // which is as its invoice was
		return nil
	}
	a, err := findVATAnswer(ctx, tx, number)
	if err != nil || a == nil || !a.Valid || tx.Now.Sub(a.AskedAt) > answerLife {
		return err
	}
	d.Register = a
	for i := range d.Lines {
		d.Lines[i].Category, d.Lines[i].Permille = vatReverse, 0
	}
	return nil
}
