package billing

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
)

// Kinds of what is parked: it waits for a person.
const (
	parkSecond  = "second_subscription" // that could not be given back yet
	parkUnknown = "unknown_customer"    // a subscription of nobody that is known
	parkDispute = "dispute"             // by invoice, or by the payment of a gift
	parkExtend  = "extension"           // a next payment that could not be moved behind what was given
)

var parkedKinds = []string{parkSecond, parkUnknown, parkDispute, parkExtend}

// ErrNotParked is a number that nothing has that waits for a person.
var ErrNotParked = errors.New("billing: nothing that waits for a person has this number")

// Parked is something that waits for a person, or has waited.
type Parked struct {
	ID         int64
	Kind       string
	ProviderID string // of a subscription, an invoice or a payment
	ReaderID   int64  // 0 for nobody that is known
	Detail     string
	CreatedAt  time.Time
	ResolvedAt time.Time // zero while it waits
}

// ParkedList lists what waits for a person, the oldest first; with all, also what was settled in the last 90 days.
func (m *Module) ParkedList(ctx context.Context, all bool) (list []Parked, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		where, since := "resolved_at IS NULL", tx.Now.AddDate(0, 0, -90)
		if all {
			where += " OR resolved_at > ?0"
		}
		list, err = selectParked(ctx, tx, where+" ORDER BY id", since)
		return err
	})
	return list, err
}

// ResolveParked notes that a person has settled what waited, and has it looked at once more: a subscription is compared
// with the provider, a payment moved. What is still wrong waits again. A rehearsal changes nothing.
func (m *Module) ResolveParked(ctx context.Context, id int64, dry bool) (p Parked, err error) {
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err := selectParked(ctx, tx, "id = ?0 AND resolved_at IS NULL FOR UPDATE", id)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return ErrNotParked
		}
		if p = list[0]; dry {
			return nil
		}
		if err := resolveParked(ctx, tx, p.Kind, p.ProviderID); err != nil {
			return err
		}
		switch p.Kind {
		case parkSecond, parkUnknown:
			return putDrift(ctx, tx, drift{p.ProviderID, driftMissing, "settled by a person"})
		case parkExtend:
			paid, err := findPaid(ctx, tx, p.ReaderID)
			if err != nil || paid == nil {
				return err
			}
			return moveAgain(ctx, tx, *paid)
		}
		return nil
	})
	return p, err
}

// park has something wait for a person, and says so once. What was settled waits again, but for a payment that was
// taken back: that stays so for good.
func (m *Module) park(ctx context.Context, tx db.Tx, kind, providerID string, readerID int64, detail string) error {
	fresh, err := putParked(ctx, tx, kind, providerID, readerID, detail)
	if fresh {
		m.log.WarnContext(ctx, "something waits for a person: `broadsheet parked list`", "edition", tx.Edition.ID, "kind",
			kind, "provider_id", providerID, "reader", readerID, "detail", detail)
	}
	return err
}

// Waiting counts what waits for a person in an edition.
type Waiting struct {
	Parked    map[string]int // by kind, all of them
	BankLines int            // payments of statements
}

// WaitingForPersons is what waited in each edition when it was counted last, some minutes ago.
func (m *Module) WaitingForPersons() map[string]Waiting { return m.waits.all() }
