package sandbox

// The states of a dispute.
const (
	disputeOpen = "needs_response"
	disputeWon  = "won"
	disputeLost = "lost"
)

// dispute is a payment that the card's holder has had taken back by the bank.
type dispute struct {
	Meta
	Amount        int64             `json:"amount"`
	Balances      []string          `json:"balance_transactions"`
	Charge        string            `json:"charge"`
	Currency      string            `json:"currency"`
	Evidence      evidence          `json:"evidence"`
	Details       evidenceDetails   `json:"evidence_details"`
	Refundable    bool              `json:"is_charge_refundable"`
	Metadata      map[string]string `json:"metadata"`
	PaymentIntent text              `json:"payment_intent"`
	Reason        string            `json:"reason"`
	Status        string            `json:"status"`
}

type evidence struct {
	Text text `json:"uncategorized_text"`
}

type evidenceDetails struct {
	DueBy       int64 `json:"due_by"`
	Has         bool  `json:"has_evidence"`
	Late        bool  `json:"past_due"`
	Submissions int   `json:"submission_count"`
}

func (*dispute) kind() string { return "dispute" }

// answerWithin is how long a merchant has to answer a dispute.
const answerWithin = 7 * day

// dispute takes the money of a charge back.
func (t *tx) dispute(ch *charge) {
	d := add(t, "dp_", &dispute{
		Amount: ch.Amount, Balances: []string{}, Charge: ch.ID, Currency: ch.Currency,
		Details:  evidenceDetails{DueBy: t.now.Unix() + answerWithin},
		Metadata: map[string]string{}, PaymentIntent: text(ch.PaymentIntent), Reason: "fraudulent", Status: disputeOpen,
	})
	ch.Disputed = true
	t.tell("charge.dispute.created", d)
	t.tell("charge.dispute.funds_withdrawn", d)
}

// verdicts are the texts that decide a dispute, as they do in the provider's test mode.
var verdicts = map[text]string{"winning_evidence": disputeWon, "losing_evidence": disputeLost}

// updateDispute takes the merchant's answer; sent off, it decides.
func updateDispute(t *tx, c *call) (any, error) {
	d, err := t.openDispute(c)
	if err != nil {
		return nil, err
	}
	if e, ok := c.sub("evidence"); ok {
		e.text("uncategorized_text", &d.Evidence.Text)
		d.Details.Has = d.Evidence.Text != ""
	}
	submit := true
	c.flag("submit", &submit)
	c.metadata(&d.Metadata)
	if err := c.err(); err != nil {
		return nil, err
	}
	t.tell("charge.dispute.updated", d)
	if status := verdicts[d.Evidence.Text]; submit && d.Details.Has {
		d.Details.Submissions++
		t.decide(d, status)
	}
	return d, nil
}

// closeDispute gives a dispute up.
func closeDispute(t *tx, c *call) (any, error) {
	d, err := t.openDispute(c)
	if err != nil {
		return nil, err
	}
	t.decide(d, disputeLost)
	return d, nil
}

func (t *tx) openDispute(c *call) (*dispute, error) {
	d, err := pick[dispute](t, c)
	if err != nil {
		return nil, err
	}
	if d.Status != disputeOpen {
		return nil, wrongState("", "The dispute %s is %s.", d.ID, d.Status)
	}
	return d, nil
}

// decide ends a dispute; with no verdict it stays open.
func (t *tx) decide(d *dispute, status string) {
	if status == "" {
		return
	}
	d.Status = status
	t.tell("charge.dispute.closed", d)
	if status == disputeWon {
		t.tell("charge.dispute.funds_reinstated", d)
	}
}
