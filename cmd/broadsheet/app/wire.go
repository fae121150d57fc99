// Package app puts the newspaper together: it makes the modules, gives each what it needs of another as a small
// interface, and runs them as the web server, as a worker, or as both on embedded parts. It is the only package that
// makes modules, and imports whatever it needs. Start at App in wire.go; router.go lists what a request passes.
package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"example.org/broadsheet/modules/billing"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/consent"
	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/sample"
	"example.org/broadsheet/modules/discussion"
	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/logging"
	"example.org/broadsheet/modules/newsletter"
	"example.org/broadsheet/modules/paywall"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/pages"
	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/render"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/trace"
	"example.org/broadsheet/platform/trace/otlp"
	"example.org/broadsheet/platform/vies"
	"example.org/broadsheet/platform/web"
)

// App is one process of the paper: its parts, introduced to each other here and nowhere else.
type App struct {
	ctx       context.Context //nolint:containedctx // ends the listeners that live as long as the process
	cfg       *config.Config
	clock     *clock.Clock
	DB        *db.DB
	answers   *answers
	registry  *edition.Registry
	hub       *notify.Hub
	breakers  *breaker.Set
	metrics   *prometheus.Registry
	observed  *observed
	cache     *pagecache.Cache
	renderer  *render.Renderer
	assets    *pages.Assets
	brand     *brand.Kit
	store     media.StoreCloser
	images    *media.Images
	pages     *pages.Server
	worker    *jobs.Worker
	retention *retention.Job
	tracer    *trace.Tracer // nil while tracing is off
	sender    *mail.Sender
	engine    *gin.Engine
	role      string          // "serve", "work" or "dev"
	stopping  <-chan struct{} // closed when the process was told to stop; nil where nobody tells

	Billing    *billing.Module
	consent    *consent.Module
	content    *content.Module
	Discussion *discussion.Module
	Identity   *identity.Module
	logging    *logging.Module
	paywall    *paywall.Module
	newsletter *newsletter.Module
}

// newApp builds a process of a role on an open database. keys finds an edition's account at the payment provider.
func newApp(ctx context.Context, cfg *config.Config, role string, d *db.DB,
	keys func(string) (stripe.Keys, error),
) (*App, error) {
	if err := awaitDatabase(ctx, d.MigrateCore); err != nil {
		return nil, err
	}
	r := edition.NewRegistry(d, cfg.Web.PublicURL, slog.Default())
	r.SetLocale(cfg.Locale)
	r.AddGuard(billing.KeepsProducts(d))
	return newAppOf(ctx, cfg, role, d, keys, r, r.Load)
}

// newAppOf is newApp for the editions of a registry, which load fills.
func newAppOf(ctx context.Context, cfg *config.Config, role string, d *db.DB,
	keys func(string) (stripe.Keys, error), r *edition.Registry, load func(context.Context) error,
) (*App, error) {
	a := &App{
		ctx: ctx, cfg: cfg, clock: d.Clock(), DB: d, answers: new(answers), role: role, observed: newObserved(), registry: r,
	}
	log := slog.Default()
	a.hub = notify.NewHub(d, log)
	var err error
	if a.renderer, a.assets, a.brand, err = openFrontend(cfg.Render); err != nil {
		return nil, err
	}
	if a.cache, err = pagecache.New(pagecache.Config{
		MaxBytes: cfg.Cache.MemoryMB << 20, Log: log, Now: a.clock.Now,
		Away: func(err error) bool { return errors.Is(err, db.ErrBusy) },
	}); err != nil {
		return nil, err
	}
	a.breakers = &breaker.Set{Log: log, OnRecovery: a.onRecovery}
	if a.store, err = OpenMedia(ctx, cfg, a.breakers.To("media").Transport); err != nil {
		return nil, err
	}
	a.images = media.NewImages(a.store, log)
	sender, err := mail.New(d, cfg.Mail.URL, mailTLS(cfg), a.breakers.To("mail"), log)
	if err != nil {
		return nil, err
	}
	sender.SetMessageIDKey(cfg.Key("mail", ""))
	if err := a.modules(sender, keys, log); err != nil {
		return nil, err
	}
	a.registry.OnChange(a.onEditionsChanged)
	a.registry.OnChange(a.observed.editions)
	if err := awaitDatabase(ctx, bounded(load)); err != nil {
		return nil, err
	}
	a.subscribeNotifications()
	a.pages = &pages.Server{
		Video: a.content.Video, Subscribed: a.subscribed, Sources: a.sources(), Cache: a.cache, Renderer: a.renderer,
		Assets: a.assets, Log: log, Now: a.clock.Now,
	}
	if a.tracer, err = otlp.Open(ctx, cfg.Tracing.Endpoint, "broadsheet-"+role, log); err != nil {
		return nil, err
	}
	if err := a.workers(log); err != nil {
		return nil, err
	}
	a.metrics = newMetrics(a)
	return a, nil
}

