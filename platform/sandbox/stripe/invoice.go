package sandbox

import "fmt"

// The states of an invoice.
const (
	invoiceDraft         = "draft"
	invoiceOpen          = "open"
	invoicePaid          = "paid"
	invoiceVoid          = "void"
	invoiceUncollectible = "uncollectible"
)

// The reasons for an invoice.
const (
	becauseCreated = "subscription_create"
	becauseCycle   = "subscription_cycle"
	becauseUpdated = "subscription_update"
)

// invoice is what a subscription asks a customer to pay for one period. All amounts are in minor units.
type invoice struct {
	Meta
	AccountCountry   nothing             `json:"account_country"`
	AccountName      text                `json:"account_name"`
	AmountDue        int64               `json:"amount_due"`
	AmountPaid       int64               `json:"amount_paid"`
	AmountRemaining  int64               `json:"amount_remaining"`
	AttemptCount     int                 `json:"attempt_count"`
	Attempted        bool                `json:"attempted"`
	AutoAdvance      bool                `json:"auto_advance"`
	AutomaticTax     automaticTax        `json:"automatic_tax"`
	BillingReason    string              `json:"billing_reason"`
	Charge           text                `json:"charge"`
	CollectionMethod string              `json:"collection_method"`
	Currency         string              `json:"currency"`
	Customer         text                `json:"customer"`
	CustomerAddress  *address            `json:"customer_address"`
	CustomerEmail    text                `json:"customer_email"`
	CustomerName     text                `json:"customer_name"`
	CustomerTaxIDs   []taxNumber         `json:"customer_tax_ids"`
	CustomFields     []customField       `json:"custom_fields"`
	DefaultMethod    text                `json:"default_payment_method"`
	DefaultTaxRates  []string            `json:"default_tax_rates"`
	Description      text                `json:"description"`
	Discount         *discount           `json:"discount"`
	Discounts        []string            `json:"discounts"`
	DueDate          nothing             `json:"due_date"`
	EffectiveAt      number              `json:"effective_at"`
	EndingBalance    *int64              `json:"ending_balance"`
	Footer           text                `json:"footer"`
	HostedURL        text                `json:"hosted_invoice_url"`
	PDF              nothing             `json:"invoice_pdf"`
	Lines            listOf[invoiceLine] `json:"lines"`
	Metadata         map[string]string   `json:"metadata"`
	NextAttempt      number              `json:"next_payment_attempt"`
	Number           text                `json:"number"`
	Paid             bool                `json:"paid"`
	PaidOutOfBand    bool                `json:"paid_out_of_band"`
	PaymentIntent    text                `json:"payment_intent"`
	PeriodEnd        int64               `json:"period_end"`
	PeriodStart      int64               `json:"period_start"`
	StartingBalance  int64               `json:"starting_balance"`
	Status           string              `json:"status"`
	Transitions      transitions         `json:"status_transitions"`
	Subscription     text                `json:"subscription"`
	SubDetails       subDetails          `json:"subscription_details"`
	Subtotal         int64               `json:"subtotal"`
	SubtotalNet      int64               `json:"subtotal_excluding_tax"`
	Tax              nothing             `json:"tax"`
	Total            int64               `json:"total"`
	DiscountAmounts  []discountAmount    `json:"total_discount_amounts"`
	TotalNet         int64               `json:"total_excluding_tax"`
	TaxAmounts       []string            `json:"total_tax_amounts"`
	Private          struct {
		Secret       string `json:"secret"`        // of the hosted page
		FirstAttempt int64  `json:"first_attempt"` // retries count from it
		FinalizeAt   int64  `json:"finalize_at"`
	} `json:"_private"`
}

type automaticTax struct {
	Enabled bool `json:"enabled"`
	Status  text `json:"status"`
}

type transitions struct {
	Finalized     number `json:"finalized_at"`
	Uncollectible number `json:"marked_uncollectible_at"`
	Paid          number `json:"paid_at"`
	Voided        number `json:"voided_at"`
}

type subDetails struct {
	Metadata map[string]string `json:"metadata"`
}

type discountAmount struct {
	Amount   int64  `json:"amount"`
	Discount string `json:"discount"`
}

