package billing

import (
	"context"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// saleData is SaleData of openapi.yaml.
type saleData struct {
	Step     string          `json:"step"`
	SignedIn bool            `json:"signedIn"`
	Referrer string          `json:"referrer"`
	Products []offer.Product `json:"products"`

	Order *subscription.OrderTime `json:"order,omitempty"` // of a reader's
	// Days for which a visitor who takes the offer reads without paying first.
	Trial int `json:"trial"`

	Coupon *couponData `json:"coupon,omitempty"`
	Gift   *giftData   `json:"gift,omitempty"`

	Withdrawal *withdrawalData `json:"withdrawal,omitempty"`
	Typed      *saleForm       `json:"typed,omitempty"`
	Transfer   *transfer.Data  `json:"transfer,omitempty"`
}

// giftData is GiftData of openapi.yaml.
type giftData struct {
	State string     `json:"state"` // form, pending, ready, used, gone
	Today string     `json:"today"` // the first and the last day on which an email can be sent
	Last  string     `json:"last"`
	Card  *giftCard  `json:"card,omitempty"`
	Until *time.Time `json:"until,omitempty"`
}

// giftCard is GiftCard of openapi.yaml.
type giftCard struct {
	Code    string `json:"code"`
	Product string `json:"product"`
	From    string `json:"from"`
	Message string `json:"message"`
	Address string `json:"address"` // where the code is redeemed
}

// couponData is CouponData of openapi.yaml.
type couponData struct {
	Pending string     `json:"wish"`            // of a good code that was typed before the login
	Product string     `json:"product"`         // the name of what it opens
	Late    bool       `json:"late,omitempty"`  // the link to such a code came too late
	Until   *time.Time `json:"until,omitempty"` // of what was just redeemed
}

// saleQuery is what the steps read of their address.
var saleQuery = []string{"product_type", "referrer", "wish", "done", "card", "statement", "status", "slip"}

func (m *Module) salePage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	d := saleData{
		Step: r.Params["saleStep"], SignedIn: session.ReaderID(ctx) != 0,
		Referrer: web.LocalPath(r.Query.Get("referrer")), Products: []offer.Product{}, Typed: typedInto(ctx, r),
	}
	steps := map[string]func(context.Context, *edition.Edition, *page.Request, *saleData) error{
		links.StepCoupon: m.couponStep, links.StepCampaign: m.campaignStep, links.StepGift: m.giftStep,
		links.StepWithdrawal: m.withdrawalStep,
		links.StepTransfer:   m.transferStep,
	}
	fill := steps[d.Step]
	if fill == nil || !ed.Flags["subscriptions"] {
		return nil, web.ErrNotFound
	}
	if d.Step == links.StepTransfer && !d.SignedIn && r.Query.Get("slip") == "" {
		return page.LoginFirst(ed, r), nil
	}
	if err := fill(ctx, ed, r, &d); err != nil {
		return nil, err
	}
	if d.Step == links.StepTransfer && d.Transfer == nil { // nothing was ordered so
		return elsewhere(ed.Href(edition.Account)), nil
	}
	if d.Step == links.StepCampaign && len(d.Products) == 0 { // an account of the former site; why, is told there
		return elsewhere(ed.Href(edition.Account)), nil
	}
	answer := own(ed, r, "sale."+d.Step, d)
	if d.Gift != nil && d.Gift.State == giftPending {
		answer.Refresh = links.Sale(ed, links.StepGift, "card", r.Query.Get("card"))
	}
	return answer, nil
}

// giftPending is a gift whose payment is on its way.
const giftPending = "pending"

