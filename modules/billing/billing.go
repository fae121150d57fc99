// Package billing sells subscriptions. Access comes from what the provider has confirmed and from nothing else; the
// rows here are copies of what it said last.
package billing

import (
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// Codes of the module.
var (
	ErrPaymentFailed   = fault.New(fault.Unavailable, "PAYMENT_FAILED")
	ErrTransferFailed  = fault.New(fault.Invalid, "IBAN_PAYMENT_FAILED")
	ErrHasSubscription = fault.New(fault.Conflict, "USER_HAS_SUBSCRIPTION")
	// Of the subscription, which does not allow the change.
	ErrState         = fault.New(fault.Conflict, "SUBSCRIPTION_STATE")
	ErrAmountChanged = fault.New(fault.Conflict, "AMOUNT_CHANGED") // since it was shown
)

// activeProduct finds a product that costs something.
func activeProduct(ed *edition.Edition, kind string) *edition.Product {
	if p := ed.Product(kind); p != nil && p.Amount > 0 && ed.Flags["subscriptions"] {
		return p
	}
	return nil
}
