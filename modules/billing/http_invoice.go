package billing

import (
	"bytes"
	"net/http"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/web"
)

func (m *Module) invoiceRoutes(r gin.IRouter) {
	r.GET("/user/invoice/:invoiceId", web.Do(m.getInvoice))
	r.GET("/user/invoice/:invoiceId/", web.Do(m.getInvoice))
	r.GET(invoice.PDFPath+":invoiceId", web.Do(m.getFile("pdf", "application/pdf")))
	r.GET(invoice.XMLPath+":invoiceId", web.Do(m.getFile("xml", "application/xml")))
}

func (m *Module) getInvoice(c *gin.Context) error {
	reader, err := owner(c, c.Query("user_hash"))
	if err != nil {
		return err
	}
	d, err := m.Invoices.View(c.Request.Context(), reader, c.Param("invoiceId"))
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"invoice": d})
}

// getFile answers with a document as a file to keep: to its reader, and to whom its key was mailed.
func (m *Module) getFile(kind, mime string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		reader, key := int64(invoice.NoAccount), c.Query("document_key")
		if key == "" {
			var err error
			if reader, err = owner(c, ""); err != nil {
				return err
			}
		}
		var body bytes.Buffer
		name, err := m.documentFile(c.Request.Context(), documentRequest{reader, c.Param("invoiceId"), key}, kind, &body)
		if err != nil {
			return err
		}
		c.Header("Cache-Control", "no-store")
		c.Header("Content-Disposition", `attachment; filename="`+name+`"`)
		c.Data(http.StatusOK, mime, body.Bytes())
		return nil
	}
}
