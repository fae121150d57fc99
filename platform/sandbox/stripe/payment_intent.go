package sandbox

import "net/http"

// The states of payment and setup intents.
const (
	intentNeedsMethod  = "requires_payment_method"
	intentNeedsConfirm = "requires_confirmation"
	intentNeedsAction  = "requires_action"
	intentSucceeded    = "succeeded"
	intentCanceled     = "canceled"
)

// paymentIntent is one payment from its first try to its end.
type paymentIntent struct {
	Meta
	Amount          int64             `json:"amount"`
	Capturable      int64             `json:"amount_capturable"`
	AmountDetails   struct{}          `json:"amount_details"`
	Received        int64             `json:"amount_received"`
	Automatic       *automaticMethods `json:"automatic_payment_methods"`
	CanceledAt      number            `json:"canceled_at"`
	CancelReason    text              `json:"cancellation_reason"`
	CaptureMethod   string            `json:"capture_method"`
	ClientSecret    string            `json:"client_secret"`
	Confirmation    string            `json:"confirmation_method"`
	Currency        string            `json:"currency"`
	Customer        text              `json:"customer"`
	Description     text              `json:"description"`
	Invoice         text              `json:"invoice"`
	LastError       *apiError         `json:"last_payment_error"`
	LatestCharge    text              `json:"latest_charge"`
	Metadata        map[string]string `json:"metadata"`
	NextAction      *nextAction       `json:"next_action"`
	Method          text              `json:"payment_method"`
	MethodOptions   struct{}          `json:"payment_method_options"`
	MethodTypes     []string          `json:"payment_method_types"`
	ReceiptEmail    text              `json:"receipt_email"`
	SetupFuture     text              `json:"setup_future_usage"`
	StatementSuffix text              `json:"statement_descriptor_suffix"`
	Status          string            `json:"status"`
}

type automaticMethods struct {
	Enabled bool `json:"enabled"`
}

// nextAction sends the customer to the page where the bank asks.
type nextAction struct {
	Type     string         `json:"type"`
	Redirect redirectAction `json:"redirect_to_url"`
}

type redirectAction struct {
	URL       string `json:"url"`
	ReturnURL text   `json:"return_url"`
}

func (*paymentIntent) kind() string { return "payment_intent" }

// minimumAmount is the least that is charged, in minor units.
const minimumAmount = 50

func amountTooSmall(param string, amount int64) *apiError {
	return invalid(param, "The amount %d is below the minimum charge of %d.", amount, minimumAmount).
		coded("amount_too_small")
}

func (t *tx) newIntent(amount int64, currency string, cu text) *paymentIntent {
	pi := add(t, "pi_", &paymentIntent{
		Amount: amount, Currency: currency, Customer: cu, CaptureMethod: "automatic", Confirmation: "automatic",
		MethodTypes: []string{"card"}, Metadata: map[string]string{}, Status: intentNeedsMethod,
	})
	pi.ClientSecret = pi.ID + "_secret_" + randomText(25)
	return pi
}

func createIntent(t *tx, c *call) (any, error) {
	amount, _ := c.whole("amount")
	c.need("amount")
	currency := c.need("currency")
	if c.err() == nil && amount < minimumAmount {
		return nil, amountTooSmall("amount", amount)
	}
	pi := t.newIntent(amount, currency, "")
	if cu := find[customer](t, c.params, "customer"); cu != nil {
		pi.Customer = text(cu.ID)
	}
	if auto, ok := c.sub("automatic_payment_methods"); ok {
		pi.Automatic = &automaticMethods{}
		auto.flag("enabled", &pi.Automatic.Enabled)
		auto.str("allow_redirects")
	}
	c.text("setup_future_usage", &pi.SetupFuture)
	c.only("capture_method", "automatic")
	pi.read(c.params)
	for _, kind := range c.strings("payment_method_types") {
		if kind != "card" {
			return nil, invalid("payment_method_types", "The payment sandbox takes cards alone, not %s", kind)
		}
	}
	t.tell("payment_intent.created", pi)
	var confirm bool
	c.flag("confirm", &confirm)
	return t.confirm(pi, c, confirm)
}

func (pi *paymentIntent) read(p params) {
	p.text("description", &pi.Description)
	p.text("receipt_email", &pi.ReceiptEmail)
	p.text("statement_descriptor_suffix", &pi.StatementSuffix)
	p.metadata(&pi.Metadata)
}

// confirm takes the payment method of a call and, if asked to, tries to pay.
func (t *tx) confirm(pi *paymentIntent, c *call, now bool) (any, error) {
	returnURL := text(c.str("return_url"))
	var offSession bool
	c.flag("off_session", &offSession)
	if id := c.str("payment_method"); id != "" {
		m, err := t.method(id)
		if err != nil {
			return nil, err
		}
		pi.Method, pi.Status = text(m.ID), intentNeedsConfirm
	}
	if err := c.err(); err != nil || !now {
		return pi, err
	}
	m := load[paymentMethod](t, pi.Method)
	if m == nil {
		return nil, wrongState("payment_intent_unexpected_state",
			"The payment intent %s has no payment method to confirm with.", pi.ID)
	}
	if err := t.attempt(pi, m, false); err != nil {
		return nil, err
	}
	if pi.NextAction != nil && offSession {
		pi.NextAction = nil
		return nil, t.refusePayment(pi, m, "authentication_required")
	}
	if pi.NextAction != nil {
		pi.NextAction.Redirect.ReturnURL = returnURL
	}
	return pi, nil
}

