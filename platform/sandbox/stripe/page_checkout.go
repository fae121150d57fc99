package sandbox

import (
	"errors"
	"net/http"
	"strings"
)

// checkoutView is the payment page.
type checkoutView struct {
	Action    string
	Today     string
	Free      bool
	Lines     []viewLine
	Discount  string
	Next      []viewLine
	Regular   string
	CancelURL string
	Promotion bool
	PromoText string
	PromoBad  string
	Email     string
	Fixed     bool // the email is the merchant's
	Name      string
	Address   address
	NeedsAddr bool
	NeedsCard bool
	Card      cardFields
	Alert     string
	Message   string
	Button    string
}

type viewLine struct{ Label, Detail, Amount string }

// openCheckout loads a session for a page; one that is complete has an address to leave for.
func (v *visit) openCheckout(t *tx) (cs *checkout, leave string, err error) {
	cs = load[checkout](t, text(v.id))
	if cs == nil {
		return nil, "", errNoPage
	}
	v.speak(cs.Locale)
	if cs.Status == "complete" {
		return cs, cs.back(), nil
	}
	return cs, "", nil
}

func showCheckout(v *visit) error {
	return v.checkoutPage(http.StatusOK, func(*checkoutView) {})
}

// checkoutPage shows the session as it is, with what a try has added.
func (v *visit) checkoutPage(status int, add func(*checkoutView)) error {
	var view checkoutView
	var leave, cancel, site string
	var expired bool
	err := v.look(func(t *tx) error {
		cs, to, err := v.openCheckout(t)
		if err != nil {
			return err
		}
		leave, cancel, expired, site = to, string(cs.CancelURL), cs.Status == "expired", originOf(cs.SuccessURL)
		if leave != "" || expired {
			return nil
		}
		view, err = v.checkoutView(t, cs)
		return err
	})
	switch {
	case err != nil:
		return err
	case leave != "":
		return v.leave(leave)
	case expired:
		v.show(http.StatusGone, "message.html", &pageView{Heading: "expired.title", Text: "expired.text", Back: cancel})
		return nil
	}
	add(&view)
	v.show(status, "checkout.html", &pageView{Heading: "checkout.title", Back: cancel, Page: view}, site)
	return nil
}

func (v *visit) checkoutView(t *tx, cs *checkout) (checkoutView, error) {
	view := checkoutView{
		Action: hostedPath + "checkout/" + cs.ID, Today: money(v.lang, cs.Total, cs.Currency), Free: cs.Total == 0,
		CancelURL: string(cs.CancelURL),
		Promotion: cs.AllowPromotion, NeedsAddr: cs.BillingAddress == "required", NeedsCard: cs.wantsCard(),
		Card:  v.cardFields(),
		Email: v.r.PostFormValue("email"), Name: v.r.PostFormValue("name"),
		Address: address{
			Line1: text(v.r.PostFormValue("line1")), City: text(v.r.PostFormValue("city")),
			PostalCode: text(v.r.PostFormValue("postal_code")), Country: text(v.r.PostFormValue("country")),
		},
	}
	view.Fixed = cs.CustomerEmail != ""
	if view.Fixed {
		view.Email = string(cs.CustomerEmail)
	}
	if cu := load[customer](t, cs.Customer); cu != nil && cu.Email != "" {
		view.Email, view.Fixed = string(cu.Email), true
	}
	if cs.CustomText.Submit != nil {
		view.Message = cs.CustomText.Submit.Message
	}
	view.Button = map[string]string{
		"payment": word(v.lang, "pay.button", view.Today),
		"setup":   word(v.lang, "save.button"), "subscription": word(v.lang, "subscribe.button", view.Today),
	}[cs.Mode]
	if cs.Mode == "subscription" && cs.Total == 0 {
		view.Button = word(v.lang, "trial.button")
	}
	for _, l := range cs.Private.Lines {
		line := viewLine{Label: l.Name, Amount: money(v.lang, l.Amount, cs.Currency)}
		if pc := load[price](t, text(l.Price)); pc != nil && pc.Recurring != nil {
			line.Detail = money(v.lang, pc.UnitAmount, pc.Currency) + " " + every(v.lang, pc.Recurring)
		}
		if l.Quantity > 1 {
			line.Label = word(v.lang, "times", l.Quantity, l.Name)
		}
		view.Lines = append(view.Lines, line)
	}
	if off := cs.TotalDetails.Discount; off > 0 {
		view.Discount = money(v.lang, -off, cs.Currency)
	}
	if code := load[promotionCode](t, cs.Private.Promotion); code != nil {
		view.PromoText = code.Code
	}
	if cs.Mode == "subscription" {
		return view, v.addOutlook(&view, t, cs)
	}
	return view, nil
}

