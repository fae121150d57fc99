package identity

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/event"
	"example.org/broadsheet/platform/mail"
)

// mailLogin sends the mail of an attempt, unless it has become of no use meanwhile.
func (m *Module) mailLogin(ctx context.Context, e event.LoginRequested) error {
	var letter *mail.Letter
	err := m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		a, err := findAttempt(ctx, tx, e.AttemptID)
		if err != nil || a == nil {
			return err
		}
		if a.SupersededAt == nil && a.LinkUsedAt == nil && a.CodeUsedAt == nil && tx.Now.Before(a.ExpiresAt) {
			l := m.secrets.loginLetter(tx.Edition, a)
			letter = &l
		}
		return nil
	})
	if err != nil || letter == nil {
		return err
	}
	return m.mailer.Send(ctx, *letter)
}
