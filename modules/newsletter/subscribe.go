package newsletter

import (
	"context"
	"slices"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// Budgets of mails that ask to confirm: anybody may name any address.
var (
	emailsToAddress = limit.Budget{Name: "newsletter.address.minute", Max: 1, Window: time.Minute}
	emailsAnHour    = limit.Budget{Name: "newsletter.address.hour", Max: 5, Window: time.Hour}
	emailsADay      = limit.Budget{Name: "newsletter.address.day", Max: 10, Window: 24 * time.Hour}
	emailsOfNetwork = limit.Budget{Name: "newsletter.network", Max: 20, Window: time.Hour}
	changesOfReader = limit.Budget{Name: "newsletter.changes", Max: 60, Window: time.Hour}
)

// entry is one line of the log.
type entry struct {
	list, action, via string
}

// Subscribe asks an address to confirm that it wants lists. The answer does not tell whether it gets them already.
func (m *Module) Subscribe(ctx context.Context, email string, lists []string, v Visitor) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if lists = known(ed, lists); len(lists) == 0 {
		return ErrNoList.On("lists")
	}
	if email, err = m.parseEmail(email); err != nil {
		return err
	}
	within, refuses := false, false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if refuses, err = mail.Refuses(ctx, tx, email); err != nil || refuses {
			return err
		}
		if within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: emailsOfNetwork, Key: limit.Network(v.IP)},
			limit.Use{Budget: emailsAnHour, Key: email}, limit.Use{Budget: emailsADay, Key: email}); err != nil || !within {
			return err
		}
		// Who presses the button twice is told that the mail is on its way, which it is.
		first, err := limit.Spend(ctx, tx, emailsToAddress, email)
		if err != nil || !first {
			return err
		}
		s, err := upsertSubscriber(ctx, tx, email)
		if err != nil {
			return err
		}
		id, err := insertRequest(ctx, tx, s.ID, lists)
		if err != nil {
			return err
		}
		for _, list := range lists {
			if err := insertEntry(ctx, tx, s.ID, entry{list, "asked", viaForm}, v); err != nil {
				return err
			}
		}
		return outbox.Tell(ctx, tx, event.NewsletterAsked, event.Subscription{RequestID: id})
	})
	switch {
	case err != nil:
		return err
	case refuses:
		return mail.ErrRefused.On("email")
	case !within:
		return web.ErrTooMany
	}
	return nil
}

// Confirm subscribes what the mail asked about. A second time changes nothing, and takes back nothing that was changed
// since.
func (m *Module) Confirm(ctx context.Context, token string, v Visitor) (settings string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	l, ok := m.open(ed, toConfirm, token)
	if !ok {
		return "", ErrLink
	}
	var s *subscriber
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		r, err := lockRequest(ctx, tx, l.id)
		if err != nil || r == nil || (r.UsedAt.IsZero() && !tx.Now.Before(r.ExpiresAt)) {
			return err
		}
		if s, err = findSubscriber(ctx, tx, r.SubscriberID); err != nil || s == nil || !r.UsedAt.IsZero() {
			return err
		}
		if err := markRequestUsed(ctx, tx, r.ID); err != nil {
			return err
		}
		return m.join(ctx, tx, s, known(ed, r.Lists), viaMail, v)
	})
	if err != nil {
		return "", err
	}
	if s == nil {
		return "", ErrLink
	}
	return m.token(ed, toSettings, link{id: s.ID, until: m.db.Now().Add(settingsTTL)}), nil
}

// join subscribes an address that has just proved to be theirs, or whose owner is logged in.
func (m *Module) join(ctx context.Context, tx db.Tx, s *subscriber, lists []string, via string, v Visitor) error {
	if err := markConfirmed(ctx, tx, s.ID); err != nil {
		return err
	}
	for _, list := range lists {
		added, err := insertSubscription(ctx, tx, s.ID, list)
		if err != nil {
			return err
		}
		if !added {
			continue
		}
		if err := insertEntry(ctx, tx, s.ID, entry{list, "joined", via}, v); err != nil {
			return err
		}
	}
	if len(lists) == 0 {
		return nil
	}
	return mail.Forgive(ctx, tx, s.Email, true)
}

// leave ends subscriptions; those that are over are no error.
func leave(ctx context.Context, tx db.Tx, id int64, lists []string, via string, v Visitor) error {
	for _, list := range lists {
		removed, err := deleteSubscription(ctx, tx, id, list)
		if err != nil {
			return err
		}
		if !removed {
			continue
		}
		if err := insertEntry(ctx, tx, id, entry{list, "left", via}, v); err != nil {
			return err
		}
	}
	return nil
}

// set makes a subscriber's lists of the edition exactly those that are wanted.
func (m *Module) set(ctx context.Context, tx db.Tx, s *subscriber, wanted []string, via string, v Visitor) error {
	had, err := listSubscriptions(ctx, tx, s.ID)
	if err != nil {
		return err
	}
	var added, gone []string
	for _, list := range wanted {
		if !slices.Contains(had, list) {
			added = append(added, list)
		}
	}
	for _, list := range had {
		if !slices.Contains(wanted, list) {
			gone = append(gone, list)
		}
	}
	if err := leave(ctx, tx, s.ID, gone, via, v); err != nil {
		return err
	}
	return m.join(ctx, tx, s, added, via, v)
}
