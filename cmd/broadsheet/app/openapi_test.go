package app

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"example.org/broadsheet/platform/testkit/wait"
	"example.org/broadsheet/platform/web"
)

// files are not calls: their answers are described by their media type.
var files = regexp.MustCompile(`^/(assets/|img/|media/|rss|sitemap|[a-z0-9-]+\.(svg|ico|png|txt|webmanifest)/?$|` +
	`\.well-known/)`)

var ginParam = regexp.MustCompile(`[:*]([A-Za-z_]+)`)

func apiDescription(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(web.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return doc
}

// Every endpoint is described, and everything described is served.
func TestEndpointsAndDescriptionAgree(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	doc := apiDescription(t)
	described := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			if method == http.MethodHead {
				continue // a GET without its body
			}
			described[method+" "+strings.TrimSuffix(path, "/")] = true
		}
	}
	served := map[string]bool{}
	for _, r := range p.app.engine.Routes() {
		if files.MatchString(r.Path) || r.Method == http.MethodHead {
			continue
		}
		key := r.Method + " " + strings.TrimSuffix(ginParam.ReplaceAllString(r.Path, "{$1}"), "/")
		if !described[key] {
			t.Errorf("%s is served and not described", key)
		}
		served[key] = true
	}
	for key := range described {
		if !served[key] {
			t.Errorf("%s is described and not served", key)
		}
	}
}

// validatingTransport validates every answer of a browser against the description.
type validatingTransport struct {
	t      *testing.T
	next   http.RoundTripper
	router routers.Router
	seen   map[string]bool
}

func (c validatingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		var err error
		if sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(strings.NewReader(string(sent)))
	}
	res, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	route, params, err := c.router.FindRoute(r)
	if err != nil {
		return res, nil //nolint:nilerr // a page or a file: not described here
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	_ = res.Body.Close()
	res.Body = io.NopCloser(strings.NewReader(string(body)))
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(strings.NewReader(string(sent)))
	in := &openapi3filter.RequestValidationInput{
		Request: again, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if res.StatusCode < http.StatusBadRequest {
		c.seen[r.Method+" "+route.Path] = true
	}
	if res.StatusCode < http.StatusBadRequest { // a refusal may be about a request that was wrong on purpose
		if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
			c.t.Errorf("%s %s: the request is not as described: %v", r.Method, r.URL.Path, err)
		}
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: res.StatusCode, Header: res.Header,
		Options: in.Options,
	}
	out.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(r.Context(), out); err != nil {
		c.t.Errorf("%s %s: the answer %d is not as described: %v\n%.400s", r.Method, r.URL, res.StatusCode, err, body)
	}
	return res, nil
}

// isStream tells an answer that does not end, which has a test of its own.
func isStream(o *openapi3.Operation) bool {
	ok := o.Responses.Status(http.StatusOK)
	return ok != nil && ok.Value.Content["text/event-stream"] != nil
}

