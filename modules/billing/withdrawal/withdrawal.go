// Package withdrawal receives the statements by which consumers withdraw from what they have bought, confirms them from
// the mailbox, and gives the money back.
//
// Open confirm.go next. The package imports access, invoice, links, offer, stripe, terms, transfer and voucher; of
// subscriptions it knows only how to have one looked at again.
package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/terms"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// Contracts that can be withdrawn from.
const (
	OfSubscription = "subscription"
	OfGift         = "gift"
)

const (
	statementTTL = time.Hour // between the two steps
)

// Statements are mailed, and anybody may name any address.
var (
	statementsOfNetwork = limit.Budget{Name: "billing.withdrawal.network", Max: 20, Window: time.Hour}
	StatementsOfAddress = limit.Budget{Name: "billing.withdrawal.address", Max: 5, Window: 24 * time.Hour}
)

// Request is the first step: who withdraws from what.
type Request struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Contract string `json:"contract"`
}

// Contract is a statement as the database has it, and what came of it.
type Contract struct {
	ID          int64
	Name        string
	Email       string
	Contract    string
	CreatedAt   time.Time
	ReceivedAt  time.Time
	ConfirmedAt time.Time // by a session of its reader, from the mailbox or by support; zero until then
	State       string
	Product     string
	ConcludedAt time.Time
	ProviderID  string
	GiftID      int64
	Amount      int64
	Currency    string
}

// States of a withdrawal.
const (
	Stated   = "stated"   // the first step
	Received = "received" // both: it counts, and is carried out once it is confirmed
	NotFound = "none"     // no contract was found
	InReview = "review"   // one was, and it is not the first of a year: a person decides
	Matched  = "matched"  // one was; the money is still to go back
	Refused  = "refused"  // by a person
	Done     = "done"
)

// Refundable reports whether a contract can be withdrawn from: until the end of the fourteenth day after it was
// concluded, as the edition's calendar has it.
func Refundable(ed *edition.Edition, concluded, at time.Time) bool {
	day := concluded.In(ed.Location)
	end := time.Date(day.Year(), day.Month(), day.Day()+terms.WithdrawalDays+1, 0, 0, 0, 0, ed.Location)
	return !at.Before(concluded) && at.Before(end)
}

// State writes a statement down and returns the link to the second step. It asks nobody whether there is such a
// contract.
func (s *Service) State(ctx context.Context, in Request, network string) (link string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	in.Name, err = typed.Line(in.Name, voucher.MaxName)
	switch {
	case err != nil || in.Name == "":
		return "", web.ErrInvalidArgs.On("name").Because(err)
	case typed.HasAddress(in.Name):
		return "", web.ErrLink.On("name")
	case in.Contract != OfSubscription && in.Contract != OfGift:
		return "", web.ErrInvalidArgs.On("contract")
	}
	if in.Email, err = s.parseEmail(in.Email); err != nil {
		return "", err
	}
	var id int64
	within := false
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: statementsOfNetwork, Key: network},
			limit.Use{Budget: StatementsOfAddress, Key: in.Email}); err != nil || !within {
			return err
		}
		id, err = insertStatement(ctx, tx, in)
		return err
	})
	if err == nil && !within {
		err = web.ErrTooMany
	}
	return s.links.Sign(ed, links.Withdrawal, id), err
}

// Withdraw takes the second step, or the link that was mailed after it. From the second step on the statement counts,
// at this date and time, and an email acknowledges it. It is carried out at once where readerID, whose session it is,
// has the statement's address, and otherwise once the mailbox has confirmed it: anybody can type an address. What it is
// answered with does not depend on whether there is a contract, and a second time changes nothing. It returns
// ErrNotSent if the second step comes too late, and INVALID_REQUIREMENT for a link of anything else.
func (s *Service) Withdraw(ctx context.Context, link string, readerID int64) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	id, mailed := s.StatementOf(ed, link)
	own, err := s.IsOwn(ctx, id, readerID)
	if err != nil {
		return err
	}
	known := false
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		w, err := FindStatement(ctx, tx, id, true)
		if err != nil || w == nil {
			return err
		}
		known = true
		if w.State == Stated {
			if err := receiveStatement(ctx, tx, id); err != nil {
				return err
			}
			w.State = Received
			if err := outbox.Once(ctx, tx, event.WithdrawalSent, event.Withdrawal{WithdrawalID: id},
				fmt.Sprintf("withdrawal:%d", id)); err != nil {
				return err
			}
		}
		if !own && !mailed {
			return nil
		}
		return confirmStatement(ctx, tx, w)
	})
	switch {
	case err != nil || known:
		return err
	case id != 0 && !mailed:
		return ErrNotSent
	}
	return web.ErrRequirement
}

