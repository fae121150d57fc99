package billing

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// formCookie carries what was typed into a form of the steps to the page that shows the form again. A visitor has no
// row to keep it in.
const formCookie = "typed_sale"

var maxFormCookie = map[string]int{formCookie: 2900}

// typedBuyer is invoice data as the fields of a form have it.
func typedBuyer(field func(string) string) invoice.Buyer {
	typed := invoice.Buyer{ClientType: invoice.ParseClientType(field("client_type"))}
	for _, f := range typed.Fields() {
		*f.Text = field(f.Name)
	}
	return typed
}

// unsentOf is the invoice data that a reader has typed and could not send, because the session was over; nil for none.
func unsentOf(ctx context.Context, reader int64) *invoice.Buyer {
	form := web.UnsentOf(ctx, reader)
	if form == nil || form.Form != invoiceDataPath {
		return nil
	}
	typed := typedBuyer(form.Values.Get)
	return &typed
}

// formFields are what readers type into the form of a step.
var formFields = map[string][]string{
	links.StepCoupon:     {"coupon_code", "user_email"},
	links.StepCampaign:   {"user_email"},
	links.StepGift:       {"product_type", "buyer_email", "buyer_name", "recipient_email", "message", "send_on"},
	links.StepWithdrawal: {"name", "email", "contract"},
}

// aboutAddress are codes about the one address that a form asks for, which do not say where it stands.
var (
	aboutAddress  = []string{"INVALID_EMAIL", "FORBIDDEN_DOMAIN", "UNDELIVERABLE_EMAIL"}
	addressFields = map[string]string{
		links.StepCoupon: "user_email", links.StepCampaign: "user_email",
		links.StepWithdrawal: "email",
	}
)

// saleForm is SaleTyped of openapi.yaml.
type saleForm struct {
	Step   string            `json:"step,omitempty"`
	Values map[string]string `json:"values"`
	Field  string            `json:"field"`
	Code   string            `json:"code"`
}

// Typed hands the pages what was typed into a form that was refused. It stands before them.
func (m *Module) Typed() gin.HandlerFunc { return m.cookies.StickyForm(maxFormCookie) }

// keepTyped keeps what a plain form was refused with; anything else that is answered takes it away.
func (m *Module) keepTyped(c *gin.Context, step string, failure error) {
	text := ""
	if web.IsForm(c) && failure != nil {
		f := fault.From(failure)
		field := f.Field
		if field == "" && slices.Contains(aboutAddress, f.Code) {
			field = addressFields[step]
		}
		text = saleForm{step, typedIn(c, step), field, f.Code}.cookie()
	}
	m.cookies.SaveForm(c, formCookie, text, m.db.Now())
}

func typedIn(c *gin.Context, step string) map[string]string {
	values := map[string]string{}
	for _, name := range formFields[step] {
		if text := c.PostForm(name); text != "" {
			values[name] = text
		}
	}
	return values
}

// cookie is what was typed as text; "" for more than a cookie can hold.
func (t saleForm) cookie() string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false) // it would take six bytes for one
	if err := enc.Encode(t); err != nil || text.Len() > maxFormCookie[formCookie] {
		return ""
	}
	return text.String()
}

// typedInto is what this browser has typed into the form of a step that was refused just now; nil for nothing.
func typedInto(ctx context.Context, r *page.Request) *saleForm {
	t := new(saleForm)
	if json.Unmarshal([]byte(web.SavedForm(ctx, formCookie)), t) != nil || t.Step != r.Params["saleStep"] ||
		t.Code != r.Query.Get("status") {
		return nil
	}
	t.Step = ""
	return t
}
