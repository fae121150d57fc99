package sandbox

// read takes the parameters that need nothing else.
func (cs *checkout) read(p params, now int64) {
	p.flag("allow_promotion_codes", &cs.AllowPromotion)
	p.choice("billing_address_collection", &cs.BillingAddress, "auto", "required")
	p.text("client_reference_id", &cs.ClientReference)
	p.text("customer_email", &cs.CustomerEmail)
	p.text("locale", &cs.Locale)
	p.metadata(&cs.Metadata)
	p.choice("payment_method_collection", &cs.MethodRule, "always", "if_required")
	p.text("submit_type", &cs.SubmitType)
	making := "if_required"
	p.choice("customer_creation", &making, "always", "if_required")
	if cs.Mode == "payment" {
		cs.CustomerMaking = text(making)
	}
	for _, kind := range p.strings("payment_method_types") {
		if kind != "card" {
			p.refuse(invalid("payment_method_types", "The payment sandbox takes cards alone, not %s", kind))
		}
	}
	for _, name := range []string{"automatic_tax", "phone_number_collection", "tax_id_collection"} {
		if q, ok := p.sub(name); ok {
			q.only("enabled", "false")
		}
	}
	if at, ok := p.whole("expires_at"); ok {
		if at < now+30*60-60 || at > now+day+60 {
			p.refuse(invalid("expires_at", "expires_at is between 30 minutes and 24 hours from now"))
		}
		cs.ExpiresAt = at
	}
	if q, ok := p.sub("custom_text"); ok {
		q.message("submit", &cs.CustomText.Submit)
		q.message("after_submit", &cs.CustomText.AfterSubmit)
		q.message("terms_of_service_acceptance", &cs.CustomText.Terms)
	}
	if q, ok := p.sub("customer_update"); ok {
		q.choice("name", &cs.Private.UpdateName, "auto", "never")
		q.choice("address", &cs.Private.UpdateAddress, "auto", "never")
		q.only("shipping", "never")
	}
}

func (p params) message(name string, dst **customMessage) {
	if q, ok := p.sub(name); ok {
		*dst = &customMessage{Message: q.need("message")}
	}
}

// readLines takes what is bought; prices may be made on the spot.
func (t *tx) readLines(cs *checkout, p params) error {
	lines := p.list("line_items")
	if cs.Mode == "setup" {
		cs.Currency = p.str("currency")
		return nil
	}
	if len(lines) == 0 {
		return invalid("line_items", "Missing required param: line_items.").coded("parameter_missing")
	}
	for _, q := range lines {
		pc := find[price](t, q, "price")
		if data, ok := q.sub("price_data"); ok {
			var err error
			if pc, err = t.readPrice(data); err != nil {
				return err
			}
		}
		quantity, _ := q.whole("quantity")
		if err := p.err(); err != nil {
			return err
		}
		switch {
		case pc == nil:
			return invalid("line_items[0][price]", "Missing required param: line_items[0][price].").coded("parameter_missing")
		case quantity < 1:
			return invalid("line_items[0][quantity]", "Missing required param: line_items[0][quantity].").
				coded("parameter_missing")
		case (pc.Recurring != nil) != (cs.Mode == "subscription"):
			return invalid("line_items", "A session of mode %s cannot sell the price %s of type %s.", cs.Mode, pc.ID, pc.Type)
		case cs.Currency != "" && cs.Currency != pc.Currency:
			return invalid("line_items", "All prices of a session have the same currency.")
		}
		cs.Currency = pc.Currency
		cs.Private.Lines = append(cs.Private.Lines,
			checkoutLine{
				ID: newID("li_"), Price: pc.ID, Name: t.productName(pc), Quantity: quantity,
				Amount: pc.UnitAmount * quantity,
			})
	}
	return nil
}

// readData takes what the subscription, the payment or the setup will carry.
func (cs *checkout) readData(p params) {
	name := map[string]string{
		"subscription": "subscription_data", "payment": "payment_intent_data",
		"setup": "setup_intent_data",
	}[cs.Mode]
	cs.Private.DataMetadata = map[string]string{}
	q, ok := p.sub(name)
	if !ok {
		return
	}
	q.metadata(&cs.Private.DataMetadata)
	q.text("description", &cs.Private.Description)
	switch cs.Mode {
	case "payment":
		q.text("setup_future_usage", &cs.Private.SetupFuture)
		q.text("receipt_email", &cs.Private.ReceiptEmail)
		q.only("capture_method", "automatic")
	case "subscription":
		cs.Private.TrialDays, _ = q.whole("trial_period_days")
		cs.Private.TrialEnd, _ = q.whole("trial_end")
		if ts, ok := q.sub("trial_settings"); ok {
			if eb, ok := ts.sub("end_behavior"); ok {
				eb.text("missing_payment_method", &cs.Private.MissingMethod)
			}
		}
	}
}

func (t *tx) readCheckoutDiscount(cs *checkout, p params, cu *customer) {
	list := p.list("discounts")
	if len(list) > 0 && cs.AllowPromotion {
		p.refuse(invalid("discounts", "Only one of allow_promotion_codes and discounts can be sent"))
	}
	if len(list) > 1 {
		p.refuse(invalid("discounts", "A session takes one discount"))
	}
	for _, q := range list {
		if co := find[coupon](t, q, "coupon"); co != nil {
			cs.Private.Coupon = text(co.ID)
		}
		if code := find[promotionCode](t, q, "promotion_code"); code != nil {
			cs.Private.Promotion, cs.Private.Coupon = text(code.ID), text(code.Coupon)
		}
		if co := load[coupon](t, cs.Private.Coupon); co != nil {
			if err := t.redeemable(co, load[promotionCode](t, cs.Private.Promotion), cu); err != nil {
				p.refuse(err)
			}
		}
	}
}
