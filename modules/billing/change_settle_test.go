package billing

import (
	"errors"
	"net/http"
	"testing"

	api "github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/fault"
)

// What the provider says to a change decides what its reader is told, and whether the same may be asked again: without
// an answer with the same key, after a failure of the provider with another one.
func TestWhatTheProviderSaysToAChange(t *testing.T) {
	t.Parallel()
	remote := func(status int, kind api.ErrorType) error {
		return stripe.Uncertain(&api.Error{HTTPStatusCode: status, Type: kind})
	}
	for name, c := range map[string]struct {
		said  error
		state string
		want  *fault.Error
	}{
		"done":           {nil, "done", nil},
		"a failure":      {remote(http.StatusInternalServerError, api.ErrorTypeAPI), "lapsed", subscription.ErrProviderAway},
		"the card":       {remote(http.StatusPaymentRequired, api.ErrorTypeCard), "refused", access.ErrPaymentFailed},
		"no":             {remote(http.StatusBadRequest, api.ErrorTypeInvalidRequest), "refused", access.ErrState},
		"busy with it":   {remote(http.StatusConflict, api.ErrorTypeIdempotency), "open", subscription.ErrProviderAway},
		"no answer":      {stripe.Uncertain(errors.New("connection reset")), "open", subscription.ErrProviderAway},
		"not even asked": {errors.New("no route to host"), "open", subscription.ErrProviderAway},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			h := subscription.Live{Subscription: p.subscribe(1, access.Monthly)}
			id, err := p.shop.Subscriptions.NoteChange(p.ctx, h, subscription.Change{Kind: access.ChangeCancel})
			if err != nil {
				t.Fatal(err)
			}
			err = p.shop.Subscriptions.SettleChange(p.ctx, id, c.said)
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
