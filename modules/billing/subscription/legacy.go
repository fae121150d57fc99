package subscription

import (
	"cmp"
	"context"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// ErrLegacyAccount is an order of an account of the former site: such accounts are offered nothing here.
var ErrLegacyAccount = fault.New(fault.Conflict, "INVALID_USER")

// What a reader has, as the page of subscriptions tells it.
const (
	HasNothing       = "none" // or a trial, which can be followed by a subscription
	hasSubscription  = "subscribed"
	hasLegacyAccount = "former" // an account of the former site, without a subscription
)

// AccountState is AccountStanding of openapi.yaml.
type AccountState struct {
	State   string     `json:"state"`
	Email   string     `json:"email"`
	Product string     `json:"product"` // the type of what the reader has
	Name    string     `json:"name"`    // its name, else that of the edition
	Until   *time.Time `json:"until,omitempty"`
}

// mayOrder reports whether a reader reads without paying, and may order what is paid for from the end of that on.
func (s *Service) mayOrder(ctx context.Context, readerID int64) (may bool, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		givenUntil, err := access.CreditedUntil(ctx, tx, readerID)
		if err != nil || givenUntil.IsZero() {
			return err
		}
		paid, err := access.FindPaid(ctx, tx, readerID)
		may = paid == nil && access.CanPostpone(givenUntil, tx.Now)
		return err
	})
	return may, err
}

// AccountState says what a reader has, and what can be bought.
func (s *Service) AccountState(ctx context.Context, ed *edition.Edition, readerID int64) (*AccountState, error) {
	address, _, err := s.contacts.Contact(ctx, readerID)
	if err != nil {
		return nil, err
	}
	end, err := s.access.End(ctx, readerID)
	if err != nil {
		return nil, err
	}
	former, err := s.contacts.Legacy(ctx, readerID)
	if err != nil {
		return nil, err
	}
	out := &AccountState{State: HasNothing, Email: address, Product: access.NoProduct, Name: ed.Name}
	if !end.At.IsZero() {
		out.Until = &end.At
	}
	givenUntil, err := s.mayOrder(ctx, readerID)
	if err != nil {
		return nil, err
	}
	switch {
	case givenUntil && !former:
	case out.Until != nil && end.Product != access.NoProduct:
		out.State, out.Product = hasSubscription, end.Product
		if p := ed.Product(end.Product); p != nil {
			out.Name = p.Name
		}
	case former:
		out.State = hasLegacyAccount
	}
	return out, nil
}

// mayBuy refuses an account of the former site, unless what it has says more.
func (s *Service) mayBuy(ctx context.Context, readerID int64) error {
	former, err := s.contacts.Legacy(ctx, readerID)
	if err != nil || !former {
		return err
	}
	if has, err := s.FindLivePaid(ctx, readerID); err != nil || has != nil {
		return cmp.Or[error](err, access.ErrHasSubscription)
	}
	return ErrLegacyAccount
}
