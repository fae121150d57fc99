package stripe

import (
	"errors"
	"fmt"

	"github.com/stripe/stripe-go/v76"
)

// tries is how many failures of the provider at one thing are gone past within the day for which it remembers them.
const tries = 50

// once does what must not be done twice, and returns its id. The provider answers a key for a day as it did the first
// time, be it with a failure of its own, after which nobody knows whether the work was done. So once looks for it then,
// and tries the next key where it is not there: all who try walk along the same keys, and one of them does it. A fresh
// failure is for the next run.
//
// What can be done twice without harm needs no key, and has none.
func once(key string, look func() (id string, err error),
	do func(key string) (id string, err error),
) (id string, err error) {
	for n := 1; ; n++ {
		attempt := key
		if n > 1 {
			attempt = fmt.Sprintf("%s:%d", key, n)
		}
		if id, err = do(attempt); !isOldFailure(err) || n == tries {
			return id, err
		}
		if id, err = look(); err != nil || id != "" {
			return id, err
		}
	}
}

// isOldFailure reports whether the provider has answered with a failure that it remembers from another try.
func isOldFailure(err error) bool {
	var api *stripe.Error
	return IsOutage(err) && errors.As(err, &api) && api.LastResponse != nil &&
		api.LastResponse.Header.Get("Idempotent-Replayed") == "true"
}