// Mail finds the contract that a statement is about, and sends the email that acknowledges it: with what
// comes of it or, where nobody has confirmed it yet, with the link that does.
func (s *Service) Mail(ctx context.Context, e event.Withdrawal) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var w *Contract
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		w, err = FindStatement(ctx, tx, e.WithdrawalID, false)
		return err
	})
	// Its sender has left, or it is settled.
	if err != nil || w == nil || w.Email == "" || e.Reminder && w.State != Received {
		return err
	}
	if !e.Decided && w.State == Refused {
		return nil
	}
	if w.State == Received {
		reader, err := s.contacts.ReaderOf(ctx, w.Email)
		if err != nil {
			return err
		}
		if w, err = s.match(ctx, w.ID, reader); err != nil || w == nil {
			return err
		}
	}
	l := receipt{
		Key: fmt.Sprintf("withdrawal:%d", w.ID), Person: w.Name, Contract: w.Contract, Product: offer.Name(ed, w.Product),
		Concluded: w.ConcludedAt, Received: w.ReceivedAt,
		Amount: w.Amount, Currency: strings.ToUpper(w.Currency), State: w.State,
	}
	if e.Decided {
		l.Key = fmt.Sprintf("withdrawal_decided:%d", w.ID)
	}
	if w.State == Received {
		l.Key, l.Reminder, l.Confirm = fmt.Sprintf("withdrawal_confirm:%d", w.ID), e.Reminder,
			ed.URL(links.Sale(ed, links.StepWithdrawal, "statement", s.links.Sign(ed, links.Mailbox, w.ID)))
		if e.Reminder {
			l.Key += ":again"
		}
	}
	if err := s.mailer.Send(ctx, l.message(ed, w.Email)); !errors.Is(err, mail.ErrInFlight) {
		return err
	}
	return nil // the job of the other step sends this very email, and tries again if that fails
}

// errUnconfirmed takes back what was done for a statement that nobody has confirmed.
var errUnconfirmed = errors.New("billing: the withdrawal is not confirmed")

// match ties a statement to the newest contract of its address that can be withdrawn from; each contract once. A
// statement that is not confirmed stays as it was where there is a contract: what is returned names it then, and
// nothing is written.
func (s *Service) match(ctx context.Context, id, reader int64) (w *Contract, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if w, err = FindStatement(ctx, tx, id, true); err != nil || w == nil || w.State != Received {
			return err
		}
		w.State = NotFound
		var gift *voucher.Gift
		if w.Contract == OfGift {
			gift, err = matchGift(ctx, tx, w)
		} else if reader != 0 {
			err = matchSubscription(ctx, tx, w, reader)
		}
		switch {
		case err != nil:
			return err
		case w.State != NotFound && w.ConfirmedAt.IsZero():
			return errUnconfirmed
		}
		if w.Amount > 0 {
			if repeated, err := noteWithdrawal(ctx, tx, w, reader); err != nil {
				return err
			} else if repeated {
				return s.review(ctx, tx, w, reader)
			}
		}
		if gift != nil {
			if err := voucher.EndGift(ctx, tx, gift); err != nil {
				return err
			}
		}
		if err := matchStatement(ctx, tx, w); err != nil || w.State == NotFound {
			return err
		}
		if w.Amount == 0 && w.ProviderID == "" && w.GiftID == 0 { // an order that nobody has paid
			return settleStatement(ctx, tx, w.ID)
		}
		return outbox.Once(ctx, tx, event.WithdrawalDue, event.Withdrawal{WithdrawalID: w.ID},
			fmt.Sprintf("withdrawal_due:%d", w.ID))
	})
	if errors.Is(err, errUnconfirmed) {
		w.State = Received
		return w, s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return remindToConfirm(ctx, tx, w) })
	}
	return w, err
}

