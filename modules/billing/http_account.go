package billing

import (
	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// invoiceDataUpdated is the message after a form that was taken.
const invoiceDataUpdated = "INVOICE_DATA_UPDATED"

// invoiceDataPath takes invoice data.
const invoiceDataPath = "/fns/user-data-set"

func (m *Module) accountRoutes(r gin.IRouter) {
	r.GET("/user/me/extended", web.Do(m.getExtended))
	r.GET("/user/me/extended/", web.Do(m.getExtended))
	r.GET("/fns/user-data", web.Do(m.getInvoiceData))
	r.POST(invoiceDataPath, web.Do(m.postInvoiceData))
	r.GET(subscription.PortalPath, web.Do(m.getPortal))
	r.GET(subscription.PortalPath+"/back", web.Do(m.getPortalBack))
	m.invoiceRoutes(r)
}

// owner is the session's reader. The handle that a call names must be that of the same session.
func owner(c *gin.Context, handle string) (int64, error) {
	s, ok := session.From(c.Request.Context())
	if !ok || handle != "" && handle != s.Handle {
		return 0, web.NotSignedIn(c.Request.Context())
	}
	return s.ReaderID, nil
}

func (m *Module) getExtended(c *gin.Context) error {
	reader, err := owner(c, c.Query("user_hash"))
	if err != nil {
		return err
	}
	out, err := m.Subscriptions.Extended(c.Request.Context(), reader)
	if err != nil {
		return err
	}
	return web.OK(c, out)
}

func (m *Module) getInvoiceData(c *gin.Context) error {
	reader, err := owner(c, c.Query("user_hash"))
	if err != nil {
		return err
	}
	d, _, err := m.Invoices.Buyer(c.Request.Context(), reader)
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true, "data": d})
}

func (m *Module) postInvoiceData(c *gin.Context) error {
	if web.IsForm(c) {
		return m.invoiceDataForm(c)
	}
	var in struct {
		Hash string        `json:"user_hash"`
		Data invoice.Buyer `json:"data"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if _, err := web.Reader(c); err != nil {
		return err
	}
	reader, err := owner(c, in.Hash)
	if err != nil {
		return err
	}
	if err := m.Invoices.SetBuyer(c.Request.Context(), reader, in.Data); err != nil {
		return err
	}
	problem, err := m.Invoices.CheckNumber(c.Request.Context(), reader)
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true, "vat_number": problem})
}

// invoiceDataForm leads to the profile, or back to the form: with all that was typed if it is refused, or with what is
// wrong with the VAT number, which is kept.
func (m *Module) invoiceDataForm(c *gin.Context) error {
	ctx := c.Request.Context()
	ed := web.Edition(c)
	typed := typedBuyer(c.PostForm)
	form := ed.Href(edition.Focus) + "?type=" + focusInvoiceData
	reader, err := web.Reader(c)
	if err == nil {
		reader, err = owner(c, c.PostForm("user_hash"))
	}
	if err != nil {
		return m.cookies.RefuseForm(c, m.db.Now(), form, err)
	}
	if err = m.Invoices.SetBuyer(ctx, reader, typed); err == nil {
		switch problem, err := m.Invoices.CheckNumber(ctx, reader); {
		case err != nil:
			return err
		case problem != "":
			return web.SeeOther(c, web.WithStatus(ed.Href(edition.Focus)+"?type="+focusInvoiceData, problem))
		}
		return web.SeeOther(c, web.WithStatus(ed.Href(edition.Profile), invoiceDataUpdated))
	}
	f := fault.From(err)
	if f.Kind >= fault.Internal {
		return err
	}
	if err := m.Invoices.SaveFormDraft(ctx, reader, typed); err != nil {
		return err
	}
	return web.SeeOther(c, web.WithStatus(form, f.Code))
}

// getPortal leads on a reader's click to the provider's portal. What only looks ahead opens none.
func (m *Module) getPortal(c *gin.Context) error {
	ed := web.Edition(c)
	if err := web.SameOriginRead(c); err != nil {
		return err
	}
	if web.IsPrefetch(c.Request) {
		return web.ErrCrossOrigin
	}
	c.Header("Referrer-Policy", "no-referrer")
	reader, err := owner(c, "")
	if err != nil {
		return web.SeeOther(c, web.WithStatus("/", fault.From(err).Code))
	}
	to, err := m.Subscriptions.OpenPortal(c.Request.Context(), reader)
	if err == nil {
		return web.SeeOther(c, to)
	}
	f := fault.From(err)
	if f.Kind == fault.Internal {
		return err
	}
	m.log.WarnContext(c.Request.Context(), "no portal was opened", "edition", ed.ID, "error", err)
	code := f.Code
	if f.Is(subscription.ErrProviderAway) {
		code = "CONNECTION_FAILED"
	}
	return web.SeeOther(c, web.WithStatus(ed.Href(edition.Profile), code))
}

// getPortalBack is where the portal leads back to: the profile shall say what was done there, before the provider's
// message has come. When the provider cannot be asked, the message will tell.
func (m *Module) getPortalBack(c *gin.Context) error {
	ed := web.Edition(c)
	if reader, err := owner(c, ""); err == nil {
		if err := m.Subscriptions.Refresh(c.Request.Context(), reader); err != nil {
			m.log.WarnContext(c.Request.Context(), "a subscription was not refreshed", "edition", ed.ID, "error", err)
		}
	}
	return web.SeeOther(c, ed.Href(edition.Profile))
}
