package billing

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/fault"
)

// What the provider says to a change decides what its reader is told, and whether the same may be asked again: without
// an answer with the same key, after a failure of the provider with another one.
func TestWhatTheProviderSaysToAChange(t *testing.T) {
	t.Parallel()
	said := func(status int, kind stripe.ErrorType) error {
		return uncertain(&stripe.Error{HTTPStatusCode: status, Type: kind})
	}
	for name, c := range map[string]struct {
		said  error
		state string
		want  *fault.Error
	}{
		"done":           {nil, "done", nil},
		"a failure":      {said(http.StatusInternalServerError, stripe.ErrorTypeAPI), "lapsed", errProviderAway},
		"the card":       {said(http.StatusPaymentRequired, stripe.ErrorTypeCard), "refused", ErrPaymentFailed},
		"no":             {said(http.StatusBadRequest, stripe.ErrorTypeInvalidRequest), "refused", ErrState},
		"busy with it":   {said(http.StatusConflict, stripe.ErrorTypeIdempotency), "open", errProviderAway},
		"no answer":      {uncertain(errors.New("connection reset")), "open", errProviderAway},
		"not even asked": {errors.New("no route to host"), "open", errProviderAway},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPaper(t)
			h := held{subscription: p.subscribe(1, Monthly)}
			id, err := p.shop.noteChange(p.ctx, h, Change{Kind: changeCancel})
			if err != nil {
				t.Fatal(err)
			}
			err = p.shop.settleChange(p.ctx, id, c.said)
			if (err == nil) != (c.want == nil) || err != nil && !fault.From(err).Is(c.want) {
				t.Errorf("told %v, want %v", err, c.want)
			}
			var state []string
			if p.rows(&state, "SELECT state FROM billing_changes"); len(state) != 1 || state[0] != c.state {
				t.Errorf("it is %v, want %s", state, c.state)
			}
		})
	}
}
