package sandbox_test

import (
	"testing"

	"github.com/stripe/stripe-go/v76"
)

func TestDisputes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		evidence string // "": it is given up
		want     stripe.DisputeStatus
		back     int // messages that the money is back
	}{
		{"winning_evidence", stripe.DisputeStatusWon, 1},
		{"losing_evidence", stripe.DisputeStatusLost, 0},
		{"a letter", stripe.DisputeStatusNeedsResponse, 0},
		{"", stripe.DisputeStatusLost, 0},
	} {
		t.Run(string(c.want)+" "+c.evidence, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			sub := s.subscribe(s.price(796, "week", 4))
			s.swapCard(sub, "pm_card_createDispute")
			s.advance(28 * day)
			list := []*stripe.Dispute{}
			for it := s.api.Disputes.List(nil); it.Next(); {
				list = append(list, it.Dispute())
			}
			if len(list) != 1 || list[0].Amount != 796 || list[0].Status != stripe.DisputeStatusNeedsResponse ||
				s.hooks.count("charge.dispute.created") != 1 {
				t.Fatalf("disputes: %+v", list)
			}
			d := list[0]
			ch := must[*stripe.Charge](t)(s.api.Charges.Get(d.Charge.ID, nil))
			if got := s.sub(sub.ID); !ch.Disputed || !ch.Paid || got.Status != stripe.SubscriptionStatusActive {
				t.Errorf("the charge is %+v, the subscription %s", ch, got.Status)
			}
			if _, err := s.api.Refunds.New(&stripe.RefundParams{Charge: str(ch.ID)}); code(err) != "charge_disputed" {
				t.Errorf("it was refunded, too: %v", err)
			}
			if c.evidence == "" {
				d = must[*stripe.Dispute](t)(s.api.Disputes.Close(d.ID, nil))
			} else {
				d = must[*stripe.Dispute](
					t)(s.api.Disputes.Update(d.ID,
					&stripe.DisputeParams{Evidence: &stripe.DisputeEvidenceParams{UncategorizedText: str(c.evidence)}}))
			}
			s.advance(0)
			if d.Status != c.want || s.hooks.count("charge.dispute.funds_reinstated") != c.back {
				t.Errorf("it is %s", d.Status)
			}
			if _, err := s.api.Disputes.Close(d.ID, nil); c.want != stripe.DisputeStatusNeedsResponse && err == nil {
				t.Error("closed twice")
			}
		})
	}
}

func TestInquiries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		evidence string // "": the charge is refunded
		want     stripe.DisputeStatus
		gone     int // messages that the money is gone
	}{
		{"winning_evidence", stripe.DisputeStatusWarningClosed, 0},
		{"escalate_inquiry_evidence", stripe.DisputeStatusNeedsResponse, 1},
		{"a letter", stripe.DisputeStatusWarningNeedsResponse, 0},
		{"", stripe.DisputeStatusWarningClosed, 0},
	} {
		t.Run(string(c.want)+" "+c.evidence, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			sub := s.subscribe(s.price(796, "week", 4))
			s.swapCard(sub, "pm_card_createDisputeInquiry")
			s.advance(28 * day)
			it := s.api.Disputes.List(nil)
			if !it.Next() {
				t.Fatal("got no dispute")
			}
			d := it.Dispute()
			if d.Status != stripe.DisputeStatusWarningNeedsResponse || !d.IsChargeRefundable ||
				s.hooks.count("charge.dispute.funds_withdrawn") != 0 {
				t.Errorf("got %+v, want an inquiry that has taken nothing", d)
			}
			if _, err := s.api.Disputes.Close(d.ID, nil); err == nil {
				t.Error("an inquiry was given up")
			}
			if c.evidence == "" {
				must[*stripe.Refund](t)(s.api.Refunds.New(&stripe.RefundParams{Charge: str(d.Charge.ID)}))
			} else {
				must[*stripe.Dispute](t)(s.api.Disputes.Update(d.ID,
					&stripe.DisputeParams{Evidence: &stripe.DisputeEvidenceParams{UncategorizedText: str(c.evidence)}}))
			}
			s.advance(0)
			d = must[*stripe.Dispute](t)(s.api.Disputes.Get(d.ID, nil))
			if got := s.hooks.count("charge.dispute.funds_withdrawn"); d.Status != c.want || got != c.gone {
				t.Errorf("got %s and %d messages that the money is gone, want %s and %d", d.Status, got, c.want, c.gone)
			}
		})
	}
}