// addOutlook says what will be charged when.
func (v *visit) addOutlook(view *checkoutView, t *tx, cs *checkout) error {
	next, err := t.outlook(cs, 2)
	if err != nil {
		return err
	}
	zone := t.acc.cfg.Location
	for _, f := range next {
		view.Next = append(view.Next, viewLine{Label: date(v.lang, f.At, zone), Amount: money(v.lang, f.Amount, cs.Currency)})
	}
	if len(next) > 0 {
		pc := load[price](t, text(cs.Private.Lines[0].Price))
		view.Regular = word(v.lang, "regular", money(v.lang, next[len(next)-1].Amount, cs.Currency),
			every(v.lang, pc.Recurring))
	}
	return nil
}

// errTypedWrong takes back what was begun with a form that has mistakes.
var errTypedWrong = errors.New("the form has mistakes")

func payCheckoutPage(v *visit) error {
	if v.r.PostFormValue("action") == "promo" {
		return v.applyPromotion()
	}
	if fields, picked := v.filled(); picked {
		return v.checkoutPage(http.StatusOK, func(view *checkoutView) { view.Card = fields })
	}
	fields := v.cardFields()
	alert, challenge := "", false
	who := customerDetails{
		Email: text(strings.TrimSpace(v.r.PostFormValue("email"))), Name: text(strings.TrimSpace(v.r.PostFormValue("name"))),
		TaxExempt: "none", TaxIDs: []string{},
	}
	err := v.change(func(t *tx) error {
		cs, leave, err := v.openCheckout(t)
		if err != nil || leave != "" || cs.Status != "open" {
			return err
		}
		if cu := load[customer](t, cs.Customer); cu != nil && cu.Email != "" {
			who.Email = cu.Email
		} else if cs.CustomerEmail != "" {
			who.Email = cs.CustomerEmail
		}
		v.checkDetails(cs, &who, fields.Wrong)
		var m *paymentMethod
		if cs.wantsCard() {
			in, ok := v.readCard(&fields)
			if !ok {
				return errTypedWrong
			}
			m = t.newMethod(in, billingDetails{Address: who.Address, Email: who.Email, Name: who.Name})
		}
		if len(fields.Wrong) > 0 {
			return errTypedWrong
		}
		if co := load[coupon](t, cs.Private.Coupon); co != nil &&
			t.redeemable(co, load[promotionCode](t, cs.Private.Promotion), load[customer](t, cs.Customer)) != nil {
			cs.Private.Coupon, cs.Private.Promotion = "", ""
			t.total(cs)
			alert = word(v.lang, "promo.gone")
			if m != nil {
				t.remove(m)
			}
			return nil
		}
		err = t.settleCheckout(cs, m, &who, false)
		challenge = err == nil && cs.Private.PendingMethod != ""
		return err
	})
	if e := asCardError(err); e != nil {
		return v.checkoutPage(http.StatusPaymentRequired, func(view *checkoutView) { view.Alert = v.declineText(e) })
	}
	switch {
	case err != nil && !errors.Is(err, errTypedWrong):
		return err
	case alert != "" || len(fields.Wrong) > 0:
		return v.checkoutPage(http.StatusUnprocessableEntity, func(view *checkoutView) {
			view.Card, view.Alert = fields, alert
		})
	case challenge:
		return v.redirect("checkout/" + v.id + "/challenge")
	}
	return v.redirect("checkout/" + v.id) // which leads on to the merchant
}

