package sandbox

import (
	"errors"
	"net/http"
)

// portalView is the page on which customers manage what they have.
type portalView struct {
	Action        string
	Headline      string
	Subscriptions []portalSubscription
	Confirm       *portalSubscription // the one that is about to be cancelled
	ShowCard      bool
	CardLabel     string
	CardExpiry    string
	Card          cardFields
	Payer         []string
	Invoices      []portalInvoice
	ShowInvoices  bool
	Only          string // a flow that shows one task
	Alert         string
	Done          string
}

type portalSubscription struct {
	ID, Name, Price, Status, Next, Ends string
	WouldEnd                            string // what the question about cancelling says
	Owes                                string // the page of an invoice to be paid
	CanCancel, CanResume                bool
}

type portalInvoice struct{ Date, Number, Amount, Status, URL string }

// openPortal loads a session that has not expired.
func (v *visit) openPortal(t *tx) (*portalSession, *portalConfig, *customer, error) {
	ps := load[portalSession](t, text(v.id))
	if ps == nil {
		return nil, nil, nil, errNoPage
	}
	cu := load[customer](t, text(ps.Customer))
	v.speakTo(cu)
	v.speak(ps.Locale)
	if cu == nil || cu.Deleted || ps.expired(t.now.Unix()) {
		return ps, nil, nil, errExpiredPortal
	}
	ps.Private.SeenAt = t.now.Unix()
	return ps, load[portalConfig](t, text(ps.Configuration)), cu, nil
}

var errExpiredPortal = errors.New("the portal session has expired")

// portalDone says what was done on the page before.
var portalDone = map[string]string{
	"cancelled": "portal.cancelled", "resumed": "portal.resumed",
	"card": "portal.card_saved",
}

func showPortal(v *visit) error { return v.portalPage(http.StatusOK, nil) }

func (v *visit) portalPage(status int, add func(*portalView)) error {
	var view portalView
	var back string
	err := v.change(func(t *tx) error { // opening the page keeps its address alive
		ps, pc, cu, err := v.openPortal(t)
		if ps != nil {
			back = string(ps.ReturnURL)
		}
		if err != nil {
			return err
		}
		view = v.portalView(t, ps, pc, cu)
		return nil
	})
	if errors.Is(err, errExpiredPortal) {
		v.show(http.StatusGone, "message.html", &pageView{Heading: "portal.expired", Text: "portal.expired_text", Back: back})
		return nil
	}
	if err != nil {
		return err
	}
	if add != nil {
		add(&view)
	}
	v.show(status, "portal.html", &pageView{Heading: "portal.title", Back: back, Page: view}, originOf(back))
	return nil
}

func (v *visit) portalView(t *tx, ps *portalSession, pc *portalConfig, cu *customer) portalView {
	view := portalView{
		Action: hostedPath + "portal/" + ps.ID, Headline: string(pc.Business.Headline),
		ShowCard:     pc.Features.MethodUpdate.Enabled,
		ShowInvoices: pc.Features.InvoiceHistory.Enabled, Card: v.cardFields(), Done: portalDone[v.r.URL.Query().Get("done")],
		Payer: payer(cu.Name, cu.Address, t.taxNumbers(cu), cu.InvoiceSettings.CustomFields),
	}
	asked := v.r.URL.Query().Get("cancel")
	if f := ps.Flow; f != nil {
		view.Only = f.Type
		if f.Cancel != nil {
			asked = f.Cancel.Subscription
		}
	}
	method := cu.InvoiceSettings.DefaultMethod
	for _, s := range all[subscription](t) {
		if s.Customer != text(cu.ID) || s.Status == statusIncomplete || s.Status == statusIncompleteExpired {
			continue
		}
		if s.DefaultMethod != "" && !s.ended() {
			method = s.DefaultMethod
		}
		ps := v.portalSubscription(t, s, pc.Features.Cancel)
		view.Subscriptions = append([]portalSubscription{ps}, view.Subscriptions...)
		if s.ID == asked && ps.CanCancel {
			view.Confirm = &ps
		}
	}
	if m := load[paymentMethod](t, method); m != nil {
		view.CardLabel, view.CardExpiry = m.label(), word(v.lang, "card.valid", m.Card.ExpMonth, m.Card.ExpYear)
	}
	for _, inv := range all[invoice](t) {
		if inv.Customer == text(cu.ID) && inv.Status != invoiceDraft {
			view.Invoices = append([]portalInvoice{{
				Date: date(v.lang, inv.Created, t.acc.cfg.Location), Number: string(inv.Number),
				Amount: money(v.lang, inv.AmountDue, inv.Currency),
				Status: word(v.lang, "status."+inv.Status), URL: hostedPath + "invoice/" + inv.ID + "/" + inv.Private.Secret,
			}}, view.Invoices...)
		}
	}
	return view
}

