package app

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/consent"
	"example.org/broadsheet/modules/newsletter"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/pages"
	"example.org/broadsheet/platform/web"
)

// Bounds of a request (documented in docs/configuration.md).
const (
	bodyLimit      = 64 << 10
	webhookLimit   = 256 << 10
	handlerTimeout = 10 * time.Second
	bodyTimeout    = 10 * time.Second
	inFlight       = 200
)

// checkoutOrigin is where a plain form is sent to pay; browsers hold the redirect of a form to the policy too.
const checkoutOrigin = "https://checkout.stripe.com"

// payOrigins are checkoutOrigin and that of a simulator, which shows its pages where its API is.
func payOrigins(cfg *config.Config) []string {
	u, err := url.Parse(cfg.Stripe.APIBase)
	if err != nil || u.Host == "" {
		return []string{checkoutOrigin}
	}
	return []string{checkoutOrigin, u.Scheme + "://" + u.Host}
}

// handler puts all routes behind the middleware, whose order is this file's subject:
// who asks and how long it took, no panic beyond here, which edition, who may send what.
func (a *App) handler() (http.Handler, error) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash, e.RedirectFixedPath = false, false
	e.UseRawPath, e.UnescapePathValues = true, true
	e.HandleMethodNotAllowed = true
	e.RemoteIPHeaders = []string{"X-Forwarded-For"} // proxies set it; X-Real-IP they may pass on as a reader has sent it
	if err := e.SetTrustedProxies(a.cfg.Web.TrustedProxies); err != nil {
		return nil, err
	}
	trusts, policy := web.TrustsProxy(e, a.cfg.Web.TrustedProxies), web.NewPolicy(a.secure(), payOrigins(a.cfg)...)
	record := web.NewRecord(a.metrics, slog.Default(), a.cfg.Log.Access, a.tracer)
	cookies := web.Cookies{Secure: a.secure(), Remembered: a.Identity.Sessions.Remembered}
	clientIP, running := web.ClientIP(e), web.NewRunning(inFlight)
	fast := web.NewFastPath(web.FastPathOptions{
		Lookup: a.registry.Lookup, Cache: a.cache, Record: record, TrustsProxy: trusts,
		ClientIP: clientIP, Cookies: cookies, Running: running, Patience: handlerTimeout,
		InertCookies: slices.Concat(consent.InertCookies, a.Identity.InertCookies()),
	})
	e.Use(
		web.Identify(trusts, clientIP),
		fast.Learn,
		web.UntrustedProxies(a.cfg.Web.TrustedProxies, slog.Default()),
		record.Requests,
		web.Recover(),
		policy.Security,
		web.Editions(a.registry.Lookup),
	)

	// Files are the same for everybody: no session is looked up for them.
	e.GET("/assets/*file", web.Do(a.assets.Serve))
	e.HEAD("/assets/*file", web.Do(a.assets.Serve))
	shown := e.Group("/", web.ForAll)
	shown.GET("/img/:id", gin.WrapH(a.images.Handler()))
	shown.HEAD("/img/:id", gin.WrapH(a.images.Handler()))
	shown.GET(media.VideoPath+":name", gin.WrapH(a.images.VideoHandler()))
	shown.HEAD(media.VideoPath+":name", gin.WrapH(a.images.VideoHandler()))
	for path, load := range a.files() {
		h := web.Do(a.pages.File(load))
		shown.GET(path, h)
		shown.HEAD(path, h)
		shown.GET(path+"/", redirectSlash)
		shown.HEAD(path+"/", redirectSlash)
	}

	// Browsers send reports by themselves, and some without saying where they are from.
	e.POST(web.ViolationsPath, web.Deadline(handlerTimeout), web.Violations(slog.Default()))

	// The payment provider is another origin by nature; its signature is its right to call.
	a.Billing.Webhook(e.Group("/", web.BodyLimit(webhookLimit), web.Deadline(handlerTimeout)))

	// Streams stay open and know no reader: neither a deadline nor the requests that run at once are theirs.
	a.Discussion.Streams(e.Group("/", web.SameOrigin()))

	site := []gin.HandlerFunc{
		web.SameOrigin(newsletter.LeavePath),
		web.Body(bodyLimit, bodyTimeout), // before a place is taken: who sends slowly keeps nobody out
		web.Text(),
		web.Deadline(handlerTimeout),
		running.InFlight(func(c *gin.Context) bool { return !cookies.HasSession(c.Request) && a.pages.Ready(c) }),
		cookies.Sessions(a.Identity.Sessions.Authenticate, a.pages.Ready),
		cookies.Unsent(a.DB.Now),
	}
	document := slices.Concat(site,
		[]gin.HandlerFunc{
			a.Identity.LegacyLink(), a.Identity.StickyForm(), a.Identity.LoginPending(), a.Billing.Typed(),
			a.newsletter.StickyForm(), a.consent.ConsentState(), a.paywall.VideoLink(), web.Do(a.pages.Document),
		})
	e.NoRoute(document...)
	e.NoMethod(document...) // the page of a form may have the address that the form is sent to

	api := e.Group("/", site...)
	data := []gin.HandlerFunc{
		a.Identity.LoginPending(), a.consent.ConsentState(), a.paywall.VideoLink(),
		web.Do(a.pages.Data),
	}
	api.GET(pages.DataPath, data...)
	api.HEAD(pages.DataPath, data...)
	api.GET("/api/env-vars", web.Do(envVars))
	api.HEAD("/api/env-vars", web.Do(envVars))
	for _, m := range []interface{ Routes(gin.IRouter) }{
		a.content, a.Identity, a.paywall, a.Billing, a.consent, a.logging,
		a.Discussion, a.newsletter,
	} {
		m.Routes(api)
	}
	a.engine = e
	return record.Traced(fast.Handler(e), trusts), nil
}

// redirectSlash sends the address of a file with a slash at its end to the file.
func redirectSlash(c *gin.Context) {
	c.Redirect(http.StatusMovedPermanently, strings.TrimSuffix(c.Request.URL.EscapedPath(), "/"))
}
