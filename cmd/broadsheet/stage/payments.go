package stage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// PaymentsOptions are where the simulator listens and keeps its accounts.
type PaymentsOptions struct {
	Door
	Folder   string
	Webhooks string // host:port of a serve, which takes the webhooks of all editions; empty: their public addresses
	Keys     map[string]config.Keys
	DB       *db.DB
	Registry *edition.Registry
}

// Payments is the payment provider of the editions whose keys are set, until ctx ends. No money moves.
func Payments(ctx context.Context, o PaymentsOptions, out io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := o.checkKeys(); err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(o.Webhooks); o.Webhooks != "" && err != nil {
		return fmt.Errorf("--webhooks: %q is not host:port", o.Webhooks)
	}
	box, err := sandbox.New(sandbox.Options{
		Dir: o.Folder, Clock: o.DB.Clock(), Log: slog.Default(), Listen: o.Listen, Pages: true, PagesURL: o.URL,
		Guard: o.guard, Via: o.Webhooks,
	})
	if err != nil {
		return err
	}
	o.Registry.OnChange(func(c edition.Change) {
		for _, ed := range slices.Concat(c.Added, c.Changed) {
			if err := o.open(box, ed); err != nil {
				slog.ErrorContext(ctx, "the edition has no account at the simulator", "edition", ed.ID, "error", err)
			}
		}
	})
	fmt.Fprintf(out, "No money moves: this is a simulator, for test cards alone. Its accounts are kept in %s.\n", o.Folder)
	fmt.Fprintf(out, "serve and work need   BROADSHEET_STRIPE_API_BASE=%s\n", box.BaseURL())
	hub := notify.NewHub(o.DB, slog.Default())
	hub.Follow(ctx, o.Registry)
	hub.Listen(ctx)
	return box.Close()
}

// checkKeys refuses what would take the simulator for the real provider, and a start that could serve nobody.
func (o PaymentsOptions) checkKeys() error {
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(o.Keys)) {
		name := "BROADSHEET_STRIPE_" + strings.ToUpper(id) + "_SECRET_KEY"
		switch key := o.Keys[id].SecretKey; {
		case config.LiveKey(key):
			errs = append(errs, fmt.Errorf("%s is a key of the real provider, and this is a simulator", name))
		case key != "" && !strings.HasPrefix(key, "sk_test_"):
			errs = append(errs, fmt.Errorf("%s does not begin with sk_test_, as keys of the simulator do", name))
		}
	}
	if len(o.Keys) == 0 {
		errs = append(errs, errors.New("no edition has keys: set BROADSHEET_STRIPE_<ID>_SECRET_KEY=sk_test_… and "+
			"BROADSHEET_STRIPE_<ID>_WEBHOOK_SECRET=whsec_…, the same as for serve and work"))
	}
	return errors.Join(errs...)
}

// open opens the account of an edition, or brings it up to date.
func (o PaymentsOptions) open(box *sandbox.Sandbox, ed *edition.Edition) error {
	k := o.Keys[ed.ID]
	if k.SecretKey == "" || k.WebhookSecret == "" {
		return errors.New("its keys are not set")
	}
	const hook = stripe.WebhookPath
	url := ed.URL(hook)
	if o.Webhooks != "" { // past the proxy, which encrypts
		url = "http://" + ed.Hosts[0] + hook
	}
	return box.AddAccount(sandbox.Account{
		SecretKey: k.SecretKey, Name: ed.Name, WebhookURL: url, WebhookSecret: k.WebhookSecret, SiteURL: ed.Origin,
		Location: ed.Location,
	})
}
