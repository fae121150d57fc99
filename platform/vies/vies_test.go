package vies

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		want   Answer
		known  bool
	}{
		"good": {200, `{"countryCode":"AT","vatNumber":"U12345675","valid":true,` +
			`"requestIdentifier":"WAPIAAAA1","userError":"VALID"}`, Answer{true, "WAPIAAAA1"}, true},
		"good, without a proof": {
			200, `{"countryCode":"AT","vatNumber":"U12345675","valid":true,"requestIdentifier":""}`,
			Answer{Valid: true},
			true,
		},
		"bad": {
			200, `{"countryCode":"AT","vatNumber":"U12345675","valid":false,"userError":"INVALID"}`,
			Answer{},
			true,
		},
		"of no country's shape": {200, `{"countryCode":"AT","vatNumber":"U12345675","valid":false,` +
			`"userError":"INVALID_INPUT"}`, Answer{}, true},
		"another number":  {200, `{"countryCode":"AT","vatNumber":"U99999999","valid":true}`, Answer{}, false},
		"another country": {200, `{"countryCode":"DE","vatNumber":"U12345675","valid":true}`, Answer{}, false},
		"a state that is away": {200, `{"countryCode":"AT","vatNumber":"U12345675","valid":false,` +
			`"userError":"MS_UNAVAILABLE"}`, Answer{}, false},
		"good, though away": {
			200, `{"countryCode":"AT","vatNumber":"U12345675","valid":true,"userError":"TIMEOUT"}`,
			Answer{},
			false,
		},
		"no success": {
			200, `{"actionSucceed":false,"errorWrappers":[{"error":"MS_MAX_CONCURRENT_REQ"}]}`,
			Answer{},
			false,
		},
		"good, without a success": {
			200, `{"actionSucceed":false,"countryCode":"AT","vatNumber":"U12345675","valid":true}`,
			Answer{},
			false,
		},
		"an error":      {500, `{"countryCode":"AT","vatNumber":"U12345675","valid":true}`, Answer{}, false},
		"no word of it": {200, `{"countryCode":"AT","vatNumber":"U12345675"}`, Answer{}, false},
		"no JSON":       {200, `<html>`, Answer{}, false},
		"nothing":       {204, ``, Answer{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked map[string]string
			register := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPost || r.URL.Path != "/api/check-vat-number" ||
					json.NewDecoder(r.Body).Decode(&asked) != nil {
					t.Errorf("%s %s", r.Method, r.URL)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer register.Close()
			got, err := New(register.URL+"/api/", http.DefaultClient).Check(context.Background(), "ATU12345675", "SK2020202020")
			if got != c.want || (err == nil) != c.known || err != nil && !errors.Is(err, ErrUnknown) {
				t.Errorf("%+v, %v", got, err)
			}
			if asked["countryCode"] != "AT" || asked["vatNumber"] != "U12345675" || asked["requesterMemberStateCode"] != "SK" ||
				asked["requesterNumber"] != "2020202020" {
				t.Errorf("asked %v", asked)
			}
		})
	}
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	if _, err := New(away.URL, http.DefaultClient).
		Check(context.Background(), "ATU12345675", ""); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if _, err := New(Base, http.DefaultClient).Check(context.Background(), "AT", ""); err == nil ||
		errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}
