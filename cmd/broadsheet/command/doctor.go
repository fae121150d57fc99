package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
)

// otherVersions are warnings about an edition's account at the payment provider; none for one without keys.
func (f *flags) otherVersions(ctx context.Context, id string) []string {
	find, err := f.providerKeys()
	if err != nil {
		return nil
	}
	keys, err := find(id)
	if err != nil || keys.SecretKey == "" {
		return nil
	}
	found, err := stripe.OtherVersions(ctx, keys)
	if err != nil {
		return []string{err.Error()}
	}
	return found
}

// doctorCommand looks at what a machine has and says what is missing.
func doctorCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check the settings, the database, the editions and the tools", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, bad := cmd.OutOrStdout(), 0
			say := func(what string, err error) {
				if err != nil {
					bad++
					fmt.Fprintf(out, "✗ %s: %v\n", what, err)
					return
				}
				fmt.Fprintf(out, "✓ %s\n", what)
			}
			cfg, err := f.load()
			say("settings", err)
			if err == nil {
				adviseOnProxies(out, cfg)
			}
			d, r, stop, err := f.openRegistry(cmd)
			say("database", err)
			if err == nil {
				defer stop()
				adviseOnDatabases(cmd.Context(), out, d)
				states, err := r.List(cmd.Context())
				say(fmt.Sprintf("registry, %d editions", len(states)), err)
				for _, s := range states {
					var err error
					if s.Error != "" {
						err = fmt.Errorf("%s", s.Error)
					}
					say("edition "+s.ID+" is "+s.State, err)
					for _, warning := range f.otherVersions(cmd.Context(), s.ID) {
						fmt.Fprintf(out, "! edition %s: %s\n", s.ID, warning)
					}
				}
			}
			say("chromium, for the browser's tests", hasChromium())
			if bad > 0 {
				return fmt.Errorf("%d things need care", bad)
			}
			return nil
		},
	}
}

// adviseOnProxies warns where readers must come through a proxy that encrypts, and none is trusted to name them.
func adviseOnProxies(out io.Writer, cfg *config.Config) {
	if strings.HasPrefix(cfg.Web.PublicURL, "https://") && len(cfg.Web.TrustedProxies) == 0 {
		fmt.Fprintln(out, "! web.public_url is https, so a proxy encrypts, and none is trusted: all readers count as one "+
			"network. "+
			"Name the proxy's address in BROADSHEET_WEB_TRUSTED_PROXIES")
	}
}

// adviseOnDatabases warns where the editions' logins can connect to more than the paper's own database.
func adviseOnDatabases(ctx context.Context, out io.Writer, d *db.DB) {
	names, err := d.OpenDatabases(ctx)
	if err != nil {
		fmt.Fprintf(out, "! the server's other databases: %v\n", err)
	} else if len(names) > 0 {
		fmt.Fprintf(out, "! the editions' logins can connect to other databases of the server (%s); as its superuser: "+
			"REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC\n", strings.Join(names, ", "))
	}
}

// hasChromium looks where the browser's tests look.
func hasChromium() (err error) {
	places := []string{"/usr/bin/chromium-headless-shell", "/usr/bin/chromium"}
	if named := os.Getenv("CHROMIUM"); named != "" {
		places = []string{named}
	}
	for _, place := range places {
		if _, err = exec.LookPath(place); err == nil {
			return nil
		}
	}
	return err
}
