package subscription

import (
	"context"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/paper/edition"
)

// OwesEnd reports whether the provider would charge again for a subscription whose running period was refunded in full.
func OwesEnd(ed *edition.Edition, r stripe.Subscription) bool {
	return r.Status.Live() && r.Invoice != nil && new(RowOf(ed, r, 0)).RefundedInFull(ed)
}

// continuingAfter is the reader's subscription that will be charged again although the credit note gives back a part;
// nil for none.
func (s *Service) continuingAfter(ctx context.Context, ed *edition.Edition,
	d *invoice.Document,
) (*access.Subscription, error) {
	if d.Kind != invoice.CreditNote || d.ReaderID == invoice.NoAccount {
		return nil, nil
	}
	sub, err := s.FindLivePaid(ctx, d.ReaderID)
	if err != nil || !sub.Renews() || sub.RefundedInFull(ed) {
		return nil, err
	}
	return sub, nil
}

// endRefunded ends a subscription whose running period was refunded in full. It is called after every look, so a call
// that failed is made good by the next.
func (s *Service) endRefunded(ctx context.Context, acc *stripe.Account, remote stripe.Subscription) error {
	if !OwesEnd(acc.Edition, remote) {
		return nil
	}
	if _, err := s.end(ctx, acc, remote, access.AtOnce); err != nil {
		return fmt.Errorf("billing: ending %s, which was refunded in full: %w", remote.ID, err)
	}
	_, _, err := s.fetchAndStore(ctx, acc, remote.ID, false)
	return err
}
