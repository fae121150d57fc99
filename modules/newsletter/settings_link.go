package newsletter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// RenewLink has a new link to the settings mailed to the address that a link was of, which may have expired. Whoever
// holds the old one learns nothing of that address.
func (m *Module) RenewLink(ctx context.Context, token string, v Visitor) error {
	within := false
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		s, _, err := m.bearerOf(ctx, tx, token)
		if err != nil {
			return err
		}
		if refuses, err := mail.Refuses(ctx, tx, s.Email); err != nil || refuses {
			within = true // that nothing arrives there says something of the address too
			return err
		}
		if within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: emailsOfNetwork, Key: limit.Network(v.IP)},
			limit.Use{Budget: emailsAnHour, Key: s.Email}, limit.Use{Budget: emailsADay, Key: s.Email}); err != nil || !within {
			return err
		}
		first, err := limit.Spend(ctx, tx, emailsToAddress, s.Email)
		if err != nil || !first {
			return err
		}
		return outbox.Tell(ctx, tx, event.NewsletterLinkAsked, event.NewsletterLink{SubscriberID: s.ID, At: tx.Now})
	})
	if err == nil && !within {
		return web.ErrTooMany
	}
	return err
}

// mailLink sends a new link to the settings.
func (m *Module) mailLink(ctx context.Context, e event.NewsletterLink) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var s *subscriber
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		s, err = findSubscriber(ctx, tx, e.SubscriberID)
		return err
	})
	if err != nil || s == nil || s.ConfirmedAt.IsZero() {
		return err
	}
	err = m.mailer.Send(ctx, m.linkEmail(ed, s, e.At))
	if errors.Is(err, mail.ErrInFlight) {
		return fmt.Errorf("newsletter: %w", err)
	}
	return err
}

// linkEmail is the email with a new link to the settings.
func (m *Module) linkEmail(ed *edition.Edition, s *subscriber, at time.Time) mail.Message {
	until := at.Add(settingsTTL)
	words := map[string]any{"Name": ed.Name, "Date": i18n.Date(ed, until)}
	say := func(part string) string { return i18n.T(ed, "mail.settings_link."+part, words) }
	return mail.Message{
		Kind: "newsletter_link", Key: fmt.Sprintf("newsletter_link:%d:%d", s.ID, at.UnixMicro()), To: s.Email,
		ExpiresAt: until,
		Subject:   say("subject"), Preview: say("preview"), Why: say("why"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("intro")),
			mail.Button(say("button"), ed.URL(address(ed, stepSettings, m.token(ed, toSettings, link{id: s.ID, until: until})))),
			mail.Note(say("ignore")),
		},
	}
}
