package billing

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// withdrawalData is WithdrawalData of openapi.yaml.
type withdrawalData struct {
	State      string     `json:"state"` // form, confirm, late, received, mailbox (came by the mailed link), confirmed
	Statement  string     `json:"statement"`
	Name       string     `json:"name"`
	Email      string     `json:"email"`
	Contract   string     `json:"contract"`
	ReceivedAt *time.Time `json:"receivedAt,omitempty"`
	Own        bool       `json:"own"` // stated in a session of its reader: nothing has to be confirmed
}

func (m *Module) withdrawalStep(ctx context.Context, ed *edition.Edition, r *page.Request, d *saleData) error {
	d.Withdrawal = &withdrawalData{State: "form", Contract: withdrawal.OfSubscription}
	link := r.Query.Get("statement")
	id, mailed := m.Withdrawals.StatementOf(ed, link)
	var w *withdrawal.Contract
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		w, err = withdrawal.FindStatement(ctx, tx, id, false)
		return err
	})
	if err != nil {
		return err
	}
	if w == nil {
		return m.lateStatement(ctx, link, d)
	}
	*d.Withdrawal = withdrawalData{State: "confirm", Statement: link, Name: w.Name, Email: w.Email, Contract: w.Contract}
	if w.State == withdrawal.Stated {
		return nil
	}
	d.Withdrawal.ReceivedAt = &w.ReceivedAt
	switch {
	case !mailed: // the outcome stays hidden: anybody who made a statement has this link
		d.Withdrawal.State = "received"
		d.Withdrawal.Own, err = m.Withdrawals.IsOwn(ctx, id, session.ReaderID(ctx))
	case w.State == withdrawal.Received && w.ConfirmedAt.IsZero():
		d.Withdrawal.State = "mailbox"
	default:
		d.Withdrawal.State = "confirmed"
	}
	return err
}

// lateStatement shows a statement that was not sent in time with all that was typed: by the form that was refused just
// now, or as it was written down.
func (m *Module) lateStatement(ctx context.Context, link string, d *saleData) error {
	in, late, err := m.Withdrawals.Late(ctx, link)
	if err != nil || !late {
		return err
	}
	if d.Typed != nil && d.Typed.Values["name"] != "" {
		in = withdrawal.Request{
			Name: d.Typed.Values["name"], Email: d.Typed.Values["email"], Contract: d.Typed.Values["contract"],
		}
	}
	if in.Contract != withdrawal.OfGift {
		in.Contract = withdrawal.OfSubscription
	}
	*d.Withdrawal = withdrawalData{State: "late", Statement: link, Name: in.Name, Email: in.Email, Contract: in.Contract}
	return nil
}
