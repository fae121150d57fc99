package doctor

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/stripe"
)

// secretFiles looks at who else can read or write the files of secrets.
func secretFiles(context.Context, *Paper) []Finding {
	var found []Finding
	n := 0
	for _, line := range os.Environ() {
		name, file, _ := strings.Cut(line, "=")
		if !strings.HasPrefix(name, "BROADSHEET_") || !strings.HasSuffix(name, "_FILE") || file == "" {
			continue
		}
		n++
		if i, err := os.Stat(file); err == nil && i.Mode().Perm()&0o077 != 0 {
			found = append(found, warn("chmod 600 "+file, "%s can be read or written by other users (mode %04o)", name,
				i.Mode().Perm()))
		}
	}
	return or(found, "files are for their owner alone (%d)", n)
}

// proxies looks for readers who come through a proxy that encrypts, while none is trusted to name them.
func proxies(_ context.Context, p *Paper) []Finding {
	if strings.HasPrefix(p.Config.Web.PublicURL, "https://") && len(p.Config.Web.TrustedProxies) == 0 {
		return []Finding{warn("Name the proxy's address in BROADSHEET_WEB_TRUSTED_PROXIES.",
			"web.public_url is https, so a proxy encrypts, and none is trusted: all readers count as one network")}
	}
	return fine("%d trusted", len(p.Config.Web.TrustedProxies))
}

// settings names those that are allowed and probably a mistake.
func settings(_ context.Context, p *Paper) []Finding {
	var found []Finding
	for _, text := range p.Config.Dangers() {
		found = append(found, warn("", "%s", text))
	}
	if p.Registry != nil {
		if err := p.Registry.CheckAddresses(); err != nil {
			found = append(found, problem("Set BROADSHEET_WEB_PUBLIC_URL, and start serve and work again.", "%v", err))
		}
	}
	return or(found, "none is dangerous")
}

// paymentKeys looks for editions that sell and have no keys, and for keys of no edition.
func paymentKeys(_ context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	for _, ed := range p.Registry.All() {
		if k, err := p.Keys(ed.ID); err == nil && k.SecretKey != "" && k.WebhookSecret != "" {
			found = append(found, keyShapes(ed.ID, k)...)
			continue
		}
		if names := app.MissingKeys(p.Config, ed); len(names) > 0 {
			found = append(found, problem("Set "+strings.Join(names, " and ")+" (each may end in _FILE), for serve and work.",
				"%s sells, and its keys at the payment provider are not set", ed.ID))
		}
	}
	for _, text := range p.Config.SharedKeys() {
		found = append(found, problem("Copy each from the dashboard of the edition's own account.", "%s", text))
	}
	for _, id := range slices.Sorted(maps.Keys(p.Config.Stripe.Keys)) {
		if _, ok := p.Registry.Get(id); !ok {
			found = append(found, warn("Correct the name of the setting, or add the edition.",
				"there are keys for an edition %q, which there is not", id))
		}
	}
	return or(found, "every edition that sells has them")
}

// keyShapes looks whether keys were taken for each other, or cut off.
func keyShapes(id string, k stripe.Keys) (found []Finding) {
	prefix := "BROADSHEET_STRIPE_" + strings.ToUpper(id) + "_"
	for _, key := range []struct {
		name, value string
		begins      []string
	}{
		{prefix + "SECRET_KEY", k.SecretKey, []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}},
		{prefix + "WEBHOOK_SECRET", k.WebhookSecret, []string{"whsec_"}},
	} {
		right := slices.ContainsFunc(key.begins, func(b string) bool { return strings.HasPrefix(key.value, b) })
		shortest := shortestKey
		if strings.Contains(key.value, "_test_") || k.APIBase != "" {
			shortest = 0 // a simulator gives short ones
		}
		if !right || len(key.value) < shortest {
			found = append(found, problem("Copy it once more from the provider's dashboard, whole.",
				"%s has %d characters, and should begin with %s", key.name, len(key.value), strings.Join(key.begins, " or ")))
		}
	}
	return found
}

// shortestKey is shorter than any key of the provider.
const shortestKey = 24

// endpoints looks whether the account of an edition sends all messages to this edition, and to no other one. hooks are
// the addresses of all editions. A simulator of this machine reaches serve without the proxy that readers come through.
func endpoints(id string, hooks map[string]string, all []stripe.Endpoint, simulator bool) []Finding {
	sent := func(url string) int {
		return slices.IndexFunc(all, func(e stripe.Endpoint) bool { return e.URL == url })
	}
	own := sent(hooks[id])
	for _, other := range slices.Sorted(maps.Keys(hooks)) {
		if own < 0 && sent(hooks[other]) >= 0 {
			return []Finding{problem("Give each edition the keys of its own account; money may have gone into another one's.",
				"%s: its account sends its messages to %s, of the edition %s: the keys are exchanged", id, hooks[other], other)}
		}
	}
	if own < 0 && simulator {
		own = slices.IndexFunc(all, func(e stripe.Endpoint) bool { return strings.HasSuffix(e.URL, stripe.WebhookPath) })
	}
	if own < 0 {
		return []Finding{warn("Make a webhook endpoint "+hooks[id]+" at the provider, and set its secret.",
			"%s: the provider sends no messages to %s", id, hooks[id])}
	}
	if lacks := all[own].Lacks(); len(lacks) > 0 {
		return []Finding{warn("Have the endpoint send all events, or these too.", "%s: %s is not sent %s", id, all[own].URL,
			strings.Join(lacks, ", "))}
	}
	return nil
}

// paymentAccounts asks the provider how the accounts are set up.
func paymentAccounts(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	asked, hooks := 0, map[string]string{}
	for _, ed := range p.Registry.All() {
		hooks[ed.ID] = ed.URL(stripe.WebhookPath)
	}
	for _, ed := range p.Registry.All() {
		keys, err := p.Keys(ed.ID)
		if err != nil || keys.SecretKey == "" {
			continue
		}
		asked++
		s, err := stripe.Examine(ctx, keys)
		if err != nil {
			found = append(found, problem("Is the key right, and does this machine reach the provider?", "%s: %v", ed.ID, err))
			continue
		}
		for _, text := range s.OtherVersions {
			found = append(found, warn("Make the endpoint anew with the version that the program speaks.",
				"%s: %s", ed.ID, text))
		}
		found = append(found, endpoints(ed.ID, hooks, s.Endpoints, keys.APIBase != "")...)
		if !s.Time.IsZero() {
			found = append(found, drift("the payment provider", s.Time, time.Now())...)
		}
	}
	return or(found, "each account answers (%d)", asked)
}