// modules makes the modules. Where two need each other, the earlier one is given a function that
// asks the later one when the time comes.
func (a *App) modules(sender *mail.Sender, keys func(string) (stripe.Keys, error), log *slog.Logger) (err error) {
	a.sender = sender
	cookies := web.Cookies{Secure: a.secure()}
	a.logging = logging.New(logging.Deps{DB: a.DB, Log: log})
	var register invoice.VATRegister
	if base := a.cfg.VIES.APIBase; base != "" {
		register = vies.New(base, a.breakers.To("VIES").Client(vies.Patience))
	}
	readers := &contacts{}
	if a.Billing, err = billing.New(billing.Deps{
		DB: a.DB, Key: a.cfg.Key("billing", ""), Cookies: cookies, Contacts: readers, Logins: readers, Mailer: sender,
		Provider:   keys,
		ParseEmail: emailaddr.Parse, Register: register, Breakers: a.breakers, ObserveWebhook: a.observed.webhook,
		ObserveRefused: a.observed.refusedWebhook, Log: log,
		Pages: pageTexts(func() *content.Module {
			return a.content
		}),
	}); err != nil {
		return err
	}
	a.consent = consent.New(consent.Deps{
		DB: a.DB, Cookies: cookies, Reminders: a.Billing.Access,
		Pages: pageTexts(func() *content.Module {
			return a.content
		}),
	})
	if a.Identity, err = identity.New(identity.Deps{
		DB: a.DB, Key: a.cfg.Key("identity", ""), Cookies: cookies, Mailer: sender,
		Entitlements: identity.EntitlementFunc(a.entitlement), Terms: a.consent, Agreements: a.consent,
		Trials:    a.Billing.Subscriptions,
		Followers: a, Profile: a.profile, Focus: a.focus, DataHolders: a.dataHolders, Note: a.logging.Note,
		CountEmail: a.observed.loginEmail, Log: log,
	}); err != nil {
		return err
	}
	readers.Module = a.Identity
	if a.paywall,
		err = paywall.New(paywall.Deps{DB: a.DB, Subscriptions: a.Billing.Access, Videos: videos(func() *content.Module {
		return a.content
	}), Note: a.logging.Note, Log: log}); err != nil {
		return err
	}
	a.content = content.New(content.Deps{
		DB: a.DB, Paywall: a.paywall, Note: a.logging.Note, Keep: a.keep, Log: log,
		Offer:     func(ed *edition.Edition) any { return offer.Of(ed) },
		Discussed: func(ctx context.Context, postID int64) (int, error) { return a.Discussion.Count(ctx, postID) },
	})
	a.Discussion = discussion.New(discussion.Deps{
		DB: a.DB, Cookies: cookies, Readers: a.Identity, Subscriptions: a.Billing.Access, Posts: a.content,
		Done: a.ctx.Done(), Log: log,
	})
	a.newsletter, err = newsletter.New(newsletter.Deps{
		DB: a.DB, Key: a.cfg.Key("newsletter", ""), Mailer: sender, Contacts: a.Identity, Stories: Stories{a.content},
		ParseEmail: emailaddr.Parse, Cookies: cookies, Log: log,
	})
	return err
}

// keep answers a call from memory. Commands, which answer nobody, have no cache.
func (a *App) keep(ctx context.Context, key pagecache.Key,
	fill pagecache.Fill,
) (*pagecache.Entry, pagecache.Outcome, error) {
	return a.cache.Fetch(ctx, key, fill)
}

// entitlement lets identity tell a reader what was bought.
func (a *App) entitlement(ctx context.Context, readerID int64) (identity.Entitlement, error) {
	end, err := a.Billing.Access.End(ctx, readerID)
	return identity.Entitlement{
		Until: end.At, Product: end.Product, Trial: end.Trial(), ReminderDue: end.NoticeDue,
	}, err
}

// subscribed implements pages.Server's; what a reader has is kept in memory.
func (a *App) subscribed(ctx context.Context, readerID int64) (bool, error) {
	until, err := a.Billing.Access.ActiveUntil(ctx, readerID)
	return until.After(a.clock.Now()), err
}

// profile is what the modules have for a reader's profile.
func (a *App) profile() (all []page.Part) {
	for _, m := range []interface{ Profile() []page.Part }{a.Identity, a.Billing, a.newsletter} {
		all = append(all, m.Profile()...)
	}
	return all
}

// focus is what the modules have for a reader's account that a form on a page of its own sets.
func (a *App) focus() []page.Part { return append(a.Identity.Focus(), a.Billing.Focus()...) }

