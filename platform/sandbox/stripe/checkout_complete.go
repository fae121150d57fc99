package sandbox

// settleCheckout tries to complete a session with a card that was typed. Where its bank wants to ask the holder,
// the session waits for that; a card_error says that the bank refused.
func (t *tx) settleCheckout(cs *checkout, m *paymentMethod, who *customerDetails, confirmed bool) error {
	cs.Private.PendingMethod, cs.Private.PendingCustomer = "", who
	if cs.Mode == "payment" && cs.Total > 0 {
		return t.payCheckout(cs, m, who, confirmed)
	}
	if m != nil {
		amount := cs.Total
		switch m.card().authorize(amount, m.Private.Saved, confirmed) {
		case declined:
			reason := m.card().decline
			if reason == "" {
				reason = "generic_decline"
			}
			return t.declineError(reason, "")
		case challenged:
			cs.Private.PendingMethod = text(m.ID)
			return nil
		case approved:
		}
	}
	cu := t.checkoutCustomer(cs, who, true)
	if m != nil && cs.Mode != "payment" {
		if err := t.attach(m, cu); err != nil {
			return err
		}
	}
	switch cs.Mode {
	case "subscription":
		if err := t.subscribeCheckout(cs, cu, m); err != nil {
			return err
		}
	case "setup":
		si, err := t.saveCard(m, cu, cs.Private.DataMetadata)
		if err != nil {
			return err
		}
		cs.SetupIntent = text(si.ID)
	}
	t.completeCheckout(cs, cu, who)
	return nil
}

// payCheckout pays a session of mode payment; its payment intent lives through all tries.
func (t *tx) payCheckout(cs *checkout, m *paymentMethod, who *customerDetails, confirmed bool) error {
	pi := load[paymentIntent](t, cs.PaymentIntent)
	if pi == nil {
		pi = t.newIntent(cs.Total, cs.Currency, cs.Customer)
		mergeMetadata(&pi.Metadata, cs.Private.DataMetadata)
		pi.Description, pi.SetupFuture, pi.ReceiptEmail = cs.Private.Description, cs.Private.SetupFuture,
			cs.Private.ReceiptEmail
		cs.PaymentIntent = text(pi.ID)
		t.tell("payment_intent.created", pi)
	}
	pi.Amount = cs.Total
	// A card that would go through brings its customer with it, so that the charge names the payer.
	var cu *customer
	if m.card().authorize(pi.Amount, m.Private.Saved, confirmed) == approved {
		if cu = t.checkoutCustomer(cs, who, cs.CustomerMaking == "always" || cs.Private.SetupFuture != ""); cu != nil {
			pi.Customer = text(cu.ID)
		}
	}
	if err := t.attempt(pi, m, confirmed); err != nil {
		return err
	}
	if pi.Status == intentNeedsAction {
		cs.Private.PendingMethod = text(m.ID)
		return nil
	}
	t.completeCheckout(cs, cu, who)
	return nil
}

// checkoutCustomer is the session's customer, made from what was typed if there is none and one is wanted.
func (t *tx) checkoutCustomer(cs *checkout, who *customerDetails, make bool) *customer {
	cu := load[customer](t, cs.Customer)
	if cu == nil && make {
		cu = t.newCustomer()
		cu.Email, cu.Name, cu.Address = who.Email, who.Name, who.Address
		if lang := cs.Locale; lang != "" && lang != "auto" {
			cu.Locales = []string{string(lang)}
		}
		cs.Customer = text(cu.ID)
		t.tell("customer.created", cu)
		return cu
	}
	if cu == nil {
		return nil
	}
	changed := false
	if cs.Private.UpdateName == "auto" && who.Name != "" && cu.Name != who.Name {
		cu.Name, changed = who.Name, true
	}
	if cs.Private.UpdateAddress == "auto" && who.Address != nil {
		cu.Address, changed = who.Address, true
	}
	if changed {
		t.tell("customer.updated", cu)
	}
	return cu
}

// subscribeCheckout starts the subscription that the session sells; its card is known to go through.
func (t *tx) subscribeCheckout(cs *checkout, cu *customer, m *paymentMethod) error {
	s, err := t.checkoutSubscription(cs, cu)
	if err != nil {
		return err
	}
	if m != nil {
		s.DefaultMethod = text(m.ID)
		m.Private.Saved = true
	}
	cs.Subscription = text(s.ID)
	if err := t.begin(s, t.trialEnd(cs), true, true); err != nil {
		return err
	}
	cs.Invoice = s.LatestInvoice
	return nil
}

// checkoutSubscription is the subscription before it begins.
func (t *tx) checkoutSubscription(cs *checkout, cu *customer) (*subscription, error) {
	s, err := t.newSubscription(cu, cs.items())
	if err != nil {
		return nil, err
	}
	mergeMetadata(&s.Metadata, cs.Private.DataMetadata)
	s.Description = cs.Private.Description
	if cs.Private.MissingMethod != "" {
		s.TrialSettings.EndBehavior.MissingMethod = string(cs.Private.MissingMethod)
	}
	if co := load[coupon](t, cs.Private.Coupon); co != nil {
		s.Discount = t.redeem(co, load[promotionCode](t, cs.Private.Promotion), cu)
		s.Discount.Subscription, s.Discount.Checkout = text(s.ID), text(cs.ID)
	}
	return s, nil
}

func (t *tx) completeCheckout(cs *checkout, cu *customer, who *customerDetails) {
	cs.Status, cs.URL, cs.PaymentStatus = "complete", "", "paid"
	if cs.Total == 0 {
		cs.PaymentStatus = "no_payment_required"
	}
	cs.CustomerDetails = who
	if cu != nil {
		cs.Customer = text(cu.ID)
	}
	cs.Private.PendingMethod, cs.Private.PendingCustomer = "", nil
	t.tell("checkout.session.completed", cs)
}

// failChallenge is what happens when the holder does not confirm to the bank.
func (t *tx) failChallenge(cs *checkout) {
	cs.Private.PendingMethod = ""
	if pi := load[paymentIntent](t, cs.PaymentIntent); pi != nil {
		_ = t.failIntent(pi, authenticationFailed()) // the page says so
	}
}

// outlook is what a session asks for now and later, found out by playing it through.
func (t *tx) outlook(cs *checkout, renewals int) ([]forecast, error) {
	t.preview = true
	cu := load[customer](t, cs.Customer)
	if cu == nil {
		cu = t.newCustomer()
	}
	s, err := t.checkoutSubscription(cs, cu)
	if err != nil {
		return nil, err
	}
	if err := t.begin(s, t.trialEnd(cs), false, false); err != nil {
		return nil, err
	}
	return t.foresee(s, renewals), nil
}
