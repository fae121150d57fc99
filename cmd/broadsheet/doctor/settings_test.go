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
	to := func(url string) []stripe.Endpoint { return []stripe.Endpoint{{URL: url, Events: every}} }
	for name, c := range map[string]struct {
		all       []stripe.Endpoint
		simulator bool
		status    Status // "" for no finding
		want      string
	}{
		"its own":                 {to(sk), false, "", ""},
		"its own and another":     {[]stripe.Endpoint{{URL: at, Events: every}, {URL: sk, Events: every}}, false, "", ""},
		"each type":               {[]stripe.Endpoint{{URL: sk, Events: stripe.WebhookEvents}}, false, "", ""},
		"that of another edition": {to(at), false, Problem, "exchanged"},
		"another's, simulated":    {to(at), true, Problem, "standard_at"},
		"none":                    {nil, false, Warning, "no messages"},
		"an unknown one":          {to("https://x.example/webhooks/stripe"), false, Warning, sk},
		"a simulator's":           {to("http://127.0.0.1:8081/webhooks/stripe"), true, "", ""},
		"too few types":           {[]stripe.Endpoint{{URL: sk, Events: every[:0]}}, false, Warning, "dispute.closed"},
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
