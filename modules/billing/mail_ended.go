package billing

import (
	"context"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// maxNoticeDelay is how long after the end of access its reader is told: later it is no news any more.
const maxNoticeDelay = 7 * 24 * time.Hour

// mailAccessEnded sends the email about access that has ended, unless its reader has access again.
func (m *Module) mailAccessEnded(ctx context.Context, e event.AccessEnds) error {
	s, ed, err := m.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil || s == nil {
		return err
	}
	if until, err := m.Access.ActiveUntil(ctx, s.ReaderID); err != nil || !until.IsZero() {
		return err
	}
	to, _, err := m.contacts.Contact(ctx, s.ReaderID)
	if err != nil {
		return err
	}
	intro, err := m.mayHaveIntro(ctx, s.ReaderID, to)
	if err != nil {
		return err
	}
	return m.mailer.Send(ctx, accessEnded(ed, to, s, intro))
}

func accessEnded(ed *edition.Edition, to string, s *access.Subscription, intro bool) mail.Letter {
	words := map[string]any{
		"Name": ed.Name, "Date": i18n.Date(ed, s.AccessEnded(ed.Billing.GraceDays)),
		"Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.ended."+part, words) }
	l := mail.Letter{
		Kind: "access_ended", Key: "access_ended:" + strconv.FormatInt(s.ID, 10), To: to,
		ExpiresAt: s.EndedAt.Add(maxNoticeDelay),
		Subject:   say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("since")), mail.Paragraph(say("again"))},
	}
	l.Blocks = append(l.Blocks, invitation(ed, intro)...)
	return l
}
