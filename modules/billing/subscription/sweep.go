package subscription

import (
	"context"
	"slices"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// remind takes all emails of a kind that are due, some in each transaction, and has them sent: each has its row in the
// outbox, or is still to be taken. However many are due, little of it is held at once, and others may sweep at the same
// time.
func remind[P any](ctx context.Context, d *db.DB, name event.Name[P], of func(db.Tx) reminder,
	payload func([]claim) ([]P, error),
) error {
	after := claim{}
	for more := true; more; {
		err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			list, err := claimSome(ctx, tx, of(tx), after)
			if err != nil || len(list) == 0 {
				more = false
				return err
			}
			after, more = list[len(list)-1], subscriptionsIn(list) == SweepBatch
			list = slices.DeleteFunc(list, func(c claim) bool { return c.Kind == "" })
			payloads, err := payload(list)
			if err != nil {
				return err
			}
			return outbox.TellAll(ctx, tx, name, payloads)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// subscriptionsIn counts those in a list in which each one's emails stand together.
func subscriptionsIn(list []claim) (n int) {
	for i, c := range list {
		if i == 0 || c.SubscriptionID != list[i-1].SubscriptionID {
			n++
		}
	}
	return n
}

// each makes the payload of one claim into that of many.
func each[P any](one func(claim) P) func([]claim) ([]P, error) {
	return func(list []claim) ([]P, error) {
		out := make([]P, len(list))
		for i, c := range list {
			out[i] = one(c)
		}
		return out, nil
	}
}

// endTrials ends the trials that are over.
func (s *Service) endTrials(ctx context.Context) error {
	for more := true; more; {
		err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			readers, err := endSomeTrials(ctx, tx)
			if err != nil {
				return err
			}
			more = len(readers) == SweepBatch
			return access.Changed(ctx, tx, readers...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tellGrants has the emails sent about all grants that claim takes, some in each transaction.
func tellGrants(ctx context.Context, d *db.DB, name event.Name[event.GrantEnds],
	claim func(context.Context, db.Tx) ([]int64, error),
) error {
	for more := true; more; {
		err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			ids, err := claim(ctx, tx)
			if err != nil {
				return err
			}
			more = len(ids) == SweepBatch
			payloads := make([]event.GrantEnds, len(ids))
			for i, id := range ids {
				payloads[i] = event.GrantEnds{GrantID: id}
			}
			return outbox.TellAll(ctx, tx, name, payloads)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
