package billing

import (
	"context"

	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/paper/edition"
)

// Offer is OfferOf, as a method for who gets a Module.
func (m *Module) Offer(ed *edition.Edition) offer.Offer { return offer.Of(ed) }

// productsFor is Products at the prices that a reader would pay: the introductory one is for who has not had it yet. 0
// is a visitor.
func (m *Module) productsFor(ctx context.Context, ed *edition.Edition, readerID int64,
	kind string,
) ([]offer.Product, error) {
	if readerID == 0 {
		return offer.Products(ed, kind), nil
	}
	email, _, err := m.contacts.Contact(ctx, readerID)
	if err != nil {
		return nil, err
	}
	if former, err := m.contacts.Legacy(ctx, readerID); err != nil || former {
		return []offer.Product{}, err
	}
	intro, err := m.mayHaveIntro(ctx, readerID, email)
	return offer.ProductsFor(ed, kind, intro), err
}
