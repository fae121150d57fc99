package doctor

import (
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/stripe"
)

func TestEndpoints(t *testing.T) {
	t.Parallel()
	const sk, at = "https://sk.example/webhooks/stripe", "https://at.example/webhooks/stripe"
	hooks := map[string]string{"standard": sk, "standard_at": at}
	every := []string{"*"}
	for name, c := range map[string]struct {
		all       []stripe.Endpoint
		simulator bool
		status    Status // "" for no finding
		want      string
	}{
		"its own":                 {[]stripe.Endpoint{{URL: sk, Events: every}}, false, "", ""},
		"its own and another":     {[]stripe.Endpoint{{URL: at, Events: every}, {URL: sk, Events: every}}, false, "", ""},
		"each type":               {[]stripe.Endpoint{{URL: sk, Events: stripe.WebhookEvents}}, false, "", ""},
		"that of another edition": {[]stripe.Endpoint{{URL: at, Events: every}}, false, Problem, "exchanged"},
		"another's, simulated":    {[]stripe.Endpoint{{URL: at, Events: every}}, true, Problem, "standard_at"},
		"none":                    {nil, false, Warning, "no messages"},
		"an unknown one":          {[]stripe.Endpoint{{URL: "https://x.example/webhooks/stripe", Events: every}}, false, Warning, sk},
		"a simulator's":           {[]stripe.Endpoint{{URL: "http://127.0.0.1:8081/webhooks/stripe", Events: every}}, true, "", ""},
		"too few types":           {[]stripe.Endpoint{{URL: sk, Events: []string{"invoice.paid"}}}, false, Warning, "charge.dispute.closed"},
		"no types":                {[]stripe.Endpoint{{URL: sk}}, false, Warning, "checkout.session.completed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := endpoints("standard", hooks, c.all, c.simulator)
			if c.status == "" {
				if len(got) > 0 {
					t.Errorf("got %+v, want no finding", got)
				}
				return
			}
			if len(got) != 1 || got[0].Status != c.status || !strings.Contains(got[0].Text, c.want) {
				t.Errorf("got %+v, want %s with %q", got, c.status, c.want)
			}
		})
	}
}
