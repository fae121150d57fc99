package billing

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
)

// checkOrders does the same before orders by transfer are paid: the transaction that pays them asks nobody.
func (m *Module) checkOrders(ctx context.Context, find func(context.Context, db.Tx) ([]transfer, error)) error {
	var list []transfer
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = find(ctx, tx)
		return err
	})
	for i := range list {
		if err == nil && list[i].State != transferPaid {
			err = m.Invoices.CheckVATNumber(ctx, event.Payer{ReaderID: list[i].ReaderID})
		}
	}
	return err
}
