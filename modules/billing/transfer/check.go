package transfer

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
)

// checkBuyers does the same before orders by transfer are paid: the transaction that pays them asks nobody.
func (s *Service) checkBuyers(ctx context.Context, find func(context.Context, db.Tx) ([]Order, error)) error {
	var list []Order
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = find(ctx, tx)
		return err
	})
	for i := range list {
		if err == nil && list[i].State != StatePaid {
			err = s.invoices.CheckVATNumber(ctx, event.Payer{ReaderID: list[i].ReaderID})
		}
	}
	return err
}
