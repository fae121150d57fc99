package subscription

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/web"
)

// DefaultReaderTimeout is how long a reader waits for the provider, however many calls of it that takes.
const DefaultReaderTimeout = 8 * time.Second

// How often readers may have the provider asked. It counts the calls of an account, and refuses all of an edition's
// when they are too many: one reader must not use them up.
var (
	ReaderCalls  = limit.Budget{Name: "billing.provider.reader", Max: 20, Window: 10 * time.Minute}
	EditionCalls = limit.Budget{Name: "billing.provider.edition", Max: 600, Window: time.Minute}
)

// boundCall begins a reader's wait for the provider, or answers TOO_MANY_REQUESTS.
func (s *Service) boundCall(ctx context.Context, readerID int64) (context.Context, context.CancelFunc, error) {
	within := false
	err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: ReaderCalls, Key: person.Reader(readerID)},
			limit.Use{Budget: EditionCalls})
		return err
	})
	if err == nil && !within {
		err = web.ErrTooMany
	}
	if err != nil {
		return ctx, func() {}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	return ctx, cancel, nil
}
