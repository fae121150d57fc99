package transfer

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/payqr"
	"example.org/broadsheet/platform/web"
)

// GetCode answers with the picture of an order's payment code.
func (s *Service) GetCode(c *gin.Context) error {
	ctx := c.Request.Context()
	ed := web.Edition(c)
	o, d, err := s.slip(ctx, ed, c.Query("slip"))
	if err != nil {
		return err
	}
	if o == nil || o.State != StateOpen {
		return web.ErrNotFound
	}
	text, err := invoice.PaymentCode(d)
	if err != nil {
		return err
	}
	_, format := invoice.ReferenceForm(d.Supplier.IBAN)
	svg, err := payqr.SVG(text, d.Number, format == "swiss")
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "private, no-store")
	c.Data(http.StatusOK, "image/svg+xml", []byte(svg))
	return nil
}