// dataHolders are all that keep something of readers, in the order in which they forget them. Money goes first, so that
// nothing is charged any more; emails go last.
func (a *App) dataHolders() []privacy.Part {
	return []privacy.Part{
		{Name: "billing", Keeper: a.Billing},
		{Name: "identity", Keeper: a.Identity.Data},
		{Name: "paywall", Keeper: a.paywall},
		{Name: "discussion", Keeper: a.Discussion},
		{Name: "newsletter", Keeper: a.newsletter},
		{Name: "consent", Keeper: a.consent},
		{Name: "logging", Keeper: a.logging},
		{Name: "mail", Keeper: mail.Kept{DB: a.DB}},
	}
}

// sources are the pages of all modules. Each route belongs to one.
func (a *App) sources() page.Sources {
	all := page.Sources{}
	for _, m := range []interface{ Pages() page.Sources }{
		a.content, a.Identity, a.Billing, a.consent, a.Discussion,
		a.newsletter,
	} {
		for route, source := range m.Pages() {
			if _, taken := all[route]; taken {
				panic("two modules fill the page " + string(route))
			}
			all[route] = source
		}
	}
	return all
}

// workers prepares jobs and periodic work; only `work` and `dev` run them.
func (a *App) workers(log *slog.Logger) (err error) {
	listeners := event.Registry{}
	for _, m := range []interface{ Listen(event.Registry) }{a.Identity, a.Billing, a.content, a.Discussion, a.newsletter} {
		m.Listen(listeners)
	}
	if a.worker, err = jobs.New(a.DB, a.registry, listeners,
		jobs.Options{RedisURL: a.cfg.Redis.URL, Log: log, Trace: a.tracer, Listening: a.hub.Connected}); err != nil {
		return err
	}
	for _, ticks := range []func(func(string, time.Duration, func(context.Context) error)){
		a.Identity.Ticks, a.logging.Ticks, a.content.Ticks, a.Billing.Ticks, a.Discussion.Ticks, a.newsletter.Ticks,
	} {
		ticks(a.worker.Every)
	}
	a.retention = retention.New(a.DB, log, a.retentions()...)
	a.worker.Every("retention", time.Hour, a.retention.Tick)
	return nil
}

// onRecovery has the work run that waits because of a server.
func (a *App) onRecovery(server string) {
	if a.worker != nil { // it is made after the first calls
		a.worker.Recovered(server)
	}
}

// retentions are how long all parts keep what.
func (a *App) retentions() [][]retention.Rule {
	all := [][]retention.Rule{audit.Retentions(), jobs.Retentions(), limit.Retentions(), mail.Retentions()}
	for _, m := range []interface{ Retentions() []retention.Rule }{
		a.Identity, a.Billing, a.paywall, a.Discussion,
		a.newsletter, a.consent, a.logging, a.content,
	} {
		all = append(all, m.Retentions())
	}
	return all
}

// secure reports whether readers come by https, which decides over cookies and headers.
func (a *App) secure() bool { return strings.HasPrefix(a.cfg.Web.PublicURL, "https://") }

// mailTLS says whether emails may go to the mail server unencrypted.
func mailTLS(cfg *config.Config) mail.TLS {
	if cfg.Mail.RequireTLS {
		return mail.RequireTLS
	}
	return mail.AllowPlaintext
}

// seeder fills editions with sample content.
func (a *App) seeder() sample.Seeder {
	return sample.Seeder{Posts: a.content, Images: a.images, Now: a.clock.Now}
}

// ConfiguredKeys finds an edition's account in the settings.
func ConfiguredKeys(cfg *config.Config) func(string) (stripe.Keys, error) {
	return func(id string) (stripe.Keys, error) {
		k := cfg.Stripe.Keys[id]
		return stripe.Keys{APIBase: cfg.Stripe.APIBase, SecretKey: k.SecretKey, WebhookSecret: k.WebhookSecret}, nil
	}
}

// noMailServer is where a command would send emails, which it leaves to the workers.
const noMailServer = "smtp://127.0.0.1:1"

// NewModules are the modules of a command, which serves and renders nothing.
func NewModules(ctx context.Context, cfg *config.Config, d *db.DB) (*App, error) {
	sender, err := mail.New(d, noMailServer, mail.RequireTLS, nil, slog.Default())
	if err != nil {
		return nil, err
	}
	sender.SetMessageIDKey(cfg.Key("mail", ""))
	a := &App{ctx: ctx, cfg: cfg, clock: d.Clock(), DB: d, answers: new(answers), observed: newObserved()}
	return a, a.modules(sender, ConfiguredKeys(cfg), slog.Default())
}

// NewContent is the content module of a command that writes articles and serves none.
func NewContent(d *db.DB) *content.Module {
	return content.New(content.Deps{DB: d, Preview: paywall.Preview, Log: slog.Default()})
}

// Close lets go of what newApp opened, when all work has ended. The database is its opener's.
func (a *App) Close(ctx context.Context) {
	if err := a.tracer.Close(ctx); err != nil {
		slog.WarnContext(ctx, "the last traces were not sent", "error", err)
	}
	if a.renderer != nil {
		a.renderer.Close()
	}
	if a.store != nil {
		_ = a.store.Close()
	}
}
