package sandbox

// paymentMethod is a card, saved with a customer or not.
type paymentMethod struct {
	Meta
	BillingDetails billingDetails    `json:"billing_details"`
	Card           cardDetails       `json:"card"`
	Customer       text              `json:"customer"`
	Metadata       map[string]string `json:"metadata"`
	Type           string            `json:"type"`
	Private        struct {
		Number string `json:"number"` // a published test number
		Saved  bool   `json:"saved"`  // confirmed for later payments
	} `json:"_private"`
}

type billingDetails struct {
	Address *address `json:"address"`
	Email   text     `json:"email"`
	Name    text     `json:"name"`
	Phone   text     `json:"phone"`
}

type cardDetails struct {
	Brand       string            `json:"brand"`
	Checks      map[string]string `json:"checks"`
	Country     string            `json:"country"`
	ExpMonth    int               `json:"exp_month"`
	ExpYear     int               `json:"exp_year"`
	Fingerprint string            `json:"fingerprint"`
	Funding     string            `json:"funding"`
	Last4       string            `json:"last4"`
	Networks    cardNetworks      `json:"networks"`
	ThreeD      threeD            `json:"three_d_secure_usage"`
	Wallet      nothing           `json:"wallet"`
}

type cardNetworks struct {
	Available []string `json:"available"`
	Preferred nothing  `json:"preferred"`
}

type threeD struct {
	Supported bool `json:"supported"`
}

func (*paymentMethod) kind() string { return "payment_method" }

func (m *paymentMethod) card() *testCard { return cardByNumber(m.Private.Number) }

func (t *tx) newMethod(in cardInput, who billingDetails) *paymentMethod {
	c := in.card
	m := &paymentMethod{BillingDetails: who, Metadata: map[string]string{}, Type: "card", Card: cardDetails{
		Brand: c.brand, Country: c.country, ExpMonth: in.month, ExpYear: in.year, Fingerprint: c.fingerprint(t.acc.id),
		Funding: "credit",
		Last4:   c.number[len(c.number)-4:], Networks: cardNetworks{Available: []string{c.brand}},
		ThreeD: threeD{Supported: true},
		Checks: map[string]string{"cvc_check": "pass"},
	}}
	m.Private.Number = c.number
	return add(t, "pm_", m)
}

// method loads a payment method, or makes a new one of a test token such as pm_card_visa.
func (t *tx) method(id string) (*paymentMethod, error) {
	if m := load[paymentMethod](t, text(id)); m != nil {
		return m, nil
	}
	if c := cardByToken(id); c != nil {
		return t.newMethod(cardInput{card: c, month: 12, year: t.now.Year() + 4}, billingDetails{}), nil
	}
	return nil, missing("PaymentMethod", id, "payment_method")
}

// checkMethod refuses a payment method that is not the customer's.
func (t *tx) checkMethod(id string, cu *customer) error {
	m := load[paymentMethod](t, text(id))
	if m == nil {
		return missing("PaymentMethod", id, "default_payment_method")
	}
	if cu == nil || m.Customer != text(cu.ID) {
		return invalid("default_payment_method", "The customer does not have a payment method with the ID %s. The payment "+
			"method must be attached to the customer.", id)
	}
	return nil
}

// attach saves a card with a customer; a bank that declines refuses that, too.
func (t *tx) attach(m *paymentMethod, cu *customer) error {
	if m.Customer == text(cu.ID) {
		return nil
	}
	if m.Customer != "" {
		return invalid("payment_method", "The payment method %s is already attached to a customer.", m.ID)
	}
	if c := m.card(); c.decline != "" {
		return t.declineError(c.decline, "")
	}
	m.Customer = text(cu.ID)
	t.tell("payment_method.attached", m)
	return nil
}

// declineError is the answer to a payment that a bank refused.
func (t *tx) declineError(reason, charge string) *apiError {
	code := "card_declined"
	if reason == "expired_card" || reason == "authentication_required" {
		code = reason
	}
	return &apiError{
		Status: 402, Type: "card_error", Code: code, DeclineCode: reason, Message: declineMessage(reason),
		Charge: charge,
	}
}

func declineMessage(reason string) string {
	switch reason {
	case "insufficient_funds":
		return "Your card has insufficient funds."
	case "expired_card":
		return "Your card has expired."
	case "authentication_required":
		return "Your card was declined. This transaction requires authentication."
	default:
		return "Your card was declined."
	}
}

func createMethod(t *tx, c *call) (any, error) {
	c.need("type")
	c.only("type", "card")
	p, ok := c.sub("card")
	if !ok {
		return nil, invalid("card", "Missing required param: card.").coded("parameter_missing")
	}
	month, _ := p.whole("exp_month")
	year, _ := p.whole("exp_year")
	in := cardInput{card: cardByNumber(digits(p.str("number"))), month: int(month), year: int(year)}
	p.str("cvc")
	switch token := p.str("token"); {
	case token != "":
		in = cardInput{card: cardByToken("pm_card_" + trimToken(token)), month: 12, year: t.now.Year() + 4}
	case month < 1 || month > 12:
		return nil, invalid("card[exp_month]", "Invalid expiry month: %d", month).coded("invalid_expiry_month")
	}
	if in.card == nil {
		e := invalid("card[number]", "The payment sandbox takes the published test cards alone.").coded("incorrect_number")
		e.Status, e.Type = 402, "card_error"
		return nil, e
	}
	m := t.newMethod(in, billingDetails{})
	m.read(c.params)
	return m, nil
}

func trimToken(token string) string {
	if len(token) > 4 && token[:4] == "tok_" {
		return token[4:]
	}
	return token
}

func (m *paymentMethod) read(p params) {
	if b, ok := p.sub("billing_details"); ok {
		b.address("address", &m.BillingDetails.Address)
		b.text("email", &m.BillingDetails.Email)
		b.text("name", &m.BillingDetails.Name)
		b.text("phone", &m.BillingDetails.Phone)
	}
	p.metadata(&m.Metadata)
}

func updateMethod(t *tx, c *call) (any, error) {
	m, err := pick[paymentMethod](t, c)
	if err != nil {
		return nil, err
	}
	m.read(c.params)
	t.tell("payment_method.updated", m)
	return m, nil
}

func attachMethod(t *tx, c *call) (any, error) {
	m, err := t.method(string(c.id))
	if err != nil {
		return nil, err
	}
	cu, err := t.livingCustomer(c.need("customer"), "customer")
	if err != nil {
		return nil, err
	}
	return m, t.attach(m, cu)
}

func detachMethod(t *tx, c *call) (any, error) {
	m, err := pick[paymentMethod](t, c)
	if err != nil {
		return nil, err
	}
	if m.Customer == "" {
		return nil, invalid("", "The payment method %s is not attached to a customer.", m.ID)
	}
	for _, s := range all[subscription](t) {
		if s.DefaultMethod == text(m.ID) {
			s.DefaultMethod = ""
		}
	}
	if cu := load[customer](t, m.Customer); cu != nil && cu.InvoiceSettings.DefaultMethod == text(m.ID) {
		cu.InvoiceSettings.DefaultMethod = ""
	}
	m.Customer = ""
	t.tell("payment_method.detached", m)
	return m, nil
}
