package app

import "context"

// Moved implements identity.Followers: who keeps something by a reader's address learns of the new one.
func (a *App) Moved(ctx context.Context, readerID int64, from, to string) error {
	if err := a.newsletter.Move(ctx, from, to); err != nil {
		return err
	}
	return a.Billing.Subscriptions.ChangeEmail(ctx, readerID, from, to)
}
