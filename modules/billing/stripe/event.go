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
		return Event{}, errors.New("billing: a message of the future")
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
