package withdrawal

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// ErrNotSent refuses a second step that comes more than statementTTL after the first: the statement was not sent.
var ErrNotSent = fault.New(fault.Gone, "WITHDRAWAL_NOT_SENT")

// Late returns the content of a statement whose second step would come too late, and whether link is the link to one.
// The content is empty a day after the first step.
func (s *Service) Late(ctx context.Context, link string) (in Request, late bool, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return in, false, err
	}
	id, mailed := s.StatementOf(ed, link)
	if id == 0 || mailed {
		return in, false, nil
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		w, err := FindStatement(ctx, tx, id, false)
		if err != nil || w != nil {
			return err
		}
		late = true
		in, err = findUnsent(ctx, tx, id)
		return err
	})
	return in, late, err
}

// WithdrawAgain sends a statement whose second step came too late, by its link. in is the content as the reader has it
// on the screen: it makes a new statement if the old one is no longer stored. It returns the link to the statement that
// was sent, and the errors of State and Withdraw; for a link that is not late it is Withdraw.
func (s *Service) WithdrawAgain(ctx context.Context, link string, in Request, readerID int64,
	network string,
) (string, error) {
	_, late, err := s.Late(ctx, link)
	if err != nil {
		return link, err
	}
	if !late {
		return link, s.Withdraw(ctx, link, readerID)
	}
	renewed := false
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		id, _ := s.StatementOf(tx.Edition, link)
		renewed, err = renewStatement(ctx, tx, id) // a second click finds the same one
		return err
	})
	if err == nil && !renewed {
		var again string
		if again, err = s.State(ctx, in, network); err == nil {
			link = again
		}
	}
	if err != nil {
		return link, err
	}
	return link, s.Withdraw(ctx, link, readerID)
}
