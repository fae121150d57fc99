package stripe

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stripe/stripe-go/v76"
)

func TestOtherVersionsOfTheAPI(t *testing.T) {
	t.Parallel()
	const endpoint = `{"url":"https://north.example/webhooks/stripe","status":%q,"api_version":%s}`
	ours := `"` + stripe.APIVersion + `"`
	for name, c := range map[string]struct {
		account string
		status  int
		body    string
		want    int
		fails   bool
	}{
		"the same":                    {stripe.APIVersion, 200, fmt.Sprintf(endpoint, "enabled", ours), 0, false},
		"of the account":              {"2025-01-01", 200, fmt.Sprintf(endpoint, "enabled", ours), 1, false},
		"of an endpoint":              {stripe.APIVersion, 200, fmt.Sprintf(endpoint, "enabled", `"2025-01-01"`), 1, false},
		"of one that is off":          {stripe.APIVersion, 200, fmt.Sprintf(endpoint, "disabled", `"2025-01-01"`), 0, false},
		"of one as the account":       {"2025-01-01", 200, fmt.Sprintf(endpoint, "enabled", "null"), 2, false},
		"no endpoint":                 {stripe.APIVersion, 200, "", 0, false},
		"a key that is not known":     {stripe.APIVersion, 401, "", 0, true},
		"an answer that is no answer": {stripe.APIVersion, 200, "<html>", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if key, _, _ := r.BasicAuth(); key != "sk_test_1" || r.Header.Get("Stripe-Version") != "" {
					t.Errorf("asked with %v", r.Header)
				}
				w.Header().Set("Stripe-Version", c.account)
				w.WriteHeader(c.status)
				_, _ = fmt.Fprintf(w, `{"data":[%s]}`, c.body)
			}))
			defer there.Close()
			s, err := Examine(t.Context(), Keys{APIBase: there.URL, SecretKey: "sk_test_1"})
			if (err != nil) != c.fails || len(s.OtherVersions) != c.want {
				t.Errorf("%q, %v", s, err)
			}
		})
	}
}