// attempt asks the bank. A card_error comes back if it refuses; the intent needs action if it wants the holder to
// confirm.
func (t *tx) attempt(pi *paymentIntent, m *paymentMethod, confirmed bool) error {
	pi.Method, pi.NextAction, pi.LastError = text(m.ID), nil, nil
	card := m.card()
	switch card.authorize(pi.Amount, m.Private.Saved, confirmed) {
	case declined:
		reason := card.decline
		if reason == "" {
			reason = "generic_decline"
		}
		return t.refusePayment(pi, m, reason)
	case challenged:
		pi.Status = intentNeedsAction
		pi.NextAction = &nextAction{
			Type:     "redirect_to_url",
			Redirect: redirectAction{URL: t.site() + hostedPath + "challenge/" + pi.ClientSecret},
		}
		t.tell("payment_intent.requires_action", pi)
	case approved:
		ch := t.newCharge(pi, m)
		ch.Status, ch.Paid, ch.Captured, ch.AmountCaptured = "succeeded", true, true, pi.Amount
		ch.Outcome = outcome{Network: "approved_by_network", Risk: "normal", Seller: "Payment complete.", Type: "authorized"}
		pi.Status, pi.Received, pi.LatestCharge = intentSucceeded, pi.Amount, text(ch.ID)
		if pi.SetupFuture != "" || pi.Invoice != "" {
			m.Private.Saved = true
			if cu := load[customer](t, pi.Customer); cu != nil && m.Customer == "" {
				if err := t.attach(m, cu); err != nil {
					return err
				}
			}
		}
		t.tell("charge.succeeded", ch)
		t.tell("payment_intent.succeeded", pi)
		if card.disputes != "" {
			t.dispute(ch, ch.Amount, card.disputes)
		}
	}
	return nil
}

// refusePayment books a charge that failed.
func (t *tx) refusePayment(pi *paymentIntent, m *paymentMethod, reason string) *apiError {
	ch := t.newCharge(pi, m)
	ch.Status, ch.FailureCode, ch.FailureMessage = "failed", "card_declined", text(declineMessage(reason))
	ch.Outcome = outcome{
		Network: "declined_by_network", Reason: text(reason), Risk: "normal",
		Seller: "The bank declined.", Type: "issuer_declined",
	}
	pi.LatestCharge = text(ch.ID)
	t.tell("charge.failed", ch)
	return t.failIntent(pi, t.declineError(reason, ch.ID))
}

// failIntent sends an intent back to its start.
func (t *tx) failIntent(pi *paymentIntent, why *apiError) *apiError {
	why.keep = true
	pi.Status, pi.Method, pi.NextAction = intentNeedsMethod, "", nil
	shown := *why
	pi.LastError = &shown
	t.tell("payment_intent.payment_failed", pi)
	why.PaymentIntent = t.render(pi)
	return why
}

func updateIntent(t *tx, c *call) (any, error) {
	pi, err := pick[paymentIntent](t, c)
	if err != nil {
		return nil, err
	}
	pi.read(c.params)
	return pi, nil
}

func confirmIntent(t *tx, c *call) (any, error) {
	pi, err := pick[paymentIntent](t, c)
	if err != nil {
		return nil, err
	}
	if pi.Status == intentSucceeded || pi.Status == intentCanceled {
		return nil, wrongState("payment_intent_unexpected_state", "The payment intent %s is %s and cannot be confirmed.",
			pi.ID, pi.Status)
	}
	if inv := load[invoice](t, pi.Invoice); inv != nil {
		return t.confirmInvoice(pi, inv, c)
	}
	return t.confirm(pi, c, true)
}

// confirmInvoice pays the invoice that the intent belongs to, so that its subscription follows.
func (t *tx) confirmInvoice(pi *paymentIntent, inv *invoice, c *call) (any, error) {
	m, err := t.methodFor(inv, c.str("payment_method"))
	if err != nil {
		return nil, err
	}
	c.str("return_url")
	if err := t.pay(inv, m, false); err != nil {
		return nil, err
	}
	return pi, nil
}

func cancelIntent(t *tx, c *call) (any, error) {
	pi, err := pick[paymentIntent](t, c)
	if err != nil {
		return nil, err
	}
	if pi.Status == intentSucceeded || pi.Status == intentCanceled || pi.Invoice != "" {
		return nil, wrongState("payment_intent_unexpected_state",
			"The payment intent %s cannot be canceled: it is %s or belongs to an invoice.", pi.ID, pi.Status)
	}
	c.text("cancellation_reason", &pi.CancelReason)
	t.cancelPayment(pi)
	return pi, nil
}

func (t *tx) cancelPayment(pi *paymentIntent) {
	pi.Status, pi.CanceledAt, pi.NextAction = intentCanceled, number(t.now.Unix()), nil
	t.tell("payment_intent.canceled", pi)
}

// authenticationFailed is what a holder who does not confirm causes.
func authenticationFailed() *apiError {
	return &apiError{
		Status: http.StatusPaymentRequired, Type: "card_error", Code: "payment_intent_authentication_failure",
		Message: "The card holder was not authenticated. Choose another payment method and try again.",
	}
}
