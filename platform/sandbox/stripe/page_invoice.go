package sandbox

import (
	"net/http"
	"strings"
)

// invoiceView is the hosted page of an invoice.
type invoiceView struct {
	Action   string
	Number   string
	Date     string
	Status   string
	Open     bool
	Paid     bool
	Payer    []string
	Lines    []viewLine
	Discount string
	Total    string
	Confirm  string // where the bank waits for the holder
	Card     cardFields
	Alert    string
	Button   string
}

// openInvoice loads the invoice whose secret is in the address.
func (v *visit) openInvoice(t *tx) (*invoice, error) {
	inv := load[invoice](t, text(v.id))
	if inv == nil || inv.Private.Secret != v.r.PathValue("secret") || inv.Status == invoiceDraft {
		return nil, errNoPage
	}
	v.speakTo(load[customer](t, inv.Customer))
	return inv, nil
}

// speakTo uses the language of a customer.
func (v *visit) speakTo(cu *customer) {
	if cu != nil && len(cu.Locales) > 0 {
		v.speak(text(cu.Locales[0]))
	}
}

func showInvoice(v *visit) error { return v.invoicePage(http.StatusOK, nil) }

func (v *visit) invoicePage(status int, add func(*invoiceView)) error {
	var view invoiceView
	var back string
	err := v.look(func(t *tx) error {
		inv, err := v.openInvoice(t)
		if err != nil {
			return err
		}
		view, back = v.invoiceView(t, inv), t.site()
		return nil
	})
	if err != nil {
		return err
	}
	if add != nil {
		add(&view)
	}
	v.show(status, "invoice.html", &pageView{Heading: "invoice.title", Back: back, Page: view})
	return nil
}

func (v *visit) invoiceView(t *tx, inv *invoice) invoiceView {
	zone := t.acc.cfg.Location
	view := invoiceView{
		Action: hostedPath + "invoice/" + inv.ID + "/" + inv.Private.Secret, Number: string(inv.Number),
		Date:   date(v.lang, inv.Created, zone),
		Status: word(v.lang, "status."+inv.Status), Open: inv.Status == invoiceOpen ||
			inv.Status == invoiceUncollectible, Paid: inv.Paid,
		Payer: payer(inv.CustomerName, inv.CustomerAddress, inv.CustomerTaxIDs, inv.CustomFields),
		Total: money(v.lang, inv.AmountDue, inv.Currency), Card: v.cardFields(),
		Button: word(v.lang, "pay.button", money(v.lang, inv.AmountDue, inv.Currency)),
	}
	for _, l := range inv.Lines.Data {
		name := l.Description
		if pc := load[price](t, text(l.Price)); pc != nil && !l.Proration {
			name = t.productName(pc)
		}
		view.Lines = append(view.Lines,
			viewLine{
				Label: name, Detail: date(v.lang, l.Period.Start, zone) + " – " + date(v.lang, l.Period.End, zone),
				Amount: money(v.lang, l.Amount, inv.Currency),
			})
	}
	if off := inv.Subtotal - inv.Total; off > 0 {
		view.Discount = money(v.lang, -off, inv.Currency)
	}
	if pi := load[paymentIntent](t, inv.PaymentIntent); pi != nil && pi.Status == intentNeedsAction && view.Open {
		view.Confirm = hostedPath + "challenge/" + pi.ClientSecret
	}
	return view
}

func payInvoicePage(v *visit) error {
	if fields, picked := v.filled(); picked {
		return v.invoicePage(http.StatusOK, func(view *invoiceView) { view.Card = fields })
	}
	fields := v.cardFields()
	next, wrong := "", false
	err := v.change(func(t *tx) error {
		inv, err := v.openInvoice(t)
		if err != nil || inv.Status != invoiceOpen && inv.Status != invoiceUncollectible {
			return err
		}
		in, ok := v.readCard(&fields)
		if wrong = !ok; wrong {
			return nil
		}
		m := t.newMethod(in, billingDetails{Email: inv.CustomerEmail, Name: inv.CustomerName})
		if err := t.pay(inv, m, false); err != nil {
			return err
		}
		t.payNextWith(inv, m)
		if pi := load[paymentIntent](t, inv.PaymentIntent); pi != nil && pi.Status == intentNeedsAction {
			next = "challenge/" + pi.ClientSecret
		}
		return nil
	})
	switch e := asCardError(err); {
	case e != nil:
		return v.invoicePage(http.StatusPaymentRequired, func(view *invoiceView) {
			view.Card, view.Alert = fields, v.declineText(e)
		})
	case err != nil:
		return err
	case wrong:
		return v.invoicePage(http.StatusUnprocessableEntity, func(view *invoiceView) { view.Card = fields })
	case next != "":
		return v.redirect(next)
	}
	return v.redirect("invoice/" + v.id + "/" + v.r.PathValue("secret"))
}

// payNextWith makes the card of a payment that went through the one of the subscription.
func (t *tx) payNextWith(inv *invoice, m *paymentMethod) {
	s := load[subscription](t, inv.Subscription)
	if s == nil || s.ended() || !inv.Paid || s.DefaultMethod == text(m.ID) {
		return
	}
	s.DefaultMethod = text(m.ID)
	t.tell("customer.subscription.updated", s)
}

// openIntent loads the payment intent whose client secret is in the address.
func (v *visit) openIntent(t *tx) (*paymentIntent, error) {
	pi := load[paymentIntent](t, text(v.id))
	if pi == nil || pi.ClientSecret != v.r.PathValue("id") {
		return nil, errNoPage
	}
	v.speakTo(load[customer](t, pi.Customer))
	return pi, nil
}

func showIntentChallenge(v *visit) error {
	var view challengeView
	var back string
	err := v.look(func(t *tx) error {
		pi, err := v.openIntent(t)
		if err != nil {
			return err
		}
		m := load[paymentMethod](t, pi.Method)
		if pi.Status != intentNeedsAction || m == nil {
			return errNoPage
		}
		back = originOf(string(pi.NextAction.Redirect.ReturnURL))
		view = challengeView{
			Amount: money(v.lang, pi.Amount, pi.Currency), Card: m.label(),
			Action: hostedPath + "challenge/" + pi.ClientSecret,
		}
		return nil
	})
	if err != nil {
		return err
	}
	v.showChallenge(view, back)
	return nil
}

func answerIntentChallenge(v *visit) error {
	back := ""
	err := v.change(func(t *tx) error {
		pi, err := v.openIntent(t)
		if err != nil {
			return err
		}
		m := load[paymentMethod](t, pi.Method)
		if pi.Status != intentNeedsAction || m == nil {
			return errNoPage
		}
		back = string(pi.NextAction.Redirect.ReturnURL)
		inv := load[invoice](t, pi.Invoice)
		switch {
		case !v.confirmed() && inv != nil:
			err = t.failIntent(pi, authenticationFailed())
			t.paymentFailed(inv)
		case !v.confirmed():
			err = t.failIntent(pi, authenticationFailed())
		case inv != nil:
			if err = t.pay(inv, m, true); err == nil {
				t.payNextWith(inv, m)
			}
		default:
			err = t.attempt(pi, m, true)
		}
		return err
	})
	if err != nil && asCardError(err) == nil {
		return err
	}
	if back == "" {
		v.show(http.StatusOK, "message.html", &pageView{Heading: "challenge.done", Text: "challenge.close"})
		return nil
	}
	if origin := originOf(back); strings.HasPrefix(back, origin+hostedPath) {
		return v.redirect(strings.TrimPrefix(back, origin+hostedPath)) // stays on the visitor's host
	}
	return v.leave(back)
}
