package sandbox

import (
	"slices"
	"strings"
)

// checkout is one visit to the hosted payment page.
type checkout struct {
	Meta
	AfterExpiration nothing           `json:"after_expiration"`
	AllowPromotion  bool              `json:"allow_promotion_codes"`
	Subtotal        int64             `json:"amount_subtotal"`
	Total           int64             `json:"amount_total"`
	AutomaticTax    automaticTax      `json:"automatic_tax"`
	BillingAddress  string            `json:"billing_address_collection"`
	CancelURL       text              `json:"cancel_url"`
	ClientReference text              `json:"client_reference_id"`
	ClientSecret    nothing           `json:"client_secret"`
	Consent         nothing           `json:"consent"`
	Currency        string            `json:"currency"`
	CustomFields    []string          `json:"custom_fields"`
	CustomText      customText        `json:"custom_text"`
	Customer        text              `json:"customer"`
	CustomerMaking  text              `json:"customer_creation"`
	CustomerDetails *customerDetails  `json:"customer_details"`
	CustomerEmail   text              `json:"customer_email"`
	ExpiresAt       int64             `json:"expires_at"`
	Invoice         text              `json:"invoice"`
	Locale          text              `json:"locale"`
	Metadata        map[string]string `json:"metadata"`
	Mode            string            `json:"mode"`
	PaymentIntent   text              `json:"payment_intent"`
	PaymentLink     nothing           `json:"payment_link"`
	MethodRule      string            `json:"payment_method_collection"`
	MethodOptions   struct{}          `json:"payment_method_options"`
	MethodTypes     []string          `json:"payment_method_types"`
	PaymentStatus   string            `json:"payment_status"`
	Phone           automaticMethods  `json:"phone_number_collection"`
	RecoveredFrom   nothing           `json:"recovered_from"`
	SetupIntent     text              `json:"setup_intent"`
	Status          string            `json:"status"`
	SubmitType      text              `json:"submit_type"`
	Subscription    text              `json:"subscription"`
	SuccessURL      string            `json:"success_url"`
	TotalDetails    totalDetails      `json:"total_details"`
	UIMode          string            `json:"ui_mode"`
	URL             text              `json:"url"`
	Private         checkoutPrivate   `json:"_private"`
}

// checkoutPrivate is what the page needs and the API does not show.
type checkoutPrivate struct {
	Lines           []checkoutLine    `json:"lines"`
	Coupon          text              `json:"coupon"`
	Promotion       text              `json:"promotion"`
	TrialDays       int64             `json:"trial_days"`
	TrialEnd        int64             `json:"trial_end"`
	MissingMethod   text              `json:"missing_method"`
	Description     text              `json:"description"`
	DataMetadata    map[string]string `json:"data_metadata"` // of the subscription, the payment or the setup
	SetupFuture     text              `json:"setup_future"`
	ReceiptEmail    text              `json:"receipt_email"`
	UpdateName      string            `json:"update_name"`
	UpdateAddress   string            `json:"update_address"`
	PendingMethod   text              `json:"pending_method"` // the card whose bank is asking
	PendingCustomer *customerDetails  `json:"pending_customer"`
}

type checkoutLine struct {
	ID       string `json:"id"`
	Price    string `json:"price"`
	Name     string `json:"name"`
	Quantity int64  `json:"quantity"`
	Amount   int64  `json:"amount"` // of all of them
	Off      int64  `json:"off"`
}

type customText struct {
	Submit      *customMessage `json:"submit"`
	AfterSubmit *customMessage `json:"after_submit"`
	Terms       *customMessage `json:"terms_of_service_acceptance"`
}

type customMessage struct {
	Message string `json:"message"`
}

type customerDetails struct {
	Address   *address `json:"address"`
	Email     text     `json:"email"`
	Name      text     `json:"name"`
	Phone     text     `json:"phone"`
	TaxExempt string   `json:"tax_exempt"`
	TaxIDs    []string `json:"tax_ids"`
}

type totalDetails struct {
	Discount int64 `json:"amount_discount"`
	Shipping int64 `json:"amount_shipping"`
	Tax      int64 `json:"amount_tax"`
}

func (*checkout) kind() string { return "checkout" }
func (*checkout) rank() int    { return 3 }

func (cs *checkout) dueAt() int64 {
	if cs.Status != "open" {
		return 0
	}
	return cs.ExpiresAt
}

func (cs *checkout) fallDue(t *tx) { t.expire(cs) }

func (t *tx) expire(cs *checkout) {
	cs.Status, cs.URL = "expired", ""
	t.tell("checkout.session.expired", cs)
}