// A visit to everything, as a visitor and as a reader, with every answer held to the description.
func TestAnswersAreAsDescribed(t *testing.T) {
	t.Parallel()
	openapi3filter.RegisterBodyDecoder("image/svg+xml", openapi3filter.FileBodyDecoder)
	p := startApp(t)
	p.publish(4, true)
	p.publish(4, false)
	p.lockEverything()
	doc := apiDescription(t)
	doc.Servers = nil
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, ed := range p.app.registry.All() {
		seen := map[string]bool{}
		b := p.browser(ed.ID)
		b.client.Transport = validatingTransport{t, b.client.Transport, router, seen}
		crawl(t, p, b, ed, func(string, response) {})
		p.signIn(b, "reader@example.org")
		crawl(t, p, b, ed, func(string, response) {})
		b.get("/user/exists?email=reader@example.org")
		b.post("/fns/logs-put", map[string]any{"action": "article_opened", "meta_value": "1"})
		b.post("/fns/logtail", map[string]any{"data": map[string]any{"message": "a test"}})
		b.get("/api/consent-documents")
		b.post("/api/set-gdpr-consent-cookie", map[string]any{"consent": "necessary"})
		b.post("/api/set-consent-metadata", map[string]any{"consent": []string{"privacy"}})
		b.post("/api/set-consent-metadata", map[string]any{"consent": "soul"})
		b.post("/fns/stripe-payment",
			map[string]any{"product_type": "product_monthly", "payment_method": "card", "referrer": "/"})
		b.post("/fns/stripe-payment", map[string]any{"product_type": "no_such_thing"})
		var order struct{ Data struct{ Redirect string } }
		b.post("/fns/stripe-payment", map[string]any{"product_type": "product_yearly", "payment_method": "iban"}).
			json(t, &order)
		_, slip, _ := strings.Cut(order.Data.Redirect, "?")
		b.get("/fns/transfer-code?" + slip)
		for _, file := range []string{
			"/user/invoice/PF-%d-000001/", "/fns/invoice-pdf/PF-%d-000001",
			"/fns/invoice-xml/PF-%d-000001",
		} {
			b.get(fmt.Sprintf(file, p.app.DB.Now().In(ed.Location).Year()))
		}
		b.get("/fns/payment-status?session_id=cs_unknown")
		b.post("/fns/stripe-quest-payment", map[string]any{"coupon_code": "no such code"})
		b.post("/fns/stripe-quest-payment", map[string]any{"product_type": "product_yearly"})
		b.post("/fns/stripe-subscription", map[string]any{"action": "cancel"})
		b.post("/fns/gift-payment", map[string]any{"product_type": "product_yearly", "buyer_email": "giver@example.org"})
		b.post("/fns/withdrawal", map[string]any{"name": "Eva", "email": "eva@example.org", "contract": "gift"})
		b.post("/fns/withdrawal-confirm", map[string]any{"statement": "1.x"})
		b.post("/fns/emails", map[string]any{"email": "reader@example.org", "type": "login"})
		b.post("/fns/forgotten-email", map[string]any{"email": "answer@example.org", "message": "My name is Jana."})
		b.post("/api/passkey-challenge", map[string]any{})
		b.post("/api/passkey-login", map[string]any{"credential": map[string]any{}})
		b.post("/fns/passkeys/challenge", map[string]any{})
		b.post("/fns/passkeys/add", map[string]any{"credential": map[string]any{}})
		b.post("/fns/passkeys/remove", map[string]any{"id": 1})
		b.post("/fns/passkeys/decline", map[string]any{})
		b.post("/api/login-approval", map[string]any{})
		b.post("/fns/login-approval", map[string]any{"id": 1, "approve": false})
		b.post("/fns/user-email", map[string]any{"email": "another@example.org"})
		b.post("/fns/user-email/confirm", map[string]any{"code": "000000"})
		b.post("/fns/user-email/cancel", map[string]any{})
		b.post("/user/sessions/end", map[string]any{"others": true})
		b.post("/fns/newsletters/subscribe", map[string]any{"lists": []string{"morning"}})
		b.post("/fns/newsletters/settings", map[string]any{"lists": []string{"topic"}})
		b.get("/fns/newsletters/settings")
		b.get("/fns/newsletters/leave?token=1")
		b.post("/fns/newsletters/leave", map[string]any{"token": "1.morning.x"})
		b.post("/fns/newsletters/confirm", map[string]any{"token": "1"})
		b.post("/fns/stripe-update-subscription", map[string]any{"product_type": "product_monthly"})
		b.invoice(t)
		for path, item := range doc.Paths.Map() {
			if item.Get != nil && !seen["GET "+path] && !silentRoutes.MatchString(path) && !isStream(item.Get) {
				t.Errorf("%s: no answer of %s was checked", ed.ID, path)
			}
		}
	}
}

// invoice buys something, and looks at the document in all its forms. The till is the provider's, and not described.
func (b *browser) invoice(t *testing.T) {
	t.Helper()
	described := b.client.Transport
	b.client.Transport = described.(validatingTransport).next
	buy(t, b)
	wait.Until(t, "the subscription counts", func() bool { return subscribed(b) })
	b.client.Transport = described
	var mine struct {
		Invoices []struct {
			ID string `json:"stripe_id"`
		}
	}
	b.get("/user/me/extended/").json(t, &mine)
	if len(mine.Invoices) == 0 {
		t.Fatal("what was bought has no invoice")
	}
	for _, path := range []string{
		"/user/invoice/" + mine.Invoices[0].ID + "/", "/fns/invoice-pdf/" + mine.Invoices[0].ID,
		"/fns/invoice-xml/" + mine.Invoices[0].ID,
	} {
		if r := b.get(path); r.Status != http.StatusOK {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}
