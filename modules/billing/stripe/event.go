package stripe

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"
)

// nameOfObject is what ids and types of the provider look like; "" for a message about nothing.
var nameOfObject = regexp.MustCompile(`^[!-~]{0,255}$`)

// Event is one verified message of the provider.
type Event struct {
	ID, Type, Object, ObjectID string
	Created                    time.Time
}

// Verify checks the signature with the edition's secret, and that it is of these five minutes, more or less. The
// version of the message does not matter: nothing but ids is taken from it.
func (a *Account) Verify(body []byte, signature string) (Event, error) {
	if a.keys.WebhookSecret == "" {
		return Event{}, errors.New("billing: the edition has no webhook secret")
	}
	e, err := webhook.ConstructEventWithOptions(body, signature, a.keys.WebhookSecret,
		webhook.ConstructEventOptions{IgnoreAPIVersionMismatch: true, Tolerance: webhook.DefaultTolerance})
	if err != nil {
		return Event{}, err
	}
	if time.Until(signedAt(signature)) > webhook.DefaultTolerance {
		return Event{}, errFuture
	}
	r := Event{ID: e.ID, Type: string(e.Type), Created: time.Unix(e.Created, 0).UTC()}
	if e.Data != nil {
		r.Object, _ = e.Data.Object["object"].(string)
		r.ObjectID, _ = e.Data.Object["id"].(string)
	}
	if r.ID == "" || r.Type == "" {
		return Event{}, errors.New("billing: a message without an id")
	}
	for _, name := range []string{r.ID, r.Type, r.Object, r.ObjectID} {
		if !nameOfObject.MatchString(name) {
			return Event{}, fmt.Errorf("billing: a message with the name %q", name)
		}
	}
	return r, nil
}

// Refusal is why a message is refused.
type Refusal string

// The refusals.
const (
	RefusedUnsigned  Refusal = "unsigned"  // without a signature of the provider's form: anybody can send such a message
	RefusedSignature Refusal = "signature" // signed with another secret than the edition's
	RefusedTime      Refusal = "time"      // signed long ago, or in the future
	RefusedContent   Refusal = "content"   // signed, and not a message that the provider makes
)

var errFuture = errors.New("billing: a message of the future")

// RefusalOf returns why Verify has returned an error.
func RefusalOf(err error) Refusal {
	switch {
	case errors.Is(err, webhook.ErrNotSigned), errors.Is(err, webhook.ErrInvalidHeader):
		return RefusedUnsigned
	case errors.Is(err, webhook.ErrNoValidSignature):
		return RefusedSignature
	case errors.Is(err, webhook.ErrTooOld), errors.Is(err, errFuture):
		return RefusedTime
	}
	return RefusedContent
}

// signedAt is when a message says that it was signed.
func signedAt(signature string) time.Time {
	for part := range strings.SplitSeq(signature, ",") {
		if at, is := strings.CutPrefix(part, "t="); is {
			n, _ := strconv.ParseInt(at, 10, 64)
			return time.Unix(n, 0)
		}
	}
	return time.Time{}
}
