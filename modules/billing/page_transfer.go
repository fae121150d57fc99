package billing

import (
	"context"
	"net/url"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/payqr"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// transferData is TransferData of openapi.yaml.
type transferData struct {
	State     string `json:"state"` // open, paid, void, reversed
	Number    string `json:"number"`
	Product   string `json:"product"`
	Amount    string `json:"amount"` // as shown
	Payee     string `json:"payee"`
	Bank      string `json:"bank"`
	IBAN      string `json:"iban"` // in groups of four
	BIC       string `json:"bic"`
	Reference string `json:"reference"`
	Kind      string `json:"kind"` // of the reference: symbol, rf, qrr
	Due       string `json:"due"`  // days, as shown
	Last      string `json:"last"`
	Code      string `json:"code"`     // address of the picture; "" for none
	Format    string `json:"format"`   // bysquare, epc, swiss
	Document  string `json:"document"` // address of the pre-invoice; "" for who is not its reader
}

// codePath is where the picture of a payment code is.
const codePath = "/fns/transfer-code"

// transferURL is the page that says how to pay an order. Whoever has the address can read it: it names nobody but the
// payee.
func (m *Module) transferURL(ed *edition.Edition, id int64) string {
	return saleURL(ed, stepTransfer, "slip", m.link(ed, linkTransfer, id))
}

// slip finds an order and its pro-forma invoice by a link; nil for one that leads to none.
func (m *Module) slip(ctx context.Context, ed *edition.Edition, link string) (o *transfer, d *document, err error) {
	id := m.follow(ed, linkTransfer, link)
	if id == 0 {
		return nil, nil, nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if o, err = findTransfer(ctx, tx, "id = ? AND left_at IS NULL", id); err != nil || o == nil {
			return err
		}
		d, err = findDocument(ctx, tx, "d.id = ?", o.DocumentID)
		return err
	})
	if d == nil {
		return nil, nil, err
	}
	return o, d, err
}

// ownSlip is the link to a reader's order that waits for its money, or to the newest one; "" for none.
func (m *Module) ownSlip(ctx context.Context, ed *edition.Edition, readerID int64) (link string, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		o, err := findTransfer(ctx, tx, "reader_id = ? AND left_at IS NULL ORDER BY state = 'open' DESC, id DESC LIMIT 1",
			readerID)
		if err == nil && o != nil {
			link = m.link(ed, linkTransfer, o.ID)
		}
		return err
	})
	return link, err
}

// transferStep shows the order of a link or, without one, the reader's own; it shows nothing to who has none.
func (m *Module) transferStep(ctx context.Context, ed *edition.Edition, r *page.Request, out *saleData) error {
	link := r.Query.Get("slip")
	if link == "" && out.SignedIn {
		own, err := m.ownSlip(ctx, ed, session.ReaderID(ctx))
		if err != nil || own == "" {
			return err
		}
		link = own
	}
	o, d, err := m.slip(ctx, ed, link)
	if err != nil {
		return err
	}
	if o == nil {
		return web.ErrNotFound
	}
	t := &transferData{
		State: o.State, Number: d.Number, Product: d.product(), Amount: i18n.MoneyIn(ed, d.Total, d.Currency),
		Payee: d.Supplier.Name, Bank: d.Supplier.Bank,
		IBAN: grouped(d.Supplier.IBAN), BIC: d.Supplier.SWIFT, Reference: o.Reference, Due: i18n.Date(ed, o.DueAt),
		Last: i18n.Date(ed, o.VoidAt.Add(-time.Minute)),
	}
	if t.Kind, t.Format = formOf(d.Supplier.IBAN); t.Kind != "symbol" {
		t.Reference = grouped(o.Reference)
	}
	if o.State == transferOpen {
		if _, err := paymentCode(d); err == nil {
			t.Code = codePath + "?slip=" + url.QueryEscape(link)
		} else {
			m.log.ErrorContext(ctx, "an order has no payment code", "edition", ed.ID, "document", d.Number, "error", err)
		}
	}
	if session.ReaderID(ctx) == o.ReaderID {
		t.Document = ed.Href(edition.Invoice, d.address())
	}
	out.Transfer = t
	return nil
}

// formOf says what the payments into an account are told apart by, and which code its country's banks read.
func formOf(iban string) (kind, format string) {
	swiss := strings.HasPrefix(iban, "CH") || strings.HasPrefix(iban, "LI")
	switch {
	case payqr.IsQRIBAN(iban):
		return "qrr", "swiss"
	case swiss:
		return "rf", "swiss"
	case symbols(iban):
		return "symbol", "bysquare"
	}
	return "rf", "epc"
}

// paymentCode is the text of the payment code of a pro-forma invoice.
func paymentCode(d *document) (string, error) {
	s := d.Supplier
	p := payqr.Payment{
		Payee: payqr.Party{Name: s.Name, Street: s.Street, Postal: s.Postal, City: s.City, Country: s.Country},
		IBAN:  s.IBAN, BIC: s.SWIFT, Amount: d.Total, Currency: d.Currency, Reference: d.Reference, Note: d.Number,
		Due: strings.ReplaceAll(d.Due, "-", ""),
	}
	switch _, format := formOf(s.IBAN); format {
	case "swiss":
		return payqr.Swiss(p)
	case "bysquare":
		return payqr.BySquare(p)
	}
	return payqr.EPC(p)
}

// grouped puts a space after every fourth character, as numbers are written to be typed.
func grouped(s string) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}
