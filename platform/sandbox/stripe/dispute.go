package sandbox

import (
	"fmt"
	"slices"
)

// The states of a dispute.
const (
	disputeOpen   = "needs_response"
	disputeWon    = "won"
	disputeLost   = "lost"
	inquiryOpen   = "warning_needs_response"
	inquiryClosed = "warning_closed"
)

// dispute is a payment that the card's holder has had taken back by the bank, or that the bank asks about.
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

// dispute has the bank look into a payment: it asks the merchant, or takes the money back at once.
func (t *tx) dispute(ch *charge, amount int64, status string) *dispute {
	d := add(t, "dp_", &dispute{
		Amount: amount, Balances: []string{}, Charge: ch.ID, Currency: ch.Currency,
		Details:  evidenceDetails{DueBy: t.now.Unix() + answerWithin},
		Metadata: map[string]string{}, PaymentIntent: text(ch.PaymentIntent), Reason: "fraudulent", Status: status,
		Refundable: status == inquiryOpen,
	})
	ch.Disputed = true
	t.tell("charge.dispute.created", d)
	if status == disputeOpen {
		t.tell("charge.dispute.funds_withdrawn", d)
	}
	return d
}

// Dispute has the bank look into a charge that was paid, as its holder would ask for; with inquiry it asks the merchant
// before it takes money back. Amount is in minor units; 0: all of it.
func (s *Sandbox) Dispute(chargeID string, amount int64, inquiry bool) (id string, err error) {
	a := s.holder(chargeID)
	if a == nil {
		return "", fmt.Errorf("payment sandbox: there is no charge %s", chargeID)
	}
	status := disputeOpen
	if inquiry {
		status = inquiryOpen
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	err = a.commit(s.opts.Clock.Now(), origin{}, func(t *tx) error {
		ch := load[charge](t, text(chargeID))
		if ch == nil || !ch.Paid {
			return fmt.Errorf("payment sandbox: %s was not paid", chargeID)
		}
		if amount == 0 {
			amount = ch.Amount
		}
		id = t.dispute(ch, amount, status).ID
		return nil
	})
	a.wakeCourier()
	return id, err
}

// verdicts are the texts that decide a dispute, as they do in the provider's test mode.
var verdicts = map[string]map[text]string{
	disputeOpen: {"winning_evidence": disputeWon, "losing_evidence": disputeLost},
	inquiryOpen: {
		"winning_evidence": inquiryClosed, "losing_evidence": inquiryClosed, "escalate_inquiry_evidence": disputeOpen,
	},
}

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
	if status := verdicts[d.Status][d.Evidence.Text]; submit && d.Details.Has {
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
	if d.Status == inquiryOpen {
		return nil, wrongState("", "The dispute %s is an inquiry: answer it, or refund the charge.", d.ID)
	}
	t.decide(d, disputeLost)
	return d, nil
}

func (t *tx) openDispute(c *call) (*dispute, error) {
	d, err := pick[dispute](t, c)
	if err != nil {
		return nil, err
	}
	if verdicts[d.Status] == nil {
		return nil, wrongState("", "The dispute %s is %s.", d.ID, d.Status)
	}
	return d, nil
}

// decide gives a dispute its next state; with no verdict it stays open.
func (t *tx) decide(d *dispute, status string) {
	if status == "" {
		return
	}
	d.Status, d.Refundable = status, false
	switch status {
	case disputeOpen: // an inquiry that went on
		t.tell("charge.dispute.funds_withdrawn", d)
		return
	case disputeWon:
		t.tell("charge.dispute.funds_reinstated", d)
	}
	t.tell("charge.dispute.closed", d)
}

// formallyDisputed reports whether a charge cannot be refunded any more. A refund of all of it ends an inquiry.
func (t *tx) formallyDisputed(ch *charge) bool {
	return slices.ContainsFunc(all[dispute](t), func(d *dispute) bool {
		return d.Charge == ch.ID && d.Status != inquiryOpen && d.Status != inquiryClosed
	})
}

func (t *tx) endInquiries(ch *charge) {
	for _, d := range all[dispute](t) {
		if d.Charge == ch.ID && d.Status == inquiryOpen {
			t.decide(d, inquiryClosed)
		}
	}
}