// invoiceLine is one item of an invoice.
type invoiceLine struct {
	ID              string            `json:"id"`
	Object          string            `json:"object"`
	Amount          int64             `json:"amount"`
	AmountNet       int64             `json:"amount_excluding_tax"`
	Currency        string            `json:"currency"`
	Description     string            `json:"description"`
	DiscountAmounts []discountAmount  `json:"discount_amounts"`
	Discountable    bool              `json:"discountable"`
	Discounts       []string          `json:"discounts"`
	InvoiceItem     text              `json:"invoice_item,omitempty"`
	Livemode        bool              `json:"livemode"`
	Metadata        map[string]string `json:"metadata"`
	Period          period            `json:"period"`
	Price           string            `json:"price"`
	Proration       bool              `json:"proration"`
	Quantity        int64             `json:"quantity"`
	Subscription    text              `json:"subscription"`
	Item            text              `json:"subscription_item"`
	TaxAmounts      []string          `json:"tax_amounts"`
	TaxRates        []string          `json:"tax_rates"`
	Type            string            `json:"type"`
}

type period struct {
	End   int64 `json:"end"`
	Start int64 `json:"start"`
}

// invoiceItem is a part of a price that waits for the next invoice, made by a change within a period.
type invoiceItem struct {
	Meta
	Amount       int64             `json:"amount"`
	Currency     string            `json:"currency"`
	Customer     text              `json:"customer"`
	Date         int64             `json:"date"`
	Description  string            `json:"description"`
	Invoice      text              `json:"invoice"`
	Metadata     map[string]string `json:"metadata"`
	Period       period            `json:"period"`
	Price        text              `json:"price"`
	Proration    bool              `json:"proration"`
	Quantity     int64             `json:"quantity"`
	Subscription text              `json:"subscription"`
	Item         text              `json:"subscription_item"`
}

func (*invoice) kind() string     { return "invoice" }
func (*invoiceItem) kind() string { return "invoiceitem" }

// bill writes a draft with what waits for the next invoice and, if over is not nil, the prices of that period.
func (t *tx) bill(s *subscription, reason string, over *period) *invoice {
	cu := load[customer](t, s.Customer)
	inv := add(t, "in_", &invoice{
		AccountName: text(t.acc.cfg.Name), AutoAdvance: true, BillingReason: reason, CollectionMethod: s.CollectionMethod,
		Currency: s.Currency,
		Customer: s.Customer, CustomerAddress: cu.Address, CustomerEmail: cu.Email, CustomerName: cu.Name,
		CustomerTaxIDs:  t.taxNumbers(cu),
		CustomFields:    cu.InvoiceSettings.CustomFields,
		DefaultTaxRates: []string{}, Discounts: []string{}, DiscountAmounts: []discountAmount{},
		Metadata:    map[string]string{},
		PeriodStart: t.now.Unix(), PeriodEnd: t.now.Unix(), StartingBalance: cu.Balance, Status: invoiceDraft,
		Subscription: text(s.ID), SubDetails: subDetails{Metadata: s.Metadata}, TaxAmounts: []string{},
	})
	inv.Private.Secret = randomText(32)
	var lines []invoiceLine
	for _, id := range s.Private.Pending {
		item := load[invoiceItem](t, id)
		item.Invoice = text(inv.ID)
		lines = append(lines, item.line())
	}
	s.Private.Pending = nil
	if over != nil {
		s.Private.Billed = map[string]int64{}
		for _, item := range s.Items.Data {
			lines = append(lines, t.regularLine(s, item, *over))
		}
	}
	inv.Lines = newList("/v1/invoices/"+inv.ID+"/lines", lines)
	t.discountLines(inv, s, cu)
	inv.add()
	for _, l := range inv.Lines.Data {
		if !l.Proration && s.Private.Billed != nil {
			s.Private.Billed[string(l.Item)] = l.Amount - l.off()
		}
	}
	s.LatestInvoice = text(inv.ID)
	t.tell("invoice.created", inv)
	return inv
}

func (item *invoiceItem) line() invoiceLine {
	return invoiceLine{
		ID: newID("il_"), Object: "line_item", Amount: item.Amount, AmountNet: item.Amount, Currency: item.Currency,
		Description:     item.Description,
		DiscountAmounts: []discountAmount{}, Discounts: []string{}, InvoiceItem: text(item.ID), Metadata: map[string]string{},
		Period: item.Period, Price: string(item.Price),
		Proration: item.Proration, Quantity: item.Quantity, Subscription: item.Subscription, Item: item.Item,
		TaxAmounts: []string{}, TaxRates: []string{}, Type: "invoiceitem",
	}
}