// lineItems is the list that appears when it is expanded.
func (cs *checkout) lineItems() any {
	items := []map[string]any{}
	for _, l := range cs.Private.Lines {
		items = append(items, map[string]any{
			"id": l.ID, "object": "item", "amount_discount": l.Off, "amount_subtotal": l.Amount, "amount_tax": 0,
			"amount_total": l.Amount - l.Off,
			"currency":     cs.Currency, "description": l.Name, "price": l.Price, "quantity": l.Quantity,
		})
	}
	return newList("/v1/checkout/sessions/"+cs.ID+"/line_items", items)
}

func listCheckoutItems(t *tx, c *call) (any, error) {
	cs, err := pick[checkout](t, c)
	if err != nil {
		return nil, err
	}
	list := cs.lineItems().(listOf[map[string]any])
	return window(c, list.Data, func(m map[string]any) string { return m["id"].(string) })
}

func createCheckout(t *tx, c *call) (any, error) {
	cs := &checkout{
		BillingAddress: "auto", CustomFields: []string{}, MethodRule: "always", MethodTypes: []string{"card"},
		PaymentStatus: "unpaid",
		Status:        "open", UIMode: "hosted", ExpiresAt: t.now.Unix() + day,
	}
	c.need("mode")
	c.choice("mode", &cs.Mode, "payment", "subscription", "setup")
	c.only("ui_mode", "hosted")
	cs.SuccessURL = c.webAddress("success_url")
	if c.has("cancel_url") {
		cs.CancelURL = text(c.webAddress("cancel_url"))
	}
	cs.read(c.params, t.now.Unix())
	cu := find[customer](t, c.params, "customer")
	if cu != nil {
		cs.Customer = text(cu.ID)
		cs.CustomerDetails = &customerDetails{
			Address: cu.Address, Email: cu.Email, Name: cu.Name, TaxExempt: cu.TaxExempt,
			TaxIDs: []string{},
		}
	}
	if cu != nil && cs.CustomerEmail != "" {
		return nil, invalid("customer_email", "Only one of customer and customer_email can be sent")
	}
	if err := t.readLines(cs, c.params); err != nil {
		return nil, err
	}
	cs.readData(c.params)
	t.readCheckoutDiscount(cs, c.params, cu)
	if err := c.err(); err != nil {
		return nil, err
	}
	t.total(cs)
	if cs.Mode == "payment" && cs.Total > 0 && cs.Total < minimumAmount {
		return nil, amountTooSmall("line_items", cs.Total)
	}
	cs.ID = "cs_test_" + randomText(58)
	add(t, "", cs)
	cs.URL = text(t.visit(cs.SuccessURL) + hostedPath + "checkout/" + cs.ID)
	return cs, nil
}

// trialEnd is when the trial of a session completed now would end, or 0.
func (t *tx) trialEnd(cs *checkout) int64 {
	if cs.Private.TrialDays > 0 {
		return t.now.AddDate(0, 0, int(cs.Private.TrialDays)).Unix()
	}
	return cs.Private.TrialEnd
}

// total is what is to be paid now.
func (t *tx) total(cs *checkout) {
	cs.Subtotal, cs.TotalDetails.Discount = 0, 0
	free := cs.Mode == "subscription" && t.trialEnd(cs) > t.now.Unix()
	co := load[coupon](t, cs.Private.Coupon)
	for i := range cs.Private.Lines {
		l := &cs.Private.Lines[i]
		if l.Off = 0; free {
			l.Amount = 0
		}
		cs.Subtotal += l.Amount
	}
	if co != nil {
		left := co.off(cs.Subtotal)
		cs.TotalDetails.Discount = left
		for i := range cs.Private.Lines {
			l := &cs.Private.Lines[i]
			l.Off = min(left, l.Amount)
			left -= l.Off
		}
	}
	cs.Total = cs.Subtotal - cs.TotalDetails.Discount
}

func expireCheckout(t *tx, c *call) (any, error) {
	cs, err := pick[checkout](t, c)
	if err != nil {
		return nil, err
	}
	if cs.Status != "open" {
		return nil, wrongState("", "Only Checkout Sessions with a status of open can be expired; this one is %s.", cs.Status)
	}
	t.expire(cs)
	return cs, nil
}

// back is where the customer goes after payment.
func (cs *checkout) back() string {
	for _, mark := range []string{"{CHECKOUT_SESSION_ID}", "%7BCHECKOUT_SESSION_ID%7D"} {
		if strings.Contains(cs.SuccessURL, mark) {
			return strings.ReplaceAll(cs.SuccessURL, mark, cs.ID)
		}
	}
	return cs.SuccessURL
}

// wantsCard reports whether the page asks for a card.
func (cs *checkout) wantsCard() bool { return cs.Total > 0 || cs.MethodRule == "always" }

// items are the prices of a subscription to be.
func (cs *checkout) items() []itemAsk {
	return slices.Collect(func(yield func(itemAsk) bool) {
		for _, l := range cs.Private.Lines {
			if !yield(itemAsk{Price: l.Price, Quantity: l.Quantity}) {
				return
			}
		}
	})
}
