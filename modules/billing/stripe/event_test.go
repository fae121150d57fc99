package stripe

import (
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"
)

// Whatever the body of a message is, a wrong signature is refused, and a right one gives names that can be printed.
func FuzzVerify(f *testing.F) {
	a := &Account{keys: Keys{WebhookSecret: "whsec_test"}}
	f.Add([]byte(`{"id":"evt_1","type":"invoice.paid","created":1,"data":{"object":{"object":"invoice","id":"in_1"}}}`),
		"t=1,v1=00")
	f.Add([]byte(`{"id":"evt_1","type":"a","data":{"object":{"object":7,"id":null}}}`), "t=-1,,v1")
	f.Add([]byte(`{"id":"a\nb","type":"x"}`), "")
	f.Fuzz(func(t *testing.T, body []byte, signature string) {
		if e, err := a.Verify(body, signature); err == nil {
			t.Fatalf("%q is no signature of %q, and gave %+v", signature, body, e)
		}
		now := time.Now()
		signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{
			Payload: body, Secret: a.keys.WebhookSecret, Timestamp: now,
		})
		e, err := a.Verify(body, signed.Header)
		if err != nil {
			return
		}
		for _, name := range []string{e.ID, e.Type, e.Object, e.ObjectID} {
			if !nameOfObject.MatchString(name) {
				t.Fatalf("a name %q", name)
			}
		}
		if e.ID == "" || e.Type == "" {
			t.Fatalf("a message about nothing: %+v", e)
		}
	})
}