// regularLine charges an item for one period, or nothing while the trial lasts.
func (t *tx) regularLine(s *subscription, item subscriptionItem, over period) invoiceLine {
	p := load[price](t, text(item.Price))
	name := t.productName(p)
	l := invoiceLine{
		ID: newID("il_"), Object: "line_item", Currency: s.Currency, DiscountAmounts: []discountAmount{}, Discountable: true,
		Discounts: []string{},
		Metadata:  s.Metadata, Period: over, Price: item.Price, Quantity: item.Quantity, Subscription: text(s.ID),
		Item:       text(item.ID),
		TaxAmounts: []string{}, TaxRates: []string{}, Type: "subscription",
	}
	if s.Status == statusTrialing {
		l.Description = "Trial period for " + name
		return l
	}
	l.Amount = p.UnitAmount * item.Quantity
	l.AmountNet = l.Amount
	l.Description = fmt.Sprintf("%d × %s (at %s / %s)", item.Quantity, name, plainAmount(p.UnitAmount, p.Currency),
		rhythm(p.Recurring))
	return l
}

func (t *tx) productName(p *price) string {
	if pr := load[product](t, text(p.Product)); pr != nil {
		return pr.Name
	}
	return p.ID
}

func rhythm(r *recurring) string {
	if r.Count == 1 {
		return r.Interval
	}
	return fmt.Sprintf("every %d %ss", r.Count, r.Interval)
}

func plainAmount(minor int64, currency string) string {
	return fmt.Sprintf("%d.%02d %s", minor/100, minor%100, currency)
}

func (l invoiceLine) off() int64 {
	var sum int64
	for _, d := range l.DiscountAmounts {
		sum += d.Amount
	}
	return sum
}

// discountLines takes the subscription's discount, or else the customer's, off the lines that it applies to.
func (t *tx) discountLines(inv *invoice, s *subscription, cu *customer) {
	from := &s.Discount
	if *from == nil {
		from = &cu.Discount
	}
	d := *from
	if d == nil {
		return
	}
	if d.End > 0 && int64(d.End) <= t.now.Unix() {
		*from = nil
		return
	}
	co := load[coupon](t, text(d.Coupon))
	var base, total int64
	for _, l := range inv.Lines.Data {
		if l.Discountable {
			base += l.Amount
		}
	}
	if base == 0 {
		return
	}
	left := co.off(base)
	for i := range inv.Lines.Data {
		l := &inv.Lines.Data[i]
		if !l.Discountable {
			continue
		}
		off := min(left, l.Amount)
		if co.PercentOff > 0 {
			off = min(left, co.off(l.Amount))
		}
		left -= off
		total += off
		l.DiscountAmounts = []discountAmount{{Amount: off, Discount: d.ID}}
	}
	shown := *d
	shown.Invoice = text(inv.ID)
	inv.Discount, inv.Discounts, inv.DiscountAmounts = &shown, []string{d.ID},
		[]discountAmount{{Amount: total, Discount: d.ID}}
	if co.Duration == "once" {
		*from = nil
	}
}

// add sums the lines up and settles what the customer has in credit.
func (inv *invoice) add() {
	inv.Subtotal = 0
	for _, l := range inv.Lines.Data {
		inv.Subtotal += l.Amount
	}
	inv.Total = inv.Subtotal
	for _, d := range inv.DiscountAmounts {
		inv.Total -= d.Amount
	}
	inv.SubtotalNet, inv.TotalNet = inv.Subtotal, inv.Total
	inv.AmountDue = max(0, inv.Total+inv.StartingBalance)
	inv.AmountRemaining = inv.AmountDue - inv.AmountPaid
}

func updateInvoice(t *tx, c *call) (any, error) {
	inv, err := pick[invoice](t, c)
	if err != nil {
		return nil, err
	}
	c.flag("auto_advance", &inv.AutoAdvance)
	c.text("description", &inv.Description)
	c.text("footer", &inv.Footer)
	c.metadata(&inv.Metadata)
	t.tell("invoice.updated", inv)
	return inv, nil
}

func listInvoiceLines(t *tx, c *call) (any, error) {
	inv, err := pick[invoice](t, c)
	if err != nil {
		return nil, err
	}
	return window(c, inv.Lines.Data, func(l invoiceLine) string { return l.ID })
}

// window answers a list that lies inside an object.
func window[T any](c *call, items []T, id func(T) string) (any, error) {
	limit, err := c.limit()
	if err != nil {
		return nil, err
	}
	after := c.str("starting_after")
	data := []T{}
	for _, item := range items {
		if after != "" {
			if id(item) == after {
				after = ""
			}
			continue
		}
		if len(data) == limit {
			return map[string]any{"object": "list", "data": data, "has_more": true, "url": c.path}, nil
		}
		data = append(data, item)
	}
	return map[string]any{"object": "list", "data": data, "has_more": false, "url": c.path}, nil
}
