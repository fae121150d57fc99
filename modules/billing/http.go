package billing

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// maxWebhook bounds a message of the provider.
const maxWebhook = 256 << 10

// webhookPatience is how long its sender may take.
const webhookPatience = 10 * time.Second

// Routes adds the module's endpoints for browsers.
func (m *Module) Routes(r gin.IRouter) {
	r.GET("/fns/stripe-products-offer", web.Do(m.getOffer))
	r.POST("/fns/stripe-payment", web.Do(m.postPayment))
	r.POST("/fns/stripe-update-subscription", web.Do(m.postRefresh))
	r.POST("/fns/stripe-subscription", web.Do(m.postChange))
	r.GET("/fns/payment-status", web.Do(m.getStatus))
	m.accountRoutes(r)
	m.saleRoutes(r)
}

// Webhook adds the provider's endpoint; it has to stand outside the guard against foreign origins and of its own size
// limit.
func (m *Module) Webhook(r gin.IRouter) {
	r.POST(stripe.WebhookPath, web.Body(maxWebhook, webhookPatience), web.Do(m.postWebhook))
}

func (m *Module) getOffer(c *gin.Context) error {
	ed := web.Edition(c)
	kind := c.Query("product_type")
	if kind != "" && kind != "default" && ed.Product(kind) == nil {
		return web.ErrInvalidArgs.On("product_type")
	}
	reader := session.ReaderID(c.Request.Context())
	list, err := m.Subscriptions.ProductsFor(c.Request.Context(), ed, reader, kind)
	if err != nil {
		return err
	}
	if reader != 0 { // what it costs now is about this reader
		return web.OK(c, gin.H{"products": list})
	}
	return web.Shared(c, gin.H{"products": list})
}

// postPayment opens a checkout, for a script or for a plain form.
func (m *Module) postPayment(c *gin.Context) error {
	in := struct {
		Product  string `json:"product_type"`
		Method   string `json:"payment_method"`
		Referrer string `json:"referrer"`
	}{}
	if web.IsForm(c) {
		to, err := m.payForm(c)
		if err != nil {
			return m.refuseOrder(c, err)
		}
		return web.SeeOther(c, to)
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	reader, err := web.Reader(c)
	if err != nil {
		return err
	}
	to, err := m.Subscriptions.Pay(c.Request.Context(), reader,
		subscription.Order{Product: in.Product, Method: in.Method, Referrer: in.Referrer})
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true, "data": gin.H{"redirect": to}})
}

func (m *Module) payForm(c *gin.Context) (string, error) {
	reader, err := web.Reader(c)
	if err != nil {
		return "", err
	}
	return m.Subscriptions.Pay(c.Request.Context(), reader,
		subscription.Order{
			Product: c.PostForm("product_type"), Method: c.PostForm("payment_method"), Referrer: c.PostForm("referrer"),
			Plain: true,
		})
}

// refuseOrder leads back to the choice that was made, by way of the login where the session is over.
func (m *Module) refuseOrder(c *gin.Context, failure error) error {
	ed := web.Edition(c)
	q := url.Values{}
	if p := c.PostForm("product_type"); ed.Product(p) != nil {
		q.Set("product_type", p)
	}
	if r := web.LocalPath(c.PostForm("referrer")); r != "/" {
		q.Set("referrer", r)
	}
	if c.PostForm("payment_method") == transfer.MethodIBAN {
		q.Set("by", transfer.MethodIBAN)
	}
	back := ed.Href(edition.Account)
	if len(q) > 0 {
		back += "?" + q.Encode()
	}
	return m.cookies.RefuseForm(c, m.db.Now(), back, failure)
}

func (m *Module) postRefresh(c *gin.Context) error {
	if err := web.Bind(c, new(struct{})); err != nil {
		return err
	}
	reader, err := web.Reader(c)
	if err != nil {
		return err
	}
	if err := m.Subscriptions.Refresh(c.Request.Context(), reader); err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true})
}

// getStatus answers visitors too: who has just paid may have lost the session on the way.
func (m *Module) getStatus(c *gin.Context) error {
	ctx := c.Request.Context()
	if err := web.SessionFailure(ctx); err != nil {
		return err
	}
	p, err := m.Subscriptions.Status(ctx, session.ReaderID(ctx), c.Query("session_id"))
	if err != nil {
		return err
	}
	answer := gin.H{"success": true, "state": p.State, "referrer": p.Referrer}
	if !p.EndsAt.IsZero() {
		answer["endsAt"] = p.EndsAt
	}
	return web.OK(c, answer)
}

func (m *Module) postWebhook(c *gin.Context) error {
	body, err := io.ReadAll(c.Request.Body)
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return web.ErrTooLarge
	}
	if err != nil {
		return web.ErrInvalidArgs.Because(err)
	}
	if err := m.Subscriptions.Receive(c.Request.Context(), body, c.GetHeader("Stripe-Signature")); err != nil {
		return err
	}
	return web.OK(c, gin.H{"received": true})
}
