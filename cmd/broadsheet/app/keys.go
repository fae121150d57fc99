package app

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/paper/edition"
)

// MissingKeys names the settings that an edition needs to sell and does not have.
func MissingKeys(cfg *config.Config, ed *edition.Edition) (names []string) {
	sells := slices.ContainsFunc(ed.Billing.Products, func(p edition.Product) bool { return p.Amount > 0 })
	if !sells {
		return nil
	}
	prefix, keys := "BROADSHEET_STRIPE_"+strings.ToUpper(ed.ID)+"_", cfg.Stripe.Keys[ed.ID]
	if keys.SecretKey == "" {
		names = append(names, prefix+"SECRET_KEY")
	}
	if keys.WebhookSecret == "" {
		names = append(names, prefix+"WEBHOOK_SECRET")
	}
	return names
}

// watchKeys says which keys at the payment provider are missing, now and of editions that come later, and which belong
// to no edition: a name that was mistyped is both.
func (a *App) watchKeys() {
	a.registry.OnChange(func(c edition.Change) {
		for _, ed := range slices.Concat(c.Added, c.Changed) {
			if names := MissingKeys(a.cfg, ed); len(names) > 0 {
				slog.Error("the edition sells, and its keys at the payment provider are not set", "edition", ed.ID, "settings",
					strings.Join(names, " "))
			}
		}
	})
	for _, id := range slices.Sorted(maps.Keys(a.cfg.Stripe.Keys)) {
		if _, ok := a.registry.Get(id); !ok {
			slog.Warn("keys at the payment provider are set for an edition that there is not", "edition", id)
		}
	}
}

// requireKeys refuses a worker without the keys of an edition that sells: it would take the work that others could do,
// and fail it.
func (a *App) requireKeys() error {
	var missing []string
	for _, ed := range a.registry.All() {
		for _, name := range MissingKeys(a.cfg, ed) {
			if strings.HasSuffix(name, "_SECRET_KEY") {
				missing = append(missing, name)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s: not set (each may end in _FILE); payments of editions that sell cannot be followed without",
		strings.Join(missing, ", "))
}
