package offer

import "example.org/broadsheet/platform/paper/edition"

// Active finds a product that costs something and can be ordered.
func Active(ed *edition.Edition, kind string) *edition.Product {
	if p := Known(ed, kind); p != nil && p.IsSold() {
		return p
	}
	return nil
}

// Known finds a product that costs something, also one that is only kept for those who have it.
func Known(ed *edition.Edition, kind string) *edition.Product {
	if p := ed.Product(kind); p != nil && p.Amount > 0 && ed.Flags["subscriptions"] {
		return p
	}
	return nil
}

// Name returns the name of a product, or its type where the edition does not have it.
func Name(ed *edition.Edition, kind string) string {
	if p := ed.Product(kind); p != nil {
		return p.Name
	}
	return kind
}
