package access

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
)

// Kinds of reviews.
const (
	ReviewDuplicate = "second_subscription" // that could not be given back yet
	ReviewUnknown   = "unknown_customer"    // a subscription of nobody that is known
	ReviewDispute   = "dispute"             // by invoice, or by the payment of a gift
	ReviewExtension = "extension"           // a next payment that could not be moved behind what was given
	ReviewPrice     = "unknown_price"       // a subscription of a product that the document does not know
	ReviewCard      = "known_card"          // an introductory price of a card that has paid one for somebody else
	ReviewRepeat    = "repeated_withdrawal" // by the number of the withdrawal
)

var reviewKinds = []string{
	ReviewDuplicate, ReviewUnknown, ReviewDispute, ReviewExtension, ReviewPrice, ReviewCard,
	ReviewRepeat,
}

// ErrNoReview is a number that nothing in the queue has.
var ErrNoReview = errors.New("billing: nothing in the review queue has this number")

// Review is something that a person has to decide, or has decided.
type Review struct {
	ID         int64
	Kind       string
	ProviderID string // of a subscription, an invoice or a payment
	ReaderID   int64  // 0 for nobody that is known
	Detail     string
	CreatedAt  time.Time
	ResolvedAt time.Time // zero while it is in the queue
}

// Reviews lists the queue, the oldest first; with all, also what was settled in the last 90 days.
func (s *Service) Reviews(ctx context.Context, all bool) (list []Review, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		where, since := "resolved_at IS NULL", tx.Now.AddDate(0, 0, -90)
		if all {
			where += " OR resolved_at > ?0"
		}
		list, err = selectReviews(ctx, tx, where+" ORDER BY id", since)
		return err
	})
	return list, err
}

// ResolveReview notes that a person has settled something, and has recheck look at it once more in the same
// transaction: what is still wrong waits again. With dry, nothing changes.
func (s *Service) ResolveReview(ctx context.Context, id int64, dry bool,
	recheck func(context.Context, db.Tx, Review) error,
) (p Review, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err := selectReviews(ctx, tx, "id = ?0 AND resolved_at IS NULL FOR UPDATE", id)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return ErrNoReview
		}
		if p = list[0]; dry {
			return nil
		}
		if err := CloseReview(ctx, tx, p.Kind, p.ProviderID); err != nil {
			return err
		}
		return recheck(ctx, tx, p)
	})
	return p, err
}

// NeedsReview puts something into the queue and logs that once. What was settled can come again, except a payment that
// the bank took back and a price that nobody knows: those are settled for good.
func (s *Service) NeedsReview(ctx context.Context, tx db.Tx, kind, providerID string, readerID int64,
	detail string,
) error {
	fresh, err := PutReview(ctx, tx, kind, providerID, readerID, detail)
	if fresh {
		s.log.WarnContext(ctx, "added to the review queue, see `broadsheet review list`", "edition", tx.Edition.ID, "kind",
			kind, "provider_id", providerID, "reader", readerID, "detail", detail)
	}
	return err
}
