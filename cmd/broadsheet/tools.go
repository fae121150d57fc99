package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/sample"
	"example.org/broadsheet/modules/paywall"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/tenants"
)

func codesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "codes", Short: "List every error code with its status", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			codes := fault.Codes()
			for _, code := range slices.Sorted(maps.Keys(codes)) {
				fmt.Fprintf(cmd.OutOrStdout(), "%d %s\n", codes[code], code)
			}
		},
	}
}

// contentTools are the parts of commands that write content without serving it.
type contentTools struct {
	ctx     context.Context //nolint:containedctx // carries the edition that the command works on
	db      *db.DB
	content *content.Module
	images  *media.Images
	stop    func()
}

func (f *flags) contentTools(cmd *cobra.Command, editionID string) (*contentTools, error) {
	cfg, err := f.load()
	if err != nil {
		return nil, err
	}
	d, r, stop, err := f.openRegistry(cmd)
	if err != nil {
		return nil, err
	}
	ctx, _, err := selectEdition(cmd.Context(), r, editionID)
	if err != nil {
		stop()
		return nil, err
	}
	store, err := openMedia(cfg)
	if err != nil {
		stop()
		return nil, err
	}
	return &contentTools{
		ctx: ctx, db: d, content: content.New(content.Deps{DB: d, Preview: paywall.Preview, Log: slog.Default()}),
		images: media.NewImages(store, slog.Default()),
		stop: func() {
			_ = store.Close()
			stop()
		},
	}, nil
}

func seedCommand(f *flags) *cobra.Command {
	var id string
	var more int
	cmd := &cobra.Command{
		Use: "seed", Short: "Fill an edition with sample content", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.contentTools(cmd, id)
			if err != nil {
				return err
			}
			defer t.stop()
			folder, err := fs.Sub(tenants.FS, "sample")
			if err != nil {
				return err
			}
			l, err := sample.Read(folder, id)
			if err != nil {
				return fmt.Errorf("there is no sample content for %s: %w", id, err)
			}
			s := sample.Seeder{Posts: t.content, Images: t.images, Now: (&clock.Clock{}).Now}
			r, err := s.Fill(t.ctx, l)
			if err != nil {
				return err
			}
			written, err := s.More(t.ctx, l, more)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d posts and %d pictures of the sample, %d further articles\n", r.Posts,
				r.Pictures, written)
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().IntVar(&more, "articles", 0, "further articles, for measuring")
	return cmd
}

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