func matchSubscription(ctx context.Context, tx db.Tx, w *Contract, reader int64) error {
	if err := access.LockReader(ctx, tx, reader); err != nil {
		return err
	}
	list, err := access.Select(ctx, tx, `reader_id = ? AND NOT trial AND NOT (transfer AND uncovered) AND status `+
		`NOT IN ('incomplete', 'incomplete_expired')
		AND NOT EXISTS (SELECT FROM billing_withdrawals w WHERE w.provider_id = coalesce(billing_subscriptions.provider_id,`+
		` 'transfer:' || billing_subscriptions.id)) ORDER BY started_at DESC, id DESC`, reader)
	if err != nil {
		return err
	}
	for _, s := range list {
		if Refundable(tx.Edition, s.StartedAt, w.ReceivedAt) {
			w.State, w.Product, w.ConcludedAt, w.ProviderID, w.Amount, w.Currency = Matched, s.Product, s.StartedAt,
				s.Key(), s.Paid, s.Currency
			return nil
		}
	}
	o, err := transfer.Find(ctx, tx, "reader_id = ? AND state = 'open' FOR UPDATE", reader)
	if err != nil || o == nil || !Refundable(tx.Edition, o.CreatedAt, w.ReceivedAt) {
		return err
	}
	w.State, w.Product, w.ConcludedAt, w.Currency = Matched, o.Product, o.CreatedAt, o.Currency
	return transfer.Void(ctx, tx, o)
}

// matchGift returns the newest gift that was not redeemed, or nil. Its coupon is locked.
func matchGift(ctx context.Context, tx db.Tx, w *Contract) (*voucher.Gift, error) {
	list, err := voucher.ListGifts(ctx, tx, "buyer_email = ? AND state = 'paid' ORDER BY id DESC", w.Email)
	if err != nil {
		return nil, err
	}
	for _, g := range list {
		if !Refundable(tx.Edition, g.CreatedAt, w.ReceivedAt) {
			continue
		}
		c, err := voucher.FindCoupon(ctx, tx, true, "id = ?", g.CouponID)
		if err != nil {
			return nil, err
		}
		if c == nil || c.Revoked || c.Remaining == 0 {
			continue
		}
		w.State, w.Product, w.ConcludedAt, w.GiftID, w.Amount, w.Currency = Matched, g.Product, g.CreatedAt, g.ID,
			g.Amount, g.Currency
		return &g, nil
	}
	return nil, nil
}

// Refund ends what was withdrawn from and gives the money back, once however often it is told.
func (s *Service) Refund(ctx context.Context, e event.Withdrawal) error {
	var w *Contract
	var g *voucher.Gift
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if w, err = FindStatement(ctx, tx, e.WithdrawalID, false); err != nil || w == nil || w.GiftID == 0 {
			return err
		}
		g, err = voucher.FindGift(ctx, tx, false, "id = ?", w.GiftID)
		return err
	})
	if err != nil || w == nil || w.State != Matched {
		return err
	}
	if strings.HasPrefix(w.ProviderID, access.TransferKey) {
		return s.transfers.Withdraw(ctx, w.ProviderID, func(ctx context.Context, tx db.Tx) error {
			return settleStatement(ctx, tx, w.ID)
		})
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	if g != nil {
		if err = acc.Refund(ctx, g.PaymentID, fmt.Sprintf("withdraw:gift:%s:%d", acc.Edition.ID, g.ID)); err == nil {
			err = s.vouchers.Return(ctx, acc, stripe.Charge{Payment: g.PaymentID})
		}
	} else if err = s.end(ctx, w.ProviderID, access.AtOnce); err == nil {
		if err = acc.RefundAll(ctx, w.ProviderID); err == nil {
			err = s.sync(ctx, w.ProviderID)
		}
	}
	if err != nil {
		return fmt.Errorf("billing: withdrawal %d: %w", w.ID, err)
	}
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return settleStatement(ctx, tx, w.ID) })
}

// Sweep repays what the job of a withdrawal has not, because it was given up while the provider was away.
func (s *Service) Sweep(ctx context.Context) error {
	var ids []int64
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ids, err = listUnpaidWithdrawals(ctx, tx)
		return err
	})
	errs := []error{err, s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return access.ForgetUses(ctx, tx, useWithdrawal, tx.Now.AddDate(-1, 0, 0))
	})}
	for _, id := range ids {
		if err := s.Refund(ctx, event.Withdrawal{WithdrawalID: id}); err != nil {
			errs = append(errs, fmt.Errorf("billing: withdrawal %d: %w", id, err))
		}
	}
	return errors.Join(errs...)
}
