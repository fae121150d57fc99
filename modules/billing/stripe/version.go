package stripe

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/stripe/stripe-go/v76"
)

// OtherVersions tells where an account at the provider speaks another version of its API than this program: by default,
// or in what it sends to an endpoint. Calls name their version, and of messages no more than ids is used; so it is
// worth a look, and does no harm at once.
func OtherVersions(ctx context.Context, keys Keys) (found []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	// Without a version in the request, the answer has that of the account; the client of the API always sends one.
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		cmp.Or(keys.APIBase, stripe.APIURL)+"/v1/webhook_endpoints?limit=100", http.NoBody)
	if err != nil {
		return nil, err
	}
	req.SetBasicAuth(keys.SecretKey, "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, Explain(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the payment provider answers %d", res.StatusCode)
	}
	var list struct {
		Data []struct {
			URL        string `json:"url"`
			Status     string `json:"status"`
			APIVersion string `json:"api_version"` // "" for that of the account
		} `json:"data"`
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		return nil, fmt.Errorf("what the payment provider answers cannot be read: %w", err)
	}
	account := res.Header.Get("Stripe-Version")
	if account != "" && account != stripe.APIVersion {
		found = append(found,
			fmt.Sprintf("the account speaks version %s of the API, this program %s", account, stripe.APIVersion))
	}
	for _, e := range list.Data {
		if v := cmp.Or(e.APIVersion, account); e.Status == "enabled" && v != "" && v != stripe.APIVersion {
			found = append(found,
				fmt.Sprintf("messages to %s are of version %s of the API, this program speaks %s", e.URL, v, stripe.APIVersion))
		}
	}
	return found, nil
}
