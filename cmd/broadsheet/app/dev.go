package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.org/broadsheet/cmd/broadsheet/devstate"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/content/sample"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/tenants"
)

// dev is the whole paper at once, on parts of its own.
type dev struct {
	cfg    *config.Config
	out    io.Writer
	port   string
	app    *App
	clock  *clock.Clock
	redis  *redis.Server
	mail   *mailbox.Mailbox
	stripe *sandbox.Sandbox
	ready  func() // called once when readers can come; may be nil
}

// Dev runs everything at once on embedded parts and the sample content, until ctx ends; empty leaves the content out.
// The data lies in the default folder where the settings name none.
func Dev(ctx context.Context, cfg *config.Config, out io.Writer, empty bool) error {
	if err := ensureFolder(cfg, out); err != nil {
		return err
	}
	d := &dev{cfg: cfg, out: out, clock: &clock.Clock{}}
	return d.run(ctx, empty)
}

// ensureFolder names the default folder where the settings name none, and says so before it is there.
func ensureFolder(cfg *config.Config, out io.Writer) (err error) {
	if cfg.Data.Dir != "" {
		return nil
	}
	if cfg.Data.Dir, err = postgres.DefaultDir(); err != nil {
		return err
	}
	nameNewFolder(out, cfg.Data.Dir)
	return nil
}

// nameNewFolder says where the data will lie, before the folder is there for the first time.
func nameNewFolder(out io.Writer, dir string) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(out, "The data is kept in %s. For another folder, use --data or BROADSHEET_DATA_DIR.\n", dir)
	}
}

func (d *dev) run(ctx context.Context, empty bool) error {
	site, err := listen(ctx, d.cfg.Web.Listen)
	if err != nil {
		return err
	}
	defer site.Close() //nolint:errcheck // the server has closed it by then
	_, d.port, _ = net.SplitHostPort(site.Addr().String())
	d.cfg.Web.PublicURL = "http://{host}:" + d.port

	// A server that is not the embedded one asks the editions' roles for passwords, which are derived from the secret.
	if err := d.cfg.EnsureSecret(d.cfg.Data.Dir); err != nil {
		return err
	}
	database, pg, stop, err := OpenDatabase(ctx, d.cfg, d.clock,
		db.Options{
			Role: "dev", MaxConns: d.cfg.Database.MaxConns + d.cfg.Database.WorkConns,
			TotalConns: d.cfg.Database.TotalConns, CoreConns: 4,
		})
	if err != nil {
		return err
	}
	defer stop()
	if pg != nil && pg.Attached() {
		return fmt.Errorf("%s is in use by another `broadsheet dev`", d.cfg.Data.Dir)
	}
	if err := d.startServices(ctx); err != nil {
		return err
	}
	defer d.stop()
	admin, err := openOperators(ctx, d.cfg.Web.Admin, d.cfg.Web.AdminHosts)
	if err != nil {
		return err
	}
	defer admin.Close()
	if d.app, err = newApp(ctx, d.cfg, "dev", database, d.keys); err != nil {
		return err
	}
	defer d.app.Close(ctx)
	if err := d.storeState(ctx); err != nil {
		return err
	}
	defer d.removeState(ctx)
	d.app.registry.OnChange(d.accounts)
	if err := d.editions(ctx); err != nil {
		return err
	}
	if !empty {
		if err := d.fillSamples(ctx); err != nil {
			return err
		}
	}
	d.syncPrices(ctx)
	h, err := d.app.handler()
	if err != nil {
		return err
	}
	admin.started(d.app)
	return d.app.runAll(ctx, d.begin,
		func(ctx context.Context) error { return serveUntil(ctx, site, d.handler(h)) },
		d.app.followChanges, d.app.countViews, d.app.worker.Run)
}

// startServices starts the stand-ins for what is not configured: Redis, mail server, payment provider.
func (d *dev) startServices(_ context.Context) (err error) {
	if err := d.loadClock(); err != nil {
		return err
	}
	log := slog.Default()
	if d.redis, err = redis.Start(log); err != nil {
		return err
	}
	if d.cfg.Redis.URL == "" {
		d.cfg.Redis.URL = d.redis.URL()
	}
	if d.mail, err = mailbox.New(mailbox.Options{Dir: d.path("mail"), Log: log}); err != nil {
		return err
	}
	if d.cfg.Mail.URL == "" {
		d.cfg.Mail.URL = d.mail.URL()
	}
	d.stripe, err = sandbox.New(sandbox.Options{Dir: d.path("stripe"), Clock: d.clock, Log: log})
	return err
}

func (d *dev) stop() {
	if err := d.stripe.Close(); err != nil {
		slog.Warn("closing the payment sandbox", "error", err)
	}
	if err := d.mail.Close(); err != nil {
		slog.Warn("closing the mailbox", "error", err)
	}
	d.redis.Close()
}

func (d *dev) path(name string) string { return filepath.Join(d.cfg.Data.Dir, name) }

// keys are those that are configured for an edition, and otherwise those of its account in the sandbox.
func (d *dev) keys(editionID string) (stripe.Keys, error) {
	if k, err := ConfiguredKeys(d.cfg)(editionID); err != nil || k.SecretKey != "" {
		return k, err
	}
	return SandboxKeys(d.sandboxBase(), editionID), nil
}

// sandboxBase is where the editions without keys of their own find the payment provider.
func (d *dev) sandboxBase() string {
	if base := d.cfg.Stripe.APIBase; base != "" {
		return base
	}
	return d.stripe.BaseURL()
}

// SandboxKeys are those of an edition's account in the payment sandbox at an address.
func SandboxKeys(base, editionID string) stripe.Keys {
	return stripe.Keys{APIBase: base, SecretKey: "sk_test_" + editionID, WebhookSecret: "whsec_" + editionID}
}