// checkDetails reads name and address where the merchant wants them.
func (v *visit) checkDetails(cs *checkout, who *customerDetails, wrong map[string]string) {
	if at := strings.IndexByte(string(who.Email), '@'); at < 1 || at == len(who.Email)-1 ||
		strings.ContainsAny(string(who.Email), " \t\n") {
		wrong["email"] = "email.wrong"
	}
	if cs.BillingAddress != "required" {
		return
	}
	who.Address = &address{}
	for field, dst := range map[string]*text{
		"name": &who.Name, "line1": &who.Address.Line1,
		"postal_code": &who.Address.PostalCode, "city": &who.Address.City, "country": &who.Address.Country,
	} {
		if *dst = text(strings.TrimSpace(v.r.PostFormValue(field))); *dst == "" {
			wrong[field] = "field.missing"
		}
	}
	country := strings.ToUpper(string(who.Address.Country))
	if who.Address.Country = text(country); len(country) != 2 && wrong["country"] == "" {
		wrong["country"] = "country.wrong"
	}
}

// applyPromotion takes a code that was typed, or off again if it was cleared.
func (v *visit) applyPromotion() error {
	typed, bad := strings.TrimSpace(v.r.PostFormValue("promotion_code")), ""
	err := v.change(func(t *tx) error {
		cs, leave, err := v.openCheckout(t)
		if err != nil || leave != "" || cs.Status != "open" || !cs.AllowPromotion {
			return err
		}
		cs.Private.Promotion, cs.Private.Coupon = "", ""
		if code := t.promotion(typed, cs.Customer); code != nil {
			cu, co := load[customer](t, cs.Customer), load[coupon](t, text(code.Coupon))
			if t.redeemable(co, code, cu) == nil && int64(code.Restrictions.MinimumAmount) <= cs.Subtotal {
				cs.Private.Promotion, cs.Private.Coupon = text(code.ID), text(co.ID)
			}
		}
		if cs.Private.Promotion == "" && typed != "" {
			bad = word(v.lang, "promo.wrong")
		}
		t.total(cs)
		return nil
	})
	if err != nil {
		return err
	}
	if bad != "" {
		return v.checkoutPage(http.StatusUnprocessableEntity, func(view *checkoutView) {
			view.PromoText, view.PromoBad = typed, bad
		})
	}
	return v.redirect("checkout/" + v.id)
}

func showCheckoutChallenge(v *visit) error {
	var view *challengeView
	var site string
	err := v.look(func(t *tx) error {
		cs, leave, err := v.openCheckout(t)
		if err != nil || leave != "" {
			return err
		}
		if m := load[paymentMethod](t, cs.Private.PendingMethod); m != nil {
			view = &challengeView{
				Amount: money(v.lang, cs.Total, cs.Currency), Card: m.label(),
				Action: hostedPath + "checkout/" + cs.ID + "/challenge",
			}
			site = originOf(cs.SuccessURL)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if view == nil {
		return v.redirect("checkout/" + v.id)
	}
	v.showChallenge(*view, site)
	return nil
}

func answerCheckoutChallenge(v *visit) error {
	refused := false
	err := v.change(func(t *tx) error {
		cs, leave, err := v.openCheckout(t)
		if err != nil || leave != "" || cs.Status != "open" {
			return err
		}
		m := load[paymentMethod](t, cs.Private.PendingMethod)
		if m == nil {
			return nil
		}
		if refused = !v.confirmed(); refused {
			t.failChallenge(cs)
			return nil
		}
		return t.settleCheckout(cs, m, cs.Private.PendingCustomer, true)
	})
	if e := asCardError(err); e != nil {
		return v.checkoutPage(http.StatusPaymentRequired, func(view *checkoutView) { view.Alert = v.declineText(e) })
	}
	if err != nil {
		return err
	}
	if refused {
		return v.checkoutPage(http.StatusPaymentRequired, func(view *checkoutView) {
			view.Alert = word(v.lang, "decline.not_confirmed")
		})
	}
	return v.redirect("checkout/" + v.id)
}
