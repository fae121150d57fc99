package billing

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// accountData is AccountData of openapi.yaml.
type accountData struct {
	Products []offer.Product            `json:"products"`
	Offer    offer.Offer                `json:"offer"`
	State    *subscription.AccountState `json:"standing,omitempty"` // of a reader
	Order    *subscription.OrderTime    `json:"order,omitempty"`    // of a reader's
}

// successData is PaymentSuccessData of openapi.yaml.
type successData struct {
	State    string     `json:"state"`
	Referrer string     `json:"referrer"`
	SignedIn bool       `json:"signedIn"`
	EndsAt   *time.Time `json:"endsAt,omitempty"`
}

// Pages are the pages of choosing and paying.
func (m *Module) Pages() page.Sources {
	return page.Sources{
		edition.Account: {
			Load: m.accountPage, Query: []string{"product_type", "referrer", "cancelled", "by"},
			PersonalToReaders: true,
		},
		edition.PaymentSuccess: {Load: m.successPage, Query: []string{"session_id"}, Personal: true},
		edition.PaymentFailure: {Load: failurePage},
		edition.Invoice:        {Load: m.invoicePage, Personal: true},
		edition.Sale:           {Load: m.salePage, Query: saleQuery, Personal: true},
	}
}

func (m *Module) accountPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	list, err := m.Subscriptions.ProductsFor(ctx, ed, session.ReaderID(ctx), r.Query.Get("product_type"))
	if err != nil {
		return nil, err
	}
	d := accountData{Products: list, Offer: offer.Of(ed)}
	if reader := session.ReaderID(ctx); reader != 0 {
		if d.State, err = m.Subscriptions.AccountState(ctx, ed, reader); err != nil {
			return nil, err
		}
		if d.Order, err = m.Subscriptions.OrderTimeFor(ctx, reader); err != nil {
			return nil, err
		}
	}
	return own(ed, r, "account", d), nil
}

// successPage shows how a checkout stands; it grants nothing. Its address is known to the browser that has paid, which
// may have lost the session meanwhile, or have another one.
func (m *Module) successPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	id := r.Query.Get("session_id")
	if id == "" {
		return elsewhere(web.WithStatus("/", "INVALID_REQUIREMENT")), nil
	}
	p, err := m.Subscriptions.Status(ctx, session.ReaderID(ctx), id)
	if err != nil {
		return nil, err
	}
	d := successData{State: p.State, Referrer: p.Referrer, SignedIn: session.ReaderID(ctx) != 0}
	if !p.EndsAt.IsZero() {
		d.EndsAt = &p.EndsAt
	}
	answer := own(ed, r, "paymentSuccess", d)
	switch p.State {
	case subscription.Confirmed:
		answer.Refresh = web.WithStatus(p.Referrer, "PAYMENT_SUCCESS")
	case subscription.Pending:
		answer.Refresh = r.Path + "?session_id=" + url.QueryEscape(id)
	}
	return answer, nil
}

// invoicePage shows a document of the reader to print it. Whose it is not learns no more than that there is none.
func (m *Module) invoicePage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	reader := session.ReaderID(ctx)
	if reader == 0 {
		return page.LoginFirst(ed, r), nil
	}
	d, err := m.Invoices.View(ctx, reader, r.Params["invoiceId"])
	if err != nil {
		return nil, err
	}
	answer := own(ed, r, "invoice", d)
	answer.Meta.Title = d.Number + " – " + answer.Meta.Title
	return answer, nil
}

func failurePage(context.Context, *page.Request) (*page.Page, error) {
	return elsewhere(web.WithStatus("/", access.ErrPaymentFailed.Code)), nil
}

// elsewhere is a redirect for this visitor, now.
func elsewhere(to string) *page.Page {
	return &page.Page{Status: http.StatusFound, Redirect: to, NoStore: true}
}

// own is a page that no cache keeps and no search engine lists.
func own(ed *edition.Edition, r *page.Request, words string, data any) *page.Page {
	name := map[string]any{"Name": ed.Name}
	return &page.Page{NoStore: true, Data: data, Meta: page.Meta{
		Title: i18n.T(ed, "page."+words+".title", name), Description: i18n.T(ed, "page."+words+".description", name),
		Canonical: ed.URL(r.Path), Robots: "noindex",
	}}
}
