package access

import "example.org/broadsheet/platform/fault"

// Codes of the module.
var (
	ErrPaymentFailed   = fault.New(fault.Unavailable, "PAYMENT_FAILED")
	ErrTransferFailed  = fault.New(fault.Invalid, "IBAN_PAYMENT_FAILED")
	ErrHasSubscription = fault.New(fault.Conflict, "USER_HAS_SUBSCRIPTION")
	// Of the subscription, which does not allow the change.
	ErrState         = fault.New(fault.Conflict, "SUBSCRIPTION_STATE")
	ErrAmountChanged = fault.New(fault.Conflict, "AMOUNT_CHANGED") // since it was shown
)
