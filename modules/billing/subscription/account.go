package subscription

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Invoice is an entry of a reader's list: a document, or what the provider has not been paid for.
type Invoice struct {
	ID       int64  `json:"id"`
	StripeID string `json:"stripe_id"` // the address of its document, also where the provider knows nothing of it
	Number   string `json:"number"`    // "" for a draft
	Created  int64  `json:"created"`
	Status   string `json:"status"`       // draft, open, paid, void, uncollectible
	Total    int64  `json:"amount_total"` // minor units
	Paid     int64  `json:"amount_paid"`
	Currency string `json:"currency"`
	Transfer string `json:"bank_transfer_code"` // "": paid by card
	URL      string `json:"url"`                // of the page with the document; "" for none
	PDF      string `json:"pdf"`
}

// PortalPath is where a reader's click on the portal arrives; the provider's own address is a secret of one visit.
const PortalPath = "/fns/billing-portal"

// Extended is what a reader's account shows about money.
type Extended struct {
	Invoices []Invoice      `json:"invoices"`
	Portal   string         `json:"stripe_billing_portal_url"` // "" where there is none for this reader
	Billing  PaymentContact `json:"billing_info"`
}

// PaymentContact is who pays, by the names that an account has always shown it under. All that invoices need is
// InvoiceData.
type PaymentContact struct {
	ClientType invoice.ClientType `json:"client_type"`
	Email      string             `json:"contact_email"`
	Name       string             `json:"contact_name"`
	Line1      string             `json:"address_line1"`
	Line2      string             `json:"address_line2"`
	City       string             `json:"address_city"`
	PostalCode string             `json:"address_postal_code"`
}

func paymentContactOf(d invoice.Buyer) PaymentContact {
	return PaymentContact{d.ClientType, d.Email, d.Name, d.Line1, d.Line2, d.City, d.PostalCode}
}

// Extended tells a reader what was bought and what stands on the invoices.
func (s *Service) Extended(ctx context.Context, readerID int64) (out Extended, err error) {
	data, _, err := s.invoices.Buyer(ctx, readerID)
	if err != nil {
		return out, err
	}
	out.Billing = paymentContactOf(data)
	if out.Invoices, err = s.InvoiceList(ctx, readerID); err != nil {
		return out, err
	}
	out.Portal, err = s.portalFor(ctx, readerID)
	return out, err
}

// InvoiceList lists a reader's, the newest first; none where nothing is sold.
func (s *Service) InvoiceList(ctx context.Context, readerID int64) (out []Invoice, err error) {
	out = []Invoice{}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		if !tx.Edition.Flags["subscriptions"] {
			return nil
		}
		documents, err := invoice.SelectAll(ctx, tx, "d.reader_id = ? ORDER BY d.issued_at DESC, d.id DESC LIMIT 500",
			readerID)
		if err != nil {
			return err
		}
		orders, err := pendingOrders(ctx, tx, readerID, documents)
		if err != nil {
			return err
		}
		for i := range documents {
			d := &documents[i]
			if d.Kind == invoice.ProForma && d.Followed { // the invoice has taken its place
				continue
			}
			if d.Damage != nil { // the operators know of it: it hides no other
				continue
			}
			in := entryOf(tx.Edition, d)
			if order, ok := orders[d.ID]; ok { // how to pay it matters more than how it looks
				in.URL = s.transfers.URL(tx.Edition, order)
			}
			out = append(out, in)
		}
		copies, err := listUndocumented(ctx, tx, readerID)
		for _, in := range copies {
			out = append(out, Invoice{
				ID: in.ID, StripeID: in.ProviderID, Number: in.Number, Created: in.CreatedAt.Unix(), Status: in.Status,
				Total: in.Total, Paid: in.Paid, Currency: in.Currency,
			})
		}
		slices.SortStableFunc(out, func(a, b Invoice) int { return cmp.Compare(b.Created, a.Created) })
		return err
	})
	return out, err
}