// giftStep shows the form of a gift, or with a link the card of one.
func (m *Module) giftStep(ctx context.Context, ed *edition.Edition, r *page.Request, d *saleData) error {
	now := m.db.Now()
	d.Gift = &giftData{
		State: "form", Today: now.In(ed.Location).Format(time.DateOnly),
		Last: now.Add(voucher.MaxAhead).In(ed.Location).AddDate(0, 0, -1).Format(time.DateOnly),
	}
	link := r.Query.Get("card")
	if link == "" {
		for _, p := range offer.Products(ed, "") {
			if p.Offer != nil {
				p.Price = i18n.MoneyIn(ed, p.Offer.Amount, p.Offer.Currency) // of one period: nothing is introduced, nothing renews
				d.Products = append(d.Products, p)
			}
		}
		return nil
	}
	c, err := m.vouchers.Card(ctx, m.links.Open(ed, links.Gift, link))
	switch {
	case err != nil:
		return err
	case c.Gift == nil, c.Gift.State == voucher.GiftExpired, c.Gift.State == voucher.GiftRefunded,
		c.Gift.State == voucher.GiftPaid &&
			c.Coupon == nil:
		d.Gift.State = "gone"
	case c.Gift.State == voucher.GiftOpen:
		d.Gift.State = giftPending
	default:
		d.Gift.State, d.Gift.Until = "ready", new(voucher.LastMoment(c.Coupon.ValidUntil))
		if !c.Coupon.Open(now) {
			d.Gift.State = "used"
		}
		d.Gift.Card = &giftCard{
			c.Code, c.Product, c.Gift.BuyerName, c.Gift.Message,
			strings.TrimPrefix(strings.TrimPrefix(ed.URL(links.Sale(ed, links.StepCoupon)), "https://"), "http://"),
		}
	}
	return nil
}

// campaignStep shows one product, which the address names, and the form to get it.
func (m *Module) campaignStep(ctx context.Context, ed *edition.Edition, r *page.Request, d *saleData) (err error) {
	kind := r.Query.Get("product_type")
	if offer.Active(ed, kind) == nil {
		kind = FirstSold(ed)
	}
	reader := session.ReaderID(ctx)
	if reader == 0 && subscription.GrantsTrials(ed, m.db.Now()) {
		d.Trial = ed.Billing.Trial.Days
	}
	if d.Order, err = m.Subscriptions.OrderTimeFor(ctx, reader); err != nil {
		return err
	}
	d.Products, err = m.Subscriptions.ProductsFor(ctx, ed, reader, kind)
	return err
}

// FirstSold is the type of the product that an edition offers where nobody has chosen; "" where it sells none.
func FirstSold(ed *edition.Edition) string {
	for _, p := range offer.Products(ed, "") {
		if p.Offer != nil {
			return p.Type
		}
	}
	return access.NoProduct
}

func (m *Module) couponStep(ctx context.Context, ed *edition.Edition, r *page.Request, d *saleData) error {
	d.Coupon = &couponData{}
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		if id := m.links.Open(ed, links.PendingOffer, r.Query.Get("wish")); id != 0 {
			w, err := subscription.FindPendingOffer(ctx, tx, id)
			if err != nil {
				return err
			}
			d.Coupon.Late = w == nil
			if p := productOf(ed, w); p != nil {
				d.Coupon.Pending, d.Coupon.Product = r.Query.Get("wish"), p.Name
			}
		}
		if reader := session.ReaderID(ctx); reader != 0 && r.Query.Get("done") != "" {
			last, err := voucher.LastRedemption(ctx, tx, reader)
			if err != nil || last == nil {
				return err
			}
			d.Coupon.Until = &last.Until
		}
		return nil
	})
}

// productOf is what a pending offer is about; nil for none.
func productOf(ed *edition.Edition, w *subscription.PendingOffer) *edition.Product {
	if w == nil {
		return nil
	}
	return offer.Active(ed, w.Product)
}

func (m *Module) transferStep(ctx context.Context, ed *edition.Edition, r *page.Request, out *saleData) (err error) {
	out.Transfer, err = m.Transfers.Show(ctx, ed, r.Query.Get("slip"))
	return err
}