func (v *visit) portalSubscription(t *tx, s *subscription, cancel cancelFeature) portalSubscription {
	zone := t.acc.cfg.Location
	pc := load[price](t, text(s.Items.Data[0].Price))
	out := portalSubscription{
		ID: s.ID, Name: t.productName(pc), Price: money(v.lang, pc.UnitAmount, pc.Currency) + " " +
			every(v.lang, pc.Recurring),
		Status: word(v.lang, "sub."+s.Status), CanCancel: cancel.Enabled && !s.ended() &&
			s.CancelAt == 0, CanResume: cancel.Enabled && !s.ended() && s.CancelAt > 0,
	}
	out.WouldEnd = word(v.lang, "portal.would_end", date(v.lang, s.PeriodEnd, zone))
	if cancel.Mode == "immediately" {
		out.WouldEnd = word(v.lang, "portal.would_end_now")
	}
	for _, id := range s.Private.Open {
		if inv := load[invoice](t, id); inv != nil && inv.Status == invoiceOpen {
			out.Owes = hostedPath + "invoice/" + inv.ID + "/" + inv.Private.Secret
		}
	}
	switch {
	case s.ended():
		out.Ends = word(v.lang, "portal.ended", date(v.lang, int64(s.EndedAt), zone))
	case s.CancelAt > 0:
		out.Ends = word(v.lang, "portal.ends", date(v.lang, int64(s.CancelAt), zone))
	default:
		scratch := t.acc.begin(t.now, origin{})
		scratch.preview = true
		if next := scratch.foresee(load[subscription](scratch, text(s.ID)), 1); len(next) == 1 {
			out.Next = word(v.lang, "portal.next", money(v.lang, next[0].Amount, s.Currency), date(v.lang, next[0].At, zone))
		}
		if out.Owes == "" {
			out.Ends = word(v.lang, "portal.until", date(v.lang, s.PeriodEnd, zone))
		}
	}
	return out
}

// inPortal changes something and goes back to the page, or on to where the flow leads.
func (v *visit) inPortal(done string, fn func(*tx, *portalSession, *portalConfig, *customer) error) error {
	next := "portal/" + v.id + "?done=" + done
	leave := ""
	err := v.change(func(t *tx) error {
		ps, pc, cu, err := v.openPortal(t)
		if err != nil {
			return err
		}
		if err := fn(t, ps, pc, cu); err != nil {
			return err
		}
		switch {
		case ps.Private.Pending != "":
			next = "portal/" + v.id + "/challenge"
		case ps.Flow != nil && ps.Flow.After.Redirect != nil:
			leave = ps.Flow.After.Redirect.ReturnURL
		case ps.Flow != nil:
			ps.Flow = nil // its task is done, the whole portal opens
		}
		return nil
	})
	switch {
	case errors.Is(err, errExpiredPortal):
		return v.redirect("portal/" + v.id)
	case err != nil:
		return err
	case leave != "":
		return v.leave(leave)
	}
	return v.redirect(next)
}

// ownSubscription loads the one that a button of the page names.
func (v *visit) ownSubscription(t *tx, cu *customer) (*subscription, error) {
	s := load[subscription](t, text(v.r.PostFormValue("subscription")))
	if s == nil || s.Customer != text(cu.ID) {
		return nil, errNoPage
	}
	return s, nil
}

func cancelInPortal(v *visit) error {
	return v.inPortal("cancelled", func(t *tx, _ *portalSession, pc *portalConfig, cu *customer) error {
		s, err := v.ownSubscription(t, cu)
		if err != nil || s.ended() || s.CancelAt > 0 || !pc.Features.Cancel.Enabled {
			return err
		}
		t.portalCancel(s, pc.Features.Cancel.Mode)
		return nil
	})
}

func resumeInPortal(v *visit) error {
	return v.inPortal("resumed", func(t *tx, _ *portalSession, _ *portalConfig, cu *customer) error {
		s, err := v.ownSubscription(t, cu)
		if err != nil || s.ended() || s.CancelAt == 0 {
			return err
		}
		t.portalResume(s)
		return nil
	})
}

func cardInPortal(v *visit) error {
	if fields, picked := v.filled(); picked {
		return v.portalPage(http.StatusOK, func(view *portalView) { view.Card = fields })
	}
	fields := v.cardFields()
	in, ok := v.readCard(&fields)
	if !ok {
		return v.portalPage(http.StatusUnprocessableEntity, func(view *portalView) { view.Card = fields })
	}
	err := v.inPortal("card", func(t *tx, ps *portalSession, pc *portalConfig, cu *customer) error {
		if !pc.Features.MethodUpdate.Enabled {
			return errNoPage
		}
		m := t.newMethod(in, billingDetails{Email: cu.Email, Name: cu.Name})
		if in.card.authorize(0, false, false) == challenged {
			ps.Private.Pending = text(m.ID)
			return nil
		}
		return t.portalCard(cu, m)
	})
	if e := asCardError(err); e != nil {
		return v.portalPage(http.StatusPaymentRequired, func(view *portalView) {
			view.Card, view.Alert = fields, v.declineText(e)
		})
	}
	return err
}

func showPortalChallenge(v *visit) error {
	var view *challengeView
	err := v.look(func(t *tx) error {
		ps, _, _, err := v.openPortal(t)
		if err != nil {
			return err
		}
		if m := load[paymentMethod](t, ps.Private.Pending); m != nil {
			view = &challengeView{Card: m.label(), Action: hostedPath + "portal/" + ps.ID + "/challenge"}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errExpiredPortal) {
		return err
	}
	if view == nil {
		return v.redirect("portal/" + v.id)
	}
	v.showChallenge(*view)
	return nil
}

func answerPortalChallenge(v *visit) error {
	refused := false
	err := v.inPortal("card", func(t *tx, ps *portalSession, _ *portalConfig, cu *customer) error {
		m := load[paymentMethod](t, ps.Private.Pending)
		ps.Private.Pending = ""
		if m == nil {
			return errNoPage
		}
		if refused = !v.confirmed(); refused {
			return &apiError{Type: "card_error", Code: "payment_intent_authentication_failure", keep: true}
		}
		return t.portalCard(cu, m)
	})
	if e := asCardError(err); e != nil {
		return v.portalPage(http.StatusPaymentRequired, func(view *portalView) { view.Alert = v.declineText(e) })
	}
	return err
}
