package access

import (
	"context"
	"errors"

	"example.org/broadsheet/platform/fault"
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

// ErrLeft is what Contacts says of a reader who has left.
var ErrLeft = errors.New("billing: the reader has left")

// UnlessLeft ends work that is about a reader without an error once that reader has left.
func UnlessLeft[P any](fn func(context.Context, P) error) func(context.Context, P) error {
	return func(ctx context.Context, p P) error {
		if err := fn(ctx, p); !errors.Is(err, ErrLeft) {
			return err
		}
		return nil
	}
}
