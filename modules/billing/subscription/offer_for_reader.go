package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/paper/edition"
)

// ProductsFor lists the products at the prices that a reader would pay: nobody gets the introductory price twice. 0 is
// a visitor.
func (s *Service) ProductsFor(ctx context.Context, ed *edition.Edition, readerID int64,
	kind string,
) ([]offer.Product, error) {
	if readerID == 0 {
		return offer.Products(ed, kind), nil
	}
	address, _, err := s.contacts.Contact(ctx, readerID)
	if err != nil {
		return nil, err
	}
	if former, err := s.contacts.Legacy(ctx, readerID); err != nil || former {
		return []offer.Product{}, err
	}
	intro, err := s.mayHaveIntro(ctx, readerID, address)
	if err != nil {
		return nil, err
	}
	vat, err := s.invoices.Treatment(ctx, readerID)
	list := offer.ProductsFor(ed, kind, intro)
	for i := range list {
		list[i].VAT = string(vat)
	}
	return list, err
}
