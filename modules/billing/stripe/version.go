package stripe

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// WebhookPath is where an edition takes the messages of the provider.
const WebhookPath = "/webhooks/stripe"

// Setup is how an account is set up at the provider.
type Setup struct {
	// OtherVersions says where the account speaks another version of the API than this program: by default, or in what it
	// sends to an endpoint. Calls name their version, and of messages no more than ids is used; so it is worth a look, and
	// does no harm at once.
	OtherVersions []string
	Endpoints     []Endpoint
	Time          time.Time // on the provider's clock; zero where it does not say
}

// Endpoint is an address that messages are sent to.
type Endpoint struct {
	URL    string
	Events []string // types of messages; "*" for all
}

// WebhookEvents are the types of messages that an endpoint has to send.
var WebhookEvents = append([]string{"checkout.session.completed", "checkout.session.expired"}, ChangeEvents...)

// Lacks returns the types that an endpoint does not send and has to.
func (e Endpoint) Lacks() (types []string) {
	if slices.Contains(e.Events, "*") {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(WebhookEvents), func(t string) bool { return slices.Contains(e.Events, t) })
}

// Examine asks how an account is set up.
func Examine(ctx context.Context, keys Keys) (s Setup, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	// Without a version in the request, the answer has that of the account; the client of the API always sends one.
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		cmp.Or(keys.APIBase, stripe.APIURL)+"/v1/webhook_endpoints?limit=100", http.NoBody)
	if err != nil {
		return s, err
	}
	req.SetBasicAuth(keys.SecretKey, "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return s, Explain(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return s, fmt.Errorf("the payment provider answers %d", res.StatusCode)
	}
	var list struct {
		Data []struct {
			URL        string   `json:"url"`
			Status     string   `json:"status"`
			Events     []string `json:"enabled_events"`
			APIVersion string   `json:"api_version"` // "" for that of the account
		} `json:"data"`
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		return s, fmt.Errorf("what the payment provider answers cannot be read: %w", err)
	}
	if t, err := http.ParseTime(res.Header.Get("Date")); err == nil {
		s.Time = t
	}
	account := res.Header.Get("Stripe-Version")
	if account != "" && account != stripe.APIVersion {
		s.OtherVersions = append(s.OtherVersions,
			fmt.Sprintf("the account speaks version %s of the API, this program %s", account, stripe.APIVersion))
	}
	for _, e := range list.Data {
		if e.Status != "enabled" {
			continue
		}
		s.Endpoints = append(s.Endpoints, Endpoint{e.URL, e.Events})
		if v := cmp.Or(e.APIVersion, account); v != "" && v != stripe.APIVersion {
			s.OtherVersions = append(s.OtherVersions,
				fmt.Sprintf("messages to %s are of version %s of the API, this program speaks %s", e.URL, v, stripe.APIVersion))
		}
	}
	return s, nil
}
