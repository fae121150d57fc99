package transfer

import (
	"context"
	"net/url"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Data is TransferData of openapi.yaml.
type Data struct {
	State     string `json:"state"` // open, paid, void, reversed
	Number    string `json:"number"`
	Product   string `json:"product"`
	Amount    string `json:"amount"` // as shown
	VAT       string `json:"vat"`    // that it bears, as of invoice.Treatment
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
	Document  string `json:"document"` // address of the pre-invoice; "" for whoever is not its reader
}

// CodePath is where the picture of a payment code is.
const CodePath = "/fns/transfer-code"

// URL is the page that says how to pay an order. Whoever has the address can read it: it names nobody but the
// payee.
func (s *Service) URL(ed *edition.Edition, id int64) string {
	return links.Sale(ed, links.StepTransfer, "slip", s.links.Sign(ed, links.Transfer, id))
}

// slip finds an order and its pro-forma invoice by a link; nil for one that leads to none.
func (s *Service) slip(ctx context.Context, ed *edition.Edition,
	link string,
) (o *Order, d *invoice.Document, err error) {
	id := s.links.Open(ed, links.Transfer, link)
	if id == 0 {
		return nil, nil, nil
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if o, err = Find(ctx, tx, "id = ? AND left_at IS NULL", id); err != nil || o == nil {
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
func (s *Service) ownSlip(ctx context.Context, ed *edition.Edition, readerID int64) (link string, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		o, err := Find(ctx, tx, "reader_id = ? AND left_at IS NULL ORDER BY state = 'open' DESC, id DESC LIMIT 1",
			readerID)
		if err == nil && o != nil {
			link = s.links.Sign(ed, links.Transfer, o.ID)
		}
		return err
	})
	return link, err
}

// Show shows the order of a link or, without one, the reader's own; nil for a reader who has none.
func (s *Service) Show(ctx context.Context, ed *edition.Edition, link string) (*Data, error) {
	if reader := session.ReaderID(ctx); link == "" && reader != 0 {
		own, err := s.ownSlip(ctx, ed, reader)
		if err != nil || own == "" {
			return nil, err
		}
		link = own
	}
	o, d, err := s.slip(ctx, ed, link)
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, web.ErrNotFound
	}
	t := &Data{
		State: o.State, Number: d.Number, Product: d.Product(), Amount: i18n.MoneyIn(ed, d.Total, d.Currency),
		VAT:   string(d.Treatment()),
		Payee: d.Supplier.Name, Bank: d.Supplier.Bank,
		IBAN: invoice.Grouped(d.Supplier.IBAN), BIC: d.Supplier.SWIFT, Reference: o.Reference, Due: i18n.Date(ed, o.DueAt),
		Last: i18n.Date(ed, o.lastDay()),
	}
	if t.Kind, t.Format = invoice.ReferenceForm(d.Supplier.IBAN); t.Kind != "symbol" {
		t.Reference = invoice.Grouped(o.Reference)
	}
	if o.State == StateOpen {
		if _, err := invoice.PaymentCode(d); err == nil {
			t.Code = CodePath + "?slip=" + url.QueryEscape(link)
		} else {
			s.log.ErrorContext(ctx, "an order has no payment code", "edition", ed.ID, "document", d.Number, "error", err)
		}
	}
	if session.ReaderID(ctx) == o.ReaderID {
		t.Document = ed.Href(edition.Invoice, d.Address())
	}
	return t, nil
}
