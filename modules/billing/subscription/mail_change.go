package subscription

import (
	"context"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// changeOf names what has changed in a subscription, whoever asked for it: its reader in the profile or at the
// provider, or support, or the last try of a payment. It is "" where nothing was decided: a period has passed, a switch
// that was announced has come, or the subscription has ended as it was announced.
func changeOf(old, now access.Subscription) string {
	switch {
	case now.EndedEarly() && (old.Status.Live() || old.Status == stripe.Unpaid):
		return access.ChangeEnd
	case !old.Status.Live() || !now.Status.Live():
		return ""
	case now.CancelAtPeriodEnd != old.CancelAtPeriodEnd:
		return map[bool]string{true: access.ChangeCancel, false: access.ChangeResume}[now.CancelAtPeriodEnd]
	case now.Paused != old.Paused:
		return map[bool]string{true: access.ChangePause, false: access.ChangeUnpause}[now.Paused]
	case now.Product != old.Product && now.Product != old.Next:
		return access.ChangeSwitch
	case now.Next != old.Next && now.Next != "":
		return access.ChangeLater
	case now.Next != old.Next && now.Product == old.Product:
		return access.ChangeStay
	}
	return ""
}

// confirmChange has a change of a subscription confirmed by an email, in the transaction that writes it.
func confirmChange(ctx context.Context, tx db.Tx, old, now access.Subscription) error {
	kind := changeOf(old, now)
	if kind == "" {
		return nil
	}
	// The email about a dispute says that it has ended.
	if disputed, err := access.OwesEnd(ctx, tx, now.ProviderID); err != nil || disputed || now.Disputed {
		return err
	}
	if kind == access.ChangeEnd { // there is no other email about it
		if err := markEnded(ctx, tx, now.ID, now.EndedAt); err != nil {
			return err
		}
	}
	payload := event.SubscriptionChange{SubscriptionID: now.ID, Kind: kind, At: tx.Now}
	return outbox.Once(ctx, tx, event.SubscriptionChanged, payload,
		fmt.Sprintf("subscription_changed:%d:%s:%d", now.ID, kind, tx.Now.UnixMicro()))
}

// stillHolds reports whether a subscription is as a change has left it; where it is not, another email tells.
func stillHolds(s access.Subscription, kind string) bool {
	switch kind {
	case access.ChangeEnd:
		return s.EndedEarly()
	case access.ChangeCancel:
		return s.CancelAtPeriodEnd && s.Status.Live()
	case access.ChangePause:
		return s.Paused
	case access.ChangeLater:
		return s.Next != ""
	case access.ChangeResume, access.ChangeUnpause, access.ChangeStay:
		return !s.CancelAtPeriodEnd && !s.Paused && s.Next == ""
	}
	return true
}

// mailChange sends the email that confirms a change.
func (s *Service) mailChange(ctx context.Context, e event.SubscriptionChange) error {
	return s.mailAbout(ctx, e.SubscriptionID, func(ed *edition.Edition, sub *access.Subscription, to string,
	) (*mail.Message, error) {
		if !sub.Status.Live() && e.Kind != access.ChangeEnd || !stillHolds(*sub, e.Kind) {
			return nil, nil
		}
		s.access.ForgetHere(ctx, sub.ReaderID)
		reads, err := s.access.ActiveUntil(ctx, sub.ReaderID)
		if err != nil || e.Kind != access.ChangeEnd {
			return new(email.Change(ed, to, sub, e.Kind, e.At, reads)), err
		}
		if other, err := s.FindLivePaid(ctx, sub.ReaderID); err != nil || other != nil { // that goes on
			return nil, err
		}
		intro, err := s.mayHaveIntro(ctx, sub.ReaderID, to)
		return new(email.Ended(ed, to, sub, e.At, reads, intro)), err
	})
}
