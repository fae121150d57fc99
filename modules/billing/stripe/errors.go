package stripe

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/stripe/stripe-go/v76"
)

// IsCardError reports whether the bank has said no, or wants its customer to confirm.
func IsCardError(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.Type == stripe.ErrorTypeCard
}

// IsOutage reports whether the provider has answered with a failure of its own.
func IsOutage(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.HTTPStatusCode >= http.StatusInternalServerError
}

// IsInvalid reports whether the provider does not take what it was sent, whenever it is sent again.
func IsInvalid(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.HTTPStatusCode == http.StatusBadRequest
}

// Explain says in a line what the provider answers with a document, or does not answer at all.
func Explain(err error) error {
	var api *stripe.Error
	switch {
	case !errors.As(err, &api):
		return fmt.Errorf("the payment provider cannot be reached: %w", err)
	case api.HTTPStatusCode == http.StatusUnauthorized:
		return errors.New("the payment provider does not know the secret key")
	}
	return fmt.Errorf("the payment provider answers %d: %s", api.HTTPStatusCode, api.Msg)
}

// ErrNoAnswer is a call whose outcome is not known: it may be repeated only with the same idempotency key.
var ErrNoAnswer = errors.New("billing: the provider did not answer")

// Uncertain tells apart "no" from "no answer".
func Uncertain(err error) error {
	var api *stripe.Error
	if err == nil || errors.As(err, &api) && api.HTTPStatusCode != http.StatusConflict {
		return err
	}
	return fmt.Errorf("%w: %w", ErrNoAnswer, err)
}

func refused(err error, code stripe.ErrorCode) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.Code == code
}

// IsRefusal reports whether the provider has answered, and said no.
func IsRefusal(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && !errors.Is(err, ErrNoAnswer)
}

// IsGone reports whether the provider does not have the object any more.
func IsGone(err error) bool { return refused(err, stripe.ErrorCodeResourceMissing) }
