package billing

import (
	"context"
	"net/url"
	"time"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
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
func (m *Module) slip(ctx context.Context, ed *edition.Edition,
	link string,
) (o *transfer, d *invoice.Document, err error) {
	id := m.follow(ed, linkTransfer, link)
	if id == 0 {
		return nil, nil, nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if o, err = findTransfer(ctx, tx, "id = ? AND left_at IS NULL", id); err != nil || o == nil {
			return err
		}
		d, err = invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
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
		State: o.State, Number: d.Number, Product: d.Product(), Amount: i18n.MoneyIn(ed, d.Total, d.Currency),
		Payee: d.Supplier.Name, Bank: d.Supplier.Bank,
		IBAN: invoice.Grouped(d.Supplier.IBAN), BIC: d.Supplier.SWIFT, Reference: o.Reference, Due: i18n.Date(ed, o.DueAt),
		Last: i18n.Date(ed, o.VoidAt.Add(-time.Minute)),
	}
	if t.Kind, t.Format = invoice.ReferenceForm(d.Supplier.IBAN); t.Kind != "symbol" {
		t.Reference = invoice.Grouped(o.Reference)
	}
	if o.State == transferOpen {
		if _, err := invoice.PaymentCode(d); err == nil {
			t.Code = codePath + "?slip=" + url.QueryEscape(link)
		} else {
			m.log.ErrorContext(ctx, "an order has no payment code", "edition", ed.ID, "document", d.Number, "error", err)
		}
	}
	if session.ReaderID(ctx) == o.ReaderID {
		t.Document = ed.Href(edition.Invoice, d.Address())
	}
	out.Transfer = t
	return nil
}