// pendingOrders returns the orders that are paid by a reader's pending documents, by the document.
func pendingOrders(
	ctx context.Context, tx db.Tx, readerID int64, documents []invoice.Document,
) (map[int64]int64, error) {
	pending := map[int64]bool{}
	for i := range documents {
		pending[documents[i].ID] = documents[i].Pending()
	}
	orders := map[int64]int64{}
	list, err := transfer.Select(ctx, tx, "reader_id = ? AND document_id IS NOT NULL", readerID)
	for _, o := range list {
		if pending[o.DocumentID] {
			orders[o.DocumentID] = o.ID
		}
	}
	return orders, err
}

// entryOf is a document in the list. A credit note gives back, and stands below zero.
func entryOf(ed *edition.Edition, d *invoice.Document) Invoice {
	in := Invoice{
		ID: d.ID, StripeID: d.Address(), Number: d.Number, Created: d.IssuedAt.Unix(), Status: d.Status(),
		Total: d.Total, Paid: d.Paid,
		Currency: d.Currency, Transfer: d.Reference, URL: ed.Href(edition.Invoice, d.Address()),
		PDF: invoice.PDFPath + d.Address(),
	}
	if d.Kind == invoice.CreditNote {
		in.Total, in.Paid = -in.Total, -in.Paid
	}
	return in
}

// portalFor is where a reader finds the portal: "" for whoever has nothing there, and for accounts of the former site
// without a subscription.
func (s *Service) portalFor(ctx context.Context, readerID int64) (string, error) {
	customer, paid := "", false
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if !tx.Edition.Flags["subscriptions"] {
			return nil
		}
		if customer, err = access.FindCustomer(ctx, tx, readerID); err != nil {
			return err
		}
		sub, err := access.FindPaid(ctx, tx, readerID)
		paid = sub != nil
		return err
	})
	if err != nil || customer == "" {
		return "", err
	}
	if !paid {
		legacy, err := s.contacts.Legacy(ctx, readerID)
		if err != nil || legacy {
			return "", err
		}
	}
	return PortalPath, nil
}

// ErrProviderAway is a provider that does not answer.
var ErrProviderAway = web.ErrOverloaded

// OpenPortal makes the address of a visit to the provider's portal. It works for minutes and for whoever has it.
func (s *Service) OpenPortal(ctx context.Context, readerID int64) (string, error) {
	offered, err := s.portalFor(ctx, readerID)
	if err != nil {
		return "", err
	}
	if offered == "" {
		return "", web.ErrRequirement
	}
	var customer string
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		customer, err = access.FindCustomer(ctx, tx, readerID)
		return err
	})
	if err != nil {
		return "", err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return "", ErrProviderAway.Because(err)
	}
	ctx, cancel, err := s.boundCall(ctx, readerID)
	if err != nil {
		return "", err
	}
	defer cancel()
	to, err := acc.PortalURL(ctx, customer, acc.Edition.URL(PortalPath+"/back"))
	if err != nil {
		return "", ErrProviderAway.Because(err)
	}
	return to, nil
}

// Standings of a subscription in the profile.
const (
	StateNone     = "none"
	StateTrial    = "trial"    // ends by itself
	StateActive   = "active"   // is renewed
	StateEnding   = "ending"   // was cancelled
	StateRenewing = "renewing" // the payment for the next period is on its way
	StatePastDue  = "pastDue"  // a payment has failed
	StateExpired  = "expired"
	StateDisputed = "disputed" // was ended because its payment is gone
	StatePaused   = "paused"
	StateGiven    = "given"    // a code has opened it; ends by itself
	StateGranted  = "granted"  // by support; ends by itself
	StateTransfer = "transfer" // ends by itself; the next year is asked for
)

// Profile is ProfileSubscription of openapi.yaml.
type Profile struct {
	State   string     `json:"state"`
	Product string     `json:"product"` // its name; "" for none
	Until   *time.Time `json:"until,omitempty"`
	Portal  string     `json:"portal"`
	Offer   bool       `json:"offer"` // there is something to buy

	Can     []string   `json:"can"`               // what the reader can do with it: kinds of changes
	Resumes *time.Time `json:"resumes,omitempty"` // when a pause ends
	AtOnce  bool       `json:"atOnce,omitempty"`  // it ends at once if it is cancelled: the period is not paid for
	Next    string     `json:"next"`              // name of the product from the next period on; "" for the same

	Payment *access.NextPayment `json:"payment,omitempty"` // the next one that is due by itself
	Waits   *waitingFor         `json:"waits,omitempty"`   // an order by bank transfer that is not paid
}

