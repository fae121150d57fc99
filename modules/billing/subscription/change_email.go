package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
)

// ChangeEmail tells the provider where a reader gets emails now; its receipts go there. Without a customer there is
// nothing to tell. Invoices that were mailed to the address of before follow, too, and what the reader has had once
// counts for the new mailbox, whatever becomes of the account.
func (s *Service) ChangeEmail(ctx context.Context, readerID int64, from, address string) error {
	customer := ""
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if err := invoice.MoveBuyer(ctx, tx, readerID, from, address); err != nil {
			return err
		}
		if err := access.CopyUses(ctx, tx, person.Reader(readerID), person.Mailbox(address)); err != nil {
			return err
		}
		customer, err = access.FindCustomer(ctx, tx, readerID)
		return err
	})
	if err != nil || customer == "" {
		return err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	return acc.SetEmail(ctx, customer, address)
}
