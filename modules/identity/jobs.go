package identity

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// mailLogin sends the email of an attempt, unless it is void by now.
func (m *Module) mailLogin(ctx context.Context, e event.LoginRequested) error {
	var message *mail.Message
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		a, err := findAttempt(ctx, tx, e.AttemptID)
		if err != nil || a == nil {
			return err
		}
		if a.SupersededAt == nil && a.LinkUsedAt == nil && a.CodeUsedAt == nil && tx.Now.Before(a.ExpiresAt) {
			l := loginEmail(m.secrets, tx.Edition, a)
			message = &l
		}
		return nil
	})
	if err != nil || message == nil {
		return err
	}
	return m.mailer.Send(ctx, *message)
}

func (m *Module) loadChange(ctx context.Context,
	e event.AddressChange,
) (a *addressChange, ed *edition.Edition, now time.Time, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ed, now = tx.Edition, tx.Now
		a, err = findChange(ctx, tx, e.ChangeID)
		return err
	})
	return a, ed, now, err
}

// mailAddress emails both addresses of a change, unless it is void by now.
func (m *Module) mailAddress(ctx context.Context, e event.AddressChange) error {
	a, ed, now, err := m.loadChange(ctx, e)
	if err != nil || a.refusal(now) != nil {
		return err
	}
	return jobs.Join(m.mailer.Send(ctx, addressEmail(m.secrets, ed, a, oldSide)),
		m.mailer.Send(ctx, addressEmail(m.secrets, ed, a, newSide)))
}

// addressChanged tells whoever stores the address, and then the old mailbox, whose owner may object.
func (m *Module) addressChanged(ctx context.Context, e event.AddressChange) error {
	a, ed, _, err := m.loadChange(ctx, e)
	if err != nil || a == nil || a.DoneAt == nil {
		return err
	}
	if err := m.followers.Moved(ctx, a.ReaderID, a.OldEmail, a.NewEmail); err != nil {
		return err
	}
	return m.mailer.Send(ctx, addressChangedEmail(ed, a))
}