// waitingFor is WaitingTransfer of openapi.yaml.
type waitingFor struct {
	Product  string    `json:"product"` // its name
	Amount   int64     `json:"amount"`  // minor units
	Currency string    `json:"currency"`
	Due      time.Time `json:"due"`
	URL      string    `json:"url"` // path of the page with all that a bank needs
}

// Profile is the section of the profile about the reader's subscription.
func (s *Service) Profile(ctx context.Context, readerID int64) (any, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	var list []access.Subscription
	var end access.End
	var open *transfer.Order
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if end, err = access.EndOf(ctx, tx, readerID); err != nil {
			return err
		}
		if open, err = transfer.Find(ctx, tx, "reader_id = ? AND state = 'open'", readerID); err != nil {
			return err
		}
		list, err = access.Select(ctx, tx, "reader_id = ? ORDER BY id", readerID)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := StateOf(list, end, ed, s.db.Now())
	out.AtOnce = slices.Contains(out.Can, access.ChangeCancel) && slices.ContainsFunc(list, endsAtOnce)
	if open != nil {
		out.Waits = &waitingFor{
			offer.Name(ed, open.Product), open.Amount, open.Currency, open.DueAt,
			s.transfers.URL(ed, open.ID),
		}
	}
	out.Offer = ed.Flags["subscriptions"]
	portal, portalErr := s.portalFor(ctx, readerID)
	legacy, legacyErr := s.contacts.Legacy(ctx, readerID)
	out.Portal, out.Offer = portal, out.Offer && !legacy
	return out, errors.Join(portalErr, legacyErr)
}

// given are the states of access that nobody pays for, by its source.
var given = map[access.Source]string{
	access.FromTrial: StateTrial, access.FromCode: StateGiven, access.FromGift: StateGiven,
	access.FromGrant: StateGranted, access.FromTransfer: StateTransfer,
}

// StateOf says how the access stands that ends last, or ended last, and what can be done with the subscription that is
// live, whether or not it opens anything.
func StateOf(list []access.Subscription, end access.End, ed *edition.Edition, now time.Time) Profile {
	var live access.Subscription
	if at := slices.IndexFunc(list, func(s access.Subscription) bool {
		return s.ProviderID != "" && s.Status.Live()
	}); at >= 0 {
		live = list[at]
	}
	out := Profile{
		State: StateNone, Can: allowedChanges(live, ed), Payment: access.NextPaymentOf(live, ed),
	}
	if at := live.GoesOnAt(); !at.IsZero() {
		out.Resumes = &at
	}
	if p := ed.Product(live.Next); p != nil {
		out.Next = p.Name
	}
	if out.State = given[end.Source]; out.State == "" {
		out.State = stateOfCard(live, now)
	}
	switch {
	case !end.At.IsZero():
		out.Until = &end.At
	case live.Paused && !live.CancelAtPeriodEnd, out.Resumes != nil: // a void period is left out like those of a pause
		out.State, end.Product = StatePaused, live.Product
	case end.Over.IsZero():
		out.State = StateNone
	default:
		if out.State, out.Until = StateExpired, &end.Over; lastDisputed(list) {
			out.State = StateDisputed
		}
	}
	if p := ed.Product(end.Product); p != nil && out.State != StateExpired && out.State != StateDisputed &&
		end.Product != access.NoProduct {
		out.Product = p.Name
	}
	return out
}

// stateOfCard is the state of a subscription that opens articles longer than anything else.
func stateOfCard(s access.Subscription, now time.Time) string {
	switch {
	case s.CancelAtPeriodEnd: // also while it is paused: it does not go on
		return StateEnding
	case s.Paused:
		return StatePaused
	case s.Status == stripe.PastDue:
		return StatePastDue
	case !s.PeriodEnd.After(now):
		return StateRenewing
	}
	return StateActive
}

// lastDisputed reports whether a dispute has ended the subscription that a reader had last.
func lastDisputed(list []access.Subscription) bool {
	return len(list) > 0 && list[len(list)-1].Disputed
}
