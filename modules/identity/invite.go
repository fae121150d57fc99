package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// Invitation is what happened to one address.
type Invitation struct {
	Email string // in its one form
	State InvitationState
}

// InvitationState says whether there was anything to do.
type InvitationState string

// The states.
const (
	Invited        InvitationState = "invited"         // now
	AlreadyInvited InvitationState = "already invited" // before
	AlreadyReader  InvitationState = "already a reader"
)

// Invite lets addresses register where the edition of ctx is by invitation, all of them or none: one that is not an
// address, or whose domain the edition does not take, keeps the others back. With tell, each address that was not
// invited before gets an email. Inviting again does nothing.
func Invite(ctx context.Context, d *db.DB, tell bool, addresses ...string) (list []Invitation, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		emails, err := parseAll(tx, addresses)
		if err != nil {
			return err
		}
		for _, email := range emails {
			known, invited, err := findAddress(ctx, tx, email)
			if err != nil {
				return err
			}
			in := Invitation{email, Invited}
			switch {
			case known:
				in.State = AlreadyReader
			case invited:
				in.State = AlreadyInvited
			}
			id, err := insertInvitation(ctx, tx, email)
			if err != nil {
				return err
			}
			if tell && in.State == Invited {
				if err := outbox.Once(ctx, tx, event.InvitationMail, event.Invited{InvitationID: id},
					fmt.Sprintf("invitation:%d", id)); err != nil {
					return err
				}
			}
			list = append(list, in)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// parseAll brings addresses into their one form, each once, and names all that are none.
func parseAll(tx db.Tx, addresses []string) (emails []string, _ error) {
	var errs []error
	for _, a := range addresses {
		email, err := emailaddr.Parse(a)
		if err == nil {
			err = emailaddr.CheckDomain(tx.Edition, email)
		}
		switch {
		case errors.Is(err, emailaddr.ErrForbiddenDomain):
			errs = append(errs, fmt.Errorf("%q: the edition does not take this domain: %w", a, err))
		case err != nil:
			errs = append(errs, fmt.Errorf("%q is no address: %w", a, err))
		case !slices.Contains(emails, email):
			emails = append(emails, email)
		}
	}
	return emails, errors.Join(errs...)
}

// Invited reports whether a reader's address was invited.
func (m *Module) Invited(ctx context.Context, readerID int64) (invited bool, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		r, err := reader.Find(ctx, tx, readerID)
		if err != nil || r == nil {
			return err
		}
		_, invited, err = findAddress(ctx, tx, r.Email)
		return err
	})
	return invited, err
}
