package billing

import (
	"net/url"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Logins is what billing asks of identity while a request runs.
type Logins interface {
	// AskMail has a login mail sent to an address, by which this browser comes to the local path referrer. agreed
	// are the documents that the form names.
	AskMail(c *gin.Context, email, referrer, agreed string) error
}

// specialOffer is the message after an offer was mailed to a visitor.
const specialOffer = "SPECIAL_OFFER_SUCCESS"

func (m *Module) saleRoutes(r gin.IRouter) {
	r.POST("/fns/stripe-quest-payment", web.Do(m.postOfferRequest))
	r.POST("/fns/gift-payment", web.Do(m.postGift))
	r.GET(transfer.CodePath, web.Do(m.Transfers.GetCode))
	r.POST("/fns/withdrawal", web.Do(m.postWithdrawal))
	r.POST("/fns/withdrawal-confirm", web.Do(m.postConfirmWithdrawal))
}

// saleReply answers a script with where to go, and leads the plain form of a step there, or back with what went wrong
// and all that was typed.
func (m *Module) saleReply(c *gin.Context, step string, err error, back, to string) error {
	m.keepTyped(c, step, err)
	switch {
	case !web.IsForm(c) && err != nil:
		return err
	case !web.IsForm(c):
		return web.OK(c, gin.H{"success": true, "data": gin.H{"redirect": to}})
	case err == nil:
		return web.SeeOther(c, to)
	}
	return m.cookies.RefuseForm(c, m.db.Now(), back, err)
}

// postOfferRequest takes the form of a campaign or with a code: a reader goes to the checkout or has the code redeemed,
// a visitor gets a login mail that leads there.
func (m *Module) postOfferRequest(c *gin.Context) error {
	ed := web.Edition(c)
	var in subscription.OfferRequest
	if web.IsForm(c) {
		in = subscription.OfferRequest{
			Email: c.PostForm("user_email"), Product: c.PostForm("product_type"), Code: c.PostForm("coupon_code"),
			Referrer: c.PostForm("referrer"), PendingOffer: c.PostForm("wish"), Agreed: c.PostForm("agreed"),
		}
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	reader, refused := web.MaybeReader(c)
	step, back := links.StepCampaign, links.Sale(ed, links.StepCampaign, "product_type", in.Product)
	if in.Code != "" || in.PendingOffer != "" || c.PostForm("form") == links.StepCoupon {
		step, back = links.StepCoupon, links.Sale(ed, links.StepCoupon, "wish", in.PendingOffer)
	}
	if refused != nil {
		return m.saleReply(c, step, refused, back, "")
	}
	to, err := m.requestOffer(c, ed, reader, in)
	return m.saleReply(c, step, err, back, to)
}

func (m *Module) requestOffer(c *gin.Context, ed *edition.Edition, reader int64,
	in subscription.OfferRequest,
) (to string, err error) {
	ctx, network := c.Request.Context(), limit.Network(c.ClientIP())
	referrer := web.LocalPath(in.Referrer)
	done := links.Sale(ed, links.StepCoupon, "done", "1")
	if referrer != "/" {
		done += "&referrer=" + url.QueryEscape(referrer)
	}
	switch {
	case in.Code == "" && in.PendingOffer == "" && in.Product == "": // the form with a code, without one
		return "", voucher.ErrCoupon.On("coupon_code")
	case reader != 0 && in.Code != "":
		_, err = m.vouchers.Redeem(ctx, reader, in.Code, network)
		return done, err
	case reader != 0 && in.PendingOffer != "":
		_, err = m.vouchers.RedeemPending(ctx, reader, m.links.Open(ed, links.PendingOffer, in.PendingOffer), network)
		return done, err
	case reader != 0:
		if to, err = m.Subscriptions.Pay(ctx, reader,
			subscription.Order{Product: in.Product, Referrer: referrer, Plain: web.IsForm(c)}); fault.From(err).
			Is(access.ErrPaymentFailed) {
			err = m.Subscriptions.MailPaymentLink(ctx, ed, reader, in.Product, network, err)
		}
		return to, err
	case in.PendingOffer != "": // the session is over meanwhile
		return "", web.ErrNotSignedIn
	}
	email, back, err := m.Subscriptions.RequestOffer(ctx, in, network)
	if err == nil {
		err = m.logins.AskMail(c, email, back, in.Agreed)
	}
	kind := "thankyou-campaign"
	if in.Code != "" {
		kind = "thankyou-coupon"
	}
	to = ed.Href(edition.Sent) + "?" + url.Values{
		"type": {kind}, "email": {email}, "referrer": {back},
		"status": {specialOffer},
	}.Encode()
	return to, err
}

// postGift opens the checkout of a gift, for anybody.
func (m *Module) postGift(c *gin.Context) error {
	ed := web.Edition(c)
	var in voucher.Order
	if web.IsForm(c) {
		in = voucher.Order{
			Product: c.PostForm("product_type"), BuyerEmail: c.PostForm("buyer_email"), BuyerName: c.PostForm("buyer_name"),
			Email: c.PostForm("recipient_email"), Message: c.PostForm("message"), SendOn: c.PostForm("send_on"),
		}
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	to, err := m.vouchers.BuyGift(c.Request.Context(), in, limit.Network(c.ClientIP()))
	return m.saleReply(c, links.StepGift, err, links.Sale(ed, links.StepGift), to)
}

// postWithdrawal takes the first step of a withdrawal and leads to the second.
func (m *Module) postWithdrawal(c *gin.Context) error {
	ed := web.Edition(c)
	var in withdrawal.Request
	if web.IsForm(c) {
		in = withdrawal.Request{
			Name: c.PostForm("name"), Email: c.PostForm("email"), Contract: c.PostForm("contract"),
		}
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	link, err := m.Withdrawals.State(c.Request.Context(), in, limit.Network(c.ClientIP()))
	return m.saleReply(c, links.StepWithdrawal, err, links.Sale(ed, links.StepWithdrawal),
		links.Sale(ed, links.StepWithdrawal, "statement", link))
}

// postConfirmWithdrawal takes the second step, and the link that was mailed after it.
func (m *Module) postConfirmWithdrawal(c *gin.Context) error {
	ed := web.Edition(c)
	var in struct {
		Statement string `json:"statement"`
		// The content, to send a statement again that came too late.
		withdrawal.Request
		Again bool `json:"again"`
	}
	if web.IsForm(c) {
		in.Statement, in.Again = c.PostForm("statement"), c.PostForm("again") != ""
		in.Name, in.Email, in.Contract = c.PostForm("name"), c.PostForm("email"), c.PostForm("contract")
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	ctx := c.Request.Context()
	link := in.Statement
	var err error
	if in.Again {
		link, err = m.Withdrawals.WithdrawAgain(ctx, link, in.Request, session.ReaderID(ctx), limit.Network(c.ClientIP()))
	} else {
		err = m.Withdrawals.Withdraw(ctx, link, session.ReaderID(ctx))
	}
	to := links.Sale(ed, links.StepWithdrawal, "statement", link)
	return m.saleReply(c, links.StepWithdrawal, err, to, to)
}
