package sandbox

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"
)

// Meta is what every object has.
type Meta struct {
	ID       string `json:"id"`
	Object   string `json:"object"`
	Created  int64  `json:"created"`
	Livemode bool   `json:"livemode"`
}

func (m *Meta) meta() *Meta { return m }

// entity is a stored object.
type entity interface {
	meta() *Meta
	kind() string
}

const (
	kindAnswer   = "answer"
	kindDelivery = "delivery"
)

// blanks makes an empty object of each kind.
var blanks = map[string]func() entity{
	"customer":         func() entity { return &customer{} },
	"tax_id":           func() entity { return &taxID{} },
	"product":          func() entity { return &product{} },
	"price":            func() entity { return &price{} },
	"coupon":           func() entity { return &coupon{} },
	"promotion_code":   func() entity { return &promotionCode{} },
	"checkout":         func() entity { return &checkout{} },
	"subscription":     func() entity { return &subscription{} },
	"schedule":         func() entity { return &schedule{} },
	"invoice":          func() entity { return &invoice{} },
	"invoiceitem":      func() entity { return &invoiceItem{} },
	"payment_intent":   func() entity { return &paymentIntent{} },
	"payment_method":   func() entity { return &paymentMethod{} },
	"setup_intent":     func() entity { return &setupIntent{} },
	"charge":           func() entity { return &charge{} },
	"refund":           func() entity { return &refund{} },
	"dispute":          func() entity { return &dispute{} },
	"portal":           func() entity { return &portalSession{} },
	"portal_config":    func() entity { return &portalConfig{} },
	"event":            func() entity { return &event{} },
	"webhook_endpoint": func() entity { return &webhookEndpoint{} },
	"merchant":         func() entity { return &merchant{} },
	kindAnswer:         func() entity { return &answer{} },
	kindDelivery:       func() entity { return &delivery{} },
}

// objectNames are the values of "object" where they differ from the kind.
var objectNames = func() map[string]string {
	names := map[string]string{}
	for kind := range blanks {
		names[kind] = kind
	}
	names["checkout"] = "checkout.session"
	names["schedule"] = "subscription_schedule"
	names["portal"] = "billing_portal.session"
	names["portal_config"] = "billing_portal.configuration"
	return names
}()

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// newID is a prefix and 24 random letters and digits.
func newID(prefix string) string { return prefix + randomText(24) }

func randomText(length int) string {
	var b strings.Builder
	raw := make([]byte, 2*length)
	for b.Len() < length {
		_, _ = rand.Read(raw) // crypto/rand never fails since Go 1.24
		for _, c := range raw {
			if n := int(c) & 63; n < len(alphabet) && b.Len() < length {
				b.WriteByte(alphabet[n])
			}
		}
	}
	return b.String()
}

// text is a string whose empty value is null in JSON.
type text string

// MarshalJSON writes null for the empty text.
func (s text) MarshalJSON() ([]byte, error) {
	if s == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(s))
}

// number is an integer whose zero is null in JSON: instants in epoch seconds, limits.
type number int64

// MarshalJSON writes null for zero.
func (n number) MarshalJSON() ([]byte, error) {
	if n == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(int64(n))
}

// fraction is a float whose zero is null in JSON.
type fraction float64

// MarshalJSON writes null for zero.
func (f fraction) MarshalJSON() ([]byte, error) {
	if f == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// listOf is a list inside another object.
type listOf[T any] struct {
	Object  string `json:"object"`
	Data    []T    `json:"data"`
	HasMore bool   `json:"has_more"`
	URL     string `json:"url"`
	Total   int    `json:"total_count"`
}

func newList[T any](url string, data []T) listOf[T] {
	if data == nil {
		data = []T{}
	}
	return listOf[T]{Object: "list", Data: data, URL: url, Total: len(data)}
}

// nothing are the fields that exist in the API and stay null here.
type nothing struct{}

// MarshalJSON writes null.
func (nothing) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// toMap is the JSON of v as a map with exact numbers.
func toMap(v any) map[string]any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // the types of this package always encode
	}
	return rawMap(data)
}

func rawMap(data []byte) map[string]any {
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		panic(err)
	}
	return m
}

// mergeMetadata sets the keys of change; an empty value removes its key.
func mergeMetadata(into *map[string]string, change map[string]string) {
	if *into == nil {
		*into = map[string]string{}
	}
	for k, v := range change {
		if v == "" {
			delete(*into, k)
		} else {
			(*into)[k] = v
		}
	}
}