// accounts opens the sandbox's account of every edition that comes along. One that has keys of its own does not use it.
func (d *dev) accounts(c edition.Change) {
	for _, ed := range append(c.Added, c.Changed...) {
		k := SandboxKeys(d.sandboxBase(), ed.ID)
		err := d.stripe.AddAccount(sandbox.Account{
			SecretKey: k.SecretKey, Name: ed.Name, WebhookURL: ed.URL(stripe.WebhookPath),
			WebhookSecret: k.WebhookSecret, SiteURL: ed.Origin, Location: ed.Location,
		})
		if err != nil {
			slog.Error("payment sandbox", "edition", ed.ID, "error", err)
		}
	}
}

// editions applies the documents that ship to a database that has none.
func (d *dev) editions(ctx context.Context) error {
	names, err := fs.Glob(tenants.FS, "*.yaml")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(tenants.FS, name)
		if err != nil {
			return err
		}
		if _, err := d.app.registry.ApplyText(ctx, "tenants/"+name, text); err != nil {
			return err
		}
	}
	return d.app.registry.MigrateAll(ctx, nil)
}

func (d *dev) fillSamples(ctx context.Context) error {
	var filled []*edition.Edition
	for _, ed := range d.app.registry.All() {
		folder, err := fs.Sub(tenants.FS, "sample")
		if err != nil {
			return err
		}
		if _, err := fs.Stat(folder, ed.ID+"/authors.yaml"); errors.Is(err, fs.ErrNotExist) {
			continue // an edition of the operator's own
		}
		l, err := sample.Read(folder, ed.ID)
		if err != nil {
			return fmt.Errorf("sample content of %s: %w", ed.ID, err)
		}
		start := time.Now()
		r, err := d.app.seeder().Fill(edition.With(ctx, ed), l)
		if err != nil {
			return fmt.Errorf("sample content of %s: %w", ed.ID, err)
		}
		if r.Posts > 0 {
			filled = append(filled, ed)
			fmt.Fprintf(d.out, "%s: %d articles and notices, %d pictures in %.1f s\n", ed.Name, r.Posts, r.Pictures,
				time.Since(start).Seconds())
		}
	}
	return d.app.seeder().Link(ctx, filled)
}

// syncPrices makes what is sold known to the provider, so that its desk shows it before anybody buys. Where that fails,
// the first purchase does it.
func (d *dev) syncPrices(ctx context.Context) {
	for _, ed := range d.app.registry.All() {
		if _, err := d.app.Billing.Subscriptions.SyncPrices(edition.With(ctx, ed)); err != nil {
			slog.ErrorContext(ctx, "prices at the payment provider", "edition", ed.ID, "error", err)
		}
	}
}

// begin lets the webhooks of the new prices arrive before it says where to go, so that the addresses are the last
// words.
func (d *dev) begin(ctx context.Context) error {
	patience, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := d.stripe.Flush(patience); err != nil {
		slog.WarnContext(ctx, "starting", "error", err)
	}
	d.announce()
	if d.ready != nil {
		d.ready()
	}
	return nil
}

func (d *dev) announce() {
	fmt.Fprintln(d.out)
	for _, ed := range d.app.registry.All() {
		fmt.Fprintf(d.out, "  %-22s %s/\n", ed.Name, ed.Origin)
	}
	first := "http://localhost:" + d.port
	if all := d.app.registry.All(); len(all) > 0 {
		first = all[0].Origin
	}
	fmt.Fprintf(d.out, "\n  Mail arrives at %s/_dev/mail; pay with 4242 4242 4242 4242. End with Ctrl-C.\n\n", first)
}

// loadClock and saveClock keep a moved clock moved: what was paid for then must not be in the future now.
func (d *dev) loadClock() error {
	b, err := os.ReadFile(d.path("clock"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	by, err := time.ParseDuration(strings.TrimSpace(string(b)))
	if err != nil {
		return fmt.Errorf("%s: %w", d.path("clock"), err)
	}
	d.clock.Advance(by)
	return nil
}

func (d *dev) saveClock(ctx context.Context) error {
	if err := os.WriteFile(d.path("clock"), []byte(d.clock.Offset().String()), 0o600); err != nil {
		return err
	}
	return d.storeState(ctx)
}

// storeState leaves to the commands beside this process where it listens and how far its clock is ahead; removeState
// takes that away when it ends.
func (d *dev) storeState(ctx context.Context) error {
	return devstate.Store(ctx, d.app.DB, devstate.State{
		PublicURL: d.cfg.Web.PublicURL, SandboxURL: d.sandboxBase(), Ahead: d.clock.Offset(),
	})
}

func (d *dev) removeState(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := devstate.Remove(ctx, d.app.DB); err != nil {
		slog.WarnContext(ctx, "removing the state of dev", "error", err)
	}
}

// ResetDev removes what Dev has written, and nothing else of its folder. It fails while a process uses the folder.
func ResetDev(ctx context.Context, cfg *config.Config, out io.Writer) error {
	if err := ensureFolder(cfg, out); err != nil {
		return err
	}
	if pg, err := postgres.Attach(ctx, cfg.Data.Dir); err != nil {
		return err
	} else if pg != nil {
		return fmt.Errorf("%s is in use: end the running `broadsheet dev` first", cfg.Data.Dir)
	}
	for _, name := range []string{"postgres", "mail", "stripe", "media", "secret", "clock"} {
		if err := os.RemoveAll(filepath.Join(cfg.Data.Dir, name)); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "emptied "+cfg.Data.Dir)
	return nil
}
