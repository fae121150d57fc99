package sandbox

// charge is one answer of a bank to a payment.
type charge struct {
	Meta
	Amount         int64             `json:"amount"`
	AmountCaptured int64             `json:"amount_captured"`
	AmountRefunded int64             `json:"amount_refunded"`
	Balance        nothing           `json:"balance_transaction"`
	BillingDetails billingDetails    `json:"billing_details"`
	Captured       bool              `json:"captured"`
	Currency       string            `json:"currency"`
	Customer       text              `json:"customer"`
	Description    text              `json:"description"`
	Disputed       bool              `json:"disputed"`
	FailureCode    text              `json:"failure_code"`
	FailureMessage text              `json:"failure_message"`
	Invoice        text              `json:"invoice"`
	Metadata       map[string]string `json:"metadata"`
	Outcome        outcome           `json:"outcome"`
	Paid           bool              `json:"paid"`
	PaymentIntent  string            `json:"payment_intent"`
	Method         string            `json:"payment_method"`
	MethodDetails  methodDetails     `json:"payment_method_details"`
	ReceiptEmail   text              `json:"receipt_email"`
	ReceiptURL     text              `json:"receipt_url"`
	Refunded       bool              `json:"refunded"`
	Status         string            `json:"status"`
}

type outcome struct {
	Network string `json:"network_status"`
	Reason  text   `json:"reason"`
	Risk    string `json:"risk_level"`
	Seller  string `json:"seller_message"`
	Type    string `json:"type"`
}

type methodDetails struct {
	Card cardDetails `json:"card"`
	Type string      `json:"type"`
}

func (*charge) kind() string { return "charge" }

func (t *tx) newCharge(pi *paymentIntent, m *paymentMethod) *charge {
	metadata := map[string]string{}
	mergeMetadata(&metadata, pi.Metadata)
	return add(t, "ch_", &charge{
		Amount: pi.Amount, BillingDetails: m.BillingDetails, Currency: pi.Currency, Customer: pi.Customer,
		Description: pi.Description,
		Invoice:     pi.Invoice, Metadata: metadata, PaymentIntent: pi.ID, Method: m.ID, ReceiptEmail: pi.ReceiptEmail,
		MethodDetails: methodDetails{Card: m.Card, Type: m.Type},
	})
}

// refund gives a charge back, in whole or in part.
type refund struct {
	Meta
	Amount        int64             `json:"amount"`
	Balance       nothing           `json:"balance_transaction"`
	Charge        text              `json:"charge"`
	Currency      string            `json:"currency"`
	Metadata      map[string]string `json:"metadata"`
	PaymentIntent text              `json:"payment_intent"`
	Reason        text              `json:"reason"`
	Receipt       nothing           `json:"receipt_number"`
	Status        string            `json:"status"`
}

func (*refund) kind() string { return "refund" }

func createRefund(t *tx, c *call) (any, error) {
	ch := find[charge](t, c.params, "charge")
	pi := find[paymentIntent](t, c.params, "payment_intent")
	if pi != nil {
		ch = load[charge](t, pi.LatestCharge)
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if ch == nil || !ch.Paid {
		return nil, invalid("charge", "A refund needs a charge or a payment intent that was paid.").coded("parameter_missing")
	}
	if t.formallyDisputed(ch) {
		return nil, invalid("", "Charge %s was disputed, so that it cannot be refunded.", ch.ID).coded("charge_disputed")
	}
	left := ch.Amount - ch.AmountRefunded
	amount, sent := c.whole("amount")
	switch {
	case left == 0:
		return nil, invalid("", "Charge %s has already been refunded.", ch.ID).coded("charge_already_refunded")
	case !sent:
		amount = left
	case amount < 1 || amount > left:
		return nil, invalid("amount", "The refund of %d is not between 1 and %d, which is left of the charge.", amount, left)
	}
	r := &refund{
		Amount: amount, Charge: text(ch.ID), Currency: ch.Currency, PaymentIntent: text(ch.PaymentIntent),
		Status: "succeeded",
	}
	if c.has("reason") {
		var reason string
		c.choice("reason", &reason, "duplicate", "fraudulent", "requested_by_customer")
		r.Reason = text(reason)
	}
	c.metadata(&r.Metadata)
	add(t, "re_", r)
	ch.AmountRefunded += amount
	ch.Refunded = ch.AmountRefunded == ch.Amount
	if ch.Refunded {
		t.endInquiries(ch)
	}
	t.tell("refund.created", r)
	t.tell("charge.refunded", ch)
	return r, nil
}

func updateRefund(t *tx, c *call) (any, error) {
	r, err := pick[refund](t, c)
	if err != nil {
		return nil, err
	}
	c.metadata(&r.Metadata)
	t.tell("refund.updated", r)
	return r, nil
}

// setupIntent saves a card without a payment.
type setupIntent struct {
	Meta
	CancelReason text              `json:"cancellation_reason"`
	ClientSecret string            `json:"client_secret"`
	Customer     text              `json:"customer"`
	Description  text              `json:"description"`
	LastError    *apiError         `json:"last_setup_error"`
	Metadata     map[string]string `json:"metadata"`
	NextAction   nothing           `json:"next_action"`
	Method       text              `json:"payment_method"`
	MethodTypes  []string          `json:"payment_method_types"`
	Status       string            `json:"status"`
	Usage        string            `json:"usage"`
}

func (*setupIntent) kind() string { return "setup_intent" }

// saveCard books that a card was confirmed for later payments of a customer.
func (t *tx) saveCard(m *paymentMethod, cu *customer, metadata map[string]string) (*setupIntent, error) {
	if err := t.attach(m, cu); err != nil {
		return nil, err
	}
	m.Private.Saved = true
	si := add(t, "seti_",
		&setupIntent{
			Customer: text(cu.ID), Metadata: map[string]string{}, Method: text(m.ID), MethodTypes: []string{"card"},
			Status: intentSucceeded, Usage: "off_session",
		})
	mergeMetadata(&si.Metadata, metadata)
	si.ClientSecret = si.ID + "_secret_" + randomText(25)
	t.tell("setup_intent.created", si)
	t.tell("setup_intent.succeeded", si)
	return si, nil
}
